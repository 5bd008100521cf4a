"""The check-in: who is there for a round, who is missing, and what the clock proposes for those who do not come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litestar import MediaType, Response, get
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.now import now_ms
from korgool.app.server.web.answers import AnyRequest
from korgool.app.server.web.desk.frame import ThePlace, desk_page
from korgool.app.server.web.forms import see
from korgool.app.words.timetable import planned_ms
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, PairedGame, Player, Settings
from korgool.conduct.state import LATE_MS

_LONGEST_AGO_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Expected:
    """A player of a round.

    Attributes:
        player: who.
        game: their game, None before the round is paired.
        opponent: who waits for them, None before that, and where nobody does.
        result: what is entered if they do not come and their time is over: `+-`, `-+`, or `--` if nobody came.
    """

    player: Player
    game: PairedGame | None = None
    opponent: Player | None = None
    result: str = ""


@dataclass(frozen=True, slots=True)
class CheckIn:
    """Who is there for a round.

    Attributes:
        number: the round.
        paired: whether it is paired.
        missing, there: those who play in it, by number.
        away: those who do not, with their bye.
    """

    number: int
    paired: bool
    missing: Sequence[Expected]
    there: Sequence[Expected]
    away: Sequence[tuple[Player, ByeKind]]


def rounds_to_note(state: EventState) -> tuple[int, ...]:
    """The rounds for which one may note who is there: the last while it is played, and the next."""
    last = len(state.rounds)
    coming = (last + 1,) if last < state.event.rounds else ()
    return coming if not last or (state.complete and coming) else (last, *coming)


def check_in(state: EventState, number: int) -> CheckIn:
    """Who is there for a round, and who is missing; players whose game has a result are not asked for any more."""
    paired = number <= len(state.rounds)
    here = state.present.get(number, frozenset())
    players = sorted(state.players.values(), key=lambda one: one.number)
    if not paired:
        away = [(one, bye) for one in players if (bye := one.bye(number)) is not None and one.until is None]
        coming = [Expected(one) for one in players if one.bye(number) is None]
    else:
        round_ = state.round(number)
        away = [(state.players[bye.player], bye.kind) for bye in round_.byes if bye.player in state.players]
        found = [
            Expected(state.players[id_], game, state.players.get(game.opponent(id_)), no_show(game, here))
            for game in round_.games
            for id_ in (game.white, game.black)
            if id_ and (game.result is None or id_ in here)
        ]
        coming = sorted(found, key=lambda one: one.player.number)
    there = [one for one in coming if one.player.id in here]
    return CheckIn(number, paired, [one for one in coming if one.player.id not in here], there, away)


def no_show(game: PairedGame, here: frozenset[int]) -> str:
    """The result of a game if nobody comes any more, as an arbiter types it; empty if both are there."""
    return {(True, False): "+-", (False, True): "-+", (False, False): "--"}.get(
        (game.white in here, game.black in here), ""
    )


def late_ms(settings: Settings) -> int:
    """How long after its start a player may come to a game: half of the time and 30 seconds (WNG-TK §V:11)."""
    return settings.time_control().initial_ms // 2 + LATE_MS


@get("/check-in", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def page_of_check_in(request: AnyRequest, place: ThePlace) -> Response[str] | Redirect:
    """Who is there. `round` chooses one; `began` is when it began, in seconds since 1970, or `now`.

    As long as nobody says when the round began, it is taken to begin as the timetable plans it.
    """
    state, asked = place.state, request.query_params
    rounds = rounds_to_note(state)
    text = asked.get("round", "")
    number = int(text) if text in map(str, rounds) else (rounds[0] if rounds else 0)
    here = f"{request.scope['path']}?round={number}"
    if asked.get("began") == "now":
        return see(f"{here}&began={now_ms() // 1000}")
    began = _moment(asked.get("began", ""))
    planned = 0 if began or not number else _planned(state.event, number)
    start = began or planned
    until = start + late_ms(state.event) if start else 0
    return desk_page(
        request,
        place,
        "check-in",
        "check_in.html",
        found=check_in(state, number) if number else None,
        may={one.do: one in place.allowed for one in (do.Present, do.Miss, do.Attend, do.EnterResult)},
        rounds=rounds,
        began=began,
        planned=planned,
        until=until,
        over=bool(until) and now_ms() > until,
        back=f"{here}&began={began // 1000}#q" if began else f"{here}#q",
    )


def _moment(text: str) -> int:
    """A moment of the last day in milliseconds since 1970, 0 for anything else."""
    at = int(text) * 1000 if text.isascii() and text.isdecimal() and len(text) < 12 else 0
    return at if 0 <= now_ms() - at <= _LONGEST_AGO_MS else 0


def _planned(settings: Settings, number: int) -> int:
    """When a round is planned, 0 where that is not known or more than a day ago: then it has been put off."""
    at = planned_ms(settings, number)
    return at if at is not None and now_ms() - at <= _LONGEST_AGO_MS else 0


handlers = [page_of_check_in]

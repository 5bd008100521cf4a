"""The check-in: who is there for a round, who is missing, and what the clock proposes for those who do not come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from litestar import MediaType, Response, get
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.desk.entries import found_players, searched_text
from korgool.app.server.events.desk.forms import whole_number
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest
from korgool.app.words.event_texts import planned_ms
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, PairedGame, Player, Settings
from korgool.conduct.state import LATE_MS

State: TypeAlias = Literal["missing", "there", "away"]
"""Players who are not there yet, who are there, and who do not play."""
_STATES: tuple[State, ...] = get_args(State)
_LONGEST_AGO_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class ExpectedPlayer:
    """A player of a round.

    Attributes:
        player: who.
        here: whether they are noted.
        bye: the bye of somebody who does not play.
        game: their game, None before the round is paired.
        opponent: who waits for them, None before that, and where nobody does.
        result: what is entered if they do not come and their time is over: `+-`, `-+`, or `--` if nobody came.
    """

    player: Player
    here: bool = False
    bye: ByeKind | None = None
    game: PairedGame | None = None
    opponent: Player | None = None
    result: str = ""

    @property
    def state(self) -> State:
        """`there`, `missing`, or `away` with a bye."""
        return "away" if self.bye is not None else "there" if self.here else "missing"


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The check-in of a round.

    Attributes:
        number: the round.
        paired: whether it is paired.
        people: those who play in it and those who have a bye, by number.
    """

    number: int
    paired: bool
    people: Sequence[ExpectedPlayer]

    def of(self, state: State) -> list[ExpectedPlayer]:
        """Those of a state."""
        return [one for one in self.people if one.state == state]


def rounds_to_note(state: EventState) -> tuple[int, ...]:
    """The rounds for which one may note who is there: the last while it is played, and the next."""
    last = len(state.rounds)
    coming = (last + 1,) if last < state.event.rounds else ()
    return coming if not last or (state.complete and coming) else (last, *coming)


def check_in(state: EventState, number: int) -> CheckIn:
    """The players of a round by presence; those whose game has a result are not expected any more."""
    paired = number <= len(state.rounds)
    here = state.present.get(number, frozenset())
    players = state.players
    if not paired:
        found = [
            ExpectedPlayer(one, one.id in here, one.bye(number))
            for one in players.values()
            if one.bye(number) is None or one.until is None
        ]
    else:
        round_ = state.round(number)
        found = [ExpectedPlayer(players[bye.player], bye=bye.kind) for bye in round_.byes if bye.player in players]
        found += [
            ExpectedPlayer(players[id_], id_ in here, None, game, players.get(game.opponent(id_)), no_show(game, here))
            for game in round_.games
            for id_ in (game.white, game.black)
            if id_ and (game.result is None or id_ in here)
        ]
    return CheckIn(number, paired, sorted(found, key=lambda one: one.player.number))


def no_show(game: PairedGame, here: frozenset[int]) -> str:
    """The result of a game if nobody comes any more, as an arbiter types it; empty if both are there."""
    return {(True, False): "+-", (False, True): "-+", (False, False): "--"}.get(
        (game.white in here, game.black in here), ""
    )


def late_ms(settings: Settings) -> int:
    """Milliseconds after the start in which a player may come: half of the time and 30 seconds (WNG-TK §V:11)."""
    return settings.time_control().initial_ms // 2 + LATE_MS


@get("/check-in", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def page_of_check_in(request: AnyRequest, place: ThePlace) -> Response[str] | Redirect:
    """The check-in of a round. `round` chooses one; `began` is its start in seconds since 1970, or `now`; `show` and
    `q` choose players: those of a state, or those found by a name, number, team or club.

    Without `began` the start is taken from the timetable.
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
    show = next((one for one in _STATES if one == asked.get("show", "")), "")
    sought = asked.get("q", "").strip()[:100]
    found = check_in(state, number) if number else None
    ids = {one.id for one in found_players(state, sought)}
    if began:
        here += f"&began={began // 1000}"
    return desk_page(
        request,
        place,
        "check-in",
        "check_in.html",
        found=found,
        hidden={
            one.player.id
            for one in (found.people if found else ())
            if one.player.id not in ids or (show and not sought and one.state != show)
        },
        show=show,
        asked=sought,
        address=here,
        may={one.do: one in place.allowed for one in (do.Present, do.Miss, do.Attend, do.EnterResult)},
        rounds=rounds,
        began=began,
        planned=planned,
        until=until,
        searched_text=searched_text,
        over=bool(until) and now_ms() > until,
        back=f"{here}{f'&show={show}' if show else ''}#q",
    )


def _moment(text: str) -> int:
    """A moment of the last day in milliseconds since 1970, 0 for anything else."""
    at = 1000 * (whole_number(text, 11) or 0)
    return at if 0 <= now_ms() - at <= _LONGEST_AGO_MS else 0


def _planned(settings: Settings, number: int) -> int:
    """The planned time of a round, 0 if it is not known or more than a day ago: then the round has been put off."""
    at = planned_ms(settings, number)
    return at if at is not None and now_ms() - at <= _LONGEST_AGO_MS else 0


handlers = [page_of_check_in]

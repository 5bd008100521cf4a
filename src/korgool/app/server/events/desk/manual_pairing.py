"""Changes of a paired round by hand: players exchanged, colours, new boards, or all pairings as they are typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from litestar import MediaType, Response, get, post
from litestar.params import FromPath

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.events.desk.forms import read_fields
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.desk.result_rows import BoardRow, board_rows
from korgool.app.server.events.desk.results import round_of
from korgool.app.server.http.responses import AnyRequest
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Bye, ByeKind, PairedGame, Player, Round, Team
from korgool.competition.pairing.absentees import absentee_notes
from korgool.competition.pairing_doubts import pairing_notes
from korgool.competition.round_history import Meeting, team_history
from korgool.languages import N_

_PAIR = re.compile(r"(\d{1,4})\s*(?:[-–—,:;]|\s)\s*(\d{1,4}|[UFHZufhz])", re.ASCII)
_NO_PAIR = N_("line {line}: “{text}” is not two numbers, such as 12 15, or 12 U")
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class TypedPairings:
    """Pairings as they were typed, before they are entered.

    Attributes:
        text: what was typed: White and Black of a board a line, by their numbers.
        games: ids of White and Black.
        byes: ids of players, with the letters of their byes.
        rows: the boards.
        notes: doubts about them.
        problem: why they cannot be entered; empty if they can.
    """

    text: str
    games: tuple[tuple[int, int], ...] = ()
    byes: tuple[tuple[int, str], ...] = ()
    rows: Sequence[BoardRow] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""


def read_pairings(state: EventState, number: int, text: str) -> TypedPairings:
    """Read typed pairings of a round, or of the next one, and what they would lead to."""
    games, byes = [], []
    try:
        for at, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            found = _PAIR.fullmatch(line.strip())
            if found is None:
                raise CompetitionError(_NO_PAIR, line=at, text=line.strip()[:40])
            one = state.player(int(found[1])).id
            if found[2].isdecimal():
                games.append((one, state.player(int(found[2])).id))
            else:
                byes.append((one, found[2].upper()))
        after = _after(state, number, games, byes)
    except CompetitionError as problem:
        return TypedPairings(text, tuple(games), tuple(byes), problem=problem.message)
    notes = pairing_notes(after, number)
    if number > len(state.rounds):
        notes += absentee_notes(state, {id_ for game in games for id_ in game})
    return TypedPairings(text, tuple(games), tuple(byes), board_rows(after, number), notes)


def _after(
    state: EventState, number: int, games: Sequence[tuple[int, int]], byes: Sequence[tuple[int, str]]
) -> EventState:
    paired = tuple(PairedGame(board, white, black) for board, (white, black) in enumerate(games, 1))
    given = tuple(Bye(player, ByeKind(kind)) for player, kind in byes)
    matches = state.round(number).matches if number <= len(state.rounds) else ()
    if number > len(state.rounds):
        state = apply(state, do.Pair(number, paired, given, (), do.BY_HAND))
    return apply(state, do.Repair(paired, given, matches, number), reason="-")


def typed_pairings(state: EventState, one: Round) -> str:
    """The pairings of a round as one types them."""
    number = {id_: player.number for id_, player in state.players.items()}
    lines = [f"{number[game.white]} {number[game.black]}" for game in one.games if game.white and game.black]
    lines += [f"{number[bye.player]} {bye.kind.value}" for bye in one.byes if bye.player in number]
    return "\n".join(lines)


@get("/round/{number:str}/hands", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def hands_page(request: AnyRequest, place: ThePlace, number: FromPath[str]) -> Response[str]:
    """The forms that change a round by hand; of the next round, the one that pairs it so."""
    return _page(request, place, _number(place, number))


@post("/round/{number:str}/hands", action=Action.OFFICIATE, status_code=200)
async def preview_hands(request: AnyRequest, place: ThePlace, number: FromPath[str]) -> Response[str]:
    """Typed pairings as they would be, with the doubts about them; nothing is written."""
    place.permit(do.Repair)
    at = _number(place, number)
    text = (await read_fields(request)).get("pairings", [""])[-1][:_LONGEST]
    typed = read_pairings(place.state, at, text)
    return _page(request, place, at, 422 if typed.problem else 200, typed)


def _number(place: DeskPlace, text: str) -> int:
    """The round in an address: one that is paired, or the next one where players are paired.

    Raises:
        ApiError: 404.
    """
    state, coming = place.state, len(place.state.rounds) + 1
    if text == str(coming) and coming <= state.event.rounds and not state.event.system.of_teams:
        return coming
    return round_of(place, text)


def _page(
    request: AnyRequest, place: DeskPlace, number: int, status: int = 200, typed: TypedPairings | None = None
) -> Response[str]:
    state = place.state
    paired = number <= len(state.rounds)
    one = state.round(number) if paired else Round(number, ())
    may = {action.do: paired and action in place.allowed for action in (do.Unpair, do.Choose, do.Attach, do.CorrectBye)}
    return desk_page(
        request,
        place,
        "results",
        "hands.html",
        status,
        round=one,
        rows=board_rows(state, number) if paired else [],
        paired=paired,
        empty=[row for row in board_rows(state, number) if not (row.white.id and row.black.id)] if paired else [],
        idle=_idle_teams(state, number) if paired else [],
        people=_people(state, one),
        free=_free(state, one),
        typed=typed,
        text=typed_pairings(state, one) if typed is None else typed.text,
        last=number == len(state.rounds),
        begun=any(game.result is not None and game.white and game.black for game in one.games),
        may=may | {do.Repair.do: do.Repair in place.allowed},
    )


def _people(state: EventState, one: Round) -> list[Player]:
    """The players of a round, also those who have a bye in it, by number."""
    ids = {id_ for game in one.games for id_ in (game.white, game.black) if id_}
    ids |= set() if state.event.system.of_teams else {bye.player for bye in one.byes}
    return sorted((state.players[id_] for id_ in ids), key=lambda player: player.number)


def _idle_teams(state: EventState, number: int) -> list[tuple[Team, Meeting]]:
    """The teams without a match in a paired round, each with its bye; none in an event of single players."""
    met = team_history(state, rounds=number) if state.event.system.of_teams else {}
    return [(state.teams[id_], meetings[-1]) for id_, meetings in met.items() if meetings[-1].bye]


def _free(state: EventState, one: Round) -> list[Player]:
    """Those who have no game in a round, by number."""
    playing = {id_ for game in one.games for id_ in (game.white, game.black)}
    free = [player for player in state.players.values() if player.id not in playing and not player.excluded]
    return sorted(free, key=lambda player: player.number)


handlers = [hands_page, preview_hands]

"""The page of a table: its game, and what has been said of it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from korgool.app.server.events.tables.codes import SIDES, TableSide, shown_code
from korgool.app.server.events.tables.report_form import CAUSES, UNPLAYED
from korgool.app.server.events.tables.service import TableSeat
from korgool.app.words.event_texts import result_text
from korgool.competition.model import PairedGame
from korgool.competition.privacy import shown_name
from korgool.competition.result import Result
from korgool.competition.tables import TableCall, doubt

CALL_REASONS: Final = ("rules", "clock", "result", "other")
"""Reasons for which players call a referee."""
TableStep: TypeAlias = Literal["stands", "differs", "waits", "asked", "open"]


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """A player at the table.

    Attributes:
        side: the colour.
        name: as public pages show it; empty where a team has nobody.
        own: whether the code is theirs.
    """

    side: TableSide
    name: str
    own: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """The page of a seat.

    Attributes:
        address: its path.
        code: as the card shows it.
        title: the name of the event.
        event: the address of the public pages of the group.
        game: the short name of the game.
        round, board: where.
        side: the colour of the code.
        players: White, then Black.
        step: `stands`, there is a result; `differs`, the two reports are no result by themselves; `waits` for the other
            report; `asked`, the other side has reported; `open`, nobody has.
        result: the result that stands, or else the own report, as people read it.
        ended: why that game ended, where the stones do not tell, as `words.games.REASONS` has it.
        call: the call for a referee.
        sets: how many the form asks for.
        total: the stones of a game.
        asks_both: whether the stones of the other kazan do not follow from the winner's.
        causes: endings that are no ending on the board.
        reasons: for a call.
    """

    address: str
    code: str
    title: str
    event: str
    game: str
    round: int
    board: int
    side: TableSide
    players: tuple[TablePlayer, ...]
    step: TableStep
    result: str
    ended: str
    call: TableCall | None
    sets: int
    total: int
    asks_both: bool
    causes: tuple[str, ...]
    reasons: tuple[str, ...] = CALL_REASONS

    @property
    def tag(self) -> str:
        """A text that differs where something else is shown."""
        return sha256(repr(self).encode()).hexdigest()[:16]


def table_view(seat: TableSeat) -> TableView:
    """The page of a seat as it is now."""
    game, state = seat.game, seat.state
    shown = game.result
    if shown is None and seat.report is not None:
        shown = seat.report.result
    sets = state.event.sets
    return TableView(
        address=seat.address,
        code=shown_code(seat.code),
        title=state.event.name,
        event=f"/events/{seat.event.id}",
        game=state.event.game,
        round=seat.round,
        board=seat.board,
        side=seat.side,
        players=_players(seat, game),
        step=_step(seat, game),
        result="" if shown is None else result_text(shown),
        ended=_ended(shown),
        call=state.calls.get((seat.round, seat.board)),
        sets=sets,
        total=state.event.rules().total,
        asks_both=bool(state.event.rules().goal),
        causes=CAUSES if sets == 1 else (*CAUSES, UNPLAYED),
    )


def _step(seat: TableSeat, game: PairedGame) -> TableStep:
    if game.result is not None:
        return "stands"
    said = seat.state.reports.get((seat.round, seat.board), ())
    if doubt(said) is not None:
        return "differs"
    if seat.report is not None:
        return "waits"
    return "asked" if said else "open"


def _ended(result: Result | None) -> str:
    if result is None or result.sets or result.cause not in CAUSES:
        return ""
    winner = {(2, 0): "white", (0, 2): "black"}.get((result.white, result.black), "draw")
    return f"{result.cause} {winner}"


def _players(seat: TableSeat, game: PairedGame) -> tuple[TablePlayer, ...]:
    ids, players = (game.white, game.black), seat.state.players
    return tuple(
        TablePlayer(side, shown_name(players[id_]) if id_ else "", side == seat.side)
        for side, id_ in zip(SIDES, ids, strict=True)
    )

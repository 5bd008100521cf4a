"""The page of a table: its game, and what has been said of it."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.app.server.events.tables.codes import SIDES, TableSide, shown_code
from korgool.app.server.events.tables.service import TableSeat
from korgool.app.words.event_texts import result_text
from korgool.competition.model import PairedGame
from korgool.competition.privacy import shown_name


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
        round, board: where.
        side: the colour of the code.
        players: White, then Black.
        result: the result that stands, as people read it; empty while there is none.
    """

    address: str
    code: str
    title: str
    event: str
    round: int
    board: int
    side: TableSide
    players: tuple[TablePlayer, ...]
    result: str = ""


def table_view(seat: TableSeat) -> TableView:
    """The page of a seat as it is now."""
    game = seat.game
    return TableView(
        address=seat.address,
        code=shown_code(seat.code),
        title=seat.state.event.name,
        event=f"/events/{seat.event.id}",
        round=seat.round,
        board=seat.board,
        side=seat.side,
        players=_players(seat, game),
        result="" if game.result is None else result_text(game.result),
    )


def _players(seat: TableSeat, game: PairedGame) -> tuple[TablePlayer, ...]:
    ids, players = (game.white, game.black), seat.state.players
    return tuple(
        TablePlayer(side, shown_name(players[id_]) if id_ else "", side == seat.side)
        for side, id_ in zip(SIDES, ids, strict=True)
    )

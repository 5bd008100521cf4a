"""Rows of scoresheets that are kept on phones. Methods block, and may be called from any thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, insert, select

from korgool.app.server.storage.event_tables import board_lines as table
from korgool.competition.board_sheet import SheetLine

_DECODER = msgspec.json.Decoder(dict[str, Any])


@dataclass(frozen=True, slots=True, order=True)
class RoundKey:
    """A round of a group of an event.

    Attributes:
        event: the event's id.
        group: id of the group, 1 in an event without groups.
        round: from 1.
    """

    event: str
    group: int
    round: int


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A line of a sheet with its place.

    Attributes:
        board: from 1.
        number: gapless from 1 on each board.
        pair: ids of White and Black, whose game it is about.
        line: what was written.
    """

    board: int
    number: int
    pair: tuple[int, int]
    line: SheetLine


class BoardRepository:
    """Reads and writes the lines of sheets.

    Args:
        engine: the database.
        fence: begins a transaction that writes.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None]) -> None:
        self._engine = engine
        self._fence = fence

    def lines(self, key: RoundKey) -> list[StoredLine]:
        """The lines of a round, in the order in which the server took them."""
        mine = (table.c.competition == key.event) & (table.c.part == key.group) & (table.c.round == key.round)
        query = select(table).where(mine).order_by(table.c.at_ms, table.c.board, table.c.number)
        with self._engine.begin() as connection:
            return [_stored(row) for row in connection.execute(query)]

    def append(self, key: RoundKey, lines: Sequence[StoredLine]) -> None:
        """Write lines, all or none.

        Raises:
            IntegrityError: another process was quicker on one of the boards.
        """
        place = {"competition": key.event, "part": key.group, "round": key.round}
        rows = [
            place
            | {"board": one.board, "number": one.number, "white": one.pair[0], "black": one.pair[1]}
            | {"at_ms": one.line.at_ms, "line": msgspec.json.encode(one.line).decode()}
            for one in lines
        ]
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(insert(table), rows)

    def since(self, at_ms: int) -> list[RoundKey]:
        """The rounds in which something was written from a moment on."""
        query = select(table.c.competition, table.c.part, table.c.round).where(table.c.at_ms >= at_ms).distinct()
        with self._engine.begin() as connection:
            return [RoundKey(*row) for row in connection.execute(query)]


def _stored(row: Any) -> StoredLine:
    line = msgspec.convert(_DECODER.decode(row.line), SheetLine)
    return StoredLine(row.board, row.number, (row.white, row.black), line)

"""Games of this site in which a position stood: the last ones between people, and one's own."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import Engine, Select, select

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.limits.admission import ParserPool
from korgool.app.server.storage.journal import KIND_OF, Payload
from korgool.app.server.storage.schema import events, games, seats
from korgool.live import journal as happenings
from korgool.notation.record import Record
from korgool.notation.terminations import parse_result
from korgool.rules import GAMES, Position
from korgool.training.explorer import Explorer, ExplorerWriter, Played

MOST_PUBLIC, MOST_OWN = 1000, 300
"""The last games that are read: about two seconds of processor time, and half a second."""
PUBLIC_SECONDS, OWN_SECONDS = 3600.0, 60.0
"""Seconds for which what was read is kept."""
_MOST_KEPT = 64
_CHUNK = 200
_MOVE, _TAKEN_BACK = KIND_OF[happenings.Moved], KIND_OF[happenings.TakenBack]
_PAYLOAD = msgspec.json.Decoder(Payload)


class Whose(StrEnum):
    """Whose games are asked for."""

    SITE = "site"
    OWN = "own"


@dataclass(slots=True)
class _Kept:
    """Games that were read, and until when they are kept."""

    explorer: Explorer
    until: float


class PlayedGames:
    """Answers what has been played in a position on this site, in a thread of its own: what it reads takes seconds.

    Args:
        engine: of the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._reading = ParserPool("played")

    async def ask(self, whose: Whose, who: str | None, position: Position, caller: Caller) -> Played:
        """The moves and games of a position by the usual rules.

        Args:
            whose: the games between people whose ends everybody may know, or all finished games of a person.
            who: the identity of the person, for their own games; None for nobody known.
            position: the position; its move number does not matter.
            caller: whose turn it is.
        """
        if whose is Whose.OWN and who is None:
            return Played()
        of = who or "" if whose is Whose.OWN else ""
        return await self._reading.run(caller, self._ask, of, position)

    def close(self) -> None:
        """Cancel whoever waits."""
        self._reading.close()

    def _ask(self, who: str, position: Position) -> Played:
        """The answer for a person, or for the site where none is named. Only the one thread comes here."""
        game = position.rules.name
        key, now = (game, who), time.monotonic()
        for old in [old for old, kept in self._kept.items() if kept.until < now]:
            self._kept.pop(old).explorer.close()
        if key not in self._kept:
            listed = _own(who, game) if who else _public(game, now_ms())
            self._kept[key] = _Kept(self._read(listed), now + (OWN_SECONDS if who else PUBLIC_SECONDS))
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)[1].explorer.close()
        self._kept.move_to_end(key)
        return self._kept[key].explorer.ask(position)

    def _read(self, listed: Select[Any]) -> Explorer:
        writer = ExplorerWriter()
        with self._engine.begin() as connection:
            rows = connection.execute(listed).all()
        for first in range(0, len(rows), _CHUNK):
            chunk = rows[first : first + _CHUNK]
            plies = (
                select(events.c.game_id, events.c.kind, events.c.payload)
                .where(
                    events.c.game_id.in_([row.id for row in chunk]) & events.c.kind.in_([_MOVE, _TAKEN_BACK, "undo"])
                )
                .order_by(events.c.game_id, events.c.version)
            )
            with self._engine.begin() as connection:
                found = connection.execute(plies).all()
            for record in _records(chunk, found):
                writer.add(record)
        return writer.finish()


def _public(game: str, now: int) -> Select[Any]:
    """The last games between people that everybody may know of."""
    known = (
        games.c.result_text.is_not(None) & (games.c.people == 1) & (games.c.ended_ms + 1000 * games.c.delay_s <= now)
    )
    usual = (games.c.game == game) & games.c.rules.is_(None)
    return select(games).where(known & usual).order_by(games.c.ended_ms.desc()).limit(MOST_PUBLIC)


def _own(who: str, game: str) -> Select[Any]:
    """The last games of a person, each once, also where they had both seats."""
    mine = select(seats.c.game_id).where(seats.c.who == who)
    usual = (games.c.game == game) & games.c.rules.is_(None)
    over = games.c.id.in_(mine) & games.c.result_text.is_not(None)
    return select(games).where(over & usual).order_by(games.c.started_ms.desc()).limit(MOST_OWN)


def _records(rows: Sequence[Any], plies: Sequence[Any]) -> Iterator[Record]:
    """The games of rows of `games`, by their rows of `events`; one that cannot be read is left out."""
    moves: dict[str, list[int]] = {row.id: [] for row in rows}
    for ply in plies:
        payload = _PAYLOAD.decode(ply.payload)
        if ply.kind == _MOVE:
            moves[ply.game_id].append(payload.hole or 0)
        elif payload.plies:
            del moves[ply.game_id][-payload.plies :]
    for row in rows:
        rules = GAMES[row.game]
        try:
            start = rules.start() if row.start is None else Position.parse(row.start, rules)
            date = time.strftime("%Y.%m.%d", time.gmtime(row.started_ms / 1000))
            record = Record(
                start, tuple(moves[row.id]), parse_result(row.result_text)[0], {"Event": row.id, "Date": date}
            )
            assert len(record.positions) == len(record.moves) + 1
        except ValueError:
            continue
        yield record

"""Verification of a copy: it is opened as a server opens it, and every game and event in it is replayed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import select

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events.stored_book import StoredBook
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.event_tables import competitions
from korgool.app.server.storage.schema import games
from korgool.competition import CompetitionError


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """Counts of the replayed games and events.

    Attributes:
        games: the games.
        moves: the rows of their journals.
        events: the events.
        lines: the lines of their logs.
        faults: games and events that cannot be replayed, a line each.
    """

    games: int
    moves: int
    events: int
    lines: int
    faults: tuple[str, ...]


def replay_all(
    settings: ServerSettings, progress: Callable[[float], object] = lambda share: None
) -> VerificationReport:
    """Open a copy, which migrates it to this version, and replay every game and event.

    Args:
        settings: place of the copy, which no other process uses.
        progress: called now and then with the share of the games that is replayed.

    Raises:
        StorageError: it cannot be opened.
    """
    storage = Storage.open(settings)
    try:
        with storage.engine.begin() as connection:
            names = list(connection.scalars(select(games.c.id).order_by(games.c.id)))
            books = list(connection.scalars(select(competitions.c.id).order_by(competitions.c.id)))
        faults: list[str] = []
        moves = lines = 0
        for number, name in enumerate(names):
            if number % 100 == 0:
                progress(number / len(names))
            count, problems = _replay_game(storage, name)
            moves += count
            faults += problems
        for book in books:
            count, problems = _replay_event(storage, book)
            lines += count
            faults += problems
        return VerificationReport(len(names), moves, len(books), lines, tuple(faults))
    finally:
        storage.close()


def _replay_game(storage: Storage, name: str) -> tuple[int, list[str]]:
    try:
        game = GameRepository(storage.engine).load(name)
        assert game is not None
        game.replay()
    except ValueError as error:
        return 0, [f"game {name}: {error}"]
    return game.version, []


def _replay_event(storage: Storage, name: str) -> tuple[int, list[str]]:
    book = StoredBook(storage.engine, storage.lease.fence, name)
    try:
        book.refresh()
        broken = book.broken_links()
        lost = book.lost_details()
        return len(book.lines()), [
            *(f"event {name}: line {at} of the log does not fit its hash" for at in broken),
            *(f"event {name}: line {at} of the log has lost a part" for at in lost),
        ]
    except (CompetitionError, ValueError) as error:
        return 0, [f"event {name}: {error}"]

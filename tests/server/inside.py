"""Games within this process: without a server at all, and in the hall of one over a real database."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from korgool import live
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play import state_messages
from korgool.app.server.play.commands import Do, Said, check, new_game
from korgool.app.server.play.game_events import tell
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.history import CommandResult, GameHistory
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.new_game_form import against_engine
from korgool.app.server.play.subscribers import Subscriber
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit
from korgool.live import GameTerms, OnlineGame, Seat, SeatKind, read_clock
from korgool.live.journal import Happening, happen
from korgool.rules import GAMES, Side
from tests.patience import PATIENCE

from .support import Json, run_async

VISITOR, GUEST, STRANGER = "v" * 22, "w" * 22, "s" * 22
ADDRESS = "abcdefghijkl"
ROUND = (4, 2, 1, 3, 5, 4, 6, 5, 9, 6, 2, 1, 7, 7, 3, 8, 8, 9)
"""Single stones that walk round the board without a capture, back to the position they left."""
ROUND_START = "7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"


def alone(
    game: str = "toguz", side: Side = Side.WHITE, level: int = 1, clock: str = "none", start: str | None = None
) -> GameTerms:
    """The visitor plays the engine."""
    return against_engine(GAMES[game], VISITOR, side, level, read_clock(clock), start)


def people(game: str = "toguz", clock: str = "none", *, same: bool = False, **more: Any) -> GameTerms:
    """The visitor has White, and Black is a guest, or the visitor too."""
    white, black = Seat(SeatKind.PERSON, VISITOR), Seat(SeatKind.PERSON, VISITOR if same else GUEST)
    return GameTerms(GAMES[game], (white, black), read_clock(clock), **more)


def plain(value: object) -> Json:
    """What goes over the wire, read back."""
    found: Json = json.loads(msgspec.json.encode(value))
    return found


class Table:
    """A game without a server: its journal, and what is told of it."""

    def __init__(self, terms: GameTerms, at: int = 0) -> None:
        self.terms, self.opened = terms, at
        self.told = GameHistory(ADDRESS, OnlineGame.open(terms, at), ())
        self.events: list[Json] = []
        for entry in new_game(ADDRESS, terms, at).entries:
            self._add(entry)

    @property
    def game(self) -> OnlineGame:
        return self.told.game

    def _add(self, entry: JournalEntry) -> None:
        before = self.game
        after, _ = happen(before, entry.event, entry.at_ms, entry.stocks)
        message = msgspec.json.encode(tell(before, entry, after))
        self.told.add(entry, after, message)
        self.events.append(json.loads(message))

    def happens(self, event: Happening, at: int | None = None, side: Side | None = None) -> Json:
        """Something is on disk; the event of it."""
        self._add(JournalEntry(self.game.version + 1, self.game.at if at is None else at, event, side))
        return self.events[-1]

    def does(self, command: live.Command, at: int | None = None) -> Json:
        """A command that is not refused; its first event."""
        when = self.game.at if at is None else at
        decided = live.decide(self.game, command, when)
        assert isinstance(decided, live.Decision), str(decided)
        number = len(self.events)
        for event in decided.events:
            self.happens(event, when, command.side)
        return self.events[number]

    def sows(self, *holes: int, at: int | None = None) -> Json:
        """Moves of whoever is to move; the event of the last."""
        for hole in holes:
            told = self.does(live.MakeMove(self.game.to_move, hole, self.game.version), at)
        return told

    def state(self, who: str | None = VISITOR, now: int | None = None, **audience: Any) -> Json:
        """The state as somebody sees it."""
        game, when = self.game, self.game.at if now is None else now
        there = state_messages.Audience(**audience)
        return plain(state_messages.state(ADDRESS, game, self.told.texts(game), who, when, there))


def within(folder: Path, test: Callable[[GameRegistry], Awaitable[None]], database: str | None = None) -> None:
    """Run a test in the hall of a server."""

    async def run() -> None:
        settings = ServerSettings(data=folder, database=database)
        storage = Storage.open(settings)
        game_registry = GameRegistry(storage, settings)
        try:
            await game_registry.open()
            await test(game_registry)
        finally:
            await game_registry.close()
            storage.close()

    run_async(run())


async def refusal_of(work: Awaitable[object]) -> tuple[int, str]:
    """The status and the message of what is refused."""
    with pytest.raises(ApiError) as caught:
        await work
    return caught.value.status, caught.value.message


def statement(game_registry: GameRegistry, words: str) -> None:
    """Do something to the database behind the back of its server."""
    with game_registry.storage.engine.begin() as connection:
        connection.execute(text(words))


async def begun(game_registry: GameRegistry, terms: GameTerms, *holes: int) -> LiveSession:
    """A running game to which all have come and in which these holes have been sown; nobody follows it yet."""
    at = now_ms()
    commit = new_game(game_registry.new_address(), terms, at)
    assert commit.after is not None
    entries, game = list(commit.entries), commit.after
    for step in (*Side, *holes):
        command = live.Join(step) if isinstance(step, Side) else live.MakeMove(game.to_move, step, game.version)
        decided = live.decide(game, command, at)
        assert isinstance(decided, live.Decision), str(decided)
        for event, after in zip(decided.events, decided.steps, strict=True):
            entries.append(JournalEntry(after.version, at, event, command.side))
        game = decided.after
    await game_registry.storage.write(Commit(commit.game, tuple(entries), game, new=True))
    return await game_registry.find(commit.game)


async def act(running: LiveSession, who: str | None, do: Do, name: str | None = None, **fields: Any) -> Json:
    """A command, with the version that a move needs; the event that answers it."""
    if do in {"move", "reply"}:
        fields.setdefault("version", running.game.version)
    return told(await running.act(who, check(Said(do, id=name, **fields))))


def told(answer: CommandResult) -> Json:
    """The event of an answer."""
    event: Json = json.loads(answer.event)
    assert event["version"] == answer.version
    return event


def drained(follower: Subscriber) -> list[Json | None]:
    """What lies in the queue of a follower; None ends it."""
    found = [follower.queue.get_nowait() for _ in range(follower.queue.qsize())]
    return [None if message is None else json.loads(message) for message in found]


def versions(follower: Subscriber) -> list[int]:
    """The versions of the events in the queue of a follower."""
    return [message["version"] for message in drained(follower) if message and "version" in message]


class Kept:
    """A game in a database, without a server."""

    def __init__(self, storage: Storage, name: str, terms: GameTerms, at: int = 1_700_000_000_000) -> None:
        self.storage, self.id, self.at = storage, name.ljust(12, "0"), at
        commit = new_game(self.id, terms, at)
        self.write(commit)
        assert commit.after is not None
        self.game, self.entries = commit.after, list(commit.entries)

    def write(self, commit: Commit) -> None:
        """Put it on disk."""
        self.storage.writer.submit(commit).result(PATIENCE)

    def next(self, command: live.Command, at: int | None = None, name: str | None = None) -> Commit:
        """What a command would write."""
        when = self.at if at is None else at
        decided = live.decide(self.game, command, when)
        assert isinstance(decided, live.Decision), str(decided)
        entries = [
            JournalEntry(after.version, when, event, command.side, name if number == 0 else None)
            for number, (event, after) in enumerate(zip(decided.events, decided.steps, strict=True))
        ]
        return Commit(self.id, tuple(entries), decided.after)

    def move(self, hole: int | None = None) -> Commit:
        """What a move of whoever is to move would write; without a hole the first that may be sown."""
        game = self.game
        legal = game.position.legal_moves()[0] if hole is None else hole
        return self.next(live.MakeMove(game.to_move, legal, game.version))

    def keep(self, commit: Commit) -> None:
        """Write it, and go on from there."""
        self.write(commit)
        assert commit.after is not None
        self.game = commit.after
        self.entries += commit.entries

"""What a move costs the server that writes it, in things that can be counted, and what is left of one that fails."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from korgool import live
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.commands import Said, check
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.sqlite_writer import SqliteWriter
from korgool.app.server.storage.writer import Commit, StorageError, WriteFailure
from korgool.rules import Side
from tests.patience import PATIENCE

from .inside import GUEST, VISITOR, Kept, begun, people, within
from .support import check_stored


def lasting(storage: Storage) -> sqlite3.Connection:
    """The connection to SQLite over which moves are written."""
    assert isinstance(storage._batch_writer, SqliteWriter)
    return storage._batch_writer._cursor().connection


def test_moves_cost_what_sqlite_needs_for_them_and_nothing_else(tmp_path: Path) -> None:
    """Two statements for a move and three for each transaction, over one connection; the pool is not asked."""
    storage = Storage.open(ServerSettings(data=tmp_path))
    games = [Kept(storage, f"g{number:02}", people()) for number in range(20)]
    for kept in games:
        for side in Side:
            kept.keep(kept.next(live.Join(side)))
    told, asked = Counter[str](), list[object]()
    lasting(storage).set_trace_callback(lambda statement: told.update([statement.split()[0]]))
    for name in ("checkout", "before_cursor_execute"):
        event.listen(storage.engine, name, lambda *given: asked.append(given))
    moves = 0
    for together in (1, 2, 20):
        before, transactions = +told, storage.writer.transactions
        made = [kept.move() for kept in games[:together]]
        done, _ = wait([storage.writer.submit(move) for move in made])
        for kept, move in zip(games, made, strict=False):
            assert move.after is not None
            kept.game = move.after
        assert [one.exception() for one in done] == [None] * together
        begun = storage.writer.transactions - transactions
        moves += together
        assert told - before == {"BEGIN": begun, "INSERT": together, "UPDATE": together + begun, "COMMIT": begun}
    assert storage.writer.stored["move"] == moves
    assert asked == []
    storage.close()
    stored = sqlite3.connect(tmp_path / "korgool.sqlite")
    assert stored.execute("SELECT count(*) FROM events WHERE kind = 'move'").fetchone() == (moves,)
    rows = stored.execute("SELECT id, version, plies, to_move, due_ms FROM games ORDER BY id").fetchall()
    assert rows == [
        (kept.id, kept.game.version, kept.game.plies, kept.game.to_move, live.due(kept.game)) for kept in games
    ]
    stored.close()


def test_moves_that_find_the_disk_full_leave_nothing_and_the_next_ones_land(tmp_path: Path) -> None:
    """SQLite's own word for it, since its file may grow no more."""
    storage = Storage.open(ServerSettings(data=tmp_path))
    games = [Kept(storage, f"g{number:02}", people()) for number in range(2)]
    for kept in games:
        for side in Side:
            kept.keep(kept.next(live.Join(side)))
    raw = lasting(storage)
    raw.execute(f"PRAGMA max_page_count = {raw.execute('PRAGMA page_count').fetchone()[0]}")
    failure: BaseException | None = None
    while failure is None:
        for kept in games:
            commit = kept.move()
            failure = storage.writer.submit(commit).exception(PATIENCE)
            if failure is not None:
                break
            assert commit.after is not None
            kept.game = commit.after
            kept.entries += commit.entries
    assert isinstance(failure, StorageError)
    assert failure.trouble is WriteFailure.FULL
    for kept in games:
        assert check_stored(GameRepository(storage.engine).load(kept.id)).version == len(kept.entries)
    assert lasting(storage) is raw
    assert not raw.in_transaction
    raw.execute("PRAGMA max_page_count = 1000000")
    for kept in games:
        kept.keep(kept.move())
        assert check_stored(GameRepository(storage.engine).load(kept.id)).version == len(kept.entries)
    storage.close()


def test_a_move_asks_the_event_loop_twice_and_makes_no_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once from the thread that writes, and once to go on; a clock whose time is far away gets no timer."""

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(clock="10+5"))
        followers = [running.follow(who, None) for who in (VISITOR, GUEST)]
        assert game_registry._watches
        for watch in game_registry._watches:
            watch.cancel()
        await asyncio.wait({*game_registry._watches, *game_registry._tasks})
        # What a cancelled watch has asked of the writer is done before what is asked now.
        await asyncio.wrap_future(game_registry.storage.writer.submit(Commit("")))
        loop, asked = asyncio.get_running_loop(), Counter[str]()

        def counted(name: str) -> Callable[..., Any]:
            true = getattr(loop, name)

            def call(*args: Any, **more: Any) -> Any:
                # A cancelled watch leaves a thread that still reports. A move that used one would ask for it first.
                asked[name] += name != "call_soon_threadsafe" or threading.current_thread().name == "korgool-writer"
                return true(*args, **more)

            return call

        for name in ("call_soon", "call_soon_threadsafe", "call_at", "create_task", "run_in_executor"):
            monkeypatch.setattr(loop, name, counted(name))
        for who in (VISITOR, GUEST) * 3:
            game = running.game
            hole = game.position.legal_moves()[-1]
            await running.perform(who, check(Said("move", hole=hole, version=game.version)))
        monkeypatch.undo()
        assert asked == {"call_soon": 6, "call_soon_threadsafe": 6}
        assert all(follower.queue.qsize() >= 6 for follower in followers)

    within(tmp_path, test)

"""Running games within this process: what cannot be reached from outside, over a real database and the real engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from korgool.app.server import messages
from korgool.app.server.games import live_game
from korgool.app.server.games.followers import Follower
from korgool.app.server.games.running_games import Hall
from korgool.app.server.messages import RefusedError
from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.rules import Game, Position, Side, Termination

from .support import check_stored, run_async
from .test_play import ROUND, ROUND_START

VISITOR = "v" * 22


def within(folder: Path, test: Callable[[Hall], Awaitable[None]]) -> None:
    async def run() -> None:
        settings = ServerSettings(data=folder)
        storage = Storage.open(settings)
        hall = Hall(storage, settings)
        try:
            await hall.open()
            await test(hall)
        finally:
            await hall.close()
            storage.close()

    run_async(run())


def drained(follower: Follower) -> list[bytes | None]:
    return [follower.queue.get_nowait() for _ in range(follower.queue.qsize())]


def test_a_claim_at_the_second_occurrence(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        live = await hall.find(await hall.start(VISITOR, "toguz", Side.BLACK, 8, "none"))
        with pytest.raises(RefusedError, match="no draw to claim"):
            await live.claim(VISITOR, 1)
        live.play.game = Game(Position.parse(ROUND_START), ROUND[:-1])
        event = await live.move(VISITOR, ROUND[-1], 1)
        assert event.state.claims == ["73"]
        ended = await live.claim(VISITOR, 2)
        assert ended.state.outcome is not None
        assert (ended.state.outcome.result, ended.state.outcome.termination) == ("1/2-1/2", "repetition")

    within(tmp_path, test)


def test_the_third_occurrence_is_told_as_two_events(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        live = await hall.find(await hall.start(VISITOR, "toguz", Side.BLACK, 8, "none"))
        live.play.game = Game(Position.parse(ROUND_START), (ROUND * 2)[:-1])
        follower, _ = live.follow(None, 1)
        event = await live.move(VISITOR, ROUND[-1], 1)
        assert (event.kind, event.version, event.state.outcome) == ("move", 2, None)
        told = drained(follower)
        assert [b'"kind":"repetition"' in (message or b"") for message in told] == [False, True]
        assert live.play.version == 3
        with pytest.raises(RefusedError, match="over"):
            await live.move(VISITOR, 1, 3)

    within(tmp_path, test)


def test_what_cannot_be_stored_did_not_happen(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        address = await hall.start(VISITOR, "toguz", Side.WHITE, 1, "none")
        live = await hall.find(address)
        follower, _ = live.follow(Side.WHITE, 1)
        with hall.storage._engine.begin() as connection:
            connection.execute(text("ALTER TABLE events RENAME TO hidden"))
        with pytest.raises(RefusedError, match="could not store") as refused:
            await live.move(VISITOR, 7, 1)
        assert refused.value.status == 503
        assert drained(follower) == [None], "nothing is told but to come again"
        with hall.storage._engine.begin() as connection:
            connection.execute(text("ALTER TABLE hidden RENAME TO events"))
        again = await hall.find(address)
        assert again is not live
        assert again.play.version == 1
        event = await again.move(VISITOR, 7, 1)
        assert event.version == 2

    within(tmp_path, test)


def test_a_version_that_another_process_wrote_is_not_overwritten(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        address = await hall.start(VISITOR, "toguz", Side.WHITE, 1, "none")
        live = await hall.find(address)
        with hall.storage._engine.begin() as connection:
            connection.execute(
                text("INSERT INTO events VALUES (:game, 2, 0, 'move', :move)"), {"game": address, "move": '{"hole":3}'}
            )
        with pytest.raises(RefusedError, match="moved on"):
            await live.move(VISITOR, 7, 1)
        assert check_stored(hall.storage.load(address)).game.moves == (3,)
        assert (await hall.find(address)).play.game.moves == (3,)

    within(tmp_path, test)


def test_a_visitor_who_goes_away_does_not_stop_the_move(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        live = await hall.find(await hall.start(VISITOR, "toguz", Side.WHITE, 8, "none"))
        request = asyncio.create_task(live.move(VISITOR, 7, 1))
        await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        for _ in range(200):
            await asyncio.sleep(0.01)
            if live.play.version == 2:
                break
        stored = check_stored(hall.storage.load(live.play.terms.id))
        assert stored.version == live.play.version == 2

    within(tmp_path, test)


def test_one_who_does_not_listen_is_let_go(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        # The highest level thinks for a while: no reply comes between a move and its being taken back.
        live = await hall.find(await hall.start(VISITOR, "bestemshe", Side.WHITE, 8, "none"))
        follower, _ = live.follow(None, 1)
        for _ in range(120):
            version = live.play.version
            await live.move(VISITOR, live.play.game.position.legal_moves()[0], version)
            await live.undo(VISITOR, live.play.version)
        assert live.followers == 0
        told = drained(follower)
        assert told[-1] is None
        assert len(told) <= 202

    within(tmp_path, test)


def test_a_game_is_loaded_once_for_all_who_ask(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        address = await hall.start(VISITOR, "bestemshe", Side.WHITE, 1, "none")
        hall._games.clear()
        found = await asyncio.gather(*(hall.find(address) for _ in range(20)))
        assert len({id(live) for live in found}) == 1

    within(tmp_path, test)


def test_games_leave_memory_only_when_nothing_runs_in_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.app.server.games.running_games._MOST_IN_MEMORY", 30)

    async def test(hall: Hall) -> None:
        clocked = await hall.find(await hall.start(VISITOR, "toguz", Side.WHITE, 1, "30+0"))
        followed = await hall.find(await hall.start(VISITOR, "toguz", Side.WHITE, 1, "none"))
        followed.follow(None, 1)
        for _ in range(60):
            await hall.start(VISITOR, "toguz", Side.WHITE, 1, "none")
        assert len(hall._games) <= 31
        assert await hall.find(clocked.play.terms.id) is clocked
        assert await hall.find(followed.play.terms.id) is followed

    within(tmp_path, test)


def test_a_damaged_game_is_a_clear_error(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        address = await hall.start(VISITOR, "bestemshe", Side.WHITE, 1, "none")
        hall._games.clear()
        with hall.storage._engine.begin() as connection:
            connection.execute(text("UPDATE events SET version = 5"))
        with pytest.raises(RefusedError) as refused:
            await hall.find(address)
        assert (refused.value.status, refused.value.message) == (500, messages.BROKEN)

    within(tmp_path, test)


def test_a_move_of_the_engine_after_its_flag_is_no_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WNG-TK §V: the engine's clock counts as the visitor's does, whether or not anybody has seen the flag fall."""
    late = 0
    monkeypatch.setattr(live_game, "clock_now", lambda: time.monotonic_ns() // 1_000_000 + late)

    async def test(hall: Hall) -> None:
        nonlocal late
        live = await hall.find(await hall.start(VISITOR, "toguz", Side.WHITE, 1, "30+0"))
        await live.move(VISITOR, 7, 1)
        late = 31 * 60_000  # the timer of the flag itself rings after 30 minutes of the true clock
        while live.play.version == 2:
            await asyncio.sleep(0.01)
        outcome = live.play.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.termination) == (Side.WHITE, Termination.TIME)
        assert live.play.game.moves == (7,)

    within(tmp_path, test)


def test_only_the_player_moves_and_ends_a_game(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        live = await hall.find(await hall.start(VISITOR, "toguz", Side.WHITE, 1, "none"))
        stranger = "w" * 22
        for command in (live.move(stranger, 7, 1), live.undo(stranger, 1), live.resign(stranger, 1)):
            with pytest.raises(RefusedError) as refused:
                await command
            assert (refused.value.status, refused.value.message) == (403, messages.NOT_YOURS)
        assert live.play.version == 1
        await live.resign(VISITOR, 1)
        with pytest.raises(RefusedError) as refused:
            await live.ask_rematch(stranger)
        assert refused.value.message == messages.NOT_YOURS

    within(tmp_path, test)

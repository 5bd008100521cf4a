"""The hall of games by itself: games that are taken up, health, limits of starts, and reviews."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.engines.engine_pool import EnginePool
from korgool.app.server.limits import OFF, Caller, RateLimiter
from korgool.app.server.limits.token_bucket import Rate
from korgool.app.server.play import game_registry as registry_module
from korgool.app.server.play.commands import Said, check
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.storage import database
from korgool.app.server.storage.writer import StorageError
from korgool.engine.perfect import PERFECT
from tests.patience import until

from .inside import GUEST, STRANGER, VISITOR, act, alone, begun, people, refusal_of, statement, within


def test_a_hall_that_closes_takes_up_nothing_more(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        address = await game_registry.start(alone())
        game_registry._games.clear()
        await game_registry.close()
        await game_registry._take_up([address])
        assert address not in game_registry._games

    within(tmp_path, test)


def test_a_game_that_cannot_be_taken_up_keeps_no_other_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test(game_registry: GameRegistry) -> None:
        address = await game_registry.start(alone())
        game_registry._games.clear()
        await game_registry._take_up(["A" * 12, address])
        assert list(game_registry._games) == [address]

    within(tmp_path, test)
    assert "game AAAAAAAAAAAA could not be taken up" in caplog.text


def test_a_game_that_cannot_go_on_is_read_again_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that is over is not."""
    monkeypatch.setattr(registry_module, "_RETRY_SECONDS", 0.05)

    async def test(game_registry: GameRegistry) -> None:
        running, over = await begun(game_registry, people()), await begun(game_registry, people())
        await act(over, VISITOR, "resign")
        for game in (over, running):
            game.discard()
            assert game.dropped
            assert game.address not in game_registry._games
        await until(lambda: running.address in game_registry._games)
        assert game_registry._games[running.address] is not running
        assert over.address not in game_registry._games
        running.discard()
        assert running.address in game_registry._games, "another stands in its place by now"

    within(tmp_path, test)


def test_an_engine_that_fails_takes_only_its_game_out_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is read again after a while, and the engine tries once more."""
    monkeypatch.setattr(registry_module, "_RETRY_SECONDS", 0.05)
    failures = [1]
    true = EnginePool.move

    async def move(*args: object) -> int:
        if failures:
            failures.pop()
            raise RuntimeError("a broken engine")
        return await true(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(EnginePool, "move", move)

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(alone(clock="30+0")))
        other = await begun(game_registry, people())
        await act(running, VISITOR, "move", hole=7)
        await until(lambda: running.dropped)
        assert not other.dropped
        await until(lambda: running.address in game_registry._games)
        again = game_registry._games[running.address]
        await until(lambda: again.game.plies == 2)

    within(tmp_path, test)
    assert "the engine could not move in game" in caplog.text


# Health


def test_health_is_a_write_that_reaches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(game_registry: GameRegistry) -> None:
        await game_registry.health.examine()
        statement(game_registry, "UPDATE owner SET epoch = epoch + 1")
        await game_registry.health.examine()  # what was found lately still holds
        monkeypatch.setattr(database, "_HEALTH_SECONDS", 0.0)
        with pytest.raises(StorageError, match="another server owns"):
            await game_registry.health.examine()
        monkeypatch.setattr(database, "_HEALTH_SECONDS", 3600.0)
        statement(game_registry, "UPDATE owner SET epoch = epoch - 1")
        with pytest.raises(StorageError, match="another server owns"):
            await game_registry.health.examine()
        monkeypatch.setattr(database, "_HEALTH_SECONDS", 0.0)
        await game_registry.health.examine()

    within(tmp_path, test)


def test_a_game_that_is_not_on_disk_does_not_begin(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        statement(game_registry, "UPDATE owner SET epoch = epoch + 1")
        assert await refusal_of(game_registry.create(alone())) == (503, errors.NOT_STORED)
        assert not game_registry._games
        statement(game_registry, "UPDATE owner SET epoch = epoch - 1")

    within(tmp_path, test)


# Addresses and limits


@pytest.mark.parametrize("address", ["A" * 12, "A" * 11, "A" * 13, "A" * 11 + "-", "A" * 11 + "é", ""])
def test_there_is_no_game_at_such_an_address(tmp_path: Path, address: str) -> None:
    async def test(game_registry: GameRegistry) -> None:
        assert await refusal_of(game_registry.find(address)) == (404, errors.NO_GAME)
        assert not game_registry._loading

    within(tmp_path, test)


def limited(game_registry: GameRegistry, **limits: Rate | int) -> None:
    """Let a server have other limits for starting games."""
    starts = game_registry.starts
    starts.limits = replace(OFF, **limits)  # type: ignore[arg-type]
    game_registry.rate_limiter = starts.rate_limiter = RateLimiter(starts.limits)


def test_so_many_games_may_be_begun_and_so_many_may_go_on(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        mine, guests, elsewhere = Caller("1.1.1.1", VISITOR), Caller("1.1.1.1", GUEST), Caller("1.1.1.2", GUEST)
        limited(game_registry, session_games=Rate(1, "h", 1))
        await game_registry.start(alone(), mine)
        assert await refusal_of(game_registry.start(alone(), mine)) == (429, errors.TOO_MANY_STARTS)
        game_registry.starts.count(guests)
        limited(game_registry, address_games=Rate(1, "h", 1))
        await game_registry.start(alone(), mine)
        assert await refusal_of(game_registry.start(alone(), guests)) == (429, errors.TOO_MANY_HERE)
        game_registry.starts.count(elsewhere)
        limited(game_registry, address_visitors=Rate(1, "h", 1))
        game_registry.starts.count(guests, fresh=True)
        await game_registry.start(alone(), mine)  # whoever has played before is no new visitor
        with pytest.raises(RateLimitError) as refused:
            game_registry.starts.count(guests, fresh=True)
        assert refused.value.message == errors.TOO_MANY_HERE
        assert 3500 < refused.value.wait <= 3600
        limited(game_registry, unfinished_games=4)
        address = await game_registry.start(alone())
        assert await refusal_of(game_registry.start(alone(), mine)) == (429, errors.TOO_MANY_GAMES)
        await act(await game_registry.find(address), VISITOR, "abort")
        await game_registry.start(alone(), mine)
        await game_registry.starts.check_unfinished(GUEST)

    within(tmp_path, test)


def test_a_start_that_a_limit_refuses_reads_nothing(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        game_registry.limits = game_registry.starts.limits = replace(
            OFF, session_games=Rate(1, "h", 1), address_games=Rate(2, "h", 2)
        )
        game_registry.rate_limiter = game_registry.starts.rate_limiter = RateLimiter(game_registry.limits)
        await game_registry.start(alone(), Caller("1.1.1.1", VISITOR))
        game_registry.starts.count(Caller("1.1.1.1", GUEST))
        statement(game_registry, "ALTER TABLE seats RENAME TO away")
        for who, reason in ((VISITOR, errors.TOO_MANY_STARTS), (STRANGER, errors.TOO_MANY_HERE)):
            assert await refusal_of(game_registry.start(alone(), Caller("1.1.1.1", who))) == (429, reason)
        statement(game_registry, "ALTER TABLE away RENAME TO seats")
        game_registry.starts.count(Caller("1.1.1.2", STRANGER))  # what was refused did not count
        assert game_registry.rate_limiter.refused == {"session_games": 1, "address_games": 1}

    within(tmp_path, test)


def test_a_rematch_is_a_start(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        limited(game_registry, session_games=Rate(1, "h", 1))
        running = await game_registry.find(await game_registry.start(alone()))
        await act(running, VISITOR, "abort")
        caller = Caller("1.1.1.1", VISITOR)
        game_registry.starts.count(caller)
        again = running.act(VISITOR, check(Said("rematch")), caller)
        assert await refusal_of(again) == (429, errors.TOO_MANY_STARTS)
        assert not running.game.rematch

    within(tmp_path, test)


def test_perfect_play_is_refused_where_no_game_is_solved(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        assert await refusal_of(game_registry.start(alone("toguz", level=PERFECT))) == (422, errors.NOT_SOLVED)
        assert not game_registry._games

    within(tmp_path, test)


# Tasks


def test_what_fails_in_the_background_is_logged_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuses() -> None:
        raise ApiError(409, errors.STALE)

    async def breaks(what: str) -> None:
        raise RuntimeError(what)

    async def test(game_registry: GameRegistry) -> None:
        game_registry.spawn(refuses)
        game_registry.spawn(breaks, "a broken task")
        await until(lambda: not game_registry._tasks)

    with caplog.at_level(logging.WARNING):
        within(tmp_path, test)
    assert "a broken task" in caplog.text
    assert [record.levelname for record in caplog.records if "moved on" in record.getMessage()] == ["WARNING"]


def test_public_games_are_read_now_and_then_however_many_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(game_registry: GameRegistry) -> None:
        monkeypatch.setattr(registry_module, "_LIST_SECONDS", 3600.0)
        game_registry._listed = (-3600.0, [], [])
        assert await game_registry.public_games() == ([], [])
        running = await begun(game_registry, people(), 7, 7)
        assert await game_registry.public_games() == ([], [])
        monkeypatch.setattr(registry_module, "_LIST_SECONDS", 0.0)
        going, ended = await game_registry.public_games()
        assert ([game.id for game in going], ended) == ([running.address], [])

    within(tmp_path, test)

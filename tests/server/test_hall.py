"""The hall of games by itself: games that are taken up, health, limits of starts, and reviews."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.app.server import messages
from korgool.app.server.games import running_games
from korgool.app.server.games.commands import Said, check
from korgool.app.server.games.engine_room import EngineRoom
from korgool.app.server.games.running_games import Hall
from korgool.app.server.limits import OFF, Caller, Tally
from korgool.app.server.limits.rates import Rate
from korgool.app.server.messages import RefusedError, TooManyError
from korgool.app.server.storage import health
from korgool.app.server.storage.writer import StorageError
from korgool.engine.perfect import PERFECT
from tests.patience import until

from .inside import GUEST, STRANGER, VISITOR, act, alone, begun, people, refusal_of, statement, within


def test_a_hall_that_closes_takes_up_nothing_more(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        address = await hall.start(alone())
        hall._games.clear()
        await hall.close()
        await hall._take_up([address])
        assert address not in hall._games

    within(tmp_path, test)


def test_a_game_that_cannot_be_taken_up_keeps_no_other_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test(hall: Hall) -> None:
        address = await hall.start(alone())
        hall._games.clear()
        await hall._take_up(["A" * 12, address])
        assert list(hall._games) == [address]

    within(tmp_path, test)
    assert "game AAAAAAAAAAAA could not be taken up" in caplog.text


def test_a_game_that_cannot_go_on_is_read_again_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that is over is not."""
    monkeypatch.setattr(running_games, "_RETRY_SECONDS", 0.05)

    async def test(hall: Hall) -> None:
        running, over = await begun(hall, people()), await begun(hall, people())
        await act(over, VISITOR, "resign")
        for game in (over, running):
            hall.drop(game)
            assert game.dropped
            assert game.address not in hall._games
        await until(lambda: running.address in hall._games)
        assert hall._games[running.address] is not running
        assert over.address not in hall._games
        hall.drop(running)
        assert running.address in hall._games, "another stands in its place by now"

    within(tmp_path, test)


def test_an_engine_that_fails_takes_only_its_game_out_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is read again after a while, and the engine tries once more."""
    monkeypatch.setattr(running_games, "_RETRY_SECONDS", 0.05)
    failures = [1]
    true = EngineRoom.move

    async def move(*args: object) -> int:
        if failures:
            failures.pop()
            raise RuntimeError("a broken engine")
        return await true(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(EngineRoom, "move", move)

    async def test(hall: Hall) -> None:
        running = await hall.find(await hall.start(alone(clock="30+0")))
        other = await begun(hall, people())
        await act(running, VISITOR, "move", hole=7)
        await until(lambda: running.dropped)
        assert not other.dropped
        await until(lambda: running.address in hall._games)
        again = hall._games[running.address]
        await until(lambda: again.game.plies == 2)

    within(tmp_path, test)
    assert "the engine could not move in game" in caplog.text


# Health


def test_health_is_a_write_that_reaches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hall: Hall) -> None:
        await hall.health.examine()
        statement(hall, "UPDATE owner SET epoch = epoch + 1")
        await hall.health.examine()  # what was found lately still holds
        monkeypatch.setattr(health, "_SECONDS", 0.0)
        with pytest.raises(StorageError, match="another server owns"):
            await hall.health.examine()
        monkeypatch.setattr(health, "_SECONDS", 3600.0)
        statement(hall, "UPDATE owner SET epoch = epoch - 1")
        with pytest.raises(StorageError, match="another server owns"):
            await hall.health.examine()
        monkeypatch.setattr(health, "_SECONDS", 0.0)
        await hall.health.examine()

    within(tmp_path, test)


def test_a_game_that_is_not_on_disk_does_not_begin(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        statement(hall, "UPDATE owner SET epoch = epoch + 1")
        assert await refusal_of(hall.create(alone())) == (503, messages.NOT_STORED)
        assert not hall._games
        statement(hall, "UPDATE owner SET epoch = epoch - 1")

    within(tmp_path, test)


# Addresses and limits


@pytest.mark.parametrize("address", ["A" * 12, "A" * 11, "A" * 13, "A" * 11 + "-", "A" * 11 + "é", ""])
def test_there_is_no_game_at_such_an_address(tmp_path: Path, address: str) -> None:
    async def test(hall: Hall) -> None:
        assert await refusal_of(hall.find(address)) == (404, messages.NO_GAME)
        assert not hall._loading

    within(tmp_path, test)


def test_so_many_games_may_be_begun_and_so_many_may_go_on(tmp_path: Path) -> None:
    def limited(hall: Hall, **limits: Rate | int) -> None:
        hall.limits = replace(OFF, **limits)  # type: ignore[arg-type]
        hall.tally = Tally(hall.limits)

    async def test(hall: Hall) -> None:
        mine, guests, elsewhere = Caller("1.1.1.1", VISITOR), Caller("1.1.1.1", GUEST), Caller("1.1.1.2", GUEST)
        limited(hall, session_games=Rate(1, "h", 1))
        await hall.start(alone(), mine)
        assert await refusal_of(hall.start(alone(), mine)) == (429, messages.TOO_MANY_STARTS)
        hall.count_start(guests)
        limited(hall, address_games=Rate(1, "h", 1))
        await hall.start(alone(), mine)
        assert await refusal_of(hall.start(alone(), guests)) == (429, messages.TOO_MANY_HERE)
        hall.count_start(elsewhere)
        limited(hall, address_visitors=Rate(1, "h", 1))
        hall.count_start(guests, fresh=True)
        await hall.start(alone(), mine)  # whoever has played before is no new visitor
        with pytest.raises(TooManyError) as refused:
            hall.count_start(guests, fresh=True)
        assert refused.value.message == messages.TOO_MANY_HERE
        assert 3500 < refused.value.wait <= 3600
        limited(hall, unfinished_games=4)
        address = await hall.start(alone())
        assert await refusal_of(hall.start(alone(), mine)) == (429, messages.TOO_MANY_GAMES)
        await act(await hall.find(address), VISITOR, "abort")
        await hall.start(alone(), mine)
        await hall.check_unfinished(GUEST)

    within(tmp_path, test)


def test_a_start_that_a_limit_refuses_reads_nothing(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        hall.limits = replace(OFF, session_games=Rate(1, "h", 1), address_games=Rate(2, "h", 2))
        hall.tally = Tally(hall.limits)
        await hall.start(alone(), Caller("1.1.1.1", VISITOR))
        hall.count_start(Caller("1.1.1.1", GUEST))
        statement(hall, "ALTER TABLE seats RENAME TO away")
        for who, reason in ((VISITOR, messages.TOO_MANY_STARTS), (STRANGER, messages.TOO_MANY_HERE)):
            assert await refusal_of(hall.start(alone(), Caller("1.1.1.1", who))) == (429, reason)
        statement(hall, "ALTER TABLE away RENAME TO seats")
        hall.count_start(Caller("1.1.1.2", STRANGER))  # what was refused did not count
        assert hall.tally.refused == {"session_games": 1, "address_games": 1}

    within(tmp_path, test)


def test_a_rematch_is_a_start(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        hall.limits = replace(OFF, session_games=Rate(1, "h", 1))
        hall.tally = Tally(hall.limits)
        running = await hall.find(await hall.start(alone()))
        await act(running, VISITOR, "abort")
        caller = Caller("1.1.1.1", VISITOR)
        hall.count_start(caller)
        again = running.act(VISITOR, check(Said("rematch")), caller)
        assert await refusal_of(again) == (429, messages.TOO_MANY_STARTS)
        assert not running.game.rematch

    within(tmp_path, test)


def test_perfect_play_is_refused_where_no_game_is_solved(tmp_path: Path) -> None:
    async def test(hall: Hall) -> None:
        assert await refusal_of(hall.start(alone("toguz", level=PERFECT))) == (422, messages.NOT_SOLVED)
        assert not hall._games

    within(tmp_path, test)


# Tasks


def test_what_fails_in_the_background_is_logged_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuses() -> None:
        raise RefusedError(409, messages.STALE)

    async def breaks(what: str) -> None:
        raise RuntimeError(what)

    async def test(hall: Hall) -> None:
        hall.spawn(refuses)
        hall.spawn(breaks, "a broken task")
        await until(lambda: not hall._tasks)

    with caplog.at_level(logging.WARNING):
        within(tmp_path, test)
    assert "a broken task" in caplog.text
    assert [record.levelname for record in caplog.records if "moved on" in record.getMessage()] == ["WARNING"]


def test_public_games_are_read_now_and_then_however_many_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hall: Hall) -> None:
        monkeypatch.setattr(running_games, "_LIST_SECONDS", 3600.0)
        hall._listed = (-3600.0, [], [])
        assert await hall.public_games() == ([], [])
        running = await begun(hall, people(), 7, 7)
        assert await hall.public_games() == ([], [])
        monkeypatch.setattr(running_games, "_LIST_SECONDS", 0.0)
        going, ended = await hall.public_games()
        assert ([game.id for game in going], ended) == ([running.address], [])

    within(tmp_path, test)

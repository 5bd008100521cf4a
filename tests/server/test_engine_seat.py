"""The engine's seat: when it thinks, how long, and for how long it waits for the visitor's device."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.app.server.core import errors
from korgool.app.server.engines.searches import clock_seconds
from korgool.app.server.limits import Caller
from korgool.app.server.play.game_registry import GameRegistry
from korgool.engine.perfect import PERFECT
from korgool.engine.timing import TimeLeft, think_seconds
from korgool.live.journal import Moved
from korgool.rules import TOGUZ_KORGOOL, Side
from tests.patience import PATIENCE, in_time, until

from .inside import GUEST, VISITOR, act, alone, begun, drained, people, refusal_of, within

ME = Caller("1.1.1.1", VISITOR)


def test_where_nobody_looks_and_no_clock_runs_the_engine_waits(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        game_registry.limits = replace(game_registry.limits, attended_seconds=30.0)
        running = await game_registry.find(await game_registry.start(alone(side=Side.BLACK)))
        assert running.engine is not None
        await asyncio.sleep(0.1)
        assert (running.game.plies, running.engine.busy, running.idle) == (0, False, True)
        running.attend(ME, 0.0)
        await asyncio.sleep(0.1)
        assert running.game.plies == 0
        running.attend(ME)
        assert running.engine.busy
        assert not running.idle
        await running.engine.moved(30)
        assert running.game.plies == 1
        assert not running.engine.to_move

    within(tmp_path, test)


@pytest.mark.parametrize("why", ["a clock", "a follower", "no limit"])
def test_the_engine_thinks_where_a_clock_runs_or_somebody_follows(tmp_path: Path, why: str) -> None:
    async def test(game_registry: GameRegistry) -> None:
        game_registry.limits = replace(game_registry.limits, attended_seconds=None if why == "no limit" else 30.0)
        clock = "10+5" if why == "a clock" else "none"
        running = await game_registry.find(await game_registry.start(alone(side=Side.BLACK, clock=clock)))
        if why == "a follower":
            running.follow(GUEST, None)
        await until(lambda: running.game.plies > 0)
        assert running.game.plies == 1

    within(tmp_path, test)


def test_waiting_for_the_engine_ends_after_a_while(tmp_path: Path) -> None:
    """As a page does that is made without scripts."""

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(alone(level=8)))
        assert running.engine is not None
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await running.engine.moved(2 * PATIENCE)
        assert loop.time() - begun < PATIENCE, "it is not the engine's turn"
        follower = running.follow(VISITOR, 1)
        running.broadcast.subscribers.offer(follower, True)
        await act(running, VISITOR, "move", hole=7)
        await in_time(running.engine.moved(0.05))
        assert running.game.plies == 1, "the device is asked, and has not answered yet"
        questions = [one for one in drained(follower) if one is not None and one["kind"] == "think"]
        assert questions == [{"version": 2, "kind": "think", "seconds": None}]

    within(tmp_path, test)


def test_the_engine_takes_its_time_from_its_clock() -> None:
    position = TOGUZ_KORGOOL.start()
    for left, increment in ((60_000, 0), (40_000, 1_000), (5_000, 1_000)):
        expected = think_seconds(position, TimeLeft(left / 1000, increment / 1000))
        assert 0 < expected < 3
        assert clock_seconds(position, left, increment) == expected
    assert clock_seconds(position, 3_600_000, 30_000) == 3.0, "a visitor waits"


def test_a_device_of_the_visitor_moves_for_the_engine(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(alone(level=8)))
        follower = running.follow(VISITOR, 1)
        running.broadcast.subscribers.offer(follower, True)
        assert await refusal_of(act(running, VISITOR, "reply", hole=1)) == (422, errors.NOT_ENGINES_TURN)
        await act(running, VISITOR, "move", hole=7)
        for version, status in ((1, 409), (3, 409)):
            refused = act(running, VISITOR, "reply", hole=1, version=version)
            assert await refusal_of(refused) == (status, errors.STALE)
        assert (await refusal_of(act(running, GUEST, "reply", hole=1)))[0] == 403
        event = await act(running, VISITOR, "reply", hole=1)
        assert (event["side"], event["trace"]["hole"], running.game.plies) == ("black", 1, 2)
        moved = running.history.entries[-1].event
        assert isinstance(moved, Moved)
        assert moved.device

    within(tmp_path, test)


def test_no_device_moves_for_perfect_play_nor_in_a_game_of_people(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(
            await game_registry.start(alone("mangala", Side.BLACK, PERFECT, clock="none"))
        )
        assert await refusal_of(act(running, VISITOR, "reply", hole=1)) == (422, errors.SERVER_PLAYS)
        between = await begun(game_registry, people(), 7)
        assert await refusal_of(act(between, VISITOR, "reply", hole=1)) == (422, errors.NOT_ENGINES_TURN)

    within(tmp_path, test)


def test_a_look_at_a_game_is_a_sign_of_life_of_its_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.app.server.play.presence.now_ms", lambda: 2**42)

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(), 7)
        running.attend(Caller("1.1.1.1", "s" * 22))
        assert 2**42 not in running.broadcast.presence.signs
        running.attend(Caller("1.1.1.1", GUEST))
        assert running.broadcast.presence.signs[1] == 2**42 != running.broadcast.presence.signs[0]

    within(tmp_path, test)

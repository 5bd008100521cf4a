"""After a computer has slept, or a process stood still: the time is right again, and nobody is charged for it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from korgool import live
from korgool.app.server.core import wall_clock
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.standstill import SingleProcess
from korgool.app.server.storage.outages import OUTAGE
from korgool.rules import Side
from tests.patience import PATIENCE, until

from .inside import GUEST, VISITOR, act, alone, begun, people, within
from .support import Server, Visitor, running

HOUR, DAY = 3_600_000, 86_400_000
Sleep = Callable[[int], None]


@pytest.fixture
def sleep(monkeypatch: pytest.MonkeyPatch) -> Sleep:
    """Lets the computer's clock go on, in milliseconds, while what measures the time stands still."""
    slept = [0]
    monkeypatch.setattr(wall_clock, "_wall_ns", lambda: time.time_ns() + slept[0])
    monkeypatch.setattr(wall_clock, "_START", wall_clock._START)

    def fall_asleep(ms: int) -> None:
        slept[0] += ms * 1_000_000

    return fall_asleep


def off() -> float:
    """How many milliseconds the time is away from the computer's."""
    return abs(wall_clock._wall_ns() / 1e6 - now_ms())


def test_the_time_is_right_again_after_every_sleep(sleep: Sleep) -> None:
    for ms in (2 * DAY, 3_000, HOUR):
        sleep(ms)
        assert off() > 2_000
        wall_clock.catch_up()
        assert off() < 1_000


def test_the_time_never_runs_back_and_follows_no_small_steps(sleep: Sleep) -> None:
    before = now_ms()
    for ms in (-HOUR, -1_500, HOUR, 1_500):
        sleep(ms)
        wall_clock.catch_up()
        assert 0 <= now_ms() - before < 60_000


def test_a_pause_is_an_outage_from_five_seconds_on(sleep: Sleep, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the computer slept, or only this process stood still; each is known before the next decision."""
    elapsed = [0]
    monkeypatch.setattr(wall_clock, "_elapsed_ns", lambda: time.monotonic_ns() + elapsed[0])
    kept = SingleProcess()
    assert kept.missed_ms(0, 1 << 62) == 0
    kept.see()
    sleep(round(1000 * OUTAGE) - 1_000)
    assert kept.missed_ms(0, 1 << 62) == 0
    since = now_ms()
    sleep(2 * DAY)
    assert kept.missed_ms(0, 1 << 62) == pytest.approx(2 * DAY, abs=5_000)
    assert off() < 1_000
    elapsed[0] += HOUR * 1_000_000  # stopped: both clocks go on
    sleep(HOUR)
    assert kept.missed_ms(since + 2 * DAY + 60_000, 1 << 62) == pytest.approx(HOUR - 60_000, abs=5_000)
    assert [one.ended - one.began for one in kept.unnoted] == [
        pytest.approx(2 * DAY, abs=5_000),
        pytest.approx(HOUR, abs=5_000),
    ]


def heard(running: LiveSession) -> bool:
    """Whether a game in memory knows of an outage."""
    return "outage" in [entry.kind for entry in running.history.entries]


def test_nobody_loses_on_time_for_what_the_server_slept(tmp_path: Path, sleep: Sleep) -> None:
    """In games in memory and others, with clocks and with days; what begins afterwards has the right date."""

    async def test(game_registry: GameRegistry) -> None:
        quick = await begun(game_registry, people(clock="10+5"), 7)
        engine = await game_registry.find(await game_registry.start(alone(clock="5+3", side=Side.WHITE)))
        slow = await begun(game_registry, people(clock="1d"), 7)
        put_away = await begun(game_registry, people(clock="1d"), 7)
        before = live.due(slow.game)
        assert before is not None
        put_away.end()
        del game_registry._games[put_away.address]
        sleep(2 * DAY)
        for found in (quick, engine, slow):
            await until(partial(heard, found))
        assert off() < 1_000
        for found, stock in ((quick, 600_000), (engine, 300_000)):
            clock = found.game.game.clock
            assert clock is not None
            assert not found.game.over
            assert clock.remaining(found.game.to_move, now_ms()) > stock - 20_000
        assert live.due(slow.game) == pytest.approx(before + 2 * DAY, abs=10_000)
        stored = dict(game_registry.repository.due(1 << 60))
        for name in (slow.address, put_away.address):
            assert stored[name] == pytest.approx(before + 2 * DAY, abs=10_000)
        again = await game_registry.find(put_away.address)
        assert not again.game.over
        assert live.due(again.game) == pytest.approx(before + 2 * DAY, abs=10_000)
        assert (await act(slow, GUEST, "move", hole=1))["kind"] == "move"
        new = await begun(game_registry, people(clock="1d"))
        assert abs(new.game.opened - wall_clock._wall_ns() / 1e6) < 10_000
        assert await act(new, VISITOR, "move", hole=7)

    within(tmp_path, test)


def test_what_time_decides_is_decided_after_a_sleep_too(tmp_path: Path, sleep: Sleep) -> None:
    """The time that was left before counts afterwards: nobody has for ever."""

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(clock="0.1+0"), 7, 1)
        sleep(2 * DAY)
        await until(lambda: running.game.over)
        kinds = [entry.kind for entry in running.history.entries]
        assert kinds.count("outage") == 1
        assert running.history.entries[-1].at_ms - running.history.entries[0].at_ms > 2 * DAY

    within(tmp_path, test)


@pytest.mark.long
def test_a_server_that_was_stopped_charges_nobody(tmp_path: Path) -> None:
    """A real process: all its timers are due when it goes on."""
    with running(tmp_path) as server:
        _stop_and_go_on(server)


def _stop_and_go_on(server: Server) -> None:
    visitor = Visitor(server)
    game = visitor.new_game(clock="5+3")
    before = visitor.state(game)["clock"]["white_ms"]
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        time.sleep(OUTAGE + 3)
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    late = time.monotonic() + PATIENCE
    while (left := visitor.state(game)["clock"]["white_ms"]) < before - 5_000 and time.monotonic() < late:
        time.sleep(0.1)
    assert left >= before - 5_000

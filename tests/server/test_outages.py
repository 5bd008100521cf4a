"""Time without a server is charged to nobody, and what time decides is decided with nobody connected."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import text

from korgool import live
from korgool.app.server.core import wall_clock
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import OFF
from korgool.app.server.play import game_registry as registry_module
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.subscribers import Subscriber
from korgool.app.server.storage.database import Storage
from korgool.rules import Side, Termination
from tests.patience import until

from .inside import GUEST, VISITOR, Kept, act, alone, begun, people, within
from .support import check_stored
from .test_attendance import Line

MINUTE, DAY = 60_000, 86_400_000


def killed(folder: Path, at: int, *games: tuple[str, live.GameTerms, int]) -> None:
    """A database whose server was killed at a time, with games that began before it."""
    storage = Storage.open(ServerSettings(data=folder))
    for name, terms, began in games:
        kept = Kept(storage, name, terms, began)
        for side in Side:
            if terms.between_people and terms.live:
                kept.keep(kept.next(live.Join(side), began))
    with storage._engine.begin() as connection:
        connection.execute(text("UPDATE owner SET beat_ms = :at"), {"at": at})
    storage.ownership._epoch = 0  # it signs nothing off
    storage.close()


def left(game_registry: GameRegistry, name: str, side: Side) -> int:
    clock = check_stored(game_registry.repository.load(name)).game.clock
    assert clock is not None
    return clock.remaining(side, now_ms())


def test_nobody_is_charged_for_the_time_without_a_server(tmp_path: Path) -> None:
    wall_clock = now_ms()
    killed(
        tmp_path,
        wall_clock - 60 * MINUTE,
        ("clock0000000", alone(clock="10+5"), wall_clock - 64 * MINUTE),
        ("slow00000000", people(clock="1d"), wall_clock - 2 * DAY),
        ("calm00000000", alone(), wall_clock - 90 * MINUTE),
    )

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find("clock0000000")
        assert [entry.kind for entry in running.history.entries] == ["begin", "outage"]
        assert 6 * MINUTE - 20_000 < left(game_registry, "clock0000000", Side.WHITE) <= 6 * MINUTE
        calm = await game_registry.find("calm00000000")
        assert [entry.kind for entry in calm.history.entries] == ["begin"], "nothing there waits for the time"
        slow = await game_registry.find("slow00000000")
        await until(lambda: slow.game.over)  # a day was over before the server was killed

    within(tmp_path, test)

    async def again(game_registry: GameRegistry) -> None:
        running = await game_registry.find("clock0000000")
        kinds = [entry.kind for entry in running.history.entries]
        assert kinds == ["begin", "outage", "outage"]
        assert 6 * MINUTE - 60_000 < left(game_registry, "clock0000000", Side.WHITE) <= 6 * MINUTE

    within(tmp_path, again)


def test_the_first_move_may_be_late_by_an_outage(tmp_path: Path) -> None:
    wall_clock = now_ms()
    killed(
        tmp_path, wall_clock - 10 * MINUTE, ("first0000000", people(clock="10+5"), wall_clock - 10 * MINUTE - 20_000)
    )

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find("first0000000")
        due = live.due(running.game)
        assert due is not None
        assert 0 < due - now_ms() <= 10_000
        assert (await act(running, VISITOR, "move", hole=7))["kind"] == "move"

    within(tmp_path, test)


def test_deadlines_shift_in_the_list_until_a_game_is_loaded(tmp_path: Path) -> None:
    wall_clock = now_ms()
    killed(tmp_path, wall_clock - 60 * MINUTE, ("far000000000", people(clock="3d"), wall_clock - 61 * MINUTE))

    async def test(game_registry: GameRegistry) -> None:
        ((name, due),) = game_registry.repository.due(2**60)
        assert (name, "far000000000" in game_registry._games) == ("far000000000", False)
        assert due == pytest.approx(wall_clock - 61 * MINUTE + 3 * DAY + 60 * MINUTE, abs=30_000)
        running = await game_registry.find(name)
        assert live.due(running.game) == pytest.approx(due, abs=5_000)
        assert game_registry.repository.due(2**60) == [(name, live.due(running.game))]

    within(tmp_path, test)


def test_an_outage_is_noted_once_however_often_a_server_takes_its_games_up(tmp_path: Path) -> None:
    """On PostgreSQL a server that has lost its lock for a moment opens its hall again."""
    wall_clock = now_ms()
    killed(tmp_path, wall_clock - 60 * MINUTE, ("clock0000000", alone(clock="10+5"), wall_clock - 64 * MINUTE))

    async def test(game_registry: GameRegistry) -> None:
        before = game_registry.storage.missed_ms(wall_clock - DAY, now_ms())
        await game_registry.open()
        assert 60 * MINUTE <= before <= game_registry.storage.missed_ms(wall_clock - DAY, now_ms()) <= before + 30_000
        assert not (await game_registry.find("clock0000000")).game.over

    within(tmp_path, test)


def test_setting_the_clock_of_the_computer_costs_nobody_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server goes on with the time of its start; the next one takes the difference for an outage."""
    hour, real, addresses = 60 * MINUTE * 1_000_000, time.time_ns, list[str]()

    async def test(game_registry: GameRegistry) -> None:
        addresses.append((await begun(game_registry, people(clock="10+5"), 7)).address)
        monkeypatch.setattr(time, "time_ns", lambda: real() + hour)

    within(tmp_path, test)
    monkeypatch.setattr(wall_clock, "_START", wall_clock._START + hour)

    async def again(game_registry: GameRegistry) -> None:
        running = await game_registry.find(addresses[0])
        assert not running.game.over
        assert 9 * MINUTE < left(game_registry, addresses[0], Side.BLACK) <= 10 * MINUTE

    within(tmp_path, again)


def test_what_time_decides_is_decided_with_nobody_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_module, "_BEAT_SECONDS", 0.05)
    monkeypatch.setattr(registry_module, "_DEADLINES_ROUNDS", 1)
    wall_clock = now_ms()

    async def test(game_registry: GameRegistry) -> None:
        Kept(game_registry.storage, "flag", alone(clock="1+0"), wall_clock - MINUTE + 1_500)
        Kept(game_registry.storage, "days", people(clock="1d"), wall_clock - DAY + 1_500)
        never = Kept(game_registry.storage, "nobody", people(clock="10+5"), wall_clock - 600_000 + 1_500)
        Kept(game_registry.storage, "later", alone(clock="30+0"), wall_clock)
        assert never.game.version == 0, "nobody has come"
        await until(lambda: len(game_registry.repository.due(2**60)) == 1)
        ended = {
            name: check_stored(game_registry.repository.load(name.ljust(12, "0")))
            for name in ("flag", "days", "nobody")
        }
        for name in ("flag", "days"):
            ending = ended[name].ending
            assert ending is not None
            assert ending.termination is Termination.TIME
        assert ended["nobody"].aborted
        assert all(game.at >= wall_clock + 1_400 for game in ended.values())
        assert "later0000000" not in game_registry._games

    within(tmp_path, test)


def test_a_damaged_game_keeps_no_other_from_its_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_module, "_BEAT_SECONDS", 0.05)
    monkeypatch.setattr(registry_module, "_DEADLINES_ROUNDS", 1)
    wall_clock = now_ms()

    async def test(game_registry: GameRegistry) -> None:
        Kept(game_registry.storage, "damaged", alone(clock="1+0"), wall_clock - MINUTE + 500)
        with game_registry.storage._engine.begin() as connection:
            connection.execute(text("UPDATE events SET kind = 'nonsense'"))
        Kept(game_registry.storage, "flag", alone(clock="1+0"), wall_clock - MINUTE + 1_000)
        await until(lambda: [name for name, _ in game_registry.repository.due(2**60)] == ["damaged00000"])
        with pytest.raises(ApiError):
            await game_registry.find("damaged00000")

    within(tmp_path, test)


def test_a_game_that_nobody_begins_is_called_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """30 seconds after both are there, which are shortened here."""
    monkeypatch.setattr("korgool.live.decisions.FIRST_MOVE_MS", 500)

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.create(people(clock="10+5")))
        await running.join(VISITOR)
        assert not running.game.begun
        await running.join(GUEST)
        assert running.game.begun
        await until(lambda: running.game.aborted)
        assert running.game.at - running.game.game.started >= 500
        assert (running.history.entries[-1].kind, running.history.entries[-1].side) == ("abort", None)

    within(tmp_path, test)


@pytest.mark.parametrize("late", [2_000, 3_000])
def test_a_first_move_that_was_under_way_in_time_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: int
) -> None:
    """The lag that the server measures is given back here as where a flag falls, and no more of it."""
    monkeypatch.setattr("korgool.live.decisions.FIRST_MOVE_MS", 1_500)

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.create(people(clock="10+5")))
        running.broadcast.subscribers.join(Subscriber(VISITOR, plays=True, outlet=Line(1_000, 0)), OFF)
        for who in (VISITOR, GUEST):
            await running.join(who)
        begun = running.game.game.started
        await until(lambda: now_ms() >= begun + late)
        if late < 2_500:
            await act(running, VISITOR, "move", hole=1, version=running.game.version)
            assert running.game.plies == 1
        else:
            await until(lambda: running.game.aborted)
            assert running.game.at - begun >= 2_500

    within(tmp_path, test)

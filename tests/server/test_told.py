"""What a running game has told: what somebody missed, and what watchers hear later."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from korgool import live
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.broadcast import DelayedFeed
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.history import GameHistory
from korgool.app.server.play.subscribers import Subscriber, Subscribers
from korgool.rules import Side

from .inside import ADDRESS, GUEST, STRANGER, Table, begun, people, versions, within

BACKLOG = 500
"""Events that a follower may have missed and still gets one by one."""


@pytest.fixture(scope="module")
def long() -> Table:
    """Three events at the beginning, and more time again and again."""
    table = Table(people(clock="10+5"))
    for side in Side:
        table.does(live.Join(side))
    while table.game.version < BACKLOG + 20:
        table.does(live.AddTime(Side.WHITE))
    return table


@pytest.mark.parametrize("since", [20, 21, 300, BACKLOG + 19, BACKLOG + 20])
@pytest.mark.parametrize("fresh", [False, True], ids=["as it was told", "made anew"])
def test_what_was_missed_comes_one_by_one(long: Table, since: int, fresh: bool) -> None:
    told = GameHistory(ADDRESS, long.game, long.told.entries) if fresh else long.told
    missed = told.missed(since, long.game.version)
    assert missed is not None
    assert [json.loads(message) for message in missed] == long.events[since:]
    assert told.missed(since, since) == []


@pytest.mark.parametrize("since", [-1, 0, 19, BACKLOG + 21, 10**30])
def test_who_missed_too_much_or_knows_the_future_gets_the_state(long: Table, since: int) -> None:
    assert long.told.missed(since, long.game.version) is None


def test_a_part_is_told_to_those_who_may_know_no_more(long: Table) -> None:
    missed = long.told.missed(300, 400)
    assert missed is not None
    assert [json.loads(message)["version"] for message in missed] == list(range(301, 401))


def test_an_event_of_long_ago_is_made_again(long: Table) -> None:
    for version in (1, 2, BACKLOG, BACKLOG + 20):
        assert json.loads(long.told.message(version)) == long.events[version - 1]


def test_watchers_of_a_delayed_game_hear_when_it_is_time_and_not_before(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(delay_s=100), 7)
        player, watcher = Subscriber(GUEST, plays=True), Subscriber(STRANGER)
        followers = Subscribers()
        for follower in (player, watcher):
            followers.join(follower, game_registry.limits)
        later = DelayedFeed(running.history, followers)
        assert later.version == 0
        before = now_ms()
        later.tell()
        assert later._timer is not None
        left = later._timer.when() - asyncio.get_running_loop().time()
        due = (running.history.entries[0].at_ms + 100_000 - before) / 1000
        assert due - 5 < left <= due + 0.1, "it looks again when there is something to tell"
        later.end()
        assert later._timer is None
        assert versions(watcher) == versions(player) == []

    within(tmp_path, test)


def test_a_game_that_is_older_than_its_delay_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = 0
    monkeypatch.setattr("korgool.app.server.play.broadcast.now_ms", lambda: now_ms() + late)

    async def test(game_registry: GameRegistry) -> None:
        nonlocal late
        running = await begun(game_registry, people(delay_s=100), 7)
        player, watcher, followers = Subscriber(GUEST, plays=True), Subscriber(STRANGER), Subscribers()
        for follower in (player, watcher):
            followers.join(follower, game_registry.limits)
        later = DelayedFeed(running.history, followers)
        late = 101_000
        later.tell()
        assert (later.version, later._timer) == (running.game.version, None)
        assert (versions(watcher), versions(player)) == (list(range(1, running.game.version + 1)), [])
        later.tell()
        assert versions(watcher) == [], "each once"

    within(tmp_path, test)


def test_moves_that_were_taken_back_are_written_as_they_were_played() -> None:
    table = Table(people())
    for side in Side:
        table.does(live.Join(side))
    table.sows(7)
    before = table.game
    table.does(live.AskTakeback(Side.WHITE))
    table.does(live.AcceptTakeback(Side.BLACK))
    table.sows(9, 9)
    assert table.told.texts(before) == ["76(10)"]
    assert table.told.texts(table.game) == ["98(10)", "98(10)"]

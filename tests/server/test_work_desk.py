"""What goes to workers and what a server does with their answers; the workers are played by the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from korgool.app.server.engines.engine_pool import Lane
from korgool.app.server.engines.jobs import Job, job_of, priority
from korgool.app.server.engines.search_dispatch import SearchDispatch
from korgool.app.server.engines.searches import CancelledSearchError, Search
from korgool.app.server.limits import OFF, Caller
from korgool.app.server.metrics import ServerCollector
from korgool.app.server.play.api import Health, health
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.storage.game_terms import read_rules
from korgool.app.server.transport.connection_limiter import ConnectionLimiter
from korgool.app.server.transport.request_tracing import RequestTracing
from korgool.engine.perfect import PERFECT
from korgool.rules import Side
from tests.patience import until

from .inside import VISITOR, Table, act, alone, begun, people, within
from .support import run_async

ME = Caller("1.1.1.1", VISITOR)


class Workers:
    """Answers as the test says, and keeps what it was asked."""

    workers = 1

    def __init__(self, answer: Callable[[Job], Any]) -> None:
        self._answer = answer
        self.asked: list[tuple[str, Job, Caller, float]] = []
        self.withdrawn = 0

    async def ask(self, key: str, job: Job, caller: Caller, patience: float) -> Any:
        self.asked.append((key, job, caller, patience))
        answer = self._answer(job)
        try:
            return await answer if asyncio.isfuture(answer) else answer
        except asyncio.CancelledError:
            self.withdrawn += 1
            raise

    async def close(self) -> None:
        """Nothing is open."""


def always(answer: Any) -> Callable[[Job], Any]:
    return lambda _: answer


def last(job: Job) -> int:
    return job.positions()[-1].legal_moves()[-1]


def test_a_job_says_all_that_a_search_needs() -> None:
    games = [
        Table(alone("toguz", level=8)),
        Table(alone("mangala", Side.BLACK, PERFECT)),
        Table(alone("bestemshe", level=8, clock="10+5")),
        Table(alone("toguz", level=8, start="7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5")),
    ]
    terms = alone("mangala", level=8)
    option, value = next((name, value) for name, value in terms.rules.options().items() if isinstance(value, bool))
    games.append(Table(replace(terms, rules=terms.rules.with_option(option, str(not value)))))
    for table in games:
        for _ in range(5):
            table.sows(table.game.position.legal_moves()[0])
        job = job_of("move", table.game, Lane.GAME, 8, (1000, 0))
        read = msgspec.convert(msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(job))), Job)
        assert read == job
        assert read_rules(read) == table.terms.rules
        assert list(read.positions()) == list(table.game.game.positions)


def test_only_what_takes_long_is_asked_and_never_longer_than_the_clock_allows() -> None:
    async def test() -> None:
        workers = Workers(last)
        desk = SearchDispatch(workers)
        for level in (1, 5, 7, 1500):
            game = Table(alone(level=level)).game
            assert await desk.move("g", game, level, None, Search(), ME) is None
        assert not workers.asked
        for level, clock, lane, patience in (
            (8, None, Lane.GAME, 5.0),
            (8, (3_600_000, 0), Lane.CLOCK, 4.0),
            (8, (900, 0), Lane.CLOCK, 0.3),
            (8, (-5, 0), Lane.CLOCK, 0.0),
        ):
            game = Table(alone(level=level)).game
            assert await desk.move("g", game, level, clock, Search(), ME) == last(workers.asked[-1][1])
            key, job, caller, waited = workers.asked[-1]
            assert (key, job.lane, job.clock, job.strength) == (f"g:{game.board_version}", lane, clock, level)
            assert caller == ME
            assert waited == pytest.approx(patience)
        game = Table(alone("mangala", Side.BLACK, PERFECT)).game
        assert await desk.move("g", game, PERFECT, None, Search(), ME) is not None
        assert workers.asked[-1][3] == 9.0

    run_async(test())


def test_a_server_plays_what_a_worker_has_found(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        assert await health.fn(game_registry) == Health("ok")
        game_registry.work = SearchDispatch(workers := Workers(last))
        assert await health.fn(game_registry) == Health("ok", 1)
        running = await begun(game_registry, alone(level=8), 7)
        hole = running.game.position.legal_moves()[-1]
        running.attend(ME)
        await until(lambda: running.game.plies == 2)
        assert running.game.game.moves[-1] == hole
        figures = ServerCollector(RequestTracing(None), ConnectionLimiter(OFF))._games(game_registry)
        told = {(one.name, *one.labels.values()): one.value for family in figures for one in family.samples}
        assert told["korgool_workers",] == 1
        assert told["korgool_left_to_workers_total", "answered"] == 1
        assert told["korgool_left_to_workers_total", "unanswered"] == 0
        ((key, _, caller, _),) = workers.asked
        assert (key, caller) == (f"{running.address}:{running.game.board_version - 1}", ME)

    within(tmp_path, test)


@pytest.mark.parametrize("answer", [None, 77])
def test_a_server_searches_by_itself_without_an_answer_that_is_a_move(tmp_path: Path, answer: int | None) -> None:
    async def test(game_registry: GameRegistry) -> None:
        game_registry.work = SearchDispatch(workers := Workers(always(answer)))
        running = await begun(game_registry, alone(level=8, clock="1+0"), 7)
        await until(lambda: running.game.plies == 2)
        assert len(workers.asked) == 1

    within(tmp_path, test)


def test_a_search_that_nobody_needs_any_more_is_withdrawn(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        game_registry.work = SearchDispatch(workers := Workers(lambda _: asyncio.get_running_loop().create_future()))
        running = await begun(game_registry, alone(level=8), 7)
        running.attend(ME)
        await until(lambda: bool(workers.asked))
        await act(running, VISITOR, "resign")
        await until(lambda: workers.withdrawn == 1)
        search, game = Search(), Table(alone(level=8)).game
        asking = asyncio.create_task(game_registry.work.move("g", game, 8, None, search, ME))
        await until(lambda: len(workers.asked) == 2)
        search.cancel()
        with pytest.raises(CancelledSearchError):
            await asking
        ended = asyncio.create_task(game_registry.work.move("g", game, 8, None, Search(), ME))
        await until(lambda: len(workers.asked) == 3)
        ended.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ended
        assert workers.withdrawn == 3

    within(tmp_path, test)


def test_a_review_of_a_worker_is_kept_and_one_of_another_game_is_not_taken(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        for found, told in (([1.5, -2.25, 3.0], [1.5, -2.25, 3.0]), ([1.5], None)):
            game_registry.work = SearchDispatch(workers := Workers(always(found)))
            running = await begun(game_registry, people(), 7, 1)
            await act(running, VISITOR, "resign")
            values = await game_registry.evaluations(running.address, ME)
            assert len(values) == 3
            assert told is None or values == told
            assert await game_registry.evaluations(running.address, ME) == values
            ((key, job, _, _),) = workers.asked
            assert (key, job.kind, job.lane) == (f"{running.address}:review", "review", Lane.REVIEW)

    within(tmp_path, test)


def test_turns_come_by_lane_and_share_and_to_everybody_at_last() -> None:
    now = 1_800_000_000.0
    alone_, busy = priority(now, Lane.GAME, 0, 0), priority(now, Lane.GAME, 5, 5)
    assert priority(now, Lane.CLOCK, 0, 0) > alone_ > priority(now, Lane.REVIEW, 0, 0)
    assert alone_ > priority(now, Lane.GAME, 0, 40) > busy, "a school class does not stand behind one of its own"
    assert priority(now, Lane.REVIEW, 0, 0) > priority(now + 11, Lane.CLOCK, 0, 0), "nothing waits for ever"
    for time in (0, 2**32 - 100):
        assert -(2**31) <= priority(time, Lane.REVIEW, 0, 0) < 2**31

"""The search from outside: its lines, limits, threads, and what it refuses."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from korgool.engine.limits import Limits
from korgool.engine.search import UNIT, Analysis, Engine
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Position, Rules, Setup
from tests.patience import PATIENCE, eventually

from .reference import random_setup, share


@pytest.mark.parametrize("name", GAMES)
def test_lines_can_be_played(name: str) -> None:
    rules, random, engine = GAMES[name], Random(f"lines {name}"), Engine(GAMES[name], table_mib=1)
    for _ in range(share(300)):
        position = random_setup(rules, random)
        legal = position.legal_moves()
        if not legal:
            continue
        analysis = engine.analyse(position, Limits(nodes=random.choice((1, 5, 50, 3000))), lines=random.randint(1, 9))
        moves = [line.move for line in analysis.lines]
        assert 1 <= len(moves) == len(set(moves)) <= len(legal)
        assert set(moves) <= set(legal)
        assert analysis.move == moves[0]
        board = sum(map(sum, position.holes))
        ahead = position.stores[position.to_move] - position.stores[position.to_move.other]
        for line in analysis.lines:
            assert line.pv[0] == line.move
            assert abs(line.evaluation - ahead) <= board + 1e-9
            assert line.win + line.draw + line.loss == pytest.approx(1)
            on = position if rules.goal == 0 else _endless(position)
            for move in line.pv:
                on = on.play(move)


def _endless(position: Position) -> Position:
    rules = replace(position.rules, goal=0)
    return Position(rules, position.holes, position.stores, position.tuz, position.to_move)


def test_nodes_are_never_passed() -> None:
    engine = Engine(TOGUZ_KORGOOL)
    for nodes in (1, 2, 9, 10, 100, 2047, 2048, 2049, 50_000):
        engine.clear()
        assert engine.analyse(TOGUZ_KORGOOL.start(), Limits(nodes=nodes)).nodes == nodes


def test_a_game_won_by_the_goal_stays_won_where_play_could_go_on_for_ever() -> None:
    """Without a tuz the sides can circle on behind the 82nd stone; that is no draw, the game has ended before."""
    position = Position.parse("4,6S,3,1S/1S,7,2S 80 72 S 60", TOGUZ_KORGOOL)
    assert position.play(9).outcome() is not None
    for nodes in (10, 1000, 200_000):
        best = Engine(TOGUZ_KORGOOL).analyse(position, Limits(nodes=nodes), lines=2).lines[0]
        assert (best.move, best.win) == (9, 1.0)


def test_depth_is_kept() -> None:
    analysis = Engine(MANGALA).analyse(MANGALA.start(), Limits(depth=7), lines=6)
    assert {line.depth for line in analysis.lines} == {7}
    assert len(analysis.lines) == 6


def test_time_is_kept() -> None:
    engine = Engine(TOGUZ_KORGOOL)
    began, used = time.monotonic(), time.process_time()
    analysis = engine.analyse(TOGUZ_KORGOOL.start(), Limits(seconds=0.15))
    assert time.process_time() - used < 0.6  # of this process: what others run beside it does not count
    assert 0.15 <= analysis.seconds <= time.monotonic() - began
    assert engine.analyse(TOGUZ_KORGOOL.start(), Limits(seconds=0)).lines[0].move in range(1, 10)


def test_stop_from_another_thread() -> None:
    """The search ends at once, and this thread ran meanwhile: the interpreter lock was free."""
    engine, found = Engine(TOGUZ_KORGOOL), list[Analysis]()
    thread = threading.Thread(target=lambda: found.append(engine.analyse(TOGUZ_KORGOOL.start(), Limits())))
    thread.start()
    used = time.process_time()
    eventually(lambda: time.process_time() - used > 0.1, "the search uses the processor")
    used = time.process_time()
    engine.stop()
    thread.join(PATIENCE)
    assert time.process_time() - used < 0.3
    assert found[0].lines[0].depth > 4
    assert found[0].nodes > 1000


def test_a_search_that_is_stopped_before_it_begins_ends_at_once() -> None:
    engine, start, stopped = Engine(TOGUZ_KORGOOL), TOGUZ_KORGOOL.start(), threading.Event()
    engine.stopped = stopped
    stopped.set()
    engine.stop()
    found = engine.analyse(start, Limits(nodes=10**9))
    assert found.move in start.legal_moves()
    assert found.nodes < 20_000
    stopped.clear()
    assert engine.analyse(start, Limits(nodes=20_000)).nodes == 20_000


def test_two_threads_wait_for_each_other() -> None:
    engine, found = Engine(TOGUZ_KORGOOL), list[Analysis]()
    start = TOGUZ_KORGOOL.start()
    threads = [
        threading.Thread(target=lambda: found.append(engine.analyse(start, Limits(nodes=200_000)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [analysis.nodes for analysis in found] == [200_000] * 4


@pytest.mark.parametrize("threads", [2, 5])
def test_several_threads_search_one_position(threads: int) -> None:
    """They share a table, so they find what one finds, and no line that cannot be played."""
    engine, random = Engine(TOGUZ_KORGOOL, table_mib=1, threads=threads), Random("threads")
    for number in range(share(30)):
        position = random_setup(TOGUZ_KORGOOL, random)
        if position.outcome() is not None:
            continue
        analysis = engine.analyse(position, Limits(nodes=20_000), lines=1 + number % 3)
        for line in analysis.lines:
            on = _endless(position)
            for move in line.pv:
                on = on.play(move)
    engine.clear()
    assert engine.analyse(TOGUZ_KORGOOL.start(), Limits(nodes=200_000)).nodes > 200_000


def test_several_threads_prove_what_one_proves() -> None:
    position = Setup(TOGUZ_KORGOOL, ([0] * 6 + [4, 1, 1], [0, 2, 0, 0, 0, 1, 0, 0, 0]), (77, 76), (3, 1)).position()
    for threads in (1, 2, 4):
        line = Engine(TOGUZ_KORGOOL, threads=threads).analyse(position, Limits(seconds=20)).lines[0]
        assert (line.evaluation, line.exact) == (0, True)


def test_threads_stop_together() -> None:
    engine = Engine(TOGUZ_KORGOOL, threads=3)

    def stop() -> None:
        eventually(lambda: time.process_time() - used > 0.1, "the search uses the processor")
        engine.stop()

    used, stopper = time.process_time(), threading.Thread(target=stop)
    stopper.start()
    before = threading.active_count()
    analysis = engine.analyse(TOGUZ_KORGOOL.start(), Limits(seconds=2 * PATIENCE))
    assert analysis.seconds < PATIENCE
    stopper.join()
    assert threading.active_count() < before


def test_no_depth_is_begun_after_the_aim() -> None:
    engine, start = Engine(TOGUZ_KORGOOL), TOGUZ_KORGOOL.start()
    depths = list[int]()
    engine.analyse(start, Limits(aim=0), on_depth=lambda found: depths.append(found.lines[0].depth))
    assert depths == [1]
    assert engine.analyse(start, Limits(aim=0.05, seconds=PATIENCE)).seconds < PATIENCE / 2


def test_on_depth_tells_every_depth() -> None:
    depths = list[int]()
    Engine(MANGALA).analyse(
        MANGALA.start(), Limits(depth=6), on_depth=lambda found: depths.append(found.lines[0].depth)
    )
    assert depths == [1, 2, 3, 4, 5]


def test_same_nodes_after_clear() -> None:
    """Nothing is pruned here: how far pruning goes depends on what is remembered."""
    engine, start, limits = Engine(TOGUZ_KORGOOL), TOGUZ_KORGOOL.start(), Limits(depth=7)
    first = engine.analyse(start, limits, exact_depth=True)
    assert engine.analyse(start, limits, exact_depth=True).nodes < first.nodes
    engine.clear()
    again = engine.analyse(start, limits, exact_depth=True)
    assert (again.nodes, again.lines) == (first.nodes, first.lines)


def _position_of_no_great_sense(rules: Rules, plies: int) -> Position:
    position = rules.start()
    for ply in range(plies):
        legal = position.legal_moves()
        position = position.play(legal[(5 * ply + 2) % len(legal)])
    return position


def test_fingerprint() -> None:
    """The nodes of some fixed searches. They change with the search and its weights, and with nothing else."""
    nodes = 0
    for rules in GAMES.values():
        engine = Engine(rules, network=None)
        for plies in (0, 7, 16):
            engine.clear()
            nodes += engine.analyse(_position_of_no_great_sense(rules, plies), Limits(depth=6)).nodes
    assert nodes == 5_343


def _without_capture(position: Position) -> tuple[int, Position]:
    for move in position.legal_moves():
        child = position.play(move)
        if child.stores == position.stores:
            return move, child
    raise AssertionError


@pytest.mark.parametrize(
    ("rules", "times", "drawn"),
    [
        (TOGUZ_KORGOOL, 1, True),
        (replace(TOGUZ_KORGOOL, recurrence=0), 1, False),
        (replace(TOGUZ_KORGOOL, recurrence=0), 2, True),
        (replace(TOGUZ_KORGOOL, recurrence=0, threefold=0), 2, False),
    ],
)
def test_a_position_of_the_game_again_is_a_draw(rules: Rules, times: int, drawn: bool) -> None:
    position = Setup(rules, ([3, 0, 1, 0, 2, 0, 0, 4, 0], [0, 2, 0, 0, 5, 0, 1, 0, 0]), (70, 74)).position()
    move, child = _without_capture(position)
    history: Sequence[Position] = [*[child] * times, position]
    lines = Engine(rules).analyse(position, Limits(depth=1), lines=9, history=history).lines
    value = next(line.evaluation for line in lines if line.move == move)
    assert (value == 0) == drawn


def test_a_finished_game_is_refused() -> None:
    over = Setup(TOGUZ_KORGOOL, ([1] + [0] * 8, [0] * 8 + [1]), (82, 78)).position()
    with pytest.raises(ValueError, match=r"nothing to search, the game is over: 1 \(82\) - 0 \(78\), majority"):
        Engine(TOGUZ_KORGOOL).analyse(over, Limits(depth=1))


def test_bad_arguments() -> None:
    engine = Engine(TOGUZ_KORGOOL)
    for lines in (0, 10, -1):
        with pytest.raises(ValueError, match=f"tells 1 to 9 lines, not {lines}"):
            engine.analyse(TOGUZ_KORGOOL.start(), Limits(depth=1), lines=lines)
    with pytest.raises(ValueError, match="has 9 holes a side"):
        engine.analyse(MANGALA.start(), Limits(depth=1))
    with pytest.raises(ValueError, match="0 to 65536 MiB, not -1"):
        Engine(TOGUZ_KORGOOL, table_mib=-1)
    for threads in (0, -1, 257):
        with pytest.raises(ValueError, match=f"1 to 256 threads, not {threads}"):
            Engine(TOGUZ_KORGOOL, threads=threads)
    for bad in (
        {"seconds": -1.0},
        {"aim": -1.0},
        {"aim": float("nan")},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"depth": 0},
        {"nodes": 0},
    ):
        with pytest.raises(ValueError, match="a search"):
            Limits(**bad)


@pytest.mark.parametrize("network", ["default", None], ids=["network", "by hand"])
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_chances(rules: Rules, network: str | None) -> None:
    """They add up, rise with the evaluation, are as good for the one as for the other, and surer the deeper one saw."""
    engine = Engine(rules, network=network)
    for position in (rules.start(), rules.start().play(1), rules.start().play(2).play(3)):
        sure = 0.0
        for depth in (0, 1, 5, 30, 1000):
            before = 0.0
            for evaluation in range(-160, 161, 4):
                win, draw, loss = engine.chances(position, evaluation, depth)
                assert win + draw + loss == pytest.approx(1)
                assert min(win, draw, loss) >= 0
                assert win >= before
                assert engine.chances(position, -evaluation, depth) == pytest.approx((loss, draw, win))
                before = win
            win = engine.chances(position, 3.0, depth)[0]
            assert win >= sure
            sure = win
        if engine.network or rules.name == "bestemshe":  # the other curves by hand are for deep searches as they stand
            assert sure > engine.chances(position, 3.0)[0]


def test_evaluation_is_in_stones() -> None:
    row = (0,) * 8 + (1,)
    position = Setup(TOGUZ_KORGOOL, (row, row), (100, 60)).position()
    assert Engine(TOGUZ_KORGOOL).evaluate(position) == pytest.approx(40, abs=2)
    assert UNIT == 32

"""The values of the search: against plain minimax, with and without its table, and to the very end."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from korgool.engine.limits import Limits
from korgool.engine.search import Analysis, Engine, Line
from korgool.rules import GAMES, TOGUZ_KORGOOL, Position, Rules, Setup

from .minimax import Plain, agree, small_setup
from .reference import share, variations


@pytest.mark.parametrize("table", [0, 1], ids=["no table", "table"])
@pytest.mark.parametrize("name", GAMES)
def test_equals_plain_minimax(name: str, table: int) -> None:
    """All first moves, depths 1 to 4. With the table repetition is off: a draw by the way is not the position's."""
    rules = GAMES[name] if not table else replace(GAMES[name], threefold=0, recurrence=0)
    random, engine = Random(f"minimax {name}"), Engine(rules, table_mib=table, tables=None)
    for number in range(share(300)):
        position = small_setup(rules, random)
        agree(engine, position, 1 + number % 4 if sum(map(sum, position.holes)) < 30 else 1 + number % 3)


@pytest.mark.parametrize("name", GAMES)
def test_equals_plain_minimax_under_every_option(name: str) -> None:
    random = Random(f"options {name}")
    for rules in variations(GAMES[name]):
        engine = Engine(rules, table_mib=0, tables=None)
        for depth in (1, 2, 3):
            for _ in range(share(8)):
                agree(engine, small_setup(rules, random), depth)


@pytest.mark.parametrize("name", GAMES)
def test_pruning_keeps_what_is_certain(name: str) -> None:
    """As used, with pruning and reductions, values may differ from plain minimax. A certain win is one all the same: no
    plain search, however deep, tells of another winner; and where one finds a certain end, pruning finds no other."""
    rules, random = GAMES[name], Random(f"as used {name}")
    engine, plain = Engine(rules, table_mib=1, tables=None), Engine(rules, table_mib=1, tables=None)
    certain = 0
    for number in range(share(150)):
        position = small_setup(rules, random)
        line = engine.analyse(position, Limits(depth=4 + number % 6)).lines[0]
        exact = plain.analyse(position, Limits(depth=9, nodes=300_000), exact_depth=True).lines[0]
        assert not (line.win == 1 and exact.loss == 1), repr(position)
        assert not (line.loss == 1 and exact.win == 1), repr(position)
        if line.exact and exact.exact:
            assert line.evaluation == exact.evaluation, repr(position)
        certain += 1 in (line.win, line.loss)
    # Under the sanitizers a tenth of the positions is tried, and too few of those may be certain to count them.
    assert certain > share(10) or share(150) < 60


def _circle(rules: Rules, random: Random) -> tuple[Position, int]:
    """A position with two or three stones that random play came back to, and after how many plies."""
    while True:
        rows = [[0] * rules.holes, [0] * rules.holes]
        for _ in range(random.randint(2, 3)):
            rows[random.randrange(2)][random.randrange(rules.holes)] = 1
        rest, shift = rules.total - sum(map(sum, rows)), random.randint(-3, 3)
        position = Setup(rules, (rows[0], rows[1]), (rest // 2 + shift, rest - rest // 2 - shift)).position()
        seen: dict[Position, int] = {}
        for ply in range(3 * rules.holes):
            if position.outcome() is not None:
                break
            if position in seen:
                return position, ply - seen[position]
            seen[position] = ply
            position = position.play(random.choice(position.legal_moves()))


@pytest.mark.parametrize("name", ["toguz", "castle", "bestemshe"])
def test_a_circle_within_the_tree_is_a_draw(name: str) -> None:
    """The games that can go round, from positions that do, until the circle has decided what a move is worth.

    Valued by hand: a circle decides sooner than with the network, which tells more positions apart.
    """
    rules, random = GAMES[name], Random(f"circle {name} 0")
    engine, endless = Engine(rules, table_mib=0, network=None, tables=None), replace(rules, threefold=0, recurrence=0)
    decided = 0
    for _ in range(400):
        position, plies = _circle(rules, random)
        assert agree(engine, position, plies + 1) > 0
        without = Plain(engine, replace(position, rules=endless)).moves(replace(position, rules=endless), plies + 1)
        decided += without != Plain(engine, position).moves(position, plies + 1)
        if decided == share(3):
            return
    raise AssertionError("no circle mattered")


@pytest.mark.parametrize("name", GAMES)
def test_the_table_changes_no_value(name: str) -> None:
    """Deep searches along a game, one engine with a table that it keeps, the other without."""
    rules, random = replace(GAMES[name], threefold=0, recurrence=0), Random(f"table {name}")
    plain = Engine(rules, table_mib=0, tables=None)
    for _ in range(share(12)):
        kept, position = Engine(rules, table_mib=1, tables=None), small_setup(rules, random)
        for _ in range(8):
            if position.outcome() is not None:
                break
            limits = Limits(depth=random.randint(5, 8))
            expected = plain.analyse(position, limits, lines=9, exact_depth=True).lines
            found = kept.analyse(position, limits, lines=9, exact_depth=True).lines
            if not any(line.exact for line in (*expected, *found)):
                values = {line.move: line.evaluation for line in expected}
                assert {line.move: line.evaluation for line in found} == values, repr(position)
            position = position.play(random.choice(position.legal_moves()))


def test_the_table_keeps_two_readings_of_the_end_apart() -> None:
    """With more than 20 stones a decided game is estimated, with fewer it is played out; they must not mix."""
    rules = replace(TOGUZ_KORGOOL, threefold=0, recurrence=0)
    kept, plain = Engine(rules, table_mib=1, tables=None), Engine(rules, table_mib=0, tables=None)
    many = Position.parse("1S,2S,1,1S,1S,1,1S,1,2S/2S,1S,2S,3,3S,1S,4S 79 62 S 1", rules)
    kept.analyse(many, Limits(depth=6), lines=9, exact_depth=True)
    few = many.play(9)
    assert sum(map(sum, few.holes)) <= 20 < sum(map(sum, many.holes))
    found, expected = (
        {line.move: line.evaluation for line in engine.analyse(few, Limits(depth=5), lines=9, exact_depth=True).lines}
        for engine in (kept, plain)
    )
    assert found == expected


@cache
def solved(position: Position) -> int:
    """The final difference under perfect play, to the very end; only for games that cannot go round."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.stores[position.to_move] - outcome.stores[position.to_move.other]
    children = [position.play(move) for move in position.legal_moves()]
    return max(solved(child) * (1 if child.to_move is position.to_move else -1) for child in children)


@pytest.mark.parametrize("name", ["toguz", "mangala", "castle"])
def test_endgames_are_exact(name: str) -> None:
    """Few stones, and in the games that could go round a tuz, after which they cannot.

    Short searches come first and again: what the table then tells must not be taken for proven.
    """
    rules, random, engine = GAMES[name], Random(f"end {name}"), Engine(GAMES[name], table_mib=4, tables=None)
    exact = 0
    for _ in range(share(40)):
        while True:
            position = small_setup(rules, random)
            stones = sum(map(sum, position.holes))
            if stones <= (10 if name == "mangala" else 6) and (not rules.tuz or position.tuz != (None, None)):
                break
        endless = replace(rules, goal=0)
        expected = solved(Position(endless, position.holes, position.stores, position.tuz, position.to_move))
        for limits in (Limits(depth=3), Limits(depth=3), Limits(nodes=300), Limits(depth=60, nodes=2_000_000)):
            line = engine.analyse(position, limits).lines[0]
            if line.exact:
                assert line.evaluation == expected, repr(position)
                assert (line.win, line.draw, line.loss) == (expected > 0, expected == 0, expected < 0)
        exact += line.exact
    assert exact >= share(40) * 3 // 4
    solved.cache_clear()


def _study(text: str) -> tuple[str, Position]:
    """What the composer claims for White, who is to move, and the position."""
    study = json.loads(text)
    tuz = study["tuz_white"], study["tuz_black"]
    kazan = study["kazan"][0], study["kazan"][1]
    return study["goal"], Setup(TOGUZ_KORGOOL, (study["white"], study["black"]), kazan, tuz).position()


@pytest.mark.parametrize("nodes", [400_000, pytest.param(3_000_000, marks=pytest.mark.long)])
def test_studies(shared: Path, nodes: int) -> None:
    """Composed endgames: where the search says that the end is certain, it is what the composer says."""
    engine = Engine(TOGUZ_KORGOOL, tables=None)
    certain_ones = 0
    for text in (shared / "data" / "endgame_studies.jsonl").read_text(encoding="utf-8").splitlines():
        goal, position = _study(text)
        line = engine.analyse(position, Limits(nodes=nodes)).lines[0]
        assert line.loss < 1, text
        if line.win == 1 or line.exact:
            certain_ones += 1
            assert (line.win == 1) == (goal == "win"), (text, line)
    assert certain_ones >= 3


@pytest.mark.parametrize("number", [1, 2, 4])
def test_studies_are_proven_within_a_minute(shared: Path, number: int) -> None:
    """A certain win is proven whatever its size; a draw is, when it is exact."""
    text = (shared / "data" / "endgame_studies.jsonl").read_text(encoding="utf-8").splitlines()[number - 1]
    goal, position = _study(text)
    began, engine, found = time.process_time(), Engine(TOGUZ_KORGOOL, table_mib=256), list[Line]()

    def look(analysis: Analysis) -> None:
        found.append(analysis.lines[0])
        if found[-1].win == 1 or found[-1].exact:
            engine.stop()

    found.append(engine.analyse(position, Limits(seconds=240), on_depth=look).lines[0])
    assert time.process_time() - began < 60
    assert (found[-1].win, found[-1].draw) == ((1, 0) if goal == "win" else (0, 1))

"""The values against a solver written apart, position by position, and against the rules by one step."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from korgool.engine.tables import Bounds, Tables, holding_moves
from korgool.rules import BESTEMSHE, GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Position, Rules, Side
from tests.slices import drawn
from tests.tables.naive import finals, follow, full_position, key_of, keys, owners, played_out, position, solve, value
from tests.tables.support import bounds, built

TablesOf = Callable[[str], Tables]
SHORT = dict.fromkeys(GAMES, 5) | {"toguz": 2, "castle": 3}
WHOLE = dict.fromkeys(GAMES, 8) | {"toguz": 6}


def compare(tables: Tables, rules: Rules, most: int) -> int:
    """Every position up to `most` stones by both; how many."""
    count = 0
    for known in solve(rules, most):
        wrong = [(key, found, said) for key, found in known.items() if (said := bounds(tables, rules, key)) != found]
        assert wrong[:5] == []
        count += len(known)
    return count


@pytest.mark.parametrize("name", GAMES)
def test_every_small_position(name: str, tables_of: TablesOf) -> None:
    assert compare(tables_of(name), GAMES[name], SHORT[name]) > 3000


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_every_position_of_the_promise(name: str, folder: Path) -> None:
    """Up to 8 stones of mangala, castle and bestemshe and up to 6 of toguz korgool; seven minutes of a processor."""
    assert compare(built(GAMES[name], WHOLE[name], folder), GAMES[name], WHOLE[name]) > 40000


OPTIONS = [
    replace(MANGALA, sweep="owner"),
    replace(MANGALA, sweep="nobody", extra_turn_single=False),
    replace(MANGALA, extra_turn=False, empty_capture=False, ending="no_move"),
    replace(MANGALA_CASTLE, tuz_same_number=False, tuz_last_hole=True),
    replace(MANGALA_CASTLE, tuz_takes=False),
    replace(MANGALA_CASTLE, store_sown=True, extra_turn=True, empty_capture=True),
    replace(BESTEMSHE, empty_capture=True, sweep="emptied"),
    replace(TOGUZ_KORGOOL, holes=3, tuz_last_hole=True, tuz_same_number=True),
    replace(TOGUZ_KORGOOL, holes=3, tuz_takes=False),
    replace(TOGUZ_KORGOOL, holes=1, goal=0),
    replace(TOGUZ_KORGOOL, holes=2, ending="side_empty", sweep="emptied"),
]


@pytest.mark.parametrize("rules", [*GAMES.values(), *OPTIONS], ids=range(len(GAMES) + len(OPTIONS)))
def test_the_naive_solver_moves_as_the_rules_do(rules: Rules) -> None:
    for stones in range(5):
        for won, lost in owners(rules):
            for key in keys(rules, stones, won, lost, every=1 + 3 * stones):
                at = position(rules, key)
                outcome, children = at.outcome(), follow(rules, key)
                if outcome is not None:
                    assert children == outcome.stores[0] - outcome.stores[1]
                    continue
                assert isinstance(children, list)
                for number, (gain, same, after) in zip(at.legal_moves(), children, strict=True):
                    played = at.play(number)
                    assert (gain, same, after) == (
                        played.stores[0] - played.stores[1],
                        played.to_move is Side.WHITE,
                        key_of(played),
                    )


@pytest.mark.parametrize("rules", drawn("other rules", OPTIONS, 5), ids=range(len(OPTIONS)))
def test_every_small_position_of_other_rules(rules: Rules, tmp_path: Path) -> None:
    most = 6 if rules.holes < 4 else 3
    compare(built(rules, most, tmp_path), rules, most)


@pytest.mark.parametrize("name", GAMES)
def test_positions_agree_with_those_that_follow(name: str, tables_of: TablesOf) -> None:
    """Larger positions: each value is the best over the moves of the reference rules."""
    rules, tables, random = GAMES[name], tables_of(name), Random(7)
    sets, checked = owners(rules), 0
    for _ in range(400):
        won, lost = random.choice(sets)
        stones = random.randint(max(1, tables.stones - 3), tables.stones)
        key = next(islice(keys(rules, 1, won, lost), random.randrange(rules.holes), None), None)
        if key is None:
            continue
        rows = [list(key[0]), list(key[1])]
        free = [
            (s, h) for s in (0, 1) for h in range(rules.holes) if not (h == won and s) and not (h == lost and not s)
        ]
        while sum(map(sum, rows)) < stones:
            side, hole = random.choice(free)
            rows[side][hole] += 1
        key = (tuple(rows[0]), tuple(rows[1]), won, lost)
        after = [key_of(position(rules, key).play(move)) for move in position(rules, key).legal_moves()]
        told = {each: bounds(tables, rules, each) or (-math.inf, math.inf) for each in after}
        assert bounds(tables, rules, key) == value(rules, key, told)
        checked += 1
    assert checked > 300


@pytest.mark.parametrize(
    ("rules", "stones", "goal"),
    [
        (BESTEMSHE, 4, 5),
        pytest.param(BESTEMSHE, 5, 6, marks=pytest.mark.long),
        (replace(TOGUZ_KORGOOL, holes=4), 3, 6),
    ],
)
def test_stores_decide_what_endless_play_is_worth(rules: Rules, stones: int, goal: int, tmp_path: Path) -> None:
    """Every position with every content of the stores, solved without bounds: `docs/tables.md` says why they do it."""
    rules = replace(rules, goal=goal)
    tables = built(rules, stones, tmp_path)
    total = 2 * goal - 2
    roots = [
        (key, own, total - left - own)
        for left in range(stones + 1)
        for key in keys(rules, left, None, None)
        for own in range(total - left + 1)
        if own < goal and total - left - own < goal
    ]
    differences, results = finals(played_out(rules), roots), finals(rules, roots)
    without_number = 0
    for full in roots:
        at = full_position(rules, full)
        if at.outcome() is not None:
            continue
        bound = tables.probe(at)
        assert bound is not None
        assert bound.final(full[1] - full[2]) == differences[full]
        assert tables.result(at) == results[full]
        number = tables.value(at)
        without_number += number is None
        assert number in {None, differences[full]}
        assert number is not None or (differences[full] == 0 and results[full] != 0)
    assert without_number < len(roots) / 10
    assert without_number > 0 or rules.tuz


def test_what_tables_do_not_hold() -> None:
    tables = Tables(TOGUZ_KORGOOL)
    assert tables.stones == 0
    assert tables.probe(TOGUZ_KORGOOL.start()) is None
    assert tables.value(TOGUZ_KORGOOL.start()) is None
    assert tables.result(TOGUZ_KORGOOL.start()) is None
    with pytest.raises(ValueError, match="9 holes"):
        tables.probe(MANGALA.start())


def test_bounds_resolve_with_the_stores() -> None:
    free, fixed = Bounds(None, None), Bounds(2, 2)
    assert [free.final(d) for d in (-9, 0, 9)] == [0, 0, 0]
    assert [fixed.final(d) for d in (-3, -2, 3)] == [-1, 0, 5]
    assert [Bounds(-2, 4).final(d) for d in (-5, -4, 0, 2, 3)] == [-1, 0, 0, 0, 1]
    assert [Bounds(-2, None).final(d) for d in (-50, 1, 3)] == [0, 0, 1]
    assert fixed.settled
    assert not free.settled


def test_moves_and_colours(tables_of: TablesOf) -> None:
    """The value belongs to the side to move, whoever it is, and the best move keeps it."""
    tables = tables_of("mangala")
    for random in map(Random, range(40)):
        rows = [[0] * 6, [0] * 6]
        for _ in range(9):
            rows[random.randrange(2)][random.randrange(6)] += 1
        own = random.randrange(40)
        white = Position(MANGALA, (tuple(rows[0]), tuple(rows[1])), (own, 39 - own))
        black = Position(MANGALA, white.holes[::-1], white.stores[::-1], to_move=Side.BLACK)
        assert tables.value(white) == tables.value(black)
        if white.outcome() is None:
            assert tables.moves(white) == tables.moves(black)
            assert max(tables.moves(white).values()) == tables.value(white)
            assert set(tables.moves(white)) == set(white.legal_moves())


@pytest.mark.long
def test_study(shared: Path, tmp_path: Path) -> None:
    """The one of Akshuraev's eight studies that tables of a few seconds reach: White draws."""
    lines = (shared / "data" / "endgame_studies.jsonl").read_text(encoding="utf-8").splitlines()
    study = next(line for line in map(json.loads, lines) if line["study"] == 2)
    tuz = study["tuz_white"], study["tuz_black"]
    at = Position(TOGUZ_KORGOOL, (tuple(study["white"]), tuple(study["black"])), tuple(study["kazan"]), tuz)
    tables = built(TOGUZ_KORGOOL, 9, tmp_path)
    assert study["goal"] == "draw"
    assert tables.value(at) == 0
    assert holding_moves(tables, at) == [move for move, value in tables.moves(at).items() if value == 0]

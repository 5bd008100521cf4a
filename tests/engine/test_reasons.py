"""Reasons for and against moves: everything the kernel says is found again by sowing with the reference, and only that.

The oracle (`reason_facts.py`) says in a line what each kind means. Whatever it finds must be told, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from korgool.engine.limits import Limits
from korgool.engine.reasons import Reason, ReasonKind, explain, faults, reasons
from korgool.engine.search import Engine, Line
from korgool.rules import GAMES, Position, Rules, Setup, Side
from tests.engine.reason_facts import (
    BY_SOWING,
    expected,
    expected_faults,
    fact,
    holds_as_well,
    moves_left,
    of_move,
    sowings,
    told_by,
)
from tests.kernel.reference import random_setup, variations


def in_order(found: tuple[Reason, ...]) -> bool:
    """First the heaviest that no other move has, then the others by weight, and last that all stones stay at home."""
    own = [one for one in found if not one.shared and one.kind is not ReasonKind.HOME]
    rest = found[1:] if own else found
    keys = [(one.kind is ReasonKind.HOME, -one.weight) for one in rest]
    return keys == sorted(keys) and (not own or found[0] == max(own, key=lambda one: one.weight))


def random_line(position: Position, random: Random) -> tuple[int, ...]:
    """Some moves that may follow, the last one perhaps not playable."""
    line: list[int] = []
    while (moves := position.legal_moves()) and len(line) < 6:
        line.append(random.choice(moves))
        position = position.play(line[-1])
    return (*line, random.randint(0, 300))


def hold(position: Position, random: Random) -> Counter[ReasonKind]:
    """Every move of a position, and every pair of moves, against the oracle."""
    seen: Counter[ReasonKind] = Counter()
    for move in position.legal_moves():
        line = random_line(position.play(move), random)
        for better in random.sample(position.legal_moves(), min(2, len(position.legal_moves()))):
            rest = random_line(position.play(better), random)
            other = (better, *rest) if better != move else ()
            found = reasons(position, move, line, other)
            assert in_order(found), f"{found}"
            told = told_by(found)
            assert told == expected(position, move, line, other), f"{position!r} {move} {line} {other}"
            others = of_move(position, better, rest) if other else {}
            for one in found:
                assert one.shared == holds_as_well(one.kind, told[one.kind], others), (
                    f"{position!r} {move} {other} {one}"
                )
            seen.update(told.keys())
            against = faults(position, move, better, line, rest)
            assert [one.weight for one in against] == sorted((one.weight for one in against), reverse=True)
            told = told_by(against)
            assert told == expected_faults(position, move, better, line, rest), f"{position!r} {move} for {better}"
            seen.update(told.keys())
    return seen


def hold_game(position: Position, random: Random, most: int = 300) -> Counter[ReasonKind]:
    """Every position of a random game, many captures in it."""
    seen: Counter[ReasonKind] = Counter()
    for _ in range(most):
        if position.outcome() is not None:
            break
        seen += hold(position, random)
        best = max(sowings(position), key=lambda sowing: (sowing.taken, random.random()))
        position = best.after if random.random() < 0.5 else position.play(random.choice(position.legal_moves()))
    return seen


def late(rules: Rules, random: Random) -> Position:
    """Few stones on the board and the stores nearly level: here games end, and by a hair."""
    holes = [[0] * rules.holes, [0] * rules.holes]
    for _ in range(random.randint(2, 7)):
        holes[random.randrange(2)][random.randrange(rules.holes)] += random.choice((1, 1, 1, 2, 3))
    tuz: list[int | None] = [None, None]
    if rules.tuz and random.random() < 0.4:
        owner, hole = random.choice(list(Side)), random.randrange(1, rules.holes)
        tuz[owner] = hole
        if rules.tuz_takes:
            holes[owner.other][hole - 1] = 0
    rest = rules.total - sum(map(sum, holes))
    white = rest // 2 + random.randint(-3, 3)
    stores, mover = (white, rest - white), Side(random.randrange(2))
    return Setup(rules, (holes[0], holes[1]), stores, (tuz[0], tuz[1]), mover).position(lenient=True)


NEVER = {
    "toguz": {ReasonKind.OPPOSITE, ReasonKind.TURN, ReasonKind.FOLLOWS, ReasonKind.MISSES_TURN},
    "bestemshe": {kind for kind in BY_SOWING if "tuz" in kind or "feeds" in kind}
    | {ReasonKind.OPPOSITE, ReasonKind.TURN, ReasonKind.FOLLOWS, ReasonKind.MISSES_TURN},
    "castle": {
        ReasonKind.GOAL,
        ReasonKind.STARVES,
        ReasonKind.OPPOSITE,
        ReasonKind.TURN,
        ReasonKind.FOLLOWS,
        ReasonKind.MISSES_TURN,
    },
    "mangala": {kind for kind in BY_SOWING if "tuz" in kind or "feeds" in kind}
    | {ReasonKind.GOAL, ReasonKind.STARVES, ReasonKind.SURE}
    | {ReasonKind.TEMPO, ReasonKind.STARVING, ReasonKind.RUNS_OUT, ReasonKind.GIVES_MOVES, ReasonKind.STARVED},
}
"""What cannot be said in a game."""
RARE = {ReasonKind.LOSES}
"""What few of the positions show."""


def _all_kinds(name: str, games: int, plies: int, setups: int, lates: int, seed: str) -> None:
    rules, random = GAMES[name], Random(f"reasons {name} {seed}")
    seen: Counter[ReasonKind] = Counter()
    for _ in range(games):
        seen += hold_game(rules.start(), random, most=plies)
    for _ in range(setups):
        seen += hold_game(random_setup(rules, random), random, most=3)
    for _ in range(lates):
        seen += hold_game(late(rules, random), random, most=2)
    # Of a game that is not listed it is not known what cannot be said.
    expected_kinds = BY_SOWING - NEVER[name] if name in NEVER else set(seen)
    assert set(seen) - RARE == expected_kinds - RARE, set(seen) ^ expected_kinds


@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_so_is_said_and_nothing_else(name: str) -> None:
    _all_kinds(name, 1, 12, 30, 300, "")


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_all_that_is_so_is_said_in_many_games(name: str, seed: int) -> None:
    _all_kinds(name, 20, 300, 600, 600, str(seed))


def _varied() -> list[tuple[str, Rules]]:
    return [(f"{name}-{n}", varied) for name, rules in GAMES.items() for n, varied in enumerate(variations(rules))]


def test_under_every_option_of_the_rules() -> None:
    for name, rules in _varied():
        random = Random(f"reasons {name}")
        hold_game(random_setup(rules, random), random, most=2)
        for _ in range(4):
            hold_game(late(rules, random), random, most=2)


def test_a_player_who_starves_in_his_own_turn_starves_nobody_else() -> None:
    rules = replace(GAMES["mangala"], ending="no_move")
    position = Setup(rules, ((0, 0, 0, 0, 0, 1), (0, 0, 9, 0, 0, 0)), (30, 8)).position()
    told = told_by(reasons(position, 6))
    assert told == expected(position, 6, ()) == {ReasonKind.WINS: fact(31 + 9 - 8), ReasonKind.SWEEPS: fact(9)}


def test_a_move_that_ends_the_game_lost_is_told_so() -> None:
    """White's last stone falls into Black's tuz, whose store reaches 82."""
    rules = GAMES["toguz"]
    setup = Setup(rules, ((1, 0, 0, 0, 0, 0, 1, 0, 0), (9, *(0,) * 8)), (70, 81), (None, 8), Side.WHITE)
    told = told_by(faults(setup.position(), 7, 1))
    assert told == expected_faults(setup.position(), 7, 1)
    assert told[ReasonKind.LOSES] == fact(82 - 70)


def test_a_move_that_cannot_be_played_is_refused() -> None:
    start = GAMES["toguz"].start()
    with pytest.raises(ValueError, match="there is no hole 10"):
        reasons(start, 10)
    for move, better in ((0, 1), (1, 12)):
        with pytest.raises(ValueError, match="there is no hole"):
            faults(start, move, better)
        with pytest.raises(ValueError, match="there is no hole"):
            reasons(start, move, (), (better,))
    over = Position.parse("9/9 81 81 S 60")
    with pytest.raises(ValueError, match="the game is over"):
        reasons(over, 1)


def _line(move: int, evaluation: float = 0.0, **values: Any) -> Line:
    return replace(Line(move, evaluation, 0.5, 0.0, 0.5, exact=False, depth=9, pv=(move,)), **values)


def _values(found: tuple[Reason, ...]) -> list[tuple[ReasonKind, int]]:
    return [(reason.kind, reason.stones) for reason in found if reason.kind not in BY_SOWING]


def test_what_values_say() -> None:
    start = GAMES["toguz"].start()
    assert _values(explain(start, [_line(8, 5.9), _line(7, 1.2)])) == [(ReasonKind.BEST_BY, 4)]
    assert _values(explain(start, [_line(8, 5.9), _line(7, 5.0)])) == []
    assert _values(explain(start, [_line(8, 5.9), _line(7, 5.5)])) == [(ReasonKind.AS_GOOD, 0)]
    assert _values(explain(start, [_line(8, 5.9), _line(7, 1.2)], 1)) == []
    assert _values(explain(start, [_line(8, 5.9)])) == []
    won = _line(8, 30, win=1.0, loss=0.0)
    assert _values(explain(start, [won, _line(7, 1.2)])) == [(ReasonKind.SURE_WIN, 0)]
    assert _values(explain(start, [won, replace(won, move=7, evaluation=20, pv=(7,))])) == [(ReasonKind.SURE_WIN, 0)]
    drawn = _line(8, 0, win=0.0, draw=1.0, loss=0.0, exact=True)
    assert _values(explain(start, [drawn, _line(7, -3, win=0.0, loss=1.0)])) == [(ReasonKind.SURE_DRAW, 0)]
    one = Position.parse("9S,8/8,1S 80 72 S 70")
    assert _values(explain(one, [_line(9)])) == [(ReasonKind.ONLY, 0)]


@pytest.mark.parametrize("name", GAMES)
def test_reasons_of_what_the_engine_plays(name: str) -> None:
    """Through a game of the engine's: the values that are told are those of the lines, and the facts are so."""
    rules = GAMES[name]
    engine, position, seen = Engine(rules), rules.start(), Counter[ReasonKind]()
    while position.outcome() is None:
        legal = position.legal_moves()
        lines = engine.analyse(position, Limits(nodes=2000), lines=min(2, len(legal))).lines
        told = explain(position, lines)
        facts = {kind: fact for kind, fact in told_by(told).items() if kind in BY_SOWING}
        assert facts == expected(position, lines[0].move, lines[0].pv[1:], lines[1].pv if len(lines) > 1 else ())
        for kind, stones in _values(told):
            if kind is ReasonKind.BEST_BY:
                assert stones <= lines[0].evaluation - lines[1].evaluation
            if kind is ReasonKind.AS_GOOD:
                assert lines[0].evaluation - lines[1].evaluation < 0.5
            assert (kind is ReasonKind.ONLY) <= (len(legal) == 1)
            assert (kind is ReasonKind.SURE_WIN) <= (lines[0].win == 1)
        seen.update(reason.kind for reason in told)
        position = position.play(lines[0].move)
    assert seen[ReasonKind.CAPTURES] or seen[ReasonKind.OPPOSITE]
    assert seen[ReasonKind.BEST_BY]


def test_moves_are_counted_by_the_longest_row_of_them() -> None:
    """No other order gives more moves at home; all moves are at most as many as are counted."""

    @cache
    def most(row: tuple[int, ...], wall: int, home: bool) -> int:
        best = 0
        for hole, lifted in enumerate(row, 1):
            targets = range(hole + 1, hole + 2) if lifted == 1 else range(hole, hole + lifted)
            if not lifted or hole == wall or (home and (targets[-1] > len(row) or wall in targets)):
                continue
            after = [0 if at == hole else stones for at, stones in enumerate(row, 1)]
            for target in targets:
                if target <= len(row) and target != wall:
                    after[target - 1] += 1
            best = max(best, 1 + most(tuple(after), wall, home))
        return best

    rules, random = GAMES["toguz"], Random("moves left")
    for _ in range(150):
        row, wall = [0] * 9, random.choice((None, None, *range(1, 9)))
        for _ in range(random.randint(0, 7)):
            row[random.randrange(9)] += 1
        if wall:
            row[wall - 1] = 0
        setup = Setup(rules, (tuple(row), (0,) * 9), (0, 0), (None, wall), Side.WHITE)
        position = setup.position(lenient=True)
        assert moves_left(position, Side.WHITE, home=True) == most(tuple(row), wall or 0, True), row
        assert moves_left(position, Side.WHITE, home=False) >= most(tuple(row), wall or 0, False), row


def test_the_first_reason_is_not_one_that_the_second_best_move_has_too() -> None:
    start = GAMES["toguz"].start().play(7)
    first = reasons(start, 7, (), (8,))[0]
    assert (first.kind, first.stones, first.shared) == (ReasonKind.SAVES, 10, False)
    assert ReasonKind.SAVES not in of_move(start, 8, ())
    quiet = Position.parse("2S,t,2S,1S,2S,3S,1S,2S,1/1,1S,1S,t,3S,1S,1S,4S,1 74 64 N 30")
    told = reasons(quiet, 5, (8, 1, 8, 6, 2, 6, 7, 4), (6, 6, 5, 8, 1, 8, 6, 2, 5))
    assert told[-1].kind is ReasonKind.HOME
    assert told[-1].shared


def test_a_loss_that_comes_later_is_named_with_the_holes_that_lead_to_it() -> None:
    start = GAMES["toguz"].start().play(7)
    later = next(one for one in faults(start, 9, 7, (7, 2, 3)) if one.kind is ReasonKind.ALLOWS_LATER)
    assert (later.stones, later.hole, later.line) == (12, 3, (9, 7, 2))

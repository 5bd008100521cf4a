"""Reasons for and against moves: everything the kernel says is found again by sowing with the reference, and only that.

The oracle below says in a line what each kind means. Whatever it finds must be told, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

import pytest

from korgool.engine.limits import Limits
from korgool.engine.reasons import Reason, ReasonKind, explain, faults, reasons
from korgool.engine.search import Engine, Line
from korgool.rules import GAMES, Position, Rules, Setup, Side, Sowing, Termination
from tests.kernel.reference import random_setup, variations

Fact: TypeAlias = tuple[int, int, int]
"""Stones, left, hole."""


def passed(position: Position) -> Position:
    """The same board with the other side to move."""
    return replace(position, to_move=position.to_move.other)


@lru_cache(maxsize=4096)
def sowings(position: Position) -> tuple[Sowing, ...]:
    return tuple(position.sow(move) for move in position.legal_moves())


def wins(sowing: Sowing) -> bool:
    return sowing.outcome is not None and sowing.outcome.winner is sowing.mover


def largest(position: Position) -> tuple[int, int]:
    """The largest capture of the side to move and the first hole that makes it; 0, 0 without one."""
    return max(((sowing.taken, sowing.hole) for sowing in sowings(position) if sowing.taken), default=(0, 0),
               key=lambda found: (found[0], -found[1]))  # fmt: skip


def winning(position: Position) -> list[int]:
    return [sowing.hole for sowing in sowings(position) if wins(sowing)]


def tuz_holes(position: Position) -> list[int]:
    return sorted({sowing.tuz for sowing in sowings(position) if sowing.tuz is not None})


def fed(sowing: Sowing, owner: Side) -> int:
    return sum(drop.tuz_owner is owner for drop in sowing.drops)


def lead(sowing: Sowing) -> int:
    assert sowing.outcome is not None
    return sowing.outcome.stores[sowing.mover] - sowing.outcome.stores[sowing.mover.other]


def of_sowing(position: Position, sowing: Sowing) -> dict[ReasonKind, Fact]:
    mover, outcome, told = sowing.mover, sowing.outcome, dict[ReasonKind, Fact]()
    own_tuz = position.tuz[mover]
    if outcome is not None:
        if wins(sowing) and outcome.termination is Termination.MAJORITY:
            told[ReasonKind.GOAL] = outcome.stores[mover], 0, 0
        elif wins(sowing):
            told[ReasonKind.WINS] = lead(sowing), 0, 0
        elif outcome.winner is None:
            told[ReasonKind.DRAWS] = 0, 0, 0
        if outcome.termination is Termination.NO_MOVE and sowing.after.to_move is not mover:
            told[ReasonKind.STARVES] = 0, 0, 0
        if outcome.swept[mover]:
            told[ReasonKind.SWEEPS] = outcome.swept[mover], 0, 0
    if sowing.tuz is not None:
        told[ReasonKind.TUZ] = sowing.taken, 0, sowing.tuz
    elif len(sowing.captured) == 1:
        told[ReasonKind.CAPTURES] = sowing.taken, 0, sowing.captured[0][1]
    elif sowing.captured:
        told[ReasonKind.OPPOSITE] = sowing.taken, 0, sowing.last.hole
    if fed(sowing, mover):
        assert own_tuz is not None
        told[ReasonKind.FEEDS] = fed(sowing, mover), 0, own_tuz
    if all(drop.side is mover and drop.hole and drop.tuz_owner is None for drop in sowing.drops):
        told[ReasonKind.HOME] = 0, 0, 0
    if sowing.extra_turn:
        told[ReasonKind.TURN] = 0, 0, 0
        stones, hole = largest(sowing.after)
        if stones:
            told[ReasonKind.FOLLOWS] = stones, 0, hole
    return told


def of_defence(position: Position, after: Position) -> dict[ReasonKind, Fact]:
    danger, told = passed(position), dict[ReasonKind, Fact]()
    if winning(danger) and not winning(after):
        told[ReasonKind.STOPS_WIN] = 0, 0, winning(danger)[0]
    if tuz_holes(danger) and not tuz_holes(after):
        told[ReasonKind.STOPS_TUZ] = 0, 0, tuz_holes(danger)[0]
    before, now = largest(danger)[0], largest(after)[0]
    if now < before:
        told[ReasonKind.REDUCES if now else ReasonKind.SAVES] = before, now, 0
    return told


def of_threats(position: Position, move: int, after: Position) -> dict[ReasonKind, Fact]:
    free, told = passed(after), dict[ReasonKind, Fact]()
    if winning(free) and not winning(position):
        told[ReasonKind.THREATENS_WIN] = 0, 0, winning(free)[0]
    new = [hole for hole in tuz_holes(free) if hole not in tuz_holes(position)]
    if new:
        told[ReasonKind.THREATENS_TUZ] = 0, 0, new[0]
    known = {sowing.hole: sowing.taken for sowing in sowings(position) if sowing.hole != move}
    fresh = [(one.taken, -one.hole) for one in sowings(free) if one.taken > known.get(one.hole, 0)]
    if fresh:
        stones, hole = max(fresh)
        told[ReasonKind.THREATENS] = stones, 0, -hole
    answers = sowings(after)
    if not position.rules.extra_turn:
        least = min(largest(answer.after)[0] for answer in answers)
        if least:
            told[ReasonKind.SURE] = least, 0, 0
    if len(answers) == 1:
        told[ReasonKind.FORCES] = 0, 0, answers[0].hole
    return told


def of_line(
    position: Position, sowing: Sowing, line: tuple[int, ...], told: dict[ReasonKind, Fact]
) -> dict[ReasonKind, Fact]:
    at = sowing.after
    for ply, number in enumerate(line):
        if number not in at.legal_moves():
            return {}
        next_ = at.sow(number)
        if next_.mover is position.to_move:
            assert ply, "the opponent answers first"
            made = next_.tuz
            if told.get(ReasonKind.THREATENS) == (next_.taken, 0, number) or (
                made is not None and told.get(ReasonKind.THREATENS_TUZ) == (0, 0, made)
            ):
                return {}
            if made is not None:
                return {ReasonKind.PREPARES_TUZ: (next_.taken, 0, made)}
            return {ReasonKind.PREPARES: (next_.taken, 0, number)} if next_.taken else {}
        at = next_.after
    return {}


def expected(position: Position, move: int, line: tuple[int, ...]) -> dict[ReasonKind, Fact]:
    """All that is to be said for a move."""
    sowing = position.sow(move)
    told = of_sowing(position, sowing)
    if sowing.outcome is None and not sowing.extra_turn:
        told |= of_defence(position, sowing.after) | of_threats(position, move, sowing.after)
        told |= of_line(position, sowing, line, told)
    return told


def expected_faults(position: Position, move: int, better: int) -> dict[ReasonKind, Fact]:
    """All that is to be said against a move beside a better one."""
    sowing, best, told = position.sow(move), position.sow(better), dict[ReasonKind, Fact]()
    mover, foe = position.to_move, position.to_move.other
    over = sowing.outcome
    if over is not None and over.winner is foe:
        told[ReasonKind.LOSES] = -lead(sowing), 0, 0
    if wins(best) and not wins(sowing):
        told[ReasonKind.MISSES_WIN] = 0, 0, 0
    if best.tuz is not None and sowing.tuz is None:
        told[ReasonKind.MISSES_TUZ] = 0, 0, best.tuz
    elif best.taken > sowing.taken:
        told[ReasonKind.MISSES] = best.taken, 0, 0
    if best.extra_turn and not sowing.extra_turn:
        told[ReasonKind.MISSES_TURN] = 0, 0, 0
    their = position.tuz[foe]
    if fed(sowing, foe) > fed(best, foe):
        assert their is not None
        told[ReasonKind.FEEDS_OTHER] = fed(sowing, foe), 0, their
    if over is not None or mover in {sowing.after.to_move, best.after.to_move}:
        return told
    now, then = sowing.after, best.after
    if winning(now) and not winning(then):
        told[ReasonKind.ALLOWS_WIN] = 0, 0, winning(now)[0]
    if tuz_holes(now) and not tuz_holes(then):
        told[ReasonKind.ALLOWS_TUZ] = 0, 0, tuz_holes(now)[0]
    if largest(now)[0] > largest(then)[0]:
        stones, hole = largest(now)
        told[ReasonKind.ALLOWS] = stones, 0, hole
    return told


def told_by(found: tuple[Reason, ...]) -> dict[ReasonKind, Fact]:
    weights = [reason.weight for reason in found]
    assert weights == sorted(weights, reverse=True)
    told = {reason.kind: (reason.stones, reason.left, reason.hole) for reason in found}
    assert len(told) == len(found), "a kind is told once"
    return told


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
        told = told_by(reasons(position, move, line))
        assert told == expected(position, move, line), f"{position!r} {move} {line}"
        seen.update(told.keys())
        for better in random.sample(position.legal_moves(), min(3, len(position.legal_moves()))):
            told = told_by(faults(position, move, better))
            assert told == expected_faults(position, move, better), f"{position!r} {move} for {better}"
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


BY_SOWING = frozenset(ReasonKind) - {ReasonKind.ONLY, ReasonKind.SURE_WIN, ReasonKind.SURE_DRAW, ReasonKind.BEST_BY}
NEVER = {
    "toguz": {ReasonKind.OPPOSITE, ReasonKind.TURN, ReasonKind.FOLLOWS, ReasonKind.MISSES_TURN},
    "bestemshe": {kind for kind in BY_SOWING if "tuz" in kind or "feeds" in kind}
    | {ReasonKind.OPPOSITE, ReasonKind.TURN, ReasonKind.FOLLOWS, ReasonKind.MISSES_TURN, ReasonKind.LOSES},
    "castle": {
        ReasonKind.GOAL,
        ReasonKind.STARVES,
        ReasonKind.OPPOSITE,
        ReasonKind.TURN,
        ReasonKind.FOLLOWS,
        ReasonKind.MISSES_TURN,
    },
    "mangala": {kind for kind in BY_SOWING if "tuz" in kind or "feeds" in kind}
    | {ReasonKind.GOAL, ReasonKind.STARVES, ReasonKind.SURE},
}
"""What cannot be said in a game."""


def _all_kinds(name: str, games: int, plies: int, setups: int, lates: int, seed: str) -> None:
    rules, random = GAMES[name], Random(f"reasons {name} {seed}")
    seen: Counter[ReasonKind] = Counter()
    for _ in range(games):
        seen += hold_game(rules.start(), random, most=plies)
    for _ in range(setups):
        seen += hold_game(random_setup(rules, random), random, most=3)
    for _ in range(lates):
        seen += hold_game(late(rules, random), random, most=3)
    # Of a game that is not listed it is not known what cannot be said.
    expected_kinds = BY_SOWING - NEVER[name] if name in NEVER else set(seen)
    assert set(seen) == expected_kinds, set(seen) ^ expected_kinds


@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_so_is_said_and_nothing_else(name: str) -> None:
    _all_kinds(name, 1, 12, 30, 280, "")


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
    assert told == expected(position, 6, ()) == {ReasonKind.WINS: (31 + 9 - 8, 0, 0), ReasonKind.SWEEPS: (9, 0, 0)}


def test_a_move_that_cannot_be_played_is_refused() -> None:
    start = GAMES["toguz"].start()
    with pytest.raises(ValueError, match="there is no hole 10"):
        reasons(start, 10)
    for move, better in ((0, 1), (1, 12)):
        with pytest.raises(ValueError, match="there is no hole"):
            faults(start, move, better)
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
        assert facts == expected(position, lines[0].move, lines[0].pv[1:])
        for kind, stones in _values(told):
            if kind is ReasonKind.BEST_BY:
                assert stones <= lines[0].evaluation - lines[1].evaluation
            assert (kind is ReasonKind.ONLY) <= (len(legal) == 1)
            assert (kind is ReasonKind.SURE_WIN) <= (lines[0].win == 1)
        seen.update(reason.kind for reason in told)
        position = position.play(lines[0].move)
    assert seen[ReasonKind.CAPTURES] or seen[ReasonKind.OPPOSITE]
    assert seen[ReasonKind.BEST_BY]

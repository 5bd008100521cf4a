"""All that is to be said for and against moves, found again by sowing with the reference: the oracle of the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from korgool.engine.reasons import Reason, ReasonKind
from korgool.rules import Position, Side, Sowing, Termination

Fact: TypeAlias = tuple[int, int, int, tuple[int, ...]]
"""Stones, left, hole, and the holes sown before it."""
Told: TypeAlias = dict[ReasonKind, Fact]
BY_SOWING = frozenset(ReasonKind) - {
    ReasonKind.ONLY,
    ReasonKind.SURE_WIN,
    ReasonKind.SURE_DRAW,
    ReasonKind.BEST_BY,
    ReasonKind.AS_GOOD,
}
"""What sowing shows; the other kinds come from values."""
BEFORE = 8
"""Sowings that may lie before what is told of a line."""
ROUNDS = 16


def fact(stones: int = 0, left: int = 0, hole: int = 0, line: Iterable[int] = ()) -> Fact:
    return stones, left, hole, tuple(line)


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


def of_sowing(position: Position, sowing: Sowing) -> Told:
    mover, outcome, told = sowing.mover, sowing.outcome, Told()
    own_tuz = position.tuz[mover]
    if outcome is not None:
        if wins(sowing) and outcome.termination is Termination.MAJORITY:
            told[ReasonKind.GOAL] = fact(outcome.stores[mover], 0, 0)
        elif wins(sowing):
            told[ReasonKind.WINS] = fact(lead(sowing), 0, 0)
        elif outcome.winner is None:
            told[ReasonKind.DRAWS] = fact(0, 0, 0)
        if outcome.termination is Termination.NO_MOVE and sowing.after.to_move is not mover:
            told[ReasonKind.STARVES] = fact(0, 0, 0)
        if outcome.swept[mover]:
            told[ReasonKind.SWEEPS] = fact(outcome.swept[mover], 0, 0)
    if sowing.tuz is not None:
        told[ReasonKind.TUZ] = fact(sowing.taken, 0, sowing.tuz)
    elif len(sowing.captured) == 1:
        told[ReasonKind.CAPTURES] = fact(sowing.taken, 0, sowing.captured[0][1])
    elif sowing.captured:
        told[ReasonKind.OPPOSITE] = fact(sowing.taken, 0, sowing.last.hole)
    if fed(sowing, mover):
        assert own_tuz is not None
        told[ReasonKind.FEEDS] = fact(fed(sowing, mover), 0, own_tuz)
    if all(drop.side is mover and drop.hole and drop.tuz_owner is None for drop in sowing.drops):
        told[ReasonKind.HOME] = fact(0, 0, 0)
    if sowing.extra_turn:
        told[ReasonKind.TURN] = fact(0, 0, 0)
        stones, hole = largest(sowing.after)
        if stones:
            told[ReasonKind.FOLLOWS] = fact(stones, 0, hole)
    return told


def of_defence(position: Position, after: Position) -> Told:
    danger, told = passed(position), Told()
    if winning(danger) and not winning(after):
        told[ReasonKind.STOPS_WIN] = fact(0, 0, winning(danger)[0])
    if tuz_holes(danger) and not tuz_holes(after):
        told[ReasonKind.STOPS_TUZ] = fact(0, 0, tuz_holes(danger)[0])
    before, now = largest(danger)[0], largest(after)[0]
    if now < before:
        told[ReasonKind.REDUCES if now else ReasonKind.SAVES] = fact(before, now, 0)
    return told


def of_threats(position: Position, move: int, after: Position) -> Told:
    free, told = passed(after), Told()
    if winning(free) and not winning(position):
        told[ReasonKind.THREATENS_WIN] = fact(0, 0, winning(free)[0])
    new = [hole for hole in tuz_holes(free) if hole not in tuz_holes(position)]
    if new:
        told[ReasonKind.THREATENS_TUZ] = fact(0, 0, new[0])
    known = {sowing.hole: sowing.taken for sowing in sowings(position) if sowing.hole != move}
    fresh = [(one.taken, -one.hole) for one in sowings(free) if one.taken > known.get(one.hole, 0)]
    if fresh:
        stones, hole = max(fresh)
        told[ReasonKind.THREATENS] = fact(stones, 0, -hole)
    answers = sowings(after)
    if not position.rules.extra_turn:
        least = min(largest(answer.after)[0] for answer in answers)
        if least:
            told[ReasonKind.SURE] = fact(least, 0, 0)
    if len(answers) == 1:
        told[ReasonKind.FORCES] = fact(0, 0, answers[0].hole)
    return told


def of_line(position: Position, sowing: Sowing, line: tuple[int, ...], told: Told) -> Told:
    at = sowing.after
    for ply, number in enumerate(line):
        if number not in at.legal_moves():
            return {}
        next_ = at.sow(number)
        if next_.mover is position.to_move:
            assert ply, "the opponent answers first"
            made = next_.tuz
            if told.get(ReasonKind.THREATENS) == fact(next_.taken, 0, number) or (
                made is not None and told.get(ReasonKind.THREATENS_TUZ) == fact(0, 0, made)
            ):
                return {}
            if made is not None:
                return {ReasonKind.PREPARES_TUZ: fact(next_.taken, 0, made)}
            return {ReasonKind.PREPARES: fact(next_.taken, 0, number)} if next_.taken else {}
        at = next_.after
    return {}


@dataclass(frozen=True)
class Course:
    """A line, as far as it can be played: its sowings, and the balance of the stores after each round.

    A round ends where the turn comes back to the side that began, or with the game.
    """

    sown: tuple[Sowing, ...]
    balances: tuple[int, ...]

    @property
    def over(self) -> bool:
        return bool(self.sown) and self.sown[-1].outcome is not None

    def events(self, mover: Side, start: int) -> list[tuple[int, Sowing]]:
        """The sowings of a side that are told, from one on, with their places."""
        return [(at, one) for at, one in enumerate(self.sown[: BEFORE + 1]) if at >= start and one.mover is mover]

    def largest(self, mover: Side, start: int) -> tuple[int, int]:
        """The largest capture of a side and the place of the first such; 0, -1 without one."""
        taken = [(one.taken, -at) for at, one in self.events(mover, start) if one.taken]
        stones, at = max(taken, default=(0, 1))
        return stones, -at

    def tuz(self, mover: Side, start: int) -> int:
        """The first place where a side makes a tuz, or -1."""
        return next((at for at, one in self.events(mover, start) if one.tuz is not None), -1)

    def line(self, at: int) -> tuple[int, ...]:
        return tuple(one.hole for one in self.sown[:at])

    @property
    def returned(self) -> int:
        """The place of the first sowing of the side that began after one of the other."""
        mover = self.sown[0].mover
        theirs = next((at for at, one in enumerate(self.sown) if one.mover is not mover), len(self.sown))
        return next((at for at, _ in self.events(mover, theirs)), BEFORE + 2)


def course(position: Position, line: Sequence[int]) -> Course:
    mover, sown, balances = position.to_move, list[Sowing](), list[int]()
    for number in line:
        if position.outcome() is not None or number not in position.legal_moves() or len(balances) == ROUNDS:
            break
        sown.append(position.sow(number))
        position, outcome = sown[-1].after, sown[-1].outcome
        stores = position.stores if outcome is None else outcome.stores
        if outcome is not None or (position.to_move is mover and sown[-1].mover is not mover):
            balances.append(stores[mover] - stores[mover.other])
    return Course(tuple(sown), tuple(balances))


def gain(one: Course, other: Course) -> int:
    """By how many stones a line is better at most, after the rounds that are known of both."""
    if not one.balances or not other.balances:
        return 0
    ends = [len(each.balances) for each in (one, other) if not each.over]
    rounds = min(ends) if ends else max(len(one.balances), len(other.balances))
    last = [(one.balances[min(at, len(one.balances) - 1)], other.balances[min(at, len(other.balances) - 1)])
            for at in range(rounds)]  # fmt: skip
    return max(0, *(own - theirs for own, theirs in last)) if last else 0


def moves_left(position: Position, side: Side, home: bool) -> int:
    """Moves of a side one after the other, the last hole that can be sown first."""
    wall = (position.tuz[side.other] or 0) if home else 0
    stones = [0, *position.holes[side]]
    last, count = position.rules.holes, 0
    while True:
        for hole in range(last, 0, -1):
            lifted = stones[hole]
            targets = range(hole + 1, hole + 2) if lifted == 1 else range(hole, hole + lifted)
            if hole != wall and lifted and not (home and (targets[-1] > last or wall in targets)):
                break
        else:
            return count
        stones[hole], count = 0, count + 1
        for target in targets:
            if target <= last:
                stones[target] += 1


@lru_cache(maxsize=4096)
def supply(after: Position) -> tuple[int, int, int, int] | None:
    """Moves at home and all moves of the side that has moved, and of the one to move; None where nobody counts them."""
    rules = after.rules
    if rules.store_sown or sum(map(sum, after.holes)) > 6 * rules.holes:
        return None
    own, theirs = after.to_move.other, after.to_move
    return (*(moves_left(after, own, home) for home in (True, False)),
            *(moves_left(after, theirs, home) for home in (True, False)))  # type: ignore[return-value]  # fmt: skip


def of_supply(after: Position) -> Told:
    counted, told = supply(after), Told()
    if counted is None:
        return told
    home, _, their_home, their_all = counted
    if home and home >= their_home:
        told[ReasonKind.TEMPO] = fact(home, their_home)
    if home and home >= their_all:
        told[ReasonKind.STARVING] = fact(home, their_all)
    return told


def of_later(position: Position, played: Course) -> Told:
    mover, told, next_ = position.to_move, Told(), played.returned
    stones, at = played.largest(mover, next_)
    if at > next_:
        told[ReasonKind.LATER] = fact(stones, 0, played.sown[at].hole, played.line(at))
    at = played.tuz(mover, next_)
    if at > next_:
        told[ReasonKind.LATER_TUZ] = fact(played.sown[at].taken, 0, played.sown[at].tuz or 0, played.line(at))
    return told


def passes(sowing: Sowing) -> bool:
    return sowing.outcome is None and not sowing.extra_turn


def of_other(position: Position, played: Course, other: Course) -> Told:
    """What the other line would bring, and the move avoids."""
    told, foe = Told(), position.to_move.other
    captured = tuz = False
    if passes(played.sown[0]) and passes(other.sown[0]):
        danger, now, then = passed(position), played.sown[0].after, other.sown[0].after
        if winning(then) and not winning(now) and not winning(danger):
            told[ReasonKind.AVOIDS_WIN] = fact(0, 0, winning(then)[0], other.line(1))
        tuz = bool(tuz_holes(then)) and not tuz_holes(now)
        if tuz and not tuz_holes(danger):
            told[ReasonKind.AVOIDS_TUZ] = fact(0, 0, tuz_holes(then)[0], other.line(1))
        captured = largest(then)[0] > largest(now)[0]
        if captured and largest(then)[0] != largest(danger)[0]:
            told[ReasonKind.AVOIDS] = fact(largest(then)[0], 0, largest(then)[1], other.line(1))
    stones, at = other.largest(foe, 2)
    if not captured and stones > played.largest(foe, 1)[0]:
        told[ReasonKind.AVOIDS] = fact(stones, 0, other.sown[at].hole, other.line(at))
    at = other.tuz(foe, 2)
    if not tuz and at >= 0 and played.tuz(foe, 1) < 0:
        told[ReasonKind.AVOIDS_TUZ] = fact(0, 0, other.sown[at].tuz or 0, other.line(at))
    more = gain(played, other)
    if more and played.sown[0].outcome is None:
        told[ReasonKind.AHEAD] = fact(more, 0, other.sown[0].hole)
    return told


@lru_cache(maxsize=4096)
def of_move_alone(position: Position, move: int) -> Told:
    """What is to be said for a move without knowing what follows."""
    sowing = position.sow(move)
    told = of_sowing(position, sowing)
    if passes(sowing):
        told |= of_defence(position, sowing.after) | of_threats(position, move, sowing.after) | of_supply(sowing.after)
    return told


def of_move(position: Position, move: int, line: Sequence[int]) -> Told:
    """All that is to be said for a move by itself."""
    sowing, told = position.sow(move), dict(of_move_alone(position, move))
    if sowing.outcome is not None:
        return told
    if not sowing.extra_turn:
        told |= of_line(position, sowing, tuple(line), told)
    return told | of_later(position, course(position, (move, *line)))


def expected(position: Position, move: int, line: Sequence[int], other: Sequence[int] = ()) -> Told:
    """All that is to be said for a move, beside another one where there is one."""
    told = of_move(position, move, line)
    if other:
        told |= of_other(position, course(position, (move, *line)), course(position, other))
    return told


def holds_as_well(kind: ReasonKind, said: Fact, others: Told) -> bool:
    """Whether a reason holds as well for a move with those reasons: one of its kind that says as much, or more."""
    if kind is ReasonKind.REDUCES and ReasonKind.SAVES in others:
        return True
    stones, left, *_ = others.get(kind, (-1, 0))
    return stones >= said[0] and left <= said[1]


def faults_of_lines(position: Position, played: Course, best: Course, told: Told) -> Told:
    """What is wrong with a line beside a better one, later than in its first moves."""
    mover, foe, found = position.to_move, position.to_move.other, Told()
    stones, at = played.largest(foe, 2)
    if stones > max(best.largest(foe, 1)[0], told.get(ReasonKind.ALLOWS, (0,))[0]):
        found[ReasonKind.ALLOWS_LATER] = fact(stones, 0, played.sown[at].hole, played.line(at))
    at = played.tuz(foe, 2)
    if at >= 0 and ReasonKind.ALLOWS_TUZ not in told and best.tuz(foe, 1) < 0:
        found[ReasonKind.ALLOWS_TUZ_LATER] = fact(0, 0, played.sown[at].tuz or 0, played.line(at))
    stones, at = best.largest(mover, best.returned)
    if stones > played.largest(mover, 0)[0]:
        found[ReasonKind.MISSES_LATER] = fact(stones, 0, best.sown[at].hole, best.line(at))
    at = best.tuz(mover, best.returned)
    if at >= 0 and ReasonKind.MISSES_TUZ not in told and played.tuz(mover, 0) < 0:
        found[ReasonKind.MISSES_TUZ_LATER] = fact(0, 0, best.sown[at].tuz or 0, best.line(at))
    if less := gain(best, played):
        found[ReasonKind.BEHIND] = fact(less)
    return found


def expected_faults(
    position: Position, move: int, better: int, line: Sequence[int] = (), better_line: Sequence[int] = ()
) -> Told:
    """All that is to be said against a move beside a better one."""
    told = faults_at_once(position, move, better)
    lines = course(position, (move, *line)), course(position, (better, *better_line))
    return told | faults_of_lines(position, *lines, told)


def faults_at_once(position: Position, move: int, better: int) -> Told:
    """What is wrong with a move in itself, and what it allows at once."""
    sowing, best, told = position.sow(move), position.sow(better), Told()
    mover, foe = position.to_move, position.to_move.other
    over = sowing.outcome
    if over is not None and over.winner is foe:
        told[ReasonKind.LOSES] = fact(-lead(sowing), 0, 0)
    if wins(best) and not wins(sowing):
        told[ReasonKind.MISSES_WIN] = fact(0, 0, 0)
    if best.tuz is not None and sowing.tuz is None:
        told[ReasonKind.MISSES_TUZ] = fact(0, 0, best.tuz)
    elif best.taken > sowing.taken:
        told[ReasonKind.MISSES] = fact(best.taken, 0, 0)
    if best.extra_turn and not sowing.extra_turn:
        told[ReasonKind.MISSES_TURN] = fact(0, 0, 0)
    their = position.tuz[foe]
    if fed(sowing, foe) > fed(best, foe):
        assert their is not None
        told[ReasonKind.FEEDS_OTHER] = fact(fed(sowing, foe), 0, their)
    if over is not None or mover in {sowing.after.to_move, best.after.to_move}:
        return told
    now, then = sowing.after, best.after
    if winning(now) and not winning(then):
        told[ReasonKind.ALLOWS_WIN] = fact(0, 0, winning(now)[0])
    if tuz_holes(now) and not tuz_holes(then):
        told[ReasonKind.ALLOWS_TUZ] = fact(0, 0, tuz_holes(now)[0])
    if largest(now)[0] > largest(then)[0]:
        stones, hole = largest(now)
        told[ReasonKind.ALLOWS] = fact(stones, 0, hole)
    left, instead = supply(now), supply(then)
    if left and instead:
        if left[0] < left[2] and left[0] - left[2] < instead[0] - instead[2]:
            told[ReasonKind.RUNS_OUT] = fact(left[0], left[2])
        if left[3] > instead[3]:
            told[ReasonKind.GIVES_MOVES] = fact(left[3] - instead[3])
        if left[1] < left[2] and instead[1] >= instead[2]:
            told[ReasonKind.STARVED] = fact(left[1], left[2])
    return told


def told_by(found: tuple[Reason, ...]) -> Told:
    told = {reason.kind: (reason.stones, reason.left, reason.hole, reason.line) for reason in found}
    assert len(told) == len(found), "a kind is told once"
    return told

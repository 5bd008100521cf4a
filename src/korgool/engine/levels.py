"""Strengths of play, from a child who sees only the next capture to all that the engine has: levels and ratings.

A weak level does not throw stones away at random. It looks a ply or a few ahead, and among the moves that look nearly
as good to it as the best it picks one by chance, the nearer the likelier. So it loses as people lose: by what it did
not see, not by what it would never have done. Strength by rating goes smoothly from the weakest to the strongest; its
weakness is overlooking alone, see `sight`. Levels and ratings are chosen by one number: 1 to 8 is a level, a number of
`ratings_of` a rating.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from korgool.engine.games import Knot, Level, figures_of
from korgool.engine.limits import USUAL_SECONDS, Limits
from korgool.engine.ratings import LEAST
from korgool.engine.search import Analysis, Engine, Line
from korgool.engine.sight import best_seen, lines_seen, plies_seen
from korgool.rules import GAMES, Position, Rules

__all__ = [
    "NUMBERS",
    "USUAL_SECONDS",
    "Choice",
    "Level",
    "choose",
    "is_rating",
    "levels_of",
    "limits_of",
    "nearest",
    "of_number",
    "pick",
    "rating_ends",
    "ratings_of",
]

NUMBERS = range(1, 9)
"""The numbers of the levels, the weakest first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Move chosen by a level.

    Attributes:
        move: the hole number, 1 to n.
        line: the analysed line that begins with that move.
        analysis: the whole analysis.
    """

    move: int
    line: Line
    analysis: Analysis


def choose(
    engine: Engine,
    position: Position,
    level: Level | int,
    *,
    history: Sequence[Position] = (),
    seconds: float | None = None,
    random: Random | None = None,
) -> Choice:
    """Pick a move for a level or a rating. With the same seed all but level 8 pick the same move again.

    Args:
        engine: an engine for the rules of the position.
        position: one that is not over.
        level: a level, its number, or a rating.
        history: earlier positions of the game, for repetition.
        seconds: the most time to think; about a second for level 8 without it.
        random: the source of chance; a new one without it.

    Raises:
        ValueError: the game is over, or there is no such level.
    """
    level = of_number(level, position.rules) if isinstance(level, int) else level
    moves = position.legal_moves()
    if not moves:
        raise ValueError("the game is over, there is nothing to choose")
    limits, random = limits_of(level, seconds), random or Random()
    if len(moves) == 1:
        limits = Limits(depth=1)
    if level.depth or level.nodes:
        engine.clear()  # what an earlier search left in the table would make it see farther, and differently each time
    if level.sight < 1 and len(moves) > 1:
        return _overlooking(engine, position, level, limits, history, random)
    lines = len(moves) if level.spread else 1
    analysis = engine.analyse(position, limits, lines=lines, history=history)
    line = pick(analysis.lines, level, position.rules.total, random)
    return Choice(line.move, line, analysis)


def _overlooking(
    engine: Engine, position: Position, level: Level, limits: Limits, history: Sequence[Position], random: Random
) -> Choice:
    """The best of the moves that a player sees, each as far as it follows it."""
    row, usual = position.holes[position.to_move], position.rules.stones
    plies = {move: plies_seen(random.random(), row[move - 1], usual, level.sight) for move in position.legal_moves()}
    depths: list[Sequence[Line]] = []
    limits = replace(limits, depth=max(1, *plies.values()))
    analysis = engine.analyse(
        position, limits, lines=len(plies), history=history, on_depth=lambda known: depths.append(known.lines)
    )
    line = best_seen(lines_seen([*depths, analysis.lines], plies), analysis.lines, random.random())
    return Choice(line.move, line, analysis)


def levels_of(rules: Rules) -> tuple[Level, ...]:
    """The levels of a game, the weakest first; a game not known here has those of toguz korgool."""
    return figures_of(rules).levels


def ratings_of(rules: Rules) -> range:
    """The ratings that can be chosen in a game; a game not known here has those of toguz korgool."""
    knots = _knots(rules)
    return range(knots[0][0], knots[-1][0] + 1)


def rating_ends() -> dict[str, tuple[int, int]]:
    """The lowest and the highest rating of each game, by its short name."""
    return {name: (ratings_of(rules)[0], ratings_of(rules)[-1]) for name, rules in GAMES.items()}


def is_rating(number: int) -> bool:
    """Return whether a number that stands for a strength is a rating and no level."""
    return number >= LEAST


def nearest(number: int, rules: Rules) -> int:
    """The same strength, or for a rating beyond those of the game the nearest one that it has."""
    ratings = ratings_of(rules)
    return max(ratings[0], min(ratings[-1], number)) if is_rating(number) else number


def of_number(number: int, rules: Rules) -> Level:
    """The level or the rating of a number in a game.

    Raises:
        ValueError: it is neither 1 to 8 nor one of the ratings of the game.
    """
    if number in NUMBERS:
        return levels_of(rules)[number - 1]
    ratings = ratings_of(rules)
    if number not in ratings:
        known = f"levels are 1 to {NUMBERS[-1]}, ratings in {rules.title.lower()} {ratings[0]} to {ratings[-1]}"
        raise ValueError(f"there is no strength {number}; {known}")
    for (low, blind, few), (high, keen, many) in pairwise(_knots(rules)):
        if number <= high:
            share = (number - low) / (high - low)
            nodes = round(few * (many / few) ** share)
            return Level(number, nodes=nodes, sight=blind + (keen - blind) * share)
    raise AssertionError(number)


def _knots(rules: Rules) -> Sequence[Knot]:
    return figures_of(rules).strengths


def limits_of(level: Level, seconds: float | None = None) -> Limits:
    """Limits of a level's search, at most `seconds` where they are given."""
    if level.depth is None and level.nodes is None:
        return Limits(seconds=USUAL_SECONDS if seconds is None else seconds)
    return Limits(seconds=seconds, depth=level.depth, nodes=level.nodes)


def pick(lines: Sequence[Line], level: Level, stones: int, random: Random) -> Line:
    """One of the lines: the best, or by chance one that looks nearly as good.

    Args:
        lines: the best first.
        level: how nearly, and how freely.
        stones: stones of the whole game.
        random: the source of chance.
    """
    best = lines[0]
    if not level.spread:
        return best
    near = [line for line in lines if best.evaluation - line.evaluation <= level.loss * stones]
    weights = [math.exp((line.evaluation - best.evaluation) / (level.spread * stones)) for line in near]
    return random.choices(near, weights)[0]

"""Figures of the engine for each game: one record of measured and fitted values, by the game's short name.

The kernel's part of it, the evaluation by hand, goes into `kernel/weights.h` through `kernel/generate.py`. A network,
an opening book and shipped tables are files that bear the game's name, in `networks/`, `openings/` and
`tables/shipped/`; a game without one of them plays without it. This module imports nothing of the engine, so that the
build can read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from korgool.rules import GAMES, Rules


@dataclass(frozen=True, slots=True)
class Level:
    """One strength.

    Attributes:
        number: 1, the weakest, to 8; or the rating.
        depth: plies it looks ahead, captures farther and late moves less far; None where nodes or time set the limit.
        nodes: positions it looks at for a move, or None.
        spread: how freely it picks among near-equal moves, as a share of all stones of the game; 0 for always the best.
            A move that looks worse by that share is picked e times more rarely.
        loss: the most, as a share of all stones, by which a picked move may look worse than the best.
        sight: chance to follow a move one ply farther; 1 where all moves are followed as far as the search goes.
    """

    number: int
    depth: int | None = None
    nodes: int | None = None
    spread: float = 0.0
    loss: float = 0.0
    sight: float = 1.0


Knot: TypeAlias = tuple[int, float, int]
"""A setting by rating: rating, sight, positions."""
SIGHT_NODES = 5_000
"""Positions that a player who overlooks moves looks at, at most."""


def _straight(each: float) -> tuple[float, ...]:
    """Factors that begin at 1 and grow by the same with each ply, up to 34 plies."""
    return tuple(round(1 + each * min(depth, 34), 3) for depth in range(0, STEP * STEPS, STEP))


STEP, STEPS = 4, 10
"""`KG_STEP` plies from one factor of a `Curve` to the next, and `KG_STEPS` of them; beyond the last they stay."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Curve from evaluations to chances, and to the evaluation that is shown; see `kg_curve` in `kernel/evaluate.h`.

    Attributes:
        width: of the curve without a network, in stones, with an empty board.
        growth: by which it is wider for each stone on the board.
        band: of draws without a network, in stones, to each side of nothing.
        hand: how many times as steep the curve is after looking so many plies ahead, without a network.
        network: the same with a network, which tells width and band by itself.
        stones: the final difference for each stone of an evaluation by a network after looking so many plies ahead,
            with 40 stones on the board or more; 1 up to 4 plies.
    """

    width: float
    growth: float
    band: float
    hand: tuple[float, ...] = _straight(0)
    network: tuple[float, ...] = _straight(0)
    stones: tuple[float, ...] = _straight(0)


@dataclass(frozen=True, slots=True)
class Weights:
    """The evaluation by hand, in `KG_UNIT`, a 32nd of a stone; see `kg_weights` in `kernel/evaluate.h`.

    Attributes:
        own: worth of a stone in each hole of the side to move.
        other: the same for the opponent's holes.
        chances: the curve from evaluations to chances.
        move: worth of the move.
        tuz_own: worth of a tuz of the side to move, by its hole; empty in a game without tuz.
        tuz_other: the same for the opponent's tuz.
        tuz_stones: worth of each stone on the board to an owner of a tuz: of the side to move, of the opponent.
    """

    own: tuple[int, ...]
    other: tuple[int, ...]
    chances: Curve
    move: int
    tuz_own: tuple[int, ...] = ()
    tuz_other: tuple[int, ...] = ()
    tuz_stones: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one game.

    Attributes:
        levels: the levels 1 to 8, set so that their steps are even.
        elo: measured ratings of the levels, level 1 at 0; see the page on the levels in the manual.
        strengths: settings by rating, ascending. Between two of them sight goes straight, and positions grow by equal
            shares.
        usual_plies: plies that the side to move has before it in the mean game: with no stone on the board, with up to
            a twentieth of all of them, up to two twentieths and so on.
        most_plies: hardly any game has more, for the same numbers of stones.
        weights: the evaluation by hand.
    """

    levels: tuple[Level, ...]
    elo: tuple[int, ...]
    strengths: tuple[Knot, ...]
    usual_plies: tuple[int, ...]
    most_plies: tuple[int, ...]
    weights: Weights


def _from_steps(*steps: int) -> tuple[int, ...]:
    return tuple(accumulate(steps, initial=0))


FIGURES: Mapping[str, Figures] = {
    "toguz": Figures(
        levels=(
            Level(1, depth=1, spread=0.090, loss=0.140),
            Level(2, depth=2, spread=0.053, loss=0.100),
            Level(3, depth=2, spread=0.022, loss=0.060),
            Level(4, depth=3, spread=0.013, loss=0.040),
            Level(5, depth=4, spread=0.008, loss=0.025),
            Level(6, depth=6, spread=0.003, loss=0.012),
            Level(7, nodes=10_000),
            Level(8),
        ),
        elo=(0, 487, 1049, 1606, 2077, 2545, 3068, 3506),
        strengths=(
            (200, 0.1558, SIGHT_NODES),
            (292, 0.2, SIGHT_NODES),
            (483, 0.32, SIGHT_NODES),
            (685, 0.45, SIGHT_NODES),
            (852, 0.58, SIGHT_NODES),
            (1014, 0.7, SIGHT_NODES),
            (1179, 0.8, SIGHT_NODES),
            (1345, 0.88, SIGHT_NODES),
            (1543, 0.94, SIGHT_NODES),
            (1614, 0.9597, SIGHT_NODES),
            (1615, 1.0, 500),
            (1915, 1.0, 2_000),
            (2132, 1.0, 8_000),
            (2327, 1.0, 32_000),
            (2450, 1.0, 128_000),
        ),
        usual_plies=(1, 3, 7, 14, 22, 29, 36, 42, 48, 54, 57, 59, 61, 65, 66, 68, 68, 68, 68, 69, 71),
        most_plies=(2, 21, 39, 52, 73, 97, 104, 113, 124, 130, 134, 136, 138, 143, 143, 143, 144, 145, 146, 147, 147),
        weights=Weights(
            own=(9, 10, 7, 4, 6, 4, 2, 3, 10),
            other=(3, 8, 6, 3, 5, 3, 1, 2, 9),
            chances=Curve(3.85, 0.096, 1.03, network=_straight(0.05), stones=(1, 1, 1.2, 1.17, 1.06, 1, 1, 1, 1, 1)),
            move=-7,
            tuz_own=(507, 570, 286, 308, 344, 403, 451, 405, 0),
            tuz_other=(498, 560, 286, 319, 339, 400, 450, 402, 0),
            tuz_stones=(1, 1),
        ),
    ),
    "mangala": Figures(
        levels=(
            Level(1, depth=1, spread=0.200, loss=0.240),
            Level(2, depth=2, spread=0.106, loss=0.150),
            Level(3, depth=2, spread=0.048, loss=0.100),
            Level(4, depth=3, spread=0.028, loss=0.075),
            Level(5, depth=4, spread=0.018, loss=0.050),
            Level(6, depth=6, spread=0.010, loss=0.030),
            Level(7, nodes=2_000),
            Level(8),
        ),
        elo=_from_steps(199, 227, 206, 200, 223, 215, 204),
        strengths=(
            (100, 0.2676, SIGHT_NODES),
            (111, 0.32, SIGHT_NODES),
            (179, 0.45, SIGHT_NODES),
            (268, 0.58, SIGHT_NODES),
            (361, 0.7, SIGHT_NODES),
            (453, 0.8, SIGHT_NODES),
            (544, 0.88, SIGHT_NODES),
            (660, 0.94, SIGHT_NODES),
            (703, 0.956, SIGHT_NODES),
            (704, 1.0, 500),
            (855, 1.0, 2_000),
            (965, 1.0, 8_000),
            (1040, 1.0, 32_000),
            (1084, 1.0, 128_000),
        ),
        usual_plies=(1, 1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, 16, 17, 18, 18, 18, 19, 19, 20),
        most_plies=(2, 5, 8, 12, 13, 17, 18, 20, 24, 25, 29, 30, 32, 36, 37, 39, 40, 40, 43, 45, 47),
        weights=Weights(
            own=(-9, -5, 1, 7, 11, 12),
            other=(-18, -7, -1, 6, 11, 11),
            chances=Curve(0.999, 0.062, 1.031, network=_straight(0.175)),
            move=9,
        ),
    ),
    "castle": Figures(
        levels=(
            Level(1, depth=1, spread=0.200, loss=0.240),
            Level(2, depth=2, spread=0.150, loss=0.200),
            Level(3, depth=2, spread=0.075, loss=0.130),
            Level(4, depth=2, spread=0.031, loss=0.080),
            Level(5, depth=3, spread=0.017, loss=0.050),
            Level(6, depth=5, spread=0.005, loss=0.020),
            Level(7, nodes=2_500),
            Level(8),
        ),
        elo=_from_steps(227, 230, 254, 234, 165, 207, 240),
        strengths=(
            (200, 0.2554, SIGHT_NODES),
            (265, 0.32, SIGHT_NODES),
            (400, 0.45, SIGHT_NODES),
            (541, 0.58, SIGHT_NODES),
            (678, 0.7, SIGHT_NODES),
            (817, 0.8, SIGHT_NODES),
            (931, 0.88, SIGHT_NODES),
            (1075, 0.94, SIGHT_NODES),
            (1148, 0.9655, SIGHT_NODES),
            (1149, 1.0, 500),
            (1300, 1.0, 2_000),
            (1397, 1.0, 8_000),
            (1470, 1.0, 32_000),
            (1538, 1.0, 128_000),
        ),
        usual_plies=(1, 1, 2, 5, 6, 8, 9, 12, 13, 22, 19, 22, 24, 24, 24, 25, 25, 27, 26, 25, 27),
        most_plies=(2, 7, 13, 39, 42, 63, 65, 67, 75, 105, 108, 108, 122, 123, 124, 124, 124, 125, 126, 126, 127),
        weights=Weights(
            own=(19, 19, 14, 13, 12, 13),
            other=(9, 17, 13, 12, 12, 13),
            chances=Curve(
                0.179,
                0.266,
                1.793,
                network=(1.2, 1.7, 2.1, 2.4, 2.75, 3.6, 4.8, 5.3, 5.6, 5.8),
                stones=(1, 1, 1.2, 1.12, 1.05, 1, 1, 1, 1, 1),
            ),
            move=-8,
            tuz_own=(102, 139, 181, 176, 133, 0),
            tuz_other=(106, 150, 201, 195, 154, 0),
            tuz_stones=(9, 8),
        ),
    ),
    "bestemshe": Figures(
        levels=(
            Level(1, depth=1, spread=0.090, loss=0.140),
            Level(2, depth=2, spread=0.070, loss=0.115),
            Level(3, depth=2, spread=0.033, loss=0.080),
            Level(4, depth=3, spread=0.019, loss=0.055),
            Level(5, depth=4, spread=0.012, loss=0.037),
            Level(6, depth=6, spread=0.002, loss=0.008),
            Level(7, nodes=14_000),
            Level(8),
        ),
        elo=_from_steps(317, 221, 267, 215, 284, 336, 361),
        strengths=(
            (200, 0.3392, SIGHT_NODES),
            (279, 0.45, SIGHT_NODES),
            (374, 0.58, SIGHT_NODES),
            (476, 0.7, SIGHT_NODES),
            (575, 0.8, SIGHT_NODES),
            (694, 0.88, SIGHT_NODES),
            (824, 0.94, SIGHT_NODES),
            (909, 0.9675, SIGHT_NODES),
            (910, 1.0, 500),
            (1022, 1.0, 2_000),
            (1146, 1.0, 8_000),
            (1276, 1.0, 32_000),
            (1430, 1.0, 128_000),
        ),
        usual_plies=(1, 1, 3, 4, 5, 7, 9, 13, 16, 20, 22, 25, 29, 31, 33, 36, 35, 34, 36, 37, 37),
        most_plies=(2, 7, 17, 29, 52, 54, 58, 61, 67, 68, 80, 82, 84, 89, 95, 95, 106, 106, 106, 107, 109),
        weights=Weights(
            own=(22, 17, 16, 13, 18),
            other=(13, 16, 17, 12, 18),
            chances=Curve(0.05, 0.363, 0.05, hand=(0.3, 0.45, 0.7, 0.9, 0.92, 1.1, 1.6, 2.36, 3.48, 4.22)),
            move=-1,
        ),
    ),
}
"""The figures of every game in the registry, by its short name."""


def figures_of(rules: Rules) -> Figures:
    """The figures of a game; a game that is not in the registry has those of the first one, whose games are longest."""
    return FIGURES.get(rules.name) or FIGURES[next(iter(GAMES))]

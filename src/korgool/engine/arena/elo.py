"""Elo differences with their error, and the sequential test of two hypotheses.

Games come in pairs, the same opening with sides changed. Their sums are what is independent, so errors and the test
are computed over pairs (the "pentanomial" model: a pair gives 0, 1, 2, 3 or 4 half points).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

LOGIT = 400 / math.log(10)
"""Elo of one unit of log odds."""
CONFIDENCE = 1.959964
"""Standard deviations of a two-sided 95 % interval."""


def elo_of(fraction: float) -> float:
    """The Elo difference that makes a player expect a fraction of the points; infinite at 0 and 1."""
    if fraction <= 0 or fraction >= 1:
        return math.copysign(math.inf, fraction - 0.5)
    return LOGIT * math.log(fraction / (1 - fraction))


def fraction_of(elo: float) -> float:
    """The fraction of the points that an Elo difference makes a player expect."""
    return 1 / (1 + math.exp(-elo / LOGIT))


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Games of the first player, and its pairs by half points.

    Attributes:
        wins, draws, losses: of the first player.
        pairs: how many pairs of games gave it 0, 1, 2, 3 and 4 half points.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def fraction(self) -> float:
        """The part of all points that the first player made, a half before any game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def with_game(self, half_points: int) -> MatchScore:
        """One game more, with 2, 1 or 0 half points for the first player."""
        won, drawn, lost = ((0, 0, 1), (0, 1, 0), (1, 0, 0))[half_points]
        return MatchScore(self.wins + won, self.draws + drawn, self.losses + lost, self.pairs)

    def with_pair(self, half_points: int) -> MatchScore:
        """One pair more whose games are counted already."""
        pairs = [count + (place == half_points) for place, count in enumerate(self.pairs)]
        return MatchScore(self.wins, self.draws, self.losses, (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]))

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and variance of the points of a pair, as a fraction; a half pair each way is added to know something.

        Without that, ten wins of ten would have no error at all.
        """
        prior = 0.1
        counts = [count + prior for count in self.pairs]
        total = sum(counts)
        mean = sum(count * place / 4 for place, count in enumerate(counts)) / total
        return mean, sum(count * (place / 4 - mean) ** 2 for place, count in enumerate(counts)) / total

    @property
    def interval(self) -> tuple[float, float]:
        """Elo of the first player, lowest and highest, 19 times in 20."""
        number = sum(self.pairs)
        if not number:
            return -math.inf, math.inf
        mean, variance = self.moments
        error = CONFIDENCE * math.sqrt(variance / number)
        return elo_of(mean - error), elo_of(mean + error)

    def text(self) -> str:
        """Such as `+52 =6 -22, 68.8 %, Elo +137 (+64 to +224)`."""
        low, high = self.interval
        return (
            f"+{self.wins} ={self.draws} -{self.losses}, {100 * self.fraction:.1f} %, "
            f"Elo {elo_of(self.fraction):+.0f} ({low:+.0f} to {high:+.0f})"
        )


@dataclass(frozen=True, slots=True)
class Sprt:
    """Wald's sequential test: is the first player `elo1` better, or only `elo0`?

    The log-likelihood ratio is the normal approximation over pairs (M. Van den Bergh, "A Practical Introduction to the
    GSPRT"). `alpha` and `beta` are the risks of accepting what is false.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"the second Elo of a test is above the first, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("the risks of a test lie between 0 and a half")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which the test ends: below the first for `elo0`, above the second for `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, tally: MatchScore) -> float:
        """The log-likelihood ratio so far, 0 before any pair."""
        number = sum(tally.pairs)
        if not number:
            return 0.0
        mean, variance = tally.moments
        low, high = fraction_of(self.elo0), fraction_of(self.elo1)
        return number * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, tally: MatchScore) -> Literal["elo0", "elo1"] | None:
        """Accepted hypothesis, or None while the test goes on."""
        low, high = self.bounds
        ratio = self.ratio(tally)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None

"""Glicko-2 by M. Glickman, "Example of the Glicko-2 system": the arithmetic that events and accounts share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178
"""Rating points for one unit of the paper's own scale."""
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """A Glicko-2 rating: its deviation is a standard deviation in rating points, the volatility has no unit."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


def rested(own: Glicko, periods: float = 1.0) -> Glicko:
    """The rating after rating periods without a game, whole or in part: the deviation grows by the volatility (step 6).

    Args:
        own: the rating before.
        periods: how many, 0 or more.
    """
    spread = (own.deviation / SCALE) ** 2 + periods * own.volatility**2
    return Glicko(own.rating, sqrt(spread) * SCALE, own.volatility)


def updated(own: Glicko, games: Sequence[tuple[Glicko, float]], *, tau: float = 0.5, periods: float = 1.0) -> Glicko:
    """A player's rating after their games.

    Args:
        own: the rating before.
        games: opponents as they were before, with points 0, 0.5 or 1.
        tau: how much volatilities may change, 0.3 to 1.2 as a rule.
        periods: time since `own` was true. The paper has 1; a part of a period serves where every game counts at once.

    Raises:
        ValueError: `tau` is not above 0.
    """
    if not tau > 0:
        raise ValueError(f"tau is above 0, not {tau}")
    if not games:
        return rested(own, periods)
    information = surplus = 0.0
    for other, points in games:
        weight = 1.0 / sqrt(1.0 + 3.0 * (other.deviation / SCALE) ** 2 / pi**2)
        ahead = weight * (own.rating - other.rating) / SCALE
        wanted, unwanted = 1.0 / (1.0 + exp(-ahead)), 1.0 / (1.0 + exp(ahead))
        information += weight**2 * wanted * unwanted
        surplus += weight * (points - wanted)
    variance = 1.0 / information
    deviation = own.deviation / SCALE
    volatility = _volatility(own.volatility, deviation, variance, variance * surplus, tau)
    begun = deviation**2 + periods * volatility**2
    after = 1.0 / sqrt(1.0 / begun + 1.0 / variance)
    return Glicko(own.rating + SCALE * after**2 * surplus, after * SCALE, volatility)


def _volatility(old: float, deviation: float, variance: float, change: float, tau: float) -> float:
    """The new volatility: the root of step 5, found by the Illinois method."""
    start = log(old**2)

    def slope(x: float) -> float:
        grown = exp(x)
        spread = deviation**2 + variance + grown
        return grown * (change**2 - spread) / (2.0 * spread**2) - (x - start) / tau**2

    low, high = start, start
    if change**2 > deviation**2 + variance:
        high = log(change**2 - deviation**2 - variance)
    else:
        high = start - tau
        while slope(high) < 0:
            high -= tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return exp(low / 2.0)

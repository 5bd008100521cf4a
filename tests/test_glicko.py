"""Glicko-2: Glickman's worked example, the steps of the paper, and what holds for every rating."""

from __future__ import annotations

from math import exp, isfinite, log, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.glicko import Glicko, rested, updated


def test_glickmans_worked_example() -> None:
    """M. Glickman, "Example of the Glicko-2 system", to the digits printed there; its volatility is cut, not rounded.

    The rating of 1464.06 comes from the rounded -0.2069, and without rounding on the way it is 1464.05.
    """
    games = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    found = updated(Glicko(1500, 200, 0.06), games, tau=0.5)
    mu, phi = (found.rating - 1500) / 173.7178, found.deviation / 173.7178
    assert (round(mu, 4), round(phi, 4)) == (-0.2069, 0.8722)
    assert int(found.volatility * 100_000) == 5_999
    assert round(173.7178 * round(mu, 4) + 1500, 2) == 1464.06
    assert round(found.deviation, 2) == 151.52
    assert found.rating == pytest.approx(1464.06, abs=0.01)


def steps_of_the_paper(own: Glicko, games: list[tuple[Glicko, float]], tau: float, periods: float = 1.0) -> Glicko:
    """Steps 2 to 8 of the paper, one after the other; the root of step 5 by halving an interval."""
    mu, phi = (own.rating - 1500) / 173.7178, own.deviation / 173.7178
    of = [((other.rating - 1500) / 173.7178, other.deviation / 173.7178, points) for other, points in games]
    g = [1 / (1 + 3 * its**2 / pi**2) ** 0.5 for _, its, _ in of]
    wanted = [1 / (1 + exp(-weight * (mu - its))) for weight, (its, _, _) in zip(g, of, strict=True)]
    v = 1 / sum(weight**2 * one * (1 - one) for weight, one in zip(g, wanted, strict=True))
    won = sum(weight * (points - one) for weight, one, (_, _, points) in zip(g, wanted, of, strict=True))
    a = log(own.volatility**2)

    def f(x: float) -> float:
        spread = phi**2 + v + exp(x)
        return float(exp(x) * ((v * won) ** 2 - spread) / (2 * spread**2) - (x - a) / tau**2)

    above = (v * won) ** 2 - phi**2 - v
    low, high = (a, log(above)) if above > 0 else (a - 40 * tau, a)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = exp(low / 2)
    phi_after = 1 / (1 / (phi**2 + periods * sigma**2) + 1 / v) ** 0.5
    return Glicko(173.7178 * (mu + phi_after**2 * won) + 1500, 173.7178 * phi_after, sigma)


@pytest.mark.parametrize("tau", [0.3, 0.5, 1.2])
@pytest.mark.parametrize(
    ("own", "games"),
    [
        (Glicko(1500, 200, 0.06), [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]),
        (Glicko(1500, 60, 0.06), [(Glicko(1900, 60), 1.0)] * 3),
        (Glicko(2000, 60, 0.1), [(Glicko(1700, 50), 0.0), (Glicko(1650, 80), 0.0)]),
        (Glicko(1800, 350, 0.3), [(Glicko(1800, 60), 0.5)] * 4),
        (Glicko(), [(Glicko(), 1.0)]),
        (Glicko(1500, 30, 0.01), [(Glicko(1500, 30), 1.0), (Glicko(1500, 30), 0.0)] * 8),
    ],
)
def test_a_rating_period_by_the_steps_of_the_paper(own: Glicko, games: list[tuple[Glicko, float]], tau: float) -> None:
    """Few upsets and many: the search of step 5 begins in either of its two ways."""
    found, wanted = updated(own, games, tau=tau), steps_of_the_paper(own, games, tau)
    assert found.rating == pytest.approx(wanted.rating, abs=1e-6)
    assert found.deviation == pytest.approx(wanted.deviation, abs=1e-6)
    assert found.volatility == pytest.approx(wanted.volatility, rel=1e-6)


def test_a_volatility_that_falls_far_is_looked_for_further_below() -> None:
    """Step 5 goes down in steps of tau until the root lies between: more than one is needed beside a volatility beyond
    all use, and a tau that lets it change much."""
    own, games = Glicko(1500, 50, 1000.0), [(Glicko(1500, 50), 0.5)]
    found, wanted = updated(own, games, tau=4.0), steps_of_the_paper(own, games, 4.0)
    assert found.volatility == pytest.approx(wanted.volatility, rel=1e-6)
    assert found.volatility < own.volatility / 10


def test_who_does_not_play_becomes_less_certain() -> None:
    own = Glicko(1500, 200, 0.06)
    found = updated(own, [])
    assert (found.rating, found.volatility) == (1500, 0.06)
    assert found.deviation == pytest.approx((200**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    with pytest.raises(ValueError, match="tau"):
        updated(own, [], tau=0)


def test_parts_of_a_period_add_up() -> None:
    """An hour is a part of a period: it does not matter into how many parts the time without games is cut."""
    own = Glicko(1500, 60, 0.06)
    assert rested(rested(own, 0.3), 0.7).deviation == pytest.approx(rested(own).deviation)
    assert rested(own, 0).deviation == pytest.approx(60)
    other = (Glicko(1600, 80), 1.0)
    late = updated(own, [other], periods=40)
    assert late.rating - own.rating > updated(own, [other], periods=0).rating - own.rating


def test_ratings_far_apart_can_be_computed() -> None:
    """A list may hold ratings up to 10,000, where the chance of the weaker player is below what 1 - x can tell."""
    weak, strong = Glicko(0, 30), Glicko(10_000, 30)
    assert updated(strong, [(weak, 1.0)]).rating == pytest.approx(10_000)
    assert updated(weak, [(strong, 0.0)]).rating == pytest.approx(0)


rating = st.floats(100, 3500)
deviation = st.floats(20, 500)
volatility = st.floats(0.01, 0.3)


@given(
    st.builds(Glicko, rating, deviation, volatility),
    st.lists(
        st.tuples(st.builds(Glicko, rating, deviation, volatility), st.sampled_from((0.0, 0.5, 1.0))), max_size=12
    ),
    st.floats(0.2, 1.2),
)
def test_glicko_stays_finite_and_goes_the_right_way(own: Glicko, games: list[tuple[Glicko, float]], tau: float) -> None:
    after = updated(own, games, tau=tau)
    assert after.deviation > 0
    assert after.volatility > 0
    assert all(map(isfinite, (after.rating, after.deviation, after.volatility)))
    if games and all(points == 1.0 for _, points in games):
        assert after.rating >= own.rating
    if games and all(points == 0.0 for _, points in games):
        assert after.rating <= own.rating

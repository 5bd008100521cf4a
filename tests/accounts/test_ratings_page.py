"""The page on ratings has the numbers of the code."""

from __future__ import annotations

import re
from pathlib import Path

from korgool.accounts.leaving import DAYS_MS, FREE, GAMES, PAUSES_MS, STRIKES, Way
from korgool.accounts.ratings import FIRST, PERIOD_MS, PROVISIONAL, SUREST, TAU
from korgool.competition.ratings import expected_points
from korgool.rules.games import VARIANTS

PAGE = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text(encoding="utf-8")
DAY_MS = 86_400_000


def row(head: str) -> str:
    """What stands in the second column of the row that begins so."""
    (found,) = re.findall(rf"^\| {re.escape(head)} \| ([^|]+) \|", PAGE, re.MULTILINE)
    return str(found)


def test_the_numbers_of_the_ratings() -> None:
    assert row("first rating") == f"{FIRST.rating:g} ± {FIRST.deviation:g}, volatility {FIRST.volatility}"
    assert row("change of volatilities (tau)") == str(TAU)
    assert row("rating period") == f"{PERIOD_MS // DAY_MS} days"
    assert row("smallest deviation") == f"{SUREST:g}"
    assert row("largest deviation") == f"{FIRST.deviation:g}"
    assert row("provisional") == f"deviation above {PROVISIONAL:g}"
    for ahead in (0, 100, 200, 400):
        assert float(row(str(ahead))) == round(10 * expected_points(ahead, 0), 1)


def test_the_numbers_of_leaving() -> None:
    assert f"over the last {GAMES} rated games" in PAGE
    assert f"of the last {DAYS_MS // DAY_MS} days" in PAGE
    assert (FREE, STRIKES) == (4, {Way.PLAYED: 0, Way.ABORTED: 1, Way.LEFT: 2})
    strikes, pauses = re.findall(r"^\| (?:strikes|no rated game for) \| (.+) \|$", PAGE, re.MULTILINE)
    assert strikes.split(" | ")[0] == str(FREE + 1)
    units = {"minutes": 60_000, "hours": 3_600_000, "day": DAY_MS, "days": DAY_MS}
    told = [int(number) * units[unit] for number, unit in (cell.split() for cell in pauses.split(" | "))]
    assert tuple(told) == PAUSES_MS


def test_the_turns_of_the_games() -> None:
    found = re.search(r"usual length is (\d+) turns .*?; (\d+) in mangala, (\d+) in .*? and (\d+) in", PAGE, re.DOTALL)
    assert found is not None
    assert [int(number) for number in found.groups()] == [variant.turns for variant in VARIANTS.values()]

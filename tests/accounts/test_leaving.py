"""Who leaves again and again: the documented numbers, and that good conduct never costs anything."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from korgool.accounts.leaving import DAYS_MS, FREE, GAMES, PAUSES_MS, REMEMBER_MS, STRIKES, Mark, Way, kept_until

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
BEGIN = 1_790_000_000_000
MARKS = st.lists(st.tuples(st.integers(1, 5 * DAY), st.sampled_from(Way)), max_size=30).map(
    lambda steps: [Mark(BEGIN + sum(gap for gap, _ in steps[: n + 1]), way) for n, (_, way) in enumerate(steps)]
)


def hourly(*ways: Way) -> list[Mark]:
    return [Mark(BEGIN + number * HOUR, way) for number, way in enumerate(ways)]


def test_two_games_left_cost_nothing_and_the_third_two_hours() -> None:
    """Page on ratings: strikes and pauses."""
    left = hourly(*[Way.LEFT] * 3)
    assert kept_until(left[:2]) == 0
    assert kept_until(left) == left[-1].at + 2 * HOUR, "two strikes above"
    aborted = hourly(*[Way.ABORTED] * 5)
    assert kept_until(aborted[:4]) == 0
    assert kept_until(aborted) == aborted[-1].at + 30 * MINUTE
    many = hourly(*[Way.LEFT] * 12)
    assert kept_until(many) == many[-1].at + 7 * DAY
    assert kept_until([]) == 0


def test_games_played_make_up_for_it() -> None:
    kept = hourly(Way.LEFT, Way.LEFT, *[Way.PLAYED] * (GAMES - 2), Way.LEFT)
    assert kept_until(kept) == 0
    assert kept_until([kept[0], kept[1], *kept[3:]]) > kept[-1].at
    late = [*hourly(Way.LEFT, Way.LEFT), Mark(BEGIN + DAYS_MS + HOUR, Way.LEFT)]
    assert kept_until(late) == 0


@given(MARKS)
def test_playing_a_game_never_costs(marks: list[Mark]) -> None:
    """One more game played, or one played instead of left or aborted, never keeps anybody for longer."""
    until = kept_until(marks)
    last = marks[-1].at if marks else BEGIN
    assert kept_until([*marks, Mark(last + HOUR, Way.PLAYED)]) == until
    assert kept_until([*marks, Mark(last + HOUR, Way.LEFT)]) >= kept_until([*marks, Mark(last + HOUR, Way.ABORTED)])
    assert kept_until([*marks, Mark(last + HOUR, Way.ABORTED)]) >= until
    for number, mark in enumerate(marks):
        better = [*marks[:number], Mark(mark.at, Way.PLAYED), *marks[number + 1 :]]
        assert kept_until(better) <= until
    assert until <= last + PAUSES_MS[-1]


@given(MARKS)
def test_what_is_long_ago_makes_no_difference(marks: list[Mark]) -> None:
    """What a server has to read: the games of `REMEMBER_MS` give the same answer about the present."""
    now = marks[-1].at if marks else BEGIN
    needed = [mark for mark in marks if mark.at > now - REMEMBER_MS]
    assert (kept_until(marks) > now) == (kept_until(needed) > now)


def test_who_leaves_seldom_is_never_kept() -> None:
    """One broken connection in ten games, through a thousand games."""
    random = Random(1)
    ways = [Way.LEFT if number % 10 == 0 else Way.PLAYED for number in range(1_000)]
    assert kept_until(hourly(*ways)) == 0
    assert STRIKES[Way.LEFT] * GAMES // 10 <= FREE
    random.shuffle(ways)
    assert kept_until(hourly(*ways)) > 0, "by chance, three of twenty happen"

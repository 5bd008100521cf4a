"""Days on which the puzzle of the day was solved, and the row of them that one missed day a week does not end."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

WEEK = 7
"""Days of which one may be missed."""
MOST_DAYS = 400
"""Days that are looked at."""


def streak_of(solved: Collection[date], today: date) -> int:
    """The solved days in a row up to a day.

    A missed day is forgiven where none of the six days after it was missed; a day that is not over never ends a row.
    """
    count, missed = 0, -WEEK
    for back in range(MOST_DAYS):
        if today - timedelta(days=back) in solved:
            count += 1
        elif back:
            if back - missed < WEEK or today - timedelta(days=back + 1) not in solved:
                break
            missed = back
    return count

"""Vacations of a person who plays slow games: 14 days in any 365, taken 1 to 14 whole days at a time.

A day is 24 hours from the beginning of the vacation. A begun day is taken; who ends a vacation early gets the days back
that have not begun.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from korgool.live.refusals import Refused, RefusedKind
from korgool.live.terms import DAY_MS

MOST_VACATION_DAYS = 14
"""Days of vacation in any `YEAR_MS`, and at a time."""
MOST_VACATION_MS = MOST_VACATION_DAYS * DAY_MS
YEAR_MS = 365 * DAY_MS


@dataclass(frozen=True, slots=True)
class Vacation:
    """One vacation, in milliseconds since 1970.

    Attributes:
        began: when it began.
        until: when it ends or ended, early or not.
    """

    began: int
    until: int

    @property
    def days(self) -> int:
        """Length in days; a day that was begun counts."""
        return max(1, -(-(self.until - self.began) // DAY_MS))

    def days_after(self, moment: int) -> int:
        """Number of its days that end after a moment."""
        return min(self.days, max(0, self.days - (moment - self.began) // DAY_MS))

    def ended(self, at: int) -> Vacation:
        """The same vacation, ended at `at` if it lasts longer."""
        return replace(self, until=max(self.began, min(self.until, at)))


def days_left(taken: Iterable[Vacation], at: int) -> int:
    """Length of the longest vacation that can begin at `at`, in days, after those already taken.

    Whatever 365 days one looks at, no more than 14 days of them are vacation; the 365 days that end with the new
    vacation have the most.
    """
    taken = tuple(taken)
    for days in range(MOST_VACATION_DAYS, 0, -1):
        since = at + days * DAY_MS - YEAR_MS
        if days + sum(vacation.days_after(since) for vacation in taken) <= MOST_VACATION_DAYS:
            return days
    return 0


def present(taken: Iterable[Vacation], at: int) -> Vacation | None:
    """The vacation that lasts at `at`, or None."""
    return next((vacation for vacation in taken if vacation.began <= at < vacation.until), None)


def take(taken: Iterable[Vacation], days: int, at: int) -> Vacation | Refused:
    """Begin a vacation of so many days at `at`, after those already taken."""
    taken = tuple(taken)
    if any(vacation.until > at or vacation.began >= at for vacation in taken):
        return Refused(RefusedKind.ALREADY_AWAY)
    if not 1 <= days <= MOST_VACATION_DAYS:
        return Refused(RefusedKind.VACATION_TOO_LONG, {"days": MOST_VACATION_DAYS})
    left = days_left(taken, at)
    return Refused(RefusedKind.NO_DAYS_LEFT, {"days": left}) if days > left else Vacation(at, at + days * DAY_MS)

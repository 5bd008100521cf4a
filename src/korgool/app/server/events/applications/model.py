"""Applications as values: who applies, for which groups, and in what state that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from korgool.competition.model import Entry
from korgool.competition.people_index import name_key

MOST_GROUPS: Final = 2
"""Groups in which one player takes part at most."""
GRACE_MS: Final = 15 * 60_000
"""Time after the end in which a form that somebody had opened before still counts."""
ADULT: Final = 18
"""Age from which somebody consents for themselves."""


class ApplicationState(StrEnum):
    """State of an application."""

    WAITING = "waiting"
    ASKED = "asked"
    """The organiser has asked something, and the applicant has not answered yet."""
    ENTERED = "entered"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


OPEN: Final = (ApplicationState.WAITING, ApplicationState.ASKED)
"""States in which somebody waits for an answer."""


@dataclass(frozen=True, slots=True)
class EntryWindow:
    """Time in which anybody may apply for a group.

    Attributes:
        group: its id; 1 in an event without groups.
        opens, closes: in milliseconds since 1970.
        most: how many players the group takes; 0 for any number.
    """

    group: int
    opens: int
    closes: int
    most: int = 0

    def is_open(self, now: int, *, begun: bool = False) -> bool:
        """Return whether somebody may apply at a moment; `begun` says that they had the form open before the end."""
        return self.opens <= now < self.closes + (GRACE_MS if begun else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicant:
    """Somebody who applies.

    Attributes:
        entry: as it would be entered.
        groups: the ids of the groups, one or two.
        contact: how the organiser reaches them, such as a telephone number.
    """

    entry: Entry
    groups: tuple[int, ...]
    contact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """An application as the desk and its applicant see it.

    Attributes:
        id: for the desk.
        place: among those that came together.
        made: when, in milliseconds since 1970.
        who: who applies; None once that is removed.
        paper: whether there is a picture of the doctor's paper.
        question: what the organiser asks, or the reason of a refusal.
        answer: of the applicant.
        player: the id in the event, once it is entered.
    """

    id: str
    place: int
    made: int
    state: ApplicationState
    who: Applicant | None
    paper: bool = False
    question: str = ""
    answer: str = ""
    player: int | None = None
    remarks: tuple[Remark, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark for the organiser: `entered` already, `similar` to somebody who is, `twice` among the applications,
    `before` in an earlier event; and the name of the other one."""

    kind: str
    name: str


def alike(one: Entry, other: Entry) -> bool:
    """Return whether two names are so much alike that they may be of one person who was written in two ways.

    The words may stand in another order, one may lack, and of the family name and the given name together at most two
    letters differ.
    """
    if one.removed or other.removed:
        return False
    words, others = _words(one.name), _words(other.name)
    if sorted(words) == sorted(others):
        return True
    short, long = sorted((words, others), key=len)
    if len(short) > 1 and set(short) <= set(long):
        return True
    first, second = "".join(sorted(words)[:2]), "".join(sorted(others)[:2])
    return (
        min(len(first), len(second)) > 7
        and abs(len(first) - len(second)) <= 2
        and not (one.born and other.born and one.born != other.born)
        and _distance(first, second, 2) <= 2
    )


@lru_cache(4_000)
def _words(name: str) -> list[str]:
    """The words of a name as they are compared; a page compares each with all."""
    return name_key(name).split()


def _distance(one: str, other: str, most: int) -> int:
    """Letters to change, add or leave out; more than `most` is not counted."""
    before = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        now = [at]
        for to, sign in enumerate(other, 1):
            now.append(min(before[to] + 1, now[-1] + 1, before[to - 1] + (letter != sign)))
        if min(now) > most:
            return most + 1
        before = now
    return before[-1]

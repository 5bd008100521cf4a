"""The result of a check, and its three conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias


class Condition(Enum):
    """Condition of a part of the installation."""

    GOOD = "good"
    NOTE = "note"
    WRONG = "wrong"


class Diagnosis(NamedTuple):
    """Result of a check.

    Attributes:
        about: the part that was checked, in one or two words.
        condition: its condition.
        said: the observation.
        advice: how to correct it; empty if nothing has to be done.
    """

    about: str
    condition: Condition
    said: str
    advice: str = ""


Check: TypeAlias = Callable[[], Iterator[Diagnosis]]
"""A check. It yields its results one by one, until an unexpected error ends it."""


def good(about: str, said: str) -> Diagnosis:
    """Return the result of a check that has passed."""
    return Diagnosis(about, Condition.GOOD, said)


def note(about: str, said: str, advice: str = "") -> Diagnosis:
    """Return a result that may be intended; the operator of the site knows."""
    return Diagnosis(about, Condition.NOTE, said, advice)


def wrong(about: str, said: str, advice: str) -> Diagnosis:
    """Return the result of a check that has failed."""
    return Diagnosis(about, Condition.WRONG, said, advice)

"""Findings of the checks."""

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
        about: what was looked at, in one or two words.
        condition: how it is with it.
        said: what was seen.
        advice: what to do, empty if nothing has to be done.
    """

    about: str
    condition: Condition
    said: str
    advice: str = ""


Examination: TypeAlias = Callable[[], Iterator[Diagnosis]]
"""A check. It tells what it has seen until something goes wrong that it did not expect."""


def good(about: str, said: str) -> Diagnosis:
    """It is as it should be."""
    return Diagnosis(about, Condition.GOOD, said)


def note(about: str, said: str, advice: str = "") -> Diagnosis:
    """Finding that may be intended; the operator of the site knows."""
    return Diagnosis(about, Condition.NOTE, said, advice)


def wrong(about: str, said: str, advice: str) -> Diagnosis:
    """It is not as it should be."""
    return Diagnosis(about, Condition.WRONG, said, advice)

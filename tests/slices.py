"""What is tried by default of many like cases: those that the seed draws. The others are long."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING, TypeVar

import pytest

from tests.conftest import SEED

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

Case = TypeVar("Case")


def drawn(name: str, cases: Iterable[Case], count: int = 1) -> list[Case | ParameterSet]:
    """The cases for `parametrize`: `count` of them as they are, and those that the seed did not draw marked `long`."""
    cases = list(cases)
    chosen = Random(f"{name} {SEED}").sample(range(len(cases)), count)
    return [case if at in chosen else pytest.param(case, marks=pytest.mark.long) for at, case in enumerate(cases)]

"""Tables for tests: built once for each game, in a folder of the test run."""

from __future__ import annotations

import math
from pathlib import Path

from korgool.engine.tables import Tables, build
from korgool.rules import Rules
from tests.tables.naive import Key


def built(rules: Rules, stones: int, folder: Path, odd: bool = True) -> Tables:
    """The tables of a game, with odd numbers of stones too."""
    return build(rules, stones, folder=folder, odd=odd)


def bounds(tables: Tables, rules: Rules, key: Key) -> tuple[float, float] | None:
    """What the tables say of a position of the naive solver, with its infinities."""
    own, other, won, lost = key
    own, other = (*own, *(0,) * (9 - rules.holes)), (*other, *(0,) * (9 - rules.holes))
    tuz = [0 if hole is None else hole + 1 for hole in (won, lost)]
    found = tables.look(bytes((*own[:8], *other[:8], own[8], other[8], 0, 0, *tuz, 0, 0)))
    if found is None:
        return None
    lower = -math.inf if found.lower is None else found.lower
    upper = math.inf if found.upper is None else found.upper
    return lower, upper

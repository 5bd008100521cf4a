"""The base of the actions of officials; `actions` has them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Action:
    """The base of all actions; in JSON the member `do` tells which it is."""

    do: ClassVar[str]

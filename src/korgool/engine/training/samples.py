"""Positions from games of the engine with itself, as the kernel writes them: 32 bytes each."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

SAMPLE_BYTES = 32
LONGEST_GAME = 400
"""Plies after which a game without an end is dropped; `KG_LONGEST_GAME`."""


class SampleStruct(ctypes.Structure):
    """`kg_sample`: all as the side to move sees it."""

    _fields_ = [
        ("position", ctypes.c_uint64 * 3),
        ("value", ctypes.c_int16),
        ("difference", ctypes.c_int16),
        ("ply", ctypes.c_uint8),
        ("move", ctypes.c_uint8),
        ("result", ctypes.c_int8),
        ("proven", ctypes.c_uint8),
    ]


class PlanStruct(ctypes.Structure):
    """Layout of the kernel's `kg_plan`."""

    _fields_ = [("nodes", ctypes.c_uint64), ("opening", ctypes.c_int32), ("stray", ctypes.c_int32)]


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """Parameters of training games.

    Attributes:
        game: name of the game in `korgool.rules.GAMES`.
        nodes: search effort for each move.
        opening: most random plies at the start; 2 to that many are drawn.
        stray: chance that a later ply is random too, 0 to 1.
        network: network file to play with; empty for the hand evaluation.

    Raises:
        ValueError: a number that cannot be.
    """

    game: str = "toguz"
    nodes: int = 3000
    opening: int = 10
    stray: float = 0.03
    network: str = ""

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise ValueError(f"a move takes at least 1 node, not {self.nodes}")
        if not 0 <= self.stray < 1:
            raise ValueError(f"the chance of a random ply is 0 to below 1, not {self.stray}")
        if not 0 <= self.opening <= LONGEST_GAME // 2:
            raise ValueError(f"a game starts with 0 to {LONGEST_GAME // 2} random plies, not {self.opening}")

    def struct(self) -> Any:
        """The plan as the kernel reads it."""
        return PlanStruct(nodes=self.nodes, opening=self.opening, stray=round(self.stray * 65536))

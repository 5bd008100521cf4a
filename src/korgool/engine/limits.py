"""Limits of a search."""

from __future__ import annotations

import math
from dataclasses import dataclass

USUAL_SECONDS = 1.0
"""Default time of a search, and of the highest level for a move, in seconds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one search; the first one reached ends it. Without any it goes on until stopped or until all is proven.

    Attributes:
        seconds: wall-clock time from the call.
        depth: plies of the last iteration, from 1.
        nodes: positions reached by a sowing, over all iterations and by the first thread; never passed.
        aim: wall-clock time after which no further iteration is begun, unless the best move has just changed; this
            alone ends no iteration.

    Raises:
        ValueError: a bound that cannot be met.
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    aim: float | None = None

    def __post_init__(self) -> None:
        for seconds in (self.seconds, self.aim):
            if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
                raise ValueError(f"a search takes 0 seconds or more, not {seconds}")
        if self.depth is not None and self.depth < 1:
            raise ValueError(f"a search looks at least 1 ply ahead, not {self.depth}")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"a search visits at least 1 node, not {self.nodes}")

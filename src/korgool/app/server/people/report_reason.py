"""For what a player is reported."""

from __future__ import annotations

from enum import StrEnum


class ReportReason(StrEnum):
    """What somebody is reported for."""

    NAME = "name"
    """An offensive name."""
    HELP = "help"
    """The moves of a program, or of somebody else."""
    STALLING = "stalling"
    """Leaving, or letting the time run."""
    ARRANGED = "arranged"
    """Losing on purpose, or an agreed result."""
    OTHER = "other"
    """Something else, which the reporter describes."""

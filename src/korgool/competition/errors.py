"""What goes wrong in an event, in words that say where and why."""

from __future__ import annotations


class CompetitionError(ValueError):
    """Something that an event does not allow. The message names the place and the reason."""

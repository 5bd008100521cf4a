"""The error that every refusal of an event raises; its message says where and why."""

from __future__ import annotations


class CompetitionError(ValueError):
    """The event does not allow this. The message names the place and the reason."""

"""The tables and games of an event for programs, in the shapes of `korgool event … --json`."""

from __future__ import annotations

from typing import Any

from korgool.competition.event_fields import round_fields, standings_fields
from korgool.competition.event_state import EventState
from korgool.competition.game_records import games
from korgool.notation import Record, write_record


def standings_data(state: EventState) -> list[dict[str, Any]]:
    """The standings, a line for each competitor; `state` is public already, see `public_event`."""
    return standings_fields(state)


def round_data(state: EventState, number: int) -> list[dict[str, Any]]:
    """The boards of a round with results, then its byes.

    Raises:
        CompetitionError: the round is not paired.
    """
    return round_fields(state, state.round(number))


def games_text(state: EventState) -> str:
    """All attached game records as one file; those that cannot be read by the rules of the event are left out."""
    return "".join(text for record in games(state) if (text := _written(record)))


def _written(record: Record) -> str:
    """Record as text; empty where it is damaged, as may be in a file from elsewhere."""
    try:
        return write_record(record)
    except ValueError:
        return ""

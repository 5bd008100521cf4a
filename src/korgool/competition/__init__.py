"""People against a schedule: entries, officials, pairings, results, standings and ratings of an event.

An event is a log of what its officials did (`actions`); `apply` makes an `EventState` of it. `EventFile` keeps the log
in one SQLite file; the functions of `commands` are what officials do.
"""

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Entry, Personal, Settings, System
from korgool.competition.result import Result, read_result
from korgool.competition.round_history import competitors, history, team_history
from korgool.competition.storage.event_file import EventFile

__all__ = [
    "CompetitionError",
    "Entry",
    "EventFile",
    "EventState",
    "Personal",
    "Result",
    "Settings",
    "System",
    "apply",
    "competitors",
    "history",
    "read_result",
    "team_history",
]

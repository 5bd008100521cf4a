"""Events: entries, officials, pairings, results, standings and ratings.

An event is a log of what its officials did (`actions`); `apply` turns the log into an `EventState`. `EventFile` keeps
the log in one SQLite file, and the functions of `commands` do what an official does.
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

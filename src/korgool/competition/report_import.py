"""Tournament reports (TRF) taken into an event file, a new one or one without players."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from korgool.competition.actions import Change
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.storage.book import Book
from korgool.competition.storage.event_file import EventFile
from korgool.competition.trf import Imported
from korgool.languages import N_

_OF_A_REPORT = ("rounds", "system", "boards", "bye_points", "tiebreaks", "edition", "place", "federation", "begins",
                "ends")  # fmt: skip
_ALWAYS = ("rounds", "system", "boards", "bye_points")
"""Settings that the rounds of a report depend on."""


def take_over(path: str | Path, imported: Imported, *, by: str) -> EventFile:
    """Make an event file from a tournament report (`trf.read_trf`).

    Raises:
        CompetitionError: the file exists already or cannot be written, or the report makes no event. Nothing is left
            behind then.
    """
    _, *others = imported.actions()
    return EventFile.create(path, imported.settings, *others, by=by)


def take_into(book: Book, imported: Imported, *, by: str, reason: str, edition: bool = False) -> EventState:
    """Take a tournament report into an event that has no players yet.

    What a report states, such as the number of rounds and the system, replaces the settings of the event; the name of
    the event, its game and everything else stay. With `edition` the report's edition of the tie-break rules is always
    taken.

    Raises:
        CompetitionError: the event has players or teams, or the report does not go with its settings.
    """
    state = book.refresh()
    if state.people or state.teams:
        raise CompetitionError(N_("the event has players already; a report goes into one without any"))
    told = {name: getattr(imported.settings, name) for name in _OF_A_REPORT}
    usual = {one.name: one.default for one in fields(state.event)}
    kept = {*_ALWAYS, "edition"} if edition else set(_ALWAYS)
    changed = {name: value for name, value in told.items() if value != usual[name] or name in kept}
    _, *others = imported.actions()
    change = Change(replace(state.event, **changed))
    return book.do((change, reason), *others, by=by, after=state)

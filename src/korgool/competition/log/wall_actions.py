"""Actions for the wall of a hall: when a round begins, and what is announced there."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.people_actions import put
from korgool.languages import LANGUAGES, N_

MOST_LETTERS = 200
"""Most characters of an announcement: more cannot be read from the back of a hall."""
MOST_BOARDS = 40
MOST_ANNOUNCEMENTS = 20
"""Most announcements that stay with an event, of which the earliest go."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


def apply_wall_action(state: EventState, action: do.SetClock | do.Announce | do.Silence) -> EventState:
    """The event after an action for the wall; raises CompetitionError if it is refused."""
    if isinstance(action, do.SetClock):
        return _set_clock(state, action)
    if isinstance(action, do.Announce):
        return _announce(state, action)
    if action.announcement not in state.announcements:
        raise CompetitionError(N_("there is no announcement {id} on the wall"), id=action.announcement)
    left = {id_: one for id_, one in state.announcements.items() if id_ != action.announcement}
    return replace(state, announcements=MappingProxyType(left))


def _set_clock(state: EventState, action: do.SetClock) -> EventState:
    if not 1 <= action.round <= state.event.rounds:
        values = {"number": action.round, "rounds": state.event.rounds}
        raise CompetitionError(N_("there is no round {number}, the event has {rounds}"), **values)
    if action.begins:
        return replace(state, clocks=put(state.clocks, action.round, _moment(action.begins)))
    left = {number: begins for number, begins in state.clocks.items() if number != action.round}
    return replace(state, clocks=MappingProxyType(left))


def _announce(state: EventState, action: do.Announce) -> EventState:
    _moment(action.until)
    if action.kind == "text":
        if action.boards or not action.words:
            raise CompetitionError(N_("say what is to be announced"))
        for one in action.words:
            if not one.text.strip() or not one.text.isprintable() or len(one.text) > MOST_LETTERS:
                raise CompetitionError(N_("an announcement has 1 to {most} letters, on one line"), most=MOST_LETTERS)
            if one.language and one.language not in LANGUAGES:
                raise CompetitionError(N_("there is no language {code!r} here"), code=one.language[:20])
        if len({one.language for one in action.words}) < len(action.words):
            raise CompetitionError(N_("an announcement has one text in each language"))
    elif action.words or not action.boards:
        raise CompetitionError(N_("say which boards are called"))
    if len(action.boards) > MOST_BOARDS or not all(1 <= board <= 9999 for board in action.boards):
        raise CompetitionError(N_("at most {most} boards are called at once, by their numbers"), most=MOST_BOARDS)
    after = put(state.announcements, state.fresh_id("announcements"), action)
    spent = dict(state.spent)
    spent["announcements"] = state.fresh_id("announcements")
    kept = dict(sorted(after.items())[-MOST_ANNOUNCEMENTS:])
    return replace(state, announcements=MappingProxyType(kept), spent=MappingProxyType(spent))


def _moment(text: str) -> str:
    """A moment in UTC as it is written; raises CompetitionError for any other text."""
    if _MOMENT.fullmatch(text):
        try:
            datetime.fromisoformat(text)
        except ValueError:
            pass
        else:
            return text
    raise CompetitionError(N_("a moment is written 2026-09-14T10:05:00Z, not {text!r}"), text=text[:40])

"""Lines of a machine that led before, which nobody else has: in words, and done anew by somebody who says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import korgool.competition.actions as do
from korgool.app.server.events.action_requests import ActionRequest
from korgool.app.server.events.lead_repository import Lead
from korgool.app.words.event_log import told
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.group_actions import inner
from korgool.competition.storage.line import Line

BY_HAND = (do.Open, do.Seed, do.Pair, do.Repair, do.Unpair, do.SetPhoto, do.Undo, do.TakeOver, do.Forget)
"""Kinds of lines that are not entered anew at a touch: what they say depends on the lines before them."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A line that nobody else has.

    Attributes:
        mark: names it in forms.
        line: as the other machine had it.
        text: what was done, in words.
        state: `open`, `entered` or `left`.
        enters: whether it can be entered anew at a touch.
    """

    mark: str
    line: Line
    text: str
    state: str
    enters: bool


def strays_of(lead: Lead, state: EventState, gettext: Callable[[str], str]) -> list[Stray]:
    """The lines that machines had which led before, in words."""
    return [stray(_line(row), state, gettext, str(row.get("state", "open"))) for row in lead.strays]


def stray(line: Line, state: EventState, gettext: Callable[[str], str], known: str = "open") -> Stray:
    """A line in words; what this log does not know is named by its kind."""
    try:
        action, _ = line.done()
    except CompetitionError:
        return Stray(mark_of(line), line, line.action, known, False)
    try:
        text = told(state, action, gettext)
    except (KeyError, IndexError, CompetitionError):
        text = f"{inner(action).do}: {line.action}"
    return Stray(mark_of(line), line, text, known, not isinstance(inner(action), BY_HAND))


def request_of(line: Line) -> tuple[int, ActionRequest]:
    """The group of a line by its id, 0 for the first or all, and the action by which it is done anew once."""
    action, reason = line.done()
    group = action.group if isinstance(action, do.InGroup) else 0
    return group, ActionRequest(f"stray-{mark_of(line)}", reason, inner(action))  # type: ignore[arg-type]


def mark_of(line: Line) -> str:
    """A short name of a line."""
    return sha256(line.chain.encode()).hexdigest()[:16]


def settled(lead: Lead, mark: str, state: str) -> Lead:
    """The same after somebody has decided about a line."""
    rows = [{**row, "state": state} if mark_of(_line(row)) == mark else row for row in lead.strays]
    return replace(lead, strays=tuple(rows))


def found(lead: Lead, mark: str) -> Line | None:
    """The line of a name, None where there is none."""
    return next((line for row in lead.strays if mark_of(line := _line(row)) == mark), None)


def _line(row: Mapping[str, Any]) -> Line:
    return Line(*(row.get(name, "") for name in Line._fields))

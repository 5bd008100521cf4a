"""Values of what is said at the tables of a round: reports of results from both sides of a board, and calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from korgool.competition.result import Result

CallReason: TypeAlias = Literal["result", "phone", "rules", "clock", "other"]
"""Reason of a call: `result`, the reports differ or somebody doubts a result; `phone`, both reports came from one."""
CallState: TypeAlias = Literal["called", "coming", "done"]


@dataclass(frozen=True, slots=True)
class TableReport:
    """A report of how a game has ended.

    Attributes:
        side: who says it.
        result: what they say.
        device: tells phones apart, and nothing else of them.
    """

    side: Literal["white", "black"]
    result: Result
    device: str = ""


@dataclass(frozen=True, slots=True)
class TableCall:
    """A call for a referee that is not done."""

    about: CallReason
    state: CallState


def agreed(reports: Sequence[TableReport]) -> Result | None:
    """The result that both sides report; None unless there are two reports that are equal."""
    if len(reports) != 2 or reports[0].result != reports[1].result:
        return None
    return reports[0].result


def doubt(reports: Sequence[TableReport]) -> CallReason | None:
    """Reason why two reports give no result by themselves; None if they do, or one is missing."""
    if len(reports) < 2:
        return None
    if agreed(reports) is None:
        return "result"
    return "phone" if reports[0].device == reports[1].device else None

"""The actions of the tables of a round, as values: reports of results, and calls for a referee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from korgool.competition.action_base import Action
from korgool.competition.result import Result
from korgool.competition.tables import CallReason, CallState


@dataclass(frozen=True, slots=True)
class Report(Action):
    """Say at a table how its game has ended, or with None nothing any more; `device` tells phones apart.

    One report alone changes no result: one with the same result follows when both sides have said it.
    """

    do: ClassVar[str] = "report"
    round: int
    board: int
    side: Literal["white", "black"]
    result: Result | None
    device: str = ""


@dataclass(frozen=True, slots=True)
class Call(Action):
    """Call a referee to a board, say that one is coming, or that nobody is needed any more."""

    do: ClassVar[str] = "call"
    round: int
    board: int
    about: CallReason = "other"
    state: CallState = "called"

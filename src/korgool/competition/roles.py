"""Roles of officials at an event, and their powers: one table, and the function that reads it.

A role says what an official may enter; their office by the regulations (`model.Role`) stands in the event itself. The
organiser may do everything, because at a small event they are the arbiter too. A deputy does what the chief arbiter
does, except what is the chief arbiter's alone: regulations, exclusions, the body of referees, and removal of data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind
from korgool.languages import N_


class DeskRole(StrEnum):
    """Role of an official at the desk of an event."""

    ORGANISER = "organiser"
    CHIEF = "chief"
    """The chief arbiter, with the same powers as the organiser."""
    DEPUTY = "deputy"
    SECTOR = "sector"
    """An arbiter of a range of boards."""
    RESULTS = "results"
    """Official who types results."""
    CHECK_IN = "check-in"
    """Official who notes who is there."""
    SPECTATOR = "spectator"
    """Sees the desk and does nothing."""


@dataclass(frozen=True, slots=True)
class Boards:
    """A range of boards, both ends included.

    Raises:
        CompetitionError: it holds no board.
    """

    first: int
    last: int

    def __post_init__(self) -> None:
        if not 1 <= self.first <= self.last <= 9999:
            raise CompetitionError(
                N_("boards {first} to {last} are no range of boards"), first=self.first, last=self.last
            )

    def __contains__(self, board: int) -> bool:
        return self.first <= board <= self.last


@dataclass(frozen=True, slots=True)
class Powers:
    """Powers of a role.

    Attributes:
        actions: the kinds of actions.
        helpers: whether it may give roles to others, and end them.
        present: whether rounds before the last one are closed to it.
        absences: the byes that it may give.
    """

    actions: frozenset[type[do.Action]] = frozenset()
    helpers: bool = False
    present: bool = False
    absences: frozenset[ByeKind] = frozenset(ByeKind)


_ALL = frozenset(do.AnyAction.__args__) - {do.Open, do.Report, do.TakeOver}
_CHIEFS = {
    do.AddGroup, do.NameGroup, do.SetEmblem, do.Change, do.Exclude, do.Reinstate, do.Appoint, do.Dismiss, do.Forget,
}  # fmt: skip
_RESULTS = {do.EnterResult, do.Correct, do.Dispute, do.Settle, do.Attach, do.Call}
_SECTOR = _RESULTS | {do.GiveWarning, do.Lend, do.TakeBack}

POWERS: Mapping[DeskRole, Powers] = MappingProxyType(
    {
        DeskRole.ORGANISER: Powers(_ALL, helpers=True),
        DeskRole.CHIEF: Powers(_ALL, helpers=True),
        DeskRole.DEPUTY: Powers(_ALL - _CHIEFS),
        DeskRole.SECTOR: Powers(frozenset(_SECTOR), present=True),
        DeskRole.RESULTS: Powers(frozenset(_RESULTS), present=True),
        DeskRole.CHECK_IN: Powers(frozenset({do.Miss, do.Attend, do.Present}), absences=frozenset({ByeKind.ZERO})),
        DeskRole.SPECTATOR: Powers(),
    }
)


def lacks(role: DeskRole, kind: type[do.Action]) -> Message | None:
    """Reason why a role never has a kind of action, or None where it has it."""
    return (
        None if kind in POWERS[role].actions else Message(N_("your role does not have this: {action}"), action=kind.do)
    )


def may(role: DeskRole, boards: Boards | None, action: do.AnyAction, state: EventState) -> Message | None:
    """Reason why an official may not do an action, or None where they may.

    Args:
        role: their role.
        boards: the boards that they are confined to, None for all.
        action: what they want to do.
        state: the event before it.
    """
    powers = POWERS[role]
    if (lacking := lacks(role, type(action))) is not None:
        return lacking
    if isinstance(action, do.Miss) and action.absence.kind not in powers.absences:
        return Message(N_("your role notes who is absent and gives no byes with points"))
    # What somebody has typed may reach the server late, and a dispute changes nothing.
    closes = powers.present and not isinstance(action, do.Dispute)
    if closes and (number := getattr(action, "round", None)) not in (None, len(state.rounds)):
        return Message(N_("round {round} is closed to your role, only the last round is open"), round=number)
    if boards is not None:
        return _outside(boards, action, state)
    return None


def _outside(boards: Boards, action: do.AnyAction, state: EventState) -> Message | None:
    """Reason why an action is outside a range of boards, or None: all that it touches must lie there."""
    found: list[int] = []
    if isinstance(action, (do.EnterResult, do.Correct, do.Dispute, do.Settle, do.Attach, do.Choose, do.Lend, do.Call)):
        found = [action.board]
    elif isinstance(action, do.TakeBack):
        form = state.forms.get(action.form)
        found = [form.board] if form is not None and form.round == len(state.rounds) else []
    elif isinstance(action, do.GiveWarning):
        last = state.rounds[-1].games if state.rounds else ()
        found = [game.board for game in last if action.player in (game.white, game.black)]
    if found and all(board in boards for board in found):
        return None
    return Message(N_("this is outside boards {first} to {last}"), first=boards.first, last=boards.last)


@dataclass(frozen=True, slots=True)
class Officer:
    """Official at the desk of an event.

    Attributes:
        who: their identity, or that of the link or code by which they came.
        name: what the log calls them.
        role: what they do.
        boards: the boards that they are confined to, None for all.
    """

    who: str
    name: str
    role: DeskRole
    boards: Boards | None = None

    def refusal(self, action: do.AnyAction, state: EventState) -> Message | None:
        """Reason why they may not do an action, or None where they may; see `may`."""
        return may(self.role, self.boards, action, state)

    def lacks(self, kind: type[do.Action]) -> Message | None:
        """Reason why they never have a kind of action, or None where they have it; see `lacks`."""
        return lacks(self.role, kind)


_TABLE = N_("players report and call at their own board of the last round")


@dataclass(frozen=True, slots=True)
class AtTable(Officer):
    """The players of a board, who say by phone how their game has ended; the result follows when both agree.

    They are no officials: what `role` may do they may not.
    """

    def refusal(self, action: do.AnyAction, state: EventState) -> Message | None:
        """Reason why they may not do an action, or None."""
        own = self.boards is not None and getattr(action, "board", 0) in self.boards
        kinds = isinstance(action, do.Report | do.Call | do.EnterResult)
        if not kinds or not own or getattr(action, "round", 0) != len(state.rounds):
            return Message(_TABLE)
        return Message(_TABLE) if isinstance(action, do.Call) and action.state == "coming" else None

    def lacks(self, kind: type[do.Action]) -> Message | None:
        """Reason why they never ask for a kind of action, or None."""
        return None if kind in (do.Report, do.Call) else Message(_TABLE)

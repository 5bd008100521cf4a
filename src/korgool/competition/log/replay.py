"""Replay of a log into the state of the event; lines that were taken back are skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import korgool.competition.actions as do
from korgool.competition.emblem import set_emblem
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import Done, EventState
from korgool.competition.log.group_actions import add_group, check_alive, follow, join, name_group
from korgool.competition.log.people_actions import PEOPLE, apply_people_action, pass_over
from korgool.competition.log.round_actions import apply_round_action
from korgool.competition.log.wall_actions import apply_wall_action
from korgool.competition.result import Result
from korgool.competition.standings import check_tiebreaks
from korgool.languages import N_

EMPTY = EventState()


class LineError(CompetitionError):
    """A line of the log that is not allowed at its place.

    Attributes:
        at: its place from 1.
        reason: why.
    """

    def __init__(self, at: int, reason: str) -> None:
        self.at, self.reason = at, reason
        super().__init__(N_("line {at} of the log cannot stand there: {reason}"), at=at, reason=reason)


def replay(done: Sequence[Done], state: EventState = EMPTY) -> EventState:
    """The event after a whole log.

    Args:
        done: the log.
        state: the event after its first lines, none of which a later line takes back; its group decides how lines are
            seen (`group_actions.seen`).

    Raises:
        LineError: a line is refused.
    """
    for _, _, after in steps(done, state):
        state = after
    return replace(state, done=tuple(done))


def go_on(state: EventState, done: Sequence[Done]) -> EventState:
    """The event after more lines of its log. What depends on a line taken back was checked when that was written.

    Raises:
        LineError: a line is refused.
    """
    anew = any(isinstance(action, do.Undo) for action, _ in done)
    return replay((*state.done, *done), state.blank if anew else state)


def steps(done: Sequence[Done], state: EventState = EMPTY) -> Iterator[tuple[int, EventState, EventState]]:
    """For each line its number from 1 and the event before and after it; arguments and errors as in `replay`."""
    gone = taken_back(done)
    for at in range(len(state.done) + 1, len(done) + 1):
        action, reason = done[at - 1]
        before = state
        try:
            state = pass_over(state, action) if at in gone else step(state, action, reason)
        except CompetitionError as error:
            raise LineError(at, error.message) from error
        yield at, before, state


def step(state: EventState, action: do.AnyAction, reason: str) -> EventState:
    """The event after an action, not yet added to its log. `Undo` does nothing here: `taken_back` handles it.

    Raises:
        CompetitionError: the action is refused.
    """
    if isinstance(action, do.Open):
        if state.settings is not None:
            raise CompetitionError(N_("the event is open already"))
        check_tiebreaks(action.settings)
        return replace(state, settings=action.settings)
    if state.settings is None:
        raise CompetitionError(N_("the event is not opened yet"))
    if isinstance(action, do.InGroup):
        return follow(state, action)
    if isinstance(action, do.AddGroup):
        return add_group(state, action)
    if isinstance(action, do.NameGroup):
        return name_group(state, action)
    if isinstance(action, do.SetEmblem):
        return set_emblem(state, action)
    if not isinstance(action, do.WHOLE_EVENT):
        check_alive(state, state.group)
    if isinstance(action, do.NEEDS_REASON) and not reason.strip():
        raise CompetitionError(N_("give the reason: this is never done without one"))
    if isinstance(action, do.Undo | do.TakeOver):
        return state
    if isinstance(action, do.Join):
        return join(state, action)
    if isinstance(action, do.SetClock | do.Announce | do.Silence):
        return apply_wall_action(state, action)
    if type(action) in PEOPLE:
        return apply_people_action(state, action, reason)
    return apply_round_action(state, action)


def taken_back(done: Sequence[Done]) -> dict[int, int]:
    """The lines that were taken back, each with the line that did so, which may itself be taken back.

    Raises:
        LineError: a line takes back a line that is not before it, the opening, or one that is taken back already.
    """
    gone: dict[int, int] = {}
    for at in range(len(done), 0, -1):
        action = done[at - 1][0]
        if not isinstance(action, do.Undo) or at in gone:
            continue
        if not 1 <= action.line < at:
            raise LineError(at, Message(N_("there is no line {line} before it"), line=action.line))
        if action.line == 1:
            raise LineError(at, Message(N_("the opening of an event is not taken back: begin another file")))
        if isinstance(done[action.line - 1][0], do.TakeOver):
            raise LineError(at, Message(N_("a take-over is not taken back: the other machine can take over again")))
        if action.line in gone:
            again = N_("line {line} is taken back already, by line {at}")
            raise LineError(gone[action.line], Message(again, line=action.line, at=at))
        gone[action.line] = at
    return gone


def lines_about(state: EventState, number: int, board: int) -> tuple[int, ...]:
    """The lines of the log that say how a game has ended: of its result, then of everything that disputes it.

    0 stands for a line that is not found, as for a game that has come from another board.
    """
    gone = taken_back(state.done)
    about = [
        (at, action)
        for at, (action, _) in enumerate(state.done, 1)
        if isinstance(action, do.EnterResult | do.Correct | do.Dispute)
        and (action.round, action.board) == (number, board)
        and at not in gone
    ]

    def last(result: Result | None, *, disputed: bool) -> int:
        fit = (at for at, one in about if one.result == result and isinstance(one, do.Dispute) is disputed)
        return max(fit, default=0)

    held = state.round(number).game(board).result
    said = state.disputes.get((number, board), ())
    return last(held, disputed=False), *(last(one, disputed=True) for one in said)

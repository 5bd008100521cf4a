"""Conflicts between officials: what each of the last lines of a log changed, and results that contradict each other,
which the log holds as disputes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import korgool.competition.actions as do
from korgool.app.server.events.action_requests import ActionRequest, AskCorrect, AskDispute, AskResult, PerformedAction
from korgool.app.server.events.sandbox_child import MOST_LINES
from korgool.app.server.events.stored_book import StoredBook
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.group_commands import in_group
from korgool.competition.log.replay import go_on, lines_about, replay
from korgool.competition.log.undo import Part, touched
from korgool.competition.result_entry import read_entry
from korgool.competition.roles import Officer

_MOST = 2_000
"""Lines in the index; the parts of earlier ones are computed again."""


def changes(action: do.AnyAction, before: EventState, after: EventState) -> frozenset[Part]:
    """The parts of an event that an action has changed; pairing numbers are one part and not one of each player."""
    return frozenset({("numbers", 0, 0)}) if isinstance(action, do.Seed) else touched(before, after)


class ChangeIndex:
    """The parts that the last lines of a log have changed. One thread uses an object at a time."""

    def __init__(self) -> None:
        self._parts: dict[int, frozenset[Part]] = {}

    def note(self, before: EventState, after: EventState) -> frozenset[Part]:
        """The parts that the lines between two states of a log have changed, all together."""
        found: set[Part] = set()
        for at in range(before.actions + 1, after.actions + 1):
            action, reason = after.done[at - 1]
            then = after if at == after.actions else go_on(before, [(action, reason)])
            self._parts[at] = changes(action, before, then)
            found |= self._parts[at]
            before = then
        return frozenset(found)

    def trim(self) -> None:
        """Keep the last lines only."""
        for at in sorted(self._parts)[: max(0, len(self._parts) - _MOST)]:
            del self._parts[at]

    def forget(self, after: int) -> None:
        """Forget the lines after a number, which were not written."""
        for at in [at for at in self._parts if at > after]:
            del self._parts[at]

    def since(self, after: int, state: EventState) -> dict[int, frozenset[Part]]:
        """The parts of each line after a number, up to the present state."""
        wanted = range(after + 1, state.actions + 1)
        missing = [at for at in wanted if at not in self._parts]
        if missing:
            found = ChangeIndex()
            found.note(replay(state.done[: missing[0] - 1], state.blank), state)
            self._parts |= found._parts
        return {at: self._parts[at] for at in wanted}


_SAYING = (AskResult, AskCorrect, AskDispute, do.EnterResult, do.Correct)
"""Actions that say how a game has ended."""


def says_results(actions: Sequence[ActionRequest]) -> bool:
    """Return whether one of these actions says how a game has ended."""
    return any(isinstance(one.action, _SAYING) for one in actions)


def write_disputes(book: StoredBook, officer: Officer, after: int, actions: Sequence[ActionRequest]) -> bool:
    """Write what actions that were not done say against results that stand, in their groups; within a transaction.

    What the official may not dispute is passed over, and so is another result typed over their own, of which they know.

    Args:
        book: the log; its `who` is the official.
        officer: who asked for the actions.
        after: the last line that they know of.
        actions: what they asked for.

    Returns:
        Whether the log holds something of that as a dispute: from now on, or since the same was asked before.
    """
    state, held = book.state, False
    for group in state.groups or (state.group,):
        names = {state.groups.get(group, ""), *([""] if group == state.group else [])}
        if own := [one for one in actions if one.group in names]:
            with in_group(book, group):
                held |= _write_all(book, officer, after, own)
    return held


def _write_all(book: StoredBook, officer: Officer, after: int, actions: Sequence[ActionRequest]) -> bool:
    held = False
    ids = [_dispute_id(one.id) for one in actions]
    known = book.known(ids)
    try:
        for one, book.command in zip(actions, ids, strict=True):
            if book.command and book.command in known:
                held = True
            elif (said := _contradiction(one.action, book.state)) is not None:
                held |= _write(book, officer, after, said)
    finally:
        book.command = ""
    return held


def _write(book: StoredBook, officer: Officer, after: int, said: do.Dispute) -> bool:
    state = book.state
    if officer.refusal(said, state) is not None or state.actions >= MOST_LINES:
        return False
    if said.result in state.disputes.get((said.round, said.board), ()):
        return True
    entered = lines_about(state, said.round, said.board)[0]
    if 0 < entered <= after and book.log_after(entered - 1)[0].by == officer.name:
        return False
    try:
        book.do(said, by=officer.name)
    except CompetitionError:  # it is no result by the rules of the event
        return False
    return True


def _contradiction(action: PerformedAction, state: EventState) -> do.Dispute | None:
    """The dispute of an action whose result contradicts the one that stands; None if it does not."""
    if not isinstance(action, _SAYING):
        return None
    try:
        given = action.result
        said = read_entry(given, state.event) if isinstance(given, str) else given
        held = state.round(action.round).game(action.board).result
    except CompetitionError:
        return None
    return None if held is None or held == said else do.Dispute(action.round, action.board, said)


def _dispute_id(id_: str) -> str:
    """The id of the dispute that follows from an action; that of the action stays free, because it is not done."""
    return f"d-{hashlib.sha256(id_.encode()).hexdigest()[:32]}" if id_ else ""

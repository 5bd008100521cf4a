"""Results that are said and not entered because others stand there: the log holds them as disputes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import korgool.competition.actions as do
from korgool.app.server.events.action_requests import ActionRequest, AnyRead, AskCorrect, AskDispute, AskResult
from korgool.app.server.events.sandbox_jobs import MOST_LINES
from korgool.app.server.events.stored_book import StoredBook
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.replay import lines_about
from korgool.competition.result_entry import read_entry
from korgool.competition.roles import Officer

_SAYING = (AskResult, AskCorrect, AskDispute, do.EnterResult, do.Correct)
"""Actions that say how a game has ended."""


def says_results(actions: Sequence[ActionRequest]) -> bool:
    """Whether one of these actions says how a game has ended."""
    return any(isinstance(one.action, _SAYING) for one in actions)


def write_disputes(book: StoredBook, officer: Officer, after: int, actions: Sequence[ActionRequest]) -> bool:
    """Write what actions that were not done say against results that stand; within a transaction.

    What the official may not dispute is passed over, and so is another result typed over their own, of which they know.

    Args:
        book: the log; its `who` is the official.
        officer: who asked for the actions.
        after: the last line that they know of.
        actions: what they asked for.

    Returns:
        Whether the log holds something of that as a dispute: from now on, or since the same was asked before.
    """
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


def _contradiction(action: AnyRead, state: EventState) -> do.Dispute | None:
    """What an action that enters a result says against the one that stands, if it does."""
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

"""Disputed results: what another official said of a game stays beside its result until that is corrected or settled.

No line rests on a dispute, and a dispute keeps no line from being taken back. So in a log that is replayed, a dispute
of what does not stand any more passes without a trace. Only a new one is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.competition.result import Result
from korgool.languages import N_


def dispute(state: EventState, action: do.Dispute) -> EventState:
    """The event with another result said of a game; the same event where that contradicts nothing."""
    try:
        check_dispute(state, action)
    except CompetitionError:
        return state
    place = (action.round, action.board)
    said = (*state.disputes.get(place, ()), action.result)
    return replace(state, disputes=MappingProxyType({**state.disputes, place: said}))


def settle(state: EventState, action: do.Settle | do.Correct) -> EventState:
    """The event in which the result of a game is disputed no longer."""
    place = (action.round, action.board)
    if place not in state.disputes:
        return state
    left = {one: said for one, said in state.disputes.items() if one != place}
    return replace(state, disputes=MappingProxyType(left))


def check_dispute(state: EventState, action: do.Dispute | do.Settle) -> None:
    """Refuse to dispute or to settle what is not contradicted.

    Raises:
        CompetitionError: no such board; to dispute: no other result stands there, the same is said already, or the
            rules of the event give no such result; to settle: it is not disputed.
    """
    number, board = action.round, action.board
    held, said = state.round(number).game(board).result, state.disputes.get((number, board), ())
    if isinstance(action, do.Settle):
        if not said:
            raise CompetitionError(N_("round {number}, board {board} is not disputed"), number=number, board=board)
        return
    if held is None or held == action.result:
        raise CompetitionError(
            N_("round {number}, board {board} has no other result that could be disputed"), number=number, board=board
        )
    if action.result in said:
        raise CompetitionError(
            N_("round {number}, board {board} is disputed with this result already"), number=number, board=board
        )
    if action.result is not None:
        try:
            action.result.check(state.event.rules(), sets=state.event.sets)
        except CompetitionError as error:
            raise CompetitionError(
                N_("round {number}, board {board}: {error}"), number=number, board=board, error=error
            ) from None


def keep_disputes(before: EventState, after: EventState) -> EventState:
    """The event after its rounds have changed: what is disputed stays with a game as long as its result does.

    A round changed by hand may have moved the game to another board, or exchanged the colours.
    """
    if not before.disputes or before.rounds is after.rounds:
        return after
    kept = {}
    for (number, board), said in before.disputes.items():
        held = before.round(number).game(board)
        games = after.rounds[number - 1].games if number <= len(after.rounds) else ()
        now = next((game for game in games if {game.white, game.black} == {held.white, held.black}), None)
        if now is None or now.result is None:
            continue
        seen = _as_seen(held, now)
        if seen(held.result) == now.result:
            kept[number, now.board] = tuple(map(seen, said))
    return after if kept == after.disputes else replace(after, disputes=MappingProxyType(kept))


def _as_seen(held: PairedGame, now: PairedGame) -> Callable[[Result | None], Result | None]:
    """A function that gives a result as that of the same game after a change, which may exchange the colours."""
    if held.white == now.white:
        return lambda one: one
    return lambda one: one and one.mirrored

"""Reports and calls from the tables in the state of an event.

As with disputes no line rests on them, and they keep no line from being taken back: in a log that is replayed, what is
said of a game that has a result, or of a board that is not there any more, passes without a trace.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.competition.tables import TableCall, TableReport
from korgool.languages import N_

_ABOUT_RESULTS = ("result", "phone")
"""Calls that are done when the board has a result."""


def report(state: EventState, action: do.Report) -> EventState:
    """The event with a report of one side, in place of its earlier one; unchanged where it is of no account."""
    try:
        check_table(state, action)
    except CompetitionError:
        return state
    place = (action.round, action.board)
    others = [one for one in state.reports.get(place, ()) if one.side != action.side]
    own = [] if action.result is None else [TableReport(action.side, action.result, action.device)]
    said = tuple(sorted(others + own, key=lambda one: one.side, reverse=True))
    reports = {one: held for one, held in state.reports.items() if one != place}
    return replace(state, reports=MappingProxyType(reports | ({place: said} if said else {})))


def call(state: EventState, action: do.Call) -> EventState:
    """The event with a call for a referee, or without the one that is done."""
    try:
        check_table(state, action)
    except CompetitionError:
        return state
    place = (action.round, action.board)
    calls = {one: held for one, held in state.calls.items() if one != place}
    if action.state != "done":
        calls[place] = TableCall(action.about, action.state)
    return replace(state, calls=MappingProxyType(calls))


def check_table(state: EventState, action: do.Report | do.Call) -> None:
    """Refuse what cannot be said at a table.

    Raises:
        CompetitionError: it is of another round than the last, there is no such board, or nobody sits there; to report:
            the game has a result, or the rules of the event give no such result.
    """
    number, board = action.round, action.board
    game = state.round(number).game(board)
    if number != len(state.rounds):
        raise CompetitionError(N_("round {number} is over"), number=number)
    if isinstance(action, do.Call):
        if action.state != "called" and (number, board) not in state.calls:
            raise CompetitionError(N_("board {board} calls nobody"), board=board)
        return
    if not (game.white and game.black):
        raise CompetitionError(N_("board {board} has not two players"), board=board)
    if game.result is not None:
        raise CompetitionError(
            N_("round {round}, board {board} has the result {text} already; correct it instead"),
            round=number,
            board=board,
            text=game.result.text,
        )
    if action.result is not None:
        action.result.check(state.event.rules(), sets=state.event.sets)


def keep_tables(before: EventState, after: EventState) -> EventState:
    """The event after its rounds have changed: reports stay while the same two sit there without a result.

    Calls stay while their board is there, and with a result only those that are not about it.
    """
    if before.rounds is after.rounds or not (before.reports or before.calls):
        return after
    last = len(after.rounds)
    games = {(last, game.board): game for game in after.rounds[-1].games} if after.rounds else {}

    def same(place: tuple[int, int]) -> bool:
        held, now = before.round(place[0]).game(place[1]), games.get(place)
        return now is not None and now.result is None and _sits(held) == _sits(now)

    reports = {place: said for place, said in before.reports.items() if same(place)}
    calls = {
        place: held
        for place, held in before.calls.items()
        if place in games and (games[place].result is None or held.about not in _ABOUT_RESULTS)
    }
    if (reports, calls) == (after.reports, after.calls):
        return after
    return replace(after, reports=MappingProxyType(reports), calls=MappingProxyType(calls))


def _sits(game: PairedGame) -> tuple[int, int]:
    return game.white, game.black

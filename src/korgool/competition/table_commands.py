"""A report from a table, and what follows from it: the result that both sides say, or a call for a referee."""

from __future__ import annotations

import korgool.competition.actions as do
from korgool.competition.commands import record
from korgool.competition.storage.book import Book
from korgool.competition.tables import agreed, doubt


def report_result(book: Book, action: do.Report, *, by: str) -> None:
    """Write a report of one side. Where both say the same by two devices, the result is entered.

    Where they contradict each other, or both come from one device, a referee is called.

    Raises:
        CompetitionError: it is refused; nothing is written.
    """
    with book.together():
        state = book.do(action, by=by)
        place = (action.round, action.board)
        said, called = state.reports.get(place, ()), state.calls.get(place)
        why = doubt(said)
        if why is not None and (called is None or called.about != why):
            book.do(do.Call(action.round, action.board, why), by=by)
        elif why is None and (result := agreed(said)) is not None:
            record(book, action.round, action.board, result, by=by)

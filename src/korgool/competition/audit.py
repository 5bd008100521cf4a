"""The check of an event: pairs every round and computes every published table again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

import korgool.competition.actions as do
from korgool.competition.actions import Logged
from korgool.competition.csv_export import competitor
from korgool.competition.eligibility import missing_officials
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import PairedGame, Row
from korgool.competition.pairing import Paired, PairingEngine, pair, pair_swiss
from korgool.competition.pairing.engine_file import FILE
from korgool.competition.pairing.gacrux_process import ISOLATED
from korgool.competition.pairing_doubts import pairing_notes
from korgool.competition.result import said_number, said_points
from korgool.competition.standings import standings
from korgool.competition.storage.book import Book
from korgool.competition.storage.hash_chain import Head
from korgool.languages import N_


def check(book: Book, *, engine: PairingEngine = ISOLATED) -> tuple[str, ...]:
    """Differences between what is stored and what follows from the log, in sentences; empty if there are none.

    It follows the chain of hashes, applies every action again, pairs every round again from the event as it stood then
    (`remarks` lists the manual ones), and computes every published table again.

    Args:
        book: the event.
        engine: what pairs its Swiss rounds again; by default gacrux in a process of its own.
    """
    return tuple(fault for found in checking(snapshot(book), engine=engine) for fault in found)


@dataclass(frozen=True, slots=True)
class LogSnapshot:
    """Snapshot of a book for a check, so that other writers need not wait while it runs.

    Attributes:
        broken: lines that were changed after they were written.
        lines: the whole log.
        state: the event as the book has it in memory.
        remarks: what is remarked on although nothing is wrong.
    """

    broken: tuple[int, ...]
    lines: tuple[Logged, ...]
    state: EventState
    remarks: tuple[str, ...]


def snapshot(book: Book) -> LogSnapshot:
    """A book as it stands, with the remarks on it."""
    lines = book.log()
    taken_over = [
        line.action.round for line in lines if isinstance(line.action, do.Pair) and line.action.engine == do.IMPORTED
    ]
    notes = [*remarks(book.state), *lost_details(book)]
    notes += [
        Message(N_("round {number} was taken over from a report and is not paired again"), number=number)
        for number in taken_over
    ]
    return LogSnapshot(book.broken_links(), lines, book.state, tuple(notes))


def checking(held: LogSnapshot, *, engine: PairingEngine = ISOLATED) -> Iterator[tuple[str, ...]]:
    """The faults of one line of the log after the other; the lines of paired rounds take long."""
    yield tuple(Message(N_("line {at} of the log was changed after it was written"), at=at) for at in held.broken)
    state = held.state.blank
    by_hand = 0
    for line in held.lines:
        faults: list[str] = []
        if by_hand and not isinstance(line.action, do.Repair):
            faults.append(Message(N_("round {number} was paired by hand, and nobody says why"), number=by_hand))
        by_hand = line.action.round if isinstance(line.action, do.Pair) and line.action.engine == do.BY_HAND else 0
        if isinstance(line.action, do.Pair):
            faults += verify_round(state, line.action, engine=engine)
        state = apply(state, line.action, reason=line.reason)
        if isinstance(line.action, do.Publish):
            faults += _verify_table(state, line.action)
        yield tuple(faults)
    if state != held.state:
        yield (Message(N_("the event in memory is not the one of the log")),)


def head_fault(book: Book, head: Head) -> str:
    """Reason why a printed head does not lie on the chain of the log, in a sentence; empty if it does."""
    lines = book.state.actions
    if head.at > lines:
        cut = N_("the head {head} was printed after line {at} and the log ends at line {lines}: lines are cut off")
        return Message(cut, head=str(head), at=head.at, lines=lines)
    held = book.heads(head.at)
    if head not in held:
        anew = N_("line {at} has the head {held} and {head} was printed: the log was written anew before or there")
        return Message(anew, at=head.at, held=str(held[0]), head=str(head))
    return ""


def lost_details(book: Book) -> tuple[str, ...]:
    """A remark on lines of the log whose names or reasons are gone although no official removed them.

    Nothing that is computed rests on them: a copy without names is as good as the event.
    """
    if not (lost := book.lost_details()):
        return ()
    lines = ", ".join(map(str, lost[:10])) + (", …" if len(lost) > 10 else "")
    gone = N_("details of {count} lines of the log are not there, and no official removed them: {lines}")
    return (Message(gone, count=len(lost), lines=lines),)


def remarks(state: EventState) -> tuple[str, ...]:
    """Remarks for the organiser although nothing is wrong: missing officials, manual rounds, forms still lent."""
    found = list(missing_officials(state))
    for one in state.rounds:
        if one.manual:
            found.append(Message(N_("round {number} was paired by hand"), number=one.number))
            found += pairing_notes(state, one.number)
    disputed = N_("round {number}, board {board} is disputed: officials give different results")
    found += [Message(disputed, number=number, board=board) for number, board in sorted(state.disputes)]
    with_ = N_("form {form} is still with {borrower}")
    lent = (form for form in state.forms.values() if form.state == "lent")
    found += [Message(with_, form=form.id, borrower=form.borrower) for form in lent]
    return tuple(found)


def verify_round(state: EventState, published: do.Pair, *, engine: PairingEngine = ISOLATED) -> list[str]:
    """Differences of a round from the one that its event gives when paired again; none if it was paired by hand."""
    if published.engine in do.NOT_COMPUTED:
        return []
    again: list[Callable[..., Paired]] = [pair]
    if published.engine.startswith("gacrux"):
        written = re.search(r", file (\d+)", published.engine)
        version = int(written[1]) if written else 1
        if version < FILE:
            again.append(partial(pair_swiss, version=version))  # as the program did when it was paired
    found: list[str] = []
    for one in again:
        if not (differences := _differences(state, published, one, engine)):
            return []
        found = found or differences
    return found


def _differences(
    state: EventState, published: do.Pair, again: Callable[..., Paired], engine: PairingEngine
) -> list[str]:
    number = published.round
    try:
        paired = again(state, number, engine=engine)
    except CompetitionError as error:
        return [Message(N_("round {number} cannot be paired again: {error}"), number=number, error=error)]
    faults: list[str] = []
    differs = N_("round {number}, board {board}: stored {held}, paired again {other}")
    for board, (held, other) in enumerate(zip_longest(published.games, paired.games), 1):
        if held != other:
            names = {"held": _names(state, held), "other": _names(state, other)}
            faults.append(Message(differs, number=number, board=board, **names))
    if set(published.byes) != set(paired.byes):
        faults.append(Message(N_("round {number}: the byes differ when it is paired again"), number=number))
    if faults and published.engine != paired.engine:
        by = N_("round {number} was paired by {engine}, this is {other}")
        faults.append(Message(by, number=number, engine=published.engine, other=paired.engine))
    return faults


def _names(state: EventState, game: PairedGame | None) -> str:
    return (
        "—" if game is None else " - ".join(state.players[id_].name if id_ else "—" for id_ in (game.white, game.black))
    )


def _verify_table(state: EventState, published: do.Publish) -> list[str]:
    number = published.round
    rows = {row.competitor: row for row in standings(state, rounds=number, tiebreaks=published.tiebreaks)}
    held = {row.competitor: row for row in published.rows}
    missing = N_("standings after round {number}: {name} is missing")
    strange = N_("standings after round {number}: {name} does not belong there")
    differs = N_("standings after round {number}, {name}: stored {held}, computed {other}")
    faults: list[str] = [
        Message(missing, number=number, name=_competitor(state, id_)) for id_ in sorted(rows.keys() - held.keys())
    ]
    faults += [
        Message(strange, number=number, name=_competitor(state, id_)) for id_ in sorted(held.keys() - rows.keys())
    ]
    for id_ in sorted(rows.keys() & held.keys(), key=lambda id_: rows[id_].rank):
        if rows[id_] != held[id_]:
            texts = {"held": _row(held[id_], published.tiebreaks), "other": _row(rows[id_], published.tiebreaks)}
            faults.append(Message(differs, number=number, name=_competitor(state, id_), **texts))
    return faults


def _competitor(state: EventState, id_: int) -> str:
    if id_ not in (state.teams if state.event.system.of_teams else state.players):
        return f"№ {id_}"
    number, name = competitor(state, id_)
    return f"{number} {name}"


def _row(row: Row, codes: tuple[str, ...]) -> str:
    values = " ".join(f"{code} {said_number(value)}" for code, value in zip_longest(codes, row.values, fillvalue=0))
    place = N_("place {rank} with {points} points ({values})")
    return Message(place, rank=row.rank, points=said_points(row.points), values=values)

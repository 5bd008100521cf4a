"""The check of an event: pairs every round and computes every published table again."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import zip_longest

import korgool.competition.actions as do
from korgool.competition.csv_export import competitor
from korgool.competition.eligibility import missing_officials
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import PairedGame, Row
from korgool.competition.pairing import Paired, PairingEngine, pair, pair_swiss
from korgool.competition.pairing.engine_file import FILE
from korgool.competition.pairing.gacrux_process import ISOLATED
from korgool.competition.pairing_doubts import pairing_notes
from korgool.competition.result import points_text
from korgool.competition.standings import standings
from korgool.competition.storage.book import Book
from korgool.competition.storage.hash_chain import Head


def check(book: Book, *, engine: PairingEngine = ISOLATED) -> tuple[str, ...]:
    """Differences between what is stored and what follows from the log, in sentences; empty if there are none.

    It follows the chain of hashes, applies every action again, pairs every round again from the event as it stood then
    (`remarks` lists the manual ones), and computes every published table again.

    Args:
        book: the event.
        engine: what pairs its Swiss rounds again; by default gacrux in a process of its own.
    """
    faults = [f"line {at} of the log was changed after it was written" for at in book.broken_links()]
    state = EventState()
    by_hand = 0
    for line in book.log():
        if by_hand and not isinstance(line.action, do.Repair):
            faults.append(f"round {by_hand} was paired by hand, and nobody says why")
        by_hand = line.action.round if isinstance(line.action, do.Pair) and line.action.engine == do.BY_HAND else 0
        if isinstance(line.action, do.Pair):
            faults += verify_round(state, line.action, engine=engine)
        state = apply(state, line.action, reason=line.reason)
        if isinstance(line.action, do.Publish):
            faults += _verify_table(state, line.action)
    if state != book.state:
        faults.append("the event in memory is not the one of the log")
    return tuple(faults)


def head_fault(book: Book, head: Head) -> str:
    """Why a printed head does not lie on the chain of the log, in a sentence; empty if it does."""
    lines = book.state.actions
    if head.at > lines:
        return f"the head {head} was printed after line {head.at} and the log ends at line {lines}: lines are cut off"
    held = book.heads(head.at)
    if head not in held:
        return f"line {head.at} has the head {held[0]} and {head} was printed: the log was written anew before or there"
    return ""


def lost_details(book: Book) -> tuple[str, ...]:
    """A remark on lines of the log whose names or reasons are gone although no official removed them.

    Nothing that is computed rests on them: a copy without names is as good as the event.
    """
    if not (lost := book.lost_details()):
        return ()
    lines = ", ".join(map(str, lost[:10])) + (" and others" if len(lost) > 10 else "")
    return (f"details of {len(lost)} lines of the log are not there, and no official removed them: {lines}",)


def remarks(state: EventState) -> tuple[str, ...]:
    """What an organiser should know although nothing is wrong: missing officials, manual rounds, forms still lent."""
    found = list(missing_officials(state))
    for one in state.rounds:
        if one.manual:
            found.append(f"round {one.number} was paired by hand")
            found += pairing_notes(state, one.number)
    found += [f"form {form.id} is still with {form.borrower}" for form in state.forms.values() if form.state == "lent"]
    return tuple(found)


def verify_round(state: EventState, published: do.Pair, *, engine: PairingEngine = ISOLATED) -> list[str]:
    """Where a round differs from the one that its event gives when paired again; nothing if it was paired by hand."""
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
    place = f"round {published.round}"
    try:
        paired = again(state, published.round, engine=engine)
    except CompetitionError as error:
        return [f"{place} cannot be paired again: {error}"]
    faults = []
    for board, (held, other) in enumerate(zip_longest(published.games, paired.games), 1):
        if held != other:
            faults.append(f"{place}, board {board}: stored {_names(state, held)}, paired again {_names(state, other)}")
    if set(published.byes) != set(paired.byes):
        faults.append(f"{place}: the byes differ when it is paired again")
    if faults and published.engine != paired.engine:
        faults.append(f"{place} was paired by {published.engine}, this is {paired.engine}")
    return faults


def _names(state: EventState, game: PairedGame | None) -> str:
    if game is None:
        return "nothing"
    return " - ".join(state.players[id_].name if id_ else "nobody" for id_ in (game.white, game.black))


def _verify_table(state: EventState, published: do.Publish) -> list[str]:
    place = f"standings after round {published.round}"
    rows = {row.competitor: row for row in standings(state, rounds=published.round, tiebreaks=published.tiebreaks)}
    held = {row.competitor: row for row in published.rows}
    faults = [f"{place}: {_competitor(state, id_)} is missing" for id_ in sorted(rows.keys() - held.keys())]
    faults += [f"{place}: {_competitor(state, id_)} does not belong there" for id_ in sorted(held.keys() - rows.keys())]
    for id_ in sorted(rows.keys() & held.keys(), key=lambda id_: rows[id_].rank):
        if rows[id_] != held[id_]:
            texts = (_row(one, published.tiebreaks) for one in (held[id_], rows[id_]))
            faults.append(f"{place}, {_competitor(state, id_)}: stored {', computed '.join(texts)}")
    return faults


def _competitor(state: EventState, id_: int) -> str:
    if id_ not in (state.teams if state.event.system.of_teams else state.players):
        return f"competitor {id_}"
    number, name = competitor(state, id_)
    return f"{number} {name}"


def _row(row: Row, codes: tuple[str, ...]) -> str:
    values = " ".join(f"{code} {value:g}" for code, value in zip_longest(codes, row.values, fillvalue=0))
    return f"place {row.rank} with {points_text(row.points)} points ({values})"

"""Work of an arbiter with the groups of an event: add, rename and remove them, and enter players in them.

Like `commands`, every function returns once what it did is kept for good, and a command that is not allowed raises
CompetitionError and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import korgool.competition.actions as do
from korgool.competition.commands import enter
from korgool.competition.eligibility import same_person
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.group_actions import FIRST, NAMELESS, joining, title_in
from korgool.competition.log.replay import taken_back
from korgool.competition.model import Entry, Personal, Player, Settings
from korgool.competition.people_index import people_index
from korgool.competition.storage.book import Book
from korgool.competition.text_cleaning import clean
from korgool.languages import N_


def tidy(name: str) -> str:
    """A name of a group as it was typed, without what cannot be seen.

    Raises:
        CompetitionError: nothing is left, or it holds a control character.
    """
    shown = clean(name)
    if not shown or not name.strip().isprintable():
        raise CompetitionError(NAMELESS)
    return shown


@contextmanager
def in_group(book: Book, group: int) -> Iterator[EventState]:
    """The state of a group, to which the book is turned within the block."""
    before = book.state.group
    try:
        yield book.turn_to(group)
    finally:
        if before in (book.state.groups or (FIRST,)):
            book.turn_to(before)


def add_group(book: Book, name: str, settings: Settings, *, by: str, first: str = "", titled: bool = False) -> int:
    """Add a group to an event, and return its id.

    Args:
        book: the event.
        name: the name of the group.
        settings: its regulations; their name is made of those of the event and of the group.
        by: the official.
        first: the first time, what the group is called that was the whole event so far; by default as the event. If
            nobody is entered in it and it has no name, the new group takes its place.
        titled: keep the name of the regulations.
    """
    state = book.refresh()
    name = tidy(name)
    begun = bool(state.people or state.teams or state.rounds)
    if not state.groups and begun and not first:
        first = state.event.name[:60].translate(str.maketrans("/\\?#%", "-----")).strip()
    if not titled:
        settings = replace(settings, name=title_in(state.title or state.event.name, name))
    made = book.do(do.AddGroup(name, settings, tidy(first) if first and not state.groups else ""), by=by)
    return max(made.groups)


def rename_group(book: Book, group: int, name: str, *, by: str) -> EventState:
    """Give a group another name, or with the id 0 the whole event."""
    return book.do(do.NameGroup(group, tidy(name)), by=by)


def remove_group(book: Book, group: int, *, by: str, reason: str) -> EventState:
    """Take back that a group was added, as long as nothing was done in it.

    Raises:
        CompetitionError: something was, or it is the group with which the event began.
    """
    state = book.refresh()
    gone = taken_back(state.done)
    added = [at for at, (action, _) in enumerate(state.done, 1) if isinstance(action, do.AddGroup)]
    alone = sum(at not in gone for at in added) == 1  # without it the event has no groups, and they no names
    for id_, at in enumerate(added, FIRST + 1):
        if id_ == group and at not in gone:
            names = [
                line
                for line, (action, _) in enumerate(state.done, 1)
                if isinstance(action, do.NameGroup) and (alone or action.of == group) and line not in gone
            ]
            return book.do(*map(do.Undo, (*reversed(names), at)), by=by, reason=reason)
    raise CompetitionError(N_("the group with which an event begins cannot be removed"))


def enter_groups(
    book: Book, entry: Entry, personal: Personal | None, groups: Sequence[int], *, by: str, namesake: bool = False
) -> tuple[Player, ...]:
    """Enter a player in groups, and return them as each of these groups has them; all or nothing.

    Who is entered in another group already is the same player; a rating, a team and a board may differ in each.
    """
    found = []
    with book.together():
        known = None if namesake else known_elsewhere(book.refresh(), entry)
        for group in dict.fromkeys(groups):
            with in_group(book, group) as state:
                if known is None or known in state.players:
                    # For who is in the group already, it says so.
                    player = enter(book, entry, personal, by=by, namesake=namesake)
                    known = player.id
                else:
                    player = book.do(joining(known, entry), by=by).players[known]
                found.append(player)
    return tuple(found)


def known_elsewhere(state: EventState, entry: Entry) -> int | None:
    """The id of the person of an entry, who is entered in any group; None for somebody new."""
    alike = [*people_index(state.players).alike(entry), *people_index(state.elsewhere).alike(entry)]
    return next((one.id for one in alike if same_person(one.entry, entry)), None)

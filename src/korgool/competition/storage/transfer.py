"""An event taken from one place to another: the same lines with the same hashes, and the personal data beside them."""

from __future__ import annotations

from korgool.competition.errors import CompetitionError
from korgool.competition.storage.book import Book
from korgool.competition.storage.line import migrated


def check_whole_log(source: Book) -> None:
    """Refuse an event whose log was changed after it was written.

    Raises:
        CompetitionError: it was; the message names the line.
    """
    for at in source.broken_links()[:1]:
        raise CompetitionError(f"line {at} of the log was changed after it was written")
    for at in source.lost_details()[:1]:
        raise CompetitionError(f"line {at} of the log lacks names or reasons that nobody has removed")


def transfer(source: Book, target: Book, *, personal: bool = True) -> None:
    """Write an event into an empty book, all or nothing. Lines of format 1 are migrated and keep their old hashes.

    Args:
        source: the event.
        target: the empty book.
        personal: whether the personal data that is in no log goes too.

    Raises:
        CompetitionError: the target is not empty, or the log of the source was changed or cannot stand.
    """
    check_whole_log(source)
    lines = source.lines()
    if any(line.open for line in lines):
        lines = migrated(lines)
    with target.together():
        if target.refresh().actions:
            raise CompetitionError("there is an event already")
        state = target.copy(lines)
        for id_ in state.players if personal else ():
            held = source.personal(id_)
            if held is not None:
                target.copy_personal(id_, held)

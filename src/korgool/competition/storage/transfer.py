"""An event taken from one place to another: the same lines with the same hashes, and the personal data beside them."""

from __future__ import annotations

from collections.abc import Mapping

from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal
from korgool.competition.storage.book import Book, WholeLog, whole_log
from korgool.competition.storage.line import Line, migrated
from korgool.languages import N_


def check_whole_log(source: Book) -> None:
    """Refuse an event whose log was changed after it was written.

    Raises:
        CompetitionError: it was; the message names the line.
    """
    for at in source.broken_links()[:1]:
        raise CompetitionError(N_("line {at} of the log was changed after it was written"), at=at)
    for at in source.lost_details()[:1]:
        raise CompetitionError(N_("line {at} of the log lacks names or reasons that nobody has removed"), at=at)


def contents(source: Book) -> tuple[list[Line], dict[int, Personal]]:
    """The lines of an event, those of format 1 migrated, and its personal data by the id of the player.

    Raises:
        CompetitionError: its log was changed after it was written.
    """
    check_whole_log(source)
    lines = list(source.lines())
    if any(line.open for line in lines):
        lines = migrated(lines)
    personal = {id_: held for id_ in source.state.people if (held := source.personal(id_)) is not None}
    return lines, personal


def fill(target: Book, log: WholeLog, personal: Mapping[int, Personal]) -> None:
    """Write an event into an empty book, all or nothing.

    Raises:
        CompetitionError: the book is not empty, or the personal data is not that of the log.
    """
    with target.together():
        target.copy(log)
        for id_, held in personal.items():
            target.copy_personal(id_, held)


def transfer(source: Book, target: Book, *, personal: bool = True) -> None:
    """Write an event into an empty book, all or nothing. Lines of format 1 are migrated and keep their old hashes.

    Args:
        source: the event.
        target: the empty book.
        personal: whether the personal data that is in no log goes too.

    Raises:
        CompetitionError: the target is not empty, or the log of the source was changed or cannot stand.
    """
    lines, held = contents(source)
    fill(target, whole_log(lines), held if personal else {})

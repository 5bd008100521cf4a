"""One copy of an event as a file in a folder: complete and checked, or not there; with what fails in words."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from korgool.app.server.events.sandbox import EVENT_SUMMARY, open_apart
from korgool.app.server.events.stored_book import StoredBook
from korgool.atomic_files import replacement
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.kept_log import SNAPSHOT
from korgool.competition.storage.carried import ID, PLACE, carried_text
from korgool.competition.storage.hash_chain import Head
from korgool.competition.storage.sqlite_database import add_lines, connect_new, told
from korgool.languages import N_

_MISSING: Final = N_("the folder {folder} is not there (is the stick plugged in?)")
_FULL: Final = N_("there is no room left in {folder}")
_READ_ONLY: Final = N_("{folder} can be read only")
_FAILING: Final = N_("the medium of {folder} does not answer, or fails")
_OTHER: Final = N_("{folder} cannot be written: {error}")
_UNLIKE: Final = N_("what was written to {folder} is not what the log holds; the medium seems to be damaged")
_WORDS: Final = {
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), _MISSING),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _FULL),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), _READ_ONLY),
    **dict.fromkeys((errno.EIO, errno.ENODEV, errno.ENXIO, errno.ETIMEDOUT), _FAILING),
}


@dataclass(frozen=True, slots=True)
class MadeCopy:
    """A copy that lies in the folder.

    Attributes:
        lines: of the log.
        head: of the chain.
        name: of the file.
        same_disk: whether the folder lies on the disk on which the server keeps the event itself.
    """

    lines: int
    head: str
    name: str
    same_disk: bool


def write_copy(
    book: StoredBook, folder: Path, home: Path | None, snapshot: Mapping[str, Any] | None = None
) -> MadeCopy:
    """Write an event as a file into a folder, check it there, and give it its name; it blocks.

    Args:
        book: the event, used by nobody else.
        folder: must be there: it is never made, because a stick may be mounted there later.
        home: where the server's database is, as far as it is a file.
        snapshot: what the server knows of the event beside its log; None for nothing.

    Raises:
        CompetitionError: why there is no new copy; an earlier one is as it was.
    """
    lines, personal = book.whole()
    head = str(Head.of(len(lines), lines[-1].chain))
    name = f"{book.id}.korgool"
    beside = {ID: book.id} if snapshot is None else {ID: book.id, SNAPSHOT: snapshot}
    try:
        if not folder.is_dir():
            raise CompetitionError(_MISSING, folder=folder)
        with replacement(folder / name, private=True) as scratch:  # keys and personal data
            with told(scratch), closing(connect_new(scratch)) as connection:
                connection.execute("BEGIN")
                add_lines(connection, lines)
                connection.executemany("INSERT INTO personal VALUES (?, ?)", personal.items())
                connection.execute("INSERT INTO details VALUES (?, ?)", (PLACE, carried_text(beside)))
                connection.execute("COMMIT")
            _check(scratch, folder, len(lines), head)
        same = home is not None and os.stat(folder).st_dev == os.stat(home).st_dev
    except OSError as error:
        raise CompetitionError(reason_of(error, folder)) from error
    except CompetitionError as error:
        raise CompetitionError(_reason(error, folder)) from error
    return MadeCopy(len(lines), head, name, same)


def reason_of(error: OSError, folder: Path) -> Message:
    """Reason why a folder cannot be written, in words."""
    return Message(_WORDS.get(error.errno or 0, _OTHER), folder=folder, error=error.strerror or str(error))


def _reason(error: CompetitionError, folder: Path) -> Message:
    """SQLite's own reasons: what it says of a disk is said of the folder."""
    cause = error.__cause__
    text = "" if cause is None else str(cause)
    if "full" in text:
        return Message(_FULL, folder=folder)
    if "readonly" in text or "unable to open" in text:
        return Message(_READ_ONLY, folder=folder)
    if "I/O" in text:
        return Message(_FAILING, folder=folder)
    return error.message


def _check(path: Path, folder: Path, lines: int, head: str) -> None:
    """Read the file where it lies, in a process of its own, and compare it with what was to be written."""
    import json

    found = json.loads(open_apart(EVENT_SUMMARY, b"", str(path)))
    if found["damage"] or (found["lines"], found["head"]) != (lines, head):
        raise CompetitionError(_UNLIKE, folder=folder)

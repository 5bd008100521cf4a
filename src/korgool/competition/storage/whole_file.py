"""New files that appear complete or not at all, and never replace another."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from korgool.competition.errors import CompetitionError


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """An empty file in the folder of `path`, to be filled; it becomes `path` when the block ends without an error.

    Raises:
        CompetitionError: the file exists already or cannot be written. Nothing is left behind then.
    """
    if path.exists():
        raise CompetitionError(_EXISTS.format(path))
    try:
        handle, name = tempfile.mkstemp(prefix=".event-", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise CompetitionError(f"{path} cannot be written: {error.strerror}") from error
    os.close(handle)
    scratch = Path(name)
    try:
        yield scratch
        try:
            os.link(scratch, path)  # unlike a rename it never replaces a file that came meanwhile
        except FileExistsError:
            raise CompetitionError(_EXISTS.format(path)) from None
        except OSError:  # a file system without links
            scratch.rename(path)
        _keep_name(path.parent)
    finally:
        scratch.unlink(missing_ok=True)


_EXISTS = "{} exists already; an event begins in a new file"


def _keep_name(folder: Path) -> None:
    """Write the folder's list of names to disk, if the system has such a call."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

"""New files that appear complete or not at all, and never replace another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from korgool.atomic_files import hidden_file, put_new
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
        scratch = hidden_file(path)
    except OSError as error:
        raise CompetitionError(f"{path} cannot be written: {error.strerror}") from error
    try:
        yield scratch
        try:
            put_new(scratch, path)
        except FileExistsError:
            raise CompetitionError(_EXISTS.format(path)) from None
    finally:
        scratch.unlink(missing_ok=True)


_EXISTS = "{} exists already; an event begins in a new file"

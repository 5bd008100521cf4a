"""Folders in which something half-made lies until it is whole: private, beside the place where it will be."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from korgool.app.backup.errors import BackupError
from korgool.atomic_files import put_new

_PREFIX = ".korgool-"
_SUFFIX = ".part"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def scratch_in(folder: Path) -> Iterator[Path]:
    """A new folder in this one that only its owner can read; it is removed with all that is in it.

    What earlier runs left here that were killed is removed too.

    Raises:
        BackupError: the folder is missing or cannot be written, or its disk is full.
    """
    with full_disk_is_told(folder):
        _remove_leftovers(folder)
        try:
            scratch = Path(tempfile.mkdtemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder))
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            raise BackupError(f"{folder} cannot be written: {error.strerror}") from None
        lock = _locked(scratch)
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
            if lock is not None:
                os.close(lock)


@contextmanager
def full_disk_is_told(folder: Path) -> Iterator[None]:
    """Turn the errors of a full disk into one that names the folder."""
    message = f"the disk of {folder} is full, or files may not grow as large there; nothing was changed"
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise BackupError(message) from error
        raise BackupError(f"{error.filename or folder}: {error.strerror or error}; nothing was changed") from error
    except sqlite3.OperationalError as error:
        if "full" in str(error) or "I/O" in str(error):
            raise BackupError(message) from error
        raise BackupError(f"{folder}: {error}; nothing was changed") from error


def private_file(path: Path) -> int:
    """A descriptor of a new file that only its owner can read."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)


def put_in_place(made: Path, target: Path) -> None:
    """Give a whole file its name, which must be free; names and content are on the disk afterwards.

    Raises:
        BackupError: there is such a file.
    """
    try:
        put_new(made, target)
    except FileExistsError:
        raise BackupError(f"{target} exists already; choose another name") from None


def _locked(folder: Path) -> int | None:
    """Lock on a folder for as long as the process lives; None where another one has it, or there are no locks."""
    try:
        import fcntl
    except ImportError:
        return None
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _remove_leftovers(folder: Path) -> None:
    for one in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            lock = _locked(one)
            if lock is not None:
                shutil.rmtree(one, ignore_errors=True)
                os.close(lock)

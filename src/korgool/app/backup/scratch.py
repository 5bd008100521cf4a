"""Temporary folders for incomplete files, private and on the disk of the place where the files will be."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from korgool.atomic_files import put_new

_PREFIX = ".korgool-"
_SUFFIX = ".part"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class BackupError(ValueError):
    """Nothing was backed up or restored; the message says why, and what to do."""


@contextmanager
def scratch_in(folder: Path) -> Iterator[Path]:
    """A new folder in this one that only its owner can read; it is removed with all that is in it.

    Folders left behind by runs that were killed are removed too.

    Raises:
        BackupError: the folder is missing or cannot be written, or its disk is full.
    """
    with disk_errors(folder):
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
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn errors of the disk into a BackupError that names the folder."""
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


def put_in_place(complete: Path, target: Path) -> None:
    """Move a complete file to a free name, durably.

    Raises:
        BackupError: there is such a file.
    """
    try:
        put_new(complete, target)
    except FileExistsError:
        raise BackupError(f"{target} exists already; choose another name") from None


def _locked(folder: Path) -> int | None:
    """Lock on a folder until the process ends; None if another process holds it, or the system has no locks."""
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
    for leftover in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            lock = _locked(leftover)
            if lock is not None:
                shutil.rmtree(leftover, ignore_errors=True)
                os.close(lock)

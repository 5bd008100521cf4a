"""Copying an SQLite database while its server writes, and putting a copy in the place of another database."""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, create_engine
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from korgool.app.backup.archive import DatabaseFingerprint
from korgool.app.backup.fingerprint import compare, fingerprint_of
from korgool.app.backup.scratch import BackupError, private_file
from korgool.atomic_files import put_over, sync_folder

_WAIT = 10.0
_COMPANION_SUFFIXES = ("-wal", "-shm")


def copy_of(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment. Its server may write meanwhile, and never waits.

    Raises:
        BackupError: there is none, or it is damaged.
        sqlite3.OperationalError: the copy cannot be written.
    """
    if not source.is_file():
        raise BackupError(f"there is no database {source}; name the folder of the server by --data")
    os.close(private_file(target))
    try:
        address = f"file:{quote(str(source.absolute()))}?mode=ro"
        with (
            closing(sqlite3.connect(address, uri=True, timeout=_WAIT)) as original,
            closing(sqlite3.connect(target)) as duplicate,
        ):
            _try_reading(original, source)
            # All pages in one step: a copy in several steps begins again whenever the server has written.
            original.backup(duplicate, pages=-1)
            duplicate.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{source} is damaged, or no database: {error}") from error


def _try_reading(database: sqlite3.Connection, path: Path) -> None:
    """Read a first page, whose errors are those of the database and not of the copy."""
    try:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        raise BackupError(f"{path} cannot be read: {error}; run this as the user of the service") from error


def fingerprint_of_file(copy: Path, place: str) -> DatabaseFingerprint:
    """Row counts and hashes of a copy that nobody writes to, after a check of all its pages.

    Raises:
        BackupError: it is damaged, or is not of Korgool.
    """
    with _connected(copy, place) as connection:
        verdict = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if verdict != "ok":
            raise BackupError(f"the database {place} is damaged: {verdict}")
        return fingerprint_of(connection, place)


def check_copy(copy: Path, expected: DatabaseFingerprint, place: str) -> None:
    """Check that a copy that nobody writes to is whole and agrees with its manifest.

    Raises:
        BackupError: it is not, or does not.
    """
    with copy.open("rb") as file:
        header = file.read(100)
    pages, size = int.from_bytes(header[28:32], "big"), int.from_bytes(header[16:18], "big")
    if header[:16] != b"SQLite format 3\0" or pages * (65536 if size == 1 else size) != copy.stat().st_size:
        raise BackupError(f"{place} holds no SQLite database")
    compare(expected, fingerprint_of_file(copy, place))


@contextmanager
def owned(path: Path) -> Iterator[None]:
    """Keep servers away from a database, which need not exist.

    Raises:
        BackupError: a server runs on it.
    """
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _give_to_owner(Path(f"{path}.lock"), path.parent)
        try:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            pass  # Windows refuses to replace a file that is open
        except OSError:
            raise BackupError(f"a Korgool server uses the database {path}; stop it first") from None
        yield
    finally:
        os.close(handle)


def refuse_present(path: Path) -> None:
    """Raise if there is a database, or the rest of one.

    Raises:
        BackupError: there is one.
    """
    for file in (path, *_companions(path)):
        if file.exists() or file.is_symlink():
            raise BackupError(f"there is {file} already; --replace keeps it beside under another name, and restores")


def install(copy: Path, path: Path, moment: str) -> Path | None:
    """Put a copy in the place of a database and return the new path of the old one, or None if there was none.

    The caller owns the place. If this is interrupted at any point, the old database or the new one is there.

    Args:
        copy: a whole copy on the same disk.
        path: the database.
        moment: what the name of the old one ends with.
    """
    _give_to_owner(copy, path.parent)
    old = None
    if path.exists() or any(file.exists() for file in _companions(path)):
        old = _free(Path(f"{path}.before-{moment}"))
        _keep(path, old)
    put_over(copy, path)
    return old


def _keep(path: Path, kept: Path) -> None:
    """Give the old database a second name, with everything that was written to it."""
    for file, second_name in zip((path, *_companions(path)), (kept, *_companions(kept)), strict=True):
        if file.exists():
            _link(file, second_name)
    if path.exists():
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path, timeout=_WAIT)) as old:
            # The write-ahead log goes into the file.
            (mode,) = old.execute("PRAGMA journal_mode=DELETE").fetchone()
            if mode == "delete" and path.samefile(kept):
                for file in _companions(kept):
                    file.unlink(missing_ok=True)
    # A log left over from a damaged or missing database would damage the new one too.
    for file in _companions(path):
        file.unlink(missing_ok=True)
    sync_folder(path.parent)


def _link(path: Path, kept: Path) -> None:
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        shutil.copy2(path, kept)


def _free(path: Path) -> Path:
    """A path that no file has."""
    numbers = itertools.count(2)
    free = path
    while any(file.exists() for file in (free, *_companions(free))):
        free = Path(f"{path}-{next(numbers)}")
    return free


def _companions(path: Path) -> list[Path]:
    return [Path(f"{path}{suffix}") for suffix in _COMPANION_SUFFIXES]


def _give_to_owner(path: Path, folder: Path) -> None:
    """Give a file that root restores to the owner of its folder; otherwise that user's server could not write it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = folder.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


@contextmanager
def _connected(copy: Path, place: str) -> Iterator[Connection]:
    engine = create_engine(URL.create("sqlite", database=str(copy)), hide_parameters=True)
    try:
        with engine.connect() as connection:
            yield connection
    except DatabaseError as error:
        raise BackupError(f"the database {place} is damaged: {error.orig}") from error
    finally:
        engine.dispose()

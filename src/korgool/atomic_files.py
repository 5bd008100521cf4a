"""Files and folders that appear complete or not at all: readers see the old content or the new one, never a part.

A file is written under another name beside its place, goes to the disk, and then takes the name. Where a system has
such a call, the folder's list of names goes to the disk too, so that a crash of the machine afterwards loses neither.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


class WriteError(OSError):
    """A file cannot be written; it is as it was before. `filename` is its path, not that of the temporary file."""


def hidden_file(path: Path) -> Path:
    """Make an empty file beside `path` that only its owner can read, with a name that begins with a dot.

    Raises:
        OSError: the folder is missing or cannot be written.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}-", suffix=".tmp", dir=path.parent)
    os.close(handle)
    return Path(name)


@contextmanager
def replacing(path: Path) -> Iterator[Callable[[Any], int]]:
    """Write a file; it takes the place of `path` when the block ends, and is deleted if the block raises.

    The new file has the permissions of the old one, or those that the process gives to new files. A symbolic link
    stays, and the file that it names is replaced.

    Yields:
        A function that writes bytes, or any buffer of them, at the end of the file.

    Raises:
        WriteError: the folder is missing, the file cannot be written, or the disk is full.
    """
    with replacement(path) as made:
        file = made.open("wb")
        try:
            yield _writer(file, path)
            with _errors_name(path):
                file.flush()
                os.fsync(file.fileno())
        finally:
            with suppress(OSError):  # what is not written by now has raised its error above
                file.close()


@contextmanager
def replacement(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Make a file that others write, such as a database; what `replacing` says holds for it.

    Args:
        path: of the file.
        private: whether its owner alone can read it, whatever an old one permits.

    Yields:
        The place of an empty file, which takes that of `path` when the block ends.

    Raises:
        WriteError: the folder is missing or cannot be written.
    """
    target = path.resolve()
    with _errors_name(path):
        made = hidden_file(target)
    try:
        yield made
        with _errors_name(path):
            mode = target.stat().st_mode & 0o777 if target.exists() else new_mode(0o666)
            with suppress(PermissionError):  # a file system without permissions
                made.chmod(0o600 if private else mode)
            put_over(made, target)
    except BaseException:
        with suppress(OSError):
            made.unlink()
        raise


def put_over(made: Path, target: Path) -> None:
    """Give a complete file a name, which another file may have; that one is replaced."""
    _sync(made)
    os.replace(made, target)
    sync_folder(target.parent)


def put_new(made: Path, target: Path) -> None:
    """Give a complete file a name that no file has. It loses its former name.

    Raises:
        FileExistsError: there is such a file; it is not touched, and `made` keeps its name.
    """
    _sync(made)
    try:
        os.link(made, target)  # unlike a rename it never replaces a file that came meanwhile
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if target.exists():
            raise FileExistsError(str(target)) from None
        made.rename(target)
    made.unlink(missing_ok=True)
    sync_folder(target.parent)


def put_folder(made: Path, target: Path) -> None:
    """Put a complete folder in a place by two renames; the folder that is there is removed.

    Between the two renames nothing is in the place for an instant. If the second one fails, the old folder comes back.
    """
    made.chmod(new_mode(0o777))
    if not target.exists():
        made.rename(target)
        return
    old = made.with_name(f"{made.name}-old")
    target.rename(old)
    try:
        made.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Write the folder's list of names to disk, if the system has such a call."""
    with suppress(OSError):
        _sync(folder)


def new_mode(asked: int) -> int:
    """The permissions that a new file or folder gets when `asked` is requested: those without the process's umask."""
    mask = os.umask(0o022)  # it can be read only by setting it
    os.umask(mask)
    return asked & ~mask


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _writer(file: IO[bytes], path: Path) -> Callable[[Any], int]:
    def write(content: Any) -> int:
        with _errors_name(path):
            return file.write(content)

    return write


@contextmanager
def _errors_name(path: Path) -> Iterator[None]:
    """Turn an error such as a full disk into one that names the file that was to be written."""
    try:
        yield
    except OSError as error:
        raise WriteError(error.errno, error.strerror, str(path)) from error

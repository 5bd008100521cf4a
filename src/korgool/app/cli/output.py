"""What commands write: JSON lines, files that are whole or not there, progress on a terminal."""

from __future__ import annotations

import io
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

from korgool.app.cli.group import InputError

Result = TypeVar("Result")


def binary_out() -> IO[bytes]:
    """Standard output for bytes; where it is closed, what is written goes nowhere."""
    return io.BytesIO() if sys.stdout is None else sys.stdout.buffer


def emit(value: Any) -> None:
    """Print a value as one line of JSON and pass it on at once, so that a reader in a pipe sees every line."""
    import msgspec

    out = binary_out()
    out.write(msgspec.json.encode(value) + b"\n")
    out.flush()


def lines_are_seen() -> bool:
    """Whether the standard output is a terminal, where a bar between the lines would only disturb them."""
    return sys.stdout is not None and sys.stdout.isatty()


def write_whole(path: str, content: bytes) -> None:
    """Write a file so that at every moment it is the old one or the new one, whole.

    Raises:
        InputError: the folder is missing or may not be written.
    """
    with whole_file(path) as write:
        write(content)


@contextmanager
def whole_file(path: str) -> Iterator[Callable[[bytes], Any]]:
    """A file in the making beside `path`, which takes its place at the end, or vanishes when anything goes wrong.

    `-` is the standard output.

    Raises:
        InputError: the folder is missing or may not be written.
    """
    if path == "-":
        out = binary_out()
        yield out.write
        out.flush()
        return
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path}: it is a folder, not a file")
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced, only written to.
        with target.open("wb") as plain:
            yield plain.write
        return
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:40]}-", dir=target.resolve().parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written, {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield _named(file.write, path)
            _named(file.flush, path)()
            _named(lambda: os.fsync(file.fileno()), path)()
        Path(name).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(name, target.resolve())
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _named(work: Callable[..., Any], path: str) -> Callable[..., Any]:
    """The same, but a full disk names the file that was to be written, not the one in the making."""

    def run(*words: Any) -> Any:
        try:
            return work(*words)
        except OSError as error:
            raise InputError(f"{path}: cannot be written, {error.strerror}") from None

    return run


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def interruptible(work: Callable[[], Result], stop: Callable[[], Any] | None = None) -> Result:
    """Run native work in a thread, so that Ctrl-C is heard while it lasts.

    Args:
        work: the work.
        stop: called on Ctrl-C before it is passed on.
    """
    done: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        if stop is not None:
            stop()
        raise
    if failed:
        raise failed[0]
    return done[0]


@contextmanager
def progress(description: str, total: float | None, *, hidden: bool = False) -> Iterator[Callable[[float], None]]:
    """A bar on the standard error of a terminal; nothing when that, or the data beside it, would be disturbed.

    Args:
        description: what is going on.
        total: the amount of work, or None where it is unknown.
        hidden: show none after all.

    Yields:
        A function that takes the work done so far.
    """
    if hidden or not (sys.stderr and sys.stderr.isatty()):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    # Redirected, what is meant for the standard output would end among the bars.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(description, total=total)
        yield lambda done: bar.update(task, completed=done)

"""The output of commands: JSON lines, files that are written atomically, progress bars on a terminal."""

from __future__ import annotations

import io
import os
import re
import select
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from korgool import __version__
from korgool.app.cli.group import InputError
from korgool.atomic_files import WriteError, replacing

if TYPE_CHECKING:
    from concurrent.futures import Future

    from rich.console import Console

Result = TypeVar("Result")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SOON = 0.2
"""Seconds after which a Ctrl-C is seen at the latest. One that comes just before Python begins to wait, for a thread or
for input, does not end the waiting."""


def binary_out() -> IO[bytes]:
    """Standard output for bytes; if it is closed, the output is discarded."""
    return io.BytesIO() if sys.stdout is None else sys.stdout.buffer


def _as_text(value: object) -> str:
    """Encode objects that msgspec does not know: translatable texts as texts."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


def plain(text: str) -> str:
    """The text without control characters, which could control a terminal, and without the lone surrogates by which
    Python names a file whose name is not UTF-8: no output can hold them."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def json_line(value: Any) -> bytes:
    """A value as one line of JSON. In a name of a file that is not UTF-8, a � stands for each byte that is not."""
    import msgspec

    try:
        return msgspec.json.encode(value, enc_hook=_as_text) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_encodable(value), enc_hook=_as_text) + b"\n"


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("�", value)
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    return [_encodable(one) for one in value] if isinstance(value, list | tuple) else value


def emit(value: Any) -> None:
    """Print a value as one line of JSON and flush it, so that a reader in a pipe sees every line at once."""
    out = binary_out()
    out.write(json_line(value))
    out.flush()


def emit_life(event: str, **fields: object) -> None:
    """Print that a long-running program has started or stopped, as one line of JSON."""
    emit({"event": event, "pid": os.getpid(), "version": __version__, **fields})


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun, such as `1 round` and `2 rounds`; `many` is a plural that does not just add an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def lines_are_seen() -> bool:
    """Return whether standard output is a terminal, where a progress bar would disturb the printed lines."""
    return sys.stdout is not None and sys.stdout.isatty()


def unreadable(path: object, reason: object) -> InputError:
    """The error for a file that cannot be read."""
    from korgool.app.cli.language import tell
    from korgool.languages import N_

    said = tell(N_("cannot be read, {reason}"), reason=reason)
    return InputError(f"{path}: {said}")


def too_long(path: object, most: int) -> InputError:
    """The error for a file that has too many bytes."""
    from korgool.app.cli.language import tell
    from korgool.languages import N_

    said = tell(N_("it has more than {most} bytes"), most=f"{most:,}")
    return InputError(f"{path}: {said}")


def not_utf8(path: object, line: int) -> InputError:
    """The error for a text in another encoding, with the first line that shows it."""
    from korgool.app.cli.language import tell
    from korgool.languages import N_

    said = tell(N_("line {line} is not UTF-8"), line=line)
    return InputError(f"{path}: {said}")


def is_folder(path: object) -> InputError:
    """The error for a folder where a file is needed."""
    from korgool.app.cli.language import tell
    from korgool.languages import N_

    return InputError(f"{path}: " + tell(N_("it is a folder, not a file")))


def unwritable(path: object, reason: object) -> InputError:
    """The error for a file that cannot be written."""
    from korgool.app.cli.language import tell
    from korgool.languages import N_

    said = tell(N_("cannot be written, {reason}"), reason=reason)
    return InputError(f"{path}: {said}")


def write_whole(path: str, content: bytes) -> None:
    """Write a file atomically: at every moment it is the complete old or the complete new one.

    Raises:
        InputError: the folder is missing or cannot be written.
    """
    with whole_file(path) as write:
        write(content)


@contextmanager
def whole_file(path: str) -> Iterator[Callable[[bytes], Any]]:
    """A temporary file beside `path` that replaces it at the end, or is deleted if anything goes wrong.

    `-` is the standard output.

    Raises:
        InputError: the folder is missing or cannot be written.
    """
    if path == "-":
        out = binary_out()
        yield out.write
        out.flush()
        return
    target = Path(path)
    if target.is_dir():
        raise is_folder(path)
    if target.exists() and not target.is_file():
        # A device or a pipe can be written to but not replaced.
        with target.open("wb") as plain:
            yield plain.write
        return
    try:
        with replacing(target) as write:
            yield write
    except WriteError as error:
        raise unwritable(path, error.strerror) from None


def interruptible(work: Callable[[], Result], stop: Callable[[], Any] | None = None) -> Result:
    """Run native code in a thread, so that Ctrl-C works during it.

    Args:
        work: the work.
        stop: called on Ctrl-C before the interrupt is raised.
    """
    from concurrent.futures import Future

    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return result_of(future)
    except KeyboardInterrupt:
        if stop is not None:
            stop()
        raise


def result_of(future: Future[Result]) -> Result:
    """Wait for the work in another thread; return or raise its result, with a Ctrl-C noticed during the wait."""
    from concurrent.futures import wait

    while not future.done():
        wait([future], _SOON)
    return future.result()


def confirm(question: str) -> None:
    """Ask on standard error; go on only after yes, in English or in the language of the command.

    Raises:
        click.Abort: the answer is no, or there is none.
    """
    import click

    from korgool.app.cli.language import tell
    from korgool.languages import N_

    yes, no = tell(N_("yes")), tell(N_("no"))
    while True:
        choice = f"[{yes[0]}/{no[0].upper()}]"
        answer = click.prompt(f"{question} {choice}", default=no, show_default=False, err=True).strip().casefold()
        if answer in {"y", "yes", yes.casefold(), yes[:1].casefold()}:
            return
        if answer in {"n", "no", no.casefold(), no[:1].casefold()}:
            raise click.Abort


def ask(console: Console, prompt: str) -> str:
    """The line that a person types at the terminal after a prompt.

    Nothing is read before something was typed: a Ctrl-C that comes just before Python begins to read is seen only when
    it has read a line.

    Raises:
        EOFError: the input has ended.
    """
    console.print(prompt, end="", markup=False)
    if os.name != "nt":
        while not select.select([sys.stdin], [], [], _SOON)[0]:
            pass
    return console.input()


@contextmanager
def progress(description: str, total: float | None, *, hidden: bool = False) -> Iterator[Callable[[float], None]]:
    """A progress bar on standard error if that is a terminal; none if it would disturb the output.

    Args:
        description: what is being done.
        total: the amount of work, or None if it is unknown.
        hidden: whether to show no bar.

    Yields:
        A function to call with the amount of work done so far.
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
    # With redirection on, text for the standard output would appear among the bars.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(description, total=total)
        yield lambda done: bar.update(task, completed=done)

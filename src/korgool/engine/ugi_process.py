"""A program that speaks UGI as a process: lines said and heard, and why none comes."""

from __future__ import annotations

import queue
import shlex
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import IO, NoReturn

PATIENCE = 10.0
"""Seconds that a program may take to answer anything but `go`, and beyond the time of a search."""
_LEAVING = 2.0
"""Seconds that it may take to leave."""
_LONGEST = 1 << 20
"""Letters of a line; a longer one is taken for several."""
_HELD = 10_000
"""Lines that are held until they are read; after so many the program waits."""
_WORDS_KEPT, _LETTERS_KEPT = 5, 200
"""Lines of its standard error that a message quotes, and letters of each."""


class UgiError(Exception):
    """A program does not start, ends, does not answer in time, or answers what cannot be; the message says why."""


class UgiProcess:
    """A process and its lines, without any knowledge of a game.

    Args:
        command: how it is started: words, or one text as a shell would read it; no shell is used.
        patience: seconds that it may take to answer anything but a search.

    Attributes:
        name: as the program calls itself, or the command.

    Raises:
        UgiError: it does not start.
    """

    def __init__(self, command: str | Sequence[str], patience: float) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        self.name = command if isinstance(command, str) else shlex.join(words)
        self.patience = patience
        if not words:
            raise UgiError("no command is given")
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True, encoding="utf-8", errors="replace", bufsize=1,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise UgiError(f"{words[0]} does not start: {getattr(error, 'strerror', None) or error}") from error
        self._lines: queue.Queue[str | None] = queue.Queue(_HELD)
        self._complaints: deque[str] = deque(maxlen=_WORDS_KEPT)
        self._writing = Lock()
        self._owed = 0  # searches that it has not answered
        self._stopped_at: float | None = None
        self._closed = False
        self._readers = [Thread(target=read, daemon=True) for read in (self._listen, self._overhear)]
        for reader in self._readers:
            reader.start()

    def say(self, line: str) -> None:
        """Send a line as it is, for commands of UGI that have no method of this class.

        Raises:
            UgiError: the program has ended.
        """
        assert self._process.stdin is not None
        if "\n" in line or "\r" in line:
            raise ValueError(f"one line is sent at a time, not {line[:40]!r}")
        try:
            with self._writing:
                self._owed += line.split()[:1] == ["go"]
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise UgiError(f"{self.name} has left{self._remains()}") from error

    def hear(self, seconds: float) -> str:
        """The next line that it says.

        Raises:
            UgiError: none comes in that time, or it has ended.
        """
        return self._hear(time.monotonic() + seconds, "")

    def ready(self) -> None:
        """Wait until it has obeyed what it was told.

        Raises:
            UgiError: it does not answer.
        """
        self.say("isready")
        until = time.monotonic() + self.patience
        while self._hear(until, "isready") != "readyok":
            pass

    def drain(self) -> None:
        """Discard unread output, and the answers that are still due."""
        with suppress(queue.Empty):
            while self._lines.get_nowait() is not None:
                pass
            self._lines.put_nowait(None)
        self._owed = 0

    def left_within(self, seconds: float) -> bool:
        """Return whether the program ends within a time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Ask it to leave, and end its process if it does not; a second time does nothing."""
        self._closed = True
        with suppress(UgiError):
            self.say("quit")
        if not self.left_within(_LEAVING):
            self._process.kill()
            self._process.wait()
        self.drain()  # a reader may wait for room
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _listen(self) -> None:
        for line in _lines_of(self._process.stdout):
            self._lines.put(line)
        self._lines.put(None)

    def _overhear(self) -> None:
        for line in _lines_of(self._process.stderr):
            if line:
                self._complaints.append(line[:_LETTERS_KEPT])

    def _hear(self, until: float, waits: str) -> str:
        """The next line before a time, while a command waits for its answer."""
        began = time.monotonic()
        while True:
            end = until if self._stopped_at is None else min(until, self._stopped_at + self.patience)
            # Somebody may stop the search meanwhile, and then the answer has to come sooner.
            try:
                line = self._lines.get(timeout=max(0.001, min(end - time.monotonic(), 0.5)))
            except queue.Empty:
                if time.monotonic() < end:
                    continue
                self._late(waits, time.monotonic() - began)
            if line is None:
                self._lines.put(None)
                self.left_within(1.0)  # it closed its output a moment before it ended
                code = self._process.poll()
                how = "has closed its output" if code is None else f"has ended, {_how_it_ended(code)}"
                raise UgiError(f"{self.name} {how}{_waiting(waits)}{self._remains()}")
            if line.startswith("bestmove"):
                self._owed = max(0, self._owed - 1)
            return line

    def _late(self, waits: str, seconds: float) -> NoReturn:
        stopped = " though it was told to stop" if self._stopped_at is not None else ""
        raise UgiError(
            f"{self.name} does not answer{f' {waits!r}' if waits else ''} within {seconds:.3g} s{stopped}; its process "
            f"{'runs on' if self._process.poll() is None else 'is gone'}{self._remains()}"
        )

    def _remains(self) -> str:
        """Output of the program on its standard error, for a message."""
        self._readers[1].join(0.2 if self._process.poll() is not None else 0.0)
        return f"; it wrote: {' | '.join(self._complaints)}" if self._complaints else ""


def _lines_of(stream: IO[str] | None) -> Iterator[str]:
    """The lines of a stream, none longer than a bound, until it ends or is closed."""
    assert stream is not None
    with suppress(ValueError, OSError):
        while line := stream.readline(_LONGEST):
            yield line.strip()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"with code {code}"
    with suppress(ValueError):
        return f"by {signal.Signals(-code).name}"
    return f"by signal {-code}"


def _waiting(command: str) -> str:
    return f" while {command!r} waited for its answer" if command else ""

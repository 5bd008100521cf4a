"""A real terminal for tests: the program runs behind a pseudo-terminal, and what it writes is waited for."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.package import environment
from tests.patience import PATIENCE
from tests.server.processes import FORKS, Forked, Surroundings, call, stream


class Terminal:
    """The program behind a terminal.

    Attributes:
        process: the program.
        text: all that it has written to the terminal so far.
        stdout: its standard output where that is not the terminal.
    """

    def __init__(self, process: subprocess.Popen[bytes] | Forked, controller: int) -> None:
        self.process, self._controller, self.text = process, controller, ""
        self.stdout = process.stdout if isinstance(process, subprocess.Popen) else None

    def wait_for(self, words: str, start: int = 0) -> int:
        """Wait until these words were written from `start` on; where they end."""
        end = time.monotonic() + PATIENCE
        while words not in self.text[start:]:
            assert time.monotonic() < end, (words, self.text[-300:])
            assert self._read(), (words, self.text[-300:])
        return self.text.index(words, start) + len(words)

    def type(self, text: str) -> None:
        """Type, as at the keyboard; `\x03` is Ctrl-C."""
        os.write(self._controller, text.encode())

    def finish(self) -> int:
        """Wait for the end of the program; its exit status."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._controller], [], [], PATIENCE)
        assert ready, self.text[-300:]
        with suppress(OSError):  # the far end is closed
            data = os.read(self._controller, 65536)
            self.text += data.decode(errors="replace")
            return bool(data)
        return False


@contextmanager
def terminal(
    *words: str, columns: int = 80, stdout: Any = None, folder: Path | None = None, **env: str
) -> Iterator[Terminal]:
    """Run `korgool WORDS` at a terminal of so many columns: forked, or, with another output, as users start it.

    Args:
        words: its arguments.
        columns: the width.
        stdout: another standard output than the terminal, such as `subprocess.PIPE`.
        folder: the user's data folder.
        env: more of the environment.
    """
    controller, device = pty.openpty()
    termios.tcsetwinsize(device, (40, columns))
    settings = environment(**{"TERM": "xterm", "LC_ALL": "C.UTF-8", **env})
    settings.pop("COLUMNS", None)
    if folder is not None:
        settings["XDG_DATA_HOME"] = str(folder)
    process: subprocess.Popen[bytes] | Forked
    if stdout is None:
        heard, says = FORKS.Pipe(duplex=False)
        process = Forked(_behind, says, os.ttyname(device), words, Surroundings(settings, os.getcwd()))
        says.close()
        heard.recv()  # a terminal that nobody has open has come to its end
        heard.close()
    else:
        process = subprocess.Popen(
            [sys.executable, "-m", "korgool", *words],
            stdin=device,
            stdout=stdout,
            stderr=device,
            env=settings,
            start_new_session=True,
            preexec_fn=_controlling,  # noqa: PLW1509 - Ctrl-C reaches only whom the terminal controls
        )
    os.close(device)
    try:
        yield Terminal(process, controller)
    finally:
        process.kill()
        process.wait(PATIENCE)
        if isinstance(process, subprocess.Popen) and process.stdout is not None:
            process.stdout.close()
        os.close(controller)


def _controlling() -> None:
    import fcntl

    # Who was started in the background, the tests among them, would not hear Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(2, termios.TIOCSCTTY, 0)


def _behind(says: Connection, device: str, words: Sequence[str], around: Surroundings) -> None:
    around.take()
    os.setsid()
    opened = os.open(device, os.O_RDWR)  # whose terminal this is from now on: the session had none
    for number in range(3):
        os.dup2(opened, number)
    os.close(opened)
    says.send(True)
    says.close()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout, sys.stderr = stream(1, "strict"), stream(2, "backslashreplace")
    call(words)

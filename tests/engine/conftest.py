"""A UGI session within the test's process, spoken to as a match runner speaks to it."""

from __future__ import annotations

import io
import queue
import threading
from collections.abc import Iterator

import pytest

from korgool.engine.ugi import Ugi
from korgool.rules import Rules
from tests.patience import PATIENCE


class Talk(io.TextIOBase):
    """Both ends of a session: what the engine writes is kept for the test, what the test says the engine reads."""

    def __init__(self, rules: Rules | None = None, seed: int | None = 1) -> None:
        self._told: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.lines: list[str] = []
        self.ugi = Ugi(self, self, rules, seed)
        self.thread = threading.Thread(target=self.ugi.run, daemon=True)
        self.thread.start()

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """For the engine."""
        return self._told.get()

    def write(self, text: str, /) -> int:
        """For the engine."""
        for line in text.splitlines():
            self._heard.put(line)
        return len(text)

    def say(self, *lines: str) -> None:
        """Send lines."""
        for line in lines:
            self._told.put(line + "\n")

    def hear(self) -> str:
        """The next line of the engine."""
        line = self._heard.get(timeout=PATIENCE)
        self.lines.append(line)
        return line

    def until(self, start: str) -> list[str]:
        """Lines up to one that begins so, that one last."""
        got = [self.hear()]
        while not got[-1].startswith(start):
            got.append(self.hear())
        return got

    def ask(self, line: str) -> list[str]:
        """Say a line and collect all that comes before the engine is ready again."""
        self.say(line, "isready")
        return self.until("readyok")[:-1]

    def best(self, go: str) -> str:
        """The move that answers a `go`."""
        self.say(go)
        words = self.until("bestmove")[-1].split()
        assert len(words) == 2
        return words[1]

    def end(self) -> None:
        """End the input."""
        self._told.put("")
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


@pytest.fixture
def talk() -> Iterator[Talk]:
    """A running session, ended after the test."""
    session = Talk()
    yield session
    session.end()

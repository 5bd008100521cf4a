"""What `korgool serve` says of itself on standard error: that it is starting, where games lie, how to end it."""

from __future__ import annotations

import threading
import time
import webbrowser
from types import TracebackType

import click

FIRST_SECONDS, EVERY_SECONDS = 2.0, 5.0


class StartReport:
    """From the start of the server until it answers.

    A first start makes the database and prepares the files of the pages. As long as it lasts, it is said again and
    again that it goes on.

    Args:
        place: where games are kept, such as `in /home/a/games`.
        opened: whether the page is opened in the browser.
        first: seconds before it is said for the first time.
        every: seconds between later times.
    """

    def __init__(
        self, place: str, *, opened: bool = False, first: float = FIRST_SECONDS, every: float = EVERY_SECONDS
    ) -> None:
        self.place, self.opened, self.first, self.every = place, opened, first, every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._wait, daemon=True)

    def __enter__(self) -> StartReport:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def ready(self, address: str) -> None:
        """The server answers at this address."""
        self._over.set()
        click.echo(f"Games are kept {self.place}. Ctrl-C ends the server, and no game is lost.", err=True)
        if self.opened:
            # A browser may take its time, and the server has visitors already.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    def _wait(self) -> None:
        begun = time.monotonic()
        pause = self.first
        while not self._over.wait(pause):
            seconds = round(time.monotonic() - begun)
            click.echo(f"korgool: starting, {seconds} s; a first start makes the database …", err=True)
            pause = self.every

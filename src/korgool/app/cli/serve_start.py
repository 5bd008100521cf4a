"""The status lines of `korgool serve` on standard error: that it is starting, where games are kept, how to end it."""

from __future__ import annotations

import sys
import threading
import time
import webbrowser
from types import TracebackType

import click

from korgool.app.cli.serve_lan import qr_lines

FIRST_SECONDS, EVERY_SECONDS = 2.0, 5.0


class StartReport:
    """Reports from the start of the server until it answers.

    The first start creates the database and prepares the files of the pages. While this takes, a line says repeatedly
    that it continues.

    Args:
        place: where games are kept, such as `in /home/a/games`.
        opened: whether the page is opened in the browser.
        lan: whether the server is for everybody in the local network.
        first: seconds before the first such line.
        every: seconds between later ones.
    """

    def __init__(
        self,
        place: str,
        *,
        opened: bool = False,
        lan: bool = False,
        first: float = FIRST_SECONDS,
        every: float = EVERY_SECONDS,
    ) -> None:
        self.place, self.opened, self.lan, self.first, self.every = place, opened, lan, first, every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._wait, daemon=True)

    def __enter__(self) -> StartReport:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def ready(self, address: str) -> None:
        """Report that the server answers at this address."""
        self._over.set()
        click.echo(f"Games are kept {self.place}. Ctrl-C ends the server, and no game is lost.", err=True)
        if self.lan:
            self._invite(address)
        if self.opened:
            # A browser may be slow to start, and the server already has visitors.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    def _invite(self, address: str) -> None:
        """Show the address with its QR code."""
        click.echo(f"Everybody in the same network can open {address} and play; phones read the code below.", err=True)
        click.echo("A firewall on this machine may have to let them in. The connection is not encrypted.", err=True)
        lines = "\n".join(qr_lines(address, coloured=sys.stderr.isatty()))
        try:
            lines.encode(sys.stderr.encoding)
        except UnicodeEncodeError:
            return  # a terminal that cannot show the blocks
        click.echo(lines, err=True)

    def _wait(self) -> None:
        begun = time.monotonic()
        pause = self.first
        while not self._over.wait(pause):
            seconds = round(time.monotonic() - begun)
            click.echo(f"korgool: starting, {seconds} s; a first start makes the database …", err=True)
            pause = self.every

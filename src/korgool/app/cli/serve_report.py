"""Standard error of `korgool serve`: its start, where games are kept, and the address in the local network."""

from __future__ import annotations

import io
import socket
import sys
import threading
import time
import webbrowser
from types import TracebackType

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.languages import N_

FIRST_SECONDS, EVERY_SECONDS = 2.0, 5.0
EVERYWHERE = "0.0.0.0"
"""Address of a server for the local network: all interfaces."""
_DARK_ON_LIGHT, _PLAIN = "\x1b[97;40m", "\x1b[0m"


class StartReport:
    """Reports from the start of the server until it answers.

    The first start creates the database and prepares the files of the pages. While this takes, a line says repeatedly
    that it continues.

    Args:
        folder: where games are kept; None for the database of --database.
        opened: whether the page is opened in the browser.
        lan: whether the server is for everybody in the local network.
        first: seconds before the first such line.
        every: seconds between later ones.
    """

    def __init__(
        self,
        folder: str | None,
        *,
        opened: bool = False,
        lan: bool = False,
        first: float = FIRST_SECONDS,
        every: float = EVERY_SECONDS,
    ) -> None:
        self.folder, self.opened, self.lan, self.first, self.every = folder, opened, lan, first, every
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
        if self.folder is None:
            said = N_("Games are kept in the database of --database. Ctrl-C ends the server, and no game is lost.")
        else:
            said = N_("Games are kept in {folder}. Ctrl-C ends the server, and no game is lost.")
        click.echo(tell(said, folder=self.folder), err=True)
        if self.lan:
            self._invite(address)
        if self.opened:
            # A browser may be slow to start, and the server already has visitors.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    def _invite(self, address: str) -> None:
        """Show the address with its QR code."""
        said = N_("Everybody in the same network can open {address} and play; phones read the code below.")
        click.echo(tell(said, address=address), err=True)
        said = N_("A firewall on this machine may have to let them in. The connection is not encrypted.")
        click.echo(tell(said), err=True)
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
            said = tell(N_("starting, {seconds} s; a first start makes the database …"), seconds=seconds)
            click.echo(f"korgool: {said}", err=True)
            pause = self.every


def lan_address() -> str:
    """The address that other devices in the network know this machine by.

    Raises:
        InputError: it is in no network.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the way there (RFC 5737)
            found = str(probe.getsockname()[0])
        except OSError:
            found = ""
    if not found or found.startswith("127."):
        raise InputError(tell(N_("--lan: this machine is in no network; connect it, or name its address by --host")))
    return found


def qr_lines(text: str, *, coloured: bool) -> list[str]:
    """The QR code of a text as lines of half blocks; `coloured` states the colours, whatever the terminal's own are."""
    import segno

    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, border=2, compact=True)
    lines = out.getvalue().splitlines()
    return [f"{_DARK_ON_LIGHT}{line}{_PLAIN}" for line in lines] if coloured else lines

"""`korgool serve --lan`: this machine's address in the local network, and its QR code in the terminal."""

from __future__ import annotations

import io
import socket

from korgool.app.cli.group import InputError

EVERYWHERE = "0.0.0.0"
"""Address of a server for the local network: all interfaces."""
_DARK_ON_LIGHT, _PLAIN = "\x1b[97;40m", "\x1b[0m"


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
        raise InputError("--lan: this machine is in no network; connect it, or name its address by --host")
    return found


def qr_lines(text: str, *, coloured: bool) -> list[str]:
    """The QR code of a text as lines of half blocks; `coloured` states the colours, whatever the terminal's own are."""
    import segno

    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, border=2, compact=True)
    lines = out.getvalue().splitlines()
    return [f"{_DARK_ON_LIGHT}{line}{_PLAIN}" for line in lines] if coloured else lines

"""Ports for servers that are told where to listen, or that come back where they were."""

from __future__ import annotations

import errno
import socket
from random import SystemRandom

_OWN = range(20000, 32768)
"""Below the ports that systems hand out by themselves: there, a socket of another test may come in between."""


def free_ports(number: int) -> list[int]:
    """So many ports at which nothing listens."""
    found: set[int] = set()
    while len(found) < number:
        port = SystemRandom().choice(_OWN)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError as error:
            if error.errno not in {errno.EADDRINUSE, errno.EACCES}:  # the second where Windows keeps a range
                raise
        else:
            found.add(port)
    return sorted(found)

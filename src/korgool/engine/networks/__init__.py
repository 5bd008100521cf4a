"""Shipped networks of the learned evaluation, and how an engine takes one.

`default(rules)` finds the network of a game, if there is one: toguz korgool, mangala and mangala with the castle.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

from korgool.engine.kernel import Memory
from korgool.rules import Rules

FOLDER = Path(__file__).parent
OTHER_RULES = -6
"""`KG_NET_GAME`: what the kernel answers to a network for other rules."""
_LARGEST = 1 << 24
_REASONS = {
    -1: "it is cut off",
    -2: "it is no network of Korgool",
    -3: "it is of another version",
    -4: "its checksum is wrong; it is damaged",
    -5: "its sizes do not fit together",
    OTHER_RULES: "it was made for a game with other rules",
    -7: "this processor does not reproduce the outputs stored in it",
}


class NetworkError(ValueError):
    """A network file that cannot be used."""


class NetworkFile:
    """The bytes of a network file, where the kernel can read them as long as this object lives.

    Attributes:
        name: the file, for messages.

    Raises:
        NetworkError: the file cannot be read, is empty or larger than any network.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        try:
            with path.open("rb") as file:
                data = file.read(_LARGEST + 1)
        except OSError as error:
            raise NetworkError(f"the network {path} cannot be read: {error.strerror}") from error
        if not 0 < len(data) <= _LARGEST:
            raise NetworkError(f"the network {path} cannot be used: it has {len(data)} bytes")
        self.length = len(data)
        self._memory = Memory(len(data))
        self.address = self._memory.address
        ctypes.memmove(self.address, data, len(data))


@cache
def _shared(path: Path) -> NetworkFile:
    """A shipped network, one copy for all engines."""
    return NetworkFile(path)


def default(rules: Rules) -> NetworkFile | None:
    """The shipped network for a game of that name, if there is one. It may still not fit rules that were changed."""
    path = FOLDER / f"{rules.name}.kgn"
    return _shared(path) if path.is_file() else None


def reason(code: int) -> str:
    """Reason why the kernel refused a network."""
    return _REASONS.get(code, f"the kernel refuses it ({code})")

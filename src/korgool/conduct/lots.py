"""The draw of lots for the sides (WNG-TK §II): chance by a seed, so that everybody can draw it again."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of lots.

    Attributes:
        players: the two names, in the order in which they were given.
        seed: any text, written down before the draw.
        white: who plays White.
        black: who plays Black.
    """

    players: tuple[str, str]
    seed: str
    white: str
    black: str


def draw_lots(players: tuple[str, str], seed: str) -> Draw:
    """Draw lots: the first player has White where the first byte of the SHA-256 of the seed (UTF-8) is even.

    The players' names play no part in it, so another spelling of a name changes no chance.
    """
    first = sha256(seed.encode("utf-8", "surrogatepass")).digest()[0] % 2
    return Draw(players, seed, players[first], players[1 - first])

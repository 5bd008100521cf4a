"""What a decision needs to know of the world, measured by the server and handed in as values."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.rules import Side


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proven about the present position.

    Attributes:
        version: the version of the game that it speaks of.
        winner: who wins with best play, None for a draw.
        source: what proves it: `tables` or `solver`.
    """

    version: int
    winner: Side | None
    source: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The world as the server knows it at the time of a decision.

    Attributes:
        lags: how long a message of White and of Black is under way, in milliseconds, as the server has measured it; 0
            for a player who is not connected.
        signs: when White and Black last gave a sign of life, in milliseconds as all times; None for never.
        serving_since: since when a sign could have reached a server without interruption.
        proof: what is proven, or None.
    """

    lags: tuple[int, int] = (0, 0)
    signs: tuple[int | None, int | None] = (None, None)
    serving_since: int = 0
    proof: Proof | None = None

    def heard_at(self, side: Side) -> int:
        """When a player was heard of last, or since when nothing of them could have arrived."""
        sign = self.signs[side]
        return self.serving_since if sign is None else max(sign, self.serving_since)

    def quiet_ms(self, side: Side, at: int) -> int:
        """How long a player has given no sign although one could have arrived."""
        return max(0, at - self.heard_at(side))

"""Facts about the world that a decision needs, measured by the server and passed in as values."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.rules import Side


@dataclass(frozen=True, slots=True)
class Proof:
    """Proven result of the present position.

    Attributes:
        version: the version of the game that it speaks of.
        winner: the side that wins with best play, None for a draw.
        source: the prover: `tables` or `solver`.
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
        """Time of a player's last sign, or since when no sign of them could have arrived."""
        sign = self.signs[side]
        return self.serving_since if sign is None else max(sign, self.serving_since)

    def quiet_ms(self, side: Side, at: int) -> int:
        """Time for which a player has given no sign although one could have arrived, in milliseconds."""
        return max(0, at - self.heard_at(side))

"""Links of one use by which somebody without an account goes on playing in another browser. All functions block."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Engine, delete, select

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.schema import seat_links

MOST_LINKS = 5
"""Unused links of one visitor; a new one displaces the one that expires first."""
PAGE_MS = 3_600_000
"""Milliseconds for which a link that a page shows can be used."""


@dataclass(frozen=True, slots=True)
class SeatLink:
    """The target of a link.

    Attributes:
        who: the visitor that a browser becomes by it.
        game: where it leads.
    """

    who: str
    game: str


class SeatLinks:
    """The unused links of all visitors. The database knows only digests of their secrets.

    Args:
        engine: the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def make(self, who: str, game: str, until_ms: int) -> str:
        """A new link's secret.

        Args:
            who: the visitor.
            game: the address of the game where the link leads.
            until_ms: when it expires, in milliseconds since 1970.
        """
        secret, table = secrets.token_urlsafe(32), seat_links
        row = {"digest": _digest(secret), "who": who, "game_id": game, "expires_ms": until_ms}
        with self._engine.begin() as connection:
            connection.execute(delete(table).where(table.c.expires_ms <= now_ms()))
            of_who = select(table.c.digest).where(table.c.who == who).order_by(table.c.expires_ms.desc())
            old = connection.scalars(of_who.offset(MOST_LINKS - 1)).all()
            connection.execute(delete(table).where(table.c.digest.in_(old)))
            connection.execute(table.insert().values(row))
        return secret

    def look(self, secret: str) -> SeatLink | None:
        """The target of a link; None if it has been used or has expired. Looking uses nothing up."""
        table = seat_links
        with self._engine.begin() as connection:
            wanted = (table.c.digest == _digest(secret)) & (table.c.expires_ms > now_ms())
            row = connection.execute(select(table.c.who, table.c.game_id).where(wanted)).one_or_none()
        return None if row is None else SeatLink(*row)

    def use(self, secret: str) -> SeatLink | None:
        """The same, and it opens nothing any more: of several who use it at once, one is served."""
        found, table = self.look(secret), seat_links
        with self._engine.begin() as connection:
            gone = connection.execute(delete(table).where(table.c.digest == _digest(secret))).rowcount
        return found if gone == 1 else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()

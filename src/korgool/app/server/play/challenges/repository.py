"""Challenges in the database: one by its address or game, those of a person, and those of the lobby."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Engine, func, select

from korgool.app.server.storage.challenge_rows import old, read_challenge
from korgool.app.server.storage.schema import challenges
from korgool.live import Challenge, ChallengeState, Way


class ChallengeRepository:
    """Reads challenges. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, challenge: str) -> Challenge | None:
        """The challenge with this address, or None."""
        found = self._select(challenges.c.id == challenge, 1)
        return found[0] if found else None

    def of_game(self, game: str) -> Challenge | None:
        """The challenge that led to a game, or None."""
        found = self._select(challenges.c.result == game, 1)
        return found[0] if found else None

    def listed(self, now: int, most: int) -> list[Challenge]:
        """Return the challenges of the lobby, newest first as far as the expiry tells."""
        return self._select((challenges.c.way == Way.LOBBY.value) & _open(now), most)

    def open_of(self, maker: str, now: int, most: int) -> list[Challenge]:
        """The open challenges of one person."""
        return self._select((challenges.c.maker == maker) & _open(now), most)

    def count_open(self, maker: str, now: int) -> int:
        """Return the number of open challenges of one person."""
        query = select(func.count()).select_from(challenges).where((challenges.c.maker == maker) & _open(now))
        with self._engine.begin() as connection:
            return connection.scalar(query) or 0

    def count_old(self, before: int) -> int:
        """Return the number of challenges that led to no game and expired before a time."""
        query = select(func.count()).select_from(challenges).where(old(before))
        with self._engine.begin() as connection:
            return connection.scalar(query) or 0

    def waiting(self, now: int) -> dict[str, int]:
        """Until when the makers of open offers in the lobby wait, milliseconds since 1970, as processes have noted."""
        query = select(challenges.c.id, challenges.c.waits_ms)
        offers = (challenges.c.way == Way.LOBBY.value) & _open(now) & challenges.c.waits_ms.is_not(None)
        with self._engine.begin() as connection:
            return {row.id: row.waits_ms for row in connection.execute(query.where(offers))}

    def _select(self, where: ColumnElement[bool], most: int) -> list[Challenge]:
        query = select(challenges).where(where).order_by(challenges.c.expires_ms.desc(), challenges.c.id).limit(most)
        with self._engine.begin() as connection:
            rows: Sequence[Any] = connection.execute(query).all()
        return [read_challenge(row) for row in rows]


def _open(now: int) -> ColumnElement[bool]:
    return (challenges.c.state == ChallengeState.OPEN.value) & (challenges.c.expires_ms > now)

"""Challenges as rows of their table, and how they are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import ColumnElement, Engine, func, select

from korgool.app.server.storage.game_terms import read_rules, write_options
from korgool.app.server.storage.schema import challenges
from korgool.live import Challenge, ChallengeState, DeclineReason, Manner, Way, read_clock, write_clock
from korgool.live.challenges import Choice

_SETTLED = ("state", "by", "reason", "result")


def challenge_row(challenge: Challenge) -> dict[str, Any]:
    """The columns of a challenge."""
    return {
        "id": challenge.id,
        "maker": challenge.maker,
        "game": challenge.rules.name,
        "rules": write_options(challenge.rules),
        "clock": write_clock(challenge.control),
        "side": challenge.side,
        "conduct": challenge.manner.value,
        "start": challenge.start,
        "rated": int(challenge.rated),
        "delay_s": challenge.delay_s,
        "way": challenge.way.value,
        "addressee": challenge.to,
        "expires_ms": challenge.expires,
        "state": challenge.state.value,
        "by": challenge.by,
        "reason": None if challenge.reason is None else challenge.reason.value,
        "result": challenge.game or None,
    }


def settled_row(challenge: Challenge) -> dict[str, Any]:
    """The columns that change when a challenge is settled, with names of their own for a statement."""
    row = challenge_row(challenge)
    return {"challenge": challenge.id, **{f"new_{name}": row[name] for name in _SETTLED}}


def read_challenge(row: Any) -> Challenge:
    """The challenge of a row.

    Raises:
        ValueError: the row contradicts itself, which means that the database is damaged.
    """
    return Challenge(
        id=row.id,
        maker=row.maker,
        rules=read_rules(row),
        control=read_clock(row.clock),
        side=cast(Choice, row.side),
        expires=row.expires_ms,
        manner=Manner(row.conduct),
        start=row.start,
        rated=bool(row.rated),
        delay_s=row.delay_s,
        way=Way(row.way),
        to=row.addressee,
        state=ChallengeState(row.state),
        by=row.by,
        reason=None if row.reason is None else DeclineReason(row.reason),
        game=row.result or "",
    )


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
        """What the lobby shows, newest first as far as the expiry tells."""
        return self._select((challenges.c.way == Way.LOBBY.value) & _open(now), most)

    def open_of(self, maker: str, now: int, most: int) -> list[Challenge]:
        """The open challenges of one person."""
        return self._select((challenges.c.maker == maker) & _open(now), most)

    def count_open(self, maker: str, now: int) -> int:
        """How many open challenges one person has."""
        query = select(func.count()).select_from(challenges).where((challenges.c.maker == maker) & _open(now))
        with self._engine.begin() as connection:
            return connection.scalar(query) or 0

    def count_old(self, before: int) -> int:
        """How many challenges that led to no game expired before a time."""
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


def old(before: int) -> ColumnElement[bool]:
    """Which rows are forgotten: those that expired before a time and led to no game, whose lot would be lost."""
    return (challenges.c.expires_ms < before) & challenges.c.result.is_(None)

"""Challenges as rows of their table."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import ColumnElement

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


def old(before: int) -> ColumnElement[bool]:
    """Select the rows that are forgotten: they expired before a time and led to no game, whose lot would be lost."""
    return (challenges.c.expires_ms < before) & challenges.c.result.is_(None)

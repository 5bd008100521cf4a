"""Reading what is known of rated games and players: who may play them, standings, and what a game has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Engine, select

from korgool.accounts import (
    Action,
    Actor,
    Mark,
    Person,
    PersonKind,
    Refused,
    Shown,
    Speed,
    Standing,
    Way,
    kept_until,
    refusal,
)
from korgool.accounts.leaving import REMEMBER_MS
from korgool.accounts.ratings import PROVISIONAL, Key
from korgool.app.server.storage.rated_games import read_standing
from korgool.app.server.storage.schema import accounts, marks, rated_games, standings


@dataclass(frozen=True, slots=True)
class RatedRefusal:
    """A refusal of a rated game.

    Attributes:
        refused: the reason.
        until: where they are kept from rated games, until when, milliseconds since 1970; otherwise 0.
    """

    refused: Refused
    until: int = 0


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a player's rating by a rated game.

    Attributes:
        before: the rating when the game ended.
        after: what the game has made of it.
    """

    before: Shown
    after: Shown

    @property
    def points(self) -> int:
        """By how much it has changed, in whole points."""
        return self.after.rating - self.before.rating


class RatingRepository:
    """Reads ratings. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def refusal(self, who: str, now: int) -> RatedRefusal | None:
        """Return why somebody may not begin a rated game now, None where they may."""
        with self._engine.begin() as connection:
            person = _person(connection, who)
            until = kept_until(_marks(connection, who, now))
        refused = refusal(Actor(person, kept=until > now), Action.PLAY_RATED)
        return None if refused is None else RatedRefusal(refused, until if until > now else 0)

    def is_member(self, who: str) -> bool:
        """Return whether somebody has an account with which rated games are played."""
        with self._engine.begin() as connection:
            going = accounts.c.deleted_ms.is_(None) & accounts.c.locked_ms.is_(None)
            return connection.scalar(select(accounts.c.id).where((accounts.c.id == who) & going)) is not None

    def shown(self, people: Sequence[str], game: str, speed: Speed, now: int) -> Mapping[str, Shown]:
        """The ratings of some accounts in one game and speed; a newcomer has the first rating, a guest none."""
        with self._engine.begin() as connection:
            members = connection.scalars(
                select(accounts.c.id).where(accounts.c.id.in_(people) & accounts.c.deleted_ms.is_(None))
            ).all()
            pool = (standings.c.game == game) & (standings.c.speed == speed.value)
            rows = connection.execute(select(standings).where(pool & standings.c.account.in_(members))).all()
        found = dict.fromkeys(members, Standing()) | {row.account: read_standing(row) for row in rows}
        return MappingProxyType({who: standing.shown(now) for who, standing in found.items()})

    def played(self, people: Iterable[str], now: int) -> Mapping[Key, Shown]:
        """The ratings of some accounts in every game and speed in which they have one."""
        rows = select(standings).where(standings.c.account.in_(sorted(set(people))))
        with self._engine.begin() as connection:
            found = connection.execute(rows.where((standings.c.games > 0) | (standings.c.fixed > 0))).all()
        return MappingProxyType(
            {(row.account, row.game, Speed(row.speed)): read_standing(row).shown(now) for row in found}
        )

    def changes(self, game: str) -> tuple[RatingChange, RatingChange] | None:
        """Return the changes of the ratings of White and Black by a game; None where it was not counted."""
        with self._engine.begin() as connection:
            row = connection.execute(select(rated_games).where(rated_games.c.game_id == game)).one_or_none()
        if row is None:
            return None
        return _change(row, "white"), _change(row, "black")


def _change(row: Any, side: str) -> RatingChange:
    """Ratings that are fixed are not told apart from others here: they have no provisional deviation."""

    def shown(when: str) -> Shown:
        deviation = getattr(row, f"{side}_deviation_{when}")
        return Shown(round(getattr(row, f"{side}_{when}")), round(deviation), deviation > PROVISIONAL)

    return RatingChange(shown("before"), shown("after"))


def _person(connection: Connection, who: str) -> Person:
    """Somebody as far as the right to play rated games needs them."""
    row = connection.execute(select(accounts).where(accounts.c.id == who)).one_or_none()
    if row is None:
        return Person(PersonKind.VISITOR, who)
    if row.deleted_ms is not None:
        return Person(PersonKind.DELETED, who)
    return Person(PersonKind(row.kind), who, locked=row.locked_ms is not None)


def _marks(connection: Connection, who: str, now: int) -> list[Mark]:
    recent = (marks.c.account == who) & (marks.c.at_ms > now - REMEMBER_MS)
    rows = connection.execute(select(marks).where(recent).order_by(marks.c.at_ms, marks.c.game_id))
    return [Mark(row.at_ms, Way(row.way)) for row in rows]

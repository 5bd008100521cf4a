"""News of the ratings of a game's players: when they are first read, and when the game has changed them."""

from __future__ import annotations

import asyncio
from typing import Protocol

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from korgool import live
from korgool.accounts import PersonKind
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play import state_messages
from korgool.app.server.play.rating_repository import RatingRepository
from korgool.app.server.play.seat_ratings import SeatRatings, read_ratings
from korgool.app.server.play.subscribers import Subscribers


class RatedTable(Protocol):
    """What this needs of a running game."""

    address: str
    ratings: SeatRatings

    @property
    def game(self) -> live.OnlineGame:
        """The game as it stands."""

    @property
    def dropped(self) -> bool:
        """Whether this process has let go of it."""

    @property
    def followers(self) -> Subscribers:
        """Who follows it."""

    def state(self, who: str | None, reader: str | None = None) -> state_messages.GameStateMessage:
        """The present state for a viewer, with names as a reader sees them."""


async def publish_ratings(table: RatedTable, shelf: RatingRepository, register: PeopleLookup) -> None:
    """Read the ratings of the players, and send the state with them to who follows the game already.

    Who sees the game later learns nothing early. Where the database cannot be reached, nobody hears of it: whoever
    loads the game next reads them.
    """
    try:
        found = await asyncio.to_thread(read_ratings, shelf, table.address, table.game, now_ms())
        await register.learn(follower.reader for follower in table.followers if follower.reader)
    except SQLAlchemyError:
        return
    if table.dropped or found == table.ratings:
        return
    table.ratings = found
    states: dict[tuple[str | None, str | None], bytes] = {}
    for follower in table.followers:
        who = follower.who if follower.plays else None
        if who is None and table.game.terms.delay_s:
            continue
        guest = register.person(follower.reader or "").kind in (PersonKind.NOBODY, PersonKind.VISITOR)
        seen = who, None if guest else follower.reader  # all guests who watch read the same
        if seen not in states:
            states[seen] = msgspec.json.encode(
                state_messages.StateMessage(table.game.version, "state", table.state(*seen))
            )
        table.followers.tell(follower, states[seen])

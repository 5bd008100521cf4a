"""Who is at a game: connections of players and watchers, and the last signs of life of the players."""

from __future__ import annotations

import asyncio

import msgspec

from korgool import live
from korgool.app.server.games.followers import Follower, Followers
from korgool.app.server.games.wire import Audience, Presence
from korgool.app.server.now import now_ms
from korgool.rules import Side

_VIEWERS_SECONDS = 2.0
"""How often the number of viewers is told, at most."""


class Attendance:
    """Three things that are not the same: a connection, the presence of a player, and having left a game for good.

    A connection may break and come back; a player is present while one is open; and a claim goes by how long nothing
    was heard on any of them.
    """

    def __init__(self, terms: live.GameTerms, signs: tuple[int | None, int | None]) -> None:
        self.followers = Followers()
        self._terms = terms
        self._signs = list(signs)
        self._told = (False, False)
        self._counting: asyncio.TimerHandle | None = None

    @property
    def signs(self) -> tuple[int | None, int | None]:
        """When White and Black were last heard of, in milliseconds since 1970."""
        return self._signs[0], self._signs[1]

    def heard(self, who: str | None, ago_ms: int = 0) -> tuple[Side, ...]:
        """Somebody has given a sign of life, so long ago; the sides that this person plays."""
        sides = self._terms.sides(who or "")
        for side in sides:
            self._signs[side] = max(now_ms() - ago_ms, self._signs[side] or 0)
        return sides

    def audience(self) -> Audience:
        """Who is connected; the engine always is."""
        terms = self._terms
        here = {follower.who for follower in self.followers if follower.plays}
        white, black = (terms.by_engine(side) or terms.seats[side].who in here for side in Side)
        return Audience((white, black), sum(not follower.plays for follower in self.followers))

    def facts(self, at: int, serving_since: int, proof: live.Proof | None) -> live.Facts:
        """The world as this server knows it at a time."""
        lags, signs = [0, 0], list(self._signs)
        for follower in self.followers:
            if follower.plays:
                lag, heard = follower.lag_ms, at - follower.silent_ms
                for side in self._terms.sides(follower.who or ""):
                    lags[side] = lag
                    signs[side] = max(heard, signs[side] or 0)
        return live.Facts((lags[0], lags[1]), (signs[0], signs[1]), serving_since, proof)

    def leave(self, follower: Follower) -> tuple[Side, ...]:
        """A connection has ended; the sides that its person plays."""
        self.followers.leave(follower)
        return self.heard(follower.who, follower.silent_ms)

    def tell(self) -> None:
        """Tell at once who has come or gone of the players, and soon how many watch."""
        if self.audience().present != self._told:
            self._tell_now()
        elif self._counting is None and self.followers:
            self._counting = asyncio.get_running_loop().call_later(_VIEWERS_SECONDS, self._tell_now)

    def _tell_now(self) -> None:
        self.stop()
        audience = self.audience()
        self._told = audience.present
        message = msgspec.json.encode(Presence("presence", *audience.present, audience.viewers))
        for follower in self.followers:
            self.followers.tell(follower, message)

    def stop(self) -> None:
        """Tell nothing any more that is still to be told."""
        if self._counting is not None:
            self._counting.cancel()
            self._counting = None

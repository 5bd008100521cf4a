"""Rules for starting games: limits, rated games, and people who may not be brought together."""

from __future__ import annotations

import asyncio
import time

from korgool.accounts import Action, RefusedKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError, refused_error
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter, ServiceLimits
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.play.rating_repository import RatedRefusal, RatingRepository
from korgool.live import GameTerms
from korgool.rules import Side

_LATER_SECONDS = 60.0
"""Seconds after which somebody who must finish a game first may try again."""


class GameStarts:
    """Refuses games that may not start, and counts those that do."""

    def __init__(
        self,
        repository: GameRepository,
        ratings: RatingRepository,
        people: PeopleLookup,
        limits: ServiceLimits,
        rate_limiter: RateLimiter,
    ) -> None:
        self._repository = repository
        self._ratings = ratings
        self._people = people
        self.limits = limits
        self.rate_limiter = rate_limiter

    def check(self, caller: Caller) -> None:
        """Refuse a game that `count` would refuse, before anything is read for it.

        Raises:
            RateLimitError: this session or address has started too many.
        """
        if caller.session is not None and (wait := self.rate_limiter.refuses("session_games", caller.session)):
            raise RateLimitError(errors.TOO_MANY_STARTS, wait)
        if wait := self.rate_limiter.refuses("address_games", caller.address):
            raise RateLimitError(errors.TOO_MANY_HERE, wait)

    def count(self, caller: Caller, *, fresh: bool = False) -> None:
        """Count a game for its caller; the first one of a new session also counts as a visitor of the address.

        Raises:
            RateLimitError: this session or address has started too many.
        """
        rates = self.rate_limiter
        if caller.session is not None and (wait := rates.spend("session_games", caller.session)):
            raise RateLimitError(errors.TOO_MANY_STARTS, wait)
        wait = rates.spend("address_visitors", caller.address) if fresh else 0.0
        wait = wait or rates.spend("address_games", caller.address)
        if wait:
            raise RateLimitError(errors.TOO_MANY_HERE, wait)

    async def count_for(self, who: str, caller: Caller) -> None:
        """Count a game of a person; a person who has never played counts as a new visitor.

        Raises:
            RateLimitError: as for `count`.
        """
        self.count(caller, fresh=not await asyncio.to_thread(self._repository.has_played, who))

    async def check_unfinished(self, who: str) -> None:
        """Refuse one more game to a person who has too many unfinished ones.

        Raises:
            RateLimitError: in this case.
        """
        count = await asyncio.to_thread(self._repository.unfinished, who)
        if self.limits.unfinished_games is not None and count >= self.limits.unfinished_games:
            raise RateLimitError(errors.TOO_MANY_GAMES, _LATER_SECONDS, count=count)

    async def check_rated(self, who: str) -> None:
        """Refuse a rated game to a guest, and to a player who has left too many of them.

        Raises:
            ApiError: in these cases.
        """
        refusal = await asyncio.to_thread(self._ratings.refusal, who, now_ms())
        if refusal is not None:
            raise _rated_error(refusal)

    async def check_contact(self, who: str, action: Action, other: str) -> None:
        """Refuse to bring two people together of whom one has blocked the other, or who may not know each other.

        Raises:
            ApiError: 403, or 404 as where there is no player of that name.
        """
        refused = await self._people.meeting(who, action, other)
        if refused is not None:
            unknown = refused.kind is RefusedKind.NOT_FOUND
            raise ApiError(404, errors.NO_PLAYER) if unknown else refused_error(refused)

    async def check_rematch(self, terms: GameTerms, side: Side) -> None:
        """Refuse a rematch between two people of whom one has blocked the other.

        Raises:
            ApiError: 403.
        """
        who, other = terms.seats[side].who, terms.seats[side.other].who
        if other and other != who:  # neither against the engine nor alone at both seats
            await self.check_contact(who, Action.ANSWER, other)


def _rated_error(refusal: RatedRefusal) -> ApiError:
    """Return the refusal of a rated game as the server answers it."""
    status, kind = refusal.refused.status, refusal.refused.kind
    if refusal.until:
        moment = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(-(-refusal.until // 60_000) * 60))
        return ApiError(status, errors.KEPT, moment=moment)
    return ApiError(status, errors.LOCKED if kind is RefusedKind.LOCKED else errors.GUEST_RATED)

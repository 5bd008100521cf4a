"""Blocks between players, for the API and the pages."""

from __future__ import annotations

import asyncio

from korgool.accounts import Action, Actor, Person, PersonKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.blocks.repository import Block, BlockRepository
from korgool.app.server.people.checks import check_right, count_change
from korgool.app.server.people.people_cache import PeopleCache
from korgool.app.server.play.game_registry import GameRegistry


class BlockService:
    """Blocks between players. All methods run on the event loop.

    Every change is counted, and raises `RateLimitError` where there were too many.

    Args:
        people: names and identities.
        repository: the blocks in the database.
        game_registry: the games, in which opponents are looked up.
        rate_limiter: counts changes.
    """

    def __init__(
        self, people: PeopleCache, repository: BlockRepository, game_registry: GameRegistry, rate_limiter: RateLimiter
    ) -> None:
        self._people = people
        self._repository = repository
        self._game_registry = game_registry
        self._rate_limiter = rate_limiter

    async def of(self, account: str) -> list[Block]:
        """The blocks of an account, the newest first; the people in them are in the cache afterwards."""
        blocks = await asyncio.to_thread(self._repository.list, account)
        await self._people.learn(block.who for block in blocks)
        return blocks

    async def has(self, account: str, other: str) -> bool:
        """True if an account has blocked somebody."""
        return await asyncio.to_thread(self._repository.has, account, other)

    async def block_name(self, actor: Actor, name: str, caller: Caller) -> Block:
        """Block the owner of a name.

        Raises:
            ApiError: 404, the actor knows nobody of this name; otherwise they may not, or have blocked too many.
        """
        count_change(self._rate_limiter, caller)
        return await self._add(actor, await self._people.known(name, actor.person))

    async def block_opponent(self, actor: Actor, game: str, caller: Caller) -> Block:
        """Block the other player of a game.

        Raises:
            ApiError: as for `opponent`; otherwise the actor may not, or has blocked too many.
        """
        count_change(self._rate_limiter, caller)
        return await self._add(actor, await opponent(self._game_registry, game, actor.person))

    async def end(self, account: str, block: str) -> int:
        """End a block of an account by its id. Returns 1, or 0 for one that has ended."""
        return await asyncio.to_thread(self._repository.end, account, block)

    async def _add(self, actor: Actor, other: Person) -> Block:
        check_right(actor, Action.BLOCK, other)
        return await asyncio.to_thread(self._repository.add, actor.person.id, other.id, now_ms())


async def opponent(game_registry: GameRegistry, game: str, player: Person) -> Person:
    """The other player of a game.

    Args:
        game_registry: the games.
        game: the address of the game.
        player: the player whose opponent is wanted.

    Raises:
        ApiError: 404, there is no such game; 422, there is nobody else in it, or their account is deleted; 403, it
            is not a game of the player.
    """
    players = (await game_registry.met(game)).players
    if len(players) < 2:
        raise ApiError(422, errors.NO_OTHER)
    if player.id not in players:
        raise ApiError(403, errors.NOT_YOURS)
    (other,) = (game_registry.register.person(identity) for identity in players if identity != player.id)
    if other.kind is PersonKind.DELETED:
        raise ApiError(422, errors.NO_OTHER)
    return other

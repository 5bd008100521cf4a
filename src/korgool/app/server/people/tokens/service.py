"""Tokens of an account for programs, and its bots, for the API and the pages."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from korgool.accounts import Person, PersonKind, Refused, RefusedKind, Scope, Token, read_name
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.checks import count_change
from korgool.app.server.people.sign_in.authentication import Authentication

_BOT_DAYS = 365
_BOT_SCOPES = (Scope.READ, Scope.PLAY, Scope.CHALLENGE)


class TokenService:
    """Tokens and bots of accounts. All methods run on the event loop.

    Every change is counted, and raises `RateLimitError` where there were too many.

    Args:
        authentication: sessions, tokens and accounts.
        rate_limiter: counts changes.
    """

    def __init__(self, authentication: Authentication, rate_limiter: RateLimiter) -> None:
        self._authentication = authentication
        self._rate_limiter = rate_limiter

    async def of(self, account: str) -> list[Token]:
        """The live tokens of an account, the newest first."""
        return await asyncio.to_thread(self._authentication.keys.tokens, account, now_ms())

    async def make(
        self, account: str, caller: Caller, *, scopes: Collection[Scope], label: str, days: int
    ) -> tuple[Token, str]:
        """Make a token of an account. Returns it with its secret, which cannot be read again.

        Raises:
            ApiError: 422, no such label, scopes or days can be.
        """
        count_change(self._rate_limiter, caller)
        made = await self._make(account, scopes, label, days)
        self._authentication.ended()  # one more may have displaced the oldest
        return made

    async def end(self, owner: str, token: str) -> int:
        """End a token of an account or of its bots, by its id. Returns 1, or 0 for one that has ended."""
        count = 0
        for account in (owner, *(bot.id for bot in await self.bots(owner))):
            count += await asyncio.to_thread(self._authentication.keys.end_tokens, account, now_ms(), token)
        self._authentication.ended()
        return count

    async def bots(self, owner: str) -> list[Account]:
        """The bots of an account, by name."""
        return await asyncio.to_thread(self._authentication.directory.bots, owner)

    async def open_bot(self, owner: Person, name: str, caller: Caller) -> tuple[Account, str]:
        """Open an account for a bot. Returns it with its token.

        Raises:
            ApiError: bots have no bots, the name cannot be or is taken, or the owner has as many as there may be.
        """
        count_change(self._rate_limiter, caller)
        read = read_name(name)
        if isinstance(read, Refused):
            raise refused_error(read)
        if owner.kind is PersonKind.BOT:
            raise refused_error(Refused(RefusedKind.BOTS))
        bot = await asyncio.to_thread(
            self._authentication.directory.new, read, now_ms(), kind=PersonKind.BOT, owner=owner.id
        )
        if isinstance(bot, Refused):
            raise refused_error(bot)
        return bot, await self._bot_token(bot)

    async def renew_bot(self, owner: str, bot_id: str, caller: Caller) -> tuple[Account, str]:
        """End all tokens of a bot, and make another. Returns the bot with the token.

        Raises:
            ApiError: 404, the owner has no such bot.
        """
        count_change(self._rate_limiter, caller)
        bot = next((bot for bot in await self.bots(owner) if bot.id == bot_id), None)
        if bot is None:
            raise ApiError(404, errors.NO_PLAYER)
        await asyncio.to_thread(self._authentication.keys.end_tokens, bot.id, now_ms())
        secret = await self._bot_token(bot)
        self._authentication.ended()
        return bot, secret

    async def _bot_token(self, bot: Account) -> str:
        return (await self._make(bot.id, _BOT_SCOPES, "bot", _BOT_DAYS))[1]

    async def _make(self, account: str, scopes: Collection[Scope], label: str, days: int) -> tuple[Token, str]:
        made = await asyncio.to_thread(
            self._authentication.keys.make_token, account, now_ms(), scopes=scopes, label=label, days=days
        )
        if isinstance(made, Refused):
            raise refused_error(made)
        return made

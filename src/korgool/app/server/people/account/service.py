"""Accounts as their owners use them: opening one, signing in and out, protecting, exporting and deleting it."""

from __future__ import annotations

import asyncio
from typing import Any

from korgool.accounts import Refused, Session, read_name, refused_password
from korgool.app.server.core.errors import refused_error
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.account.deletion import delete_account, stored_rows
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.blocks.repository import BlockRepository
from korgool.app.server.people.checks import count_account, count_change, count_sign_in
from korgool.app.server.people.guests.migration import GuestMigration
from korgool.app.server.people.passkeys.repository import PasskeyRepository
from korgool.app.server.people.sign_in.authentication import Authentication, SignedIn
from korgool.app.server.people.sign_in.browsers import Browser
from korgool.app.server.people.sign_in.sign_in_log import SignInEntry, SignInWay
from korgool.app.server.play.challenges.service import ChallengeService


class AccountService:
    """Accounts as their owners use them. All methods run on the event loop.

    Every change is counted, and raises `RateLimitError` where there were too many.

    Args:
        authentication: signs people in.
        guests: moves the games of visitors.
        passkeys: the passkeys, which the overview counts.
        blocks: the blocks, likewise.
        challenges: the challenges, which name the makers.
        rate_limiter: counts sign-ins and changes.
    """

    def __init__(
        self,
        authentication: Authentication,
        guests: GuestMigration,
        passkeys: PasskeyRepository,
        blocks: BlockRepository,
        challenges: ChallengeService,
        rate_limiter: RateLimiter,
    ) -> None:
        self._authentication = authentication
        self._guests = guests
        self._passkeys = passkeys
        self._blocks = blocks
        self._challenges = challenges
        self._rate_limiter = rate_limiter

    # Signing in and out

    async def open(
        self, name: str, password: str, principal: Principal, caller: Caller, device: Browser, *, move: bool
    ) -> SignedIn:
        """Open an account and sign in; the session before ends. A name or password that cannot be is not counted.

        Args:
            name: the name as it was typed.
            password: the password.
            principal: the visitor.
            caller: their session and address.
            device: their browser.
            move: whether the games of the visitor move to the account.

        Raises:
            ApiError: the name or the password cannot be, or the name is taken.
            RateLimitError: too many accounts were opened from there.
        """
        read = read_name(name)
        if isinstance(read, Refused):
            raise refused_error(read)
        if problem := refused_password(password, read):
            raise refused_error(problem)
        count_account(self._rate_limiter, caller)
        hashed = await self._authentication.hashing.hash(password)
        account = await asyncio.to_thread(self._authentication.directory.new, read, now_ms(), password=hashed)
        if isinstance(account, Refused):
            raise refused_error(account)
        sign_in = await self._authentication.begin(account, device, principal.digest, way=SignInWay.PASSWORD)
        if move:
            await self._guests.run(principal, sign_in.account.id)
        return sign_in

    async def sign_in(
        self, name: str, password: str, principal: Principal, caller: Caller, device: Browser, *, move: bool
    ) -> SignedIn:
        """Sign in by name and password; arguments as for `open`.

        Raises:
            ApiError: 401, the same for a wrong password and a name that nobody has.
            RateLimitError: there were too many attempts.
        """
        count_sign_in(self._rate_limiter, caller)
        sign_in = await self._authentication.sign_in(name, password, caller, device, principal.digest)
        if move:
            await self._guests.run(principal, sign_in.account.id)
        return sign_in

    async def recover(
        self, name: str, code: str, password: str, principal: Principal, caller: Caller, device: Browser
    ) -> SignedIn:
        """Sign in by a recovery code, and set another password, or none if it is empty.

        Raises:
            ApiError: 401 for a wrong code or name, 422 for a password that cannot be.
            RateLimitError: there were too many attempts.
        """
        count_sign_in(self._rate_limiter, caller)
        return await self._authentication.recover(name, code, password, caller, device, principal.digest)

    async def sign_out(self, principal: Principal) -> int:
        """End the session of this browser. Returns how many ended."""
        if principal.session is None:
            return 0
        return await self._authentication.end_sessions(principal.person.id, only=principal.session.id)

    async def overview(self, account: str) -> dict[str, int]:
        """The number of recovery codes, passkeys, sessions, tokens, bots, blocks and children of an account."""

        def count() -> dict[str, int]:
            keys, directory, now = self._authentication.keys, self._authentication.directory, now_ms()
            return {
                "codes": keys.codes_left(account),
                "passkeys": len(self._passkeys.list(account)),
                "sessions": len(keys.sessions(account, now)),
                "tokens": len(keys.tokens(account, now)),
                "bots": len(directory.bots(account)),
                "blocks": len(self._blocks.list(account)),
                "children": len(directory.children(account)),
            }

        return await asyncio.to_thread(count)

    # Sessions

    async def sessions(self, account: str) -> list[Session]:
        """The sessions of an account, the one used last first."""
        return await asyncio.to_thread(self._authentication.keys.sessions, account, now_ms())

    async def sign_ins(self, account: str) -> list[SignInEntry]:
        """The last sign-ins of an account, the newest first."""
        return await asyncio.to_thread(self._authentication.sign_ins.list, account, now_ms())

    async def end_other_sessions(self, principal: Principal) -> int:
        """End all sessions but that of this browser. Returns how many."""
        own = principal.session
        return await self._authentication.end_sessions(principal.person.id, but=None if own is None else own.id)

    # Protection

    async def prove(self, principal: Principal, password: str, caller: Caller, device: Browser) -> Account:
        """Note that the principal has given their password once more.

        Raises:
            ApiError: 401, it is wrong.
            RateLimitError: there were too many attempts.
        """
        account, session = await self._authentication.own_account(principal)
        await self._authentication.check_password(account, password, caller, device)
        await self._authentication.prove(session)
        return account

    async def change_password(self, principal: Principal, password: str, caller: Caller, device: Browser) -> SignedIn:
        """Set another password; all sessions end, and this browser gets a new one.

        Raises:
            ApiError: the password cannot be.
        """
        count_change(self._rate_limiter, caller)
        account, session = await self._authentication.own_account(principal)
        return await self._authentication.change_password(account, password, session, device)

    async def codes_left(self, account: str) -> int:
        """Number of unused recovery codes of an account."""
        return await asyncio.to_thread(self._authentication.keys.codes_left, account)

    async def new_codes(self, account: str, caller: Caller) -> tuple[str, ...]:
        """Make recovery codes in the place of all old ones."""
        count_change(self._rate_limiter, caller)
        return await asyncio.to_thread(self._authentication.keys.new_codes, account, now_ms())

    # Stored data

    async def export(self, account: str, caller: Caller) -> dict[str, list[dict[str, Any]]]:
        """Everything that is stored of an account or visitor: rows by table, without secrets."""
        count_change(self._rate_limiter, caller)
        return await asyncio.to_thread(stored_rows, self._authentication.transactions, account)

    async def delete(self, account: str) -> None:
        """Delete an account with everything that only it needs, its bots and its children's accounts."""
        for deleted in await asyncio.to_thread(delete_account, self._authentication.transactions, account, now_ms()):
            self._authentication.people.forget(deleted)
        self._authentication.ended()
        self._challenges.refresh()

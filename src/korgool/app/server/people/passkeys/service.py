"""Ceremonies of passkeys for the API and the pages: opening an account, signing in, proof, and the owner's list."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from korgool.accounts import AccountName, Refused, read_name
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.checks import check_account_rate, count_account, count_change, count_sign_in
from korgool.app.server.people.guests.migration import GuestMigration
from korgool.app.server.people.passkeys.ceremonies import MOST_LABEL, RelyingParty, StartedCeremony
from korgool.app.server.people.passkeys.repository import Passkey, PasskeyRepository
from korgool.app.server.people.sign_in.authentication import Authentication, SignedIn
from korgool.app.server.people.sign_in.browsers import Browser, browser_of
from korgool.app.server.people.sign_in.sign_in_log import SignInWay


class PasskeyService:
    """Ceremonies of passkeys. All methods run on the event loop; answers of devices have their bytes in base64url.

    Every change is counted, and raises `RateLimitError` where there were too many.

    Args:
        authentication: signs people in.
        repository: the passkeys in the database.
        guests: moves the games of visitors.
        rate_limiter: counts sign-ins and changes.
    """

    def __init__(
        self,
        authentication: Authentication,
        repository: PasskeyRepository,
        guests: GuestMigration,
        rate_limiter: RateLimiter,
    ) -> None:
        self._authentication = authentication
        self.repository = repository
        self._guests = guests
        self._rate_limiter = rate_limiter

    # A new account

    async def begin_sign_up(self, name: str, place: RelyingParty, caller: Caller) -> StartedCeremony:
        """Begin to open an account that a passkey opens, and no password.

        Raises:
            ApiError: the name cannot be, or is taken.
            RateLimitError: too many accounts were opened or begun from there.
        """
        check_account_rate(self._rate_limiter, caller)
        count_sign_in(self._rate_limiter, caller)
        started = await asyncio.to_thread(self.repository.begin_opening, _accepted(name), place, now_ms())
        if isinstance(started, Refused):
            raise refused_error(started)
        return started

    async def sign_up(
        self,
        name: str,
        ceremony: str,
        answer: Mapping[str, Any],
        place: RelyingParty,
        principal: Principal,
        caller: Caller,
        device: Browser,
        *,
        move: bool,
    ) -> tuple[SignedIn, tuple[str, ...]]:
        """Open an account with the passkey that a device has made, named after the browser, and sign in.

        Args:
            name: the name as it was typed.
            ceremony: the id of the ceremony.
            answer: the answer of the device.
            place: where the browser is.
            principal: the visitor; their session ends.
            caller: their session and address.
            device: their browser.
            move: whether the games of the visitor move to the account.

        Returns:
            The session, and the recovery codes, which cannot be read again.

        Raises:
            ApiError: the name cannot be or is taken, or the answer of the device is wrong.
            RateLimitError: too many accounts were opened from there.
        """
        count_account(self._rate_limiter, caller)
        label = (browser_of(device.agent) or place.name)[:MOST_LABEL]
        account = await asyncio.to_thread(
            self.repository.open, _accepted(name), ceremony, answer, label, place, now_ms()
        )
        if isinstance(account, Refused):
            raise refused_error(account)
        codes = await asyncio.to_thread(self._authentication.keys.new_codes, account.id, now_ms())
        return await self._enter(account, principal, device, move=move), codes

    # Signing in and proof

    async def begin_sign_in(self, place: RelyingParty, caller: Caller) -> StartedCeremony:
        """Begin to sign in.

        Raises:
            RateLimitError: there were too many attempts.
        """
        count_sign_in(self._rate_limiter, caller)
        return await asyncio.to_thread(self.repository.begin_sign_in, place, now_ms())

    async def sign_in(
        self,
        ceremony: str,
        answer: Mapping[str, Any],
        place: RelyingParty,
        principal: Principal,
        caller: Caller,
        device: Browser,
        *,
        move: bool,
    ) -> SignedIn:
        """Sign in by the answer of a device; arguments as for `sign_up`.

        Raises:
            ApiError: 401, the passkey is unknown; 422, the answer cannot be verified.
            RateLimitError: there were too many attempts.
        """
        count_sign_in(self._rate_limiter, caller)
        owner = await asyncio.to_thread(self.repository.sign_in, ceremony, answer, place, now_ms())
        account = await asyncio.to_thread(self._authentication.directory.find, owner)
        if account is None:
            raise ApiError(401, errors.PASSKEY_UNKNOWN)
        return await self._enter(account, principal, device, move=move)

    async def begin_proof(self, principal: Principal, place: RelyingParty, caller: Caller) -> StartedCeremony:
        """Begin to show a passkey once more; a ceremony that the account had begun before is over.

        Raises:
            ApiError: 422, the account has no passkey.
            RateLimitError: there were too many attempts.
        """
        count_sign_in(self._rate_limiter, caller)
        account, _ = await self._authentication.own_account(principal)
        return await asyncio.to_thread(self.repository.begin_proof, account.id, place, now_ms())

    async def prove(
        self, principal: Principal, ceremony: str, answer: Mapping[str, Any], place: RelyingParty
    ) -> Account:
        """Note that the principal has shown a passkey once more.

        Raises:
            ApiError: 401, it is another account's; 422, the answer cannot be verified.
        """
        account, session = await self._authentication.own_account(principal)
        await asyncio.to_thread(self.repository.prove, account.id, ceremony, answer, place, now_ms())
        await self._authentication.prove(session)
        return account

    # The passkeys of an account

    async def of(self, account: str) -> list[Passkey]:
        """The passkeys of an account, the newest first."""
        return await asyncio.to_thread(self.repository.list, account)

    async def begin_adding(self, principal: Principal, place: RelyingParty, caller: Caller) -> StartedCeremony:
        """Begin to add a passkey; a ceremony that the account had begun before is over.

        Raises:
            ApiError: 422, the account has as many as there may be.
        """
        count_change(self._rate_limiter, caller)
        account, _ = await self._authentication.own_account(principal)
        return await asyncio.to_thread(self.repository.begin_adding, account, place, now_ms())

    async def add(
        self, principal: Principal, ceremony: str, answer: Mapping[str, Any], label: str, place: RelyingParty
    ) -> Passkey:
        """Add the passkey that a device has made.

        Raises:
            ApiError: 422, with the fault of the label, the ceremony or the answer.
        """
        account, _ = await self._authentication.own_account(principal)
        return await asyncio.to_thread(self.repository.add, account.id, ceremony, answer, label, place, now_ms())

    async def remove(self, account: str, passkey: str) -> int:
        """Remove a passkey of an account. Returns 1, or 0 for one that is gone.

        Raises:
            ApiError: 422, it is the last way into the account.
        """
        return await asyncio.to_thread(self.repository.remove, account, passkey)

    async def _enter(self, account: Account, principal: Principal, device: Browser, *, move: bool) -> SignedIn:
        sign_in = await self._authentication.begin(account, device, principal.digest, way=SignInWay.PASSKEY)
        if move:
            await self._guests.run(principal, account.id)
        return sign_in


def _accepted(name: str) -> AccountName:
    read = read_name(name)
    if isinstance(read, Refused):
        raise refused_error(read)
    return read

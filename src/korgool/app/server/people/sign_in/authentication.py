"""Signing in, and the owners of sessions and tokens.

The owner of a secret is remembered for less than a second: a session that ended in one process opens nothing in any
process after a second. Connections that go on for longer are cut by a task that looks for ended sessions.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from korgool.accounts import (
    Actor,
    PersonKind,
    Refused,
    SecretKind,
    Session,
    Token,
    name_key,
    read_name,
    read_secret,
    refused_password,
    too_long,
)
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError, refused_error
from korgool.app.server.core.principal import Credential, Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.session_connections import SessionConnections
from korgool.app.server.limits import Caller, ServiceLimits
from korgool.app.server.people.account_repository import Account, AccountRepository
from korgool.app.server.people.people_cache import PeopleCache
from korgool.app.server.people.sign_in.browsers import Browser, DeviceCookies
from korgool.app.server.people.sign_in.login_attempts import LoginAttempts
from korgool.app.server.people.sign_in.password_hashing import PasswordHashingPool
from korgool.app.server.people.sign_in.session_repository import SessionRepository
from korgool.app.server.people.sign_in.sign_in_log import SignInLog, SignInWay
from korgool.app.server.people.transactions import PeopleTransactions

_LOG = logging.getLogger(__name__)
_REMEMBERED_SECONDS = 0.4
"""Seconds; an ended session is dead everywhere within one."""
_MOST_REMEMBERED = 20_000
_PURGE_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody who has just signed in.

    Attributes:
        account: the account.
        session: the new session.
        secret: the secret of the session for the browser.
        cookie: its new device cookie.
    """

    account: Account
    session: Session
    secret: str
    cookie: str


class Purged(Protocol):
    """A repository whose rows expire."""

    def forget(self, now: int, /) -> object:
        """Delete the rows that have expired at a time, in milliseconds since 1970; blocks."""


class Authentication:
    """Signs people in, and finds the owners of sessions and tokens. All methods run on the event loop.

    Args:
        transactions: the tables of people.
        limits: the most wrong guesses.
        purged: further repositories whose old rows are deleted every hour.
    """

    def __init__(self, transactions: PeopleTransactions, limits: ServiceLimits, purged: Iterable[Purged] = ()) -> None:
        self.transactions = transactions
        self.directory = AccountRepository(transactions)
        self.people = PeopleCache(transactions, self.directory)
        self.keys = SessionRepository(transactions)
        self.sign_ins = SignInLog(transactions)
        self.hashing = PasswordHashingPool()
        self._guesses = LoginAttempts(transactions)
        self._devices = DeviceCookies(transactions)
        self._limits = limits
        self._remembered: dict[bytes, tuple[float, Credential | None]] = {}
        self.connections = SessionConnections(self.keys.ended)
        self._purged: tuple[Purged, ...] = (self.keys, self._guesses, self.sign_ins, *purged)
        self._purging: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to cut connections whose session has ended, and to delete expired rows."""
        self.connections.open()
        self._purging = asyncio.create_task(self._purge())

    async def close(self) -> None:
        """End both."""
        await self.connections.close()
        if self._purging is not None:
            self._purging.cancel()
        self.hashing.close()

    async def _purge(self) -> None:
        """Forget sessions and tokens that are long over, old guesses, reports and sign-ins, and ceremonies without an
        answer."""
        while True:
            try:
                for repository in self._purged:
                    await asyncio.to_thread(repository.forget, now_ms())
            except SQLAlchemyError as error:
                _LOG.warning("what is over could not be forgotten: %s", " ".join(str(error).split())[:200])
            await asyncio.sleep(_PURGE_SECONDS)

    # Owners of secrets

    async def who(self, text: str, kind: SecretKind) -> Credential | None:
        """The credential of a secret of this kind; None where it opens nothing."""
        read = read_secret(text)
        if read is None or read[0] is not kind:
            return None
        digest = read[1]
        at, credential = self._remembered.get(digest, (0.0, None))
        if at and time.monotonic() - at < _REMEMBERED_SECONDS:
            return credential
        if len(self._remembered) >= _MOST_REMEMBERED:
            self._remembered.clear()
        credential = await asyncio.to_thread(self._read, digest, kind)
        if credential is not None:
            self.people.note(credential.actor.person)
        self._remembered[digest] = time.monotonic(), credential
        return credential

    def _read(self, digest: bytes, kind: SecretKind) -> Credential | None:
        now = now_ms()
        key = self.keys.session(digest, now) if kind is SecretKind.SESSION else self.keys.token(digest, now)
        account = None if key is None else self.directory.find(key.person)
        if key is None or account is None or account.person.kind is PersonKind.DELETED:
            return None
        if isinstance(key, Token):
            return Credential(Actor(account.person, key.scopes), key.id)
        actor = Actor(account.person, fresh=key.fresh(now))
        return Credential(actor, key.id, key, account.has_password, account.has_passkey)

    # Signing in

    async def sign_in(self, name: str, password: str, caller: Caller, device: Browser, old: bytes | None) -> SignedIn:
        """Sign in by name and password; the session of `old` ends.

        Raises:
            ApiError: 401, the same for a wrong password and a name that nobody has.
            RateLimitError: somebody has guessed too often: in this browser, where the account knows it; otherwise at
                this name or from this address.
        """
        account = await self._checked(name, password, caller, device)
        return await self.begin(account, device, old, way=SignInWay.PASSWORD)

    async def check_password(self, account: Account, password: str, caller: Caller, device: Browser) -> None:
        """Check the password of somebody who is signed in.

        Raises:
            ApiError: as for `sign_in`.
        """
        await self._checked(account.person.name, password, caller, device)

    async def recover(
        self, name: str, code: str, password: str, caller: Caller, device: Browser, old: bytes | None = None
    ) -> SignedIn:
        """Sign in by a recovery code, which is used up, with another password, or with none: then a passkey is to be
        added, and the old password opens nothing. All sessions of the account end, and the session of `old`.

        Raises:
            ApiError: 401 for a wrong code or name, 422 for a password that cannot be.
        """
        read = read_name(name, reserved=True)
        problem = refused_password(password, None if isinstance(read, Refused) else read) if password else None
        if problem is not None:
            raise refused_error(problem)
        account = await asyncio.to_thread(self.directory.by_name, name)
        subjects = await self._subjects("code", name, account, caller, device)
        await self._count(subjects)
        hashed = await self.hashing.hash(password) if password else None
        if not await asyncio.to_thread(self.keys.use_code, "" if account is None else account.id, code):
            raise ApiError(401, errors.WRONG_CODE)
        assert account is not None
        await self._right(subjects)
        await asyncio.to_thread(self.directory.set_password, account.id, hashed)
        await asyncio.to_thread(self.keys.end, account.id, now_ms())
        return await self.begin(account, device, old, way=SignInWay.CODE)

    async def change_password(self, account: Account, password: str, session: Session, device: Browser) -> SignedIn:
        """Give an account another password; all its sessions end, and this browser gets a new one.

        Raises:
            ApiError: the password cannot be.
        """
        read = read_name(account.person.name, reserved=True)
        problem = refused_password(password, None if isinstance(read, Refused) else read)
        if problem is not None:
            raise refused_error(problem)
        hashed = await self.hashing.hash(password)
        await asyncio.to_thread(self.directory.set_password, account.id, hashed)
        await asyncio.to_thread(self.keys.end, account.id, now_ms())
        return await self.begin(account, device, session.digest, way=SignInWay.PASSWORD)

    async def begin(self, account: Account, device: Browser, old: bytes | None = None, *, way: SignInWay) -> SignedIn:
        """A new session for somebody who has proven who they are, and by what."""
        session, secret = await asyncio.to_thread(self.keys.begin, account.id, device.agent, now_ms(), way=way, old=old)
        cookie = await asyncio.to_thread(self._devices.make, account.id, device.cookie)
        self.people.note(account.person)
        self.ended()
        return SignedIn(account, session, secret, cookie)

    async def prove(self, session: Session) -> None:
        """Note that somebody has just given their password or a passkey once more."""
        await asyncio.to_thread(self.keys.prove, session, now_ms())
        self.ended()

    async def end_sessions(self, account: str, *, only: str | None = None, but: str | None = None) -> int:
        """End sessions of an account: all, one, or all but one, by their ids. Returns how many."""
        count = await asyncio.to_thread(self.keys.end, account, now_ms(), only=only, but=but)
        self.ended()
        return count

    async def own_account(self, principal: Principal) -> tuple[Account, Session]:
        """The account and the session of the principal.

        Raises:
            ApiError: 401, they have none.
        """
        account = await asyncio.to_thread(self.directory.find, principal.person.id)
        if account is None or principal.session is None:
            raise ApiError(401, errors.WRONG_PASSWORD)
        return account, principal.session

    async def _checked(self, name: str, password: str, caller: Caller, device: Browser) -> Account:
        known = await asyncio.to_thread(self.directory.password, name)
        subjects = await self._subjects("name", name, None if known is None else known[0], caller, device)
        await self._count(subjects)
        stored = None if known is None else known[1]
        long = too_long(password)  # no account has such a password, so it is not hashed
        if long or not await self.hashing.fits(stored, password) or known is None:
            raise ApiError(401, errors.WRONG_PASSWORD)
        await self._right(subjects)
        if stored is not None and self.hashing.outdated(stored):
            hashed = await self.hashing.hash(password)
            await asyncio.to_thread(self.directory.set_password, known[0].id, hashed)
        return known[0]

    async def _subjects(
        self, what: str, name: str, account: Account | None, caller: Caller, device: Browser
    ) -> dict[str, int | None]:
        """The subjects for which a try is counted: a browser that the account knows, otherwise the name and the
        address."""
        if device.cookie:
            identity = "" if account is None else account.id
            known = await asyncio.to_thread(self._devices.name, identity, device.cookie)
            if known is not None:
                return {f"{what} device {known} {identity}": self._limits.name_guesses}
        key = name_key(name)
        return {f"{what} {key}": self._limits.name_guesses, f"address {caller.address}": self._limits.address_guesses}

    async def _count(self, subjects: dict[str, int | None]) -> None:
        wait = await asyncio.to_thread(self._guesses.count, subjects, now_ms())
        if wait:
            raise RateLimitError(errors.TOO_MANY_GUESSES, wait / 1000)

    async def _right(self, subjects: dict[str, int | None]) -> None:
        target, *others = subjects
        await asyncio.to_thread(self._guesses.right, target, others)

    def ended(self) -> None:
        """Forget all cached credentials, and cut connections whose session has ended, at once."""
        self._remembered.clear()
        self.connections.look()

"""Signing in, and who comes with a session or a token.

What a secret opens is remembered for less than a second, so that what was ended in one process is dead in all of them
within a second; connections that go on for longer are cut by a task that looks for what has ended.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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
from korgool.app.server import messages
from korgool.app.server.account_refusals import refused_error
from korgool.app.server.limits import Caller, ServiceLimits
from korgool.app.server.messages import RefusedError, TooManyError
from korgool.app.server.now import now_ms
from korgool.app.server.people.blocks import Blocks
from korgool.app.server.people.ceremonies import MOST_LABEL, Begun, Place
from korgool.app.server.people.connections import Connections
from korgool.app.server.people.device_cookies import DeviceCookies
from korgool.app.server.people.devices import Device, browser_of
from korgool.app.server.people.directory import Account, Directory
from korgool.app.server.people.farewell import delete_account
from korgool.app.server.people.guesses import Guesses
from korgool.app.server.people.hashing import HashingRoom
from korgool.app.server.people.keys import Keys
from korgool.app.server.people.ledger import Ledger
from korgool.app.server.people.moving import move
from korgool.app.server.people.passkeys import Passkeys
from korgool.app.server.people.people import People
from korgool.app.server.people.reports import Reports
from korgool.app.server.people.sign_ins import SignIns, SignInWay
from korgool.app.server.people.wards import Wards

_LOG = logging.getLogger(__name__)
_REMEMBERED_SECONDS = 0.4
"""Seconds; an ended session is dead everywhere within one."""
_MOST_REMEMBERED = 20_000
_PURGE_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Known:
    """Who brings a secret.

    Attributes:
        actor: who, with what.
        key: the id of the session or the token.
        session: the session, where it is one.
        password: whether the account has a password.
        passkey: whether it has a passkey.
    """

    actor: Actor
    key: str
    session: Session | None = None
    password: bool = False
    passkey: bool = False


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody who has just signed in.

    Attributes:
        account: who.
        session: the new session.
        secret: what the browser keeps.
        cookie: its new device cookie.
    """

    account: Account
    session: Session
    secret: str
    cookie: str


class Doorkeeper:
    """The doors of accounts. All methods run on the event loop.

    Args:
        ledger: the tables of people.
        limits: how often one may guess.
    """

    def __init__(self, ledger: Ledger, limits: ServiceLimits) -> None:
        self.ledger = ledger
        self.directory = Directory(ledger)
        self.people = People(ledger, self.directory)
        self.wards = Wards(ledger, self.directory)
        self.keys = Keys(ledger)
        self.passkeys = Passkeys(ledger, self.directory)
        self.blocks = Blocks(ledger)
        self.reports = Reports(ledger)
        self.sign_ins = SignIns(ledger)
        self.hashing = HashingRoom()
        self._guesses = Guesses(ledger)
        self._devices = DeviceCookies(ledger)
        self._limits = limits
        self._remembered: dict[bytes, tuple[float, Known | None]] = {}
        self.connections = Connections(self.keys)
        self._purging: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to cut what has ended, and to forget what is over."""
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
                for kept in (self.keys, self._guesses, self.passkeys, self.reports, self.sign_ins):
                    await asyncio.to_thread(kept.forget, now_ms())
            except SQLAlchemyError as error:
                _LOG.warning("what is over could not be forgotten: %s", " ".join(str(error).split())[:200])
            await asyncio.sleep(_PURGE_SECONDS)

    # Who is this?

    async def who(self, text: str, kind: SecretKind) -> Known | None:
        """Who brings a secret of this kind; None where it opens nothing."""
        read = read_secret(text)
        if read is None or read[0] is not kind:
            return None
        digest = read[1]
        at, found = self._remembered.get(digest, (0.0, None))
        if at and time.monotonic() - at < _REMEMBERED_SECONDS:
            return found
        if len(self._remembered) >= _MOST_REMEMBERED:
            self._remembered.clear()
        found = await asyncio.to_thread(self._read, digest, kind)
        if found is not None:
            self.people.note(found.actor.person)
        self._remembered[digest] = time.monotonic(), found
        return found

    def _read(self, digest: bytes, kind: SecretKind) -> Known | None:
        now = now_ms()
        key = self.keys.session(digest, now) if kind is SecretKind.SESSION else self.keys.token(digest, now)
        account = None if key is None else self.directory.find(key.person)
        if key is None or account is None or account.person.kind is PersonKind.DELETED:
            return None
        if isinstance(key, Token):
            return Known(Actor(account.person, key.scopes), key.id)
        actor = Actor(account.person, fresh=key.fresh(now))
        return Known(actor, key.id, key, account.has_password, account.has_passkey)

    # Signing in

    async def sign_up(self, name: str, password: str, device: Device, old: bytes | None = None) -> SignedIn:
        """Open an account and sign in; the session of `old` ends.

        Raises:
            RefusedError: the name or the password cannot be, or the name is taken.
        """
        read = read_name(name)
        if isinstance(read, Refused):
            raise refused_error(read)
        problem = refused_password(password, read)
        if problem is not None:
            raise refused_error(problem)
        hashed = await self.hashing.hash(password)
        made = await asyncio.to_thread(self.directory.new, read, now_ms(), password=hashed)
        if isinstance(made, Refused):
            raise refused_error(made)
        return await self.begin(made, device, old, way=SignInWay.PASSWORD)

    async def begin_sign_up(self, name: str, place: Place) -> Begun:
        """Begin to open an account that a passkey opens, and no password.

        Raises:
            RefusedError: the name cannot be, or is taken.
        """
        read = read_name(name)
        if isinstance(read, Refused):
            raise refused_error(read)
        begun = await asyncio.to_thread(self.passkeys.begin_opening, read, place, now_ms())
        if isinstance(begun, Refused):
            raise refused_error(begun)
        return begun

    async def sign_up_by_passkey(
        self, name: str, ceremony: str, credential: Mapping[str, Any], place: Place, device: Device, old: bytes | None
    ) -> tuple[SignedIn, tuple[str, ...]]:
        """Open an account with the passkey that a device has made, called after the browser, and sign in; the session
        of `old` ends. The recovery codes that come with it are told once.

        Raises:
            RefusedError: the name cannot be or is taken, or the answer of the device is wrong.
        """
        read = read_name(name)
        if isinstance(read, Refused):
            raise refused_error(read)
        label = (browser_of(device.agent) or place.name)[:MOST_LABEL]
        made = await asyncio.to_thread(self.passkeys.open, read, ceremony, credential, label, place, now_ms())
        if isinstance(made, Refused):
            raise refused_error(made)
        codes = await asyncio.to_thread(self.keys.new_codes, made.id, now_ms())
        return await self.begin(made, device, old, way=SignInWay.PASSKEY), codes

    async def sign_in(self, name: str, password: str, caller: Caller, device: Device, old: bytes | None) -> SignedIn:
        """Sign in by name and password; the session of `old` ends.

        Raises:
            RefusedError: 401, the same for a wrong password and a name that nobody has.
            TooManyError: somebody has guessed too often: in this browser, where the account knows it; otherwise at this
                name or from this address.
        """
        account = await self._checked(name, password, caller, device)
        return await self.begin(account, device, old, way=SignInWay.PASSWORD)

    async def check_password(self, account: Account, password: str, caller: Caller, device: Device) -> None:
        """Check the password of somebody who is signed in.

        Raises:
            RefusedError: as for `sign_in`.
        """
        await self._checked(account.person.name, password, caller, device)

    async def recover(
        self, name: str, code: str, password: str, caller: Caller, device: Device, old: bytes | None = None
    ) -> SignedIn:
        """Sign in by a recovery code, which is used up, with another password, or with none: then a passkey is to be
        added, and the old password opens nothing. All sessions of the account end, and the session of `old`.

        Raises:
            RefusedError: 401 for a wrong code or name, 422 for a password that cannot be.
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
            raise RefusedError(401, messages.WRONG_CODE)
        assert account is not None
        await self._right(subjects)
        await asyncio.to_thread(self.directory.set_password, account.id, hashed)
        await asyncio.to_thread(self.keys.end, account.id, now_ms())
        return await self.begin(account, device, old, way=SignInWay.CODE)

    async def change_password(self, account: Account, password: str, session: Session, device: Device) -> SignedIn:
        """Give an account another password; all its sessions end, and this browser gets a new one.

        Raises:
            RefusedError: the password cannot be.
        """
        read = read_name(account.person.name, reserved=True)
        problem = refused_password(password, None if isinstance(read, Refused) else read)
        if problem is not None:
            raise refused_error(problem)
        hashed = await self.hashing.hash(password)
        await asyncio.to_thread(self.directory.set_password, account.id, hashed)
        await asyncio.to_thread(self.keys.end, account.id, now_ms())
        return await self.begin(account, device, session.digest, way=SignInWay.PASSWORD)

    async def begin(self, account: Account, device: Device, old: bytes | None = None, *, way: SignInWay) -> SignedIn:
        """A new session for somebody who has proven who they are, and by what."""
        session, secret = await asyncio.to_thread(self.keys.begin, account.id, device.agent, now_ms(), way=way, old=old)
        cookie = await asyncio.to_thread(self._devices.make, account.id, device.cookie)
        self.people.note(account.person)
        self.ended()
        return SignedIn(account, session, secret, cookie)

    async def move(self, visitor: str, account: str) -> None:
        """Give an account what a visitor has."""
        await asyncio.to_thread(move, self.ledger, visitor, account)

    async def delete(self, account: str) -> None:
        """Delete an account with everything that only it needs, its bots and its children's accounts."""
        for gone in await asyncio.to_thread(delete_account, self.ledger, account, now_ms()):
            self.people.forget(gone)
        self.ended()

    async def _checked(self, name: str, password: str, caller: Caller, device: Device) -> Account:
        found = await asyncio.to_thread(self.directory.password, name)
        subjects = await self._subjects("name", name, None if found is None else found[0], caller, device)
        await self._count(subjects)
        stored = None if found is None else found[1]
        long = too_long(password)  # nobody's, so it need not be hashed for a guess at its length
        if long or not await self.hashing.fits(stored, password) or found is None:
            raise RefusedError(401, messages.WRONG_PASSWORD)
        await self._right(subjects)
        if stored is not None and self.hashing.outdated(stored):
            hashed = await self.hashing.hash(password)
            await asyncio.to_thread(self.directory.set_password, found[0].id, hashed)
        return found[0]

    async def _subjects(
        self, what: str, name: str, account: Account | None, caller: Caller, device: Device
    ) -> dict[str, int | None]:
        """What a try is counted for: the browser alone where the account knows it, otherwise the name and the
        address."""
        if device.cookie:
            identity = "" if account is None else account.id
            known = await asyncio.to_thread(self._devices.name, identity, device.cookie)
            if known is not None:
                return {f"{what} device {known} {identity}": self._limits.name_guesses}
        key = name_key(name)
        return {
            f"{what} {key}": self._limits.name_guesses,
            f"address {caller.address}": self._limits.address_guesses,
        }

    async def _count(self, subjects: dict[str, int | None]) -> None:
        wait = await asyncio.to_thread(self._guesses.count, subjects, now_ms())
        if wait:
            raise TooManyError(messages.TOO_MANY_GUESSES, wait / 1000)

    async def _right(self, subjects: dict[str, int | None]) -> None:
        target, *others = subjects
        await asyncio.to_thread(self._guesses.right, target, others)

    def ended(self) -> None:
        """Something was ended here: nothing remembered counts, and connections are cut at once."""
        self._remembered.clear()
        self.connections.look()

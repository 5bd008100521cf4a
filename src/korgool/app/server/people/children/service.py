"""What guardians do for children's accounts, the same for programs and on pages."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from korgool.accounts import AccountName, Refused, RefusedKind, read_name, refused_password
from korgool.accounts.children import read_short_name, usual_short_name
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ACCOUNT_REFUSALS, ApiError, refused_error
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.people.children.repository import ChildAccount, ChildRepository
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.words.people import WORDING

T = TypeVar("T")


class ShortNameError(ApiError):
    """A short name that cannot be; the sentences for it are those for names."""


class ChildAccountService:
    """What guardians do for children's accounts. All methods run on the event loop.

    Args:
        authentication: who is signed in.
        repository: the children's accounts in the database.
    """

    def __init__(self, authentication: Authentication, repository: ChildRepository) -> None:
        self._authentication = authentication
        self._repository = repository

    async def of(self, guardian: str) -> list[ChildAccount]:
        """The children of a guardian."""
        return await asyncio.to_thread(self._repository.of, guardian)

    async def find(self, guardian: str, handle: str) -> ChildAccount:
        """A child of a guardian.

        Raises:
            ApiError: 404, they have no such child.
        """
        found = await asyncio.to_thread(self._repository.find, guardian, handle)
        if found is None:
            raise ApiError(404, errors.NO_PLAYER)
        return found

    async def open(self, guardian: str, *, name: str, password: str, short: str, wording: str) -> ChildAccount:
        """A new account of a child, with the consent of its guardian.

        Raises:
            ApiError: the name, the short name or the password cannot be, the name is taken, the text that was agreed
                to is not the present one, or the guardian has as many children as there may be.
        """
        read = _accepted(read_name(name))
        chosen = _short(short, read)
        if problem := refused_password(password, read):
            raise refused_error(problem)
        if wording != WORDING:
            raise ApiError(422, errors.NOT_AGREED)
        hashed = await self._authentication.hashing.hash(password)
        return _accepted(
            await asyncio.to_thread(
                self._repository.open, guardian, read, password=hashed, short=chosen, wording=wording, at=now_ms()
            )
        )

    async def rename(self, ward: ChildAccount, short: str) -> ChildAccount:
        """Give a child another short name.

        Raises:
            ApiError: it cannot be.
        """
        chosen = _short(short, _name(ward))
        await asyncio.to_thread(self._repository.call, ward.id, chosen)
        return await self._again(ward)

    async def set_password(self, ward: ChildAccount, password: str) -> int:
        """Give a child another password, and end its sessions. Returns how many.

        Raises:
            ApiError: the password cannot be.
        """
        if problem := refused_password(password, _name(ward)):
            raise refused_error(problem)
        hashed = await self._authentication.hashing.hash(password)
        await asyncio.to_thread(self._authentication.directory.set_password, ward.id, hashed)
        return await self.sign_out(ward)

    async def sign_out(self, ward: ChildAccount) -> int:
        """End the sessions of a child. Returns how many."""
        count = await asyncio.to_thread(self._authentication.keys.end, ward.id, now_ms())
        self._authentication.ended()
        return count

    async def trust(self, ward: ChildAccount, name: str) -> ChildAccount:
        """Let a child and the account of a name know each other.

        Raises:
            ApiError: 404, nobody has this name; 422, it is the child's own, or the child knows as many as it may.
        """
        who = await self._authentication.people.find(name)
        if who is None:
            raise ApiError(404, errors.NO_PLAYER)
        if who == ward.id:
            raise refused_error(Refused(RefusedKind.YOURSELF))
        if who in ward.person.guardians:
            return ward  # they know each other already
        await asyncio.to_thread(self._repository.trust, ward.id, who, now_ms())
        return await self._again(ward)

    async def distrust(self, ward: ChildAccount, name: str) -> ChildAccount:
        """Let a child and the account of a name know each other no longer."""
        who = await self._authentication.people.find(name)
        if who is not None:
            await asyncio.to_thread(self._repository.distrust, ward.id, who)
        return await self._again(ward)

    async def _again(self, ward: ChildAccount) -> ChildAccount:
        """A child after a change, which this process knows from now on."""
        (guardian,) = ward.person.guardians
        found = await asyncio.to_thread(self._repository.find, guardian, ward.handle)
        if found is None:
            raise ApiError(404, errors.NO_PLAYER)
        self._authentication.people.note(found.person)
        self._authentication.ended()  # what the child may see is remembered with its session
        return found


def _short(text: str, name: AccountName) -> str:
    if not text.strip():
        return usual_short_name(name)
    found = read_short_name(text, name)
    if isinstance(found, Refused):
        values: dict[str, Any] = dict(found.arguments)
        raise ShortNameError(found.status, ACCOUNT_REFUSALS[found.kind], **values)
    return found


def _name(ward: ChildAccount) -> AccountName:
    return _accepted(read_name(ward.person.name, reserved=True))


def _accepted(found: T | Refused) -> T:
    if isinstance(found, Refused):
        raise refused_error(found)
    return found

"""Children's accounts as their guardians look after them, for the API and the pages."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from korgool.accounts import AccountName, Action, Actor, Refused, RefusedKind, read_name, refused_password
from korgool.accounts.children import read_short_name, usual_short_name
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ACCOUNT_REFUSALS, ApiError, refused_error
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.checks import check_right, count_change
from korgool.app.server.people.children.repository import ChildAccount, ChildRepository
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.words.people import WORDING

T = TypeVar("T")


class ShortNameError(ApiError):
    """A short name that cannot be; the sentences for it are those for names."""


class ChildAccountService:
    """Children's accounts as their guardians look after them. All methods run on the event loop.

    Every change is counted, and raises `RateLimitError` where there were too many.

    A child in an argument has been found for its guardian by `find`, which checks the right.

    Args:
        authentication: sessions and accounts.
        repository: the children's accounts in the database.
        rate_limiter: counts changes.
    """

    def __init__(self, authentication: Authentication, repository: ChildRepository, rate_limiter: RateLimiter) -> None:
        self._authentication = authentication
        self._repository = repository
        self._rate_limiter = rate_limiter

    async def of(self, guardian: str) -> list[ChildAccount]:
        """The children of a guardian."""
        return await asyncio.to_thread(self._repository.of, guardian)

    async def find(self, actor: Actor, handle: str, action: Action) -> ChildAccount:
        """A child of the actor, for an action.

        Raises:
            ApiError: 404, they have no such child; otherwise they may not.
        """
        child = await asyncio.to_thread(self._repository.find, actor.person.id, handle)
        if child is None:
            raise ApiError(404, errors.NO_PLAYER)
        check_right(actor, action, child.person)
        return child

    async def protection(self, child: ChildAccount) -> tuple[int, int]:
        """The number of sessions, and of unused recovery codes, of a child."""
        keys = self._authentication.keys
        return await asyncio.to_thread(lambda: (len(keys.sessions(child.id, now_ms())), keys.codes_left(child.id)))

    async def open(
        self, guardian: str, caller: Caller, *, name: str, password: str, short: str, wording: str
    ) -> ChildAccount:
        """A new account of a child, with the consent of its guardian.

        Raises:
            ApiError: the name, the short name or the password cannot be, the name is taken, the text that was agreed
                to is not the present one, or the guardian has as many children as there may be.
        """
        count_change(self._rate_limiter, caller)
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

    async def rename(self, child: ChildAccount, short: str, caller: Caller) -> ChildAccount:
        """Give a child another short name.

        Raises:
            ApiError: it cannot be.
        """
        count_change(self._rate_limiter, caller)
        chosen = _short(short, _name(child))
        await asyncio.to_thread(self._repository.call, child.id, chosen)
        return await self._reread(child)

    async def set_password(self, child: ChildAccount, password: str, caller: Caller) -> int:
        """Give a child another password, and end its sessions. Returns how many.

        Raises:
            ApiError: the password cannot be.
        """
        count_change(self._rate_limiter, caller)
        if problem := refused_password(password, _name(child)):
            raise refused_error(problem)
        hashed = await self._authentication.hashing.hash(password)
        await asyncio.to_thread(self._authentication.directory.set_password, child.id, hashed)
        return await self.sign_out(child)

    async def sign_out(self, child: ChildAccount) -> int:
        """End the sessions of a child. Returns how many."""
        return await self._authentication.end_sessions(child.id)

    async def trust(self, child: ChildAccount, name: str, caller: Caller) -> ChildAccount:
        """Let a child and the account of a name know each other.

        Raises:
            ApiError: 404, nobody has this name; 422, it is the child's own, or the child knows as many as it may.
        """
        count_change(self._rate_limiter, caller)
        other = await self._authentication.people.find(name)
        if other is None:
            raise ApiError(404, errors.NO_PLAYER)
        if other == child.id:
            raise refused_error(Refused(RefusedKind.YOURSELF))
        if other in child.person.guardians:
            return child  # they know each other already
        await asyncio.to_thread(self._repository.trust, child.id, other, now_ms())
        return await self._reread(child)

    async def distrust(self, child: ChildAccount, name: str) -> ChildAccount:
        """Let a child and the account of a name know each other no longer."""
        other = await self._authentication.people.find(name)
        if other is not None:
            await asyncio.to_thread(self._repository.distrust, child.id, other)
        return await self._reread(child)

    async def _reread(self, child: ChildAccount) -> ChildAccount:
        """A child after a change; the cache of people has the new state from now on."""
        (guardian,) = child.person.guardians
        changed = await asyncio.to_thread(self._repository.find, guardian, child.handle)
        if changed is None:
            raise ApiError(404, errors.NO_PLAYER)
        self._authentication.people.note(changed.person)
        self._authentication.ended()  # the rights of the child are cached with its session
        return changed


def _short(text: str, name: AccountName) -> str:
    if not text.strip():
        return usual_short_name(name)
    read = read_short_name(text, name)
    if isinstance(read, Refused):
        values: dict[str, Any] = dict(read.arguments)
        raise ShortNameError(read.status, ACCOUNT_REFUSALS[read.kind], **values)
    return read


def _name(child: ChildAccount) -> AccountName:
    return _accepted(read_name(child.person.name, reserved=True))


def _accepted(result: T | Refused) -> T:
    if isinstance(result, Refused):
        raise refused_error(result)
    return result

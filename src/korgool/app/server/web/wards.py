"""What guardians do for children's accounts, behind the doors for programs and those of pages."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from korgool.accounts import AccountName, Action, Refused, RefusedKind, Thing, read_name, refused_password
from korgool.accounts.children import read_short_name, usual_short_name
from korgool.app.server import messages
from korgool.app.server.account_refusals import SENTENCES, refused_error
from korgool.app.server.messages import RefusedError
from korgool.app.server.now import now_ms
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.people.wards import Ward
from korgool.app.server.web.answers import AnyRequest
from korgool.app.server.web.rights import permit
from korgool.app.server.web.who import who_of
from korgool.app.words.people import WORDING

T = TypeVar("T")


class ShortNameError(RefusedError):
    """A short name that cannot be; the sentences for it are those for names."""


async def ward_of(request: AnyRequest, handle: str, action: Action) -> Ward:
    """The child of who asks, to whom they may do something.

    Raises:
        RefusedError: 404, they have no such child; otherwise as the rights say.
    """
    keeper: Doorkeeper = request.app.state.keeper
    found = await asyncio.to_thread(keeper.wards.find, who_of(request).person.id, handle)
    if found is None:
        raise RefusedError(404, messages.NO_PLAYER)
    permit(request, action, Thing((found.person,)))
    return found


async def open_child(keeper: Doorkeeper, guardian: str, *, name: str, password: str, short: str, wording: str) -> Ward:
    """A new account of a child, with the consent of its guardian.

    Raises:
        RefusedError: the name, the short name or the password cannot be, the name is taken, the text that was agreed
            to is not the present one, or the guardian has as many children as there may be.
    """
    read = _accepted(read_name(name))
    chosen = _short(short, read)
    if problem := refused_password(password, read):
        raise refused_error(problem)
    if wording != WORDING:
        raise RefusedError(422, messages.NOT_AGREED)
    hashed = await keeper.hashing.hash(password)
    return _accepted(
        await asyncio.to_thread(
            keeper.wards.open, guardian, read, password=hashed, short=chosen, wording=wording, at=now_ms()
        )
    )


async def rename(keeper: Doorkeeper, ward: Ward, short: str) -> Ward:
    """Give a child another short name.

    Raises:
        RefusedError: it cannot be.
    """
    chosen = _short(short, _name(ward))
    await asyncio.to_thread(keeper.wards.call, ward.id, chosen)
    return await _again(keeper, ward)


async def set_password(keeper: Doorkeeper, ward: Ward, password: str) -> int:
    """Give a child another password, and end its sessions. Returns how many.

    Raises:
        RefusedError: the password cannot be.
    """
    if problem := refused_password(password, _name(ward)):
        raise refused_error(problem)
    hashed = await keeper.hashing.hash(password)
    await asyncio.to_thread(keeper.directory.set_password, ward.id, hashed)
    return await sign_out(keeper, ward)


async def sign_out(keeper: Doorkeeper, ward: Ward) -> int:
    """End the sessions of a child. Returns how many."""
    count = await asyncio.to_thread(keeper.keys.end, ward.id, now_ms())
    keeper.ended()
    return count


async def trust(keeper: Doorkeeper, ward: Ward, name: str) -> Ward:
    """Let a child and the account of a name know each other.

    Raises:
        RefusedError: 404, nobody has this name; 422, it is the child's own, or the child knows as many as it may.
    """
    who = await keeper.people.find(name)
    if who is None:
        raise RefusedError(404, messages.NO_PLAYER)
    if who == ward.id:
        raise refused_error(Refused(RefusedKind.YOURSELF))
    if who in ward.person.guardians:
        return ward  # they know each other already
    await asyncio.to_thread(keeper.wards.trust, ward.id, who, now_ms())
    return await _again(keeper, ward)


async def distrust(keeper: Doorkeeper, ward: Ward, name: str) -> Ward:
    """Let a child and the account of a name know each other no longer."""
    who = await keeper.people.find(name)
    if who is not None:
        await asyncio.to_thread(keeper.wards.distrust, ward.id, who)
    return await _again(keeper, ward)


async def _again(keeper: Doorkeeper, ward: Ward) -> Ward:
    """A child after a change, which this process knows from now on."""
    (guardian,) = ward.person.guardians
    found = await asyncio.to_thread(keeper.wards.find, guardian, ward.handle)
    if found is None:
        raise RefusedError(404, messages.NO_PLAYER)
    keeper.people.note(found.person)
    keeper.ended()  # what the child may see is remembered with its session
    return found


def _short(text: str, name: AccountName) -> str:
    if not text.strip():
        return usual_short_name(name)
    found = read_short_name(text, name)
    if isinstance(found, Refused):
        values: dict[str, Any] = dict(found.arguments)
        raise ShortNameError(found.status, SENTENCES[found.kind], **values)
    return found


def _name(ward: Ward) -> AccountName:
    return _accepted(read_name(ward.person.name, reserved=True))


def _accepted(found: T | Refused) -> T:
    if isinstance(found, Refused):
        raise refused_error(found)
    return found

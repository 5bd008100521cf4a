"""Opening an account that a passkey opens, and no password."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from korgool.accounts import Refused, read_name
from korgool.app.server.core.errors import refused_error
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.people.passkeys.ceremonies import MOST_LABEL, RelyingParty, StartedCeremony
from korgool.app.server.people.passkeys.repository import PasskeyRepository
from korgool.app.server.people.sign_in.authentication import Authentication, SignedIn
from korgool.app.server.people.sign_in.browsers import Browser, browser_of
from korgool.app.server.people.sign_in.sign_in_log import SignInWay


async def begin_sign_up(passkeys: PasskeyRepository, name: str, place: RelyingParty) -> StartedCeremony:
    """Begin to open an account that a passkey opens, and no password.

    Raises:
        ApiError: the name cannot be, or is taken.
    """
    read = read_name(name)
    if isinstance(read, Refused):
        raise refused_error(read)
    begun = await asyncio.to_thread(passkeys.begin_opening, read, place, now_ms())
    if isinstance(begun, Refused):
        raise refused_error(begun)
    return begun


async def sign_up_by_passkey(
    authentication: Authentication,
    passkeys: PasskeyRepository,
    name: str,
    ceremony: str,
    credential: Mapping[str, Any],
    place: RelyingParty,
    device: Browser,
    old: bytes | None,
) -> tuple[SignedIn, tuple[str, ...]]:
    """Open an account with the passkey that a device has made, called after the browser, and sign in; the session
    of `old` ends. The recovery codes that come with it are told once.

    Raises:
        ApiError: the name cannot be or is taken, or the answer of the device is wrong.
    """
    read = read_name(name)
    if isinstance(read, Refused):
        raise refused_error(read)
    label = (browser_of(device.agent) or place.name)[:MOST_LABEL]
    made = await asyncio.to_thread(passkeys.open, read, ceremony, credential, label, place, now_ms())
    if isinstance(made, Refused):
        raise refused_error(made)
    codes = await asyncio.to_thread(authentication.keys.new_codes, made.id, now_ms())
    return await authentication.begin(made, device, old, way=SignInWay.PASSKEY), codes

"""The names of people without an account."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from korgool.languages import N_

_GUEST = N_("Guest %(number)s")


def guest_name(identity: str, gettext: Callable[[str], str] = str) -> str:
    """The name of somebody without an account, such as `Guest 4821`; `gettext` translates it.

    The number follows from the identity and does not reveal it. Two people may have the same one.
    """
    number = 1000 + int.from_bytes(sha256(identity.encode()).digest()[:4]) % 9000
    return gettext(_GUEST) % {"number": number}

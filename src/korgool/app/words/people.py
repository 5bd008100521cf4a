"""The names of people without an account."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

from korgool.languages import N_

_GUEST = N_("Guest %(number)s")
_WIRE = re.compile(r"Guest ([0-9]{4})")


def guest_name(identity: str, gettext: Callable[[str], str] = str) -> str:
    """The name of somebody without an account, such as `Guest 4821`; `gettext` translates it.

    The number follows from the identity and does not reveal it. Two people may have the same one.
    """
    number = 1000 + int.from_bytes(sha256(identity.encode()).digest()[:4]) % 9000
    return gettext(_GUEST) % {"number": number}


def said_name(name: str, gettext: Callable[[str], str]) -> str:
    """A name from the wire, where guests are named in English, in another language."""
    found = _WIRE.fullmatch(name)
    return gettext(_GUEST) % {"number": found[1]} if found else name

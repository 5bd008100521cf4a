"""The names of people as others see them, and what an adult agrees to who opens an account for a child.

A text of a consent that changes gets another name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

from korgool.accounts import Person, seen_name
from korgool.accounts.children import Naming
from korgool.languages import N_

_GUEST = N_("Guest %(number)s")
_DELETED = N_("Deleted player")
_STRANGER = N_("A player")
_WIRE = re.compile(r"Guest ([0-9]{4})")


def guest_name(identity: str, gettext: Callable[[str], str] = str) -> str:
    """The name of somebody without an account, such as `Guest 4821`; `gettext` translates it.

    The number follows from the identity and does not reveal it. Two people may have the same one.
    """
    number = 1000 + int.from_bytes(sha256(identity.encode()).digest()[:4]) % 9000
    return gettext(_GUEST) % {"number": number}


def name_before(person: Person, reader: Person, gettext: Callable[[str], str] = str) -> str:
    """The name of a person as a reader sees it; without a reader, as everybody may see it.

    Args:
        person: who is named.
        reader: who reads it.
        gettext: translates what is no name of their own.
    """
    seen = seen_name(person, reader)
    match seen.shown:
        case Naming.GUEST:
            return guest_name(person.id, gettext)
        case Naming.DELETED:
            return gettext(_DELETED)
        case Naming.STRANGER:
            return gettext(_STRANGER)
    return seen.text


def said_name(name: str, gettext: Callable[[str], str]) -> str:
    """Translate a name from the wire, where guests and deleted players have English names."""
    if name in (_DELETED, _STRANGER):
        return gettext(name)
    found = _WIRE.fullmatch(name)
    return gettext(_GUEST) % {"number": found[1]} if found else name


WORDING = "2026-11"
"""Name of the present text, which is stored with the consent to it."""
CONSENT = (
    N_("I am an adult, and this child is in my care."),
    N_("I agree that this site keeps the child's names, games and password, the password so that nobody can read it."),
    N_("I can take this back at any time: the account is then deleted, and its games stay, under “Deleted player”."),
)
"""The sentences of the present text."""

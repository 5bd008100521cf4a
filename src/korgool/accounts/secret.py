"""Secrets of sessions, tokens and recovery: long and random, shown once, stored as a hash.

What is stored is the SHA-256 of the text. A slow hash would add nothing, because 120 random bits cannot be guessed;
it is for passwords, which people invent.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from enum import StrEnum
from hashlib import sha256

SECRET_BYTES = 32
"""Random bytes of a session or a token."""
CODE_BYTES = 15
"""Random bytes of a recovery code: 120 bits, above the 112 from which ASVS 5.0 (6.5.2) allows a plain hash."""
_CODE_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's alphabet of 32 signs, none of which is taken for another."""
_TAKEN_FOR = str.maketrans("OIL", "011", " -‐‑–—_.\t\n")
_SECRET = re.compile(r"kg[st]_[A-Za-z0-9_-]{43}", re.ASCII)


class SecretKind(StrEnum):
    """Prefix of a secret, by which a search for leaked ones finds it."""

    SESSION = "kgs"
    TOKEN = "kgt"


def secret_text(kind: SecretKind, random: bytes) -> str:
    """The text of a new secret.

    Args:
        kind: what it is for.
        random: `SECRET_BYTES` bytes from the system's source of secrets.

    Raises:
        ValueError: there are more or fewer bytes.
    """
    if len(random) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} random bytes, not {len(random)}")
    return f"{kind}_{urlsafe_b64encode(random).rstrip(b'=').decode()}"


def read_secret(text: str) -> tuple[SecretKind, bytes] | None:
    """The kind and the stored hash of a text, or None for a text that can be no secret, of whatever length."""
    if _SECRET.fullmatch(text) is None:
        return None
    return SecretKind(text[:3]), sha256(text.encode()).digest()


def code_text(random: bytes) -> str:
    """A recovery code: 24 signs in six groups, as in `0G3K-7QXM-…`.

    Raises:
        ValueError: there are not `CODE_BYTES` bytes.
    """
    if len(random) != CODE_BYTES:
        raise ValueError(f"a recovery code has {CODE_BYTES} random bytes, not {len(random)}")
    number = int.from_bytes(random)
    signs = "".join(_CODE_SIGNS[number >> shift & 31] for shift in range(8 * CODE_BYTES - 5, -1, -5))
    return "-".join(signs[start : start + 4] for start in range(0, len(signs), 4))


def read_code(text: str) -> bytes | None:
    """The stored hash of a recovery code however it is typed, or None for what can be none."""
    if len(text) > 100:
        return None
    signs = text.upper().translate(_TAKEN_FOR)
    if len(signs) * 5 != 8 * CODE_BYTES or set(signs) - set(_CODE_SIGNS):
        return None
    return sha256(b"recovery " + signs.encode()).digest()

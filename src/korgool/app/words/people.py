"""What people without an account are called."""

from __future__ import annotations

import hashlib

_NUMBERS = 9000


def guest_name(who: str) -> str:
    """The name of a guest, always the same for one identity. Two guests may share it; it identifies nobody."""
    number = int.from_bytes(hashlib.blake2b(who.encode(), digest_size=4).digest(), "big") % _NUMBERS + 1000
    return f"Guest {number}"

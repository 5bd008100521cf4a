"""Passwords are hashed by argon2id in threads of their own, only as many at once as there is memory for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from korgool.accounts import HASHING, prepared
from korgool.app.server.core import errors
from korgool.app.server.core.errors import RateLimitError
from korgool.app.server.limits.deadline_pool import DeadlinePool

_AT_ONCE = 4
"""Hashes at the same time: 76 MiB."""
_MOST_WAITING = 64
_LATER_SECONDS = 3.0
_NOBODYS = (
    f"$argon2id$v=19$m={HASHING.memory_kib},t={HASHING.passes},p={HASHING.lanes}$"
    f"{'A' * (-(-HASHING.salt_bytes * 4 // 3))}${'A' * (-(-HASHING.hash_bytes * 4 // 3))}"
)
"""A hash of no password, which is tried where there is no account: the answer takes as long as with one."""
T = TypeVar("T")


def hasher() -> PasswordHasher:
    """Argon2id with the figures of `korgool.accounts.HASHING`."""
    return PasswordHasher(
        time_cost=HASHING.passes,
        memory_cost=HASHING.memory_kib,
        parallelism=HASHING.lanes,
        hash_len=HASHING.hash_bytes,
        salt_len=HASHING.salt_bytes,
        type=Type.ID,
    )


class PasswordHashingPool:
    """The threads in which passwords are hashed. Its methods belong to the event loop."""

    def __init__(self) -> None:
        self._hasher = hasher()
        self._threads = DeadlinePool("hashing", _AT_ONCE, 30.0)
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """The hash of a new password.

        Raises:
            RateLimitError: too many wait already.
        """
        return await self._run(lambda: self._hasher.hash(prepared(password)))

    async def fits(self, stored: str | None, password: str) -> bool:
        """True if a password is the one that was hashed; without a hash it is not, after the same time.

        Raises:
            RateLimitError: too many wait already.
        """

        def verify() -> bool:
            try:
                return self._hasher.verify(stored or _NOBODYS, prepared(password)) and stored is not None
            except (VerificationError, InvalidHashError):
                return False

        return await self._run(verify)

    def outdated(self, stored: str) -> bool:
        """True if a hash was made with other figures than those of today."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= _MOST_WAITING:
            raise RateLimitError(errors.BUSY_DOOR, _LATER_SECONDS)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

"""Players blocked by players."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, func, select

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.people.transactions import PeopleTransactions, digest_of
from korgool.app.server.storage.schema import blocks

MOST_BLOCKS = 500
"""Blocks of one account."""
_HANDLE_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Block:
    """A block in the list of its maker.

    Attributes:
        id: names it, and tells nothing of the identity behind it.
        who: the identity of the other, an account's or a visitor's.
        at: when it was made, in milliseconds since 1970.
    """

    id: str
    who: str
    at: int


class BlockRepository:
    """Reads and writes blocks; all methods wait for the database.

    Args:
        transactions: the tables of people.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def list(self, account: str) -> list[Block]:
        """The blocks that an account has made, the newest first."""
        own = select(blocks).where(blocks.c.account == account)
        with self._transactions.reading() as connection:
            rows = connection.execute(own.order_by(blocks.c.at_ms.desc(), blocks.c.blocked)).all()
        return [Block(_handle(account, row.blocked), row.blocked, row.at_ms) for row in rows]

    def has(self, account: str, other: str) -> bool:
        """True if an account has blocked somebody."""
        pair = (blocks.c.account == account) & (blocks.c.blocked == other)
        with self._transactions.reading() as connection:
            return connection.scalar(select(blocks.c.at_ms).where(pair)) is not None

    def add(self, account: str, other: str, at: int) -> Block:
        """Block somebody; a block that is there already stays as it is.

        Args:
            account: the account that blocks.
            other: the identity of the other.
            at: milliseconds since 1970.

        Raises:
            ApiError: 422, the account has as many blocks as there may be.
        """
        pair = (blocks.c.account == account) & (blocks.c.blocked == other)
        with self._transactions.writing() as connection:
            made = connection.scalar(select(blocks.c.at_ms).where(pair))
            if made is None:
                count = connection.scalar(select(func.count()).where(blocks.c.account == account)) or 0
                if count >= MOST_BLOCKS:
                    raise ApiError(422, errors.MANY_BLOCKS, most=MOST_BLOCKS)
                connection.execute(blocks.insert().values(account=account, blocked=other, at_ms=at))
        return Block(_handle(account, other), other, at if made is None else made)

    def end(self, account: str, handle: str) -> int:
        """End a block of an account. Returns how many: one that has ended stays so."""
        with self._transactions.writing() as connection:
            blocked = connection.scalars(select(blocks.c.blocked).where(blocks.c.account == account)).all()
            ends = [other for other in blocked if _handle(account, other) == handle]
            connection.execute(delete(blocks).where((blocks.c.account == account) & blocks.c.blocked.in_(ends)))
        return len(ends)


def _handle(account: str, other: str) -> str:
    return digest_of("block", f"{account} {other}")[:_HANDLE_LENGTH]

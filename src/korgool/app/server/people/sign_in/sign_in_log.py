"""The log of sign-ins: when and by what each account was opened of late, for its owner and nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, delete, select

from korgool.app.server.people.transactions import PeopleTransactions, new_id
from korgool.app.server.storage.schema import sign_ins

MOST_SIGN_INS = 20
"""Sign-ins of one account that are kept, and none longer than `KEPT_MS`."""
KEPT_MS = 90 * 86_400_000


class SignInWay(StrEnum):
    """By what an account was opened."""

    PASSWORD = "password"
    PASSKEY = "passkey"
    CODE = "code"
    """A recovery code."""
    TOKEN = "token"
    """A token was made, for the account or for a bot of its owner."""


@dataclass(frozen=True, slots=True)
class SignInEntry:
    """An account was opened.

    Attributes:
        at: when, in milliseconds since 1970.
        way: by what.
        device: the browser as it calls itself; empty for tokens.
    """

    at: int
    way: SignInWay
    device: str


class SignInLog:
    """Reads and forgets sign-ins; all methods block.

    Args:
        transactions: the tables of people.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def list(self, account: str, now: int) -> list[SignInEntry]:
        """The last sign-ins of an account, the newest first."""
        own = (sign_ins.c.account == account) & (sign_ins.c.at_ms > now - KEPT_MS)
        query = select(sign_ins).where(own).order_by(sign_ins.c.at_ms.desc(), sign_ins.c.id).limit(MOST_SIGN_INS)
        with self._transactions.reading() as connection:
            return [SignInEntry(row.at_ms, SignInWay(row.way), row.device) for row in connection.execute(query)]

    def forget(self, now: int) -> None:
        """Forget what is older than is kept."""
        with self._transactions.writing() as connection:
            connection.execute(delete(sign_ins).where(sign_ins.c.at_ms <= now - KEPT_MS))


def note_sign_in(connection: Connection, account: str, way: SignInWay, device: str, now: int) -> None:
    """Note a sign-in within the transaction of what was begun by it; the oldest beyond those kept go."""
    row = {"id": new_id(), "account": account, "at_ms": now, "way": way.value, "device": device}
    connection.execute(sign_ins.insert().values(row))
    newest = select(sign_ins.c.id).where(sign_ins.c.account == account)
    newest = newest.order_by(sign_ins.c.at_ms.desc(), sign_ins.c.id)
    over = connection.scalars(newest.offset(MOST_SIGN_INS)).all()
    connection.execute(delete(sign_ins).where(sign_ins.c.id.in_(over)))

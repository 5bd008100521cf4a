"""Counts of wrong passwords and recovery codes by name and by address, in the database.

A count runs for a quarter of an hour from its first failure. A try is counted before the password is checked, so that
many tries at once do not get round the limit, and taken off again if it was right. A name without an account is counted
like any other, and neither names nor addresses are stored as text.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select

from korgool.app.server.people.transactions import PeopleTransactions, digest_of
from korgool.app.server.storage.schema import guesses

WINDOW_MS = 15 * 60_000


class LoginAttempts:
    """Counts failures; all methods block."""

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def count(self, subjects: Mapping[str, int | None], now: int) -> int:
        """Count one try for each subject.

        Args:
            subjects: the name or browser, and the address, each with the most failures; None for no limit.
            now: milliseconds since 1970.

        Returns:
            0, or the milliseconds to wait if one of them has failed too often; then nothing was counted.
        """
        limited = {digest_of("guess", subject): most for subject, most in subjects.items() if most is not None}
        if not limited:
            return 0
        with self._transactions.writing() as connection:
            counts = self._going(connection, list(limited), now)
            waits = [
                counts[subject][1] + WINDOW_MS - now
                for subject, most in limited.items()
                if subject in counts and counts[subject][0] >= most
            ]
            if waits:
                return max(waits)
            for subject in limited:
                failed, began = counts.get(subject, (0, now))
                connection.execute(delete(guesses).where(guesses.c.subject == subject))
                connection.execute(guesses.insert().values(subject=subject, failed=failed + 1, began_ms=began))
        return 0

    def right(self, target: str, others: list[str]) -> None:
        """Forget the failures of a subject after a right password, and take the try off the other counts."""
        with self._transactions.writing() as connection:
            connection.execute(delete(guesses).where(guesses.c.subject == digest_of("guess", target)))
            taken = guesses.c.subject.in_([digest_of("guess", subject) for subject in others]) & (guesses.c.failed > 0)
            connection.execute(guesses.update().where(taken).values(failed=guesses.c.failed - 1))

    def forget(self, now: int) -> None:
        """Forget the counts that are over."""
        with self._transactions.writing() as connection:
            connection.execute(delete(guesses).where(guesses.c.began_ms <= now - WINDOW_MS))

    def _going(self, connection: Connection, digests: list[str], now: int) -> dict[str, tuple[int, int]]:
        going = guesses.c.subject.in_(digests) & (guesses.c.began_ms > now - WINDOW_MS)
        rows = connection.execute(select(guesses).where(going)).all()
        return {row.subject: (row.failed, row.began_ms) for row in rows}

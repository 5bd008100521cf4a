"""Mistakes of accounts in the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.school.mistakes.schedule import Answer, Memory, memory_of
from korgool.app.server.storage.mistake_tables import mistakes
from korgool.training.mistakes import Mistake

MOST_CARDS = 2000
"""Cards of one account."""
MOST_ANSWERS = 200
"""Answers to one card: in the usual intervals, those of many lives."""
PAGE = 100
"""Cards in one answer."""
_Memories = dict[tuple[Answer, ...], Memory | None]


@dataclass(frozen=True, slots=True)
class Card:
    """A card of an account.

    Attributes:
        mistake: the mistake.
        memory: what is remembered of it; None of a new card.
        dropped: whether it does not come back.
        switched: when that was last changed, in milliseconds since 1970.
        changed: the change of the account's cards by which it became so.
    """

    mistake: Mistake
    memory: Memory | None
    dropped: bool
    switched: int
    changed: int


@dataclass(frozen=True, slots=True)
class Given:
    """A card as a device sends it, checked."""

    mistake: Mistake
    dropped: bool
    switched: int


class MistakeRepository:
    """Reads and writes the mistakes of accounts; all methods wait for the database.

    Args:
        transactions: the tables of people.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def after(self, account: str, seen: int) -> tuple[list[Card], bool]:
        """The cards that have changed since, in the order of their changes, and whether there are more."""
        own = (mistakes.c.account == account) & (mistakes.c.changed > seen)
        query = select(mistakes).where(own).order_by(mistakes.c.changed).limit(PAGE + 1)
        with self._transactions.reading() as connection:
            rows = connection.execute(query).all()
        return [_card(row) for row in rows[:PAGE]], len(rows) > PAGE

    def write(self, account: str, cards: Sequence[Given], answers: Sequence[tuple[str, Answer]]) -> list[str]:
        """Take in cards and answers, all or nothing; what is there already changes nothing.

        Args:
            account: whose they are.
            cards: the cards.
            answers: answers with the ids of their cards; those to unknown cards are passed over.

        Returns:
            The ids of cards for which there is no room.
        """
        given = {card_id: [one for other, one in answers if other == card_id] for card_id, _ in answers}
        known = self._memories(account, given)
        with self._transactions.writing() as connection:
            own = mistakes.c.account == account
            count = connection.scalar(select(func.count()).where(own)) or 0
            change = _counter(connection.scalar(select(func.max(mistakes.c.changed)).where(own)) or 0)
            full = []
            for card in cards:
                row = _find(connection, account, card.mistake.id)
                if row is not None:
                    self._switch(connection, account, row, card, change)
                elif count >= MOST_CARDS:
                    full.append(card.mistake.id)
                else:
                    count += 1
                    connection.execute(mistakes.insert().values(_row(account, card, change())))
            for card_id, news in given.items():
                self._answer(connection, account, card_id, news, change, known)
        return full

    def _switch(self, connection: Connection, account: str, row: Any, card: Given, change: Callable[[], int]) -> None:
        if card.switched <= row.switched_ms or bool(row.dropped) == card.dropped:
            return
        values = {"dropped": int(card.dropped), "switched_ms": card.switched, "changed": change()}
        connection.execute(mistakes.update().where(_one(account, row.id)).values(values))

    def _memories(self, account: str, given: Mapping[str, Sequence[Answer]]) -> _Memories:
        """The memories that follow from answers. They take half a second at most: nobody waits for it."""
        with self._transactions.reading() as connection:
            rows = {card_id: _find(connection, account, card_id) for card_id in given}
        lists = (_merged(row, given[card_id]) for card_id, row in rows.items() if row is not None)
        return {tuple(answers): memory_of(answers) for answers in lists if answers is not None}

    def _answer(
        self,
        connection: Connection,
        account: str,
        card_id: str,
        news: Sequence[Answer],
        change: Callable[[], int],
        known: _Memories,
    ) -> None:
        row = _find(connection, account, card_id)
        answers = None if row is None else _merged(row, news)
        if answers is None:
            return
        same = tuple(answers)  # unless another device has sent some in between
        memory = known[same] if same in known else memory_of(answers)
        values = {
            "answers": msgspec.json.encode(answers).decode(),
            "memory": msgspec.json.encode(memory).decode(),
            "due_ms": 0 if memory is None else memory.due,
            "changed": change(),
        }
        connection.execute(mistakes.update().where(_one(account, card_id)).values(values))


def _merged(row: Any, news: Sequence[Answer]) -> list[Answer] | None:
    """The answers to a card with new ones, in the order of time; None if nothing is new."""
    answers = msgspec.json.decode(row.answers, type=list[Answer])
    known, before = {answer.id for answer in answers}, len(answers)
    for one in news:
        if one.id not in known and len(answers) < MOST_ANSWERS:
            known.add(one.id)
            answers.append(one)
    return None if len(answers) == before else sorted(answers, key=lambda answer: (answer.at, answer.id))


def _counter(start: int) -> Callable[[], int]:
    def count() -> int:
        nonlocal start
        start += 1
        return start

    return count


def _one(account: str, card_id: str) -> Any:
    return (mistakes.c.account == account) & (mistakes.c.id == card_id)


def _find(connection: Connection, account: str, card_id: str) -> Any:
    return connection.execute(select(mistakes).where(_one(account, card_id))).one_or_none()


def _row(account: str, card: Given, change: int) -> dict[str, object]:
    mistake = card.mistake
    return {
        "account": account,
        "id": mistake.id,
        "data": msgspec.json.encode(mistake).decode(),
        "lost": mistake.lost,
        "memory": None,
        "due_ms": 0,
        "answers": "[]",
        "dropped": int(card.dropped),
        "switched_ms": card.switched,
        "changed": change,
    }


def _card(row: Any) -> Card:
    memory = None if row.memory is None else msgspec.json.decode(row.memory, type=Memory | None)
    mistake = msgspec.json.decode(row.data, type=Mistake)
    return Card(mistake, memory, bool(row.dropped), row.switched_ms, row.changed)

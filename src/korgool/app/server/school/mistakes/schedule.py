"""Schedule of mistakes: FSRS by the library `fsrs`, without chance, as `js/mistakes/fsrs.js` does it offline."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from fsrs import Scheduler

STEP = timedelta(minutes=10)
"""After so long a card comes back that is learnt or was forgotten.

The usual first step of a minute is for words on cards; a position that has just been thought through needs a pause.
"""
GRADES = (1, 2, 3, 4)
"""Grades of an answer: shown or guessed, right at the second try, right at once, and easy."""


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """An answer to a card: the id under which it was sent, when it was given, and its grade."""

    id: str
    at: int
    grade: int


class Memory(msgspec.Struct, frozen=True):
    """Memory of a card after its answers.

    Attributes:
        state: 1 while it is learnt, 2 where it is known, 3 where it was forgotten.
        stability: days after which it is remembered in nine of ten cases.
        difficulty: 1 to 10.
        due: when it comes back, in milliseconds since 1970.
        last: the last answer, likewise.
    """

    state: int
    stability: float
    difficulty: float
    due: int
    last: int


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler  # with the part `serve`; read when the first answer comes

    return Scheduler(learning_steps=(STEP,), relearning_steps=(STEP,), enable_fuzzing=False)


def memory_of(answers: Iterable[Answer]) -> Memory | None:
    """The memory of a card after answers in the order of time; None without any."""
    from fsrs import Card, Rating

    card = Card(card_id=0, due=datetime.fromtimestamp(0, UTC))
    at = None
    for answer in answers:
        at = answer.at
        card, _ = _scheduler().review_card(
            card, Rating(answer.grade), datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
        )
    if at is None or card.stability is None or card.difficulty is None:
        return None
    due = (card.due - datetime.fromtimestamp(0, UTC)) // timedelta(milliseconds=1)
    return Memory(int(card.state), card.stability, card.difficulty, due, at)

"""Set phrases between the two players of a game: nothing typed, nothing stored, and not too many."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Literal

import msgspec

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.play.game_events import NAMES, SideName
from korgool.app.server.play.subscribers import Subscribers
from korgool.app.words.online_games import PHRASES
from korgool.live import GameTerms
from korgool.rules import Side

PAUSE_SECONDS = 2.0
"""The least time between two phrases of one player."""
MOST_PHRASES = 30
"""Phrases of one player in a game, as long as a process has it in memory."""


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="say"):
    """A phrase of a player.

    Attributes:
        phrase: its key in `PHRASES`.
        id: as for commands; a phrase sent again with it is said once.
        version: may come with it, and says nothing.
    """

    phrase: str
    id: str | None = None
    version: int | None = None


class Phrase(msgspec.Struct, frozen=True):
    """What the connections of both players hear."""

    kind: Literal["phrase"]
    side: SideName
    phrase: str


class PhraseExchange:
    """Phrases of the players of one game.

    Args:
        terms: who plays.
        now: returns the seconds of a monotonic clock.
    """

    def __init__(self, terms: GameTerms, now: Callable[[], float] = time.monotonic) -> None:
        self._terms = terms
        self._now = now
        self._last = [-math.inf, -math.inf]
        self._count = [0, 0]
        self._ids: tuple[set[str], set[str]] = (set(), set())

    def say(self, who: str | None, said: Say, subscribers: Subscribers) -> bytes | None:
        """Tell a phrase of one player to the connections of both, and to nobody else.

        Returns:
            The message, None where it was sent before.

        Raises:
            ApiError: 403 for watchers, 422 where nobody would hear it and for another phrase, 429 for too many.
        """
        sides = self._terms.sides(who or "")
        if not sides:
            raise ApiError(403, errors.NOT_YOURS)
        if not self._terms.between_people:
            raise ApiError(422, errors.NOBODY_LISTENS)
        if said.phrase not in PHRASES:
            raise ApiError(
                422, errors.BAD_FIELD, field="phrase", value=repr(said.phrase[:40]), choices=", ".join(PHRASES)
            )
        side = sides[0]
        if said.id is not None and said.id in self._ids[side]:
            return None
        self._count_one(side)
        if said.id is not None:
            self._ids[side].add(said.id)
        message = msgspec.json.encode(Phrase("phrase", NAMES[side], said.phrase))
        for subscriber in subscribers:
            if subscriber.plays:
                subscribers.tell(subscriber, message)
        return message

    def _count_one(self, side: Side) -> None:
        now = self._now()
        if self._count[side] >= MOST_PHRASES:
            raise ApiError(429, errors.SAID_ENOUGH, count=MOST_PHRASES)
        wait = self._last[side] + PAUSE_SECONDS - now
        if wait > 0:
            raise RateLimitError(errors.SAID_TOO_SOON, wait)
        self._last[side] = now
        self._count[side] += 1

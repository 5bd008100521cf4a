"""Mistakes as the API uses them: what a device sends is checked, bounded, and stored once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from korgool.app.printing.worst_moves import worst_moves_pdf
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.printing import printed
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.school.mistakes.repository import Card, Given, MistakeRepository
from korgool.app.server.school.mistakes.schedule import Answer
from korgool.training.mistakes import Mistake, MistakeError, check_mistake

_ITEMS = 20
"""Cards and answers that cost as much as a request without any."""
_SHEET = 200
"""A sheet costs as much as so many of them."""


class MistakeService:
    """The mistakes of accounts. All methods run on the event loop.

    Args:
        repository: the cards in the database.
        rate_limiter: counts requests with those of analysis boards, which cost about as much.
    """

    def __init__(self, repository: MistakeRepository, rate_limiter: RateLimiter) -> None:
        self._repository = repository
        self._rate_limiter = rate_limiter

    def count(self, caller: Caller, items: int = 0) -> None:
        """Count a request by its size.

        Raises:
            RateLimitError: the session or the address has sent too many.
        """
        if wait := self._rate_limiter.spend_both(("session_boards", "address_boards"), caller, 1 + items / _ITEMS):
            raise RateLimitError(errors.TOO_MANY_BOARDS, wait)

    async def take(
        self, account: str, cards: Sequence[Given], answers: Sequence[tuple[str, Answer]], caller: Caller
    ) -> list[str]:
        """Take in what a device sends: cards that are none are left out, and times after now count as now.

        Returns:
            The ids of cards that are not taken.

        Raises:
            RateLimitError: see `count`.
        """
        self.count(caller, len(cards) + len(answers))
        if not cards and not answers:
            return []
        now = now_ms()
        right, refused = await asyncio.to_thread(_sort_out, [card.mistake for card in cards])
        sound = [
            Given(card.mistake, card.dropped, min(card.switched, now)) for card in cards if card.mistake.id in right
        ]
        given = [(card_id, Answer(one.id, min(one.at, now), one.grade)) for card_id, one in answers]
        return [*refused, *await asyncio.to_thread(self._repository.write, account, sound, given)]

    async def sheet(self, cards: str, language: str, caller: Caller) -> bytes:
        """A sheet of mistakes as PDF. Nothing of them is stored.

        Args:
            cards: JSON, a list of mistakes in the order of the sheet.
            language: the language of its words.
            caller: who asks.

        Raises:
            RateLimitError: see `count`.
            ApiError: 422, they are none, too many, or no mistakes; 501, this server cannot print.
        """
        self.count(caller, _SHEET)
        try:
            mistakes = msgspec.json.decode(cards, type=list[Mistake])
            return await printed(lambda: worst_moves_pdf(mistakes, language=language))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise ApiError(422, errors.NO_SHEET, reason=error) from None

    async def after(self, account: str, seen: int) -> tuple[list[Card], bool]:
        """The cards of an account that have changed since, and whether there are more."""
        return await asyncio.to_thread(self._repository.after, account, seen)


def _sort_out(mistakes: Sequence[Mistake]) -> tuple[set[str], list[str]]:
    right, refused = set[str](), list[str]()
    for mistake in mistakes:
        try:
            check_mistake(mistake)
            right.add(mistake.id)
        except MistakeError:
            refused.append(mistake.id)
    return right, refused

"""Reports of players to the operator, for the API and the page."""

from __future__ import annotations

import asyncio

from korgool.accounts import Action, Actor
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.blocks.service import opponent
from korgool.app.server.people.checks import check_right, count_change
from korgool.app.server.people.reports.repository import Report, ReportReason, ReportRepository
from korgool.app.server.play.game_records import record_of
from korgool.app.server.play.game_registry import GameRegistry


class ReportService:
    """Reports of players. All methods run on the event loop.

    Args:
        repository: the reports in the database.
        game_registry: the games.
        rate_limiter: counts changes.
    """

    def __init__(self, repository: ReportRepository, game_registry: GameRegistry, rate_limiter: RateLimiter) -> None:
        self.repository = repository
        self._game_registry = game_registry
        self._rate_limiter = rate_limiter

    async def of(self, reporter: str, game: str) -> Report | None:
        """The report of a game by one of its players."""
        return await asyncio.to_thread(self.repository.of, reporter, game)

    async def send(
        self, actor: Actor, game: str, reason: ReportReason, text: str, caller: Caller, *, site: str
    ) -> Report:
        """Report the other player of a game, with its record as it stands.

        Args:
            actor: the reporter.
            game: the address of the game.
            reason: the reason.
            text: the reporter's own words.
            caller: their session and address.
            site: the origin of the site, for the record.

        Raises:
            ApiError: as for `opponent`; otherwise the actor may not, or the text cannot be.
            RateLimitError: there were too many changes, or too many reports in a day.
        """
        other = await opponent(self._game_registry, game, actor.person)
        count_change(self._rate_limiter, caller)
        check_right(actor, Action.REPORT, other)
        session = await self._game_registry.met(game)
        record = record_of(session, actor.person.id, "pgn", self._game_registry.register, site=site)[1]
        return await asyncio.to_thread(
            self.repository.send, actor.person.id, other.id, game, reason, text, record, now_ms()
        )

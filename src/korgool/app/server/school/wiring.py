"""The services and the routes of the school, as the application takes them."""

from __future__ import annotations

from typing import Any

from litestar.types import ControllerRouterHandler

from korgool.app.server.http.dependencies import from_state
from korgool.app.server.limits import RateLimiter
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.school.learn import drill_pages
from korgool.app.server.school.learn import pages as learn_pages
from korgool.app.server.school.mistakes import api as mistakes_api
from korgool.app.server.school.mistakes import pages as mistake_pages
from korgool.app.server.school.mistakes.repository import MistakeRepository
from korgool.app.server.school.mistakes.service import MistakeService
from korgool.app.server.school.puzzles import pages as puzzle_pages

SCHOOL_DEPENDENCIES = {name: from_state(name) for name in ("mistakes",)}
"""The services of the school by the names under which handlers are given them."""


def school_services(transactions: PeopleTransactions, rate_limiter: RateLimiter) -> dict[str, Any]:
    """The services by the same names."""
    return {"mistakes": MistakeService(MistakeRepository(transactions), rate_limiter)}


SCHOOL_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    *learn_pages.handlers,
    *drill_pages.handlers,
    *puzzle_pages.handlers,
    *mistake_pages.handlers,
    mistakes_api.router,
)

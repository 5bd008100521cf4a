"""The services and the routes of the school, as the application takes them."""

from __future__ import annotations

from typing import Any

from litestar.types import ControllerRouterHandler

from korgool.app.server.http.dependencies import from_state
from korgool.app.server.limits import ServiceLimits
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.sign_in.login_attempts import LoginAttempts
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.school.classes import api as classes_api
from korgool.app.server.school.classes import child_pages, screen_pages, sheet_pages
from korgool.app.server.school.classes import pages as class_pages
from korgool.app.server.school.classes.attendance import ClassAttendance
from korgool.app.server.school.classes.repository import ClassRepository
from korgool.app.server.school.classes.service import ClassService
from korgool.app.server.school.learn import drill_pages
from korgool.app.server.school.learn import pages as learn_pages
from korgool.app.server.school.mistakes import api as mistakes_api
from korgool.app.server.school.mistakes import pages as mistake_pages
from korgool.app.server.school.mistakes.repository import MistakeRepository
from korgool.app.server.school.mistakes.service import MistakeService
from korgool.app.server.school.puzzles import api as puzzle_api
from korgool.app.server.school.puzzles import pages as puzzle_pages
from korgool.app.server.school.puzzles.repository import PuzzleRepository
from korgool.app.server.school.puzzles.service import PuzzleService
from korgool.app.server.school.studies import api as studies_api
from korgool.app.server.school.studies import pages as study_pages
from korgool.app.server.school.studies.repository import StudyRepository
from korgool.app.server.school.studies.service import StudyService

_SERVICES = ("mistakes", "classes", "class_attendance", "studies", "puzzles")
SCHOOL_DEPENDENCIES = {name: from_state(name) for name in _SERVICES}
"""The services of the school by the names under which handlers are given them."""


def school_services(
    authentication: Authentication, game_registry: GameRegistry, limits: ServiceLimits
) -> dict[str, Any]:
    """The services by the same names."""
    transactions = authentication.transactions
    classes, news = ClassRepository(transactions), game_registry.personal_news
    return {
        "mistakes": MistakeService(MistakeRepository(transactions), game_registry.rate_limiter),
        "puzzles": PuzzleService(PuzzleRepository(transactions), game_registry.rate_limiter),
        "classes": ClassService(classes, game_registry.rate_limiter, news),
        "class_attendance": ClassAttendance(
            *(classes, LoginAttempts(transactions), limits, news),
            *(game_registry.waiting_places, game_registry.rate_limiter),
        ),
        "studies": StudyService(StudyRepository(transactions), authentication.people, game_registry),
    }


SCHOOL_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    *learn_pages.handlers,
    *drill_pages.handlers,
    *puzzle_pages.handlers,
    puzzle_api.router,
    *mistake_pages.handlers,
    mistakes_api.router,
    *class_pages.handlers,
    *child_pages.handlers,
    *screen_pages.handlers,
    *sheet_pages.handlers,
    classes_api.router,
    *study_pages.handlers,
    studies_api.router,
)
"""Lessons and drills, puzzles, one's own mistakes, classes, and studies: pages, and what scripts ask for."""

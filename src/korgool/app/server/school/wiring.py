"""The routes of the school, as the application takes them."""

from __future__ import annotations

from litestar.types import ControllerRouterHandler

from korgool.app.server.school.learn import drill_pages
from korgool.app.server.school.learn import pages as learn_pages
from korgool.app.server.school.puzzles import pages as puzzle_pages

SCHOOL_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    *learn_pages.handlers,
    *drill_pages.handlers,
    *puzzle_pages.handlers,
)

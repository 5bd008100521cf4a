"""Pages to solve puzzles: the one of the day, series by theme, those near a rating, and timed runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath, FromQuery

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.template_texts import safe_json
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.standing_board import picture
from korgool.app.server.school.puzzles.api import ThePuzzles
from korgool.app.server.school.puzzles.repository import SolverRating
from korgool.app.server.school.puzzles.service import (
    MISTAKES,
    RUN_SECONDS,
    PuzzleService,
    account_mark,
    is_solver,
    puzzles_of,
)
from korgool.app.server.school.puzzles.tasks import (
    of_the_day,
    seen_by_solver,
    series,
    tasks_json,
    today,
)
from korgool.app.words.puzzles import GOAL_WORDS, theme_word
from korgool.glicko import Glicko
from korgool.rules import Game
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_answer import FIRST_RATING
from korgool.training.themes import THEMES

_FIRST = round(FIRST_RATING)


@dataclass(frozen=True, slots=True)
class Solver:
    """Somebody who solves, as far as their account knows them.

    Attributes:
        account: the identity; None for whoever solves on their device alone.
        rating: in the game of the page.
        days: the marks of their puzzles of the day, by day and game.
    """

    account: str | None = None
    rating: SolverRating = field(default_factory=SolverRating)
    days: Mapping[str, str] = field(default_factory=dict)

    @property
    def json(self) -> str:
        """The same for the scripts; `account` is a text that differs between accounts and opens nothing."""
        if self.account is None:
            return safe_json({"account": ""})
        now = self.rating
        return safe_json(
            {
                "account": account_mark(self.account),
                "rating": msgspec.to_builtins(now.rating),
                "answers": now.answers,
                "best": now.best_run,
                "course": [round(one) for one in now.course],
                "days": self.days,
            }
        )


_NOBODY = Solver()


async def solver_of(principal: Principal, puzzles: PuzzleService, game: str) -> Solver:
    """Return the solver that somebody is by their account; that of nobody for all others, and where it is locked."""
    if not is_solver(principal):
        return _NOBODY
    account = principal.person.id
    return Solver(account, await puzzles.rating(account, game), await puzzles.days(account))


@get("/puzzle", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def puzzle_of_the_day(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    principal: ThePrincipal,
    puzzles: ThePuzzles,
    game: FromQuery[str] = "",
) -> Response[str]:
    """The puzzle of the day in a game, the same for all."""
    name = game or game_registry.settings.game
    puzzles_of(name)
    day = today()
    puzzle = of_the_day(name, day)
    assert puzzle is not None
    solver, ratings = await solver_of(principal, puzzles, name), await puzzles.ratings_of(name)
    return await solving_page(request, name, [puzzle], ratings=ratings, solver=solver, day=day)


@get("/puzzles", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def puzzles_page(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    principal: ThePrincipal,
    puzzles: ThePuzzles,
    game: FromQuery[str] = "",
) -> Response[str]:
    """The ways to solve the puzzles of a game: one a day, rated, by the clock, by theme."""
    name = game or game_registry.settings.game
    found = puzzles_of(name)
    solver = await solver_of(principal, puzzles, name)
    counts = {theme: len(found.of_theme(theme)) for theme in THEMES}
    return page(
        request,
        "puzzles.html",
        game=name,
        count=len(found),
        themes=[(theme, theme_word(theme, name), number) for theme, number in counts.items() if number],
        solver=solver,
        day_now=today(),
        first_rating=_FIRST,
    )


@get("/puzzles/{game:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def puzzle_series(
    request: AnyRequest,
    game: FromPath[str],
    principal: ThePrincipal,
    puzzles: ThePuzzles,
    theme: FromQuery[str] = "",
    begin: FromQuery[int] = 0,
) -> Response[str]:
    """A few puzzles to solve one after the other: of a theme or all, from the easiest."""
    found = puzzles_of(game)
    if theme and theme not in THEMES:
        raise ApiError(404, errors.NO_PAGE)
    chosen, following = series(found, theme or None, begin)
    if not chosen:
        raise ApiError(404, errors.NO_PAGE)
    solver = await solver_of(principal, puzzles, game)
    ratings = await puzzles.ratings_of(game)
    return await solving_page(request, game, chosen, ratings=ratings, solver=solver, theme=theme, following=following)


@get("/puzzles/{game:str}/rated", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def rated_puzzles(
    request: AnyRequest,
    game: FromPath[str],
    principal: ThePrincipal,
    puzzles: ThePuzzles,
    near: FromQuery[int] = _FIRST,
) -> Response[str]:
    """A few puzzles near a rating: that of the account, or the one that the device has sent."""
    puzzles_of(game)
    solver = await solver_of(principal, puzzles, game)
    rating = float(max(0, min(9999, near))) if solver.account is None else solver.rating.rating.rating
    chosen = await puzzles.near(game, rating, solver.account)
    ratings = await puzzles.ratings_of(game)
    return await solving_page(request, game, chosen, ratings=ratings, solver=solver, rated=True)


@get("/puzzles/{game:str}/run", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def timed_run(
    request: AnyRequest, game: FromPath[str], principal: ThePrincipal, puzzles: ThePuzzles, caller: TheCaller
) -> Response[str]:
    """As many puzzles as possible by the clock, each a little harder than the one before."""
    chosen = await puzzles.for_run(game, caller)
    solver = await solver_of(principal, puzzles, game)
    return page(
        request,
        "puzzle_run.html",
        game=game,
        solver=solver,
        seconds=RUN_SECONDS,
        mistakes=MISTAKES,
        **await _boards(request, chosen, await puzzles.ratings_of(game)),
    )


async def solving_page(
    request: AnyRequest,
    game: str,
    chosen: Sequence[Puzzle],
    *,
    ratings: Mapping[str, Glicko] = MappingProxyType({}),
    solver: Solver = _NOBODY,
    day: date | None = None,
    theme: str = "",
    following: int = 0,
    rated: bool = False,
    of_class: Mapping[str, object] | None = None,
) -> Response[str]:
    """Make the page on which puzzles are solved one after the other.

    Args:
        request: the request.
        game: of the puzzles.
        chosen: at least one puzzle.
        ratings: of those that somebody has answered.
        solver: whose answers are counted.
        day: the day, of the puzzle of the day.
        theme: of the series.
        following: where the series goes on.
        rated: whether the answers count for ratings.
        of_class: the class, its task, the child and the numbers of the puzzles there, where a class has this task.
    """
    return page(
        request,
        "puzzle.html",
        game=game,
        on_day=day,
        theme=theme,
        theme_title=theme_word(theme, game) if theme else "",
        following=following,
        rated=rated,
        solver=solver,
        of_class=of_class,
        **await _boards(request, chosen, ratings),
    )


async def _boards(request: AnyRequest, chosen: Sequence[Puzzle], ratings: Mapping[str, Glicko]) -> dict[str, Any]:
    return {
        "board": picture(Game(seen_by_solver(chosen[0]).start)),
        "task": GOAL_WORDS[chosen[0].goal],
        "tasks": await asyncio.to_thread(tasks_json, chosen, language_of(request), ratings),
    }


handlers = [puzzle_of_the_day, puzzles_page, puzzle_series, rated_puzzles, timed_run]

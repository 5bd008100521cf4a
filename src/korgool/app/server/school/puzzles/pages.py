"""Pages to solve puzzles: the one of the day, and series by game, theme and rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from secrets import SystemRandom

from litestar import MediaType, Response, get
from litestar.params import FromPath, FromQuery

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.standing_board import picture
from korgool.app.server.school.puzzles.tasks import of_the_day, rated_series, seen_by_solver, series, tasks_json
from korgool.app.words.puzzles import GOAL_WORDS, theme_word
from korgool.rules import GAMES, Game
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_set import PuzzleSet, shipped_set
from korgool.training.themes import THEMES


def today() -> date:
    """The day of the puzzle of the day; it begins everywhere at the same moment."""
    return datetime.now(UTC).date()


@get("/puzzle", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def puzzle_of_the_day(
    request: AnyRequest, game_registry: TheGameRegistry, game: FromQuery[str] = ""
) -> Response[str]:
    """The puzzle of the day in a game, the same for all."""
    name = game or game_registry.settings.game
    _puzzles(name)
    day = today()
    puzzle = of_the_day(name, day)
    assert puzzle is not None
    return solving_page(request, name, [puzzle], day=day)


@get("/puzzles", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def puzzles_page(request: AnyRequest, game_registry: TheGameRegistry, game: FromQuery[str] = "") -> Response[str]:
    """The puzzles of a game by theme."""
    name = game or game_registry.settings.game
    puzzles = _puzzles(name)
    counts = {theme: len(puzzles.of_theme(theme)) for theme in THEMES}
    return page(
        request,
        "puzzles.html",
        game=name,
        count=len(puzzles),
        themes=[(theme, theme_word(theme, name), number) for theme, number in counts.items() if number],
    )


@get("/puzzles/{game:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def puzzle_series(
    request: AnyRequest,
    game: FromPath[str],
    theme: FromQuery[str] = "",
    begin: FromQuery[int] = 0,
    rating: FromQuery[int] = 0,
) -> Response[str]:
    """A few puzzles to solve one after the other: of a theme or all from the easiest, or near a rating."""
    puzzles = _puzzles(game)
    if theme and theme not in THEMES:
        raise ApiError(404, errors.NO_PAGE)
    if rating:
        chosen, following = rated_series(puzzles, min(9999, rating), SystemRandom()), 0
    else:
        chosen, following = series(puzzles, theme or None, begin)
    if not chosen:
        raise ApiError(404, errors.NO_PAGE)
    return solving_page(request, game, chosen, theme=theme, following=following, rated=bool(rating))


def _puzzles(game: str) -> PuzzleSet:
    """The shipped puzzles of a game.

    Raises:
        ApiError: 404, there is no such game, or it has none.
    """
    puzzles = shipped_set(game) if game in GAMES else None
    if not puzzles:
        raise ApiError(404, errors.NO_PAGE)
    return puzzles


def solving_page(
    request: AnyRequest,
    game: str,
    puzzles: Sequence[Puzzle],
    *,
    day: date | None = None,
    theme: str = "",
    following: int = 0,
    rated: bool = False,
    of_class: Mapping[str, object] | None = None,
) -> Response[str]:
    """The page on which puzzles are solved one after the other.

    Args:
        request: the request.
        game: of the puzzles.
        puzzles: at least one.
        day: the day, of the puzzle of the day.
        theme: of the series.
        following: where the series goes on.
        rated: whether the device rates its solver.
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
        of_class=of_class,
        board=picture(Game(seen_by_solver(puzzles[0]).start)),
        task=GOAL_WORDS[puzzles[0].goal],
        tasks=tasks_json(puzzles, language_of(request)),
    )


handlers = [puzzle_of_the_day, puzzles_page, puzzle_series]

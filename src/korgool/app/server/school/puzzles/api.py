"""The API of puzzles: answers of somebody with an account, timed runs, and the rating that follows."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.school.puzzles.repository import KeptAnswer
from korgool.app.server.school.puzzles.service import PuzzleAnswer, PuzzleService, puzzles_of
from korgool.rules import GAMES
from korgool.training.puzzle import MOST_OWN_MOVES

ThePuzzles = NamedDependency[PuzzleService]
TheGameName = Annotated[
    str, PathParameter(description="short name of a game", max_length=20, schema_extra={"enum": list(GAMES)})
]
MOST_ANSWERS = 50
"""Answers that are sent at once."""
MOST_IN_RUN = 200
_Hole = Annotated[int, msgspec.Meta(ge=1, le=9)]
_Tries = Annotated[
    tuple[Annotated[tuple[_Hole, ...], msgspec.Meta(max_length=30)], ...], msgspec.Meta(max_length=MOST_OWN_MOVES)
]
_Id = Annotated[str, msgspec.Meta(max_length=40)]


class AnswerCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a puzzle.

    Attributes:
        puzzle: its id.
        tries: for each move to find the holes that were tried, in turn; the last one of each is the right one, or the
            move was shown.
        rated: whether it is to count for ratings.
        day: where it answers the puzzle of the day, which day, such as `2026-11-29`; at most a week ago.
    """

    puzzle: _Id
    tries: _Tries
    rated: bool = False
    day: date | None = None


class AnswersCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Answers in the order in which they were given.

    Attributes:
        answers: 1 to 50.
        mark: that of the account of the page; where another one is signed in by now nothing is taken.
    """

    answers: Annotated[tuple[AnswerCommand, ...], msgspec.Meta(min_length=1, max_length=MOST_ANSWERS)]
    mark: _Id = ""


class RunAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle of a timed run; see `AnswerCommand`."""

    puzzle: _Id
    tries: _Tries


class RunCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A timed run: the game, and its puzzles in turn."""

    game: _Id
    answers: Annotated[tuple[RunAnswer, ...], msgspec.Meta(max_length=MOST_IN_RUN)]


class AnswerMessage(msgspec.Struct, frozen=True):
    """The first answer to a puzzle, as it is kept.

    Attributes:
        puzzle: its id.
        marks: a letter for each move: `f` found at the first try, `l` later, `s` shown.
        new: whether it was kept now; a later answer changes nothing.
        before: the rating before it, where it counted.
        after: the rating after it.
    """

    puzzle: str
    marks: str
    new: bool
    before: int | None = None
    after: int | None = None


class AnswersMessage(msgspec.Struct, frozen=True):
    """The answers in the same order; null for one that is no answer to a puzzle that is here."""

    answers: tuple[AnswerMessage | None, ...]


class RunMessage(msgspec.Struct, frozen=True):
    """Puzzles solved before the third mistake, and the most of all runs in the game."""

    solved: int
    best: int


class SolverMessage(msgspec.Struct, frozen=True):
    """What you have in a game.

    Attributes:
        game: its short name.
        rating: as a solver.
        deviation: its standard deviation.
        answers: that counted.
        best_run: puzzles solved in a timed run, the most.
        course: the ratings after the last answers, oldest first.
    """

    game: str
    rating: int
    deviation: int
    answers: int
    best_run: int
    course: tuple[int, ...]


@post(
    "/answers",
    action=Action.SOLVE,
    status_code=200,
    responses=refusals({409: "the page is still that of another account"}, command=True),
    summary="Answer puzzles",
)
async def answer_puzzles(
    data: JSONBody[AnswersCommand], principal: ThePrincipal, puzzles: ThePuzzles, caller: TheCaller
) -> AnswersMessage:
    """Have answers judged and kept. The first one to each puzzle counts, so the same can be sent again."""
    answers = [PuzzleAnswer(one.puzzle, one.tries, one.rated, one.day) for one in data.answers]
    kept = await puzzles.answer(principal.person.id, answers, caller, data.mark)
    return AnswersMessage(tuple(None if one is None else _message(one) for one in kept))


@post(
    "/runs",
    action=Action.SOLVE,
    status_code=200,
    responses=refusals({404: "no such game"}, command=True),
    summary="Hand in a timed run",
)
async def hand_in_run(
    data: JSONBody[RunCommand], principal: ThePrincipal, puzzles: ThePuzzles, caller: TheCaller
) -> RunMessage:
    """Have the puzzles of a run judged; the most that were solved is kept."""
    answers = [PuzzleAnswer(one.puzzle, one.tries) for one in data.answers]
    return RunMessage(*await puzzles.run(principal.person.id, data.game, answers, caller))


@get(
    "/{game:str}",
    action=Action.SEE_OWN,
    responses=refusals({404: "no such game"}),
    summary="Your rating as a solver",
)
async def read_solver(game: TheGameName, principal: ThePrincipal, puzzles: ThePuzzles) -> SolverMessage:
    """What you have in a game; a beginner's rating before the first answer."""
    puzzles_of(game)
    found = await puzzles.rating(principal.person.id, game)
    rating = found.rating
    course = tuple(round(one) for one in found.course)
    return SolverMessage(game, round(rating.rating), round(rating.deviation), found.answers, found.best_run, course)


def _message(kept: KeptAnswer) -> AnswerMessage:
    before, after = (None if one is None else round(one) for one in (kept.before, kept.after))
    return AnswerMessage(kept.puzzle, kept.marks, kept.new, before, after)


router = Router(
    "/api/puzzles",
    before_request=check_body,
    route_handlers=[answer_puzzles, hand_in_run, read_solver],
    tags=["puzzles"],
)

"""Solving with an account: answers are judged by the rules, ratings move, and the next puzzles are near them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from hashlib import sha256
from itertools import pairwise
from secrets import SystemRandom

import msgspec

from korgool.accounts import Action, refusal
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.school.puzzles.repository import JudgedAnswer, KeptAnswer, PuzzleRepository, SolverRating
from korgool.app.server.school.puzzles.tasks import SERIES, of_the_day, today
from korgool.glicko import Glicko
from korgool.rules import GAMES
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_answer import first_puzzle, marks_of, solves
from korgool.training.puzzle_set import PuzzleSet, shipped_set

NEAR = 60
"""A rated puzzle is one of so many whose ratings are nearest to the solver's."""
MISTAKES = 3
"""A timed run ends with so many."""
RUN_SECONDS = 180
"""Seconds of a timed run."""
RUN_LENGTH = 40
"""Puzzles of a timed run, from the easiest to the hardest; one every 4.5 seconds."""
RUNS = 2
"""Runs that a page brings along, so that one more can be had without a network."""
DAYS_BACK = 7
"""A puzzle of the day may be sent so many days later, from a device that had no network."""
_FRESH_MS = 60_000
"""Milliseconds for which the ratings of puzzles are remembered."""


class PuzzleAnswer(msgspec.Struct, frozen=True):
    """An answer as somebody sends it.

    Attributes:
        puzzle: the id of the puzzle.
        tries: for each move to find the holes that were tried, in turn.
        rated: whether it is to count for ratings.
        day: where it answers the puzzle of the day, which day.
    """

    puzzle: str
    tries: tuple[tuple[int, ...], ...]
    rated: bool = False
    day: date | None = None


class PuzzleService:
    """Solving with an account. All methods run on the event loop.

    Args:
        repository: answers and ratings in the database.
        rate_limiter: counts answers.
    """

    def __init__(self, repository: PuzzleRepository, rate_limiter: RateLimiter) -> None:
        self._repository = repository
        self._rate_limiter = rate_limiter
        self._ratings: dict[str, tuple[int, Mapping[str, Glicko]]] = {}
        self._random = SystemRandom()

    async def answer(
        self, account: str, answers: Sequence[PuzzleAnswer], caller: Caller, mark: str = ""
    ) -> list[KeptAnswer | None]:
        """Judge answers and keep the first one to each puzzle; None stands for what is no answer.

        A puzzle that is not here, more moves than it has, and a day whose puzzle is another one are none: what a device
        has kept for long must not hold up what is right.

        Args:
            account: who is signed in.
            answers: what they have answered.
            caller: who asks.
            mark: that of the account of the page (`account_mark`); empty where there is none.

        Raises:
            ApiError: 409, the page is still that of another account.
            RateLimitError: the person or the address has sent too many.
        """
        if mark and mark != account_mark(account):
            raise ApiError(409, errors.OTHER_ACCOUNT)
        if wait := self._rate_limiter.spend_both(("session_puzzles", "address_puzzles"), caller, len(answers)):
            raise RateLimitError(errors.TOO_MANY_ANSWERS, wait)
        judged = await asyncio.to_thread(lambda: [_judged(answer) for answer in answers])
        wanted = [one for one in judged if one is not None]
        kept = iter(await asyncio.to_thread(self._repository.keep, account, wanted, now_ms()))
        return [None if one is None else next(kept) for one in judged]

    async def run(self, account: str, game: str, answers: Sequence[PuzzleAnswer], caller: Caller) -> tuple[int, int]:
        """Judge a timed run. Returns the puzzles solved before the third mistake, and the most of the account.

        Of more than `RUN_LENGTH` puzzles, which no run has, the first ones count.

        Raises:
            ApiError: 404, there is no such game.
            RateLimitError: there were too many.
        """
        if wait := self._rate_limiter.spend_both(("session_puzzles", "address_puzzles"), caller):
            raise RateLimitError(errors.TOO_MANY_ANSWERS, wait)
        puzzles_of(game)
        solved = await asyncio.to_thread(_solved_in_run, game, answers)
        return solved, await asyncio.to_thread(self._repository.keep_run, account, game, solved)

    async def rating(self, account: str, game: str) -> SolverRating:
        """Read an account's solver in a game."""
        return await asyncio.to_thread(self._repository.rating, account, game)

    async def days(self, account: str) -> dict[str, str]:
        """The marks of an account's puzzles of the day, by day and game."""
        return await asyncio.to_thread(self._repository.days, account)

    async def ratings_of(self, game: str) -> Mapping[str, Glicko]:
        """The ratings of the puzzles of a game that somebody has answered, as they were within the last minute."""
        known = self._ratings.get(game)
        if known is None or now_ms() - known[0] > _FRESH_MS:
            known = now_ms(), await asyncio.to_thread(self._repository.puzzle_ratings, game)
            self._ratings[game] = known
        return known[1]

    async def for_run(self, game: str, caller: Caller) -> list[Puzzle]:
        """The puzzles of `RUNS` timed runs, each from the easiest to the hardest, by lot.

        Raises:
            ApiError: 404, there is no such game.
            RateLimitError: the session or the address has asked for too many: each puzzle may take a search.
        """
        puzzles = puzzles_of(game)
        cost = RUNS * RUN_LENGTH / SERIES
        if wait := self._rate_limiter.spend_both(("session_boards", "address_boards"), caller, cost):
            raise RateLimitError(errors.TOO_MANY_BOARDS, wait)
        ratings = await self.ratings_of(game)
        return await asyncio.to_thread(_for_run, puzzles, ratings, self._random)

    async def near(self, game: str, rating: float, account: str | None = None) -> list[Puzzle]:
        """A few puzzles near a rating, by lot; none that an account has answered as long as there are others."""
        puzzles, ratings = puzzles_of(game), await self.ratings_of(game)
        answered = frozenset[str]()
        if account is not None:
            answered = await asyncio.to_thread(self._repository.answered, account, game)
        return await asyncio.to_thread(_near, puzzles, ratings, rating, answered, self._random)


def is_solver(principal: Principal) -> bool:
    """True if the account of this browser has answers counted: not for visitors, programs and locked accounts."""
    return principal.session is not None and refusal(principal.actor, Action.SOLVE) is None


def account_mark(account: str) -> str:
    """A text that differs between accounts and opens nothing, by which a page knows whose it is."""
    return sha256(f"puzzles of {account}".encode()).hexdigest()[:16]


def puzzles_of(game: str) -> PuzzleSet:
    """The shipped puzzles of a game.

    Raises:
        ApiError: 404, there is no such game, or it has none.
    """
    puzzles = shipped_set(game) if game in GAMES else None
    if not puzzles:
        raise ApiError(404, errors.NO_PAGE)
    return puzzles


def rating_of(puzzle: Puzzle, ratings: Mapping[str, Glicko]) -> Glicko:
    """The rating of a puzzle: the one that answers have moved, or that from the engine."""
    return ratings.get(puzzle.id) or first_puzzle(puzzle.rating)


def _found(puzzle_id: str) -> Puzzle | None:
    game = puzzle_id.partition("-")[0]
    puzzles = shipped_set(game) if game in GAMES else None
    at = None if puzzles is None else puzzles.find(puzzle_id)
    return None if puzzles is None or at is None else puzzles[at]


def _judged(answer: PuzzleAnswer) -> JudgedAnswer | None:
    puzzle = _found(answer.puzzle)
    if puzzle is None or (answer.day is not None and not _is_of_day(puzzle, answer.day)):
        return None
    try:
        marks = marks_of(puzzle, answer.tries)
    except ValueError:
        return None
    day = "" if answer.day is None else answer.day.isoformat()
    return JudgedAnswer(puzzle.id, puzzle.game, marks, puzzle.rating, answer.rated, day)


def _is_of_day(puzzle: Puzzle, day: date) -> bool:
    now = today()
    right = of_the_day(puzzle.game, day)
    return now - timedelta(days=DAYS_BACK) <= day <= now and right is not None and right.id == puzzle.id


def _solved_in_run(game: str, answers: Sequence[PuzzleAnswer]) -> int:
    solved, mistakes, seen = 0, 0, set[str]()
    for answer in answers:
        puzzle = _found(answer.puzzle)
        if puzzle is None or puzzle.game != game or puzzle.id in seen:
            continue
        seen.add(puzzle.id)
        right = solves(puzzle, answer.tries)
        solved, mistakes = solved + right, mistakes + (not right)
        if mistakes == MISTAKES or len(seen) == RUN_LENGTH:
            break
    return solved


def _near(
    puzzles: PuzzleSet, ratings: Mapping[str, Glicko], rating: float, answered: frozenset[str], random: SystemRandom
) -> list[Puzzle]:
    moved = {at: found.rating for puzzle, found in ratings.items() if (at := puzzles.find(puzzle)) is not None}
    known = {at for puzzle in answered if (at := puzzles.find(puzzle)) is not None}
    places = [at for at in range(len(puzzles)) if at not in known] or list(range(len(puzzles)))

    def away(at: int) -> float:
        return abs(moved.get(at, puzzles.rating(at)) - rating)

    chosen = random.sample(sorted(places, key=away)[:NEAR], min(SERIES, len(places)))
    return [puzzles[at] for at in sorted(chosen, key=away)]


def _for_run(puzzles: PuzzleSet, ratings: Mapping[str, Glicko], random: SystemRandom) -> list[Puzzle]:
    moved = {at: found.rating for puzzle, found in ratings.items() if (at := puzzles.find(puzzle)) is not None}
    places = sorted(range(len(puzzles)), key=lambda at: moved.get(at, float(puzzles.rating(at))))
    length = min(RUN_LENGTH, len(places) // RUNS)
    bounds = [step * len(places) // length for step in range(length + 1)]
    drawn = [random.sample(places[begin:end], RUNS) for begin, end in pairwise(bounds)]
    return [puzzles[at] for run in range(RUNS) for at in (step[run] for step in drawn)]

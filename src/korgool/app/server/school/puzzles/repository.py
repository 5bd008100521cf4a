"""Answers of accounts to puzzles, and the ratings that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, Table, select

from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage.puzzle_tables import puzzle_answers, puzzle_days, puzzle_ratings, puzzle_standings
from korgool.glicko import Glicko
from korgool.training.puzzle_answer import after_answer, first_puzzle, first_solver, is_solved

COURSE = 60
"""Ratings of a course: those after the last answers that counted."""
DAYS = 400
"""Days of an account that are told."""


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer that the server has judged.

    Attributes:
        puzzle: the id of the puzzle.
        game: its game, by the short name.
        marks: what became of each move.
        rating: the rating of the puzzle from the engine.
        rated: whether it is to count.
        day: of the puzzle of the day; empty for others.
    """

    puzzle: str
    game: str
    marks: str
    rating: int
    rated: bool = False
    day: str = ""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The first answer of an account to a puzzle, as it is kept.

    Attributes:
        puzzle: the id of the puzzle.
        marks: of the first answer.
        new: whether it was kept now.
        before, after: ratings of the solver, None where it did not count.
    """

    puzzle: str
    marks: str
    new: bool
    before: float | None = None
    after: float | None = None


@dataclass(frozen=True, slots=True)
class SolverRating:
    """A solver in a game, as their account knows them.

    Attributes:
        rating: as a solver.
        answers: that counted.
        best_run: puzzles solved in a timed run, the most.
        course: the ratings after the last answers, oldest first.
    """

    rating: Glicko = field(default_factory=first_solver)
    answers: int = 0
    best_run: int = 0
    course: tuple[float, ...] = ()


class PuzzleRepository:
    """Reads and writes answers and ratings; all methods wait for the database.

    Args:
        transactions: the tables of people.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def keep(self, account: str, answers: Sequence[JudgedAnswer], at: int) -> list[KeptAnswer]:
        """Keep the first answer to each puzzle and count those that are rated, one after the other.

        Of a puzzle that the account has answered before, the first answer stays, and nothing counts again.

        Args:
            account: whose they are.
            answers: in the order in which they were given.
            at: milliseconds since 1970.
        """
        with self._transactions.writing() as connection:
            return [_kept(connection, account, answer, at) for answer in answers]

    def keep_run(self, account: str, game: str, solved: int) -> int:
        """Keep the number of puzzles solved in a timed run, if it is the most. Returns the most."""
        with self._transactions.writing() as connection:
            before = _standing(connection, account, game)
            best = max(solved, before.best_run)
            if best > before.best_run:
                _store_standing(connection, account, game, before.rating, before.answers, best)
        return best

    def rating(self, account: str, game: str) -> SolverRating:
        """Read an account's solver in a game, with the course of the rating."""
        own = (puzzle_answers.c.account == account) & (puzzle_answers.c.game == game)
        counted = select(puzzle_answers.c.rating_after).where(own & (puzzle_answers.c.number > 0))
        with self._transactions.reading() as connection:
            found = _standing(connection, account, game)
            course = connection.scalars(counted.order_by(puzzle_answers.c.number.desc()).limit(COURSE)).all()
        return SolverRating(found.rating, found.answers, found.best_run, tuple(reversed(course)))

    def answered(self, account: str, game: str) -> frozenset[str]:
        """The ids of the puzzles of a game that an account has answered."""
        own = (puzzle_answers.c.account == account) & (puzzle_answers.c.game == game)
        with self._transactions.reading() as connection:
            return frozenset(connection.scalars(select(puzzle_answers.c.puzzle).where(own)))

    def days(self, account: str) -> dict[str, str]:
        """The marks of an account's last puzzles of the day, by day and game with a space between."""
        own = select(puzzle_days).where(puzzle_days.c.account == account)
        with self._transactions.reading() as connection:
            rows = connection.execute(own.order_by(puzzle_days.c.day.desc(), puzzle_days.c.game).limit(DAYS)).all()
        return {f"{row.day} {row.game}": row.marks for row in rows}

    def puzzle_ratings(self, game: str) -> Mapping[str, Glicko]:
        """The ratings of the puzzles of a game that somebody has answered, by id."""
        own = select(puzzle_ratings).where(puzzle_ratings.c.game == game)
        with self._transactions.reading() as connection:
            rows = connection.execute(own).all()
        return {row.puzzle: Glicko(row.rating, row.deviation, row.volatility) for row in rows}


def _kept(connection: Connection, account: str, answer: JudgedAnswer, at: int) -> KeptAnswer:
    if answer.day:
        _keep_day(connection, account, answer)
    pair = (puzzle_answers.c.account == account) & (puzzle_answers.c.puzzle == answer.puzzle)
    row = connection.execute(select(puzzle_answers).where(pair)).one_or_none()
    if row is not None:
        return KeptAnswer(answer.puzzle, row.marks, False, row.rating_before, row.rating_after)
    values = {"account": account, "puzzle": answer.puzzle, "game": answer.game, "at_ms": at, "marks": answer.marks}
    if not answer.rated:
        connection.execute(puzzle_answers.insert().values(values))
        return KeptAnswer(answer.puzzle, answer.marks, True)
    standing = _standing(connection, account, answer.game)
    known = connection.execute(select(puzzle_ratings).where(puzzle_ratings.c.puzzle == answer.puzzle)).one_or_none()
    puzzle = first_puzzle(answer.rating) if known is None else Glicko(known.rating, known.deviation, known.volatility)
    solver, puzzle = after_answer(standing.rating, puzzle, is_solved(answer.marks))
    number = standing.answers + 1
    before, after = standing.rating.rating, solver.rating
    connection.execute(
        puzzle_answers.insert().values({**values, "number": number, "rating_before": before, "rating_after": after})
    )
    _store_standing(connection, account, answer.game, solver, number, standing.best_run)
    _store(
        connection,
        puzzle_ratings,
        {"puzzle": answer.puzzle},
        {
            "game": answer.game,
            **_columns(puzzle),
            "answers": 1 if known is None else known.answers + 1,
        },
    )
    return KeptAnswer(answer.puzzle, answer.marks, True, before, after)


def _keep_day(connection: Connection, account: str, answer: JudgedAnswer) -> None:
    one = (puzzle_days.c.account == account) & (puzzle_days.c.day == answer.day) & (puzzle_days.c.game == answer.game)
    if connection.scalar(select(puzzle_days.c.marks).where(one)) is None:
        values = {"account": account, "day": answer.day, "game": answer.game, "marks": answer.marks}
        connection.execute(puzzle_days.insert().values(values))


def _standing(connection: Connection, account: str, game: str) -> SolverRating:
    one = (puzzle_standings.c.account == account) & (puzzle_standings.c.game == game)
    row = connection.execute(select(puzzle_standings).where(one)).one_or_none()
    if row is None:
        return SolverRating()
    return SolverRating(Glicko(row.rating, row.deviation, row.volatility), row.answers, row.best_run)


def _store_standing(
    connection: Connection, account: str, game: str, rating: Glicko, answers: int, best_run: int
) -> None:
    values = {**_columns(rating), "answers": answers, "best_run": best_run}
    _store(connection, puzzle_standings, {"account": account, "game": game}, values)


def _store(connection: Connection, table: Table, key: Mapping[str, object], values: Mapping[str, object]) -> None:
    """Change the row with a key, or insert it: transactions of this kind do not run beside each other."""
    changed = table.update().values(values)
    for name, value in key.items():
        changed = changed.where(table.c[name] == value)
    if not connection.execute(changed).rowcount:
        connection.execute(table.insert().values({**key, **values}))


def _columns(rating: Glicko) -> dict[str, float]:
    return {"rating": rating.rating, "deviation": rating.deviation, "volatility": rating.volatility}

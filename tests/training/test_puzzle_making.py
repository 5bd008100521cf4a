"""Making puzzles: the same everywhere, right by tables that the maker did not have, and found again where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.clusters import pool
from korgool.engine import Engine, Tables
from korgool.engine.levels import choose, of_number, ratings_of
from korgool.engine.tables import build
from korgool.rules import GAMES
from korgool.training.puzzle import LEAST_GAP, Puzzle
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_making import RecordedGame, SelfPlay, make_puzzles, puzzles_of_task
from korgool.training.puzzle_rating import rating_of
from korgool.training.puzzle_search import PuzzleSearch, exact_step
from korgool.training.self_play import self_play_engine, self_play_game
from korgool.training.themes import themes_of
from tests.training.puzzles import CAPTURE

NODES = 60_000
"""Enough for a check in a test."""


@pytest.fixture(scope="module")
def made() -> dict[str, list[Puzzle]]:
    return {game: list(puzzles_of_task(SelfPlay(game, 9, 2))) for game in GAMES}


def every(made: dict[str, list[Puzzle]]) -> Iterator[Puzzle]:
    for some in made.values():
        assert some
        yield from some


def test_what_is_made_keeps_its_shape(made: dict[str, list[Puzzle]]) -> None:
    for puzzle in every(made):
        own = [one for one in puzzle.sowings() if one.mover is puzzle.solver]
        assert 1 <= len(own) <= 5
        assert puzzle.themes == themes_of(puzzle) != ()
        assert puzzle.gap >= LEAST_GAP or puzzle.goal in ("win", "save")
        assert puzzle.rating in ratings_of(puzzle.start.rules)
        assert puzzle.source.startswith("self-play 9, game ")


def test_threads_and_repeats_change_nothing(made: dict[str, list[Puzzle]]) -> None:
    tasks = [SelfPlay(game, 9, 2) for game in ("mangala", "castle")]
    with pool(2) as place:
        told = [one for some in make_puzzles(tasks, place) for one in some]
    assert told == made["mangala"] + made["castle"]


def test_a_record_of_the_same_moves_has_the_same_puzzles(made: dict[str, list[Puzzle]]) -> None:
    rules = GAMES["castle"]
    game = self_play_game(rules, 9, 2, self_play_engine(rules))
    told = puzzles_of_task(RecordedGame(game.start, tuple(game.moves), "games.pgn, game 0"))
    first = [one for one in made["castle"] if ", game 2, " in one.source]
    assert [replace(one, source="") for one in told] == [replace(one, source="") for one in first]
    assert all(one.source.startswith("games.pgn, game 0, ply ") for one in told)


def test_tables_that_the_maker_did_not_have_agree(tmp_path: Path) -> None:
    """Bestemshe to 12 stones; the package's own tables end at 10."""
    rules = GAMES["bestemshe"]
    tables = build(rules, 12, folder=tmp_path)
    judged = 0
    for number in (4,):
        for puzzle in puzzles_of_task(SelfPlay("bestemshe", 10, number)):
            values = PuzzleSearch(rules, tables).exact_values(puzzle.start)
            if values is None:
                continue
            judged += 1
            best = max(values.values())
            assert all(values[move] == best for move in puzzle.moves[0]), puzzle
    assert judged >= 2


def test_what_is_made_passes_the_check_and_what_is_bent_does_not(made: dict[str, list[Puzzle]]) -> None:
    for game, puzzles in made.items():
        checker = PuzzleChecker(GAMES[game], Tables.shared(GAMES[game]), nodes=NODES)
        for puzzle in puzzles[:2]:
            assert checker.faults(puzzle) == [], puzzle
            legal = puzzle.start.legal_moves()
            for move in [one for one in legal if one not in puzzle.moves[0]][:1]:
                bent = replace(puzzle, moves=((move,),))
                assert any(fault.ply == 1 for fault in checker.faults(replace(bent, themes=themes_of(bent))))
            assert "gap" in str(checker.faults(replace(puzzle, gap=3 * puzzle.gap + 40))[0])
            assert "rating" in str(checker.faults(replace(puzzle, rating=1))[0])
            strange = replace(puzzle, themes=("checkmate", *puzzle.themes))
            assert "checkmate" in str(checker.faults(strange)[0])
            assert "missing" in str(checker.faults(replace(puzzle, themes=puzzle.themes[1:]))[0])


def test_the_start_of_a_game_is_no_puzzle_and_a_proof_cannot_be_claimed() -> None:
    rules = GAMES["toguz"]
    checker = PuzzleChecker(rules, Tables.shared(rules), nodes=NODES)
    for move in (1, 7):
        start = Puzzle(rules.start(), ((move,),), "stones", "search", 4.0, ("quiet",))
        assert any("worse" in fault.reason or "better" in fault.reason for fault in checker.faults(start))
    claimed = next(one for one in puzzles_of_task(SelfPlay("toguz", 9, 0)) if one.proof == "search")
    faults = checker.faults(replace(claimed, proof="exact"))
    assert [fault.reason for fault in faults if "proven" in fault.reason]


@pytest.mark.parametrize(
    ("values", "accepted", "goal"),
    [
        ({1: 10, 2: 6}, None, ""),  # both win
        ({1: 10, 2: 0}, (1,), "win"),
        ({1: 2, 2: 0, 3: 2}, (1, 3), "win"),
        ({1: 2, 2: -8}, (1,), "win"),
        ({1: 0, 2: -1}, (1,), "save"),
        ({1: 0, 2: 0}, None, ""),  # nothing is wrong
        ({1: -2, 2: -20}, None, ""),  # lost all the same
        ({1: 4, 2: 4, 3: 4, 4: 0}, None, ""),  # too many are right
    ],
)
def test_exact_values_make_a_step(values: dict[int, int], accepted: tuple[int, ...] | None, goal: str) -> None:
    step = exact_step(values)
    assert (None if step is None else (step.accepted, step.goal)) == (None if accepted is None else (accepted, goal))


def test_a_rating_is_that_of_the_ladder() -> None:
    """The engine of that rating finds it in half of its tries or more, one 250 lower in less than it."""
    from random import Random

    engine = Engine(CAPTURE.start.rules, table_mib=1, tables=None)
    puzzle = replace(CAPTURE, rating=rating_of(CAPTURE, engine))
    assert 600 <= puzzle.rating <= 1200

    def share(rating: int) -> float:
        level = of_number(rating, puzzle.start.rules)
        tries = [choose(engine, puzzle.start, level, random=Random(seed)).move for seed in range(60)]
        return sum(move in puzzle.moves[0] for move in tries) / len(tries)

    assert share(puzzle.rating + 100) >= 0.4
    assert share(puzzle.rating - 250) <= 0.55

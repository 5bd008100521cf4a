"""Make the sets that come with the package: `python -m korgool.training.puzzle_packing WORK`.

For each game it plays games by the seed, looks for puzzles in them, and chooses a set in balance, of which every puzzle
passes a judge: a search of ten times the nodes of its making that must see a gap of 4 stones as well. One with a fault
is left out, and another one is chosen for it. WORK is a folder for what has been done so far: a command that was
interrupted goes on when it is run again, and one that is told more games keeps those that it has.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import local

from korgool.atomic_files import replacing
from korgool.clusters import Pool, pool
from korgool.engine import Tables
from korgool.engine.tables import TableError, build
from korgool.rules import GAMES, Rules
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_journal import Journal, PuzzleJournalError, task_key
from korgool.training.puzzle_making import SelfPlay, make_puzzles, package_tables
from korgool.training.puzzle_selection import select, without_repeats
from korgool.training.puzzle_set import SHIPPED, SUFFIX, pack_set

SEED = 55
JUDGE_NODES = 1_200_000
"""Nodes of the judge for each move to find: ten times those by which a puzzle was confirmed."""
JUDGE_MIB = 64

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """The making of a set.

    Attributes:
        games: that the engine plays with itself.
        puzzles: of the set, at most.
        stones: up to which tables are built, for a game whose puzzles they prove; 0 for the tables of the package.
    """

    games: int
    puzzles: int
    stones: int = 0


PLANS: Mapping[str, Plan] = {
    "toguz": Plan(2500, 3000),
    "mangala": Plan(600, 1000),
    "castle": Plan(800, 1000),
    "bestemshe": Plan(500, 1000, stones=20),
}
"""The making of the shipped sets. Bestemshe has no learned evaluation, and only what tables prove is a puzzle there."""


def make_set(
    game: str, plan: Plan, work: Path, *, seed: int = SEED, workers: int = 1, say: Say = print
) -> list[Puzzle]:
    """The puzzles of a set; the same for the same plan and seed.

    Args:
        game: its short name.
        plan: how many.
        work: a folder for tables and journals, which is made where there is none.
        seed: of the games and of the choice.
        workers: the number of threads.
        say: called with a line for each puzzle that the judge refuses, and for each stage of the work.

    Raises:
        PuzzleJournalError: a journal in the folder is something else, or another command is at work on it.
        TableError: the tables cannot be built.
        OSError: the folder cannot be written.
    """
    rules = GAMES[game]
    work.mkdir(parents=True, exist_ok=True)
    tables = build(rules, plan.stones, folder=work, workers=workers) if plan.stones else package_tables(rules)
    after = f", tables to {plan.stones}" if plan.stones else ""
    with Journal(work / f"{game}.journal") as journal, pool(workers) as place:
        tasks = [SelfPlay(game, seed, number) for number in range(plan.games)]
        missing = [task for task in tasks if journal.known(task_key(task) + after) is None]
        for task, puzzles in zip(missing, make_puzzles(missing, place, tables), strict=True):
            journal.add(task_key(task) + after, puzzles)
        found = without_repeats(one for task in tasks for one in journal.known(task_key(task) + after) or ())
        say(f"{game}: {len(found)} puzzles of {plan.games} games")
        return _judged_choice(found, plan.puzzles, seed, journal, _judges(rules, tables), place, say)


def _judged_choice(
    found: list[Puzzle],
    most: int,
    seed: int,
    journal: Journal,
    judge: Callable[[Puzzle], list[str]],
    place: Pool,
    say: Say,
) -> list[Puzzle]:
    """A choice of `most` puzzles, all of them judged, and chosen again without those that have faults."""
    while True:
        chosen = select(found, most, seed)
        fresh = [one for one in chosen if journal.known(_verdict(one)) is None]
        for puzzle, faults in zip(fresh, place.in_turn(judge, fresh), strict=True):
            for fault in faults:
                say(f"{puzzle.id}: {fault}")
            journal.add(_verdict(puzzle), [] if faults else [puzzle])
        wrong = {one.id for one in chosen if not journal.known(_verdict(one))}
        if not wrong:
            return chosen
        say(f"{len(wrong)} of {len(chosen)} have a fault; others are chosen for them")
        found = [one for one in found if one.id not in wrong]


def _verdict(puzzle: Puzzle) -> str:
    return f"judged, {puzzle.id}, {puzzle.moves}"


def _judges(rules: Rules, tables: Tables) -> Callable[[Puzzle], list[str]]:
    """A judge that has an engine for each thread."""
    own = local()

    def judge(puzzle: Puzzle) -> list[str]:
        if not hasattr(own, "checker"):
            own.checker = PuzzleChecker(rules, tables, nodes=JUDGE_NODES, table_mib=JUDGE_MIB, slack=0)
        return [str(fault) for fault in own.checker.faults(puzzle)]

    return judge


def main(words: Sequence[str]) -> None:
    """Make the sets that are asked for, and pack them into a folder."""
    parser = argparse.ArgumentParser(
        prog="python -m korgool.training.puzzle_packing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("work", type=Path, metavar="WORK")
    parser.add_argument("--game", choices=list(PLANS), action="append", help="only these; by default, all four")
    parser.add_argument("--games", type=int, help="games that are played; by default, as many as the shipped set had")
    parser.add_argument("--puzzles", type=int, help="puzzles of a set, at most")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=SHIPPED, help="where the sets go; by default, into the package")
    asked = parser.parse_args(words)
    for game in asked.game or PLANS:
        plan = PLANS[game]
        games = plan.games if asked.games is None else asked.games
        plan = replace(plan, games=games, puzzles=plan.puzzles if asked.puzzles is None else asked.puzzles)
        try:
            chosen = make_set(game, plan, asked.work, seed=asked.seed, workers=asked.threads)
            if not chosen:
                sys.exit(f"korgool: {game}: there is no puzzle in these games")
            content = pack_set(chosen)
            asked.folder.mkdir(parents=True, exist_ok=True)
            with replacing(asked.folder / f"{game}{SUFFIX}") as write:
                write(content)
        except (PuzzleJournalError, TableError, OSError) as error:
            sys.exit(f"korgool: {error}")
        print(f"{game}: {len(chosen)} puzzles, {len(content)} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

"""`korgool puzzles`: make puzzles of games, check them, and list those that come with the package."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import GameChoice, game_options, json_option
from korgool.app.cli.output import (
    emit,
    is_folder,
    lines_are_seen,
    plain,
    progress,
    unreadable,
    unwritable,
    whole_file,
)
from korgool.app.cli.records import STANDARD_INPUT, open_input
from korgool.app.cli.vocabulary import PathName, option
from korgool.app.cli.work_places import cluster_option, work_place
from korgool.languages import N_
from korgool.rules import GAMES
from korgool.training.themes import THEMES

if TYPE_CHECKING:
    from korgool.clusters import Pool
    from korgool.notation.record import Record
    from korgool.rules import Rules
    from korgool.training.puzzle import Puzzle, PuzzleError
    from korgool.training.puzzle_checking import Fault
    from korgool.training.puzzle_journal import Journal
    from korgool.training.puzzle_making import Task

_MAKING = """\b
Examples:
  korgool puzzles make games.pgn -o puzzles.jsonl
  korgool puzzles make --game mangala --self-play 500 --seed 7 --puzzles 200 -o puzzles.jsonl"""
_LONGEST_NAME = 120

threads_option = option(
    "--threads",
    "workers",
    was=("--workers",),
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Number of threads.",
)


@click.group(
    "puzzles",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  korgool puzzles list --game toguz --theme make-tuz",
)
def command() -> None:
    """Positions with one clearly best move, each with its proof."""


@command.command("make", epilog=_MAKING)
@click.argument("records", nargs=-1, metavar="[RECORDS]...", type=PathName())
@option("-o", "--output", required=True, metavar="FILE", help="Where to write them, as JSON lines.")
@option("--self-play", type=click.IntRange(1, 10_000_000), help="Games that levels of the engine play, beside records.")
@option("--seed", type=int, default=1, show_default=True, help="Seed of these games, and of the choice of puzzles.")
@option("--puzzles", "most", type=click.IntRange(1), help="At most so many, balanced by theme; by default, all found.")
@threads_option
@cluster_option
@game_options
@json_option
def make_command(
    records: tuple[str, ...],
    output: str,
    self_play: int | None,
    seed: int,
    most: int | None,
    workers: int,
    cluster: str | None,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Look for puzzles in game records of any dialect, or in games that the engine plays by itself.

    A move to find is better than every other one by 4 stones or more, or decides the result. That is proven by tables
    or the solver, or found by three searches: a quick one, one of 20 times as many nodes, and one with other settings.

    What has been found so far stands in FILE.part: a command that was interrupted continues when it is run again. FILE
    appears when all is done; it is the same with any number of threads, and on a cluster. A game that cannot be read
    is reported, the others are searched, and the exit status is 1.
    """
    from korgool.engine.surroundings import EngineSurroundings
    from korgool.training.puzzle import write_puzzles
    from korgool.training.puzzle_selection import select, without_repeats

    if not records and self_play is None:
        raise click.UsageError("give RECORDS, or --self-play with a number of games")
    if game.options:
        raise click.UsageError("puzzles are made for the games without options; --rule cannot be given")
    bad: list[str] = []
    tasks = [*_recorded(records, game, bad), *_self_played(game.rules, seed, self_play or 0)]
    if output != "-" and Path(output).is_dir():
        raise is_folder(output)
    with _journal(output) as journal:
        with work_place(workers, cluster, EngineSurroundings()) as place:
            puzzles = without_repeats(puzzle for some in _made(tasks, journal, place) for puzzle in some)
        if most is not None:
            games = {puzzle.game: None for puzzle in puzzles}
            puzzles = [
                puzzle
                for name in games
                for puzzle in select([one for one in puzzles if one.game == name], most, seed)
            ]  # fmt: skip
        with whole_file(output) as write:
            for line in write_puzzles(puzzles):
                write(line)
        if journal is not None:
            journal.finish()
    if output != "-":
        if as_json:
            emit({"file": output, "games": len(tasks), "puzzles": len(puzzles), "unreadable": len(bad)})
        else:
            said = N_("{file}: {puzzles} puzzles of {games} games")
            click.echo(tell(said, file=plain(output), puzzles=len(puzzles), games=len(tasks)))
    if bad:
        sys.exit(1)


@contextmanager
def _journal(output: str) -> Iterator[Journal | None]:
    """The journal beside a file that is to be made; None for the standard output, a device or a pipe.

    Raises:
        InputError: it cannot be written, is something else, or another command is at work on it.
    """
    from korgool.training.puzzle_journal import Journal, PuzzleJournalError

    if output == "-" or (Path(output).exists() and not Path(output).is_file()):
        yield None
        return
    path = Path(f"{output}.part")
    try:
        journal = Journal(path)
    except PuzzleJournalError as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise unwritable(path, error.strerror) from None
    with journal:
        yield journal


def _made(tasks: Sequence[Task], journal: Journal | None, place: Pool) -> Iterator[list[Puzzle]]:
    """The puzzles of each game; those that the journal does not know are looked for, and noted there."""
    from korgool.training.puzzle_journal import task_key
    from korgool.training.puzzle_making import make_puzzles

    known = [None if journal is None else journal.known(task_key(task)) for task in tasks]
    fresh = make_puzzles([task for task, puzzles in zip(tasks, known, strict=True) if puzzles is None], place)
    with progress(tell(N_("looking for puzzles")), len(tasks)) as done:
        for number, (task, puzzles) in enumerate(zip(tasks, known, strict=True), 1):
            found = next(fresh) if puzzles is None else puzzles
            if puzzles is None and journal is not None:
                try:
                    journal.add(task_key(task), found)
                except OSError as error:
                    raise unwritable(journal.path, error.strerror) from None
            yield found
            done(number)


def _self_played(rules: Rules, seed: int, games: int) -> list[Task]:
    from korgool.training.puzzle_making import SelfPlay

    return [SelfPlay(rules.name, seed, number) for number in range(games)]


def _recorded(files: Sequence[str], game: GameChoice, bad: list[str]) -> Iterator[Task]:
    """The games of records; one that cannot be read, or is played by other rules, is told on standard error."""
    from korgool.app.cli.records import complaint, games_of
    from korgool.training.puzzle_making import RecordedGame

    for index, (file, record) in enumerate(games_of(files, game)):
        problem = None
        if record.error is not None:
            problem = complaint(file, index, record)
        elif GAMES.get(record.start.rules.name) != record.start.rules:
            problem = _at(file, index, record, N_("its rules are not the usual ones"))
        elif sum(map(sum, record.start.holes)) + sum(record.start.stores) != record.start.rules.total:
            problem = _at(file, index, record, N_("its stones do not add up"))
        if problem is not None:
            bad.append(problem)
            click.echo(f"korgool: {problem}", err=True)
        else:
            name = plain(Path(file).name)[-_LONGEST_NAME:]
            yield RecordedGame(record.start, record.moves, f"{name}, game {index}")


def _at(file: str, index: int, record: Record, reason: str) -> str:
    place = tell(N_("game {game}, line {line}"), game=index, line=record.line)
    return f"{file}: {place}: {tell(reason)}"


@command.command("check", epilog="\b\nExample:\n  korgool puzzles check puzzles.jsonl")
@click.argument("file", metavar="FILE", type=PathName())
@option("--nodes", type=click.IntRange(1), help="Nodes for each move to find; by default, 500,000.")
@threads_option
@json_option
def check_command(file: str, nodes: int | None, workers: int, as_json: bool) -> None:
    """Check every puzzle of a file: its line by the rules, its themes, and its moves by a longer search or tables.

    A FILE of - is the standard input. A line is printed for each fault, with --json one for each puzzle; the exit
    status is 1 if there is any.
    """
    from korgool.training.puzzle import PuzzleError

    place = STANDARD_INPUT if file == "-" else file
    with progress(tell(N_("checking")), None, hidden=lines_are_seen()) as done:
        seen: dict[str, int] = {}
        count = bad = 0
        for number, puzzle, faults in _checked(_puzzles_in(file), nodes, workers):
            count += 1
            reasons = [str(puzzle)] if isinstance(puzzle, PuzzleError) else [str(fault) for fault in faults]
            name = None if isinstance(puzzle, PuzzleError) else puzzle.id
            if name is not None and name in seen:
                reasons.append(f"the same position stands in line {seen[name]}")
            elif name is not None:
                seen[name] = number
            bad += bool(reasons)
            if as_json:
                emit({"line": number, "id": name, "faults": reasons})
            for reason in reasons:
                line = tell(N_("line {line}"), line=number)
                click.echo(f"korgool: {place}: {line}{f', {name}' if name else ''}: {plain(reason)}", err=True)
            done(count)
    if bad:
        raise InputError(tell(N_("{bad} of {puzzles} puzzles have faults"), bad=bad, puzzles=count))
    if not count:
        raise InputError(f"{place}: " + tell(N_("there is no puzzle in it")))
    if not as_json:
        click.echo(tell(N_("{puzzles} puzzles are right"), puzzles=count))


def _puzzles_in(file: str) -> Iterator[tuple[int, Puzzle | PuzzleError]]:
    from korgool.training.puzzle import read_puzzles

    with open_input(file) as stream:
        try:
            yield from read_puzzles(stream)
        except OSError as error:
            raise unreadable(file, error.strerror) from None


def _checked(
    puzzles: Iterable[tuple[int, Puzzle | PuzzleError]], nodes: int | None, workers: int
) -> Iterator[tuple[int, Puzzle | PuzzleError, list[Fault]]]:
    """Each puzzle with its line and its faults, in order, some of them being checked at the same time."""
    from threading import local

    from korgool.clusters import pool
    from korgool.engine import Tables
    from korgool.training.puzzle import PuzzleError
    from korgool.training.puzzle_checking import CHECK_NODES, PuzzleChecker

    own = local()

    def faults(of: tuple[int, Puzzle | PuzzleError]) -> tuple[int, Puzzle | PuzzleError, list[Fault]]:
        number, puzzle = of
        if isinstance(puzzle, PuzzleError):
            return number, puzzle, []
        made: dict[Rules, PuzzleChecker] = own.__dict__.setdefault("checkers", {})
        rules = puzzle.start.rules
        if rules not in made:
            made[rules] = PuzzleChecker(rules, Tables.shared(rules), nodes=nodes or CHECK_NODES)
        return number, puzzle, made[rules].faults(puzzle)

    with pool(workers) as place:
        yield from place.in_turn(faults, puzzles)


@command.command("list", epilog="\b\nExample:\n  korgool puzzles list --game toguz --theme make-tuz --json")
@option("--theme", type=click.Choice(list(THEMES)), help="Only puzzles with this theme.")
@option("--game", type=click.Choice(list(GAMES)), help="Only puzzles of this game; by default, all games.")
@json_option
def list_command(theme: str | None, game: str | None, as_json: bool) -> None:
    """Print the puzzles that come with the package, the easiest of each game first."""
    from korgool.training.puzzle_set import shipped_set

    for name in GAMES if game is None else (game,):
        puzzles = shipped_set(name)
        if puzzles is None:
            continue
        for at in range(len(puzzles)) if theme is None else puzzles.of_theme(theme):
            puzzle = puzzles[at]
            if as_json:
                emit(puzzle.to_json())
            else:
                moves = " ".join("/".join(map(str, accepted)) for accepted in puzzle.moves)
                themes = ", ".join(puzzle.themes)
                click.echo(f"{puzzle.id}  {puzzle.rating:>4}  {puzzle.goal:<6}  {moves}  {puzzle.start}  {themes}")

"""`korgool solve`: the exact value of a position and of every move."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from korgool.app.cli.engine_data import usual_tables
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import GameChoice, Seconds, game_options, json_option, position_option
from korgool.app.cli.output import emit, interruptible
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.engine.solving.mangala_table import NotAcyclicError, refusal
from korgool.engine.solving.proof import ProofError
from korgool.engine.solving.proof import prove as prove_start
from korgool.engine.solving.solver import BeyondLimitsError, Progress, Solution, Solver
from korgool.languages import N_
from korgool.rules import Position

BEYOND = 3
"""Exit status if there is no answer within the limits."""
USUAL_MIB, USUAL_SECONDS = 1024, 300.0


class BeyondError(click.ClickException):
    """Not solved within the limits: exit status 3."""

    exit_code = BEYOND

    def show(self, file: object = None) -> None:
        """Print the message on standard error."""
        click.echo(f"korgool: {self.format_message()}", err=True)


@click.command(
    "solve",
    epilog="\b\nExample:\n  korgool solve --game mangala\n"
    '  korgool solve --position "1,2S,1,1S,1,1S/1S,2,1S,1S,1 20 21 S 30" --json',
)
@position_option
@option(
    "--memory", type=click.IntRange(16, 1 << 20), default=USUAL_MIB, show_default=True, help="The most memory, in MiB."
)
@option(
    "--seconds",
    type=Seconds(),
    default=USUAL_SECONDS,
    show_default=True,
    help="The most time by the clock. The processor time used, of all threads, is told too.",
)
@option(
    "--threads",
    "workers",
    was=("--workers",),
    type=click.IntRange(1, 64),
    help="Threads that fill tables; by default, one for each processor.",
)
@option(
    "--prove",
    metavar="FOLDER",
    type=PathName(Takes.FOLDER, as_path=True),
    help="Solve the start of mangala without limits or book, and write a proof for benchmarks/solve_check.c.",
)
@option("--book/--no-book", default=True, help="Whether the shipped book is used, or everything proven again.")
@game_options
@json_option
def command(
    position: str | None,
    memory: int,
    seconds: float,
    workers: int | None,
    prove: Path | None,
    book: bool,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Print the final difference of the stores under perfect play, for the side to move and for each of its moves.

    The game is played out to the end, without stopping at 82 or 26 stones; a draw by repetition counts 0. Nothing is
    estimated: if the value cannot be proven within the limits, the exit status is 3. Standard error tells the time that
    it took, by the clock and of the processor (`seconds` and `cpu_seconds` with --json).
    """
    start = game.position(position)
    threads = workers or os.cpu_count() or 1
    if prove is not None:
        _prove(start, prove, threads, as_json)
        return
    # If the solver has a table of its own, it uses no other.
    needed = refusal(start.rules) is not None
    found = usual_tables(start.rules, sum(map(sum, start.holes))) if needed else None
    solver = Solver(start.rules, memory=memory << 20, workers=threads, book=book, tables=found)
    began = time.process_time()
    try:
        with _status_line() as progress:
            solution = interruptible(lambda: solver.solve(start, seconds=seconds, on_progress=progress))
    except BeyondLimitsError as error:
        said = N_(
            "not within these limits ({seconds} seconds by the clock, {memory} MiB): {reason}; {used} processor "
            "seconds were used"
        )
        used = f"{time.process_time() - began:.2f}"
        raise BeyondError(tell(said, seconds=f"{seconds:g}", memory=memory, reason=error, used=used)) from None
    used_seconds = time.process_time() - began
    if as_json:
        emit(
            {
                "game": start.rules.name,
                "position": str(start),
                "difference": solution.difference,
                "moves": {str(move): difference for move, difference in solution.moves.items()},
                "means": solution.means,
                "positions": solution.positions,
                "seconds": round(solution.seconds, 6),
                "cpu_seconds": round(used_seconds, 6),
            }
        )
        return
    _print(solution)
    took = tell(
        N_("{seconds} s by the clock, {used} processor seconds"),
        seconds=f"{solution.seconds:.2f}", used=f"{used_seconds:.2f}",
    )  # fmt: skip
    click.echo(f"korgool: {took}", err=True)


def _prove(start: Position, folder: Path, workers: int, as_json: bool) -> None:
    if start != start.rules.start():
        raise click.UsageError("--prove is about the start of the game, so --position makes no sense beside it")
    try:
        with _status_line() as progress:
            moves = interruptible(lambda: prove_start(start.rules, folder, workers=workers, on_progress=progress))
    except (NotAcyclicError, ProofError) as error:
        raise InputError(f"--prove: {error}") from None
    difference = max(moves.values())
    if as_json:
        emit({"game": start.rules.name, "difference": difference, "moves": {str(k): v for k, v in moves.items()}})
    else:
        _print(Solution(difference, moves, "search", 0, 0.0))


def _print(solution: Solution) -> None:
    for move, difference in solution.moves.items():
        given = solution.difference - difference
        text = tell(N_("gives away {stones}"), stones=given) if given else tell(N_("keeps"))
        click.echo(f"{move}: {difference:+d}  {text}")
    click.echo(f"{solution.difference:+d}")


@contextmanager
def _status_line() -> Iterator[Progress | None]:
    """A status line on the standard error of a terminal; the remaining time is unknown."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status(tell(N_("solving"))) as status:
        shown = 0.0

        def show(what: str, count: int) -> None:
            nonlocal shown
            if time.monotonic() - shown > 0.2:
                shown = time.monotonic()
                status.update(tell(N_("{step}: {count} positions"), step=what, count=f"{count:,}"))

        yield show

"""`korgool perft`: counts of move sequences, for comparing implementations of the rules."""

from __future__ import annotations

import time

import click

from korgool.app.cli.language import tell
from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option, position_option
from korgool.app.cli.output import emit, interruptible, progress
from korgool.app.cli.vocabulary import option
from korgool.languages import N_
from korgool.rules import Position

DEEPEST = 30


@click.command("perft", epilog="\b\nExample:\n  korgool perft 5 --divide --game mangala")
@click.argument("depth", type=click.IntRange(0, DEEPEST))
@position_option
@lenient_option
@option("--divide", is_flag=True, help="Split the count by the first move.")
@game_options
@json_option
def command(depth: int, position: str | None, lenient: bool, divide: bool, game: GameChoice, as_json: bool) -> None:
    """Count the sequences of exactly DEPTH plies.

    A finished game has no further plies. The last line of the plain output is the count.
    """
    start = game.position(position, lenient=lenient)
    began = time.perf_counter()
    counts = count(start, depth)
    total = sum(counts.values()) if depth else 1
    if as_json:
        answer = {
            "game": start.rules.name,
            "position": str(start),
            "depth": depth,
            "count": total,
            "seconds": round(time.perf_counter() - began, 6),
        }
        emit(answer | ({"divide": {str(move): number for move, number in counts.items()}} if divide else {}))
        return
    if divide:
        for move, number in counts.items():
            click.echo(f"{move}: {number}")
    click.echo(total)


def count(start: Position, depth: int) -> dict[int, int]:
    """The count for each first move. The last ply is counted without sowing it.

    The kernel counts the subtrees two plies down, so that Ctrl-C and the progress bar react quickly.
    """
    from korgool.engine import Kernel

    kernel = Kernel(start.rules)
    if depth == 0:
        return {}
    if depth < 3:
        return {move: kernel.perft(start.play(move), depth - 1) for move in start.legal_moves()}
    tasks = [
        (move, child.play(reply))
        for move in start.legal_moves()
        for child in [start.play(move)]
        for reply in child.legal_moves()
    ]
    counts = dict.fromkeys(start.legal_moves(), 0)
    with progress(tell(N_("counting {depth} plies"), depth=depth), len(tasks)) as done:
        for number, (move, position) in enumerate(tasks, 1):
            counts[move] += interruptible(lambda position=position: kernel.perft(position, depth - 2))  # type: ignore[misc]
            done(number)
    return counts

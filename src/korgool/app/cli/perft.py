"""`korgool perft` and `korgool bench`: counts of move sequences, and a fixed search that measures the speed."""

from __future__ import annotations

import time

import click

from korgool.app.cli.language import spoken, tell
from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option, position_option
from korgool.app.cli.output import emit, interruptible, progress
from korgool.app.cli.vocabulary import option
from korgool.app.words.games import GAME_NAMES
from korgool.languages import N_
from korgool.rules import Position, Rules

DEEPEST = 30


@click.command("perft", epilog="\b\nExample:\n  korgool perft 5 --divide --game mangala")
@click.argument("depth", type=click.IntRange(0, DEEPEST))
@position_option
@lenient_option
@option("--divide", is_flag=True, help="Split the count by the first move.")
@game_options
@json_option
def perft_command(
    depth: int, position: str | None, lenient: bool, divide: bool, game: GameChoice, as_json: bool
) -> None:
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
    with progress(tell(N_("counting to depth {depth}"), depth=depth), len(tasks)) as done:
        for number, (move, position) in enumerate(tasks, 1):
            counts[move] += interruptible(lambda position=position: kernel.perft(position, depth - 2))  # type: ignore[misc]
            done(number)
    return counts


DEPTH = 18
POSITIONS = 12


@click.command("bench", epilog="\b\nExample:\n  korgool bench --depth 12 --json")
@option(
    "--depth", type=click.IntRange(1, 40), default=DEPTH, show_default=True, help="Depth of every search, in plies."
)
@game_options
@json_option
def bench_command(depth: int, game: GameChoice, as_json: bool) -> None:
    """Search fixed positions to a fixed depth.

    The number of nodes is the same on every machine; if it changes, the search has changed. The speed is given in nodes
    per second of processor time, in one thread.
    """
    from korgool.engine import Engine, Limits

    positions = bench_positions(game.rules)
    engine = Engine(game.rules, tables=None)  # the count must not depend on what a user has built
    nodes, began = 0, time.process_time()
    with progress(tell(N_("searching")), len(positions)) as done:
        for number, position in enumerate(positions, 1):
            engine.clear()
            nodes += interruptible(lambda at=position: engine.analyse(at, Limits(depth=depth)), engine.stop).nodes  # type: ignore[misc]
            done(number)
    seconds = time.process_time() - began
    speed = round(nodes / seconds) if seconds else 0
    if as_json:
        emit(
            {
                "game": game.rules.name,
                "depth": depth,
                "positions": len(positions),
                "nodes": nodes,
                "cpu_seconds": round(seconds, 3),
                "nodes_per_cpu_second": speed,
            }
        )
    else:
        title = game.rules.title if spoken() == "en" else tell(GAME_NAMES[game.rules.name])
        said = N_("{count} positions of {game}, depth {depth}")
        click.echo(tell(said, count=len(positions), game=title, depth=depth))
        said = N_("{nodes} nodes\n{seconds} s of processor time\n{speed} nodes per second of it")
        click.echo(tell(said, nodes=nodes, seconds=f"{seconds:.2f}", speed=speed))


def bench_positions(rules: Rules) -> list[Position]:
    """Positions from all phases of a game, always the same: taken from games played by a fixed rule."""
    found = [rules.start()]
    state = 1
    for _ in range(200):  # under unusual rules games may be too short for all positions
        position, stations = rules.start(), (2 * len(found), 5 * len(found))
        for ply in range(1, stations[1] + 1):
            moves = position.legal_moves()
            state = state * 1103515245 + 12345 & 0x7FFFFFFF
            position = position.play(moves[(state >> 16) % len(moves)])
            if position.outcome() is not None:
                break
            if ply in stations and position not in found:
                found.append(position)
    return found[:POSITIONS]

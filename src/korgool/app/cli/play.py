"""`korgool play`: a game against the engine in the terminal."""

from __future__ import annotations

from random import Random

import click

from korgool.app.cli.options import GameChoice, Seconds, game_options, lenient_option, position_option
from korgool.rules import Side

PERFECT = "perfect"


@click.command(
    "play", epilog="\b\nExamples:\n  korgool play --level 4 --side black\n  korgool play --game mangala -o game.pgn"
)
@click.option(
    "--level",
    type=click.Choice([*map(str, range(1, 9)), PERFECT]),
    default="3",
    show_default=True,
    help="Strength of the engine; perfect plays exactly where it can, which is nearly everywhere in mangala.",
)
@click.option(
    "--side",
    type=click.Choice(["white", "black", "random"]),
    default="white",
    show_default=True,
    help="Your side; White starts.",
)
@click.option("--seconds", type=Seconds(), help="The most time the engine takes for a move.")
@click.option("--book", is_flag=True, help="Let the engine play from its opening book, at any level.")
@click.option("--seed", type=int, help="Make the engine's chance repeatable.")
@click.option("-o", "--output", metavar="FILE", help="Write the record of the game there at the end.")
@position_option
@lenient_option
@game_options
def command(
    level: str,
    side: str,
    seconds: float | None,
    book: bool,
    seed: int | None,
    output: str | None,
    position: str | None,
    lenient: bool,
    game: GameChoice,
) -> None:
    """Play a game against the engine.

    A move is a hole number. `help` lists the other words: undo, hint, moves, resign and more.
    """
    from korgool.app.cli.book import check_book
    from korgool.app.cli.table import Table

    start = game.position(position, lenient=lenient)
    if book:
        check_book(start.rules)
    random = Random(seed)
    human = random.choice(list(Side)) if side == "random" else Side[side.upper()]
    Table(
        start,
        human,
        None if level == PERFECT else int(level),
        seconds,
        random,
        output,
        book=book,
    ).run()

"""`korgool engine`: the engine for other programs, by the UGI protocol."""

from __future__ import annotations

import io
import sys
from typing import TextIO, cast

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.options import GameChoice, game_options
from korgool.app.cli.vocabulary import option

EPILOG = """\b
Example:
  printf 'ugi\\ngo movetime 500\\n' | korgool engine
  korgool engine --check-program "python3 my_engine.py\""""


@click.command("engine", epilog=EPILOG)
@game_options
@option(
    "--check-program",
    "check",
    was=("--check",),
    metavar="CMD",
    help="Instead of playing, check whether another program implements UGI correctly.",
)
@option("--seed", type=int, help="Make the random choices of levels below 8 and of the book repeatable.")
@option("--book", is_flag=True, help="Play from the opening book, as `setoption name book value true` does.")
def command(game: GameChoice, check: str | None, seed: int | None, book: bool) -> None:
    """Speak UGI, the Universal Game Interface, on standard input and output.

    Moves are hole numbers. `ugi` lists the options; `setoption name game value mangala` changes the game. Without
    --game, a position with 6 or 5 holes a side is read as mangala or bestemshe.

    --check-program tests another program. It also plays random opponents on clocks without an increment: 1 s without
    lag, and 3 s and 10 s with 20 ms and 100 ms deducted for each move. The lag is not waited for, so these games take
    at most 14 seconds of the program's time.
    """
    if check is not None:
        _check(check, game, seed)
        return
    from korgool.engine.ugi import Ugi

    session = Ugi(_text_in(), sys.stdout or io.StringIO(), game.named, seed)
    for chosen in game.options:
        # Set it as the other program would, so that it applies to every game that follows.
        name, _, value = chosen.partition("=")
        session.obey(["setoption", "name", name.strip(), "value", value.strip()])
    if book:
        session.obey(["setoption", "name", "book", "value", "true"])
    session.run()


def _check(command: str, game: GameChoice, seed: int | None) -> None:
    """Check another program and print each finding; exit with status 1 if one is bad."""
    from korgool.engine.arena import check_engine

    bad = 0
    for finding in check_engine(command, game.rules, seed=1 if seed is None else seed):
        click.echo(
            f"{'ok  ' if finding.passed else 'FAIL'} {finding.what}{': ' if finding.detail else ''}{finding.detail}"
        )
        bad += not finding.passed
    if bad:
        raise InputError(f"{bad} of the trials went wrong")


def _text_in() -> TextIO:
    """Standard input as text; it accepts any bytes, so that invalid input is answered and does not end the session."""
    if sys.stdin is None:
        return io.StringIO()
    binary = getattr(sys.stdin, "buffer", None)
    return sys.stdin if binary is None else cast(TextIO, io.TextIOWrapper(binary, "utf-8", "replace"))

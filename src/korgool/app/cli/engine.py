"""`korgool engine`: the engine for other programs."""

from __future__ import annotations

import io
import sys
from typing import TextIO, cast

import click

from korgool.app.cli.options import GameChoice, game_options

EPILOG = """\b
Example:
  printf 'ugi\\ngo movetime 500\\n' | korgool engine"""


@click.command("engine", epilog=EPILOG)
@game_options
@click.option("--seed", type=int, help="Make the chance of the levels below 8 repeatable.")
def command(game: GameChoice, seed: int | None) -> None:
    """Speak UGI, the Universal Game Interface, on standard input and output.

    Moves are hole numbers. `ugi` lists the options; `setoption name game value mangala` changes the game. Without
    --game a position with 6 or 5 holes a side is read as mangala or bestemshe.
    """
    from korgool.engine.ugi import Ugi

    session = Ugi(_text_in(), sys.stdout or io.StringIO(), game.named, seed)
    for option in game.options:
        # As the other program would set it, so that it holds for whatever game comes.
        name, _, value = option.partition("=")
        session.obey(["setoption", "name", name.strip(), "value", value.strip()])
    session.run()


def _text_in() -> TextIO:
    """Standard input as text; any bytes can be read so, and rubbish is answered and does not end the session."""
    if sys.stdin is None:
        return io.StringIO()
    binary = getattr(sys.stdin, "buffer", None)
    return sys.stdin if binary is None else cast(TextIO, io.TextIOWrapper(binary, "utf-8", "replace"))

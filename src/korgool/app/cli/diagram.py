"""`korgool diagram`: a board as a picture."""

from __future__ import annotations

import click

from korgool.app.cli.options import GameChoice, game_options, lenient_option, position_option
from korgool.app.cli.output import write_whole

EPILOG = """\b
Example:
  korgool diagram --game bestemshe --position '6S,6S,1,1S,6S/6S,1S,1,6S,6S 6 6 S 2' -o board.svg"""


@click.command("diagram", epilog=EPILOG)
@position_option
@lenient_option
@click.option("-o", "--output", required=True, metavar="FILE.svg|.png", help="Where to write; - prints the SVG.")
@game_options
def command(position: str | None, lenient: bool, output: str, game: GameChoice) -> None:
    """Draw a position as SVG or PNG, depending on the extension of the file name."""
    ending = output.lower().rpartition(".")[2]
    if output != "-" and ending not in ("svg", "png"):
        raise click.UsageError(f"-o {output}: the name must end in .svg or .png")
    board = game.position(position, lenient=lenient)
    if ending == "png":
        from korgool.notation.png import png_board

        write_whole(output, png_board(board))
        return
    from korgool.notation.svg import svg_board

    text = svg_board(board)
    write_whole(output, (text if text.endswith("\n") else text + "\n").encode())

"""`korgool diagram`: a board as a picture."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option, position_option
from korgool.app.cli.output import emit, write_whole
from korgool.app.cli.vocabulary import option

if TYPE_CHECKING:
    from korgool.notation.svg import Hole
    from korgool.rules import Position

EPILOG = """\b
Example:
  korgool diagram --game bestemshe --position '6S,6S,1,1S,6S/6S,1S,1,6S,6S 6 6 S 2' -o board.svg
  korgool diagram --arrow 7 --arrow a2e1 --mark f2 -o plan.svg"""
_ARROW = re.compile(r"([a-iA-I][12])([a-iA-I][12]|0)")


@click.command("diagram", epilog=EPILOG)
@position_option
@lenient_option
@option(
    "--arrow",
    "arrows",
    multiple=True,
    metavar="MOVE",
    help="Draw an arrow: for a move of the side to move by its hole number, or from hole to hole in coordinates such "
    "as f1e2, with 0 for the own store. Can be repeated.",
)
@option(
    "--mark",
    "marks",
    multiple=True,
    metavar="HOLE",
    help="Mark a hole: of the side to move by its number, or in coordinates such as e2. Can be repeated.",
)
@option("-o", "--output", required=True, metavar="FILE.svg|.png", help="Where to write; - prints the SVG.")
@game_options
@json_option
def command(
    position: str | None, lenient: bool, arrows: tuple[str, ...], marks: tuple[str, ...], output: str, game: GameChoice,
    as_json: bool,
) -> None:  # fmt: skip
    """Draw a position as SVG or PNG, depending on the extension of the file name."""
    ending = output.lower().rpartition(".")[2]
    if output != "-" and ending not in ("svg", "png"):
        raise click.UsageError(f"-o {output}: the name must end in .svg or .png")
    board = game.position(position, lenient=lenient)
    lines, rings = [_arrow(text, board) for text in arrows], [_hole(text, board, "--mark") for text in marks]
    if ending == "png":
        from korgool.notation.png import png_board

        content = png_board(board, arrows=lines, marks=rings)
    else:
        from korgool.notation.svg import svg_board

        text = svg_board(board, arrows=lines, marks=rings)
        content = (text if text.endswith("\n") else text + "\n").encode()
    write_whole(output, content)
    if as_json and output != "-":
        emit({"position": str(board), "output": output, "bytes": len(content)})


def _arrow(text: str, board: Position) -> tuple[Hole, Hole]:
    """From where to where an arrow leads."""
    if text.isdecimal():
        try:
            sowing = board.sow(text)
        except ValueError as error:
            raise click.UsageError(f"--arrow {text}: {error}") from None
        return (sowing.mover, sowing.hole), (sowing.last.side, sowing.last.hole)
    match = _ARROW.fullmatch(text)
    if match is None:
        raise click.UsageError(f"--arrow {text}: an arrow is a hole number or coordinates such as f1e2")
    start = _hole(match[1], board, "--arrow")
    return start, (start[0], 0) if match[2] == "0" else _hole(match[2], board, "--arrow")


def _hole(text: str, board: Position, option: str) -> Hole:
    """A hole by its number, of the side to move, or by coordinates."""
    from korgool.notation import NotationError, parse_place

    if text.isdecimal():
        if len(text) > 1 or not 1 <= int(text) <= board.rules.holes:
            raise click.UsageError(f"{option} {text}: holes are numbered 1 to {board.rules.holes}")
        return board.to_move, int(text)
    try:
        return parse_place(text, board.rules.holes)
    except NotationError as error:
        raise click.UsageError(f"{option} {text}: {error}") from None

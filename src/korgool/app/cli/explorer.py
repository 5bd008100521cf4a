"""`korgool explorer`: the moves that were played in a position, in any number of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from korgool.app.cli.group import InputError, NearGroup
from korgool.app.cli.language import tell
from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option, position_option
from korgool.app.cli.output import emit, plain, progress
from korgool.app.cli.records import complaint, games_of
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.languages import N_
from korgool.training.explorer import ExplorerError, PlayedGame, PlayedMove, open_explorer, writing


class _FileOrCommand(NearGroup):
    """A group whose first word may be a file: `korgool explorer FILE` is `korgool explorer ask FILE`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the word `ask` before what begins with no command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["ask", *args]
        return super().parse_args(ctx, args)


@click.group(
    "explorer",
    cls=_FileOrCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n  korgool explorer build games.pgn -o games.explorer\n"
    '  korgool explorer games.explorer --position "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"',
)
def command() -> None:
    """Build a file of many games, and ask it for the moves that were played in a position.

    `korgool explorer FILE` is short for `korgool explorer ask FILE`.
    """


@command.command("build", epilog="\b\nExample:\n  korgool explorer build games.pgn more.pgn -o games.explorer")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@option(
    "-o", "--output", required=True, metavar="FILE", type=PathName(Takes.NEW_FILE, as_path=True), help="The new file."
)
@lenient_option
@game_options
@json_option
def build_command(files: Sequence[str], output: Path, lenient: bool, game: GameChoice, as_json: bool) -> None:
    """Build an explorer of game records in any dialect; `-` is the standard input.

    Of a game that cannot be read to its end the moves before the error are taken in, and the exit status is 1.
    """
    bad = 0
    try:
        with writing(output) as explorer, progress(tell(N_("building")), None) as done:
            for index, (file, record) in enumerate(games_of(files, game, lenient=lenient)):
                if record.error is not None:
                    bad += 1
                    click.echo(f"korgool: {complaint(file, index, record)}", err=True)
                explorer.add(record)
                done(explorer.count)
    except ExplorerError as error:
        raise InputError(f"{output}: {error}") from None
    if as_json:
        emit({"file": str(output), "games": explorer.count, "bad": bad, "bytes": output.stat().st_size})
    else:
        said = N_("{file}: games {games}, {size} bytes")
        click.echo(tell(said, file=output, games=explorer.count, size=output.stat().st_size))
    if bad:
        raise click.exceptions.Exit(1)


@command.command("ask", epilog="\b\nExample:\n  korgool explorer games.explorer --json")
@click.argument("file", metavar="FILE", type=PathName(as_path=True))
@position_option
@lenient_option
@game_options
@json_option
def ask_command(file: Path, position: str | None, lenient: bool, game: GameChoice, as_json: bool) -> None:
    """Print the moves that were played in a position, and some of the games.

    Each move has the number of its games, the wins of White, the draws, the wins of Black, the mean rating of those who
    made it, and the date of the latest game.
    """
    asked = game.position(position, lenient=lenient)
    try:
        with open_explorer(file) as explorer:
            played = explorer.ask(asked)
    except ExplorerError as error:
        raise InputError(f"{file}: {error}") from None
    if as_json:
        emit({"moves": [asdict(move) for move in played.moves], "games": [asdict(game) for game in played.games]})
    elif not played.moves and not played.games:
        click.echo(tell(N_("No game has had this position.")))
    else:
        for line in (*map(_move_line, played.moves), *map(_game_line, played.games)):
            click.echo(line)


def _move_line(move: PlayedMove) -> str:
    rating = "" if move.rating is None else str(move.rating)
    results = f"+{move.white} ={move.draws} -{move.black}"
    return f"{move.move}  {move.games:>7}  {results}  {rating:>4}  {move.last or ''}".rstrip()


def _game_line(game: PlayedGame) -> str:
    def name(text: str | None, rating: int | None) -> str:
        return (text or "?") + ("" if rating is None else f" ({rating})")

    names = f"{name(game.white, game.white_rating)} - {name(game.black, game.black_rating)}"
    line = "  ".join(filter(None, (game.result, names, game.event, game.date)))
    return plain(line)

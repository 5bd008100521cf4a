"""`korgool convert`: game records from one dialect into another."""

from __future__ import annotations

import sys

import click

from korgool.app.cli.language import tell
from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option
from korgool.app.cli.output import lines_are_seen, progress, whole_file
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_
from korgool.notation.writing import DIALECTS, write_record

_PLACE = N_("game {game}, line {line}")


@click.command("convert", epilog="\b\nExample:\n  korgool convert games.pgn --to bare -o games.txt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@option("--to", "dialect", type=click.Choice(DIALECTS), required=True, help="The dialect to write.")
@option("-o", "--output", default="-", metavar="FILE", help="Where to write; by default, the standard output.")
@lenient_option
@game_options
@json_option
def command(files: tuple[str, ...], dialect: str, output: str, lenient: bool, game: GameChoice, as_json: bool) -> None:
    """Read game records of any dialect and write them in another one.

    A FILE of - is the standard input. A game that does not fit the rules, or that the other dialect cannot express, is
    reported on standard error and left out. The others are written, and the exit status is 1. With --json every game is
    a line: its index, file and record, or the error.
    """
    import msgspec

    from korgool.app.cli.records import complaint, games_of

    bad = False
    hidden = output == "-" and lines_are_seen()
    with whole_file(output) as write, progress(tell(N_("converting")), None, hidden=hidden) as done:
        for index, (file, record) in enumerate(games_of(files, game, lenient=lenient)):
            problem = complaint(file, index, record) if record.error is not None else None
            if problem is None:
                try:
                    text = write_record(record, dialect)
                except ValueError as error:
                    problem = f"{file}: {tell(_PLACE, game=index, line=record.line)}: {error}"
            if as_json:
                line = {"index": index, "file": file, "record": text if problem is None else None, "error": problem}
                write(msgspec.json.encode(line) + b"\n")
            elif problem is None:
                write((text if text.endswith("\n") else text + "\n").encode())
            if problem is not None:
                bad = True
                click.echo(f"korgool: {problem}", err=True)
            if index % 512 == 511:
                done(index + 1)
    if bad:
        sys.exit(1)

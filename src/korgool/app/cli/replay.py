"""`korgool replay` and `korgool convert`: checks game records, and writes them in another dialect."""

from __future__ import annotations

import sys
from typing import Any

import click

from korgool.app.cli.language import plies, tell, value
from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option
from korgool.app.cli.output import binary_out, lines_are_seen, progress, whole_file
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_
from korgool.notation.writing import DIALECTS, write_record

EPILOG = """\b
Examples:
  korgool replay games.pgn --json > games.jsonl
  echo 796817 | korgool replay - --json"""


@click.command("replay", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@lenient_option
@game_options
@json_option
def replay_command(files: tuple[str, ...], lenient: bool, game: GameChoice, as_json: bool) -> None:
    """Replay game records of any dialect and print a line for each game.

    A FILE of - is the standard input; games are numbered from 0 over all files. For a game that does not fit the rules,
    the line gives the ply and the reason, which are also reported on standard error; the other games follow, and the
    exit status is 1. Other data in a record that contradicts the board causes a warning there.
    """
    import msgspec

    from korgool.app.cli.records import complaint, games_of, record_line

    encode = msgspec.json.Encoder().encode
    out = binary_out()
    bad = False
    try:
        with progress(tell(N_("replaying")), None, hidden=lines_are_seen()) as done:
            for index, (file, record) in enumerate(games_of(files, game, lenient=lenient)):
                line = {"index": index, "file": file, **record_line(record)}
                if record.error is not None:
                    bad = True
                    click.echo(f"korgool: {complaint(file, index, record)}", err=True)
                for warning in record.warnings:
                    said = N_("game {game}, line {line}, warning: {warning}")
                    text = tell(said, game=index, line=record.line, warning=warning)
                    click.echo(f"korgool: {file}: {text}", err=True)
                out.write(encode(line) + b"\n" if as_json else (_plain(line) + "\n").encode())
                if index % 512 == 511:
                    done(index + 1)
    finally:
        out.flush()
    if bad:
        sys.exit(1)


def _plain(line: dict[str, Any]) -> str:
    from korgool.app.words.event_texts import halves_said

    ending = halves_said(line["result_text"] or line["result"])
    why = f", {value(line['termination'])}" if line["termination"] else ""
    error = ""
    if line["error"]:
        said = N_("error at ply {ply}: {reason}")
        error = "  " + tell(said, ply=line["error"]["ply"], reason=line["error"]["reason"])
    return f"{line['index']}  {line['game']}  {plies(line['plies'])}  {ending}{why}  {line['position']}{error}"


_PLACE = N_("game {game}, line {line}")


@click.command("convert", epilog="\b\nExample:\n  korgool convert games.pgn --to bare -o games.txt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@option("--to", "dialect", type=click.Choice(DIALECTS), required=True, help="The dialect to write.")
@option("-o", "--output", default="-", metavar="FILE", help="Where to write; by default, the standard output.")
@lenient_option
@game_options
@json_option
def convert_command(
    files: tuple[str, ...], dialect: str, output: str, lenient: bool, game: GameChoice, as_json: bool
) -> None:
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

"""`korgool study`: checks the file of a study, and prints it as a booklet."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import language_option, spoken, tell
from korgool.app.cli.options import GameChoice, game_options, json_option
from korgool.app.cli.output import emit, is_folder, unreadable, write_whole
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_
from korgool.training.study import LONGEST_STUDY, Study, StudyError, read_study

PAPERS = ("a4", "a5")


@click.group(
    "study",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  korgool study print lesson.pgn -o lesson.pdf --language ky",
)
def command() -> None:
    """Check a study, chapters of annotated games and positions, and print it as a booklet."""


@command.command("check", epilog="\b\nExample:\n  korgool study check lesson.pgn")
@click.argument("file", metavar="FILE", type=PathName())
@game_options
@json_option
def check_command(file: str, game: GameChoice, as_json: bool) -> None:
    """Print the chapters of a study; any file of games is one, each game a chapter."""
    study = _study(file, game)
    if as_json:
        chapters = [
            {
                "title": one.title,
                "game": one.record.start.rules.name,
                "plies": len(one.record.moves),
                "concealed": one.concealed,
            }
            for one in study.chapters
        ]
        emit({"title": study.title, "author": study.author, "language": study.language, "chapters": chapters})
        return
    for number, one in enumerate(study.chapters, 1):
        title = "".join(letter for letter in one.title if letter.isprintable())
        click.echo(f"{number:>2}  {one.record.start.rules.name}  {title}".rstrip())


@command.command(
    "print",
    epilog="\b\nExamples:\n  korgool study print lesson.pgn -o lesson.pdf\n"
    "  korgool study print lesson.pgn -o small.pdf --paper a5",
)
@click.argument("file", metavar="FILE", type=PathName())
@option("-o", "--output", required=True, metavar="OUT.pdf", help="Where to write; - is the standard output.")
@language_option
@option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="Size of the paper.")
@game_options
@json_option
def print_command(file: str, output: str, paper: str, game: GameChoice, as_json: bool) -> None:
    """Print a study as a booklet: a title page, and its chapters with moves, comments, branches and diagrams.

    A diagram stands at a start that was set up, at the end of each chapter, and where the mark $220, [#] in a comment,
    arrows or rings ask for one.
    """
    if file != "-" and Path(output).exists() and Path(file).exists() and Path(output).samefile(file):
        raise click.UsageError(f"-o {output}: that is the study itself, which the booklet would replace")
    study = _study(file, game)
    from korgool.app.printing import study_pdf

    try:
        content = study_pdf(study, language=spoken(), paper=paper)
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    write_whole(output, content)
    if as_json and output != "-":
        emit({"chapters": len(study.chapters), "output": output, "bytes": len(content)})


def _study(file: str, game: GameChoice) -> Study:
    """The study in a file; `-` is the standard input.

    Raises:
        InputError: it is missing, cannot be read, or is no study.
    """
    try:
        if file == "-":
            data = b"" if sys.stdin is None else sys.stdin.buffer.read(LONGEST_STUDY + 1)
        elif Path(file).is_dir():
            raise is_folder(file)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(LONGEST_STUDY + 1)
        text = data.decode("utf-8-sig", "strict" if len(data) <= LONGEST_STUDY else "replace")
        return read_study(text, game.rules if game.options else game.named)
    except OSError as error:
        raise unreadable(file, error.strerror) from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: " + tell(N_("the file is no text in UTF-8"))) from None
    except (StudyError, ValueError) as error:
        raise InputError(f"{file}: {error}") from None

"""`korgool sheet`: the record form of a game, blank or filled, as PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.forms import ADDRESS
from korgool.app.cli.group import InputError
from korgool.app.cli.language import language_option, spoken, tell
from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option
from korgool.app.cli.output import emit, write_whole
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.app.printing import RecordForm

PAPERS = ("a4", "a5")
MOST_FORMS = 200
"""The most games in one document, more than the boards of a round; typesetting takes 8 MiB of memory a page."""
EPILOG = (
    """\b
Examples:
  korgool sheet -o blank.pdf --language ky --tag Event="World Nomad Games" --tag Round=3
  korgool sheet game.pgn -o game.pdf --language kk --paper a5
  korgool sheet --from-log game.jsonl -o game.pdf --tag White="Family, Given"""
    ""
)


def _named(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """The `NAME=VALUE` of `--tag`; names must have a place on the form."""
    if not values:
        return {}
    from korgool.app.printing.record_form import TAGS

    tags: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or name not in TAGS:
            raise click.BadParameter(f"{value[:60]!r} is not NAME=VALUE with one of the names {', '.join(TAGS)}.")
        tags[name] = text
    return tags


@click.command("sheet", epilog=EPILOG)
@click.argument("record", required=False, metavar="[RECORD]", type=PathName())
@option("-o", "--output", required=True, metavar="OUT.pdf", help="Where to write; - is the standard output.")
@language_option
@option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="Size of the paper.")
@option(
    "--tag",
    "tags",
    multiple=True,
    callback=_named,
    metavar="NAME=VALUE",
    help="Fill in a part of the head, such as Round=3; repeatable.",
)
@option(
    "--from-log", "log", was=("--log",), is_flag=True, help="RECORD is a referee's log, as `korgool referee` reads it."
)
@option("--base-url", type=ADDRESS, metavar="URL", help="Address of a page that shows games, for the QR code.")
@lenient_option
@game_options
@json_option
def command(
    record: str | None,
    output: str,
    paper: str,
    tags: dict[str, str],
    log: bool,
    base_url: str | None,
    lenient: bool,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Print the record form of a game as PDF: blank, or filled in with the games of RECORD.

    A RECORD of - is the standard input. All its games must be of the same kind. The head of the form is filled from the
    tags of each record, and from --tag where a record has none. The QR code of a filled form holds the moves and the
    result.

    With --from-log, RECORD is the log of one game or match: draw offers, warnings and the time used are filled in from
    it, and every set has its own form.
    """
    if log and record is None:
        raise click.UsageError("--from-log needs the file of the log, or - for the standard input")
    if record not in (None, "-") and Path(output).exists() and Path(output).samefile(str(record)):
        raise click.UsageError(f"-o {output}: that is the record itself, which the form would replace")
    if record is None:
        forms = [_blank(game, tags)]
    else:
        forms = _judged(record, game, tags) if log else _filled(record, game, tags, lenient)
    from korgool.app.printing import form_pdf

    try:
        content = form_pdf(forms, language=spoken(), paper=paper, base_url=base_url)
    except ValueError as error:
        name = record or tell(N_("the form"))
        raise InputError(f"{name}: {error}") from None
    write_whole(output, content)
    if as_json and output != "-":
        emit({"forms": len(forms), "output": output, "bytes": len(content)})


def _blank(game: GameChoice, tags: dict[str, str]) -> RecordForm:
    from korgool.app.printing import RecordForm

    return RecordForm.of_tags(game.rules, tags)


def _filled(file: str, game: GameChoice, tags: dict[str, str], lenient: bool) -> list[RecordForm]:
    from korgool.app.cli.records import complaint, games_of
    from korgool.app.printing import RecordForm

    forms: list[RecordForm] = []
    for index, (name, record) in enumerate(games_of([file], game, lenient=lenient)):
        if record.error is not None:
            raise InputError(complaint(name, index, record))
        if index == MOST_FORMS:
            said = tell(N_("it has more than {most} games; print them in parts"), most=MOST_FORMS)
            raise InputError(f"{name}: {said}")
        forms.append(RecordForm.of_record(record, tags))
    if not forms:
        raise InputError(f"{file}: " + tell(N_("there is no game in it")))
    return forms


def _judged(file: str, game: GameChoice, tags: dict[str, str]) -> list[RecordForm]:
    """A form for the game in a referee's log, or for each set of its match."""
    from korgool.app.cli.referee import log_lines
    from korgool.app.printing import RecordForm
    from korgool.conduct.log import judge
    from korgool.conduct.ruling import Refusal
    from korgool.conduct.state import GameState

    state, sets = GameState(), list[GameState]()
    for judged in judge(log_lines(file), game.rules):
        if isinstance(judged.answer, Refusal):
            line = tell(N_("line {line}"), line=judged.line)
            raise InputError(f"{file}: {line}: {judged.answer.reason}")
        after = judged.state.match
        if after is not None and state.match is not None and len(after.outcomes) > len(state.match.outcomes):
            sets.append(state)
        state = judged.state
    try:
        return [RecordForm.of_state(one, tags) for one in (*sets, state)]
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None

"""`korgool event export`, `print` and `log`: files, papers and the log of an event."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from korgool.app.cli.event_common import (
    file_argument,
    file_of_group,
    named,
    opened,
    reading,
    said,
    state_of,
    warning,
)  # fmt: skip
from korgool.app.cli.event_photo import emblem_of
from korgool.app.cli.forms import ADDRESS, SEPARATOR
from korgool.app.cli.group import InputError
from korgool.app.cli.language import spoken, tell
from korgool.app.cli.output import binary_out, emit, unreadable, write_whole
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from korgool.app.printing import PaperContext
    from korgool.competition.csv_export import EventTable
    from korgool.competition.event_state import EventState
    from korgool.competition.storage.event_file import EventFile

SIZES = ("a4", "a5", "a3")
MOST_TEMPLATE = 20_000
TABLES = ("players", "pairings", "standings", "crosstable", "teams")
"""The names of `csv_export.TABLES`, which is loaded only when a table is written."""


@click.command("export")
@file_of_group
@option("--trf", metavar="OUT", help="FIDE's tournament report file.")
@option(
    "--trf-edition",
    "edition",
    was=("--edition",),
    type=click.Choice(("2026", "2016")),
    default="2026",
    show_default=True,
    help="Edition of the TRF.",
)
@option("--reasons", is_flag=True, help="Reasons for warnings, penalties and dismissals in the TRF too.")
@option("--csv", "csv_out", metavar="OUT", help="All tables into the folder OUT, or with --table one into OUT.")
@option("--xlsx", metavar="OUT", help="All tables as sheets of a workbook, or with --table one of them.")
@option("--table", type=click.Choice(TABLES), help="Which table --csv and --xlsx write.")
@option("--delimiter", type=SEPARATOR, metavar="CHARACTER",
              help="Separator of the CSV, by default a comma; tab is a tab. With ; decimals have a comma.")  # fmt: skip
@option("--bom", is_flag=True, help="The mark of UTF-8 at the beginning of the CSV, for spreadsheets.")
@option("--records", metavar="OUT", help="All attached game records in one file.")
@option("--whole", "data", was=("--data",), metavar="OUT", help="Everything as JSON, which `import` reads back.")
@option("--with-personal", "personal", was=("--personal",), is_flag=True, help="Include personal data in the JSON.")
@option("--no-names", is_flag=True, help="Leave names and all else that is removable out of the JSON.")
@option("--round", "number", type=click.IntRange(1, 99), metavar="N", help="After round N, or of round N.")
@reading
def export_command(
    path: str, trf: str | None, edition: str, reasons: bool, csv_out: str | None,
    xlsx: str | None, table: str | None, delimiter: str | None, bom: bool,
    records: str | None, data: str | None, personal: bool, no_names: bool, number: int | None, at: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Write an event for other programs; an OUT of - is the standard output.

    --json alone prints everything as one JSON object. Together with files to write, it reports what was written, and in
    left_out what a TRF has no place for. For --trf-edition 2016, which has no record of penalties, this is always
    reported.

    \b
    Example:
      korgool event export cup.korgool --trf cup.trf --records games.pgn
      korgool event export cup.korgool --csv standings.csv --table standings --round 5
      korgool event export cup.korgool --xlsx cup.xlsx
    """
    outputs = {"trf": trf, "csv": csv_out, "xlsx": xlsx, "records": records, "data": data}
    if not any(outputs.values()) and not as_json:
        raise click.UsageError("Say what to write: --trf, --csv, --xlsx, --records, --whole or --json.")
    if table is not None and csv_out is None and xlsx is None:
        raise click.UsageError("--table needs --csv or --xlsx.")
    if csv_out is None and (delimiter is not None or bom):
        raise click.UsageError("--delimiter and --bom need --csv.")
    for word, given in (("--with-personal", personal), ("--no-names", no_names)):
        if given and data is None and (not as_json or any(outputs.values())):
            raise click.UsageError(f"{word} belongs to the JSON of everything.")
    if reasons and trf is None:
        raise click.UsageError("--reasons belongs to --trf.")
    if personal and no_names:
        raise click.UsageError("--with-personal and --no-names exclude each other.")
    for out in filter(None, outputs.values()):
        if out != "-" and Path(out).exists() and Path(out).is_file() and Path(out).samefile(path):
            raise click.UsageError(f"{out}: that is the event itself, which the export would replace.")
    written: dict[str, Any] = {}
    whole = not any(out for name, out in outputs.items() if name != "data")
    with opened(path, whole=whole) as file:
        if at is not None and (data or not any(outputs.values())):
            raise click.UsageError("JSON holds the whole log; --at is for the other exports.")
        with state_of(path, at, whole=whole) as state:
            if trf is not None:
                report, lacks = _trf(state, edition, number, reasons)
                write_whole(trf, report)
                written["left_out"] = list(lacks)
                for one in lacks if edition == "2016" and not as_json else ():
                    warning(tell(N_("TRF16 has no place for {data}"), data=one), trf)
            if csv_out is not None:
                _csv(csv_out, table, state, number, delimiter or ",", bom)
            if xlsx is not None:
                write_whole(xlsx, _workbook(table, state, number))
            if records is not None:
                text, written["games"] = _records(path, state, number)
                write_whole(records, text.encode())
        if data is not None:
            write_whole(data, _everything(file, personal, not no_names))
        elif as_json and not any(outputs.values()):
            binary_out().write(_everything(file, personal, not no_names))
            return
    written = {name: out for name, out in outputs.items() if out is not None} | written
    if as_json and "-" not in outputs.values():
        emit(written)


def _everything(file: EventFile, personal: bool, details: bool) -> bytes:
    from korgool.competition.json_export import write_json

    return write_json(file, personal=personal, details=details)


def _trf(state: EventState, edition: str, number: int | None, reasons: bool) -> tuple[bytes, tuple[str, ...]]:
    from korgool.competition.trf import left_out, write_trf

    chosen: Literal["2016", "2026"] = "2016" if edition == "2016" else "2026"
    text = write_trf(state, edition=chosen, rounds=number, reasons=reasons)
    return text.encode(), left_out(state, edition=chosen, rounds=number, reasons=reasons)


def _records(path: str, state: EventState, number: int | None) -> tuple[str, int]:
    from korgool.competition.game_records import games
    from korgool.notation import write_records

    try:
        texts = list(write_records(games(state, number)))
    except ValueError as error:
        raise InputError(named(path, error)) from None
    return "".join(texts), len(texts)


def _csv(out: str, table: str | None, state: EventState, number: int | None, delimiter: str, bom: bool) -> None:
    from korgool.competition.csv_export import csv_text
    from korgool.competition.errors import CompetitionError

    if table is None and (out == "-" or (Path(out).exists() and not Path(out).is_dir())):
        needed = tell(N_("all tables go into a folder; --table names one for a file"))
        raise InputError(f"{out}: {needed}")
    try:
        texts = {
            one.name: csv_text(one, delimiter=delimiter, bom=bom).encode() for one in _tables(table, state, number)
        }
    except CompetitionError as error:
        raise InputError(said(error)) from None
    if table is not None:
        write_whole(out, texts[table])
        return
    Path(out).mkdir(exist_ok=True)
    for name, text in texts.items():
        write_whole(str(Path(out, f"{name}.csv")), text)


def _workbook(table: str | None, state: EventState, number: int | None) -> bytes:
    from korgool.competition.xlsx_export import workbook

    return workbook(_tables(table, state, number))


def _tables(table: str | None, state: EventState, number: int | None) -> list[EventTable]:
    from korgool.competition.csv_export import TABLES as ALL

    if number is not None:
        state.round(number)
    return [make(state, number) for name, make in ALL.items() if table in (None, name)]


def _papers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The papers whose names begin so, for the Tab key."""
    from korgool.app.printing import EVENT_PAPERS

    return [name for name in EVENT_PAPERS if name.startswith(incomplete)]


@click.command("print")
@file_argument
@click.argument("what", metavar="WHAT", shell_complete=_papers)
@option("-o", "--output", required=True, metavar="OUT.pdf", help="Where to write; - is the standard output.")
@option(
    "--paper", type=click.Choice(SIZES), default="a4", show_default=True, help="Size of the paper; a3 is for the wall."
)
@option("--round", "number", type=click.IntRange(1, 99), metavar="N", help="The round; by default, the last.")
@option(
    "--group", metavar="NAME", help="A group of the event; where it has none, one to be ranked by itself, as below."
)
@option("--ranked-group", "ranked", metavar="NAME", help="Only some, in standings, diplomas and certificates.")
@option(
    "--all-groups",
    "every",
    is_flag=True,
    help="All groups of the event in OUT.pdf; where OUT is a folder, a file for each in it.",
)
@option(
    "--only-boards",
    "boards",
    was=("--boards",),
    nargs=2,
    type=click.IntRange(1),
    metavar="FIRST LAST",
    help="Only these boards, for forms, slips and cards.",
)
@option("--date", default="", metavar="DATE", help="Date on record forms, diplomas and certificates.")
@option(
    "--emblem",
    metavar="PICTURE",
    help="An emblem for this paper alone; `change --emblem` keeps one in the event.",
)
@option("--template", metavar="TEXT.txt", help="Text of diplomas and certificates, with places such as {name}.")
@option(
    "--with-personal", "personal", was=("--personal",), is_flag=True, help="With personal data, in the application."
)
@option("--base-url", type=ADDRESS, metavar="URL", help="Address of a page with the event, for QR codes.")
@reading
def print_command(
    path: str, what: str, output: str, paper: str, number: int | None, group: str | None, ranked: str | None,
    every: bool, boards: tuple[int, int] | None, date: str, emblem: str | None, template: str | None, personal: bool,
    base_url: str | None,
    at: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Print a paper of the event as PDF.

    WHAT is start-list, pairings, pairings-by-name, result-slips, record-forms, standings, cross-table, bracket,
    wall-chart, team-sheets, match-protocols, team-standings, protocol, place-cards, table-cards, badges, prize-list,
    diplomas, certificates, rating-changes, application or special-games. Personal data is printed with --with-personal
    only. On --paper a3, lists and tables are sheets for the wall, legible from two metres.

    \b
    Example:
      korgool event print cup.korgool standings -o standings.pdf --language ky
      korgool event print cup.korgool result-slips -o slips.pdf --round 3
      korgool event print cup.korgool table-cards -o cards.pdf --base-url https://example.org/events/7
      korgool event print cup.korgool diplomas -o diplomas.pdf --all-groups
    """
    from korgool.app.printing import EVENT_PAPERS, GroupPaperError, PaperContext, print_papers

    if what not in EVENT_PAPERS:
        raise click.UsageError(f"there is no paper {what!r}; there are {', '.join(EVENT_PAPERS)}")
    if output != "-" and Path(output).exists() and Path(output).is_file() and Path(output).samefile(path):
        raise click.UsageError(f"-o {output}: that is the event itself, which the paper would replace.")
    lines = None if template is None else _template(template)

    picture = None if emblem is None else emblem_of(emblem)

    def context(file: EventFile, state: EventState) -> PaperContext:
        state = state if picture is None else replace(state, emblem=picture)
        held = {id_: data for id_ in state.players if (data := file.personal(id_))} if personal else None
        only = ranked or (None if state.groups else group)
        return PaperContext(
            state, spoken(), paper, number, only, held, base_url, date, boards, str(file.head(state.actions)), lines
        )

    def made(contexts: Mapping[str, PaperContext]) -> bytes:
        try:
            return print_papers(contexts, what)
        except GroupPaperError as error:
            reason = error.reason
            raise InputError(
                named(path, reason) if not error.group else f"{path}: {error.group}: {said(reason)}"
            ) from None

    if every:
        if group is not None:
            raise click.UsageError("--all-groups prints all groups; --group names one.")
        with opened(path, whole=True) as file:
            if not file.state.groups:
                raise click.UsageError("--all-groups is for an event of several groups.")
            contexts = {
                name: context(file, file.turn_to(id_) if at is None else _at(file, id_, at))
                for id_, name in file.state.groups.items()
            }
            if output != "-" and not output.casefold().endswith(".pdf"):
                _print_each(contexts, what, output, made, as_json)
                return
            content = made(contexts)
    else:
        with (
            opened(path, group=group, ranked=True) as file,
            state_of(path, at, group=group, ranked=True) as state,
        ):
            content = made({state.groups.get(state.group, ""): context(file, state)})
    write_whole(output, content)
    if as_json and output != "-":
        emit({"paper": what, "output": output, "bytes": len(content)})


def _at(file: EventFile, group: int, at: int) -> EventState:
    file.turn_to(group)
    return file.state_at(at)


def _print_each(
    contexts: Mapping[str, PaperContext],
    what: str,
    folder: str,
    made: Callable[[Mapping[str, PaperContext]], bytes],
    as_json: bool,
) -> None:
    """Write a paper of every group into a folder; all or none are made before the first is written."""
    contents = {name: made({name: context}) for name, context in contexts.items()}
    Path(folder).mkdir(exist_ok=True)
    for name, content in contents.items():
        out = str(Path(folder, f"{name} - {what}.pdf"))
        write_whole(out, content)
        if as_json:
            emit({"paper": what, "group": name, "output": out, "bytes": len(content)})


def _template(path: str) -> str:
    """The text of a template; raises InputError if it cannot be read or is faulty, with the line."""
    from korgool.app.printing.diploma_template import read_template

    try:
        with Path(path).open("rb") as stream:
            text = stream.read(MOST_TEMPLATE + 1).decode()
        if len(text) > MOST_TEMPLATE:
            too_many = tell(N_("a template has at most {most} letters"), most=MOST_TEMPLATE)
            raise InputError(f"{path}: {too_many}")
        read_template(text)
    except OSError as error:
        raise unreadable(path, error.strerror) from None
    except UnicodeDecodeError as error:
        place = tell(N_("it is not UTF-8: byte {byte}"), byte=error.start + 1)
        raise InputError(f"{path}: {place}") from None
    except ValueError as error:
        raise InputError(named(path, error)) from None
    return text

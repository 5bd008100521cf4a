"""`korgool event import` and `players`: importing many players at once, and listing them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from korgool.app.cli.event_common import (
    asked_group,
    columns,
    file_of_group,
    lost_letters_option,
    named,
    opened,
    reading,
    say,
    state_of,
    warning,
    writing,
)  # fmt: skip
from korgool.app.cli.forms import DELIMITER, ENCODING
from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, tell, value
from korgool.app.cli.output import emit, plain, too_long, unreadable
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.entry_lists.reading import Fault
    from korgool.competition.storage.event_file import EventFile

MOST_BYTES = 256_000_000
_MOST_FAULTS = 50
_TRF = re.compile(r"\s*(?:\d{3} |XX[A-Z] |BB[WDLUZF] |###)", re.ASCII)
"""The beginning of a tournament report, whatever its file is called."""


def _mapping(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        heading, equals, meaning = text.rpartition("=")
        if not equals or not heading.strip():
            raise click.BadParameter(f"{text[:60]!r} is not HEADING=MEANING, such as Family=family.")
        found[heading.strip()] = meaning.strip()
    return found


@click.command("import")
@file_of_group
@click.argument("source", metavar="LIST", type=PathName())
@option("--map", "mapping", multiple=True, callback=_mapping, metavar="HEADING=MEANING",
              help='What a column holds, such as "Family=family"; nothing after = ignores it. Repeatable.')  # fmt: skip
@option(
    "--encoding",
    type=ENCODING,
    metavar="NAME",
    help="Encoding of the list; by default UTF-8, or else Windows Cyrillic or Turkish.",
)
@option(
    "--delimiter",
    type=DELIMITER,
    metavar="CHARACTER",
    help="Separator of the cells, detected by default; tab is a tab.",
)
@option("--sheet", metavar="NAME", help="Sheet of an XLSX workbook; by default, the first with a list.")
@lost_letters_option
@option("--skip-bad", is_flag=True, help="Enter the good lines even if there are bad ones.")
@option("--dry-run", is_flag=True, help="Only report; enter nobody.")
@option("--edition", type=click.Choice(("2023", "2026")),
              help="Edition of the tie-break rules for a TRF; by default, that of its first day.")  # fmt: skip
@writing
def import_command(
    path: str, source: str, mapping: dict[str, str], encoding: str | None, delimiter: str | None, sheet: str | None,
    accept_lost: bool, skip_bad: bool, dry_run: bool, edition: Literal["2023", "2026"] | None, by: str, as_json: bool,
) -> None:  # fmt: skip
    """Enter the players of a CSV or XLSX list, or import a whole event from a TRF (.trf) or JSON (.json) file.

    Columns are recognised by their headings in six languages, wherever the table stands in the file; --map names
    others. Titles, sections and what stands below the table are passed over. Every bad line is reported with line,
    column and reason, and then nobody is entered unless --skip-bad is given. A name whose letters seem to be
    lost, such as ?м?рбеков, counts as bad unless --accept-lost-letters is given. A TRF or JSON file creates a new FILE;
    a TRF may also be imported into an event without players.

    \b
    Example:
      korgool event import cup.korgool players.csv --map "Nachname=family" --map "Vorname=given"
      korgool event import cup.korgool players.xlsx
      korgool event import cup.korgool report.trf
    """
    data = _read(source)
    suffix = Path(source).suffix.lower()
    is_trf = suffix in (".trf", ".trfx") or (suffix not in (".csv", ".xlsx", ".json") and _looks_like_trf(data))
    if edition is not None and not is_trf:
        raise click.UsageError("--edition is for a TRF.")
    if suffix == ".json":
        _import_json(path, source, data, as_json)
        return
    if is_trf:
        _import_trf(path, source, data, edition, accept_lost, by, as_json)
        return
    from korgool.competition import commands
    from korgool.competition.entry_lists.reading import lacking, read_entries
    from korgool.competition.errors import CompetitionError

    with opened(path) as file:
        try:
            found = read_entries(
                data, file.state, mapping=mapping, encoding=encoding,
                delimiter=delimiter, sheet=sheet, accept_lost=accept_lost,
            )  # fmt: skip
        except CompetitionError as error:
            raise InputError(named(source, error)) from None
        refused = bool(found.faults) and not skip_bad
        added = [] if refused or dry_run else [(entry, personal) for _, entry, personal in found.entries]
        players = commands.enter_all(file, added, by=by) if added else ()
        lacks = _lacks(source, [
            (line, entry.name, lacking(file.state, entry, personal)) for line, entry, personal in found.entries
        ])  # fmt: skip
    for fault in found.faults[:_MOST_FAULTS]:
        click.echo(f"korgool: {source}: {fault}", err=True)
    if len(found.faults) > _MOST_FAULTS:
        more = tell(N_("{count} more faults"), count=len(found.faults) - _MOST_FAULTS)
        click.echo(f"korgool: {source}: {more}", err=True)
    report: dict[str, Any] = {
        "entered": len(players),
        "good": len(found.entries),
        "bad": len({fault.line for fault in found.faults}),
        "faults": list(map(_fault_fields, found.faults)),
        "columns": dict(found.columns),
        "ignored": list(found.ignored),
        "encoding": found.encoding,
        "delimiter": found.delimiter,
        "sheet": found.sheet or None,
        "doubts": list(map(_fault_fields, found.doubts)),
        "passed_over": list(found.passed),
        "particles": list(map(_fault_fields, found.particles)),
    }
    if as_json:
        emit(report)
    else:
        _say_report(report)
        for text in (*(f"{source}: {one}" for one in found.particles), *lacks)[:_MOST_FAULTS]:
            warning(text)
    if accept_lost:
        for fault in found.doubts[:_MOST_FAULTS]:
            warning(f"{source}: {fault}")
    if refused:
        bad = counts((report["bad"], "bad line", N_("Bad lines")))
        advice = N_("nobody was entered; correct what is bad, or enter what is good with --skip-bad ({good})")
        told = [tell(advice, good=report["good"])]
        if found.doubts:
            told.append(tell(N_("--accept-lost-letters takes names as they are")))
        raise InputError(f"{source}: {bad}, {'; '.join(told)}")


def _lacks(source: str, lines: list[tuple[int, str, tuple[str, ...]]]) -> list[str]:
    """Missing data that the organiser requires: once what no line has, and line by line the rest."""
    none = set.intersection(*(set(missing) for _, _, missing in lines)) if len(lines) > 1 else set()
    asked = [name for name in lines[0][2] if name in none] if lines else []
    nowhere = N_("no line has {what}, which the organiser asks for")
    said = [f"{source}: {tell(nowhere, what=', '.join(asked))}"] if asked else []
    rest = [(line, name, [one for one in missing if one not in none]) for line, name, missing in lines]
    of_line = N_("line {line}: {fault}")
    return said + [
        f"{source}: {tell(of_line, line=line, fault=_asked(name, missing))}" for line, name, missing in rest if missing
    ]


def _asked(name: str, missing: list[str]) -> str:
    return tell(N_("{name}: the organiser asks for {what} too"), name=name, what=", ".join(missing))


def _fault_fields(one: Fault) -> dict[str, Any]:
    return {"line": one.line, "column": one.column or None, "reason": one.reason}


def _looks_like_trf(data: bytes) -> bool:
    from korgool.competition.trf import decode_trf

    return _TRF.match(decode_trf(data[:1000])[0]) is not None


def _say_report(report: dict[str, Any]) -> None:
    read = ", ".join(f"{heading} = {meaning}" for heading, meaning in report["columns"].items())
    if report["sheet"]:
        parted = tell(N_("sheet {name}"), name=report["sheet"])
    else:
        parted = tell(N_("cells parted by {delimiter}"), delimiter=json.dumps(report["delimiter"]))
    click.echo(plain(tell(N_("read as {encoding}, {parted}: {columns}"), encoding=report["encoding"], parted=parted,
                          columns=read)))  # fmt: skip
    if report["ignored"]:
        click.echo(tell(N_("ignored: {headings}"), headings=", ".join(report["ignored"])))
    if report["passed_over"]:
        click.echo(tell(N_("no players in lines {lines}"), lines=", ".join(map(str, report["passed_over"]))))
    numbers = {name: report[name] for name in ("entered", "good", "bad")}
    click.echo(tell(N_("{entered} entered, {good} good lines, {bad} bad"), **numbers))


def _read(source: str) -> bytes:
    try:
        with Path(source).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(source, error.strerror) from None
    except ValueError as error:
        raise unreadable(repr(source), error) from None
    if len(data) > MOST_BYTES:
        raise too_long(source, MOST_BYTES)
    return data


def _import_json(path: str, source: str, data: bytes, as_json: bool) -> None:
    from korgool.competition.errors import CompetitionError
    from korgool.competition.json_export import read_json, restore

    try:
        found = read_json(data)
    except CompetitionError as error:
        raise InputError(named(source, error)) from None
    with restore(path, found) as file:
        state = file.state
    line = {"entered": len(state.players), "rounds": len(state.rounds), "actions": state.actions, "notes": []}
    held = counts((len(state.players), "player", N_("Players")), (len(state.rounds), "round", N_("Rounds paired")))
    say([line], lambda: held, as_json)


def _import_trf(
    path: str, source: str, data: bytes, edition: Literal["2023", "2026"] | None, accept_lost: bool, by: str,
    as_json: bool,
) -> None:  # fmt: skip
    from korgool.competition.errors import CompetitionError
    from korgool.competition.report_import import take_into, take_over
    from korgool.competition.trf import read_trf

    try:
        imported = read_trf(data, rules=edition)
        imported.actions()
    except CompetitionError as error:
        raise InputError("\n".join(f"{source}: {line}" for line in str(error).splitlines())) from None
    if imported.lost and not accept_lost:
        for text in imported.lost[:_MOST_FAULTS]:
            click.echo(f"korgool: {source}: {plain(text)}", err=True)
        lost = N_(
            "letters seem to be lost in {count} lines, nothing was taken over; --accept-lost-letters takes names as "
            "they are"
        )
        raise InputError(f"{source}: " + tell(lost, count=len(imported.lost)))
    if Path(path).exists():
        with opened(path) as file:
            state = take_into(
                file, imported, by=by, reason=f"taken over from {Path(source).name}", edition=edition is not None
            )
    else:
        with take_over(path, imported, by=by) as file:
            state = file.state
    for note in (*imported.notes, *imported.lost):
        warning(note, source)
    line = {"entered": len(state.players), "rounds": len(state.rounds), "edition": imported.edition}
    line |= {"encoding": imported.encoding, "notes": list(imported.notes), "doubts": list(imported.lost)}
    held = counts((len(state.players), "player", N_("Players")), (len(state.rounds), "round", N_("Rounds paired")))
    say([line], lambda: f"{held}, TRF{imported.edition[2:]}", as_json)


@click.command("players")
@file_of_group
@option("--sort", type=click.Choice(("number", "name", "rating")), default="number", show_default=True)
@reading
def players_command(path: str, sort: str, at: int | None, as_json: bool) -> None:
    """List the players with their numbers; of an event of several groups without --group all, with their groups.

    \b
    Example:
      korgool event players cup.korgool --sort name
    """
    from korgool.competition.event_fields import player_fields

    keys = {
        "number": lambda one: one.number,
        "name": lambda one: one.name.casefold(),
        "rating": lambda one: (-one.entry.rating, one.number),
    }
    with opened(path, whole=True) as file:
        if len(file.state.groups) > 1 and asked_group() is None:
            _say_start_list(file, at, sort, as_json)
            return
    with state_of(path, at) as state:
        lines = [player_fields(one) for one in sorted(state.players.values(), key=keys[sort])]
    names = ("number", "name", "sex", "born", "title", "rating", "federation", "club", "team", "status", "warnings")
    rows = [[value(line[name]) if name == "status" else line[name] for name in names] for line in lines]
    say(lines, lambda: columns(("no.", *names[1:]), rows), as_json)


def _say_start_list(file: EventFile, at: int | None, sort: str, as_json: bool) -> None:
    """The one start list of an event of several groups; a number is that of the first group of a player."""
    from korgool.competition.event_fields import player_fields

    lines: dict[int, dict[str, Any]] = {}
    for id_ in tuple(file.state.groups):
        state = file.turn_to(id_) if at is None else file.turn_to(id_) and file.state_at(at)
        for player in state.players.values():
            if player.id not in lines:
                lines[player.id] = player_fields(player) | {"in": []}
            lines[player.id]["in"].append({"group": file.state.groups[id_], "number": player.number})
    keys: dict[str, Any] = {
        "number": lambda one: one["id"],
        "name": lambda one: one["name"].casefold(),
        "rating": lambda one: (-(one["rating"] or 0), one["id"]),
    }
    found = sorted(lines.values(), key=keys[sort])
    for line in found:
        del line["number"]
    names = ("name", "sex", "born", "rating", "federation", "club", "team")
    rows = [
        [*(line[name] for name in names), ", ".join(f"{one['group']} {one['number']}" for one in line["in"])]
        for line in found
    ]
    say(found, lambda: columns((*names, "groups"), rows), as_json)

"""`korgool account reports`: what players have told the operator of each other."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.account_place import ledger_at, place
from korgool.app.cli.group import InputError
from korgool.app.cli.language import gettext, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.accounts import Person
    from korgool.app.server.people.reports.repository import Report

_REASONS = {
    "name": N_("An offensive name"),
    "help": N_("Moves of a program or of somebody else"),
    "stalling": N_("Leaving, or letting the time run"),
    "arranged": N_("Losing on purpose, or an agreed result"),
    "other": N_("Something else"),
}


@click.command("reports", epilog="\b\nExample:\n  korgool account reports --data ./games")
@click.argument("report", required=False)
@place
@option("--close", is_flag=True, help="Note that this report has been dealt with.")
@json_option
def command(report: str | None, data: Path | None, database: str | None, close: bool, as_json: bool) -> None:
    """List the open reports of players, or show one with the record of its game.

    REPORT is the id of one of them.
    """
    from korgool.app.server.core.wall_clock import now_ms
    from korgool.app.server.people.account_repository import AccountRepository
    from korgool.app.server.people.reports.repository import ReportRepository

    if close and report is None:
        raise click.UsageError("--close needs the id of a report")
    with ledger_at(data, database) as ledger:
        reports = ReportRepository(ledger)
        if report is None:
            found = reports.open()
        else:
            one = reports.find(report)
            if one is None:
                raise InputError(tell(N_("there is no report {report}"), report=repr(report)))
            if close:
                reports.close(report, now_ms())
                return
            found = [one]
        people = AccountRepository(ledger).persons({who for one in found for who in (one.reporter, one.about)})
    for one in found:
        _tell(one, people, as_json, whole=report is not None)


def _tell(report: Report, people: dict[str, Person], as_json: bool, *, whole: bool) -> None:
    about, reporter = _name(report.about, people), _name(report.reporter, people)
    at = _time(report.at)
    if as_json:
        told = {
            "id": report.id,
            "at": at,
            "about": about,
            "reporter": reporter,
            "reason": report.reason.value,
            "text": report.text,
            "game": report.game,
            "closed": None if report.closed is None else _time(report.closed),
        }
        emit(told | {"record": report.record} if whole else told)
        return
    line = N_("{about}: {reason}, by {reporter}, game {game}")
    if report.closed is not None:
        line = N_("{about}: {reason}, by {reporter}, game {game}, closed {closed}")
    said = tell(
        line, about=about, reason=_reason(report.reason.value), reporter=reporter, game=report.game,
        closed="" if report.closed is None else _time(report.closed),
    )  # fmt: skip
    click.echo(f"{report.id}  {at}  {said}")
    if report.text:
        click.echo(f"\n{report.text}" if whole else f"  {report.text}")
    if whole and report.record:
        click.echo(f"\n{report.record.rstrip()}")


def _reason(reason: str) -> str:
    translate = gettext()
    return reason if translate is None else translate(_REASONS[reason])


def _name(identity: str, people: dict[str, Person]) -> str:
    """Name of a person as the operator sees it, who sees every name."""
    from korgool.accounts import Person, PersonKind
    from korgool.app.words.people import name_before

    person = people.get(identity) or Person(PersonKind.VISITOR, identity)
    return name_before(person, Person(PersonKind.OPERATOR))


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")

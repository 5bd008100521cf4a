"""`korgool account reports` and `follows`: reports of players, and the events of other sites that accounts follow."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import gettext, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.server_options import engine_at, ledger_at, place
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
def reports_command(report: str | None, data: Path | None, database: str | None, close: bool, as_json: bool) -> None:
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
        _print_report(one, people, as_json, whole=report is not None)


def _print_report(report: Report, people: dict[str, Person], as_json: bool, *, whole: bool) -> None:
    about, reporter = _name(report.about, people), _name(report.reporter, people)
    at = _time(report.at)
    if as_json:
        fields = {
            "id": report.id,
            "at": at,
            "about": about,
            "reporter": reporter,
            "reason": report.reason.value,
            "text": report.text,
            "game": report.game,
            "closed": None if report.closed is None else _time(report.closed),
        }
        emit(fields | {"record": report.record} if whole else fields)
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


_ALL = 1_000_000


@click.command("follows", epilog="\b\nExample:\n  korgool account follows --data ./games")
@click.argument("event", required=False)
@place
@option("--end", is_flag=True, help="Follow this event no more; its pages here are gone within a second.")
@json_option
def follows_command(event: str | None, data: Path | None, database: str | None, end: bool, as_json: bool) -> None:
    """List the events of other sites that this one follows, with the accounts that let it.

    EVENT is the id of one of them, as in its address here.
    """
    from korgool.app.cli.output import plain
    from korgool.app.server.events.following.repository import FollowedRepository
    from korgool.app.server.people.account_repository import AccountRepository
    from korgool.app.server.people.transactions import PeopleTransactions

    none = InputError(tell(N_("there is no event {event} of another site"), event=repr(event)))
    if end and event is None:
        raise click.UsageError("--end needs the id of an event")
    with engine_at(data, database) as engine:
        shelf = FollowedRepository(engine, lambda _: None)
        if end and event is not None:
            if not shelf.end(event):
                raise none
            return
        rows = [one for one in shelf.newest(_ALL) if event in (None, one.id)]
        people = AccountRepository(PeopleTransactions(engine)).persons({one.maker for one in rows})
    if event is not None and not rows:
        raise none
    for one in rows:
        maker = people.get(one.maker)
        name = None if maker is None else maker.name
        if as_json:
            emit({"id": one.id, "name": one.name, "address": one.address, "account": name, "problem": one.problem})
        else:
            click.echo(plain(f"{one.id}  {name or '-'}  {one.address}  {one.name}"))

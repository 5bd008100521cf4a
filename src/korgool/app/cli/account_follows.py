"""`korgool account follows`: events of other sites that accounts let this one show."""

from __future__ import annotations

from pathlib import Path

import click

from korgool.app.cli.account_place import engine_at, place
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

_ALL = 1_000_000


@click.command("follows", epilog="\b\nExample:\n  korgool account follows --data ./games")
@click.argument("event", required=False)
@place
@option("--end", is_flag=True, help="Follow this event no more; its pages here are gone within a second.")
@json_option
def command(event: str | None, data: Path | None, database: str | None, end: bool, as_json: bool) -> None:
    """List the events of other sites that this one follows, with the accounts that let it.

    EVENT is the id of one of them, as in its address here.
    """
    from korgool.app.cli.event_common import plain
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

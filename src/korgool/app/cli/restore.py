"""`korgool restore`: puts a backup back, or tries whether it could be."""

from __future__ import annotations

from pathlib import Path

import click

from korgool.app.cli.account_place import place
from korgool.app.cli.backup import summary, told
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit, progress
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

_MOST_SHOWN = 20


@click.command("restore", epilog="\b\nExample:\n  korgool restore korgool-20261123T181500Z.zip --data ./games")
@click.argument("archive", type=PathName(as_path=True))
@place
@option("--replace", is_flag=True, help="Restore where another site is, which stays beside under another name.")
@option(
    "--check",
    is_flag=True,
    help="Change nothing: restore into a place that is removed again, compare, and play every game again. For a backup "
    "of PostgreSQL, --database names a server on which a database can be made.",
)
@json_option
def command(archive: Path, data: Path | None, database: str | None, replace: bool, check: bool, as_json: bool) -> None:
    """Put a backup of `korgool backup` in the place of a site, or see with --check that it could be.

    Stop the servers of that place first. Whenever this is broken off, the old site or the new one is there, whole.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from korgool.app.backup.operations import restore
    from korgool.app.server.core.settings import ServerSettings

    settings = ServerSettings(data=data, database=database)
    try:
        if check:
            _check(archive, settings, as_json=as_json)
            return
        done = restore(archive, settings, replacing=replace)
    except (ValueError, SQLAlchemyError) as error:
        raise InputError(" ".join(str(error).split())) from None
    if as_json:
        emit({"place": done.place, "kept": done.kept, **told(done.manifest)})
        return
    of = tell(N_("as of {time}"), time=done.manifest.taken)
    click.echo(f"{done.place}  {summary(done.manifest)}, {of}")
    if done.kept is not None:
        said = N_("What was there before is now {place}; remove it when nobody needs it any more.")
        click.echo(tell(said, place=done.kept))


def _check(archive: Path, settings: object, *, as_json: bool) -> None:
    from korgool.app.backup.operations import check
    from korgool.app.server.core.settings import ServerSettings

    assert isinstance(settings, ServerSettings)
    with progress(tell(N_("playing every game again")), 1.0) as done:
        manifest, proof = check(archive, settings, done)
    if as_json:
        played = {"games": proof.games, "steps": proof.moves, "events": proof.events, "lines": proof.lines}
        emit({"file": str(archive), **told(manifest), "played": played, "faults": proof.faults})
    else:
        for one in proof.faults[:_MOST_SHOWN]:
            click.echo(one)
        if len(proof.faults) > _MOST_SHOWN:
            click.echo(tell(N_("… and {count} more"), count=len(proof.faults) - _MOST_SHOWN))
        said = N_(
            "taken {time}: {games} games with {steps} steps and {events} events with {lines} lines were restored and "
            "played again, {faults} faults"
        )
        values = {"games": proof.games, "steps": proof.moves, "events": proof.events, "lines": proof.lines}
        click.echo(f"{archive}  " + tell(said, time=manifest.taken, **values, faults=len(proof.faults)))
    if proof.faults:
        raise SystemExit(1)

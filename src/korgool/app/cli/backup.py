"""`korgool backup` and `korgool restore`: a whole site in one file, taken while its servers run, and put back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit, progress
from korgool.app.cli.server_options import place, refused
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.app.backup.archive import BackupManifest


@click.command("backup", epilog="\b\nExample:\n  korgool backup /var/backups/korgool --data ./games --keep 14")
@click.argument("target", type=PathName(Takes.NEW_FILE))
@place
@option(
    "--keep", type=click.IntRange(1), help="Of the backups in the folder TARGET, keep this many and remove older ones."
)
@json_option
def backup_command(target: str, data: Path | None, database: str | None, keep: int | None, as_json: bool) -> None:
    """Copy everything that a site keeps into one file, while its servers run.

    TARGET is a new file, or a folder in which each backup gets a name with its time (UTC). The file holds the keys that
    sign cookies and web push, and only its owner can read it. A backup is whole or not there at all.
    """
    from korgool.app.backup.operations import take
    from korgool.app.server.core.settings import ServerSettings

    if target.endswith(("/", os.sep)) and not Path(target).exists():
        raise InputError(tell(N_("there is no folder {folder}; make it first"), folder=target))
    try:
        taken = take(ServerSettings(data=data, database=database), Path(target), keep)
    except ValueError as error:
        raise refused(error) from None
    if as_json:
        removed = [str(one) for one in taken.removed]
        emit({"file": str(taken.path), **manifest_fields(taken.manifest), "removed": removed})
        return
    size = tell(N_("{count} bytes"), count=taken.path.stat().st_size)
    click.echo(f"{taken.path}  {summary(taken.manifest)}, {size}")
    for one in taken.removed:
        click.echo(tell(N_("removed {file}"), file=one))


def summary(manifest: BackupManifest) -> str:
    """Contents of a backup in a few words."""
    rows = manifest.facts.rows
    counted = {
        "games": N_("{count} games"),
        "events": N_("{count} moves and other steps"),
        "accounts": N_("{count} accounts"),
        "competitions": N_("{count} events"),
    }
    return ", ".join(tell(message, count=rows[table]) for table, message in counted.items() if table in rows)


def manifest_fields(manifest: BackupManifest) -> dict[str, object]:
    """Contents of a backup as data."""
    facts = manifest.facts
    return {
        "taken": manifest.taken,
        "korgool": manifest.korgool,
        "database": manifest.database,
        "revision": facts.revision,
        "rows": facts.rows,
        "sha256": manifest.sha256,
    }


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
def restore_command(
    archive: Path, data: Path | None, database: str | None, replace: bool, check: bool, as_json: bool
) -> None:
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
        emit({"place": done.place, "kept": done.kept, **manifest_fields(done.manifest)})
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
        emit({"file": str(archive), **manifest_fields(manifest), "played": played, "faults": proof.faults})
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

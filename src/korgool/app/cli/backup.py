"""`korgool backup`: a whole site in one file, taken while its servers run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.account_place import place, refused
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
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
def command(target: str, data: Path | None, database: str | None, keep: int | None, as_json: bool) -> None:
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
        emit({"file": str(taken.path), **told(taken.manifest), "removed": [str(one) for one in taken.removed]})
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


def told(manifest: BackupManifest) -> dict[str, object]:
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

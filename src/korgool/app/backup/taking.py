"""Taking a backup: beside a running server, whole or not at all."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from korgool.app.backup import postgresql, sqlite_file
from korgool.app.backup.archive import BackupManifest, write_archive
from korgool.app.backup.errors import BackupError
from korgool.app.backup.scratch import put_in_place, scratch_in
from korgool.app.server.core.settings import ServerSettings

_DATED = re.compile(r"korgool-\d{8}T\d{6}Z\.zip")


class TakenBackup(NamedTuple):
    """A backup that was taken.

    Attributes:
        path: the archive.
        manifest: what is in it.
        removed: older archives that were removed.
    """

    path: Path
    manifest: BackupManifest
    removed: list[Path]


def moment_of(now: datetime) -> str:
    """A time in names of files, such as `20261123T181500Z`."""
    return now.strftime("%Y%m%dT%H%M%SZ")


def take(settings: ServerSettings, target: Path, keep: int | None = None) -> TakenBackup:
    """Copy a site's database into an archive.

    Args:
        settings: which site; its servers may run.
        target: a new file; or a folder, in which the archive gets a name with the time.
        keep: how many archives with such names stay in that folder, this one included; None for all.

    Raises:
        BackupError: nothing was taken.
        SettingsError: the settings name no database.
    """
    now = datetime.now(UTC)
    url = settings.url()
    if keep is not None and not target.is_dir():
        there = f"{target} is no folder" if target.exists() else f"there is no folder {target}; make it first"
        raise BackupError(f"{there}; --keep needs a folder, in which each backup gets a name with its time")
    path = target / f"korgool-{moment_of(now)}.zip" if target.is_dir() else target
    if path.exists():
        raise BackupError(f"{path} exists already; choose another name, or name a folder")
    with scratch_in(path.parent) as scratch:
        copy, server = scratch / "copy", ""
        database: Literal["sqlite", "postgresql"] = "sqlite" if url.drivername == "sqlite" else "postgresql"
        if database == "sqlite":
            sqlite_file.copy_of(Path(str(url.database)), copy)
            facts = sqlite_file.facts_in(copy, str(url.database))
        else:
            facts, server = postgresql.copy_of(url, copy)
        made = scratch / "archive"
        manifest = write_archive(made, copy, database, server, now.strftime("%Y-%m-%dT%H:%M:%SZ"), facts)
        put_in_place(made, path)
    return TakenBackup(path, manifest, [] if keep is None else _remove_older(target, keep))


def _remove_older(folder: Path, keep: int) -> list[Path]:
    dated = sorted(one for one in folder.iterdir() if _DATED.fullmatch(one.name))
    removed = []
    for one in dated[:-keep]:
        with suppress(OSError):
            one.unlink()
            removed.append(one)
    return removed

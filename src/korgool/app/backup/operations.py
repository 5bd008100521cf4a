"""Taking a backup beside running servers, restoring one, and checking that it could be restored."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir
from typing import Literal, NamedTuple

from sqlalchemy.engine import URL

from korgool.app.backup import postgresql, sqlite_file
from korgool.app.backup.archive import BackupManifest, extract, read_manifest, write_archive
from korgool.app.backup.fingerprint import check_revision, compare
from korgool.app.backup.scratch import BackupError, put_in_place, scratch_in
from korgool.app.backup.verification import VerificationReport, replay_all
from korgool.app.server.core.settings import ServerSettings

_DATED = re.compile(r"korgool-\d{8}T\d{6}Z\.zip")


class BackupResult(NamedTuple):
    """A new backup.

    Attributes:
        path: the archive.
        manifest: what is in it.
        removed: older archives that were removed.
    """

    path: Path
    manifest: BackupManifest
    removed: list[Path]


class RestoredSite(NamedTuple):
    """A site restored from a backup.

    Attributes:
        place: where the site is now.
        manifest: what is in it.
        kept: where the old site is, None if there was none: a file, or a schema of the database.
    """

    place: str
    manifest: BackupManifest
    kept: str | None


def take(settings: ServerSettings, target: Path, keep: int | None = None) -> BackupResult:
    """Copy a site's database into an archive, completely or not at all.

    Args:
        settings: which site; its servers may run.
        target: a new file; or a folder, in which the archive gets a name with the time.
        keep: how many archives with such names stay in that folder, this one included; None for all.

    Raises:
        BackupError: there is no backup; the message says why.
        SettingsError: the settings name no database.
    """
    now = datetime.now(UTC)
    url = settings.url()
    if keep is not None and not target.is_dir():
        problem = f"{target} is no folder" if target.exists() else f"there is no folder {target}; make it first"
        raise BackupError(f"{problem}; --keep needs a folder, in which each backup gets a name with its time")
    path = target / f"korgool-{_timestamp(now)}.zip" if target.is_dir() else target
    if path.exists():
        raise BackupError(f"{path} exists already; choose another name, or name a folder")
    with scratch_in(path.parent) as scratch:
        copy, server = scratch / "copy", ""
        database: Literal["sqlite", "postgresql"] = "sqlite" if url.drivername == "sqlite" else "postgresql"
        if database == "sqlite":
            sqlite_file.copy_of(Path(str(url.database)), copy)
            facts = sqlite_file.fingerprint_of_file(copy, str(url.database))
        else:
            facts, server = postgresql.copy_of(url, copy)
        archive = scratch / "archive"
        manifest = write_archive(archive, copy, database, server, now.strftime("%Y-%m-%dT%H:%M:%SZ"), facts)
        put_in_place(archive, path)
    return BackupResult(path, manifest, [] if keep is None else _remove_older(target, keep))


def restore(archive: Path, settings: ServerSettings, *, replacing: bool = False) -> RestoredSite:
    """Restore a site from a backup. If this is interrupted at any point, the old site or the new one is there.

    Args:
        archive: the backup.
        settings: the place.
        replacing: whether another site may be there; it is kept beside under another name.

    Raises:
        BackupError: nothing was changed.
        SettingsError: the settings name no database.
    """
    manifest = _restorable(archive)
    url = settings.url()
    _check_kind(archive, manifest, url)
    moment = _timestamp(datetime.now(UTC))
    if manifest.database == "postgresql":
        with scratch_in(Path(gettempdir())) as scratch:
            extract(archive, scratch / "copy")
            schema = postgresql.restore(url, scratch / "copy", manifest, moment, replacing=replacing)
        return RestoredSite(url.set(drivername="postgresql").render_as_string(), manifest, schema)
    path = Path(str(url.database))
    _make_folder(path.parent)
    with sqlite_file.owned(path):
        path = path.resolve()  # a link to another disk stays a link
        if not replacing:
            sqlite_file.refuse_present(path)
        with scratch_in(path.parent) as scratch:
            extract(archive, scratch / "copy")
            sqlite_file.check_copy(scratch / "copy", manifest.facts, str(archive))
            old = sqlite_file.install(scratch / "copy", path, moment)
    return RestoredSite(str(path), manifest, None if old is None else str(old))


def check(
    archive: Path, settings: ServerSettings, progress: Callable[[float], object] = lambda share: None
) -> tuple[BackupManifest, VerificationReport]:
    """Restore a backup into a temporary place, compare it with its manifest, and replay everything in it.

    Args:
        archive: the backup.
        settings: for a backup of PostgreSQL, a database on whose server another one can be made.
        progress: as for `replay_all`.

    Raises:
        BackupError: it cannot be restored, or its contents are not those of its manifest.
        StorageError: a server could not open it.
        SettingsError: the settings name no database.
    """
    manifest = _restorable(archive)
    with scratch_in(Path(gettempdir())) as scratch:
        copy = scratch / "korgool.sqlite"
        if manifest.database == "sqlite":
            extract(archive, copy)
            sqlite_file.check_copy(copy, manifest.facts, str(archive))
            return manifest, replay_all(ServerSettings(data=scratch), progress)
        _check_kind(archive, manifest, settings.url())
        extract(archive, scratch / "copy")
        with postgresql.scratch_database(settings.url()) as url:
            postgresql.restore(url, scratch / "copy", manifest, "", replacing=False)
            compare(manifest.facts, postgresql.fingerprint_of_database(url))
            return manifest, replay_all(ServerSettings(database=url.render_as_string(hide_password=False)), progress)


def _timestamp(now: datetime) -> str:
    """A time in names of files, such as `20261123T181500Z`."""
    return now.strftime("%Y%m%dT%H%M%SZ")


def _remove_older(folder: Path, keep: int) -> list[Path]:
    dated = sorted(path for path in folder.iterdir() if _DATED.fullmatch(path.name))
    removed = []
    for path in dated[:-keep]:
        with suppress(OSError):
            path.unlink()
            removed.append(path)
    return removed


def _restorable(archive: Path) -> BackupManifest:
    """Manifest of an archive that this version can restore."""
    manifest = read_manifest(archive)
    check_revision(manifest.facts.revision, str(archive))
    return manifest


def _check_kind(archive: Path, manifest: BackupManifest, url: URL) -> None:
    kind = "sqlite" if url.drivername == "sqlite" else "postgresql"
    if manifest.database != kind:
        option = "--database postgresql://…" if manifest.database == "postgresql" else "--data FOLDER"
        raise BackupError(f"{archive} is a backup of a {manifest.database} database; name its place by {option}")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupError(f"{folder} cannot be made: {error.strerror}; choose another folder") from None

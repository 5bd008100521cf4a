"""Putting a backup back, and trying whether it could be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

from sqlalchemy.engine import URL

from korgool.app.backup import postgresql, sqlite_file
from korgool.app.backup.archive import BackupManifest, extract, read_manifest
from korgool.app.backup.errors import BackupError
from korgool.app.backup.facts import check_revision, compare
from korgool.app.backup.proof import BackupProof, prove
from korgool.app.backup.scratch import scratch_in
from korgool.app.backup.taking import moment_of
from korgool.app.server.core.settings import ServerSettings


class RestoredSite(NamedTuple):
    """A backup that was put back.

    Attributes:
        place: where the site is now.
        manifest: what is in it.
        kept: where the old site is, None if there was none: a file, or a schema of the database.
    """

    place: str
    manifest: BackupManifest
    kept: str | None


def restore(archive: Path, settings: ServerSettings, *, replacing: bool = False) -> RestoredSite:
    """Put a backup in the place of a site. Whenever it is broken off, the old site or the new one is there.

    Args:
        archive: the backup.
        settings: the place.
        replacing: whether another site may be there; it is kept beside under another name.

    Raises:
        BackupError: nothing was changed.
        SettingsError: the settings name no database.
    """
    told = _readable(archive)
    url = settings.url()
    _same_kind(archive, told, url)
    moment = moment_of(datetime.now(UTC))
    if told.database == "postgresql":
        with scratch_in(Path(gettempdir())) as scratch:
            extract(archive, scratch / "copy")
            kept = postgresql.restore(url, scratch / "copy", told, moment, replacing=replacing)
        return RestoredSite(url.set(drivername="postgresql").render_as_string(), told, kept)
    path = Path(str(url.database))
    _make_folder(path.parent)
    with sqlite_file.owned(path):
        path = path.resolve()  # a link to another disk stays a link
        if not replacing:
            sqlite_file.refuse_present(path)
        with scratch_in(path.parent) as scratch:
            extract(archive, scratch / "copy")
            sqlite_file.check_copy(scratch / "copy", told.facts, str(archive))
            old = sqlite_file.install(scratch / "copy", path, moment)
    return RestoredSite(str(path), told, None if old is None else str(old))


def check(
    archive: Path, settings: ServerSettings, done: Callable[[float], object] = lambda share: None
) -> tuple[BackupManifest, BackupProof]:
    """Restore a backup into a place of its own, which is removed again, compare it, and play everything in it again.

    Args:
        archive: the backup.
        settings: for a backup of PostgreSQL, a database on whose server another one can be made.
        done: as for `prove`.

    Raises:
        BackupError: it cannot be restored, or holds something else than it says.
        StorageError: a server could not open it.
        SettingsError: the settings name no database.
    """
    told = _readable(archive)
    with scratch_in(Path(gettempdir())) as scratch:
        copy = scratch / "korgool.sqlite"
        if told.database == "sqlite":
            extract(archive, copy)
            sqlite_file.check_copy(copy, told.facts, str(archive))
            return told, prove(ServerSettings(data=scratch), done)
        _same_kind(archive, told, settings.url())
        extract(archive, scratch / "copy")
        with postgresql.scratch_database(settings.url()) as url:
            postgresql.restore(url, scratch / "copy", told, "", replacing=False)
            compare(told.facts, postgresql.facts_in(url))
            return told, prove(ServerSettings(database=url.render_as_string(hide_password=False)), done)


def _readable(archive: Path) -> BackupManifest:
    """Manifest of an archive, if this version can restore it."""
    told = read_manifest(archive)
    check_revision(told.facts.revision, str(archive))
    return told


def _same_kind(archive: Path, told: BackupManifest, url: URL) -> None:
    kind = "sqlite" if url.drivername == "sqlite" else "postgresql"
    if told.database != kind:
        option = "--database postgresql://…" if told.database == "postgresql" else "--data FOLDER"
        raise BackupError(f"{archive} is a backup of a {told.database} database; name its place by {option}")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupError(f"{folder} cannot be made: {error.strerror}; choose another folder") from None

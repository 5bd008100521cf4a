"""The archive file: a zip of two parts, the copy of the database and a manifest that lists its contents.

An archive may come from anybody. So its parts have fixed names and become files under names that
the reader chooses; no part becomes larger than the manifest says; and a part is used only if its hash is correct.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

import msgspec

from korgool import __version__
from korgool.app.backup.scratch import BackupError, private_file

FORMAT = 1
"""Version of the archive; a newer one is refused."""
MANIFEST = "manifest.json"
PARTS: dict[str, str] = {"sqlite": "korgool.sqlite", "postgresql": "korgool.dump"}
"""The part with the database, by its kind."""
_MOST_MANIFEST = 1 << 20
_CHUNK = 1 << 20
_KEPT_FREE = 1 << 20
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_BROKEN = (
    EOFError,
    IndexError,
    KeyError,
    OverflowError,
    RuntimeError,  # with NotImplementedError
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
)
"""Errors of the standard library on damaged archives."""


class DatabaseFingerprint(msgspec.Struct, frozen=True):
    """Row counts and hashes of a database.

    Attributes:
        revision: of its tables.
        rows: how many each table has.
        journals: a hash over the journals of all games.
        chains: a hash over the last lines of the logs of all events.
    """

    revision: str
    rows: dict[str, int]
    journals: str
    chains: str


class BackupManifest(msgspec.Struct, frozen=True):
    """Manifest of an archive.

    Attributes:
        format: the version of the archive.
        korgool: the version of the program that made it.
        database: the kind of the database.
        server: the version of PostgreSQL; empty for SQLite.
        taken: when, in UTC, such as `2026-11-23T18:15:00Z`.
        size: bytes of the copy.
        sha256: of the copy.
        facts: what the copy holds.
    """

    format: int
    korgool: str
    database: Literal["sqlite", "postgresql"]
    server: str
    taken: str
    size: int
    sha256: str
    facts: DatabaseFingerprint


def write_archive(
    path: Path,
    copy: Path,
    database: Literal["sqlite", "postgresql"],
    server: str,
    taken: str,
    facts: DatabaseFingerprint,
) -> BackupManifest:
    """Write an archive as a new file that only its owner can read.

    Args:
        path: the file.
        copy: the copy of the database.
        database, server, taken, facts: see `BackupManifest`.
    """
    # What pg_dump writes is compressed already.
    method = zipfile.ZIP_DEFLATED if database == "sqlite" else zipfile.ZIP_STORED
    digest = hashlib.sha256()
    with os.fdopen(private_file(path), "w+b") as file, zipfile.ZipFile(file, "w", method, compresslevel=6) as archive:
        with copy.open("rb") as source, archive.open(PARTS[database], "w", force_zip64=True) as part:
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                part.write(chunk)
        size = copy.stat().st_size
        manifest = BackupManifest(FORMAT, __version__, database, server, taken, size, digest.hexdigest(), facts)
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return manifest


def read_manifest(path: Path) -> BackupManifest:
    """Read the manifest of an archive.

    Raises:
        BackupError: there is no such file, it is not a backup, it is damaged, or a newer version made it.
    """
    with _opened(path) as archive:
        return _manifest(path, archive)


def extract(path: Path, to: Path) -> BackupManifest:
    """Write the copy of the database from an archive to a new file.

    Args:
        path: the archive.
        to: the file, which only its owner can read.

    Raises:
        BackupError: as for `read_manifest`; or there is no room for the copy, or it is not what was written.
    """
    with _opened(path) as archive:
        manifest = _manifest(path, archive)
        free = shutil.disk_usage(to.parent).free
        if manifest.size > free - _KEPT_FREE:
            raise BackupError(f"{path} needs {manifest.size} bytes, and {free} are free on the disk of {to.parent}")
        name = PARTS[manifest.database]
        with os.fdopen(private_file(to), "wb") as target, archive.open(name) as part:
            digest = _copied(part, target, manifest.size)
            target.flush()
            os.fsync(target.fileno())
        if digest != manifest.sha256:
            raise BackupError(f"{path} is damaged: its part {name} is not what was written; use another backup")
        return manifest


def _copied(part: IO[bytes], target: IO[bytes], most: int) -> str:
    """Copy a part and return its hash.

    Copying stops at the first chunk beyond `most` bytes, the size in the manifest, and the hash is then empty, which
    equals that of no part.
    """
    digest, size = hashlib.sha256(), 0
    while chunk := part.read(_CHUNK):
        size += len(chunk)
        if size > most:
            return ""
        digest.update(chunk)
        target.write(chunk)
    return digest.hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    if not path.is_file():
        raise BackupError(f"there is no backup {path}")
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except BackupError:
        raise
    except (*_BROKEN, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # to seek before the beginning is invalid
            raise
        raise BackupError(f"{path} is no backup of Korgool, or it is damaged ({error}); use another backup") from error


def _manifest(path: Path, archive: zipfile.ZipFile) -> BackupManifest:
    members = archive.infolist()
    names = [member.filename for member in members]
    unknown = [name for name in names if name not in {MANIFEST, *PARTS.values()}]
    if unknown:
        raise BackupError(f"{path} is no backup of Korgool: it holds {unknown[0][:80]!r}")
    if (
        MANIFEST not in names
        or len(set(names)) != len(names)
        or any(member.compress_type not in _METHODS for member in members)
    ):
        raise BackupError(f"{path} is no backup of Korgool, or it is damaged: it has no {MANIFEST} that can be read")
    with archive.open(MANIFEST) as part:
        text = part.read(_MOST_MANIFEST + 1)
    try:
        version = msgspec.json.decode(text, type=dict[str, msgspec.Raw]).get("format", b"0")
        newer = int(bytes(version)) > FORMAT
        manifest = None if newer else msgspec.json.decode(text, type=BackupManifest)
    except ValueError as error:
        raise BackupError(f"{path} is damaged: its {MANIFEST} cannot be read ({error}); use another backup") from None
    if manifest is None:
        raise BackupError(f"{path} was made by a newer version of Korgool; install that version")
    size = {member.filename: member.file_size for member in members}.get(PARTS[manifest.database])
    if size is None:
        raise BackupError(f"{path} is damaged: it has no part {PARTS[manifest.database]}; use another backup")
    if size != manifest.size:
        raise BackupError(
            f"{path} is damaged: its part {PARTS[manifest.database]} has {size} bytes and not {manifest.size}"
        )
    return manifest

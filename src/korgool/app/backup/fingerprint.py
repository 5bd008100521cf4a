"""Row counts and hashes of a database of either kind and any known revision, to compare a copy with its original."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, inspect, text

from korgool.app.backup.archive import DatabaseFingerprint
from korgool.app.backup.scratch import BackupError
from korgool.app.server.storage.database import KNOWN

_BATCH_ROWS = 5000


def fingerprint_of(connection: Connection, place: str) -> DatabaseFingerprint:
    """Row counts and hashes of a database, read in one transaction.

    Raises:
        BackupError: it holds no tables of Korgool, or those of a newer version.
    """
    tables = sorted(inspect(connection).get_table_names())
    revision = revision_of(connection, place)
    rows = {name: connection.scalar(text(f"SELECT count(*) FROM {_quoted(name)}")) or 0 for name in tables}
    # Both kinds of database put the ids in the same order.
    order = 'COLLATE "C"' if connection.dialect.name == "postgresql" else ""
    journals = _hash(
        connection,
        f"SELECT game_id, version, at_ms, kind, payload FROM events ORDER BY game_id {order}, version",
    )
    chains = ""
    if "competition_log" in tables:
        chains = _hash(
            connection,
            "SELECT competition, at, chain FROM competition_log AS entry WHERE at = (SELECT max(at) FROM "
            f"competition_log AS other WHERE other.competition = entry.competition) ORDER BY competition {order}",
        )
    return DatabaseFingerprint(revision, rows, journals, chains)


def revision_of(connection: Connection, place: str) -> str:
    """The revision of the tables.

    Raises:
        BackupError: there are no tables of Korgool, or those of a newer version.
    """
    known = "alembic_version" in inspect(connection).get_table_names()
    revision = connection.scalar(text("SELECT version_num FROM alembic_version")) if known else None
    if revision is None:
        raise BackupError(f"the database {place} holds no games of Korgool")
    check_revision(str(revision), f"the database {place}")
    return str(revision)


def check_revision(revision: str, what: str) -> None:
    """Check that this version knows a revision.

    Raises:
        BackupError: it is of a newer version.
    """
    if revision not in KNOWN:
        raise BackupError(
            f"{what} was made by a newer version of Korgool (its tables are at {revision[:20]}, this version knows "
            f"{KNOWN[-1]}); install the newer version"
        )


def compare(expected: DatabaseFingerprint, actual: DatabaseFingerprint) -> None:
    """Check that a copy holds what its manifest says.

    Raises:
        BackupError: it does not; the message names the first difference.
    """
    for name in sorted(expected.rows.keys() | actual.rows.keys()):
        if name not in expected.rows:
            raise BackupError(f"the copy has a table {name}, which the database that was copied did not have")
        if name not in actual.rows:
            raise BackupError(f"the copy lacks the table {name} of the database that was copied")
        if expected.rows[name] != actual.rows[name]:
            raise BackupError(f"the table {name} has {actual.rows[name]} rows and not {expected.rows[name]}")
    if expected.revision != actual.revision:
        raise BackupError(
            f"the tables of the copy are at {actual.revision}, and the manifest says {expected.revision[:20]}"
        )
    for what in ("journals", "chains"):
        if getattr(expected, what) != getattr(actual, what):
            raise BackupError(f"the {what} of the copy are not those of the database that was copied")


def _hash(connection: Connection, query: str) -> str:
    digest = hashlib.sha256()
    for row in connection.execution_options(yield_per=_BATCH_ROWS).execute(text(query)):
        digest.update("\x1f".join(map(str, row)).encode() + b"\x1e")
    return digest.hexdigest()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

"""Contents of a database in figures and hashes: of any revision that is known, and of either kind."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, inspect, text

from korgool.app.backup.archive import DatabaseFacts
from korgool.app.backup.errors import BackupError
from korgool.app.server.storage.database import KNOWN

_AT_ONCE = 5000


def facts_of(connection: Connection, place: str) -> DatabaseFacts:
    """Figures of a database, read in one transaction.

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
            "SELECT competition, at, chain FROM competition_log AS one WHERE at = (SELECT max(at) FROM competition_log "
            f"AS other WHERE other.competition = one.competition) ORDER BY competition {order}",
        )
    return DatabaseFacts(revision, rows, journals, chains)


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


def compare(told: DatabaseFacts, found: DatabaseFacts) -> None:
    """Check that a copy holds what its manifest says.

    Raises:
        BackupError: it does not; the message names the first difference.
    """
    for name in sorted(told.rows.keys() | found.rows.keys()):
        if name not in told.rows:
            raise BackupError(f"the copy has a table {name}, which the database that was copied did not have")
        if name not in found.rows:
            raise BackupError(f"the copy lacks the table {name} of the database that was copied")
        if told.rows[name] != found.rows[name]:
            raise BackupError(f"the table {name} has {found.rows[name]} rows and not {told.rows[name]}")
    if told.revision != found.revision:
        raise BackupError(f"the tables of the copy are at {found.revision}, and the manifest says {told.revision[:20]}")
    for what in ("journals", "chains"):
        if getattr(told, what) != getattr(found, what):
            raise BackupError(f"the {what} of the copy are not those of the database that was copied")


def _hash(connection: Connection, query: str) -> str:
    digest = hashlib.sha256()
    found = connection.execution_options(yield_per=_AT_ONCE).execute(text(query))
    for row in found:
        digest.update("\x1f".join(map(str, row)).encode() + b"\x1e")
    return digest.hexdigest()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

"""A PostgreSQL database that is copied while its servers write, and put back: by PostgreSQL's own programs.

The figures of the manifest and the copy are of one snapshot. A restore is one transaction of `psql`: it moves the old
tables to a schema of their own, makes the new ones, counts their rows, and only then commits.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from korgool.app.backup.archive import BackupManifest, DatabaseFacts
from korgool.app.backup.errors import BackupError
from korgool.app.backup.facts import facts_of
from korgool.app.server.engines.queue_tables import SCHEMA as QUEUE
from korgool.app.server.storage.server_processes import MIGRATING, others_alive
from korgool.installing import advice

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
_SECONDS = 10


def copy_of(url: URL, target: Path) -> tuple[DatabaseFacts, str]:
    """Copy the tables of Korgool as they are at one moment; return their figures, and the version of the server.

    Raises:
        BackupError: there are none, the database or `pg_dump` is missing, or `pg_dump` is older than the server.
    """
    with _connected(url) as engine, engine.connect() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            place = _place(url)
            server = _server(connection)
            program = program_for("pg_dump", server // 10000)
            facts = facts_of(connection, place)
            snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
            schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
            names = [f'--table={schema}."{name}"' for name in sorted(facts.rows)]
            words = [program, "--format=custom", "--no-owner", "--no-privileges", "--no-password", "--strict-names"]
            _run([*words, f"--snapshot={snapshot}", *names, f"--file={target}"], url)
            return facts, ".".join(map(str, divmod(server, 10000)))


def restore(url: URL, copy: Path, manifest: BackupManifest, moment: str, *, replacing: bool) -> str | None:
    """Put a copy into a database, in one transaction; the schema in which the old tables are now, or None without any.

    Args:
        url: the database.
        copy: what `copy_of` made.
        manifest: what it holds.
        moment: what the name of that schema ends with.
        replacing: whether there may be tables already.

    Raises:
        BackupError: there are tables that may not be replaced, a server runs, or a program is missing.
    """
    with _connected(url) as engine:
        with engine.begin() as connection:
            server = _server(connection)
            reader, writer = (program_for(name, server // 10000) for name in ("pg_restore", "psql"))
            tables = sorted(inspect(connection).get_table_names())
            if tables and not replacing:
                raise BackupError(
                    f"the database {_place(url)} holds tables already; --replace keeps them in a schema of their own, "
                    "and restores"
                )
            if others_alive(connection):
                raise BackupError(f"a Korgool server uses the database {_place(url)}; stop it first")
            schema = str(connection.scalar(text("SELECT quote_ident(current_schema())")))
        kept = f"korgool_before_{moment.lower()}" if tables else None
        begin = ["BEGIN;", _ALONE, f'DROP SCHEMA IF EXISTS "{QUEUE}" CASCADE;']
        if kept:
            begin += [f'CREATE SCHEMA "{kept}";']
            begin += [f'ALTER TABLE {schema}."{name}" SET SCHEMA "{kept}";' for name in tables]
        counts = [_counted(f'{schema}."{name}"', rows) for name, rows in sorted(manifest.facts.rows.items())]
        end = [*counts, "COMMIT;"]
        _piped(reader, writer, url, copy, "\n".join(begin), "\n".join(end))
        return kept


@contextmanager
def scratch_database(url: URL) -> Iterator[URL]:
    """An empty database on the server of another one, dropped afterwards.

    Raises:
        BackupError: it cannot be made.
    """
    name = f"korgool_check_{secrets.token_hex(6)}"
    with _connected(url) as engine:
        alone = engine.execution_options(isolation_level="AUTOCOMMIT")
        try:
            with alone.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0"))
        except DBAPIError as error:
            raise BackupError(
                f"no database for the check can be made ({_first_line(error)}); allow it with: "
                f'ALTER ROLE "{url.username}" CREATEDB'
            ) from None
        try:
            yield url.set(database=name)
        finally:
            with suppress(DBAPIError), alone.connect() as connection:
                connection.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))


def facts_in(url: URL) -> DatabaseFacts:
    """Figures of a database.

    Raises:
        BackupError: it holds nothing of Korgool.
    """
    with _connected(url) as engine, engine.begin() as connection:
        return facts_of(connection, _place(url))


# Internals

_ALONE = f"""
SET client_min_messages = warning;
DO $$ BEGIN
    IF NOT pg_try_advisory_xact_lock({MIGRATING}) THEN
        RAISE EXCEPTION 'another Korgool server begins on this database; stop it first';
    END IF;
END $$;
"""


def _counted(table: str, rows: int) -> str:
    """A statement that fails if a table has another number of rows."""
    return (
        f"DO $$ BEGIN IF (SELECT count(*) FROM {table}) <> {rows} THEN "
        f"RAISE EXCEPTION 'a table has another number of rows than the backup: {table.replace(chr(39), '')}'; "
        "END IF; END $$;"
    )


def _piped(reader: str, writer: str, url: URL, copy: Path, begin: str, end: str) -> None:
    """Let one program write what another one reads; without `end` nothing of it stays."""
    given = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    words = [writer, "--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--file=-"]
    into = subprocess.Popen([*words, f"--dbname={_address(url)}"], env=_environment(url), **given)  # type: ignore[call-overload]
    assert into.stdin is not None
    try:
        problem = ""
        with suppress(BrokenPipeError):
            into.stdin.write(f"{begin}\n".encode())
            into.stdin.flush()
            words = [reader, "--file=-", "--no-owner", "--no-privileges", str(copy)]
            done = subprocess.run(words, stdout=into.stdin, stderr=subprocess.PIPE, check=False)
            if done.returncode:
                problem = done.stderr.decode(errors="replace")
            else:
                into.stdin.write(f"\n{end}\n".encode())
        _, said = into.communicate()
        if into.returncode or problem:
            raise BackupError(f"nothing was restored: {_words(said.decode(errors='replace') or problem)}")
    finally:
        if into.poll() is None:
            into.kill()
            into.wait()


def _run(words: list[str], url: URL) -> None:
    """Run a program on a database; the password is not among its words, which everybody on the machine can see."""
    done = subprocess.run(
        [*words, f"--dbname={_address(url)}"], env=_environment(url), capture_output=True, text=True, check=False
    )
    if done.returncode:
        name = Path(words[0]).name
        raise BackupError(f"{name} has failed: {_words(done.stderr)}; nothing was changed")


def program_for(name: str, major: int) -> str:
    """A program of PostgreSQL that fits a server of this major version.

    Raises:
        BackupError: it is missing, or older than the server.
    """
    advice = f"install the client programs of PostgreSQL {major}, on Debian: apt install postgresql-client-{major}"
    found = shutil.which(name)
    if found is None:
        raise BackupError(f"{name} is not installed; {advice}")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    version = _VERSION.search(said)
    if version is None or int(version[1]) < major:
        raise BackupError(f"{found} is of PostgreSQL {version[1] if version else '?'}, the server of {major}; {advice}")
    return found


@contextmanager
def _connected(url: URL) -> Iterator[Engine]:
    try:
        engine = create_engine(url, hide_parameters=True, connect_args={"connect_timeout": _SECONDS})
    except ImportError:
        raise BackupError(f"PostgreSQL needs one more package; type: {advice('postgresql')}") from None
    try:
        yield engine
    except DBAPIError as error:
        raise BackupError(f"the database {_place(url)} cannot be used: {_first_line(error)}") from error
    finally:
        engine.dispose()


def _server(connection: Connection) -> int:
    return int(connection.scalar(text("SELECT current_setting('server_version_num')")) or 0)


def _address(url: URL) -> str:
    return url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)


def _environment(url: URL) -> dict[str, str]:
    given = {} if url.password is None else {"PGPASSWORD": str(url.password)}
    return {**os.environ, **given, "PGCONNECT_TIMEOUT": str(_SECONDS)}


def _place(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string()


def _first_line(error: DBAPIError) -> str:
    return " ".join(str(error.orig).split())[:300]


def _words(said: str) -> str:
    return " ".join(said.split())[:500]

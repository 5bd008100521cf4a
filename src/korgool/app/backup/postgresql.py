"""Copying and restoring a PostgreSQL database with PostgreSQL's own programs, while its servers write.

The fingerprint in the manifest and the copy are of one snapshot. A restore is one transaction of `psql`: it moves the
old tables to a schema of their own, makes the new ones, counts their rows, and only then commits.
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

from korgool.app.backup.archive import BackupManifest, DatabaseFingerprint
from korgool.app.backup.fingerprint import fingerprint_of
from korgool.app.backup.scratch import BackupError
from korgool.app.server.engines.queue_tables import SCHEMA as QUEUE
from korgool.app.server.storage.server_processes import MIGRATING, servers_alive
from korgool.installing import advice

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
_SECONDS = 10


def copy_of(url: URL, target: Path) -> tuple[DatabaseFingerprint, str]:
    """Copy the tables of Korgool as they are at one moment; return their fingerprint and the version of the server.

    Raises:
        BackupError: there are none, the database or `pg_dump` is missing, or `pg_dump` is older than the server.
    """
    with _connected(url) as engine, engine.connect() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            place = _place(url)
            server = _server(connection)
            program = program_for("pg_dump", server // 10000)
            facts = fingerprint_of(connection, place)
            snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
            schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
            names = [f'--table={schema}."{name}"' for name in sorted(facts.rows)]
            arguments = [program, "--format=custom", "--no-owner", "--no-privileges", "--no-password", "--strict-names"]
            _run([*arguments, f"--snapshot={snapshot}", *names, f"--file={target}"], url)
            return facts, ".".join(map(str, divmod(server, 10000)))


def restore(url: URL, copy: Path, manifest: BackupManifest, moment: str, *, replacing: bool) -> str | None:
    """Restore a copy in one transaction and return the schema that now holds the old tables, or None without any.

    Args:
        url: the database.
        copy: what `copy_of` made.
        manifest: that of the copy.
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
            if servers_alive(connection):
                raise BackupError(f"a Korgool server uses the database {_place(url)}; stop it first")
            schema = str(connection.scalar(text("SELECT quote_ident(current_schema())")))
        old_schema = f"korgool_before_{moment.lower()}" if tables else None
        begin = ["BEGIN;", _ALONE, f'DROP SCHEMA IF EXISTS "{QUEUE}" CASCADE;']
        if old_schema:
            begin += [f'CREATE SCHEMA "{old_schema}";']
            begin += [f'ALTER TABLE {schema}."{name}" SET SCHEMA "{old_schema}";' for name in tables]
        counts = [_count_check(f'{schema}."{name}"', rows) for name, rows in sorted(manifest.facts.rows.items())]
        end = [*counts, "COMMIT;"]
        _pipe(reader, writer, url, copy, "\n".join(begin), "\n".join(end))
        return old_schema


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


def fingerprint_of_database(url: URL) -> DatabaseFingerprint:
    """Row counts and hashes of a database.

    Raises:
        BackupError: it holds nothing of Korgool.
    """
    with _connected(url) as engine, engine.begin() as connection:
        return fingerprint_of(connection, _place(url))


# Internals

_ALONE = f"""
SET client_min_messages = warning;
DO $$ BEGIN
    IF NOT pg_try_advisory_xact_lock({MIGRATING}) THEN
        RAISE EXCEPTION 'another Korgool server begins on this database; stop it first';
    END IF;
END $$;
"""


def _count_check(table: str, rows: int) -> str:
    """A statement that fails if a table has a different number of rows."""
    return (
        f"DO $$ BEGIN IF (SELECT count(*) FROM {table}) <> {rows} THEN "
        f"RAISE EXCEPTION 'a table has another number of rows than the backup: {table.replace(chr(39), '')}'; "
        "END IF; END $$;"
    )


def _pipe(reader: str, writer: str, url: URL, copy: Path, begin: str, end: str) -> None:
    """Pipe the output of one program into another; if the first fails, the transaction is rolled back."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    arguments = [writer, "--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--file=-"]
    consumer = subprocess.Popen([*arguments, f"--dbname={_address(url)}"], env=_environment(url), **pipes)  # type: ignore[call-overload]
    assert consumer.stdin is not None
    try:
        problem = ""
        with suppress(BrokenPipeError):
            consumer.stdin.write(f"{begin}\n".encode())
            consumer.stdin.flush()
            arguments = [reader, "--file=-", "--no-owner", "--no-privileges", str(copy)]
            process = subprocess.run(arguments, stdout=consumer.stdin, stderr=subprocess.PIPE, check=False)
            if process.returncode:
                problem = process.stderr.decode(errors="replace")
            else:
                consumer.stdin.write(f"\n{end}\n".encode())
        _, output = consumer.communicate()
        if consumer.returncode or problem:
            raise BackupError(f"nothing was restored: {_shortened(output.decode(errors='replace') or problem)}")
    finally:
        if consumer.poll() is None:
            consumer.kill()
            consumer.wait()


def _run(arguments: list[str], url: URL) -> None:
    """Run a program on a database; the password is not in its arguments, which everybody on the machine can see."""
    process = subprocess.run(
        [*arguments, f"--dbname={_address(url)}"], env=_environment(url), capture_output=True, text=True, check=False
    )
    if process.returncode:
        name = Path(arguments[0]).name
        raise BackupError(f"{name} has failed: {_shortened(process.stderr)}; nothing was changed")


def program_for(name: str, major: int) -> str:
    """A program of PostgreSQL that fits a server of this major version.

    Raises:
        BackupError: it is missing, or older than the server.
    """
    advice = f"install the client programs of PostgreSQL {major}, on Debian: apt install postgresql-client-{major}"
    path = shutil.which(name)
    if path is None:
        raise BackupError(f"{name} is not installed; {advice}")
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    version = _VERSION.search(output)
    if version is None or int(version[1]) < major:
        raise BackupError(f"{path} is of PostgreSQL {version[1] if version else '?'}, the server of {major}; {advice}")
    return path


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
    return url._replace(drivername="postgresql", password=None).render_as_string()  # `set` keeps a password


def _environment(url: URL) -> dict[str, str]:
    password = {} if url.password is None else {"PGPASSWORD": str(url.password)}
    return {**os.environ, **password, "PGCONNECT_TIMEOUT": str(_SECONDS)}


def _place(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string()


def _first_line(error: DBAPIError) -> str:
    return " ".join(str(error.orig).split())[:300]


def _shortened(output: str) -> str:
    return " ".join(output.split())[:500]

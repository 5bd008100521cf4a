"""Statistics by which SQLite plans its queries, made anew when the database has grown.

No page needs them: indexes and the forms of the queries suffice, and `tests/server/test_growth.py` holds that. They
help with what an operator asks of the database beside the server, and with what a later version may ask. PostgreSQL
makes its own (autovacuum). SQLite's `PRAGMA optimize` does nothing before 3.46 for tables that were never analysed.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine, inspect

GROWN = 2
"""Statistics are made again when a table is so many times as long as they say."""
LEAST_ROWS = 1000
"""Shorter tables need none."""
_LOOKED = 400
"""Rows of an index that SQLite looks at; about a millisecond for each index, whatever the table's length."""


def renew_statistics(engine: Engine) -> list[str]:
    """Make statistics of the tables that have grown; return their names.

    Each table has a short transaction of its own, so that a move waits for one of them at most. The method blocks.

    Raises:
        SQLAlchemyError: the database is busy or cannot be written.
    """
    if engine.dialect.name != "sqlite":
        return []
    with engine.begin() as connection:
        lengths = _lengths(connection)
        known = _known(connection)
    grown = [name for name, length in lengths.items() if length >= max(LEAST_ROWS, GROWN * known.get(name, 0))]
    for name in grown:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"PRAGMA analysis_limit = {_LOOKED}")
            connection.exec_driver_sql(f'ANALYZE "{name}"')
    if grown:
        engine.dispose()  # a connection reads the statistics when it is opened
    return grown


def _lengths(connection: Connection) -> dict[str, int]:
    """The largest row number of each table: at least its length, and read at once."""
    names = [name for name in inspect(connection).get_table_names() if name != "alembic_version"]
    return {name: connection.exec_driver_sql(f'SELECT max(rowid) FROM "{name}"').scalar() or 0 for name in names}


def _known(connection: Connection) -> dict[str, int]:
    """The length of each table as its statistics have it."""
    if not connection.exec_driver_sql("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").all():
        return {}
    rows = connection.exec_driver_sql("SELECT tbl, stat FROM sqlite_stat1 WHERE stat IS NOT NULL").all()
    found: dict[str, int] = {}
    for table, stat in rows:
        found[table] = max(found.get(table, 0), int(stat.split()[0]))
    return found

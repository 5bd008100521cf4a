"""The journal of a game, and the database that keeps it: tables, migrations, the writer, the lock of its owner."""

"""The journal of a game, and the database that stores it: tables, migrations, the writer, the owner's lock."""

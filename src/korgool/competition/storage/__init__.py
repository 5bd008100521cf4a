"""Event files: the log of an event and its personal data in one SQLite file."""

"""A whole site in one archive: taken while its servers run, checked, and restored.

Everything that a site keeps is in its database: games, accounts, events, and the keys that sign cookies and web push.
So an archive is one copy of the database with a manifest. From low to high:

- `scratch`: the error of all, and temporary folders for incomplete files;
- `archive`: the file, and its strict reader;
- `fingerprint`: row counts and hashes of a database, by which a copy is compared with it;
- `sqlite_file`, `postgresql`: copying and restoring each kind of database;
- `verification`: opening a copy as a server does, and replaying every game and event;
- `operations`: backup, restore and check.
"""

"""A whole site in one archive: taken while its servers run, checked, and put back.

Everything that a site keeps is in its database: games, accounts, events, and the keys that sign cookies and web push.
So an archive is one copy of the database with a manifest. From low to high:

- `errors`, `scratch`: refusals, and places in which something half-made can lie;
- `archive`: the file, and the strict reading of it;
- `facts`: what a database holds in figures and hashes, so that a copy can be compared with it;
- `sqlite_file`, `postgresql`: how each kind of database is copied and put back;
- `proof`: opening a copy as a server does, and playing every game again;
- `taking`, `restoring`: the two commands.
"""

"""Accounts in the database: who has which name, who is signed in, and who may do what here.

What may be a name, a password or a right is decided by `korgool.accounts`; this package keeps it. Everything that
touches the database blocks and may be called from any thread, but for `Authentication` and `PeopleCache`, which belong
to the event loop.
"""

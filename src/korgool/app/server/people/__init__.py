"""Accounts: names, signing in, passkeys, guests, children, blocks, reports, tokens and profiles.

`korgool.accounts` decides what may be a name, a password or a right; this package stores it. Repositories block and may
be called from any thread; services, `Authentication` and `PeopleCache` belong to the event loop.
"""

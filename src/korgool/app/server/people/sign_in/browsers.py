"""The browsers in which people sign in, and the device cookies by which an account knows them.

Device cookies, as OWASP describes them: a browser that has signed in to an account before is known to it.

Guesses from elsewhere lock out browsers that are not known, and only those; wrong passwords from a known browser are
counted for it alone. The cookie opens nothing. It holds a random name and its signature for each of the last accounts
of the browser, and does not say which these are. The key is a secret of the account, so that all cookies of an account
become worthless with its sessions: when all or all others are ended, the password is changed, or the account deleted.
"""

from __future__ import annotations

import hmac
import re
import secrets as randomness
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, delete, select

from korgool.app.server.people.transactions import PeopleTransactions, digest_of
from korgool.app.server.storage.schema import secrets

_BROWSERS = (
    ("Edg(?:e|A|iOS)?/", "Edge"),
    ("OPR/|Opera", "Opera"),
    ("YaBrowser/", "Yandex"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/|FxiOS/", "Firefox"),
    ("Chrom(?:e|ium)/|CriOS/|HeadlessChrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Most browsers call themselves by the names of others too, which come later here."""
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone|iPad", "iOS"),
    ("Windows", "Windows"),
    ("Mac OS X|Macintosh", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux|X11", "Linux"),
)
MOST_ACCOUNTS = 5
"""Accounts by which one browser is known; the newest count."""
_NAME_BYTES = 12
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that signs in, or tries to.

    Attributes:
        agent: the beginning of its `User-Agent`.
        cookie: its device cookie; empty without one.
    """

    agent: str = ""
    cookie: str = ""


def browser_of(device: str) -> str:
    """A browser and its system, such as `Firefox · Android`; others are shown as they call themselves.

    Args:
        device: the beginning of a `User-Agent`.
    """
    names = [next((name for sign, name in signs if re.search(sign, device)), "") for signs in (_BROWSERS, _SYSTEMS)]
    return " · ".join(filter(None, names)) or device


class DeviceCookies:
    """Makes and reads them; all methods block.

    Args:
        transactions: the tables of people.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def name(self, account: str, cookie: str) -> str | None:
        """The name under which an account knows the browser that brings a cookie; None where it does not.

        It takes as long for an empty identity, so that nobody learns which names have accounts.
        """
        parts = _parts(cookie)
        if not parts:
            return None
        with self._transactions.reading() as connection:
            key = connection.scalar(select(secrets.c.value).where(secrets.c.name == _row(account)))
        fits = [name for name, sign in parts if _fits(key or "", name, sign)]
        return fits[0] if key is not None and fits else None

    def make(self, account: str, cookie: str) -> str:
        """The cookie of a browser that has just signed in to an account: a new name for it, behind that of others."""
        with self._transactions.writing() as connection:
            key = connection.scalar(select(secrets.c.value).where(secrets.c.name == _row(account)))
            if key is None:
                key = randomness.token_hex(32)
                connection.execute(secrets.insert().values(name=_row(account), value=key))
        name = randomness.token_urlsafe(_NAME_BYTES)
        others = [part for part in _parts(cookie) if not _fits(key, *part)]
        return "~".join(".".join(part) for part in [(name, _sign(key, name)), *others][:MOST_ACCOUNTS])


def end_device_cookies(connection: Connection, account: str) -> None:
    """Let no browser be known to an account any more, within a transaction."""
    connection.execute(delete(secrets).where(secrets.c.name == _row(account)))


def _row(account: str) -> str:
    return digest_of("device cookies", account)[:20]


def _parts(cookie: str) -> list[tuple[str, str]]:
    """The names with their signatures, unchecked."""
    if len(cookie) > _LONGEST or not cookie.isascii():
        return []
    parts = [part.partition(".") for part in cookie.split("~")][:MOST_ACCOUNTS]
    return [(name, sign) for name, _, sign in parts if name and sign]


def _sign(key: str, name: str) -> str:
    return hmac.new(key.encode(), name.encode(), sha256).hexdigest()[:32]


def _fits(key: str, name: str, sign: str) -> bool:
    return hmac.compare_digest(_sign(key, name), sign)

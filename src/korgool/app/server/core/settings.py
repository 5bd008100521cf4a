"""The settings of the server: where its data is, its names and its limits."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import platformdirs
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from korgool.app.server.limits import ServiceLimits
from korgool.app.server.limits.caller import Network
from korgool.installing import advice
from korgool.rules import TOGUZ_KORGOOL

_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
_CONTACT = re.compile(r"mailto:[^\s@<>]+@[^\s@<>]+|https://[^\s<>]+")
_SQLITE = ("sqlite", "sqlite+pysqlite")
_NATS = re.compile(r"nats://[^\s,/]+(,nats://[^\s,/]+)*")
NO_BUS = "off"
"""The bus of processes that read the database for news."""


class SettingsError(ValueError):
    """An invalid setting; the message gives advice."""


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """The SMTP server of outgoing e-mail.

    Attributes:
        host: the SMTP server.
        port: its port.
        sender: the address that messages come from.
        user: the name to log in with; empty for none.
        password: the password.
    """

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings for `create_app`.

    Attributes:
        data: the folder of the SQLite database; by default the user-data folder of the operating system.
        database: a database URL instead, `postgresql://…` or `sqlite:///FILE`.
        bus: how the processes of a PostgreSQL database tell each other news: `nats://HOST:PORT`, `off`, or None for
            PostgreSQL's NOTIFY.
        game: the short name of the game that the form for a new game offers first.
        host: the address to listen on; its name, and those of this machine, are names of the site.
        allowed_hosts: the names and addresses under which the server answers, instead of those.
        more_hosts: names beside those, with or without `allowed_hosts`.
        base_url: the address that people use, `https://example.org/`; its name is allowed, and records contain it.
        searches: engine searches that run at the same time; others wait in a queue.
        engine_queue: leave long searches to `korgool worker` processes, by a queue in the PostgreSQL database.
        limits: what one session and one address may do.
        proxies: the networks of proxies whose `X-Forwarded-For` is trusted.
        push: `mailto:` or `https:` address of the operator, which switches web push on.
        push_networks: networks that are not public to which web push is sent all the same.
        follow_networks: networks that are not public in which events of other sites are followed, also without TLS.
        copies: the folder into which each event is copied as a file after each round, such as that of a memory stick.
        smtp: where e-mail goes, which switches it on; the base URL must be set then.
    """

    data: Path | None = None
    database: str | None = None
    bus: str | None = None
    game: str = TOGUZ_KORGOOL.name
    host: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = ()
    more_hosts: tuple[str, ...] = ()
    base_url: str | None = None
    searches: int = max(1, (os.cpu_count() or 1) - 1)
    engine_queue: bool = False
    limits: ServiceLimits = field(default_factory=ServiceLimits)
    proxies: tuple[Network, ...] = ()
    push: str | None = None
    push_networks: tuple[Network, ...] = ()
    follow_networks: tuple[Network, ...] = ()
    copies: Path | None = None
    smtp: SmtpSettings | None = None

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self.data if self.data is not None else Path(platformdirs.user_data_path("korgool"))

    def url(self) -> URL:
        """The database as SQLAlchemy addresses it.

        Raises:
            SettingsError: the URL is invalid, or names an unsupported kind of database.
        """
        if self.database is None:
            return URL.create("sqlite", database=str(self.folder.absolute() / "korgool.sqlite"))
        try:
            url = make_url(self.database)
        except ArgumentError:
            raise SettingsError("--database is no database URL; write postgresql://user@host/name") from None
        if url.drivername in _POSTGRESQL:
            return url.set(drivername="postgresql+psycopg")
        if url.drivername in _SQLITE and url.database not in {None, "", ":memory:"}:
            return url.set(drivername="sqlite")
        raise SettingsError(
            f"--database names {url.drivername!r}; Korgool stores games in postgresql://… or in sqlite:///FILE"
        )


def check_bus(settings: ServerSettings) -> None:
    """Check what is said about the bus before anything is opened.

    Raises:
        SettingsError: it is no address, there is one process only, or a package is missing.
    """
    if settings.bus is None:
        return
    if settings.bus != NO_BUS and _NATS.fullmatch(settings.bus) is None:
        raise SettingsError(f"--bus {settings.bus!r} is no bus; write nats://HOST:PORT, or off")
    if settings.url().drivername == "sqlite":
        raise SettingsError("--bus needs --database postgresql://…: with SQLite one process serves all games")
    if settings.bus != NO_BUS and find_spec("nats") is None:
        raise SettingsError(f"--bus nats://… needs one more package; type: {advice('nats')}")


def check_notices(settings: ServerSettings) -> None:
    """Check what is said about notices before anything is opened.

    Raises:
        SettingsError: a contact or an address is none, or the links in e-mails would lead nowhere.
    """
    if settings.push is not None and _CONTACT.fullmatch(settings.push) is None:
        raise SettingsError(f"--push {settings.push!r} is no contact; write mailto:NAME@EXAMPLE.ORG or https://PAGE")
    if settings.smtp is not None and settings.base_url is None:
        raise SettingsError("--smtp needs --base-url: the links in e-mails lead to that address")


def read_metrics(text: str) -> tuple[str, int]:
    """The address and port of `[HOST:]PORT`; without a host only this machine can read the metrics.

    Raises:
        SettingsError: it is none.
    """
    host, colon, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65536 and (host or not colon)):
        raise SettingsError(f"--metrics {text[:60]!r} is no place; write PORT or HOST:PORT, such as 127.0.0.1:9100")
    return host.strip("[]") or "127.0.0.1", int(port)


def read_smtp(text: str, sender: str | None) -> SmtpSettings:
    """The SMTP server of `HOST:PORT`; user and password come from the environment, where no list of processes shows
    them.

    Raises:
        SettingsError: it is none, or there is no sender.
    """
    host, colon, port = text.rpartition(":")
    host = host.strip("[]")
    if not (colon and host and port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise SettingsError(f"--smtp {text!r} is no server; write HOST:PORT, such as smtp.example.org:587")
    if sender is None or "@" not in sender.strip("@") or not sender.isprintable() or set(sender) & set(" <>,"):
        raise SettingsError("--smtp needs --mail-from with the address that e-mails come from")
    user, password = os.environ.get("KORGOOL_SMTP_USER", ""), os.environ.get("KORGOOL_SMTP_PASSWORD", "")
    return SmtpSettings(host, int(port), sender, user, password)

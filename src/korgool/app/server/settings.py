"""The settings of the server: where its data is, its names and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from korgool.app.server.limits import ServiceLimits
from korgool.app.server.limits.caller import Network
from korgool.rules import TOGUZ_KORGOOL

_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
_SQLITE = ("sqlite", "sqlite+pysqlite")


class SettingsError(ValueError):
    """An invalid setting; the message gives advice."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings for `create_app`.

    Attributes:
        data: the folder of the SQLite database; by default the user-data folder of the operating system.
        database: a database URL instead, `postgresql://…` or `sqlite:///FILE`.
        game: the short name of the game that the form for a new game offers first.
        host: the address to listen on; its name, and those of this machine, are names of the site.
        allowed_hosts: the names and addresses under which the server answers, instead of those.
        base_url: the address that people use, `https://example.org/`; its name is allowed, and records contain it.
        searches: engine searches that run at the same time; others wait in a queue.
        limits: what one session and one address may do.
        proxies: the networks of proxies whose `X-Forwarded-For` is trusted.
    """

    data: Path | None = None
    database: str | None = None
    game: str = TOGUZ_KORGOOL.name
    host: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = ()
    base_url: str | None = None
    searches: int = max(1, (os.cpu_count() or 1) - 1)
    limits: ServiceLimits = field(default_factory=ServiceLimits)
    proxies: tuple[Network, ...] = ()

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

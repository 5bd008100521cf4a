"""All checks of an installation, in the order of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from korgool.app.doctor import installation_checks, network_checks
from korgool.app.doctor.diagnosis import Check, Diagnosis, wrong
from korgool.installing import advice


@dataclass(frozen=True, slots=True)
class Installation:
    """The installation to examine, by the options of `korgool serve`.

    Attributes:
        parts: the modules of each part.
        data: the data folder; None for the user's.
        database: the database instead.
        host, port: where the server listens.
        base_url: the address that people use; None if it is not checked.
        smtp, mail_from: the SMTP server and the sender; None without mail.
        push: the contact of web push.
    """

    parts: Mapping[str, tuple[str, ...]]
    data: Path | None = None
    database: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    base_url: str | None = None
    smtp: str | None = None
    mail_from: str | None = None
    push: str | None = None

    @property
    def needed(self) -> frozenset[str]:
        """The parts without which the site cannot run."""
        named = self.data is not None or self.database is not None or self.base_url is not None
        return frozenset({"serve"} if named else ()) | frozenset({"push"} if self.push else ())


def examine(installation: Installation) -> Iterator[Diagnosis]:
    """Yield the result of every check; an unexpected error of a check is a result too."""
    checks: list[tuple[str, Check]] = [
        ("python", installation_checks.python),
        ("kernel", installation_checks.kernel),
        ("parts", partial(installation_checks.parts, installation.parts, installation.needed)),
        ("tables", installation_checks.tables),
        ("open files", installation_checks.descriptors),
        ("database", partial(_database, installation)),
        ("port", partial(network_checks.port, installation.host, installation.port)),
    ]
    if installation.base_url is not None:
        checks.append(("address", partial(network_checks.site, installation.base_url)))
    if installation.smtp is not None:
        checks.append(("mail", partial(_mail, installation.smtp, installation.mail_from)))
    if installation.push is not None:
        checks.append(("web push", partial(network_checks.push, installation.push)))
    for about, check in checks:
        try:
            yield from check()
        except ImportError as error:
            if "serve" in installation.needed:
                yield wrong(about, f"was not looked at: {error}", advice("serve"))
        except Exception as error:  # the other checks still run
            said = f"was not looked at: {type(error).__name__}: {error}"
            yield wrong(about, said, "please report this, it is a fault of korgool doctor")


def _database(installation: Installation) -> Iterator[Diagnosis]:
    from korgool.app.doctor import database_checks
    from korgool.app.server.core.settings import ServerSettings, SettingsError

    settings = ServerSettings(data=installation.data, database=installation.database)
    try:
        url = settings.url()
    except SettingsError as error:
        yield wrong("database", str(error), "korgool doctor --help")
        return
    if url.drivername != "sqlite":
        yield from database_checks.postgresql_database(url)
        return
    path = Path(str(url.database))
    yield from database_checks.data_folder(path.parent)
    yield from database_checks.sqlite_database(path)


def _mail(server: str, sender: str | None) -> Iterator[Diagnosis]:
    from korgool.app.server.core.settings import SettingsError, read_smtp

    try:
        settings = read_smtp(server, sender)
    except SettingsError as error:
        yield wrong("mail", str(error), "korgool serve --smtp smtp.example.org:587 --mail-from korgool@example.org")
        return
    yield from network_checks.mail(settings)

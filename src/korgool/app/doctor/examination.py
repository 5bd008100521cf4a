"""All checks of an installation, in the order of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from korgool.app.doctor import address, installation
from korgool.app.doctor.findings import Diagnosis, Examination, wrong
from korgool.installing import advice


@dataclass(frozen=True, slots=True)
class Patient:
    """Installation to be examined, as `korgool serve` names it.

    Attributes:
        parts: the modules of each part.
        data: the data folder; None for the user's.
        database: the database instead.
        host, port: where the server listens.
        base_url: the address that people use; None if it is not to be asked.
        smtp, mail_from: how mail goes; None for not at all.
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


def examine(patient: Patient) -> Iterator[Diagnosis]:
    """Yield the findings; an unexpected failure of a check is a finding too."""
    checks: list[tuple[str, Examination]] = [
        ("python", installation.python),
        ("kernel", installation.kernel),
        ("parts", partial(installation.parts, patient.parts, patient.needed)),
        ("tables", installation.tables),
        ("open files", installation.descriptors),
        ("database", partial(_place, patient)),
        ("port", partial(address.port, patient.host, patient.port)),
    ]
    if patient.base_url is not None:
        checks.append(("address", partial(address.site, patient.base_url)))
    if patient.smtp is not None:
        checks.append(("mail", partial(_mail, patient.smtp, patient.mail_from)))
    if patient.push is not None:
        checks.append(("web push", partial(address.push, patient.push)))
    for about, check in checks:
        try:
            yield from check()
        except ImportError as error:
            if "serve" in patient.needed:
                yield wrong(about, f"was not looked at: {error}", advice("serve"))
        except Exception as error:  # the other checks are of use all the same
            said = f"was not looked at: {type(error).__name__}: {error}"
            yield wrong(about, said, "please report this, it is a fault of korgool doctor")


def _place(patient: Patient) -> Iterator[Diagnosis]:
    from korgool.app.doctor import place
    from korgool.app.server.core.settings import ServerSettings, SettingsError

    settings = ServerSettings(data=patient.data, database=patient.database)
    try:
        url = settings.url()
    except SettingsError as error:
        yield wrong("database", str(error), "korgool doctor --help")
        return
    if url.drivername != "sqlite":
        yield from place.postgresql_database(url)
        return
    path = Path(str(url.database))
    yield from place.folder(path.parent)
    yield from place.sqlite_database(path)


def _mail(server: str, sender: str | None) -> Iterator[Diagnosis]:
    from korgool.app.server.core.settings import SettingsError, read_smtp

    try:
        settings = read_smtp(server, sender)
    except SettingsError as error:
        yield wrong("mail", str(error), "korgool serve --smtp smtp.example.org:587 --mail-from korgool@example.org")
        return
    yield from address.mail(settings)

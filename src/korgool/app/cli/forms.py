"""The forms of option values: a value that has not the form of its option is wrong usage, whatever the files hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from korgool.competition.timetable import PlannedRound


class Form(click.ParamType):  # type: ignore[type-arg]  # no older click knows a type there
    """A text that is read before the command begins.

    Args:
        name: what it is, for error messages of click.
        read: gives the value, or raises ValueError with the reason.
    """

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self.read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse the text; a value that was parsed already stays."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("it is empty")
    return text


def _born(text: str) -> str:
    from korgool.competition.entry_lists.cell_values import read_born

    if text.strip():
        read_born(text.strip())
    return text


def _day(text: str) -> str:
    from korgool.competition.entry_lists.cell_values import read_consent

    if text.strip():
        read_consent({"guardian": "-", "consent_day": text.strip()})
    return text


def _control(text: str) -> str:
    from korgool.competition.time_control import read_control

    if text:
        read_control(text)
    return text


def _tiebreaks(text: str) -> tuple[str, ...]:
    """The codes, each of which players or teams can have."""
    from korgool.competition.model import Settings, System
    from korgool.competition.standings import check_tiebreaks

    codes = tuple(code.strip() for code in text.split(",") if code.strip())
    try:
        check_tiebreaks(Settings(name="-", tiebreaks=codes))
    except ValueError:
        check_tiebreaks(Settings(name="-", tiebreaks=codes, system=System.TEAM_SWISS, boards=1))
    return codes


def _preset(text: str) -> str:
    from korgool.competition.presets import find_preset

    find_preset(text)
    return text


def _timetable(text: str) -> tuple[PlannedRound, ...]:
    from korgool.competition.timetable import read_timetable

    return read_timetable(text)


def _zone(text: str) -> str:
    from korgool.competition.timetable import check_timetable

    check_timetable((), text)
    return text


def _prize(text: str) -> str:
    from korgool.competition.prize_fund import read_fund

    read_fund(text)
    return text


def _head(text: str) -> Any:
    from korgool.competition.storage.hash_chain import Head

    return Head.read(text)


def _encoding(text: str) -> str:
    try:
        b"1234".decode(text)
    except LookupError:
        raise ValueError(f"there is no encoding {text[:40]!r}") from None
    except UnicodeError:
        pass  # an encoding in which these bytes are no text
    return text


def _delimiter(text: str) -> str:
    delimiter = "\t" if text in ("tab", "\\t") else text
    if len(delimiter) != 1 or delimiter in "\"'\r\n\0":
        raise ValueError(f"{text[:20]!r} is no single character that can part the cells.")
    return delimiter


def _separator(text: str) -> str:
    """The same for a table that is written, whose numbers and words it must not part."""
    delimiter = _delimiter(text)
    if delimiter.isalnum() or delimiter in ".-+ ":
        raise ValueError(f"{text[:20]!r} cannot part the cells.")
    return delimiter


def _database(text: str) -> str:
    from korgool.app.server.core.settings import ServerSettings

    ServerSettings(database=text).url()
    return text


def _address(text: str) -> str:
    from urllib.parse import urlsplit

    parts = urlsplit(text)  # raises ValueError for brackets without an address
    if text and not (parts.scheme in ("http", "https") and parts.hostname and text.isprintable() and " " not in text):
        raise ValueError(f"{text[:60]!r} is no address such as https://example.org")
    return text


def _sender(text: str) -> str:
    if "@" not in text.strip("@") or not text.isprintable() or set(text) & set(" <>,"):
        raise ValueError(f"{text[:60]!r} is no address such as games@example.org")
    return text


FILLED = Form("text", _filled)
BORN = Form("date", _born)
DAY = Form("date", _day)
CONTROL = Form("time control", _control)
TIEBREAKS = Form("tie-breaks", _tiebreaks)
PRESET = Form("preset", _preset)
TIMETABLE = Form("timetable", _timetable)
ZONE = Form("time zone", _zone)
PRIZE = Form("prizes", _prize)
HEAD = Form("head", _head)
ENCODING = Form("encoding", _encoding)
DELIMITER = Form("character", _delimiter)
SEPARATOR = Form("character", _separator)
DATABASE = Form("database", _database)
ADDRESS = Form("address", _address)
SENDER = Form("address", _sender)

"""The planned times of rounds as people read them, by the clocks of the place where an event is held."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from korgool.competition.model import Settings


def planned_time(settings: Settings, number: int, language: str) -> str:
    """When a round is planned, such as `14 September 2026, 10:00 (UTC+6)`; empty if that is not said."""
    from babel.dates import format_datetime

    found = next((one.time for one in settings.timetable if one.round == number), None)
    if found is None:
        return ""
    shown = format_datetime(found, "d MMMM y, HH:mm", locale=language)
    zone = zone_text(settings.zone, found)
    return f"{shown} ({zone})" if zone else shown


def planned_ms(settings: Settings, number: int) -> int | None:
    """When a round is planned, in milliseconds since 1970.

    None where the timetable does not say it, or not in which time zone, or where this computer does not know the zone.
    """
    found = next((one.time for one in settings.timetable if one.round == number), None)
    if found is None or not settings.zone:
        return None
    try:
        return round(found.replace(tzinfo=ZoneInfo(settings.zone)).timestamp() * 1000)
    except (LookupError, ValueError, OSError):
        return None


def timetable(settings: Settings, language: str) -> list[tuple[int, str]]:
    """The rounds that are planned, each with its time."""
    return [(one.round, planned_time(settings, one.round, language)) for one in settings.timetable]


def zone_text(name: str, when: datetime) -> str:
    """What clocks show in a zone then, `UTC+5:30`; its name where this computer does not know it."""
    if not name:
        return ""
    try:
        offset = when.replace(tzinfo=ZoneInfo(name)).utcoffset()
    except (LookupError, ValueError, OSError):
        return name
    minutes = 0 if offset is None else round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")

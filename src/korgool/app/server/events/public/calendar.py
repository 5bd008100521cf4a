"""Calendar files of events (RFC 5545): whole days, one entry for each event with a date."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from korgool.app.server.events.public.event_list import EventSummary

MEDIA_TYPE = "text/calendar"
_OCTETS = 75


def calendar(events: Iterable[EventSummary], origin: str, name: str) -> str:
    """The calendar of some events.

    Args:
        events: those without a date are left out.
        origin: of the site, `https://site.example`.
        name: what calendars call it.
    """
    host = origin.partition("://")[2]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Korgool//Events//EN", f"X-WR-CALNAME:{escaped(name)}"]
    for one in events:
        first, last = one.first_day, one.last_day
        if first is None or last is None:
            continue
        after = max(first, last) + timedelta(days=1)  # the end is the first day that does not belong to it
        lines += [
            "BEGIN:VEVENT",
            f"UID:{one.id}@{host}",
            f"DTSTAMP:{datetime.fromtimestamp(one.changed_ms / 1000, UTC):%Y%m%dT%H%M%SZ}",
            f"DTSTART;VALUE=DATE:{first:%Y%m%d}",
            f"DTEND;VALUE=DATE:{after:%Y%m%d}",
            f"SUMMARY:{escaped(one.name)}",
            *([f"LOCATION:{escaped(where)}"] if (where := ", ".join(filter(None, (one.place, one.country)))) else []),
            f"URL:{origin}/events/{one.id}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{folded(line)}\r\n" for line in lines)


def escaped(text: str) -> str:
    """A text as the value of a property."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return "\\n".join(text.splitlines())


def folded(line: str) -> str:
    """A line in parts of at most 75 octets, none of which ends within a letter."""
    parts, size = [""], 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > _OCTETS:
            parts.append("")
            size = 1  # the space before the rest counts
        parts[-1] += letter
        size += octets
    return "\r\n ".join(parts)

"""An event as one JSON object for other programs, and an event file made from one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from korgool.competition.actions import Logged
from korgool.competition.codec import JsonError, from_json, plain
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Personal
from korgool.competition.storage.book import Book
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.whole_file import new_file

FORMAT = "korgool event"
VERSION = 1
LARGEST = 256_000_000
"""Most bytes of an event as JSON."""


@dataclass(frozen=True, slots=True)
class Everything:
    """An event as JSON. The log alone decides; the rest serves readers that do not replay it.

    Attributes:
        format, version: identify the file.
        log: every action, as it was logged.
        event: the state of the event, as `facts` gives it.
        personal: personal data by id of the player; empty unless it was asked for.
    """

    format: str
    version: int
    log: tuple[Logged, ...]
    event: dict[str, Any] = field(default_factory=dict)
    personal: dict[str, Personal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kind:
    """How a JSON file identifies itself."""

    format: Any = None
    version: int = 0


def facts(state: EventState) -> dict[str, Any]:
    """The state of an event as dicts, lists, texts and numbers; points are half points, as in the library."""
    found: dict[str, Any] = plain(
        {
            "settings": state.settings,
            "players": list(state.players.values()),
            "teams": list(state.teams.values()),
            "officials": list(state.officials.values()),
            "rounds": state.rounds,
            "forms": list(state.forms.values()),
            "published": [
                {"round": number, "tiebreaks": codes, "rows": rows} for number, (codes, rows) in state.published.items()
            ],
            "seeded": state.seeded,
            "white_first": state.white_first,
            "lot": state.lot,
        }
    )
    return found


def write_json(book: Book, *, personal: bool = False) -> bytes:
    """A whole event as one JSON object that ends in a newline; personal data only with `personal`."""
    state = book.refresh()
    held = {str(id_): data for id_ in state.players if (data := book.personal(id_))} if personal else {}
    value = {"format": FORMAT, "version": VERSION, "log": book.log(), "event": facts(state), "personal": held}
    return json.dumps(plain(value), ensure_ascii=False, indent=1).encode() + b"\n"


def read_json(data: bytes) -> Everything:
    """Read and replay what `write_json` wrote.

    Raises:
        CompetitionError: it is something else, an action is refused, or the state beside the log is not the log's.
    """
    if len(data) > LARGEST:
        raise CompetitionError(f"{len(data):,} bytes are too many for an event")
    try:
        kind = from_json(data, Kind, lenient=True)
        if kind.format != FORMAT:
            raise CompetitionError("this JSON is no event")
        if kind.version > VERSION:
            raise CompetitionError(f"it was written by a newer version of korgool ({kind.version}, this is {VERSION})")
        found = from_json(data, Everything)
    except JsonError as error:
        raise CompetitionError(f"this is no event as JSON: {error}") from None
    state = EventState()
    for at, line in enumerate(found.log, 1):
        if line.at != at:
            raise CompetitionError(f"line {at} of the log is numbered {line.at}")
        try:
            state = apply(state, line.action, reason=line.reason)
            _moment(line.time)
        except CompetitionError as error:
            raise CompetitionError(f"line {at} of the log: {error}") from None
    if state.settings is None:
        raise CompetitionError("the log is empty")
    if found.event and found.event != facts(state):
        made = facts(state)
        parts = ", ".join(name for name in {**made, **found.event} if made.get(name) != found.event.get(name))
        raise CompetitionError(f"what stands beside the log differs from what the log says: {parts}")
    for id_ in found.personal:
        if not (id_.isdecimal() and int(id_) in state.players):
            raise CompetitionError(f"personal data of a player {id_!r}, whom the event does not have")
    return found


def restore(path: str | Path, found: Everything) -> EventFile:
    """Make an event file from what `read_json` read: the same log with its times, officials and reasons.

    Raises:
        CompetitionError: the file exists already or cannot be written. Nothing is left behind then.
    """
    path = Path(path)
    with new_file(path) as scratch, EventFile.begin(scratch) as file:
        fill(file, found)
    return EventFile.open(path)


def fill(book: Book, found: Everything) -> None:
    """Write what `read_json` read into an empty book: the same log and the personal data, all or nothing.

    Raises:
        CompetitionError: the book is not empty, or its place cannot be written.
    """
    with book.together():
        if book.refresh().actions:
            raise CompetitionError("there is an event already")
        book.copy(found.log)
        for id_, data in found.personal.items():
            book.set_personal(int(id_), data)


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise CompetitionError(f"{text!r} is no time such as 2026-09-14T10:05:00Z") from None

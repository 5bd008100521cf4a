"""An event as one JSON object for other programs, and an event file made from one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from korgool.competition.actions import Logged
from korgool.competition.codec import JsonError, compact, from_json, load, plain, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.group_views import GroupViews
from korgool.competition.model import Personal
from korgool.competition.storage.book import Book, whole_log
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.hash_chain import link
from korgool.competition.storage.line import Line, migrated
from korgool.competition.storage.sealing import fits
from korgool.competition.storage.transfer import fill
from korgool.competition.storage.whole_file import new_file
from korgool.languages import N_

FORMAT = "korgool event"
VERSION = 2
"""Version of this JSON. In version 1, as a file of format 1 still gives it, every line holds its action and reason."""
LARGEST = 256_000_000
"""Most bytes of an event as JSON."""
_PARTS = 40
"""Most lists and objects for each line that a log may have; events have up to ten."""
TOO_LONG = N_("its log has {lines:,} lines; an event from elsewhere has at most {most:,}")


@dataclass(frozen=True, slots=True)
class PublicLine:
    """A line of the log without its details (`storage.sealing`); the hashes follow from all of them."""

    at: int
    time: str
    by: str
    action: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Everything:
    """An event as JSON. The log with its details decides; the rest serves readers that do not replay it.

    Attributes:
        format, version: identify the file.
        log: every line.
        details: the private parts by number of the line, each with its salt, as far as they are not left out.
        event: the state of the event, as `facts` gives it.
        personal: personal data by id of the player; empty unless it was asked for.
    """

    format: str
    version: int
    log: tuple[PublicLine, ...]
    details: dict[str, dict[str, Any]] = field(default_factory=dict)
    event: dict[str, Any] = field(default_factory=dict)
    personal: dict[str, Personal] = field(default_factory=dict)

    def lines(self) -> list[Line]:
        """The lines as a log keeps them, with their hashes."""
        found: list[Line] = []
        for one in self.log:
            held = self.details.get(str(one.at))
            chain = found[-1].chain if found else ""
            texts = compact(one.action), compact(held) if held else ""
            found.append(Line.after(len(found), chain, one.time, one.by, *texts))
        return found


@dataclass(frozen=True, slots=True)
class Version1:
    """The same before details were kept apart.

    Attributes:
        format, version: identify the file.
        log: every line.
        event: the state of the event, as `facts` gives it.
        personal: personal data by id of the player; empty unless it was asked for.
    """

    format: str
    version: int
    log: tuple[Logged, ...]
    event: dict[str, Any] = field(default_factory=dict)
    personal: dict[str, Personal] = field(default_factory=dict)

    def today(self) -> Everything:
        """The same event in today's version."""
        lines: list[Line] = []
        for one in self.log:
            text = to_json(one.action)
            chain = link(lines[-1].chain if lines else "", one.time, one.by, one.reason, text)
            lines.append(Line(one.at, one.time, one.by, one.reason, text, chain))
        return _everything(migrated(lines), self.event, self.personal)


def _everything(lines: Iterable[Line], event: dict[str, Any], personal: dict[str, Personal]) -> Everything:
    lines = list(lines)
    log = tuple(PublicLine(line.at, line.time, line.by, load(line.action)) for line in lines)
    details = {str(line.at): load(line.details) for line in lines if line.details}
    return Everything(FORMAT, VERSION, log, details, event, personal)


@dataclass(frozen=True, slots=True)
class Kind:
    """Format and version by which a JSON file identifies itself."""

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


def _all_facts(views: GroupViews) -> dict[str, Any]:
    """The facts of an event; of several groups the name of the whole, and the facts of each by its name."""
    first = views.state(views.groups()[0])
    if not first.groups:
        return facts(first)
    return {"title": first.title, "groups": {name: facts(views.state(id_)) for id_, name in first.groups.items()}}


def write_json(book: Book, *, personal: bool = False, details: bool = True) -> bytes:
    """A whole event as one JSON object that ends in a newline.

    Args:
        book: the event.
        personal: with the personal data that is in no log.
        details: with names, years of birth, reasons and all else that the log keeps apart from its chain. Without them
            the players are numbers, and the hashes are the same.
    """
    state, lines = book.refresh(), book.lines()
    while len(lines) != state.actions:  # somebody writes meanwhile
        state, lines = book.refresh(), book.lines()
    held = {str(id_): data for id_ in state.people if (data := book.personal(id_))} if personal else {}
    old = any(line.open for line in lines)
    value: Everything | Version1
    if old and details:
        value = Version1(FORMAT, 1, tuple(line.logged() for line in lines), facts(state), held)
    elif details:
        value = _everything(lines, _all_facts(GroupViews(line.done() for line in lines)), held)
    else:
        lines = [line._replace(details="") for line in (migrated(lines) if old else lines)]
        value = _everything(lines, _all_facts(GroupViews(line.done() for line in lines)), held)
    return json.dumps(plain(value), ensure_ascii=False, indent=1).encode() + b"\n"


def read_json(data: bytes, *, most_lines: int | None = None) -> Everything:
    """Read and replay what `write_json` wrote, in any version.

    Args:
        data: JSON in UTF-8.
        most_lines: of its log; None for any number.

    Raises:
        CompetitionError: it is something else, an action is refused, details are not those of their line, or the state
            beside the log is not the log's.
    """
    if len(data) > LARGEST:
        raise CompetitionError(f"{len(data):,} bytes are too many for an event")
    if most_lines is not None and data.count(b"{") + data.count(b"[") > _PARTS * most_lines:
        raise CompetitionError(N_("it holds too much for an event with {most:,} lines"), most=most_lines)
    try:
        kind = from_json(data, Kind, lenient=True)
        if kind.format != FORMAT:
            raise CompetitionError("this JSON is no event")
        if kind.version > VERSION:
            raise CompetitionError(f"it was written by a newer version of korgool ({kind.version}, this is {VERSION})")
        found = from_json(data, Everything) if kind.version > 1 else from_json(data, Version1).today()
    except JsonError as error:
        raise CompetitionError(f"this is no event as JSON: {error}") from None
    if not found.log:
        raise CompetitionError("the log is empty")
    if most_lines is not None and len(found.log) > most_lines:
        raise CompetitionError(TOO_LONG, lines=len(found.log), most=most_lines)
    for number in found.details:
        if not 1 <= _whole(number) <= len(found.log):
            raise CompetitionError(f"details of a line {number!r}, which the log does not have")
    views = GroupViews()
    for at, line in enumerate(found.lines(), 1):
        if found.log[at - 1].at != at:
            raise CompetitionError(f"line {at} of the log is numbered {found.log[at - 1].at}")
        action, reason = line.done()
        if not fits(line.action, line.details):
            raise CompetitionError(f"line {at} of the log: its details were changed")
        try:
            views.add(action, reason)
            _moment(line.time)
        except CompetitionError as error:
            raise CompetitionError(f"line {at} of the log: {error}") from None
    views.check()
    if found.event and found.event != (made := _all_facts(views)):
        parts = ", ".join(name for name in {**made, **found.event} if made.get(name) != found.event.get(name))
        raise CompetitionError(f"what stands beside the log differs from what the log says: {parts}")
    for id_ in found.personal:
        if _whole(id_) not in views.state().people:
            raise CompetitionError(f"personal data of a player {id_!r}, whom the event does not have")
    return found


def restore(path: str | Path, found: Everything) -> EventFile:
    """Make an event file from what `read_json` read: the same log with its times, officials and reasons.

    Raises:
        CompetitionError: the file exists already or cannot be written. Nothing is left behind then.
    """
    path = Path(path)
    with new_file(path) as scratch, EventFile.begin(scratch) as file:
        fill(file, whole_log(found.lines()), {int(id_): held for id_, held in found.personal.items()})
    return EventFile.open(path)


def _whole(text: str) -> int:
    """The number that a member is called, as JSON writes it; 0 for any other name."""
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else 0


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise CompetitionError(f"{text!r} is no time such as 2026-09-14T10:05:00Z") from None

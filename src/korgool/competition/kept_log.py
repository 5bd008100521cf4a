"""The log of an event as JSON Lines, as a browser keeps it that stands by: every line as it was written, with its hash.

An object a line: first `head`, then each `line` of the log with its details, `personal` for each player with personal
data, and `snapshot`, what a server knows beside the log. A file that ends early stands as far as it goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from korgool.competition.codec import JsonError, from_plain, load
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.log.group_views import GroupViews
from korgool.competition.model import Personal
from korgool.competition.photographs import with_photo_of
from korgool.competition.storage.carried import ID
from korgool.competition.storage.line import Line
from korgool.languages import N_

FORMAT: Final = 1
SNAPSHOT: Final = "snapshot"
"""The member of what is carried that holds what a server knows beside the log."""
_HEAD: Final = b'{"kind":"head",'
_UNREADABLE: Final = N_("line {at} of the log cannot be read")
_CHANGED: Final = N_("line {at} of the log is damaged, or was changed after it was written")
_MISPLACED: Final = N_("line {at} of the log cannot stand there: {error}")
_NOTHING: Final = N_("nothing of this log can be taken: {damage}")


@dataclass(frozen=True, slots=True)
class KeptLog:
    """A log as it was kept.

    Attributes:
        lines: those that stand.
        views: the event after them.
        personal: personal data by the id of the player.
        beside: what a server knows of the event beside the log, as an event file carries it.
        damage: why later lines do not stand; empty where all do.
        lost: the number of lines of the file after the damage.
    """

    lines: list[Line]
    views: GroupViews
    personal: dict[int, Personal]
    beside: dict[str, Any]
    damage: str = ""
    lost: int = field(default=0)


def is_kept(data: bytes) -> bool:
    """Return whether bytes begin as such a file does."""
    return data.startswith(_HEAD)


def read_kept(data: bytes, *, most_lines: int) -> KeptLog:
    """Read such a file as far as its lines fit together.

    Args:
        data: the file.
        most_lines: of the log.

    Raises:
        CompetitionError: it is of another format, too long, or not even its first line stands.
    """
    rows = _rows(data)
    head = next(rows, None)
    if head is None or head.get("format") != FORMAT:
        raise CompetitionError(N_("another version of korgool has made this file"))
    lines: list[Line] = []
    views, chain, damage, lost = GroupViews(), "", "", 0
    personal: dict[int, Personal] = {}
    beside: dict[str, Any] = {ID: head["event"]} if isinstance(head.get("event"), str) else {}
    for row in rows:
        kind = row.get("kind")
        if kind == SNAPSHOT:
            beside[SNAPSHOT] = {name: value for name, value in row.items() if name != "kind"}
        elif kind == "personal":
            _note(personal, row)
        elif kind == "line":
            if damage:
                lost += 1
                continue
            line, damage = _next(row, lines, chain, views)
            if line is None:
                lost += 1
                continue
            lines.append(line)
            chain = line.chain
            if len(lines) > most_lines:
                raise CompetitionError(N_("the log of an event has at most {most:,} lines"), most=most_lines)
    if not lines:
        raise CompetitionError(_NOTHING, damage=damage or Message(_UNREADABLE, at=1))
    wanted = head.get("seq")
    if not damage and type(wanted) is int and wanted > len(lines):
        damage = Message(_UNREADABLE, at=len(lines) + 1)
    people = views.state(views.groups()[0]).people
    held = {id_: with_photo_of(one, people[id_].photo) for id_, one in personal.items() if id_ in people}
    return KeptLog(lines, views, held, beside, damage, lost)


def _rows(data: bytes) -> Iterator[Mapping[str, Any]]:
    """The objects of the lines of a file; what is none is as if it were not there."""
    for text in data.split(b"\n"):
        try:
            row = load(text) if text.strip() else None
        except JsonError:
            continue
        if isinstance(row, dict):
            yield row


def _next(row: Mapping[str, Any], lines: list[Line], chain: str, views: GroupViews) -> tuple[Line | None, str]:
    """The next line of a log, added to the event; or None and why it does not stand."""
    at = len(lines) + 1
    texts = [row.get(name) for name in Line._fields[1:]]
    if row.get("at") != at or not all(isinstance(text, str) for text in texts):
        return None, Message(_UNREADABLE, at=at)
    line = Line(at, *texts)  # type: ignore[arg-type]
    if not line.follows(chain):
        return None, Message(_CHANGED, at=at)
    try:
        views.add(*line.done())
    except CompetitionError as error:
        return None, Message(_MISPLACED, at=at, error=error)
    return line, ""


def _note(personal: dict[int, Personal], row: Mapping[str, Any]) -> None:
    player, data = row.get("player"), row.get("data")
    if type(player) is int and isinstance(data, dict):
        try:
            personal[player] = from_plain(json.loads(json.dumps(data)), Personal)
        except JsonError:
            return

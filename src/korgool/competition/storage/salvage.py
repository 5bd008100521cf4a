"""Recovery of a damaged event file: its log up to the damage goes into a new file."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from korgool.competition.actions import AnyAction
from korgool.competition.codec import JsonError, from_json, to_json
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.log.group_views import GroupViews
from korgool.competition.model import Personal
from korgool.competition.photographs import with_photo_of
from korgool.competition.storage.carried import PLACE, read_carried
from korgool.competition.storage.line import Line, migrated
from korgool.competition.storage.removal import unexplained
from korgool.competition.storage.sealing import are_details, fits, is_sealed
from korgool.competition.storage.sqlite_database import FORMAT, add_lines, check_journal, connect_new, told
from korgool.competition.storage.sqlite_pages import Value, rows
from korgool.competition.storage.whole_file import new_file
from korgool.languages import N_

LARGEST = 1_000_000_000
"""Most bytes of a damaged file."""
_CHANGED = N_("line {at} of the log is damaged, or was changed after it was written")


@dataclass(frozen=True, slots=True)
class Lost:
    """A line after the damage that can still be read, for an official to enter again.

    Attributes:
        at, time, by, reason: as in the log; nothing proves that they are unchanged.
        action: what was done, or None if that cannot be read.
    """

    at: int
    time: str
    by: str
    reason: str
    action: AnyAction | None


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Result of a salvage: the saved and the lost parts.

    Attributes:
        state: the event after the saved lines.
        damage: what is wrong with the first line that is not saved; empty if every line that left a trace is saved.
        lost: the lines after the damage that can be read.
        missing: numbers of lines after the damage that cannot be read; lines missing at the end leave no trace.
        bare: saved lines of which details are lost, such as names and reasons, that no official has removed.
        personal: the number of players whose personal data is saved.
        personal_lost: the number of players whose personal data was found and who are not saved themselves.
    """

    state: EventState
    damage: str
    lost: tuple[Lost, ...]
    missing: tuple[int, ...]
    bare: tuple[int, ...]
    personal: int
    personal_lost: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """Contents of a damaged file as far as they can be read, in memory.

    Attributes:
        lines: those that stand, of format 2.
        views: the event after them.
        personal: the personal data of its players, by id.
        personal_lost: as in `Salvaged`.
        beside: what the file carries beside the log, as `carried` writes it; empty for nothing.
        damage, lost, missing, bare: as in `Salvaged`.
    """

    lines: list[Line]
    views: GroupViews
    personal: dict[int, Personal]
    personal_lost: int
    beside: str
    damage: str
    lost: tuple[Lost, ...]
    missing: tuple[int, ...]
    bare: tuple[int, ...]

    @property
    def state(self) -> EventState:
        """The event after the lines; of several groups the first."""
        return self.views.state(self.views.groups()[0])


def recover(data: bytes, path: Path) -> Recovered:
    """Read the log of a damaged event file up to the damage.

    A line is saved if its hash fits the lines before it and its action is allowed there. The lines keep their hashes,
    so printed heads still lie on the chain; those of format 1 are migrated.

    Args:
        data: the bytes of the file.
        path: the name that messages give it.

    Raises:
        CompetitionError: not even the first line can be read, or a newer version made the file.
    """
    version = int.from_bytes(data[60:64], "big")  # PRAGMA user_version
    if data.startswith(b"SQLite format 3\0") and FORMAT < version < 1000:
        raise CompetitionError(
            N_("{path} was made by a newer version of korgool ({version}, this is {format})"),
            path=path,
            version=version,
            format=FORMAT,
        )
    found: dict[int, list[Line]] = defaultdict(list)
    details: dict[int, list[str]] = defaultdict(list)
    personal: dict[int, Personal] = {}
    for row, values in rows(data):
        if (line := _as_line(row, values)) is not None:
            found[line.at].append(line)
        elif (held := _as_personal(values)) is not None:
            personal[row] = held
        elif len(values) == 2 and isinstance(values[1], str) and are_details(values[1]):
            details[row].append(values[1])
    found = {at: [_with_details(line, details[at]) for line in lines] for at, lines in found.items()}
    if not found:
        raise CompetitionError(N_("no line of a log can be read in {path}"), path=path)
    kept, views, damage = _follow(found)
    if not kept:
        raise CompetitionError(N_("{path}: {damage}; nothing can be saved"), path=path, damage=damage)
    state = views.state(views.groups()[0])
    players = state.people
    saved = {id_: with_photo_of(held, players[id_].photo) for id_, held in personal.items() if id_ in players}
    bare = unexplained(kept, state.done)
    after = [at for at in sorted(found) if at > len(kept)]
    return Recovered(
        lines=migrated(kept) if _is_old(data, kept) else kept,
        views=views,
        personal=saved,
        personal_lost=len(personal) - len(saved),
        beside=next((text for text in details[PLACE] if read_carried(text)), ""),
        damage=damage if after else "",
        lost=tuple(_lost(found[at][0]) for at in after),
        missing=tuple(at for at in range(len(kept) + 1, max(after, default=0)) if at not in found),
        bare=bare,
    )


def salvage(path: str | Path, target: str | Path) -> Salvaged:
    """Write the log of a damaged event file up to the damage into a new file; the damaged one is only read.

    Raises:
        CompetitionError: as for `recover`, or `target` exists or cannot be written.
    """
    path, target = Path(path), Path(target)
    found = recover(_data(path), path)
    with new_file(target) as scratch, told(target), closing(connect_new(scratch)) as connection:
        connection.execute("BEGIN")
        add_lines(connection, found.lines)
        if found.beside:
            connection.execute("INSERT INTO details VALUES (?, ?)", (PLACE, found.beside))
        texts = ((id_, to_json(held)) for id_, held in found.personal.items())
        connection.executemany("INSERT INTO personal VALUES (?, ?)", texts)
        connection.execute("COMMIT")
    return Salvaged(
        found.state, found.damage, found.lost, found.missing, found.bare, len(found.personal), found.personal_lost
    )


def _data(path: Path) -> bytes:
    """The bytes of a copy of the file in which an interrupted write is rolled back."""
    check_journal(path)
    journal = path.with_name(f"{path.name}-journal")
    try:
        if path.stat().st_size > LARGEST:
            raise CompetitionError(f"{path} has more than {LARGEST:,} bytes")
        with tempfile.TemporaryDirectory(prefix="korgool-") as folder:
            copy = Path(folder, "event")
            shutil.copyfile(path, copy)
            if journal.is_file():
                shutil.copyfile(journal, Path(folder, "event-journal"))
                with suppress(sqlite3.Error), closing(sqlite3.connect(copy)) as connection:
                    connection.execute("PRAGMA user_version").fetchone()  # rolled back whenever anything is read
            data = copy.read_bytes()
    except OSError as error:
        raise CompetitionError(f"{path} cannot be read: {error.strerror}") from None
    return data


def _is_old(data: bytes, kept: list[Line]) -> bool:
    """Return whether the lines are of format 1, by the header of the file if it is sound."""
    version = int.from_bytes(data[60:64], "big")
    if data.startswith(b"SQLite format 3\0") and 0 < version <= FORMAT:
        return version == 1
    return not any(is_sealed(line.action) or line.old_chain() for line in kept)


def _as_line(row: int, values: tuple[Value, ...]) -> Line | None:
    if len(values) != 6 or values[0] is not None or not 0 < row < 10**9:
        return None
    texts = tuple(value for value in values[1:] if isinstance(value, str))
    return Line(row, *texts) if len(texts) == 5 else None


def _with_details(line: Line, details: list[str]) -> Line:
    """The line with those of the readable details that are its own."""
    own = (text for text in details if fits(line.action, text))
    return line._replace(details=max(own, key=len, default=""))


def _as_personal(values: tuple[Value, ...]) -> Personal | None:
    if len(values) != 2 or values[0] is not None or not isinstance(values[1], str):
        return None
    try:
        return from_json(values[1], Personal)
    except JsonError:
        return None


def _follow(found: dict[int, list[Line]]) -> tuple[list[Line], GroupViews, str]:
    """The lines from the first on that fit together, the event after them, and what is wrong with the next."""
    kept: list[Line] = []
    views, chain = GroupViews(), ""
    while True:
        at = len(kept) + 1
        if at not in found:
            return kept, views, Message(N_("line {at} of the log cannot be read"), at=at)
        fitting = [line for line in found[at] if line.follows(chain)]
        if not fitting:
            return kept, views, Message(_CHANGED, at=at)
        try:
            action, reason = fitting[0].done()
            views.add(action, reason)
        except CompetitionError as error:
            return kept, views, Message(N_("line {at} of the log cannot stand there: {error}"), at=at, error=error)
        kept.append(fitting[0])
        chain = fitting[0].chain


def _lost(line: Line) -> Lost:
    try:
        action, reason = line.done()
        return Lost(line.at, line.time, line.by, reason, action)
    except CompetitionError:
        return Lost(line.at, line.time, line.by, line.reason, None)

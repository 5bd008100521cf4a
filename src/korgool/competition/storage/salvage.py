"""Recovery of a damaged event file: its log up to the damage goes into a new file."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from korgool.competition.actions import AnyAction
from korgool.competition.codec import JsonError, from_json, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Personal
from korgool.competition.storage.book import read_action
from korgool.competition.storage.hash_chain import link
from korgool.competition.storage.sqlite_database import FORMAT, connect_new, told
from korgool.competition.storage.sqlite_pages import Value, rows
from korgool.competition.storage.whole_file import new_file

LARGEST = 1_000_000_000
"""Most bytes of a damaged file."""
_Line: TypeAlias = tuple[int, str, str, str, str, str]


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
    """What was saved and what was not.

    Attributes:
        state: the event after the saved lines.
        damage: what is wrong with the first line that is not saved; empty if every line that left a trace is saved.
        lost: the lines after the damage that can be read.
        missing: numbers of lines after the damage that cannot be read; lines missing at the end leave no trace.
        personal: the number of players whose personal data is saved.
        personal_lost: the number of players whose personal data was found and who are not saved themselves.
    """

    state: EventState
    damage: str
    lost: tuple[Lost, ...]
    missing: tuple[int, ...]
    personal: int
    personal_lost: int


def salvage(path: str | Path, target: str | Path) -> Salvaged:
    """Write the log of a damaged event file up to the damage into a new file; the damaged one is only read.

    A line is saved if its hash fits the lines before it and its action is allowed there. The lines keep their hashes,
    so printed heads still lie on the chain.

    Raises:
        CompetitionError: not even the first line can be read, or `target` exists or cannot be written.
    """
    path, target = Path(path), Path(target)
    data = _data(path)
    found: dict[int, list[_Line]] = defaultdict(list)
    personal: dict[int, Personal] = {}
    for row, values in rows(data):
        if (line := _as_line(row, values)) is not None:
            found[line[0]].append(line)
        elif (held := _as_personal(values)) is not None:
            personal[row] = held
    if not found:
        raise CompetitionError(f"no line of a log can be read in {path}")
    kept, state, damage = _follow(found)
    if not kept:
        raise CompetitionError(f"{path}: {damage}; nothing can be saved")
    saved = {id_: held for id_, held in personal.items() if id_ in state.players}
    with new_file(target) as scratch, told(target), closing(connect_new(scratch)) as connection:
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", kept)
        texts = ((id_, to_json(held)) for id_, held in saved.items())
        connection.executemany("INSERT INTO personal VALUES (?, ?)", texts)
        connection.execute("COMMIT")
    after = [at for at in sorted(found) if at > len(kept)]
    missing = tuple(at for at in range(len(kept) + 1, max(after, default=0)) if at not in found)
    lost = tuple(_lost(found[at][0]) for at in after)
    return Salvaged(state, damage if after else "", lost, missing, len(saved), len(personal) - len(saved))


def _data(path: Path) -> bytes:
    """The bytes of a copy of the file in which an interrupted write is rolled back."""
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
                    connection.execute("SELECT count(*) FROM log").fetchone()
            data = copy.read_bytes()
    except OSError as error:
        raise CompetitionError(f"{path} cannot be read: {error.strerror}") from None
    version = int.from_bytes(data[60:64], "big")  # PRAGMA user_version
    if data.startswith(b"SQLite format 3\0") and FORMAT < version < 1000:
        raise CompetitionError(f"{path} was made by a newer version of korgool ({version}, this is {FORMAT})")
    return data


def _as_line(row: int, values: tuple[Value, ...]) -> _Line | None:
    if len(values) != 6 or values[0] is not None or not 0 < row < 10**9:
        return None
    texts = tuple(value for value in values[1:] if isinstance(value, str))
    return (row, *texts) if len(texts) == 5 else None


def _as_personal(values: tuple[Value, ...]) -> Personal | None:
    if len(values) != 2 or values[0] is not None or not isinstance(values[1], str):
        return None
    try:
        return from_json(values[1], Personal)
    except JsonError:
        return None


def _follow(found: dict[int, list[_Line]]) -> tuple[list[_Line], EventState, str]:
    """The lines from the first on that fit together, the event after them, and what is wrong with the next."""
    kept: list[_Line] = []
    state, chain = EventState(), ""
    while True:
        at = len(kept) + 1
        if at not in found:
            return kept, state, f"line {at} of the log cannot be read"
        fitting = [line for line in found[at] if link(chain, *line[1:5]) == line[5]]
        if not fitting:
            return kept, state, f"line {at} of the log is damaged, or was changed after it was written"
        try:
            state = apply(state, read_action(at, fitting[0][4]), reason=fitting[0][3])
        except CompetitionError as error:
            return kept, state, f"line {at} of the log cannot stand there: {error}"
        kept.append(fitting[0])
        chain = fitting[0][5]


def _lost(line: _Line) -> Lost:
    at, time, by, reason, text, _ = line
    try:
        return Lost(at, time, by, reason, read_action(at, text))
    except CompetitionError:
        return Lost(at, time, by, reason, None)

"""Preview of the import of a list, row by row with every doubt, before anything is entered.

`preview` is a plain function of the list, the event and an official's choices. `digest` names what it showed: if the
same call gives the same digest later, what is confirmed is what was seen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from typing import Literal

from korgool.competition.actions import Enter
from korgool.competition.eligibility import same_person
from korgool.competition.entry_lists.column_headings import PERSONAL, PERSONAL_WISHES
from korgool.competition.entry_lists.columns_guess import Column, columns_of, has_headings
from korgool.competition.entry_lists.list_layout import shape_of
from korgool.competition.entry_lists.list_table import ListTable
from korgool.competition.entry_lists.reading import Row, cell_text, cells_by_field, lacking, read_row
from korgool.competition.event_state import EventState
from korgool.competition.model import Entry, Personal
from korgool.competition.people_index import name_key
from korgool.competition.text_cleaning import clean


class Grade(StrEnum):
    """Grade of a row in a preview."""

    GOOD = "good"
    """It is entered unless it is left out."""
    DOUBT = "doubt"
    """It is entered only if an official chooses it."""
    REFUSED = "refused"
    """The row cannot be entered."""
    OTHER = "other"
    """It does not belong to the group that is asked for."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to know of a row.

    Attributes:
        kind: the kind of a fault (`reading.Fault`), or
            `lost`: letters seem to be lost;
            `particle`: a word of the name may belong to another part of it;
            `entered`, `listed`: a player, or a row before, has this name, and nothing tells the two apart;
            `namesake`: the same of a player who differs;
            `number`: the external number is another player's;
            `merged`, `formula`, `no_value`: see `list_table.Mark`;
            `lacking`: what the organiser asks for.
        column: the heading of the column, empty where the whole row is meant.
        text: a text, number or line that it is about.
    """

    kind: str
    column: str = ""
    text: str = ""


_DOUBTS = frozenset({"lost", "entered", "listed", "no_value", "particle"})
"""Remarks that make a row doubtful; the others only say something."""


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A row of a list: its line, its cells, what would be entered, and what is to be known of it."""

    line: int
    cells: tuple[str, ...]
    grade: Grade
    entry: Entry | None = None
    personal: Personal | None = None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Choices of an official about a list.

    Attributes:
        headed: whether its first line holds headings; None to guess.
        meanings: the field of each column, empty for one that is left out; None to guess.
        sex, born_from, born_to, team: only these players; 0 and an empty text ask nothing.
        group: a group that all players of the list get.
    """

    headed: bool | None = None
    meanings: tuple[str, ...] | None = None
    sex: Literal["", "m", "f"] = ""
    born_from: int = 0
    born_to: int = 0
    team: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class ListPreview:
    """A list as it would be entered.

    Attributes:
        headed: whether the first line holds headings.
        columns: what each column holds.
        rows: the lines with players.
        unread: lines that hold no player or cannot be read.
        lacking: what the organiser asks for and no line has; it is said here once.
    """

    headed: bool
    columns: tuple[Column, ...]
    rows: tuple[PreviewRow, ...]
    unread: tuple[int, ...]
    lacking: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A name of all that this shows."""
        return sha256(repr((self.headed, self.columns, self.rows, self.unread, self.lacking)).encode()).hexdigest()

    def count(self, grade: Grade) -> int:
        """The number of rows of a grade."""
        return sum(row.grade is grade for row in self.rows)


def preview(table: ListTable, state: EventState, choices: Choices) -> ListPreview:
    """Preview the import of a list into an event."""
    headed = has_headings(table) if choices.headed is None else choices.headed
    columns = columns_of(table, headed, choices.meanings)
    named = any(column.meaning in ("name", "family") for column in columns)
    known = _Known(state)
    body = table.rows[headed:]
    shape = shape_of(
        [column.heading for column in columns], [column.meaning for column in columns], [cells for _, cells in body]
    )
    passed = [line for line, cells in body if named and shape.passed_over(cells)]
    rows = [
        _row(line, cells, columns, table, state, known, choices, named)
        for line, cells in body
        if not passed or line not in passed
    ]
    rows, lacks = _said_once(rows)
    return ListPreview(headed, columns, tuple(rows), tuple(sorted((*table.unread, *passed))), lacks)


def _said_once(rows: list[PreviewRow]) -> tuple[list[PreviewRow], tuple[str, ...]]:
    """The rows without a remark on what each of them lacks, and what that is."""
    lacks = [
        {name for remark in row.remarks if remark.kind == "lacking" for name in remark.text.split(", ")}
        for row in rows
        if row.entry is not None and row.grade is not Grade.OTHER
    ]
    if len(lacks) < 2 or not (common := set.intersection(*lacks)):
        return rows, ()
    made = []
    for row in rows:
        remarks = []
        for remark in row.remarks:
            text = ", ".join(name for name in remark.text.split(", ") if name not in common)
            if remark.kind != "lacking" or text:
                remarks.append(remark if remark.kind != "lacking" else replace(remark, text=text))
        made.append(replace(row, remarks=tuple(remarks)))
    return made, tuple(name for name in PERSONAL_WISHES if name in common)


def _row(
    line: int,
    cells: tuple[str, ...],
    columns: Sequence[Column],
    table: ListTable,
    state: EventState,
    known: _Known,
    choices: Choices,
    named: bool,
) -> PreviewRow:
    if not named:
        return PreviewRow(line, cells, Grade.REFUSED)
    used = [
        (at, column)
        for at, column in enumerate(columns)
        if column.meaning and at < len(cells) and PERSONAL.get(column.meaning) in (None, *state.event.personal)
    ]
    marks = [Remark(mark, column.heading) for at, column in used if (mark := table.marks.get((line, at)))]
    row = Row(line, cells_by_field((column.meaning, column.heading, cell_text(cells[at])) for at, column in used))
    for at, column in used:
        row.doubt(column.heading, column.meaning, cells[at])
    made = read_row(row, state)
    found = [Remark(fault.kind, fault.column, fault.text) for fault in (*row.faults, *row.doubts, *row.particles)]
    if made is None:
        return PreviewRow(line, cells, Grade.REFUSED, remarks=(*found, *marks))
    entry, personal = made
    if choices.group and choices.group not in entry.groups:
        entry = replace(entry, groups=(*entry.groups, choices.group))
    remarks = [*found, *marks]
    if not _wanted(entry, choices):
        return PreviewRow(line, cells, Grade.OTHER, entry, personal, tuple(remarks))
    remarks += known.remarks(entry)
    if lacks := lacking(state, entry, personal):
        remarks.append(Remark("lacking", "", ", ".join(lacks)))
    known.add(entry, f"{line}")
    if any(remark.kind == "number" for remark in remarks):
        return PreviewRow(line, cells, Grade.REFUSED, entry, personal, tuple(remarks))
    doubtful = any(remark.kind in _DOUBTS for remark in remarks)
    return PreviewRow(line, cells, Grade.DOUBT if doubtful else Grade.GOOD, entry, personal, tuple(remarks))


def _wanted(entry: Entry, choices: Choices) -> bool:
    if choices.sex and entry.sex != choices.sex:
        return False
    if (choices.born_from or choices.born_to) and not entry.born:
        return False
    if choices.team and name_key(clean(entry.team)) != name_key(choices.team):
        return False
    return entry.born >= choices.born_from and entry.born <= (choices.born_to or 9999)


def chosen_entries(
    shown: ListPreview, state: EventState, lines: Collection[int]
) -> list[tuple[Enter, Personal | None]]:
    """The actions that enter the rows of these lines, in order, with the personal data.

    Rows that were refused or belong to another group are never entered. A player with the name of
    a player entered before is entered as a namesake.
    """
    known = _Known(state)
    made: list[tuple[Enter, Personal | None]] = []
    for row in shown.rows:
        if row.line in lines and row.entry is not None and row.grade in (Grade.GOOD, Grade.DOUBT):
            again = any(remark.kind in ("entered", "listed") for remark in known.remarks(row.entry))
            made.append((Enter(row.entry, again), row.personal))
            known.add(row.entry, "")
    return made


class _Known:
    """Players by name and external number: those of the event, and the rows of the list so far."""

    def __init__(self, state: EventState) -> None:
        self._held: dict[str, list[tuple[Entry, str, str]]] = {}
        for player in state.players.values():
            self._put(player.entry, "entered", f"{player.number}")

    def add(self, entry: Entry, line: str) -> None:
        """Remember a row of the list."""
        self._put(entry, "listed", line)

    def _put(self, entry: Entry, kind: str, place: str) -> None:
        for key in _keys(entry):
            self._held.setdefault(key, []).append((entry, kind, place))

    def remarks(self, entry: Entry) -> list[Remark]:
        """Remarks on players with the same name or number; `number` for an external number that another entry has."""
        held = [one for key in _keys(entry) for one in self._held.get(key, ())]
        for other, _, _ in held:
            if entry.external and entry.external == other.external:
                return [Remark("number", "", entry.external)]
        for other, kind, place in held:
            if same_person(other, entry):
                return [Remark(kind, "", place)]
        return [Remark("namesake", "", held[0][0].name)] if held else []


def _keys(entry: Entry) -> tuple[str, ...]:
    number = (f"number {entry.external}",) if entry.external else ()
    return (f"name {name_key(clean(entry.name))}", *number)

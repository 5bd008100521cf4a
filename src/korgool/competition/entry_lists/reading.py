"""Entry lists read: each line of a CSV or XLSX table becomes an entry or a fault.

The result says which encoding, delimiter, sheet and columns were assumed; a caller can give them instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from korgool.competition.eligibility import same_person
from korgool.competition.entry_lists.cell_values import READERS, CellError, read_born, read_consent
from korgool.competition.entry_lists.column_headings import FIELDS, PERSONAL, given_first
from korgool.competition.entry_lists.csv_tables import decode_table, sniff_delimiter, table_rows
from korgool.competition.entry_lists.list_layout import (
    JOINED,
    MOST_ABOVE,
    UNIQUE,
    choose_sheet,
    headings_at,
    is_nothing,
    meanings_of,
    shape_of,
    whole_headings,
)
from korgool.competition.entry_lists.person_names import doubtful_particle, split_name, without_number
from korgool.competition.entry_lists.xlsx_workbook import is_workbook, sheet_facts, sheet_heads, workbook_rows
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Entry, Personal
from korgool.competition.people_index import name_key
from korgool.competition.text_cleaning import clean, lost_letters
from korgool.languages import N_

_LONGEST_CELL = 300
_NAMES = frozenset({"family", "given", "patronymic", "name", "coaches"})
_WITHOUT_LETTERS = frozenset({"sex", "born", "rating", "board"})
_SPOKEN = frozenset({"family", "name", "given"})
"""Columns in which a word such as `нет` may be a name."""
_LOOKED_AT = 200
_AND = ", "
_PARTICLE = "{word!r} may belong to another part of the name"


@dataclass(frozen=True, slots=True)
class Fault:
    """Fault of a line.

    Attributes:
        line: line of the file, from 1, where the row begins.
        column: heading of the column, empty where the whole row is meant.
        reason: what is wrong.
        kind: a word for the reason, to say it in another language; empty for a reason that has none.
        text: what stands there, where the reason is about it.
    """

    line: int
    column: str
    reason: str
    kind: str = ""
    text: str = ""

    def __str__(self) -> str:
        column = f", column {self.column!r}" if self.column else ""
        return f"line {self.line}{column}: {self.reason}"


@dataclass(frozen=True, slots=True)
class EntryList:
    """Result of reading an entry list.

    Attributes:
        entries: (line, entry, personal data) of every good row; personal data is None where there is none.
        faults: the bad rows, in order; a row may have several.
        columns: what each heading was taken for.
        ignored: headings that were not used: unknown ones, and personal data that the organiser does not ask for.
        encoding: `utf-8`, `utf-16`, `cp1251` or `cp1254`, or what was asked for; `xlsx` for a workbook.
        delimiter: what parts the cells; empty for a workbook.
        doubts: where letters seem to be lost; these are faults as well, unless they were accepted.
        sheet: the sheet of a workbook, else empty.
        passed: lines that hold no player: titles, sections, what stands below the table.
        particles: names of which a word such as `van` or `оглы` may belong to another part.
    """

    entries: tuple[tuple[int, Entry, Personal | None], ...]
    faults: tuple[Fault, ...]
    columns: Mapping[str, str]
    ignored: tuple[str, ...]
    encoding: str
    delimiter: str
    doubts: tuple[Fault, ...] = ()
    sheet: str = ""
    passed: tuple[int, ...] = ()
    particles: tuple[Fault, ...] = ()


@dataclass(slots=True)
class Row:
    """A row of a list on its way to an entry: its cells by field, each with its heading, its faults and doubts."""

    line: int
    cells: dict[str, tuple[str, str]]  # by field: heading, text
    faults: list[Fault] = field(default_factory=list)
    doubts: list[Fault] = field(default_factory=list)
    particles: list[Fault] = field(default_factory=list)

    def text(self, name: str) -> str:
        """The text of a cell, empty without one."""
        return self.cells.get(name, ("", ""))[1]

    def fault(self, name: str, error: CellError) -> None:
        """Note what is wrong with a cell."""
        heading = self.cells.get(name, ("", ""))[0]
        self.faults.append(Fault(self.line, heading, str(error), error.kind, error.text))

    def doubt(self, heading: str, field_: str, text: str) -> None:
        """Note where letters of a cell seem to be lost."""
        if field_ not in _WITHOUT_LETTERS and (reason := lost_letters(text, name=field_ in _NAMES)):
            self.doubts.append(Fault(self.line, heading, reason, "lost", text))


def read_entries(
    data: bytes,
    state: EventState,
    *,
    mapping: Mapping[str, str] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    accept_lost: bool = False,
) -> EntryList:
    """Read an entry list and hold every row against the event and against the rows before it.

    Args:
        data: the file: a workbook (XLSX), or a text in UTF-8, UTF-16, Windows Turkish (cp1254) or
            Windows Cyrillic (cp1251).
        state: the event: a women's event refuses men (WNG-TK §XIII), no player is entered twice, only personal data
            that the organiser asks for is kept.
        mapping: what a heading means (`{"Family": "family"}`), for headings that are not known in one of the five
            languages; an empty string ignores the column.
        encoding: the encoding, where it is known.
        delimiter: the delimiter, where it is known; else the most frequent of `; , tab |` in the first line.
        sheet: the sheet of a workbook; the first by default.
        accept_lost: whether texts are taken as they are where letters seem to be lost; they are bad lines otherwise.

    Raises:
        CompetitionError: the file is not a list at all: not text, no headings, a mapping that names nothing in it.
    """
    if is_workbook(data):
        found, found_sheet = workbook_rows(data, choose_sheet(sheet_heads(data)) if sheet is None else sheet)
        formulas = sheet_facts(data, found_sheet).formulas
        unread: list[tuple[int, str]] = []
        encoding, delimiter = "xlsx", ""
    else:
        text, encoding = decode_table(data, encoding)
        delimiter = delimiter or sniff_delimiter(text)
        found, unread = table_rows(text, delimiter)
        found_sheet, formulas = "", frozenset()
    wanted = {clean(name): meaning.strip() for name, meaning in (mapping or {}).items()}
    above, first, header, body = _divided(list(found), wanted, padded=not delimiter)
    faults: list[Fault] = []
    doubts = [Fault(first, name, reason) for name in header if (reason := lost_letters(name, name=False))]
    meanings = _meanings(header, body, wanted, state)
    named = [name or f"column {at}" for at, name in enumerate(header, 1)]
    columns = {name: meaning for name, meaning in zip(named, meanings, strict=True) if meaning}
    doubts = [one for one in doubts if one.column not in columns and one.column not in wanted]
    faults += [] if accept_lost else doubts
    entries: list[tuple[int, Entry, Personal | None]] = []
    passed = above
    particles: list[Fault] = []
    known = _Known(state)
    used = [(at, meaning) for at, meaning in enumerate(meanings) if meaning]
    shape = shape_of(header, meanings, [cells for _, cells in body])
    for line, cells in body:
        if shape.passed_over(cells):
            passed.append(line)
            continue
        if len(cells) != len(header):
            faults.append(Fault(line, "", f"{len(cells)} cells, the heading has {len(header)}"))
            continue
        row = _row(line, cells, header, used, formulas)
        doubts += row.doubts
        row.faults += [] if accept_lost else row.doubts
        made = read_row(row, state)
        faults += row.faults
        if made is None:
            continue
        if (place := known.find(made[0])) is not None:
            faults.append(Fault(line, "", f"{made[0].name} is entered twice: {place}"))
            continue
        known.add(made[0], f"in line {line} too")
        particles += row.particles
        entries.append((line, *made))
    faults += [Fault(line, "", reason) for line, reason in unread]
    faults.sort(key=lambda fault: fault.line)
    ignored = tuple(name for name in header if name and name not in columns)
    return EntryList(
        tuple(entries), tuple(faults), columns, ignored, encoding, delimiter, tuple(doubts), found_sheet, tuple(passed),
        tuple(particles),
    )  # fmt: skip


def _divided(
    rows: list[tuple[int, list[str]]], wanted: Mapping[str, str], *, padded: bool
) -> tuple[list[int], int, list[str], list[tuple[int, list[str]]]]:
    """The lines above the headings, the line of the headings, the headings, and the rows below.

    In a workbook (`padded`) rows are as long as the headings, and a column beside the table is left out.
    """
    if not rows:
        raise CompetitionError(N_("the list is empty"))
    begin = headings_at([cells for _, cells in rows[:MOST_ABOVE]], wanted) or 0
    first = rows[begin][0]
    texts, last = whole_headings([cells for _, cells in rows[: begin + 2]], begin)
    header = [clean(name) for name in texts]
    while padded and header and not header[-1]:
        header.pop()
    body, width = rows[last + 1 :], len(header)
    if padded:
        beside = sum(len(cells) > width for _, cells in body) * 2 > len(body)
        body = [(line, [*cells, *[""] * (width - len(cells))][: width if beside else None]) for line, cells in body]
        body = [(line, cells[:width] if not any(map(str.strip, cells[width:])) else cells) for line, cells in body]
    above = [line for line, _ in (*rows[:begin], *rows[begin + 1 : last + 1])]
    return above, first, header, body


def _row(
    line: int,
    cells: Sequence[str],
    header: Sequence[str],
    used: Sequence[tuple[int, str]],
    formulas: frozenset[tuple[int, int]],
) -> Row:
    row = Row(line, cells_by_field((meaning, header[at], cell_text(cells[at])) for at, meaning in used))
    for at, meaning in used:
        row.doubt(header[at], meaning, cells[at])
        if not cells[at].strip() and (line, at + 1) in formulas:
            row.fault(meaning, CellError("no_value", "the cell holds a formula without a value"))
    return row


def lacking(state: EventState, entry: Entry, personal: Personal | None) -> tuple[str, ...]:
    """Data that the organiser requires on the application form and that is missing (WNG-TK §XIII)."""
    held = personal or Personal()
    known = {
        "born": bool(held.born or entry.born),
        "passport": bool(held.passport_number),
        "coaches": bool(held.coaches),
        "doctor": bool(held.doctor),
    }
    return tuple(name for name in state.event.personal if not known[name])


def _meanings(
    header: list[str], body: list[tuple[int, list[str]]], wanted: Mapping[str, str], state: EventState
) -> list[str]:
    """The field of each column, empty for those that are not used; raises CompetitionError without a family name."""
    for name, meaning in wanted.items():
        if name not in header:
            raise CompetitionError(
                N_("there is no column {name!r}; there are {listed}"), name=name, listed=", ".join(filter(None, header))
            )
        if meaning and meaning not in FIELDS:
            raise CompetitionError(
                N_("a column cannot be {meaning!r}; it can be {listed}"), meaning=meaning, listed=", ".join(FIELDS)
            )
    texts = [[clean(cells[at]) for _, cells in body[:_LOOKED_AT] if at < len(cells)] for at in range(len(header))]
    told = meanings_of([name if name not in wanted else "" for name in header], texts)
    found: list[str] = []
    for name, of_words in zip(header, told, strict=True):
        free = of_words not in wanted.values() or of_words in UNIQUE
        meaning = wanted.get(name, of_words if free else "")
        asked = meaning not in PERSONAL or PERSONAL[meaning] in state.event.personal
        if meaning and asked and meaning in found and meaning not in JOINED:
            raise CompetitionError(
                N_("the columns {other!r} and {name!r} both hold {meaning}; map one of them"),
                other=header[found.index(meaning)],
                name=name,
                meaning=meaning,
            )
        found.append(meaning if asked else "")
    if not {"family", "name"} & set(found):
        raise CompetitionError(
            f"no column holds the family name; there are {', '.join(filter(None, header)) or 'no headings'}; "
            "say which it is with a mapping such as Family=family"
        )
    return found


def cell_text(text: str) -> str:
    """The text of a cell; the apostrophe that keeps a spreadsheet from computing it is dropped."""
    plain = clean(text)
    return plain[1:] if re.match(r"'[=+@-]", plain) else plain


def cells_by_field(cells: Iterable[tuple[str, str, str]]) -> dict[str, tuple[str, str]]:
    """The heading and the text by field, of (field, heading, text); what several columns say is put together."""
    found: dict[str, tuple[str, str]] = {}
    for name, heading, text in cells:
        before = found.get(name, ("", ""))[1]
        if name not in found or (name in JOINED and not before):
            found[name] = heading, "" if name in JOINED and is_nothing(text) else text
        elif name in JOINED and not is_nothing(text) and name_key(text) not in map(name_key, before.split(_AND)):
            found[name] = found[name][0], f"{before}{_AND}{text}"
    return found


def read_row(row: Row, state: EventState) -> tuple[Entry, Personal | None] | None:
    """The entry and the personal data in a row; None if it has faults, which are noted in it."""
    values: dict[str, Any] = {}
    for name, (heading, told) in row.cells.items():
        text = without_number(told) if name in ("name", "family") else told
        text = "" if is_nothing(text) and (name not in _SPOKEN or not text.strip("-–—. ")) else text
        row.cells[name] = heading, text
        try:
            _check_text(text)
            if text and name in READERS:
                values[name] = READERS[name](text)
            elif text and name not in ("name", "born", "passport"):
                values[name] = text
        except CellError as error:
            row.fault(name, error)
    if full := row.text("name"):
        given_is_first = given_first(row.cells["name"][0])
        split = split_name(full, given_is_first=given_is_first)
        values = {**{key: text for key, text in split.items() if text}, **values}
        if not given_is_first and "family" not in row.cells and (word := doubtful_particle(full)):
            row.particles.append(Fault(row.line, row.cells["name"][0], _PARTICLE.format(word=word), "particle", word))
    day = ""
    if born := row.text("born"):
        try:
            values["born"], day = read_born(born)
        except CellError as error:
            row.fault("born", error)
    if not values.get("family") and not row.faults:
        missing = CellError("family", "the family name is missing")
        row.fault("family" if "family" in row.cells else "name", missing)
    if row.faults:
        return None
    personal = _personal(values, row.text("passport"), day if "born" in state.event.personal else "")
    try:
        values |= read_consent(values)
    except CompetitionError as error:
        if isinstance(error, CellError):
            row.fault("consent_day", error)
        else:
            row.fault("guardian", CellError("guardian", str(error)))
        return None
    try:
        entry = Entry(**values)
    except CompetitionError as error:
        row.fault("born", CellError("year", str(error), str(values.get("born", ""))))
        return None
    if state.event.sex == "women" and entry.sex != "f":
        kind, why = ("man", "men cannot play among women") if entry.sex == "m" else ("sexless", "the sex is not stated")
        row.fault("sex", CellError(kind, f"{entry.name}: this is a women's event, {why}", entry.name))
        return None
    return entry, personal


def _check_text(text: str) -> None:
    if len(text) > _LONGEST_CELL:
        raise CellError("long", f"{len(text)} characters, at most {_LONGEST_CELL} are read", str(_LONGEST_CELL))
    if any(not letter.isprintable() for letter in text):
        raise CellError("control", "it holds a control character")


def _personal(values: dict[str, Any], passport: str, born: str) -> Personal | None:
    """Take what is personal out of the values of a row."""
    series, _, number = passport.rpartition(" ") if " " in passport else ("", "", passport)
    personal = Personal(
        born=born,
        passport_series=values.pop("passport_series", series),
        passport_number=values.pop("passport_number", number),
        coaches=values.pop("coaches", ()),
        doctor=values.pop("doctor", ""),
    )
    return personal if personal != Personal() else None


class _Known:
    """Players entered already, found by name or external number."""

    def __init__(self, state: EventState) -> None:
        self._places: dict[str, list[tuple[Entry, str]]] = {}
        for player in state.players.values():
            self.add(player.entry, f"already in the event, with number {player.number}")

    def add(self, entry: Entry, place: str) -> None:
        for key in self._keys(entry):
            self._places.setdefault(key, []).append((entry, place))

    def find(self, entry: Entry) -> str | None:
        held = (one for key in self._keys(entry) for one in self._places.get(key, ()))
        return next((place for other, place in held if same_person(other, entry)), None)

    @staticmethod
    def _keys(entry: Entry) -> tuple[str, ...]:
        return (f"name {name_key(clean(entry.name))}", *((f"number {entry.external}",) if entry.external else ()))

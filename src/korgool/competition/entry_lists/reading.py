"""Entry lists read: each line of a CSV or XLSX table becomes an entry or a fault.

The result says which encoding, delimiter, sheet and columns were assumed; a caller can give them instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from korgool.competition.eligibility import same_person
from korgool.competition.entry_lists.column_headings import FIELDS, PERSONAL, field_of, given_first, sex_of
from korgool.competition.entry_lists.csv_tables import decode_table, sniff_delimiter, table_rows
from korgool.competition.entry_lists.xlsx_workbook import is_workbook, sheet_facts, workbook_rows
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Consent, Entry, Personal
from korgool.competition.people_index import name_key
from korgool.competition.text_cleaning import clean, lost_letters
from korgool.languages import N_

_LONGEST_CELL = 300
_NAMES = frozenset({"family", "given", "patronymic", "name", "coaches"})
_WITHOUT_LETTERS = frozenset({"sex", "born", "rating", "board"})
_DATE = re.compile(
    r"(?:(?P<y>\d{4})[-./](?P<m>\d\d?)[-./](?P<d>\d\d?)|(?P<d2>\d\d?)[-./](?P<m2>\d\d?)[-./](?P<y2>\d{4}))"
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line.

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
    """What was read of an entry list.

    Attributes:
        entries: (line, entry, personal data) of every good row; personal data is None where there is none.
        faults: the bad rows, in order; a row may have several.
        columns: what each heading was taken for.
        ignored: headings that were not used: unknown ones, and personal data that the organiser does not ask for.
        encoding: `utf-8`, `utf-16`, `cp1251` or `cp1254`, or what was asked for; `xlsx` for a workbook.
        delimiter: what parts the cells; empty for a workbook.
        doubts: where letters seem to be lost; these are faults as well, unless they were accepted.
        sheet: the sheet of a workbook, else empty.
    """

    entries: tuple[tuple[int, Entry, Personal | None], ...]
    faults: tuple[Fault, ...]
    columns: Mapping[str, str]
    ignored: tuple[str, ...]
    encoding: str
    delimiter: str
    doubts: tuple[Fault, ...] = ()
    sheet: str = ""


class CellError(CompetitionError):
    """A cell that cannot be read; `kind` and `text` are those of `Fault`."""

    def __init__(self, kind: str, reason: str, text: str = "") -> None:
        super().__init__(reason)
        self.kind, self.text = kind, text


@dataclass(slots=True)
class Row:
    """A row of a list on its way to an entry: its cells by field, each with its heading, its faults and doubts."""

    line: int
    cells: dict[str, tuple[str, str]]  # by field: heading, text
    faults: list[Fault] = field(default_factory=list)
    doubts: list[Fault] = field(default_factory=list)

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
        state: the event: a women's event refuses men (WNG-TK §XIII), nobody is entered twice, and only personal data
            that the organiser asks for is kept.
        mapping: what a heading means (`{"Family": "family"}`), for headings that are not known in one of the five
            languages; an empty string ignores the column.
        encoding: the encoding, where it is known.
        delimiter: the delimiter, where it is known; else the most frequent of `; , tab |` in the first line.
        sheet: the sheet of a workbook; the first by default.
        accept_lost: whether texts are taken as they are where letters seem to be lost; they are bad lines otherwise.

    Raises:
        CompetitionError: the file is no list at all: not text, no headings, a mapping that names nothing in it.
    """
    if is_workbook(data):
        rows, found_sheet = workbook_rows(data, sheet)
        formulas = sheet_facts(data, found_sheet).formulas
        unread: list[tuple[int, str]] = []
        encoding, delimiter = "xlsx", ""
    else:
        text, encoding = decode_table(data, encoding)
        delimiter = delimiter or sniff_delimiter(text)
        rows, unread = table_rows(text, delimiter)
        found_sheet, formulas = "", frozenset()
    faults: list[Fault] = []
    try:
        first, header = next(rows)
    except StopIteration:
        raise CompetitionError(N_("the list is empty")) from None
    doubts = [Fault(first, clean(name), reason) for name in header if (reason := lost_letters(name, name=False))]
    columns, ignored = _columns(header, mapping or {}, state)
    doubts = [one for one in doubts if one.column not in columns and one.column not in (mapping or {})]
    faults += [] if accept_lost else doubts
    entries: list[tuple[int, Entry, Personal | None]] = []
    known = _Known(state)
    for line, cells in rows:
        if len(cells) != len(header):
            faults.append(Fault(line, "", f"{len(cells)} cells, the heading has {len(header)}"))
            continue
        pairs = [(name, cell) for name, cell in zip(header, cells, strict=True) if name in columns]
        row = Row(line, {columns[name]: (name, cell_text(cell)) for name, cell in pairs})
        for name, cell in pairs:
            row.doubt(name, columns[name], cell)
        for column, (name, cell) in enumerate(zip(header, cells, strict=True), 1):
            if name in columns and not cell.strip() and (line, column) in formulas:
                row.fault(columns[name], CellError("no_value", "the cell holds a formula without a value"))
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
        entries.append((line, *made))
    faults += [Fault(line, "", reason) for line, reason in unread]
    faults.sort(key=lambda fault: fault.line)
    return EntryList(tuple(entries), tuple(faults), columns, ignored, encoding, delimiter, tuple(doubts), found_sheet)


def lacking(state: EventState, entry: Entry, personal: Personal | None) -> tuple[str, ...]:
    """What the organiser asks for on the application form and has not got (WNG-TK §XIII)."""
    held = personal or Personal()
    known = {
        "born": bool(held.born or entry.born),
        "passport": bool(held.passport_number),
        "coaches": bool(held.coaches),
        "doctor": bool(held.doctor),
    }
    return tuple(name for name in state.event.personal if not known[name])


def _columns(
    header: list[str], mapping: Mapping[str, str], state: EventState
) -> tuple[dict[str, str], tuple[str, ...]]:
    for at, name in enumerate(header):
        header[at] = clean(name)
    wanted = {clean(name): meaning.strip() for name, meaning in mapping.items()}
    for name, meaning in wanted.items():
        if name not in header:
            raise CompetitionError(
                N_("there is no column {name!r}; there are {listed}"), name=name, listed=", ".join(filter(None, header))
            )
        if meaning and meaning not in FIELDS:
            raise CompetitionError(
                N_("a column cannot be {meaning!r}; it can be {listed}"), meaning=meaning, listed=", ".join(FIELDS)
            )
    columns: dict[str, str] = {}
    for name in header:
        meaning = wanted.get(name, field_of(name) or "") if name else ""
        asked = meaning not in PERSONAL or PERSONAL[meaning] in state.event.personal
        if not meaning or not asked:
            continue
        if meaning in columns.values():
            other = next(held for held, what in columns.items() if what == meaning)
            raise CompetitionError(
                N_("the columns {other!r} and {name!r} both hold {meaning}; map one of them"),
                other=other,
                name=name,
                meaning=meaning,
            )
        columns[name] = meaning
    if not {"family", "name"} & set(columns.values()):
        raise CompetitionError(
            f"no column holds the family name; there are {', '.join(filter(None, header)) or 'no headings'}; "
            "say which it is with a mapping such as Family=family"
        )
    return columns, tuple(name for name in header if name and name not in columns)


def cell_text(text: str) -> str:
    """The text of a cell; the apostrophe that keeps a spreadsheet from computing it is dropped."""
    plain = clean(text)
    return plain[1:] if re.match(r"'[=+@-]", plain) else plain


def read_row(row: Row, state: EventState) -> tuple[Entry, Personal | None] | None:
    """The entry and the personal data in a row; None if it has faults, which are noted in it."""
    values: dict[str, Any] = {}
    for name, (_, text) in row.cells.items():
        try:
            _check_text(text)
            if text and name in _READERS:
                values[name] = _READERS[name](text)
            elif text and name not in ("name", "born", "passport"):
                values[name] = text
        except CellError as error:
            row.fault(name, error)
    if full := row.text("name"):
        split = split_name(full, given_is_first=given_first(row.cells["name"][0]))
        values = {**{key: text for key, text in split.items() if text}, **values}
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


def read_consent(values: dict[str, Any], before: Consent | None = None) -> dict[str, Consent | None]:
    """Take the consent of a guardian out of the values of an entry, as its member; nothing if they hold none of it.

    Args:
        values: `guardian`, `consent_day` and `consent_how` are taken; an empty guardian takes the consent back.
        before: the consent that they change.

    Raises:
        CompetitionError: no guardian is named, or the day is none.
    """
    given = {name: values.pop(name) for name in CONSENT if name in values}
    if not given:
        return {}
    if given.get("guardian") == "":
        return {"consent": None}
    held = before or Consent(guardian=given.get("guardian", ""))
    day = held.day
    if text := given.get("consent_day", ""):
        _, day = read_born(text)
        if not day:
            raise CellError("date", f"{text!r} is no day; write 2026-05-31 or 31.05.2026", text)
    how = given.get("consent_how", held.how)
    return {"consent": Consent(guardian=given.get("guardian", held.guardian), day=day, how=how)}


CONSENT = ("guardian", "consent_day", "consent_how")
"""Columns and options with the consent of a guardian."""


def split_name(text: str, *, given_is_first: bool = False) -> dict[str, str]:
    """The parts of `Family, Given Patronymic` as members of an entry.

    Without a comma the family name is the first word, or the last where the given name comes first.
    """
    if "," in text:
        family, _, rest = (part.strip() for part in text.partition(","))
        given, _, patronymic = rest.partition(" ")
    elif given_is_first:
        given, _, family = text.rpartition(" ")
        patronymic = ""
    else:
        family, _, rest = text.partition(" ")
        given, _, patronymic = rest.partition(" ")
    return {"family": family, "given": given, "patronymic": patronymic}


def read_born(text: str) -> tuple[int, str]:
    """The year of birth, and the day as `2001-05-31` where it is told; raises CompetitionError for anything else."""
    if re.fullmatch(r"\d{4}", text):
        return int(text), ""
    found = _DATE.fullmatch(text)
    if found is None:
        raise CellError("date", f"{text!r} is no date; write 2001, 2001-05-31 or 31.05.2001", text)
    year, month, day = (int(found[name] or found[name + "2"]) for name in "ymd")
    try:
        return year, date(year, month, day).isoformat()
    except ValueError:
        raise CellError("day", f"there is no day {text!r}", text) from None


def _number(what: str, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise CellError(what, f"{text!r} is no {what}", text)
        if int(text) > most:
            raise CellError(what, f"{text} is no {what}, which is {most} at most", text)
        return int(text)

    return read


def _sex(text: str) -> str:
    found = sex_of(text)
    if found is None:
        raise CellError("sex", f"{text!r} is no sex; write m or f", text)
    return found


def _several(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[;,/]", text) if part.strip())


_READERS: dict[str, Callable[[str], Any]] = {
    "sex": _sex,
    "rating": _number("rating", 9999),
    "board": _number("board", 99),
    "groups": _several,
    "coaches": _several,
}


class _Known:
    """Who is entered already, found by name or external number."""

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

"""An entry list as a bounded table of texts, before anything is known of its columns.

A page that shows what a list holds carries the table to the confirmation (`pack`, `unpack`), so nothing of it has to be
kept on a server before it is confirmed.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from korgool.competition.entry_lists.csv_tables import decode_table, sniff_delimiter, table_rows
from korgool.competition.entry_lists.list_layout import choose_sheet, headings_at, whole_headings
from korgool.competition.entry_lists.xlsx_workbook import is_workbook, sheet_facts, sheet_heads, workbook_rows
from korgool.competition.errors import CompetitionError
from korgool.competition.text_cleaning import clean
from korgool.languages import N_

MOST_BYTES = 2_000_000
"""Most bytes of a list."""
MOST_LINES, MOST_WIDE = 2000, 40
"""Most lines and columns of a list."""
_MOST_LETTERS = 1_000_000
_LARGEST_INSIDE = 20_000_000
"""Most bytes of a workbook when it is unpacked: 2,000 lines of 40 cells have a third of it."""
_LONGEST = 301
"""Letters of a cell that are kept: one more than an entry may have, so that longer ones are noticed."""
_NUMBERED = re.compile(r"\s*\d{1,4}[.)]\s+")

Mark: TypeAlias = Literal["formula", "no_value", "merged"]
"""Marks of a cell besides its text: computed, computed without a value in the file, or filled from a merged area."""


@dataclass(frozen=True, slots=True)
class ListTable:
    """A list as texts.

    Attributes:
        rows: the lines that are not empty, each with its number in the file, from 1, and its cells.
        marks: by (line, column from 0), what a cell is besides its text.
        unread: lines that cannot be read, and those above the headings.
        source: `utf-8`, `utf-16`, `cp1251`, `cp1254` or `xlsx`.
        sheet, sheets: the sheet of a workbook and the names of all; empty for a text.
    """

    rows: tuple[tuple[int, tuple[str, ...]], ...]
    marks: dict[tuple[int, int], Mark]
    unread: tuple[int, ...] = ()
    source: str = "utf-8"
    sheet: str = ""
    sheets: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return max((len(cells) for _, cells in self.rows), default=0)


def read_table(data: bytes, sheet: str | None = None) -> ListTable:
    """Read a list: a workbook, or a text whose encoding and delimiter are detected.

    Args:
        data: the file, or what was pasted as UTF-8.
        sheet: the sheet of a workbook, by default the first that seems to hold the list.

    Raises:
        CompetitionError: it is too large, empty, or no list.
    """
    if len(data) > MOST_BYTES:
        raise CompetitionError(
            N_("the list has {count:,} bytes, at most {most:,} are read"), count=len(data), most=MOST_BYTES
        )
    if is_workbook(data):
        return _workbook(data, sheet)
    text, encoding = decode_table(data, None)
    found, faults = table_rows(text, sniff_delimiter(text))
    rows = [(line, [cell[:_LONGEST] for cell in cells]) for line, cells in _bounded(found)]
    if all(len(cells) == 1 and _NUMBERED.match(cells[0]) for _, cells in rows):
        rows = [(line, [_NUMBERED.sub("", cells[0])]) for line, cells in rows]
    return _checked(rows, {}, tuple(line for line, _ in faults), encoding)


def _workbook(data: bytes, sheet: str | None) -> ListTable:
    chosen = choose_sheet(sheet_heads(data, largest=_LARGEST_INSIDE)) if sheet is None else sheet
    found, name = workbook_rows(data, chosen, largest=_LARGEST_INSIDE)
    rows = list(_bounded(found))
    facts = sheet_facts(data, name)
    marks: dict[tuple[int, int], Mark] = {}
    held = dict(rows)
    for row, column, last_row, _ in facts.merged:
        first = held.get(row, [])
        text = first[column - 1].strip() if column <= len(first) else ""
        for line in held.keys() & set(range(row, min(last_row, row + 20_000) + 1)):
            cells = held[line]
            if text and not "".join(cells[column - 1 : column]).strip():
                cells.extend([""] * (column - len(cells)))
                cells[column - 1] = text
                marks[line, column - 1] = "merged"
    for row, column in facts.formulas:
        cells = held.get(row, [])
        empty = column > len(cells) or not cells[column - 1].strip()
        marks[row, column - 1] = "no_value" if empty else "formula"
    short = [(line, [cell[:_LONGEST] for cell in cells]) for line, cells in rows]
    return _checked(short, marks, (), "xlsx", name, facts.sheets)


def _bounded(rows: Iterable[tuple[int, list[str]]]) -> Iterable[tuple[int, list[str]]]:
    for count, (line, cells) in enumerate(rows):
        while cells and not cells[-1].strip():
            cells.pop()
        if count > MOST_LINES:
            raise CompetitionError(N_("the list has more than {most:,} lines; divide it"), most=MOST_LINES)
        if len(cells) > MOST_WIDE:
            raise CompetitionError(
                N_("line {line} has {count} columns, at most {most} are read"),
                line=line,
                count=len(cells),
                most=MOST_WIDE,
            )
        if cells:
            yield line, cells


def _checked(
    rows: list[tuple[int, list[str]]],
    marks: dict[tuple[int, int], Mark],
    unread: tuple[int, ...],
    source: str,
    sheet: str = "",
    sheets: tuple[str, ...] = (),
    *,
    seek: bool = True,
) -> ListTable:
    if not rows:
        raise CompetitionError(N_("the list is empty"))
    if sum(len(cell) for _, cells in rows for cell in cells) > _MOST_LETTERS:
        raise CompetitionError(N_("the list has more than {most:,} letters; divide it"), most=_MOST_LETTERS)
    at = headings_at([cells for _, cells in rows]) if seek else None
    begin = at or 0
    above = tuple(line for line, _ in rows[:begin])
    if at is not None:
        headings, last = whole_headings([cells for _, cells in rows[: at + 2]], at)
        above += tuple(line for line, _ in rows[at + 1 : last + 1])
        rows = [*rows[:at], (rows[at][0], headings), *rows[last + 1 :]]
    whole = tuple((line, tuple(cells)) for line, cells in rows[begin:])
    return ListTable(whole, marks, (*above, *unread), source, clean(sheet), tuple(map(clean, sheets)))


def pack(table: ListTable) -> str:
    """The table as letters of a form field."""
    marks = [[line, column, mark] for (line, column), mark in sorted(table.marks.items())]
    value = [table.rows, marks, table.unread, table.source, table.sheet, table.sheets]
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(value, ensure_ascii=False).encode())).decode()


def unpack(text: str) -> ListTable:
    """Read the table from a form field; raises CompetitionError if it is damaged or too large."""
    try:
        unzip = zlib.decompressobj()
        plain = unzip.decompress(base64.urlsafe_b64decode(text.encode("ascii")), 8 * _MOST_LETTERS)
        if unzip.unconsumed_tail or not unzip.eof:
            raise ValueError("too large or cut off")
        rows, marks, unread, source, sheet, sheets = json.loads(plain)
        held = [(int(line), [_plain(cell) for cell in cells]) for line, cells in rows]
        known = {(int(line), int(column)): _mark(mark) for line, column, mark in marks}
        again = tuple(map(int, unread))
        table = _checked(list(_bounded(held)), known, again, _plain(source), _plain(sheet), tuple(map(_plain, sheets)),
                         seek=False)  # fmt: skip
    except CompetitionError:
        raise
    except (ValueError, TypeError, binascii.Error, zlib.error, RecursionError):
        raise CompetitionError(N_("the list did not come back as it was shown; read it again")) from None
    return table


def _plain(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value[:_LONGEST]


def _mark(value: object) -> Mark:
    if value not in get_args(Mark):
        raise ValueError(value)
    return cast("Mark", value)

"""Entry lists in workbooks of spreadsheets (XLSX)."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any, NamedTuple
from xml.etree.ElementTree import iterparse

from korgool.competition.errors import CompetitionError
from korgool.languages import N_

MOST_ROWS, MOST_COLUMNS = 20_000, 200
_LARGEST_INSIDE = 100_000_000
_MOST_SHEETS, _HEAD = 30, 60
_OLD = b"\xd0\xcf\x11\xe0"


def is_workbook(data: bytes) -> bool:
    """Return whether the first bytes are those of a workbook, in the supported format or the old one."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06", _OLD))


def workbook_rows(
    data: bytes, sheet: str | None = None, *, largest: int = _LARGEST_INSIDE
) -> tuple[Iterator[tuple[int, list[str]]], str]:
    """The rows of a sheet that are not empty, each with its number, and the name of the sheet.

    Cells are texts: whole numbers without a point, days as `2001-05-31`. Rows are padded to the length of the first
    one.

    Args:
        data: the file.
        sheet: the name of the sheet; the first one by default.
        largest: most bytes of it when it is unpacked.

    Raises:
        CompetitionError: it is not a readable workbook, is too large, or has no such sheet.
    """
    if data.startswith(_OLD):
        raise CompetitionError(N_("this is a workbook of the old kind (.xls); save it as .xlsx, or as CSV in UTF-8"))
    _check_size(data, largest)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and drop-down lists, which are not read
            rows, name = _rows(data, sheet)
    except (CompetitionError, ImportError):
        raise
    except Exception as error:  # openpyxl raises what its parsers do: of zip, of XML, and of Python itself
        raise CompetitionError(
            N_("the workbook cannot be read ({error}); is it an XLSX file?"), error=type(error).__name__
        ) from None
    return iter(rows), name


def sheet_heads(data: bytes, *, largest: int = _LARGEST_INSIDE) -> list[tuple[str, list[list[str]]]]:
    """The first rows of each sheet that are not empty, by the name of the sheet; raises what `workbook_rows` raises."""
    if data.startswith(_OLD):
        raise CompetitionError(N_("this is a workbook of the old kind (.xls); save it as .xlsx, or as CSV in UTF-8"))
    _check_size(data, largest)
    try:
        import openpyxl

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            found = []
            for sheet in book.worksheets[:_MOST_SHEETS]:
                sheet.reset_dimensions()
                asked = sheet.iter_rows(max_row=_HEAD, max_col=MOST_COLUMNS, values_only=True)
                texts = [[_text(cell) for cell in cells] for cells in asked]
                found.append((str(sheet.title), [row for row in texts if any(cell.strip() for cell in row)]))
    except ImportError:
        raise
    except Exception as error:  # as above
        raise CompetitionError(
            N_("the workbook cannot be read ({error}); is it an XLSX file?"), error=type(error).__name__
        ) from None
    return found


class SheetFacts(NamedTuple):
    """Contents of a sheet besides texts.

    Attributes:
        sheets: the names of all sheets.
        formulas: the cells that hold formulas, as (row, column), from 1; the file keeps the values last computed.
        merged: the areas of cells that are merged: first row, first column, last row, last column, from 1.
    """

    sheets: tuple[str, ...]
    formulas: frozenset[tuple[int, int]]
    merged: tuple[tuple[int, int, int, int], ...]


def sheet_facts(data: bytes, sheet: str) -> SheetFacts:
    """Formulas and merged cells of a sheet that `workbook_rows` has read; raises what that raises."""
    import openpyxl
    from openpyxl.utils import range_boundaries

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
            names = [one.title for one in book.worksheets]
            chosen = book.worksheets[names.index(sheet)]
            chosen.reset_dimensions()
            asked = chosen.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS)
            formulas = [(cell.row, cell.column) for row in asked for cell in row if cell.data_type == "f"]
            with chosen._get_source() as stream:  # a sheet that is read row by row does not tell its merged cells
                areas = [range_boundaries(text) for text in _merged(stream)]
    except Exception as error:  # as above
        raise CompetitionError(
            N_("the workbook cannot be read ({error}); is it an XLSX file?"), error=type(error).__name__
        ) from None
    whole = [(row, column, last_row, last) for column, row, last, last_row in areas if None not in (row, column)]
    return SheetFacts(tuple(names), frozenset(formulas), tuple(whole))


def _merged(stream: Any) -> Iterator[str]:
    for _, element in iterparse(stream):
        if element.tag.endswith("}mergeCell"):
            yield element.get("ref", "")
        element.clear()


def _rows(data: bytes, sheet: str | None) -> tuple[list[tuple[int, list[str]]], str]:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    names = [one.title for one in book.worksheets]
    if sheet is not None and sheet not in names:
        raise CompetitionError(
            N_("there is no sheet {sheet!r}; there are {listed}"), sheet=sheet, listed=", ".join(names)
        )
    if not names:
        raise CompetitionError(N_("the workbook has no sheet with a table"))
    chosen = book.worksheets[0 if sheet is None else names.index(sheet)]
    chosen.reset_dimensions()  # what the file says of its own size may be wrong
    rows: list[tuple[int, list[str]]] = []
    asked = chosen.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
    for number, cells in enumerate(asked, 1):
        texts = [_text(cell) for cell in cells]
        while texts and not texts[-1].strip():
            texts.pop()
        if texts and number > MOST_ROWS:
            raise CompetitionError(N_("the sheet has more than {most:,} rows"), most=MOST_ROWS)
        if texts:
            width = len(rows[0][1]) if rows else 0
            rows.append((number, texts + [""] * (width - len(texts))))
    return rows, str(chosen.title)


def _check_size(data: bytes, largest: int) -> None:
    """Refuse a file that unpacks to far more than a list of players needs."""
    total = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            for one in pack.infolist():
                with pack.open(one) as stream:
                    while part := stream.read(1 << 20):
                        total += len(part)
                        if total > largest:
                            raise CompetitionError(N_("the workbook unpacks to more than {most:,} bytes"), most=largest)
    except CompetitionError:
        raise
    except Exception as error:  # zipfile raises much besides its own error: of zlib, of lzma, of encryption
        raise CompetitionError(
            N_("the workbook cannot be unpacked ({error}); is it whole?"), error=type(error).__name__
        ) from None


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)

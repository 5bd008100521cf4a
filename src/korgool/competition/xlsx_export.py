"""Tables of an event as a workbook (XLSX), a sheet for each."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from korgool.competition.csv_export import Cell, EventTable, is_formula

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST = 32_767
"""Most letters of a cell."""
_WIDEST = 60


def workbook(tables: Iterable[EventTable]) -> bytes:
    """A workbook with a sheet for each table, headings in bold that stay in view.

    Texts are texts, whatever they begin with: nothing is a formula, and numbers are numbers.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    bold = Font(bold=True)
    for table in tables:
        sheet = book.create_sheet(table.name)
        sheet.freeze_panes = "A2"
        for at, heading in enumerate(table.header):
            widths = [len(heading), *(len(str(row[at])) for row in table.rows)]
            sheet.column_dimensions[get_column_letter(at + 1)].width = min(max(widths), _WIDEST) + 2

        def filled(cell: Cell, *, head: bool = False, sheet: object = sheet) -> object:
            if not isinstance(cell, str):
                return WriteOnlyCell(sheet, value=cell)
            made = WriteOnlyCell(sheet, value=None)
            if text := _CONTROL.sub("", cell)[:_LONGEST]:
                made._value, made.data_type = text, "s"  # `value` would take a text that begins with = for a formula
            made.quotePrefix = is_formula(text)
            if head:
                made.font = bold
            return made

        sheet.append([filled(heading, head=True) for heading in table.header])
        for row in table.rows:
            sheet.append([filled(cell) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()

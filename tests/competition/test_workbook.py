"""Entry lists as XLSX: what a spreadsheet saves is read, and no bytes do more than a message."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition import CompetitionError
from korgool.competition.entry_lists.xlsx_workbook import MOST_ROWS, workbook_rows
from tests.competition.program import call, korgool, lines, refused

openpyxl = pytest.importorskip("openpyxl")
HEADER: list[Any] = ["Фамилия", "Имя", "Пол", "Дата рождения", "Рейтинг", "Паспорт", "Клуб"]
ROWS: list[list[Any]] = [
    ["Өмүрбеков", "Үсөн", "м", datetime(2001, 5, 31), 2100, "AN 1234567", None],
    ["Сейітова", "Әсем", "ж", 1999, 1720.0, 7654321, "Нарын"],
    [None, None, None, None, None, None, None],
    ["Çelik", "Deniz", "e", "31.05.2004", None, None, "  "],
]


def workbook(rows: list[list[Any]], **sheets: list[list[Any]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name, more in sheets.items():
        sheet = book.create_sheet(name)
        for row in more:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    path = tmp_path / "cup.korgool"
    korgool("new", path, "--name", "Cup", "--personal", "born,passport")
    return path


def test_a_workbook_is_an_entry_list(cup: Path, tmp_path: Path) -> None:
    source = tmp_path / "list.xlsx"
    source.write_bytes(workbook([HEADER, *ROWS]))
    (report,) = lines("import", cup, source, "--dry-run")
    assert (report["encoding"], report["sheet"], report["delimiter"]) == ("xlsx", "Sheet", "")
    assert "read as xlsx, sheet Sheet: Фамилия = family" in korgool("import", cup, source)
    players = lines("players", cup)
    assert [(one["name"], one["sex"], one["born"], one["rating"], one["club"]) for one in players] == [
        ("Өмүрбеков, Үсөн", "m", 2001, 2100, None),
        ("Сейітова, Әсем", "f", 1999, 1720, "Нарын"),
        ("Çelik, Deniz", "m", 2004, None, None),
    ]
    first, second, _ = (one["personal"] for one in lines("personal", cup, "--all"))
    assert (first["born"], first["passport_series"], first["passport_number"]) == ("2001-05-31", "AN", "1234567")
    assert second["passport_number"] == "7654321"


def test_a_fault_is_told_with_its_row(cup: Path, tmp_path: Path) -> None:
    source = tmp_path / "list.xlsx"
    rows = [HEADER, *ROWS, ["?м?р", "A"], ["B", "C", "x"], ["D", "E", "", "", "", "", "", "too much"]]
    source.write_bytes(workbook(rows))
    done = call("import", cup, source)
    assert done.exit_code == 1
    assert "line 6, column 'Фамилия': '?м?р' holds a question mark" in done.stderr
    assert "line 7, column 'Пол': 'x' is no sex" in done.stderr
    assert "line 8: 8 cells, the heading has 7" in done.stderr
    assert lines("players", cup) == []


def test_a_formula_without_a_value_and_one_that_failed_are_told(cup: Path, tmp_path: Path) -> None:
    source = tmp_path / "formulas.xlsx"
    source.write_bytes(workbook([["family", "rating", "club"], ["Ким", "=2000+1", "x"], ["Ли", 1900, "#N/A"]]))
    done = call("import", cup, source)
    assert done.exit_code == 1
    assert "line 2, column 'rating': the cell holds a formula without a value" in done.output
    assert "line 3, column 'club': '#N/A' is what a spreadsheet writes where a formula failed" in done.output
    assert "=" not in korgool("players", cup)
    source = tmp_path / "formulas.csv"
    source.write_text("family;given\n#ССЫЛКА!;A\n#AD?;B\n#1;C\n", encoding="utf-8")
    assert call("import", cup, source).output.count("where a formula failed") == 2


def test_another_sheet_is_named(cup: Path, tmp_path: Path) -> None:
    source = tmp_path / "list.xlsx"
    source.write_bytes(workbook([["notes"]], Список=[["name"], ["Ким, Ян"]]))
    (report,) = lines("import", cup, source, "--sheet", "Список")
    assert (report["entered"], report["sheet"]) == (1, "Список")
    assert "there is no sheet 'X'; there are Sheet, Список" in refused("import", cup, source, "--sheet", "X")
    assert "no column holds the family name" in refused("import", cup, source, "--sheet", "Sheet")


def test_cells_are_texts() -> None:
    made: list[list[Any]] = [["a", None, "c"], [1.0, 2.5, True], [date(2001, 5, 3), datetime(2001, 5, 3, 4)]]
    rows, _ = workbook_rows(workbook(made))
    assert list(rows) == [
        (1, ["a", "", "c"]),
        (2, ["1", "2.5", "True"]),
        (3, ["2001-05-03", "2001-05-03 04:00:00", ""]),
    ]


def test_a_cell_far_away_costs_nothing() -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "family"
    book.active["A2"] = "Ким"
    book.active["XFD3"] = "far"
    out = io.BytesIO()
    book.save(out)
    assert [cells for _, cells in workbook_rows(out.getvalue())[0]] == [["family"], ["Ким"]]
    book.active["A1048576"] = "far"
    out = io.BytesIO()
    book.save(out)
    assert len(list(workbook_rows(out.getvalue())[0])) == 2
    book.active.cell(MOST_ROWS + 1, 1, "one too many")
    out = io.BytesIO()
    book.save(out)
    with pytest.raises(CompetitionError, match="more than 20,000 rows"):
        workbook_rows(out.getvalue())


def packed(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in members.items():
            pack.writestr(name, content)
    return out.getvalue()


BOMB = b"120 MB of zeros, which are packed when the test runs"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xd0\xcf\x11\xe0" + bytes(600), "of the old kind"),
        (b"PK\x03\x04" + bytes(600), "cannot be unpacked"),
        (packed(mimetype=b"application/vnd.oasis.opendocument.spreadsheet"), "is it an XLSX file"),
        (BOMB, "unpacks to more than"),
    ],
)
def test_what_is_no_workbook_is_refused(cup: Path, tmp_path: Path, content: bytes, message: str) -> None:
    source = tmp_path / "list.xlsx"
    source.write_bytes(packed(bomb=bytes(120_000_000)) if content == BOMB else content)
    assert message in refused("import", cup, source)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_damaged_bytes_end_in_a_message(seed: int) -> None:
    chance = random.Random(seed)
    content = bytearray(WHOLE)
    for _ in range(chance.randint(1, 6)):
        content[chance.randrange(4, len(content))] = chance.randrange(256)
    read_or_told(bytes(content[: chance.choice((len(content), chance.randrange(len(content))))]))


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_damaged_tables_inside_end_in_a_message(seed: int) -> None:
    chance = random.Random(seed)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as one, zipfile.ZipFile(out, "w") as other:
        for name in one.namelist():
            content = bytearray(one.read(name))
            if chance.random() < 0.4:
                for _ in range(chance.randint(1, 3)):
                    content[chance.randrange(len(content))] = chance.choice(b'<>/"=0123456789ABCZ& \x00\xff')
            if chance.random() < 0.95:
                other.writestr(name, bytes(content))
    read_or_told(out.getvalue())


WHOLE = workbook([HEADER, *ROWS])


def read_or_told(content: bytes) -> None:
    try:
        rows, _ = workbook_rows(content)
    except CompetitionError as error:
        assert "workbook" in str(error)
    else:
        assert all(isinstance(cell, str) for _, cells in rows for cell in cells)


@pytest.mark.parametrize("member", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml"])
def test_a_workbook_reads_no_file_of_the_machine(tmp_path: Path, member: str) -> None:
    """An external entity in its XML is not followed: the workbook is refused, or the place stays empty."""
    (tmp_path / "secret.txt").write_text("of the machine", encoding="utf-8")
    doctype = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{(tmp_path / "secret.txt").as_uri()}">]>'.encode()
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as one, zipfile.ZipFile(out, "w") as other:
        for name in one.namelist():
            content = one.read(name)
            if name == member:
                declaration = content.index(b"?>") + 2 if content.startswith(b"<?xml") else 0
                content = content[:declaration] + doctype + content[declaration:].replace(b"</", b"&e;</")
            other.writestr(name, content)
    try:
        rows, title = workbook_rows(out.getvalue())
    except CompetitionError as error:
        assert "the workbook cannot be read" in str(error)
    else:
        assert "of the machine" not in f"{title} {list(rows)}"

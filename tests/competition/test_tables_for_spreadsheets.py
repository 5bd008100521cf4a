"""Tables for spreadsheets: workbooks, and CSV as the countries of the field need it; our reader takes them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition import CompetitionError, EventState, Settings, apply
from korgool.competition import actions as do
from korgool.competition.csv_export import TABLES, EventTable, csv_text, start_list
from korgool.competition.entry_lists.reading import read_entries
from korgool.competition.model import Entry
from korgool.competition.text_cleaning import clean
from korgool.competition.xlsx_export import workbook
from tests.competition.conftest import play_event
from tests.competition.program import begin, call, korgool, lines, usage

openpyxl = pytest.importorskip("openpyxl")
OTHER = apply(EventState(), do.Open(Settings(name="Other")))


def opened(data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}


def test_a_workbook_has_every_table_with_numbers_as_numbers() -> None:
    state = play_event(9, 4, 11, teams=3, penalties=2)
    found = opened(workbook(make(state, None) for make in TABLES.values()))
    assert list(found) == ["players", "pairings", "standings", "crosstable", "teams"]
    for name, make in TABLES.items():
        table = make(state, None)
        assert found[name][0] == table.header
        assert [tuple("" if cell is None else cell for cell in row) for row in found[name][1:]] == list(table.rows)
    rank, number, _, points, *values = found["standings"][1]
    assert {type(cell) for cell in (rank, number)} == {int}
    assert all(isinstance(cell, int | float) for cell in (points, *values))


FORMULAS = ("=1+1", "= 1+1", "+1", "-1+1", "@SUM(A1)", '=HYPERLINK("http://example.org";"x")', "#N/A", "'=1")


def test_no_text_of_a_workbook_is_a_formula() -> None:
    data = workbook([EventTable("t", ("name",), tuple((text,) for text in FORMULAS))])
    sheet = openpyxl.load_workbook(io.BytesIO(data)).worksheets[0]
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == list(FORMULAS)
    assert {cell.data_type for cell in cells} == {"s"}
    assert [cell.quotePrefix for cell in cells[:6]] == [True] * 6, "also when somebody edits the cell"
    odd = opened(workbook([EventTable("t", ("name",), (("a\x00b\x1fc",), ("A" * 40_000,), ("",)))]))["t"]
    assert (odd[1], len(odd[2][0])) == (("abc",), 32_767)


def test_csv_with_semicolons_has_decimal_commas() -> None:
    table = EventTable("t", ("name", "points", "rank"), (("A; B", 4.5, 1), ("C, D", 4.0, 2), ("=1", -0.5, 3)))
    assert csv_text(table) == 'name,points,rank\r\nA; B,4.5,1\r\n"C, D",4,2\r\n\'=1,-0.5,3\r\n'
    assert csv_text(table, delimiter=";", bom=True) == (
        '\ufeffname;points;rank\r\n"A; B";4,5;1\r\nC, D;4;2\r\n\'=1;-0,5;3\r\n'
    )
    for delimiter in ("", ";;", '"', "'", "\n", "a", "1", ".", "-"):
        with pytest.raises(CompetitionError, match="cannot part the cells"):
            csv_text(table, delimiter=delimiter)


NAMES = st.text(st.characters(codec="utf-8", categories=["L"]), min_size=1, max_size=12).map(clean)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NAMES, NAMES, st.sampled_from(("", *FORMULAS[:5], "Ош")), st.integers(0, 2500)), max_size=6))
def test_our_reader_takes_what_is_written(people: list[tuple[str, str, str, int]]) -> None:
    state = OTHER
    for at, (family, given_name, club, rating) in enumerate(people):
        entry = Entry(family=f"{family}{at}x", given=given_name, club=club, rating=rating, born=1990 + at, sex="f")
        state = apply(state, do.Enter(entry))
    if not people:
        return
    table = start_list(state)
    wanted = [one.entry for one in state.players.values()]
    for data in (
        csv_text(table).encode(), csv_text(table, delimiter=";", bom=True).encode(),
        csv_text(table, delimiter="\t").encode(), workbook(make(state, None) for make in TABLES.values()),
    ):  # fmt: skip
        found = read_entries(data, OTHER, accept_lost=True)
        assert [replace(entry, family=entry.family) for _, entry, _ in found.entries] == wanted


def test_the_command(tmp_path: Path) -> None:
    event, out = tmp_path / "cup.korgool", tmp_path / "tables.xlsx"
    begin(event, 6, 3)
    korgool("pair", event)
    korgool("result", event, 1, 1, "1 (82) - 0 (60)")
    korgool("export", event, "--xlsx", out)
    assert list(opened(out.read_bytes())) == list(TABLES)
    korgool("export", event, "--xlsx", out, "--table", "standings")
    assert list(opened(out.read_bytes())) == ["standings"]
    again = tmp_path / "again.korgool"
    korgool("new", again, "--name", "Again")
    korgool("export", event, "--xlsx", out)
    (report,) = lines("import", again, out)
    assert (report["entered"], report["sheet"], report["faults"]) == (6, "players", [])
    text = tmp_path / "standings.csv"
    korgool("export", event, "--csv", text, "--table", "standings", "--delimiter", ";", "--bom")
    data = text.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfrank;number;name;points")
    held = list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=";"))
    assert [row[3] for row in held[1:]] == ["1", *["0"] * 5]
    korgool("export", event, "--csv", tmp_path / "all", "--delimiter", "tab")
    assert sorted(one.name for one in (tmp_path / "all").iterdir()) == sorted(f"{name}.csv" for name in TABLES)
    assert (tmp_path / "all" / "players.csv").read_text().startswith("number\tfamily")
    assert "can part the cells" in call("export", event, "--csv", tmp_path / "b", "--delimiter", "::").stderr
    assert "--delimiter and --bom need --csv" in usage("export", event, "--xlsx", out, "--bom")
    assert "--table needs --csv or --xlsx" in usage("export", event, "--records", text, "--table", "players")

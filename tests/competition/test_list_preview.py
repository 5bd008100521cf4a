"""The preview of an entry list: every doubt is shown, and what is confirmed is what was shown."""

from __future__ import annotations

import base64
import io
import json
import zlib

import openpyxl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from korgool.app.words.desk_texts import remark_text
from korgool.competition import CompetitionError, Entry, EventState, Settings, apply
from korgool.competition import actions as do
from korgool.competition.entry_lists.column_headings import FIELDS
from korgool.competition.entry_lists.list_table import MOST_LINES, ListTable, pack, read_table, unpack
from korgool.competition.entry_lists.preview import Choices, Grade, ListPreview, chosen_entries, preview

OPEN = apply(EventState(), do.Open(Settings(name="Cup", personal=("born",))))
HELD = apply(OPEN, do.Enter(Entry(family="Ким", given="Виктор", born=2001, external="77")))


def shown(text: str, state: EventState = HELD, **choices: object) -> ListPreview:
    return preview(read_table(text.encode()), state, Choices(**choices))  # type: ignore[arg-type]


def rows(found: ListPreview) -> list[tuple[int, str, list[str]]]:
    return [(row.line, row.grade.value, [remark.kind for remark in row.remarks]) for row in found.rows]


def names(found: ListPreview, *lines: int, state: EventState = HELD) -> list[tuple[str, bool]]:
    return [(action.entry.name, action.namesake) for action, _ in chosen_entries(found, state, set(lines))]


def workbook(*cells: tuple[str, object], merged: str = "") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for place, value in cells:
        sheet[place] = value
    if merged:
        sheet.merge_cells(merged)
    book.create_sheet("Others")
    into = io.BytesIO()
    book.save(into)
    return into.getvalue()


def test_each_doubt_is_told_at_its_row() -> None:
    text = (
        "Фамилия;Имя;Год рождения;Пол;ID\n"
        "Асанов;Бек;2001;м;\n"
        "?м?рбеков;Үсөн;2000;м;\n"
        "Ким;Виктор;;м;\n"
        "Ким;Виктор;2002;м;\n"
        "Асанов;Бек;2001;м;\n"
        "Ли;Ян;1999;щ;\n"
        "Пак;Олег;31.02.2001;м;\n"
        "Цой;Ян;2000;м;77\n"
        ";Ян;0020;м;\n"
    )
    assert rows(shown("family,guardian,consent day\nA,,2020-01-01\nB,Mother,tomorrow\nC,Mother,\n", OPEN)) == [
        (2, "refused", ["guardian"]),
        (3, "refused", ["date"]),
        (4, "good", ["lacking"]),
    ]
    found = shown(text)
    assert rows(found) == [
        (2, "good", []),
        (3, "doubt", ["lost"]),
        (4, "doubt", ["entered", "lacking"]),
        (5, "doubt", ["listed"]),
        (6, "doubt", ["listed"]),
        (7, "refused", ["sex"]),
        (8, "refused", ["day"]),
        (9, "refused", ["number"]),
        (10, "refused", ["family"]),
    ]
    assert names(found, *range(20)) == [
        ("Асанов, Бек", False), ("?м?рбеков, Үсөн", False), ("Ким, Виктор", True), ("Ким, Виктор", True),
        ("Асанов, Бек", True),
    ]  # fmt: skip
    assert rows(shown("family,given,born\nКим,Виктор,1990\n")) == [(2, "good", ["namesake"])]
    assert names(found, 6) == [("Асанов, Бек", False)]
    state = HELD
    for action, _ in chosen_entries(found, HELD, range(20)):
        state = apply(state, action)
    assert len(state.players) == 6


def test_columns_are_guessed_and_can_be_changed() -> None:
    text = "1\tАсанов Бек\tм\t2001\t1800\tKGZ\tНарын\n2\tИсаева Айгуль\tж\t1999\t1750\tKGZ\tОш\n"
    found = shown(text)
    assert not found.headed
    assert [(one.meaning, one.how) for one in found.columns] == [
        ("", "unknown"), ("name", "guessed"), ("sex", "guessed"), ("born", "guessed"), ("rating", "guessed"),
        ("federation", "guessed"), ("", "unknown"),
    ]  # fmt: skip
    again = shown(text, meanings=("board", "name", "sex", "born", "rating", "federation", "club"))
    first = again.rows[0].entry
    assert first == Entry(
        family="Асанов", given="Бек", sex="m", born=2001, rating=1800, federation="KGZ", club="Нарын", board=1
    )
    assert [one.how for one in again.columns] == ["chosen", *["guessed"] * 5, "chosen"]
    twice = shown(text, meanings=("name", "name", "nonsense"))
    assert [one.meaning for one in twice.columns] == ["name", "", "", "", "", "", ""]
    nothing = shown(text, meanings=())
    assert nothing.count(Grade.REFUSED) == 2
    assert chosen_entries(nothing, HELD, {1, 2}) == []
    assert shown("Асанов Бек\nИсаева Айгуль", headed=True).count(Grade.GOOD) == 1


def test_a_numbered_paste_and_a_paste_of_columns() -> None:
    assert names(shown("1. Асанов Бек\n2) Ли Ян\n"), 1, 2) == [("Асанов, Бек", False), ("Ли, Ян", False)]
    found = shown("Soyad\tAd\tDoğum yılı\nÇelik\tDeniz\t2004\nYılmaz\tAli\n")
    assert rows(found) == [(2, "good", []), (3, "good", ["lacking"])]


def test_one_list_gives_several_groups() -> None:
    text = "family,sex,born,team\nA,f,2012,X\nB,m,2012,X\nC,f,1990,Y\nD,,2012,Y\nE,f,,Y\n"
    found = shown(text, sex="f", born_from=2008, group="girls")
    assert [row.grade.value for row in found.rows] == ["good", "other", "other", "other", "other"]
    assert found.rows[0].entry == Entry(family="A", sex="f", born=2012, team="X", groups=("girls",))
    assert names(found, *range(9)) == [("A", False)]
    assert [row.line for row in shown(text, team="y").rows if row.grade is Grade.GOOD] == [4, 5, 6]


def test_formulas_and_merged_cells_are_told() -> None:
    data = workbook(
        ("A1", "Фамилия"), ("B1", "Имя"), ("C1", "Рейтинг"), ("D1", "Команда"),
        ("A2", "Асанов"), ("B2", "Бек"), ("C2", "=1000+800"), ("D2", "Нарын"),
        ("A3", "Исаева"), ("B3", "Айгуль"), ("C3", 1750),
        merged="D2:D3",
    )  # fmt: skip
    table = read_table(data)
    assert (table.source, table.sheet, table.sheets) == ("xlsx", "Sheet", ("Sheet", "Others"))
    found = preview(table, HELD, Choices())
    assert rows(found) == [(2, "doubt", ["no_value"]), (3, "good", ["merged"])]
    assert found.lacking == ("born",)
    second = found.rows[1].entry
    assert second is not None
    assert (second.team, second.rating) == ("Нарын", 1750)
    assert unpack(pack(table)) == table
    with pytest.raises(CompetitionError, match="empty"):
        read_table(data, "Others")


def test_headings_stand_below_a_title() -> None:
    """What stands above them is nobody's name; without headings below, every line is a player."""
    data = workbook(
        ("A1", "Наурыз 2026"), ("A3", "Заявка"), ("B3", "Нарын"),
        ("A4", "№"), ("B4", "Фамилия"), ("C4", "Имя"), ("D4", "Год рождения"),
        ("A5", 1), ("B5", "Асанов"), ("C5", "Бек"), ("D5", 2001),
        merged="A1:D1",
    )  # fmt: skip
    table = read_table(data)
    assert table.unread == (1, 3)
    found = preview(table, OPEN, Choices())
    assert (found.headed, found.unread) == (True, (1, 3))
    assert names(found, 5, state=OPEN) == [("Асанов, Бек", False)]
    assert rows(found) == [(5, "good", [])]
    assert unpack(pack(table)) == table
    assert read_table("Асанов Бек\nИсаева Айгуль\n".encode()).unread == ()


def test_a_list_is_bounded() -> None:
    line = "Асанов;Бек;2001\n"
    assert len(read_table(line.encode() * (MOST_LINES + 1)).rows) == MOST_LINES + 1
    for data, why in (
        (line.encode() * 10_000, "more than 2,000 lines"),
        (("а;" * 41 + "а").encode(), "42 columns"),
        (b"x" * 2_000_001, "at most 2,000,000"),
        ((("a" * 300 + ";") * 40 + "\n").encode() * 100, "letters"),
        (b"PK\x03\x04 nonsense", "unpacked"),
        (b"", "empty"),
    ):
        with pytest.raises(CompetitionError, match=why):
            read_table(data)


def test_a_table_that_comes_back_is_read_with_care() -> None:
    def packed(value: object) -> str:
        return base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode())).decode()

    table = read_table(b"family\nA\n")
    for text in (
        "", "ы", "AAAA", pack(table)[:-8], packed([]), packed({}), packed([[[1, [2]]], [], [], "", "", []]),
        packed([[["x", ["a"]]], [], [], "", "", []]), packed([[[1, ["a"]]], [[1, 0, "evil"]], [], "", "", []]),
        packed([[[at, ["a"]] for at in range(9000)], [], [], "", "", []]), packed([[], [], [], "", "", []]),
        base64.urlsafe_b64encode(zlib.compress(b" " * 20_000_000)).decode(),
    ):  # fmt: skip
        with pytest.raises(CompetitionError):
            unpack(text)


CELLS = st.text(max_size=12) | st.sampled_from(
    ["Асанов", "?м?р", "2001", "31.05.2001", "м", "f", "KGZ", "1800", "77", "Ким, Виктор", "Ким Виктор", "=1+1", ""]
)
TABLES = st.lists(st.lists(CELLS, max_size=6), max_size=8)
MEANINGS = st.none() | st.lists(st.sampled_from(("", "x", *FIELDS)), max_size=8).map(tuple)


@given(st.binary(max_size=400))
@example(b"PK\x05\x06" + bytes(18))
@settings(max_examples=100)
def test_any_bytes_become_a_table_or_a_refusal(data: bytes) -> None:
    try:
        table = read_table(data)
    except CompetitionError:
        return
    _holds(table, Choices())


@given(TABLES, st.sampled_from("\t;,|"), MEANINGS, st.none() | st.booleans(), st.sampled_from(("", "m", "f")))
@settings(max_examples=100)
def test_what_is_confirmed_is_what_was_shown(
    cells: list[list[str]], delimiter: str, meanings: tuple[str, ...] | None, headed: bool | None, sex: str
) -> None:
    try:
        table = read_table("\n".join(delimiter.join(row) for row in cells).encode(errors="replace"))
    except CompetitionError:
        return
    _holds(table, Choices(headed=headed, meanings=meanings, sex=sex, group="x"))  # type: ignore[arg-type]


def _holds(table: ListTable, choices: Choices) -> None:
    """A table travels unchanged, and every row that can be chosen can be entered, in order."""
    again = unpack(pack(table))
    assert again == table
    found = preview(table, HELD, choices)
    assert preview(again, HELD, choices).digest == found.digest
    assert all(remark_text(remark, str) for row in found.rows for remark in row.remarks)
    state = HELD
    for action, _ in chosen_entries(found, HELD, {row.line for row in found.rows}):
        state = apply(state, action)
    able = [row for row in found.rows if row.grade in (Grade.GOOD, Grade.DOUBT)]
    assert len(state.players) == 1 + len(able)

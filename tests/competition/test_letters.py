"""Lost letters are refused or knowingly taken, and what stands unseen between letters makes no other name."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition.entry_lists.reading import read_entries
from korgool.competition.errors import CompetitionError
from korgool.competition.text_cleaning import clean, lost_letters, utf16_name
from korgool.competition.trf import TrfError, decode_trf, read_trf
from tests.competition.conftest import play_event
from tests.competition.program import call, korgool, lines, refused, usage

NAMES = (
    "Өмүрбеков Үсөн",
    "Сейітова Әсем",
    "Қайырғали Ұлан",
    "Шаһин",
    "Çelik Gökhan",
    "Yılmaz İğdır",
    "Пётр Ильин",
    "Smith",
)
ALPHABET = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяңөүәғқұһі"
CYRILLIC = st.text(ALPHABET + ALPHABET.upper(), min_size=1, max_size=12)
STATE = play_event(4, 1)
UNSEEN = "\u200d\u200c\u00ad\u200b\u2060\ufeff\u200e\u034f"


@pytest.mark.parametrize("name", NAMES)
def test_an_ordinary_name_is_whole(name: str) -> None:
    assert lost_letters(name) == ""
    assert lost_letters(name, name=False) == ""
    assert clean(name) == name


@settings(deadline=None)
@given(CYRILLIC, st.sampled_from(["cp1251", "cp866", "latin-1", "ascii"]))
def test_what_an_old_encoding_loses_is_found(name: str, encoding: str) -> None:
    kept = name.encode(encoding, "replace").decode(encoding)
    assert bool(lost_letters(kept)) is (kept != name)


@settings(deadline=None)
@given(CYRILLIC | st.text("çğıöşüÇĞÖŞÜ", min_size=1, max_size=8), st.sampled_from(["cp1251", "cp1252"]))
def test_utf_8_read_as_a_windows_encoding_is_found(name: str, encoding: str) -> None:
    misread = "".join(
        bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in name.encode()
    )  # as programs read the few bytes that the encoding does not have
    assert f"{misread!r} may be" in lost_letters(f"{misread}, A")


@settings(deadline=None)
@given(st.lists(CYRILLIC, min_size=1, max_size=3))
def test_a_cyrillic_name_of_words_is_seldom_taken_for_misread(words: list[str]) -> None:
    """Two letters such as `Рё` could be one letter of UTF-8; no longer word is."""
    longer = " ".join(word for word in words if len(word) > 2 and word[1:].islower())
    assert lost_letters(longer) == ""


@settings(deadline=None)
@given(st.text())
def test_any_text_is_judged_and_cleaned(text: str) -> None:
    assert isinstance(lost_letters(text), str)
    once = clean(text)
    assert clean(once) == once
    assert once == once.strip()


@settings(deadline=None)
@given(st.sampled_from(NAMES), st.lists(st.tuples(st.integers(0, 20), st.sampled_from(UNSEEN)), max_size=6))
def test_what_is_unseen_makes_no_other_name(name: str, more: list[tuple[int, str]]) -> None:
    text = unicodedata.normalize("NFD", name).replace(" ", "\u00a0")
    for place, letter in more:
        text = text[:place] + letter + text[place:]
    assert clean(text) == name


TABLE = "Тегі;Аты;Клуб\nҚайырғали;Ұлан;Жетісу?\nСейітова;Әсем;Өрлеу\nКим;Ян;\n"


def test_a_list_with_lost_letters_names_line_column_and_value(tmp_path: Path) -> None:
    event, table = tmp_path / "cup.korgool", tmp_path / "list.csv"
    korgool("new", event, "--name", "Cup")
    table.write_bytes(TABLE.encode("cp1251", "replace"))
    done = call("import", event, table)
    assert done.exit_code == 1
    assert "line 2, column 'Тегі': '?айыр?али' holds a question mark" in done.stderr
    assert "line 3, column 'Аты': '?сем'" in done.stderr
    assert "line 3, column 'Клуб': '?рлеу'" in done.stderr
    assert "--accept-lost-letters" in done.stderr
    assert lines("players", event) == []
    (report,) = lines("import", event, table, "--skip-bad")
    assert (report["entered"], report["bad"], len(report["doubts"])) == (1, 2, 4)
    other = tmp_path / "other.korgool"
    korgool("new", other, "--name", "Cup")
    done = call("import", other, table, "--accept-lost-letters", "--json")
    report = json.loads(done.stdout)
    assert (report["entered"], report["faults"], len(report["doubts"])) == (3, [], 4)
    assert "warning" in done.stderr
    assert lines("players", other)[0]["name"] == "?айыр?али, ?лан"


def test_a_heading_with_lost_letters_is_told(tmp_path: Path) -> None:
    """Else the column would be passed over in silence."""
    event, table = tmp_path / "cup.korgool", tmp_path / "list.csv"
    korgool("new", event, "--name", "Cup")
    table.write_bytes("Фамилия;Өлкө\nКим;KAZ\n".encode("cp1251", "replace"))
    assert "line 1, column '?лк?': '?лк?' holds a question mark" in call("import", event, table).stderr
    (report,) = lines("import", event, table, "--map", "?лк?=federation")
    assert report["columns"]["?лк?"] == "federation"


@pytest.mark.parametrize("wrong", ["cp1251", "cp1252"])
def test_utf_8_that_is_read_as_another_encoding_is_refused(tmp_path: Path, wrong: str) -> None:
    event, table = tmp_path / "cup.korgool", tmp_path / "list.csv"
    korgool("new", event, "--name", "Cup")
    table.write_text("family;given\nЖумаев;Нурлан\nYılmaz;Çelik\n", encoding="utf-8")
    done = call("import", event, table, "--encoding", wrong)
    assert done.exit_code == 1
    assert lines("players", event) == []
    (report,) = lines("import", event, table)
    assert report["entered"] == 2


def test_enter_and_amend_mind_the_letters_too(tmp_path: Path) -> None:
    event = tmp_path / "cup.korgool"
    korgool("new", event, "--name", "Cup", "--personal", "coaches")
    text = usage("enter", event, "--name", "?м?рбеков, Азамат")
    assert "--name: '?м?рбеков, Азамат' holds a question mark" in text
    misread = "Кум".encode().decode("cp1252")
    assert "read as cp1252: 'ÐšÑƒÐ¼' may be 'Кум'" in usage("enter", event, "--name", "A", "--club", misread)
    assert "--coach: " in usage("enter", event, "--name", "A", "--coach", "Б?д?бай")
    korgool("enter", event, "--name", "?м?рбеков, Азамат", "--accept-lost-letters")
    assert "--name" in usage("amend", event, 1, "--name", "Өм\ufffdрбеков, Азамат")
    korgool("amend", event, 1, "--name", "Өмүрбеков, Азамат")
    assert lines("players", event)[0]["name"] == "Өмүрбеков, Азамат"


def test_joiners_and_composed_letters_are_one_name(tmp_path: Path) -> None:
    event, table = tmp_path / "cup.korgool", tmp_path / "list.csv"
    korgool("new", event, "--name", "Cup")
    table.write_text(
        "family;given\nЖу\u00adма\u200dев;Ни\u0306яз\nКим\u00a0;\u200bВи\u0301ктор\n\u200eЖумаев;Нияз\u200c\n".replace(
            "Ни\u0306яз", unicodedata.normalize("NFD", "Нийаз")
        ).replace("Нияз", "Нийаз"),
        encoding="utf-8",
    )
    done = call("import", event, table)
    assert "line 4: Жумаев, Нийаз is entered twice: in line 2 too" in done.stderr
    korgool("import", event, table, "--skip-bad")
    assert [one["name"] for one in lines("players", event)] == ["Жумаев, Нийаз", "Ким, Ви\u0301ктор"]
    assert "entered already" in refused("enter", event, "--name", "Жума\u200dев, Нийаз")
    korgool("enter", event, "--name", "Исаев,\u00a0Ке\u00adмал", "--club", "Ала-\u200dТоо")
    assert (lines("players", event)[-1]["name"], lines("players", event)[-1]["club"]) == ("Исаев, Кемал", "Ала-Тоо")
    korgool("warn", event, unicodedata.normalize("NFD", "Жумаев, Нийаз"), "--reason", "late")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_report_in_utf_16_is_read(shared: Path, tmp_path: Path, encoding: str) -> None:
    text = (shared / "data" / "tec_swiss_2026.trf").read_text(encoding="utf-8").replace("Alyx ", "Өмүр ")
    event, source = tmp_path / "cup.korgool", tmp_path / "report.txt"
    source.write_bytes(text.encode(encoding))
    (report,) = lines("import", event, source)
    assert (report["entered"], report["rounds"]) == (16, 5)
    assert report["encoding"] == {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    assert lines("players", event)[0]["name"] == "Өмүр"


def test_a_report_with_lost_letters_is_refused_or_knowingly_taken(shared: Path, tmp_path: Path) -> None:
    text = (shared / "data" / "tec_swiss_2026.trf").read_text(encoding="utf-8").replace("Alyx ", "?м?р ")
    event, source = tmp_path / "cup.korgool", tmp_path / "report.trf"
    source.write_text(text, encoding="utf-8")
    done = call("import", event, source)
    assert (done.exit_code, event.exists()) == (1, False)
    assert "line 7, column 15: '?м?р' holds a question mark" in done.stderr
    (report,) = lines("import", event, source, "--accept-lost-letters")
    assert (report["entered"], len(report["doubts"])) == (16, 1)


@settings(deadline=None)
@given(st.binary(max_size=400), st.sampled_from([b"", b"\xff\xfe", b"\xfe\xff", b"0\x000\x001\x00 \x00"]))
def test_any_bytes_are_a_report_or_a_message(content: bytes, mark: bytes) -> None:
    text, encoding = decode_trf(mark + content)
    assert isinstance(text, str)
    if mark[:2] in (b"\xff\xfe", b"\xfe\xff"):
        assert encoding == "utf-16"
    try:
        read_trf(mark + content)
    except (TrfError, CompetitionError) as error:
        assert str(error)


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"family;given\n", "Фамилия;Имя\n".encode("utf-16")]))
def test_any_bytes_are_a_list_or_a_message(content: bytes, begin: bytes) -> None:
    try:
        found = read_entries(begin + content, STATE)
    except CompetitionError as error:
        assert str(error)
        return
    for _, entry, _ in found.entries:
        assert entry.family == clean(entry.family)
        assert not lost_letters(entry.name)


def test_utf_16_without_a_mark_is_known_by_its_zeros() -> None:
    assert utf16_name(TABLE.encode("utf-16-le")) == "utf-16-le"
    assert utf16_name(TABLE.encode("utf-16-be")) == "utf-16-be"
    assert utf16_name(TABLE.encode()) is utf16_name(b"") is utf16_name(b"a\0\0b") is None

"""The head of the chain on paper and in tables: a log that was cut off or written anew no longer has it."""

from __future__ import annotations

import random
import re
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition import CompetitionError, EventFile
from korgool.competition.storage.hash_chain import Head, link
from tests.competition.program import begin, call, korgool, lines, play_round
from tests.printing.reading import pages

HEAD = re.compile(r"\b\d+(?:-[0-9a-f]{4}){4}\b")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event after one of three rounds."""
    path = tmp_path / "cup.korgool"
    begin(path, 6, 3)
    play_round(path, random.Random(5))
    return path


def write_anew(path: Path, line: int) -> None:
    """Change a result and compute the whole chain again, as somebody could who has the file and this program."""
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE log SET by = 'Nobody' WHERE at = ?", (line,))
        chain = ""
        rows = raw.execute("SELECT time, by, reason, action, at FROM log ORDER BY at").fetchall()
        for time, by, reason, text, at in rows:
            chain = link(chain, time, by, reason, text)
            raw.execute("UPDATE log SET chain = ? WHERE at = ?", (chain, at))
    raw.close()


def printed(path: Path, tmp_path: Path, what: str, *options: str) -> str:
    out = tmp_path / "paper.pdf"
    korgool("print", path, what, "-o", out, *options)
    found = [HEAD.findall(page) for page in pages(out.read_bytes())]
    assert all(heads == found[0] for heads in found)
    assert len(found[0]) == 1
    return str(found[0][0])


@pytest.mark.parametrize("what", ["protocol", "standings", "cross-table", "pairings"])
@pytest.mark.parametrize("options", [("--language", "kk"), ("--paper", "a5")])
def test_every_page_of_a_paper_has_the_head(cup: Path, tmp_path: Path, what: str, options: tuple[str, ...]) -> None:
    with EventFile.open(cup) as file:
        assert printed(cup, tmp_path, what, *options) == str(file.head())
        assert printed(cup, tmp_path, what, "--at", "11", *options) == str(file.head(11))


def test_tables_and_json_have_the_head(cup: Path) -> None:
    with EventFile.open(cup) as file:
        head, earlier = str(file.head()), str(file.head(9))
    assert korgool("standings", cup).splitlines()[-1] == f"log {head}"
    assert korgool("standings", cup, "--at", 9).splitlines()[-1] == f"log {earlier}"
    assert lines("check", cup)[0]["head"] == lines("show", cup)[0]["head"] == head
    published = HEAD.findall(korgool("publish", cup))
    with EventFile.open(cup) as file:
        assert published == [str(file.head())] != [head]


def test_a_printed_head_lies_on_the_chain(cup: Path) -> None:
    head = HEAD.findall(korgool("standings", cup))[0]
    assert f"{head} is the head of the log" in korgool("check", cup, "--head", head)
    korgool("warn", cup, 3, "--reason", "late")
    korgool("withdraw", cup, 5, "--reason", "ill", "--by", "Secretary")
    text = korgool("check", cup, "--head", head.replace("-", " ").upper())
    assert f"{head} lies on the chain; 2 lines came after it" in text
    assert "is warned" in text
    (found,) = lines("check", cup, "--head", head, "--head", HEAD.findall(korgool("standings", cup))[0])
    first, second = found["heads"]
    assert [one["by"] for one in first["since"]][1:] == ["Secretary"]
    assert (first["fault"], second["since"], found["ok"]) == (None, [], True)


def test_lines_that_were_cut_off_are_seen(cup: Path) -> None:
    head = HEAD.findall(korgool("standings", cup))[0]
    with sqlite3.connect(cup) as raw:
        raw.execute("DELETE FROM log WHERE at > 10")
    raw.close()
    assert call("check", cup).exit_code == 0, "the log alone does not tell"
    done = call("check", cup, "--head", head)
    assert done.exit_code == 1
    assert "the log ends at line 10: lines are cut off" in done.stderr


def test_a_log_that_was_written_anew_is_seen(cup: Path) -> None:
    before = lines("check", cup)[0]["head"]
    with EventFile.open(cup) as file:
        early = str(file.head(4))
    write_anew(cup, 5)
    assert call("check", cup).exit_code == 0, "the log alone does not tell"
    done = call("check", cup, "--head", early, "--head", before)
    assert (done.exit_code, "written anew" in done.stderr) == (1, True)
    assert early not in done.stderr
    assert f"{early} lies on the chain" in done.stdout


def test_a_whole_event_as_json_keeps_its_heads(cup: Path, tmp_path: Path) -> None:
    data, again = tmp_path / "cup.json", tmp_path / "again.korgool"
    korgool("export", cup, "--data", data)
    korgool("import", again, data)
    with EventFile.open(cup) as one, EventFile.open(again) as other:
        assert [one.head(at) for at in range(1, 10)] == [other.head(at) for at in range(1, 10)]


@settings(deadline=None)
@given(st.integers(1, 10**9 - 1), st.text("0123456789abcdef", min_size=64, max_size=64))
def test_a_head_is_read_as_it_is_written(at: int, chain: str) -> None:
    head = Head.of(at, chain)
    for text in (str(head), f" {str(head).upper()} ", str(head).replace("-", " "), f"{at}:{chain}", f"{at}-{chain}"):
        assert Head.read(text) == head


@settings(deadline=None)
@given(st.text(max_size=100) | st.text("0123456789abcdef- ", max_size=80))
def test_what_is_no_head_is_said(text: str) -> None:
    try:
        assert len(Head.read(text).mark) == 16
    except CompetitionError as error:
        assert "is no head of a log" in str(error)


def test_a_wrong_head_is_refused(cup: Path) -> None:
    done = call("check", cup, "--head", "3f9a")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'3f9a' is no head of a log" in done.stderr
    assert "there is no line 0" in call("check", cup, "--head", "0-" + "0000-" * 4).stderr

"""`korgool study`: what is in a study, and its booklet."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.printing.reading import pages
from tests.printing.test_study_booklet import FILE

Invoke = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "study.pgn"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def test_the_chapters_are_listed(invoke: Invoke, file: str) -> None:
    done = invoke("study", "check", file)
    assert (done.exit_code, done.stdout.splitlines()[1]) == (0, " 2  toguz  Aibek – Elena")
    told = json.loads(invoke("study", "check", file, "--json").stdout)
    assert (told["title"], told["author"]) == ("Биринчи жүрүш", "Үсөнбаев #1")
    assert [one["concealed"] for one in told["chapters"]] == [False, True, False]


def test_a_study_is_printed(invoke: Invoke, file: str, tmp_path: Path) -> None:
    path = tmp_path / "out.pdf"
    done = invoke("study", "print", file, "-o", str(path), "--paper", "a5", "--language", "ky", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["chapters"] == 3
    assert "Бөлүмдөр" in pages(path.read_bytes())[0]
    assert invoke("study", "print", file, "-o", file).exit_code == 2
    assert Path(file).read_text(encoding="utf-8") == FILE


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"a letter", "chapter 1, line 1"),
        (b"\xff\xfe", "UTF-8"),
        (b"x" * 10_000_000, "at most 1,000,000 bytes"),
        (b"1. 76(10) *\n" * 65, "at most 64 chapters"),
    ],
    ids=["letter", "bytes", "large", "many"],
)
def test_what_is_no_study_is_wrong_input(invoke: Invoke, tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "bad.pgn"
    path.write_bytes(data)
    for words in (["check", str(path)], ["print", str(path), "-o", str(tmp_path / "out.pdf")]):
        done = invoke("study", *words)
        assert (done.exit_code, told in done.stderr) == (1, True), done.output
    assert not (tmp_path / "out.pdf").exists()
    assert invoke("study", "check", str(tmp_path / "none")).exit_code == 1
    assert invoke("study", "check", str(tmp_path)).exit_code == 1

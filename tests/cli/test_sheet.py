"""`korgool sheet`: the record form, blank and filled."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from korgool.languages import LANGUAGES
from tests.package import SOURCE
from tests.patience import PATIENCE
from tests.printing.reading import pages

Invoke = Callable[..., Result]

GAME = """[Event "Nomad Games"]
[Round "3"]
[White "Үсөнбаев, Нурлан"]
[Black "Ünal #1"]
[Result "1-0"]
[Termination "resignation"]

1. 76(10) 55(10)= 2. 33 77X 1-0
"""


def test_a_blank_form(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "blank.pdf"
    done = invoke("sheet", "-o", str(path), "--tag", "Event=Кубок", "--tag", "Round=3", "--tag", "Board=")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    (text,) = pages(path.read_bytes())
    assert "Кубок" in text
    assert "Toguz korgool" in text


@pytest.mark.parametrize(
    ("words", "count"),
    [([], 1), (["--paper", "a5"], 2), (["--game", "mangala"], 1), (["--game", "castle", "--paper", "a5"], 1)],
)
def test_blank_forms_of_the_games(words: list[str], count: int, invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "blank.pdf"
    assert invoke("sheet", "-o", str(path), *words).exit_code == 0
    assert len(pages(path.read_bytes())) == count


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_filled_form(language: str, invoke: Invoke, tmp_path: Path) -> None:
    record, path = tmp_path / "game.pgn", tmp_path / "game.pdf"
    record.write_text(GAME, encoding="utf-8")
    done = invoke(
        "sheet", str(record), "-o", str(path), "--language", language, "--tag", "Arbiter=Öz", "--tag", "Round=9"
    )
    assert (done.exit_code, done.stderr) == (0, "")
    (text,) = pages(path.read_bytes())
    for expected in ("Nomad Games", "Үсөнбаев, Нурлан", "Ünal #1", "77X", "55=", "1 (10) - 0 (13)", "Öz"):
        assert expected in text
    assert " 9 " not in text.split("№")[0]  # the record's own round comes first


def test_games_from_standard_input_to_standard_output(program: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "korgool", "sheet", "-", "-o", "-"],
        input=(GAME + "\n" + GAME).encode(),
        capture_output=True,
        env={"PYTHONPATH": SOURCE, "PATH": ""},
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.startswith(b"%PDF")
    assert len(pages(done.stdout)) == 2


def test_the_qr_address(invoke: Invoke, tmp_path: Path) -> None:
    record, plain, linked = tmp_path / "game.pgn", tmp_path / "a.pdf", tmp_path / "b.pdf"
    record.write_text(GAME, encoding="utf-8")
    assert invoke("sheet", str(record), "-o", str(plain)).exit_code == 0
    assert invoke("sheet", str(record), "-o", str(linked), "--base-url", "https://example.org/g").exit_code == 0
    assert plain.read_bytes() != linked.read_bytes()


def test_an_address_that_is_none(invoke: Invoke, tmp_path: Path) -> None:
    record = tmp_path / "game.pgn"
    record.write_text(GAME, encoding="utf-8")
    done = invoke("sheet", str(record), "-o", str(tmp_path / "x.pdf"), "--base-url", "example")
    assert done.exit_code == 2
    assert "'example' is no address such as https://" in done.stderr


# --- bad input


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["-o"],
        ["-o", "x.pdf", "--language", "de"],
        ["-o", "x.pdf", "--paper", "letter"],
        ["-o", "x.pdf", "--tag", "Round"],
        ["-o", "x.pdf", "--tag", "Weather=fine"],
        ["-o", "x.pdf", "--rule", "nonsense=1"],
        ["-o", "x.pdf", "one.pgn", "two.pgn"],
    ],
)
def test_wrong_usage(words: list[str], invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert invoke("sheet", *words).exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. 76(11) *\n", "game 0, line 1, ply 1: "),
        ("", "there is no game in it"),
        (GAME + '\n[Variant "Mangala"]\n\n1. 36 *\n', "different games"),
        (GAME + "\n\n1. 99 *\n", "game 1, line "),
    ],
)
def test_wrong_records(text: str, reason: str, invoke: Invoke, tmp_path: Path) -> None:
    """The message names file, game, line and ply, and the file that was there before stays."""
    record, path = tmp_path / "game.pgn", tmp_path / "out.pdf"
    record.write_text(text, encoding="utf-8")
    path.write_bytes(b"before")
    done = invoke("sheet", str(record), "-o", str(path))
    assert done.exit_code == 1
    assert "game.pgn" in done.stderr
    assert reason in done.stderr
    assert path.read_bytes() == b"before"


def test_files_that_cannot_be_read_or_written(invoke: Invoke, tmp_path: Path) -> None:
    assert invoke("sheet", str(tmp_path / "none.pgn"), "-o", str(tmp_path / "x.pdf")).exit_code == 1
    assert invoke("sheet", str(tmp_path), "-o", str(tmp_path / "x.pdf")).exit_code == 1
    done = invoke("sheet", "-o", str(tmp_path / "no" / "x.pdf"))
    assert done.exit_code == 1
    assert "cannot be written" in done.stderr


def test_too_many_games_for_one_document(invoke: Invoke, tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    record.write_text("7\n" * 201)
    done = invoke("sheet", str(record), "-o", str(tmp_path / "x.pdf"))
    assert done.exit_code == 1
    assert "more than 200 games; print them in parts" in done.stderr


def test_the_record_is_not_replaced_by_its_form(invoke: Invoke, tmp_path: Path) -> None:
    record = tmp_path / "game.pgn"
    record.write_text(GAME, encoding="utf-8")
    (tmp_path / "link").symlink_to(record)
    for name in ("game.pgn", "link"):
        done = invoke("sheet", str(record), "-o", str(tmp_path / name))
        assert done.exit_code == 2
        assert "that is the record itself" in done.stderr
    assert record.read_text(encoding="utf-8") == GAME

"""Half points as people read them: `7½`, never `7.5`; programs and reports read decimals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from korgool.app.words.event_texts import halves_said
from korgool.competition.result import said_number, said_points
from tests.competition.program import begin, korgool, lines

DECIMAL = re.compile(r"\d[.,]5(?!\d)")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.5 (81) - 0.5 (81)", "½ (81) - ½ (81)"),
        ("1 (75) - 0 (69) [2.5:0.5]", "1 (75) - 0 (69) [2½:½]"),
        ("12w10.5", "12w10½"),
        ("gacrux 1.2.5", "gacrux 1.2.5"),
        ("4.25 and 0.55", "4.25 and 0.55"),
    ],
)
def test_decimals_of_half_points_are_said(text: str, said: str) -> None:
    assert halves_said(text) == said


def test_numbers_are_said() -> None:
    assert [said_points(one) for one in (15, 1, 0, -1, -3, 4)] == ["7½", "½", "0", "−½", "−1½", "2"]
    assert [said_number(one) for one in (7.5, 4.25, 0.0, -0.5, 2003.5)] == ["7½", "4.25", "0", "−½", "2003.5"]


def test_a_terminal_and_a_folder_say_halves_and_programs_read_decimals(tmp_path: Path) -> None:
    cup = tmp_path / "cup.korgool"
    begin(cup, 5, 3)
    for number in (1, 2):
        for line in lines("pair", cup):
            if line["board"]:
                korgool("result", cup, number, line["board"], "0.5 (81) - 0.5 (81)")
    korgool("penalise", cup, 1, "--points", "0.5", "--reason", "form")
    korgool("miss", cup, 2, 3, "--bye", "half")
    korgool("publish", cup)
    for words in (
        ("standings",), ("crosstable",), ("round", 2), ("players",), ("explain", 2), ("log",),
        ("standings", "--why", 1, 2), ("check",), ("teams",),
    ):  # fmt: skip
        command, *rest = words
        assert not DECIMAL.search(korgool(command, cup, *rest)), words
    assert "½" in korgool("standings", cup)
    assert any(line["points"] % 1 for line in lines("standings", cup))
    assert "0.5 (81) - 0.5 (81)" in json.dumps(lines("round", cup, 1))
    korgool("publish", cup, "--to", tmp_path / "site")
    pages = list((tmp_path / "site").rglob("*.html"))
    for page in pages:
        text = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", page.read_text(encoding="utf-8"), flags=re.S)
        assert not DECIMAL.search(text), (page, DECIMAL.search(text))
    assert len(pages) > 50
    korgool("export", cup, "--trf", tmp_path / "cup.trf")
    assert "0.5" in (tmp_path / "cup.trf").read_text(encoding="utf-8")

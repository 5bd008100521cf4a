"""The page on conduct names every action, every field of a start and every ruling, and its log goes as it says."""

from __future__ import annotations

import re
from pathlib import Path

from korgool.conduct import Ruling, RulingKind
from korgool.conduct.log import judge
from korgool.conduct.reading import ACTIONS
from korgool.conduct.summary import summary

PAGE = (Path(__file__).parents[2] / "docs" / "conduct.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> set[str]:
    """The names in the first column of the tables below a heading."""
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return {name for row in re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}


def test_every_ruling_is_on_the_page() -> None:
    assert first_cells("The rulings") == {str(kind) for kind in RulingKind}


def test_every_action_and_field_is_on_the_page() -> None:
    cells = first_cells("The log")
    assert set(ACTIONS) <= cells
    assert set(ACTIONS["start"][0]) <= cells
    for fields, _ in ACTIONS.values():
        for name in fields:
            assert f"`{name}`" in PAGE


def test_the_log_of_the_page() -> None:
    (body,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    judged = list(judge(body.encode().splitlines()))
    kinds = [str(one.answer.kind) for one in judged if isinstance(one.answer, Ruling)]
    assert kinds == ["offer_untimely", "time", "signed"]
    assert summary(judged[-1].state)["result_text"] == "1 (10) - 0 (0)"

"""Names that the table of docs/design.md has replaced do not come back, and the words that replace them exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "src" / "korgool" / "app" / "static" / "js"
DECLARED = re.compile(r"^export (?:async )?(class|function|const) (\w+)", re.M)
"""Names that a script exports. A constant counts as a function: most are arrow functions."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: the new words, the names they replace, and the kind of name."""

    words: tuple[str, ...]
    replaced: tuple[str, ...]
    where: str


def rows() -> Iterator[Row]:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8").split("### Names that were replaced\n")[1]
    for line in text.split("\n## ")[0].splitlines():
        cells = line.strip("| ").split(" | ")
        if line.startswith("| `"):
            words, replaced = (tuple(re.findall(r"`(\w+)`", cell)) for cell in cells[:2])
            yield Row(words, replaced, cells[2])


def script_names() -> dict[str, set[str]]:
    """Names of the scripts by kind, as the column `where` calls it."""
    names: dict[str, set[str]] = {"scripts, module": set(), "scripts, class": set(), "scripts, function": set()}
    for path in SCRIPTS.rglob("*.js"):
        names["scripts, module"].add(path.stem)
        for kind, name in DECLARED.findall(path.read_text(encoding="utf-8")):
            names["scripts, class" if kind == "class" else "scripts, function"].add(name)
    return names


@pytest.mark.parametrize("where", list(script_names()))
def test_replaced_names_do_not_come_back(where: str) -> None:
    names = script_names()[where]
    table = [row for row in rows() if row.where == where]
    assert len(table) > 20
    assert [old for row in table for old in row.replaced if old in names] == []
    assert [word for row in table for word in row.words if word not in names] == []


def test_every_row_says_where_it_holds() -> None:
    assert {row.where for row in rows()} <= set(script_names())

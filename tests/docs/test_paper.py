"""The paper about what is solved: it builds, and its numbers are those that the program and the manual give."""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import astuple
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from korgool.engine.tables import Draws, build
from korgool.rules import BESTEMSHE, TOGUZ_KORGOOL, Rules, Side
from tests.docs.commands import DOCS

pytest.importorskip("typst")
FEW = 5
"""Stones of toguz korgool that are counted again here; of bestemshe it is twice as many."""


@pytest.fixture(scope="module")
def paper() -> ModuleType:
    spec = importlib.util.spec_from_file_location("paper_build", DOCS / "paper" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def numbers(paper: ModuleType) -> dict[str, dict[str, Any]]:
    return dict(paper.numbers())


def draws(rules: Rules, stones: int, folder: Path) -> Draws:
    return Draws.build(build(rules, stones, folder=folder, falling=rules.tuz), stones, folder=folder)


def test_it_builds_without_a_warning(paper: ModuleType) -> None:
    pdf, warnings = paper.build()
    assert pdf.startswith(b"%PDF-")
    assert warnings == []


def test_every_number_has_a_command_and_every_group_is_used(numbers: dict[str, dict[str, Any]]) -> None:
    text = (DOCS / "paper" / "paper.typ").read_text(encoding="utf-8")
    for name, group in numbers.items():
        assert group["command"].split()[0] in {"korgool", "python"}
        assert group["what"]
        assert f'"{name}"' in text or f"numbers.{name}." in text
    written = re.sub(r"#(figure|set|show|let)[^\n]*|//[^\n]*", "", text)
    loose = re.findall(r"\b\d{3,}\b|\b\d,\d{3}\b", written)
    assert set(loose) <= {"162"}, "numbers of results stand in numbers.json alone"


def test_mangala(numbers: dict[str, dict[str, Any]]) -> None:
    for name in ("mangala-emptied", "mangala-owner"):
        command = numbers[name]["command"].split()
        said = json.loads(CliRunner().invoke(main, [*command[1:], "--json"]).stdout)
        assert numbers[name]["values"] == {"value": said["difference"], "moves": list(said["moves"].values())}


def test_draws(numbers: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    """Counted again with few stones, and written in the manual with all."""
    for name, rules, most in (("toguz-draws", TOGUZ_KORGOOL, FEW), ("bestemshe-draws", BESTEMSHE, 2 * FEW)):
        found = draws(rules, most, tmp_path)
        rows = [row for row in numbers[name]["values"]["rows"] if row[0] <= most]
        assert rows == [list(astuple(found.counts(layer))) for layer in found.layers(most) if layer > 1]
    manual = (DOCS / "endings.md").read_text(encoding="utf-8")
    for stones, positions, drawn, _, one_sided, neither, nobody in numbers["toguz-draws"]["values"]["rows"]:
        assert f"| {stones} | {positions:,} | {drawn:,} | {one_sided + neither:,} | {nobody:,} |" in manual


def test_the_circle(numbers: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    found = draws(TOGUZ_KORGOOL, 2, tmp_path)
    listed = list(found.positions(2))
    values = numbers["toguz-circle"]["values"]
    assert len(listed) == values["positions"]
    for position in listed:
        side = Side(position.stores.index(79))
        assert len(found.way_round(position, side)) == values["entries"]


def test_what_takes_long_stands_in_the_manual(numbers: dict[str, dict[str, Any]]) -> None:
    for group in numbers.values():
        if not group["tested"]:
            page = (DOCS / f"{group['page']}.md").read_text(encoding="utf-8")
            for value in group["values"].values():
                assert re.search(rf"\b{value:,}\b", page), (group["what"], value)

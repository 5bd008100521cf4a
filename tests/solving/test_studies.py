"""Composed endings: the proof-number search of `benchmarks/studies.py`, its proofs followed again with the rules."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "studies.py"


def told(shared: Path, number: int, *words: str) -> list[str]:
    """What the program says of one study."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    file = shared / "data" / "endgame_studies.jsonl"
    command = [sys.executable, PROGRAM, file, "--study", str(number), "--memory", "256", "--check", *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("number", [1, 4])
def test_a_won_study_is_proven_and_the_proof_holds(shared: Path, number: int) -> None:
    lines = told(shared, number, "--stones", "5")
    assert lines[1].startswith("  82 stones: yes")
    assert "positions checked" in lines[2]


def test_a_drawn_study_is_not_won(shared: Path) -> None:
    lines = told(shared, 2, "--stones", "5")
    assert [line.split(",")[0] for line in lines[1::2]] == ["  82 stones: no", "  81 stones: yes"]
    assert all("positions checked" in line for line in lines[2::2])


@pytest.mark.long
@pytest.mark.parametrize(("number", "stones"), [(5, 8), (6, 7), (7, 11)])
def test_the_longer_ones(shared: Path, number: int, stones: int) -> None:
    """Of 7 the composer says that it is drawn; White wins."""
    lines = told(shared, number, "--stones", str(stones))
    assert lines[1].startswith("  82 stones: yes")
    assert "positions checked" in lines[2]

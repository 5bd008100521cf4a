"""The examples of the README, run as they are printed, and the figures that it names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.commands import DOCS, ROOT, Terminal, blocks, commands

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = TEXT.partition("## Three examples")[2].partition("\n## ")[0]
PEOPLE = ("players and teachers", "arbiters", "researchers")


def example(whom: str) -> str:
    """The section for these people."""
    return EXAMPLES.partition(f"### For {whom}\n")[2].partition("\n### ")[0]


def run(command: list[str], folder: Path, answers: str = "") -> str:
    done = subprocess.run(
        command, cwd=folder, input=answers, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_three() -> None:
    assert tuple(re.findall(r"^### For (.+)$", EXAMPLES, re.MULTILINE)) == PEOPLE
    assert all(re.search(r"^\$ ", example(whom), re.MULTILINE) for whom in PEOPLE)


@pytest.mark.skipif(os.name == "nt", reason="the examples are for a POSIX shell")
def test_players_play_and_read_a_game(tmp_path: Path) -> None:
    play, read = (
        line.removeprefix("$ ").replace("korgool ", f"'{sys.executable}' -m korgool ", 1)
        for line in re.findall(r"^\$ .+$", example("players and teachers"), re.MULTILINE)
    )
    assert "White" in run(["sh", "-c", play], tmp_path, "7\nresign\n")
    assert "accuracy" in run(["sh", "-c", read], tmp_path)


def test_arbiters_hold_an_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = [one for one in blocks(ROOT / "README.md", "console") if "event" in one.first]
    assert [command.split()[2] for command, _ in commands(block.body)] == ["practice", "practice", "standings", "print"]
    with Terminal(tmp_path) as terminal:
        terminal.run(block.body)
    assert (tmp_path / "table.pdf").read_bytes().startswith(b"%PDF")


def test_researchers_ask_the_library(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.+?)```", example("researchers"), re.DOTALL)
    assert found is not None
    assert run([sys.executable, "-c", found[1]], tmp_path).startswith("10 ")


def test_the_figures_are_those_of_the_manual() -> None:
    """What the README says in one number stands in the manual with how it was found."""
    counted = re.findall(r"^\| WNG-(?:TK|M) §\S+ \| \w+ \| (\d+) \|$", (DOCS / "clauses.md").read_text(), re.MULTILINE)
    assert f"the {sum(map(int, counted))} sentences of the two competition rules" in " ".join(TEXT.split())
    assert "199 won, 1 drawn" in (DOCS / "training.md").read_text(encoding="utf-8")
    assert "won 199 of 200 games" in TEXT
    solved = (DOCS / "solved.md").read_text(encoding="utf-8")
    assert "about 41,956,266 positions" in " ".join(solved.split())
    assert "proof of 42 million positions" in TEXT
    assert "the first player loses, 24 : 26" in solved

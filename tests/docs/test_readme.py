"""The examples of the README, run as they are printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

README = Path(__file__).parents[2] / "README.md"
EXAMPLES = README.read_text(encoding="utf-8").partition("## Five examples")[2].partition("\n## ")[0]
COMMANDS: list[str] = re.findall(r"^\$ (.+)$", EXAMPLES, re.MULTILINE)
SHOWN = {"play": "White", "analyse": "win", "replay": '"plies":6', "event": "Autumn Cup"}


def run(command: list[str], folder: Path, answers: str = "") -> str:
    done = subprocess.run(
        command, cwd=folder, input=answers, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_five() -> None:
    assert len(COMMANDS) + EXAMPLES.count("```python") == 5


@pytest.mark.skipif(os.name == "nt", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command(command: str, tmp_path: Path) -> None:
    called = re.search(r"\bkorgool (\w+)", command)
    assert called is not None
    real = command.replace("korgool ", f"'{sys.executable}' -m korgool ", 1)
    assert SHOWN[called[1]] in run(["sh", "-c", real], tmp_path, "7\nresign\n")
    if called[1] == "event":
        assert (tmp_path / "cup.korgool").is_file()


def test_the_library(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.+?)```", EXAMPLES, re.DOTALL)
    assert found is not None
    assert run([sys.executable, "-c", found[1]], tmp_path).startswith("10 ")

"""Completion by the Tab key, as the manual tells it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.package import environment

ROOT = Path(__file__).parents[2]
PROGRAM = "from korgool.app.cli import main; main(prog_name='korgool')"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_of_the_manual_give_a_script(shell: str) -> None:
    assert f"korgool completion {shell} > " in (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "completion", shell],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("there is no bash, whose version the script asks for")
    assert done.returncode == 0, done.stderr
    assert f"_KORGOOL_COMPLETE={shell}_complete" in done.stdout


@pytest.mark.parametrize(("typed", "found"), [("an", "analyse"), ("event sta", "standings"), ("play --lev", "--level")])
def test_what_is_begun_is_completed(typed: str, found: str) -> None:
    words = f"korgool {typed}"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**environment(), "_KORGOOL_COMPLETE": "bash_complete", "COMP_WORDS": words,
             "COMP_CWORD": str(len(words.split()) - 1)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert f"plain,{found}" in done.stdout.splitlines(), done.stderr

"""Completion by the Tab key, as the manual tells it."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.package import environment
from tests.patience import PATIENCE

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


def _script(folder: Path, shell: str, name: str) -> None:
    """A program `korgool` in the folder, and its completion script beside it."""
    program = folder / "korgool"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    done = subprocess.run([program, "completion", shell], capture_output=True, text=True, check=True, env=environment())
    (folder / name).write_text(done.stdout)


def _found(folder: Path) -> dict[str, str]:
    return {**environment(), "PATH": f"{folder}:/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "TERM": "dumb"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_options_files_and_papers_by_the_script(tmp_path: Path) -> None:
    _script(tmp_path, "bash", "script")
    typed = [["comp"], ["event", "standi"], ["arena", "--thr"], ["event", "print", "cup.korgool", "dip"]]
    lines = [
        f"COMPREPLY=(); COMP_WORDS=(korgool {' '.join(words)}); COMP_CWORD={len(words)}; "
        "_korgool_completion korgool; echo ${COMPREPLY[*]}"
        for words in typed
    ]
    lines.append("complete -p korgool")
    done = subprocess.run(
        ["bash", "--norc", "-c", "source ./script\n" + "\n".join(lines)],
        cwd=tmp_path,
        env=_found(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "completion", "standings", "--threads", "diplomas", "complete -o nosort -F _korgool_completion korgool"
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
def test_fish_completes_by_the_script(tmp_path: Path) -> None:
    _script(tmp_path, "fish", "script.fish")
    (tmp_path / "cup, autumn.korgool").touch()
    (tmp_path / "games").mkdir()
    typed = {
        "korgool comp": "completion\tPrint the completion script of a shell,...",
        "korgool event standi": "standings\tPrint the standings: points, then the...",
        "korgool arena --thr": "--threads\tGames at the same time.",
        "korgool event print cup.korgool dip": "diplomas",
        "korgool event show cup,": "cup, autumn.korgool",
        "korgool serve --data ga": "games/\tDirectory",
        "korgool play --side bl": "black",
    }
    asked = "; echo; ".join(f"complete -C '{line}'" for line in typed)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source script.fish; {asked}"],
        cwd=tmp_path, env=_found(tmp_path), capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.stdout.split("\n\n") == [*list(typed.values())[:-1], typed["korgool play --side bl"] + "\n"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_completes_by_the_tab_key(tmp_path: Path) -> None:
    """Typed at a terminal, because zsh completes nowhere else; the script is found as the manual says."""
    _script(tmp_path, "zsh", "_korgool")
    (tmp_path / "cup.korgool").touch()
    (tmp_path / ".zshrc").write_text("PS1='%# '; fpath+=~; autoload -Uz compinit; compinit -u; print READ${:-Y}\n")
    controller, end = pty.openpty()
    with os.fdopen(end, "rb") as shell_end, subprocess.Popen(
        ["zsh", "-i"], cwd=tmp_path, env=_found(tmp_path), stdin=shell_end, stdout=shell_end, stderr=shell_end,
        start_new_session=True,
    ) as shell:  # fmt: skip
        shown = Terminal(shell, controller)
        try:
            seen = shown.wait_for("READY")
            for typed, found in (
                ("korgool comp", "letion"), ("korgool event cross", "table"), ("korgool arena --thr", "eads"),
                ("korgool event print cup.korgool dip", "lomas"), ("korgool event show cup", ".korgool"),
            ):  # fmt: skip
                shown.type(f"{typed}\t")
                seen = shown.wait_for(found, seen)
                shown.type("\x15")
        finally:
            shell.kill()
            os.close(controller)

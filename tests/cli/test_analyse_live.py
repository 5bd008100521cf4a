"""`korgool analyse` at a terminal: what it shows while it thinks, and what Ctrl-C leaves."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from korgool.rules import TOGUZ_KORGOOL
from tests.cli.conftest import Program
from tests.cli.terminal import terminal

START = str(TOGUZ_KORGOOL.start())


@pytest.mark.parametrize("columns", [80, 40])
def test_depth_and_line_are_shown_and_ctrl_c_gives_what_it_has(columns: int) -> None:
    with terminal("analyse", "--position", START, "--seconds", "300", columns=columns) as screen:
        screen.wait_for("depth ")
        screen.type("\x03")
        assert screen.finish() == 130
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.text)
    assert re.search(r"depth \d+  [+-]\d", shown)
    answer = shown[shown.index(START) :]
    assert re.search(r"\n  [1-9]  .* win \d+%.* depth \d+  [1-9]", answer), answer
    assert re.search(r"\n  \d+ nodes, [\d.]+ s\r\n", answer), answer
    assert "Traceback" not in shown


def test_ctrl_c_gives_a_program_what_was_found() -> None:
    positions = [word for _ in range(4) for word in ("--position", START)]
    with terminal("analyse", *positions, "--seconds", "300", "--json", stdout=subprocess.PIPE) as screen:
        screen.wait_for("depth ")
        screen.type("\x03")
        assert screen.finish() == 130
        assert screen.stdout is not None
        (line,) = map(json.loads, screen.stdout.read().splitlines())
    assert line["position"] == START
    assert line["lines"][0]["depth"] >= 1


def test_a_pipe_sees_nothing_of_it(program: Program) -> None:
    done = program("analyse", "--position", START, "--depth", "6")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout

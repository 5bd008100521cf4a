"""One rule for exit statuses, tried with every command: 0 done, 1 wrong input, 2 wrong usage, 0 for a closed pipe."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from korgool.app.cli.vocabulary import WORDS, Takes
from tests.cli.commands import FILES, commands, needed, options
from tests.package import environment
from tests.patience import PATIENCE

NAMES = sorted(commands())
READERS = [
    (name, parameter.name)
    for name, command in commands().items()
    for parameter in command.params
    if isinstance(parameter, click.Argument)
    and parameter.name in FILES
    and (name, parameter.name) not in {("event photo", "picture"), ("event attach", "records")}  # the event is first
    and name not in {"backup", "event new", "event practice", "event download"}  # they write that file
]


MORE = {
    "event amend": ["--club", "Kara"],
    "event attach": ["--remove"],
    "event change": ["--rounds", "3"],
    "event export": ["--json"],
    "event personal": ["1"],
    "event repair": ["1-2"],
    "event result": ["1-0"],
}
"""What these commands need beside what is always needed."""


@pytest.mark.parametrize("name", NAMES)
def test_wrong_usage_is_2(name: str, invoke: Callable[..., Any]) -> None:
    command, words = commands()[name], name.split()
    least = needed(command)
    wrong = [[*least, "--no-such-option"], [*least, *["too-many"] * 9]]
    if command.context_settings.get("ignore_unknown_options"):
        wrong.pop(0)
    if any(isinstance(one, click.Argument) and one.nargs == -1 for one in command.params):
        wrong.pop()
    if least:
        wrong.append([])
    for word, parameter in options(command):
        takes = WORDS[word].takes
        if isinstance(parameter.type, click.Choice) or takes is Takes.NUMBER:
            wrong.append([*needed(command, without=word), word, "neither"])
        if takes is not Takes.NOTHING:
            wrong.append([*needed(command, without=word), word])
    for line in wrong:
        done = invoke(*words, *line)
        assert (done.exit_code, done.stdout) == (2, ""), line
        assert "Error: " in done.stderr


@pytest.mark.parametrize(("name", "argument"), READERS)
def test_a_file_that_is_wrong_is_1(name: str, argument: str, tmp_path: Path, invoke: Callable[..., Any]) -> None:
    command, words = commands()[name], name.split()
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"\xff\xfe\x00 this is nothing \x80" * 40)
    for path in (tmp_path / "missing", tmp_path, garbage):
        line = []
        for parameter in command.params:
            if isinstance(parameter, click.Argument) and (parameter.required or parameter.name == argument):
                given = str(path) if parameter.name == argument else needed(_alone(parameter))[0]
                line.append(given)
        for word, parameter in options(command):
            if parameter.required:
                line += [word, *needed(_alone(parameter))[1:]]
        done = invoke(*words, *line, *MORE.get(name, []))
        assert done.exit_code == 1, (path, line, done.output)
        assert done.stderr.startswith("korgool: ")


def _alone(parameter: click.Parameter) -> click.Command:
    return click.Command("one", params=[parameter])


CLOSED = """
import json, os, sys
from korgool.app.cli import main

statuses = {}
for words in json.loads(sys.argv[1]):
    ours, theirs = os.pipe()
    os.close(ours)
    child = os.fork()
    if not child:
        os.dup2(theirs, 1)
        sys.argv = ["korgool", *words]
        main(words)
    os.close(theirs)
    statuses[" ".join(words)] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(json.dumps(statuses))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_a_reader_that_has_gone_is_0(tmp_path: Path) -> None:
    """The help of every command, and what commands print by several ways."""
    (tmp_path / "games.txt").write_text("796817\n" * 300)
    (tmp_path / "bad.txt").write_text("111\n" * 3)
    calls = [
        *([*name.split(), "--help"] for name in NAMES),
        ["--help"], ["--version"], ["replay", "games.txt"], ["replay", "games.txt", "--json"], ["replay", "bad.txt"],
        ["convert", "games.txt", "--to", "pgn"], ["perft", "2"], ["perft", "2", "--json"], ["diagram", "-o", "-"],
        ["completion", "bash"], ["bench", "--depth", "2"], ["analyse", "--record", "games.txt", "--depth", "1"],
        ["event", "new", "cup.korgool", "--name", "Cup"],
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", CLOSED, json.dumps(calls)],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    statuses = json.loads(done.stdout)
    assert len(statuses) == len(calls)
    assert {name: status for name, status in statuses.items() if status} == {}
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr

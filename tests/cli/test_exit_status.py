"""One rule for exit statuses, tried with every command: 0 done, 1 wrong input, 2 wrong usage, 0 for a closed pipe."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
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


def _malformed(word: str, parameter: click.Option) -> Iterator[list[str]]:
    """Values that an option refuses whatever the files hold, by what the table says that it takes."""
    takes, times = WORDS[word].takes, parameter.nargs
    types = getattr(parameter.type, "types", [parameter.type] * times)
    if takes is Takes.FORM:
        yield ["%% neither \x01"] * times
    if takes is Takes.TEXT and parameter.type is not click.STRING:
        yield [" "]
    if takes in (Takes.TEXT, Takes.FORM):
        yield ["Asan\udcd6"] * times
    numbers = [one for one in types if isinstance(one, click.types.IntParamType | click.types.FloatParamType)]
    if numbers:
        yield from ([wrong] * times for wrong in ("nan", "inf", "1e400", "", "1,5", "٣x"))
    for one in numbers:
        least, most = getattr(one, "min", None), getattr(one, "max", None)
        yield from ([str(wrong)] * times for wrong in ((least or 0) - 1,) if least is not None)
        yield from ([str(wrong)] * times for wrong in (-(10**30), (most or 0) + 1) if most is not None)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "doctor"])
def test_a_value_that_an_option_does_not_take_is_2(name: str, invoke: Callable[..., Any]) -> None:
    """Before any file is opened: those of these command lines do not exist. `doctor` alone tells of bad settings as of
    what else is wrong with an installation."""
    command = commands()[name]
    for word, parameter in options(command):
        for value in _malformed(word, parameter):
            done = invoke(*name.split(), *needed(command, without=word), word, *value)
            assert (done.exit_code, done.stdout) == (2, ""), (word, value, done.output)
            assert word in done.stderr, (word, done.stderr)


UNBOUNDED = {("play", "--rating"), ("event penalise", "--points")}
"""Numbers whose bounds the game has, or that are looked at by themselves."""


def test_every_number_has_its_least_value() -> None:
    without = {
        (name, word)
        for name in NAMES
        for word, parameter in options(commands()[name])
        if WORDS[word].takes is Takes.NUMBER and getattr(parameter.type, "min", None) is None
    }
    assert without == UNBOUNDED


@pytest.mark.parametrize(
    "line",
    [
        "event new f --name Cup --control soon", "event new f --name Cup --tiebreaks PS,NO",
        "event new f --name Cup --preset no", "event export f --csv o --delimiter a",
        "event new f --name Cup --tiebreaks PS,PS", "event new f --name Cup --boards 4", "event change f --zone +6",
        "event enter f --name Asan --born yesterday", "event enter f --name Asan --consent-day 2001",
        "event import f list.csv --encoding base64", "event import f list.csv --delimiter ;;",
        "event export f --csv out --delimiter ''", "event standings f --tiebreaks NO", "event check f --head 12",
        "event warn f 1 --reason ' '", "event upload f --server example.org --token t",
        "event penalise f 1 --points 0.3 --reason r", "event penalise f 1 --points 1e9 --reason r",
        "tables build --stones 0", "tables build --stones 63 --game bestemshe", "tables cycles --stones 0",
        "ratings check --database no", "ratings check --database mysql://host/name", "restore no.zip --database no",
        "backup out.zip --database no", "account list --database no", "serve --database no", "serve --mail-from nobody",
        "worker --database no", "account token A --days 0 --scope read", "arena level:1 level:2 --sprt 5 0",
        "play --rating 99999", "sheet -o out.pdf --base-url no",
    ],
)  # fmt: skip
def test_these_values_are_wrong_usage(line: str, invoke: Callable[..., Any]) -> None:
    done = invoke(*shlex.split(line))
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert done.stderr.startswith("Usage: ")


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

def load(group):
    for name in group.list_commands(None):
        if hasattr(command := group.get_command(None, name), "list_commands"):
            load(command)

load(main)  # once, and not again in each child
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

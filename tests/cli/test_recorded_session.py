"""Sessions at the command line, as they were recorded: what each command prints, says on errors, and returns.

A recorded session is its own script: a line with `$` calls the program, lines with `<` are typed to it.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from tests.recorded import check_recorded

RECORDED = Path(__file__).with_name("recorded")
FILES = {
    "list.csv": "name;rating;federation;sex\nAbdyldaev, Azat;1900;KGZ;m\nBayram, Can;1800;TUR;m\n;1700;TUR;f\n",
    "game.txt": "7 7 2 2",
    "results.txt": "1 82-60\n2 0-1\n",
}
_PASSING = [
    (re.compile(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z| UTC)?"), "MOMENT"),
    (re.compile(r"\b(\d+)(?:-[0-9a-f]{4}){4}\b"), r"\1-HEAD"),
    (re.compile(r"\b[0-9a-f]{32,64}\b"), "DIGEST"),
    (re.compile(r"gacrux [0-9.]+"), "gacrux …"),
]


def script(text: str) -> list[tuple[str, str]]:
    """The commands of a session, each with what is typed to it."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), ""))
        elif line.startswith("< "):
            command, typed = found.pop()
            found.append((command, f"{typed}{line.removeprefix('< ')}\n"))
    return found


def said(command: str, typed: str) -> str:
    """What a command prints, then its errors and its status if there are any."""
    done = CliRunner().invoke(main, shlex.split(command), input=typed, prog_name="korgool")
    assert isinstance(done.exception, SystemExit | None), (command, done.exception)
    lines = [*done.stdout.splitlines(), *(f"! {line}" for line in done.stderr.splitlines())]
    lines += [f"[{done.exit_code}]"] if done.exit_code else []
    text = "".join(f"{line.rstrip()}\n" for line in lines if line.strip())
    for pattern, instead in _PASSING:
        text = pattern.sub(instead, text)
    return "".join([f"$ {command}\n", *(f"< {line}\n" for line in typed.splitlines()), text])


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDED.glob("*.txt")))
def test_a_session_goes_as_it_was_recorded(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file, content in FILES.items():
        (tmp_path / file).write_text(content, encoding="utf-8")
    for variable, value in {
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "USER": "secretary",
    }.items():
        monkeypatch.setenv(variable, value)
    path = RECORDED / f"{name}.txt"
    commands = script(path.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    check_recorded(path, "\n".join(said(*command) for command in commands))

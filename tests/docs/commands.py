"""The commands of the manual: blocks of `sh` and `console`, run as a reader would type them, or at least spelled right.

A line that begins with `korgool`, or `python3 run.py` in its place, runs within this process and in a scratch folder.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path

import click
import httpx
from click.testing import CliRunner

from korgool.app.cli import main
from tests.patience import PATIENCE
from tests.server.processes import Program

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
FENCE = re.compile(r"^```(?P<kind>\S*).*\n(?P<body>(?:(?!```).*\n)*)```$", re.MULTILINE)
HEAD = re.compile(r"\b(\d+)(?:-[0-9a-f]{4}){4}\b")
"""The head of a log: its hash hangs on the time, the line does not."""
USUAL = "http://127.0.0.1:8000/"
"""Where a server answers that is begun as the manual says; in a test it has a port of its own."""
RUN_PY = frozenset(run_path(str(ROOT / "run.py"))["COMMANDS"])
"""What `run.py` does by itself; everything else is a command of `korgool`."""


@dataclass(frozen=True)
class Block:
    """A block of a page: the words after its fence, and what stands in it."""

    page: Path
    kind: str
    name: str
    body: str

    @property
    def first(self) -> str:
        """Its first command, which names it."""
        return commands(self.body)[0][0]


def blocks(page: Path, *kinds: str) -> Iterator[Block]:
    """The blocks of a page, of these kinds or of all."""
    for found in FENCE.finditer(page.read_text(encoding="utf-8")):
        if not kinds or found["kind"] in kinds:
            yield Block(page, found["kind"], found[0].partition("\n")[0].partition(" ")[2].strip(), found["body"])


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what it prints: with prompts, or one on each line."""
    joined = body.replace("\\\n", " ")
    if not re.search(r"^\$ ", joined, re.MULTILINE):
        return [(line.strip(), "") for line in joined.splitlines() if line.strip() and not line.startswith("#")]
    parts = re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]
    return [(command.strip(), expected) for command, _, expected in (part.partition("\n") for part in parts)]


class Terminal:
    """Runs commands in a folder, which is the current one; a server that it has begun goes on until it is closed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server: Program | None = None
        self.address = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.server is not None:
            self.server.terminate()
            self.server.wait(PATIENCE)

    def run(self, body: str) -> None:
        """Run each command of a block; it succeeds, and prints what stands below it, where anything does."""
        for command, expected in commands(body):
            self._run(command, expected)

    def _run(self, command: str, expected: str) -> None:
        words = shlex.split(command)
        given = None
        if words[0] == "curl":
            assert httpx.get(words[-1].replace(USUAL, self.address), timeout=PATIENCE).is_success
            return
        if words[0] == "echo":
            if words[2] == ">":
                (self.folder / words[3]).write_text(words[1] + "\n", encoding="utf-8")
                return
            assert words[2] == "|", command
            given, words = words[1] + "\n", words[3:]
        if words[:2] == ["python3", "run.py"]:
            words = ["korgool", *words[2:]]
        assert words[0] == "korgool", f"nobody knows how to run: {command}"
        if words[1] == "serve":
            self.server = Program([*words[1:], "--port", "0"])
            self.address = self.server.stdout.readline().strip()
            return
        done = CliRunner().invoke(main, words[1:], input=given)
        assert done.exit_code == 0, f"{command}\n{done.output}"
        if expected.strip():
            assert HEAD.sub(r"\1-", done.stdout).strip() == HEAD.sub(r"\1-", expected).strip()
        if "-o" in words:
            assert (self.folder / words[words.index("-o") + 1]).stat().st_size > 0


def misspelled(command: str) -> str | None:
    """What is wrong with a command that is only read: a command, option, module or file that there is not."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError as error:
        return f"{command}: {error}"
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    if not words:
        return None
    program, *rest = words
    if program.endswith("python3") and rest[:1] == ["run.py"]:
        program, rest = ("run.py", rest[1:]) if rest[1:2] and rest[1] in RUN_PY else ("korgool", rest[1:])
    if program.endswith("korgool"):
        return wrong_option(command, rest)
    if program == "run.py" or program.endswith("python"):
        if rest[:1] == ["-m"]:
            return None if find_spec(rest[1]) else f"{command}: there is no module {rest[1]}"
        files = [word for word in rest if re.match(r"(?:tests|benchmarks|docs|kernel|src)/", word)]
        missing = [name for name in files if not (ROOT / name.partition("::")[0]).exists()]
        return f"{command}: there is no {missing[0]}" if missing else None
    return None


def wrong_option(command: str, words: list[str]) -> str | None:
    """Whether the words name a command of the program, with options that it has; names in capitals may be anything."""
    here: click.Command = main
    context = click.Context(main, info_name="korgool")
    rest = list(words)
    while isinstance(here, click.Group) and rest and not rest[0].startswith("-") and not rest[0].isupper():
        found = here.get_command(context, rest[0])
        if found is None:
            return f"{command}: there is no command {rest[0]}"
        here, context, rest = found, click.Context(found, info_name=rest[0], parent=context), rest[1:]
    known = {name for parameter in here.params for name in (*parameter.opts, *parameter.secondary_opts)}
    known |= set(here.get_help_option_names(context))
    for word in rest:
        option = word.partition("=")[0]
        if re.match(r"--?[a-z]", option) and option not in known:
            return f"{command}: {' '.join(words[: len(words) - len(rest)])} has no option {option}"
    return None

"""A core with few packages: what it does alone, and what it says where a part is missing."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import grimp
import pytest

from korgool.app.cli.parts import PARTS
from korgool.installing import advice
from tests.cli.test_referee import GAME, text_of
from tests.package import environment
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MOST_PACKAGES = 8
MOST_MEGABYTES = {True: 24, False: 16}
"""Of Korgool itself, with its pages, words and byte code, and of all that it brings along, most of it Pygments."""
OWN = {"korgool", "_korgool_kernel"}

LONE = """
import contextlib, io, json, sys
from importlib.abc import MetaPathFinder

core = set(json.loads(sys.argv[1])) | sys.stdlib_module_names


class Nothing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in core and not name.startswith("_sysconfigdata_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Nothing())
from korgool.app.cli import main

answers = []
for arguments in json.loads(sys.argv[2]):
    said, told = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    status = 0
    sys.argv = ["korgool", *arguments]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
        try:
            main()
        except SystemExit as error:
            status = error.code
    answers.append([status, *(stream.buffer.getvalue().decode() for stream in (said, told))])
print(json.dumps(answers), file=sys.__stdout__)
"""
"""Commands in a Python that sees only the packages of the core."""

CORE = [
    ["perft", "2"],
    ["replay", "game.pgn"],
    ["convert", "game.pgn", "--to", "coordinates"],
    ["analyse", "--record", "game.pgn", "--depth", "2"],
    ["solve", "--game", "bestemshe", "--position", "1S,1S,3/1S,3,6S 20 21 S 20"],
    ["diagram", "-o", "board.svg"],
    ["referee", "game.jsonl", "--language", "kk"],
    ["engine", "--help"],
    ["arena", "level:1", "level:1", "--games", "2", "--nodes", "50"],
    ["tables", "list"],
    ["bench", "--help"],
    ["play", "--help"],
    ["event", "new", "cup.korgool", "--name", "Cup", "--rounds", "3", "--system", "round-robin"],
    ["event", "enter", "cup.korgool", "--name", "Asan, A"],
    ["event", "enter", "cup.korgool", "--name", "Üsön, U"],
    ["event", "enter", "cup.korgool", "--name", "Bolot, B"],
    ["event", "enter", "cup.korgool", "--name", "Dina, D"],
    ["event", "pair", "cup.korgool"],
    ["event", "result", "cup.korgool", "1", "1", "1 (82) - 0 (60)"],
    ["event", "standings", "cup.korgool"],
    ["event", "check", "cup.korgool"],
]
LACKING = [
    (["serve", "--port", "0"], "serve"),
    (["diagram", "-o", "board.png"], "print"),
    (["sheet", "-o", "sheet.pdf"], "print"),
    (["sheet", "-o", "sheet.pdf", "--tag", "Round=3"], "print"),
    (["event", "print", "cup.korgool", "standings", "-o", "paper.pdf"], "print"),
    (["event", "import", "cup.korgool", "players.xlsx"], "event"),
]


def lone(commands: list[list[str]], folder: Path) -> list[tuple[int, str, str]]:
    """Exit status, standard output and standard error of commands, one after the other in one process."""
    core = sorted(OWN | modules_of(PROJECT["dependencies"]))
    done = subprocess.run(
        [sys.executable, "-c", LONE, json.dumps(core), json.dumps(commands)],
        cwd=folder,
        env=environment(KORGOOL_DEBUG=""),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [(status, said, told) for status, said, told in json.loads(done.stdout)]


brought_by = functools.cache(packages_distributions)
"""It reads the list of files of everything that is installed."""


def modules_of(requirements: list[str]) -> set[str]:
    """The modules that distributions and what they depend on bring."""
    wanted, found = [_name(one) for one in requirements], set()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted += [_name(one) for one in requires(name) or () if "extra ==" not in one and ";" not in one]
    return {module for module, brought in brought_by().items() if {_plain(name) for name in brought} & found}


def _name(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match is not None
    return _plain(match[0])


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files that the commands need."""
    (tmp_path / "game.pgn").write_text('[Event "?"]\n\n1. 76(10) 55(10)\n*\n')
    (tmp_path / "game.jsonl").write_text(text_of(GAME))
    with zipfile.ZipFile(tmp_path / "players.xlsx", "w") as pack:
        pack.writestr("xl/workbook.xml", "<workbook/>")
    return tmp_path


def test_the_core_works_alone(folder: Path) -> None:
    for command, (status, _, told) in zip(CORE, lone(CORE, folder), strict=True):
        assert status == 0, (command, told)
        assert "pip install" not in told


def test_what_lacks_its_part_says_what_to_type(folder: Path) -> None:
    event = CORE[12:14]
    answers = lone([*event, *(command for command, _ in LACKING)], folder)[len(event) :]
    for (command, part), (status, said, told) in zip(LACKING, answers, strict=True):
        assert (status, said) == (1, ""), command
        assert told.count("\n") == 1, told
        assert f'this needs the part "{part}"' in told
        assert told.endswith(f"type: {advice(part)}\n")
    assert {path.name for path in folder.iterdir()} == {"game.pgn", "game.jsonl", "players.xlsx", "cup.korgool"}


def test_help_needs_no_part(folder: Path) -> None:
    from korgool.app.cli import main

    for status, said, _ in lone([[name, "--help"] for name in main.summaries], folder):
        assert status == 0
        assert said.startswith("Usage: korgool ")


def test_every_package_belongs_to_the_core_or_to_a_part() -> None:
    """Whatever the package imports is named in pyproject.toml, and the advice knows the part that brings it."""
    core = OWN | modules_of(PROJECT["dependencies"]) | {
        "dask", "distributed", "gymnasium", "pettingzoo", "pyspiel",  # whoever trains with them has them already
    }  # fmt: skip
    known = core | {module for modules in PARTS.values() for module in modules}
    graph = grimp.build_graph("korgool", include_external_packages=True, cache_dir=None)
    for name in graph.modules:
        top = name.partition(".")[0]
        assert top in known | sys.stdlib_module_names, (name, graph.find_modules_that_directly_import(name))
    extras = PROJECT["optional-dependencies"]
    for part, modules in PARTS.items():
        brought = {module for one in extras[part] for module in [_name(one).replace("-", "_")]}
        # h11 comes with uvicorn, nats with nats-py, argon2 with argon2-cffi, PIL with pillow
        assert set(modules) <= brought | {"h11", "nats", "argon2", "PIL"}, part
    assert extras["all"] == ["korgool[serve,event,print,push,metrics]"]


@pytest.mark.long
def test_a_fresh_environment_holds_few_packages(folder: Path) -> None:
    """The project installed as a stranger would, with pip and an index; about a minute."""
    python = Path(sys.base_prefix, "bin", "python3")
    if not python.exists() or subprocess.run([python, "-m", "pip", "--version"], check=False).returncode:
        pytest.skip("the Python behind this environment has no pip")
    place = folder / "venv"
    subprocess.run([python, "-m", "venv", "--without-pip", place], check=True)
    subprocess.run([python, "-m", "pip", "--python", place, "install", "-q", ROOT], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    installed = [path.name for path in packages.glob("*.dist-info")]
    assert len(installed) <= MOST_PACKAGES, installed
    sizes = dict.fromkeys(MOST_MEGABYTES, 0)
    for path in packages.rglob("*"):
        if path.is_file():
            sizes["korgool" in path.relative_to(packages).parts[0]] += path.stat().st_size
    for own, most in MOST_MEGABYTES.items():
        assert sizes[own] <= most << 20, f"{sizes[own] / (1 << 20):.1f} MiB"
    for command in CORE:
        subprocess.run([place / "bin" / "korgool", *command], cwd=folder, check=True)
    swiss = [
        ["event", "new", "swiss.korgool", "--name", "Cup", "--rounds", "3"],
        *(["event", "enter", "swiss.korgool", "--name", f"Player, {number}"] for number in range(6)),
    ]
    for command in swiss:
        subprocess.run([place / "bin" / "korgool", *command], cwd=folder, check=True)
    lacking = [*LACKING, (["event", "pair", "swiss.korgool"], "event")]
    for command, part in lacking:
        done = subprocess.run(
            [place / "bin" / "korgool", *command], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1, command
        assert "-m pip --python " in done.stderr
        assert done.stderr.endswith(f"{ROOT}[{part}]'\n"), done.stderr

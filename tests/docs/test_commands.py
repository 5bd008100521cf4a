"""Every command of the manual, of its tutorials and of the README is run here, or named below with the reason.

What is not run is read: its commands and options, the modules and files that it names.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.commands import DOCS, FENCE, PAGES, ROOT, Block, Terminal, blocks, commands, misspelled

TUTORIALS = tuple(f"tutorials/{path.stem}" for path in sorted((DOCS / "tutorials").glob("*.md")))
ONE_STORY = ("competitions", *TUTORIALS)
"""Pages whose commands follow each other, all in one folder."""
OTHER_MACHINES = {
    "operating": "for root, other hosts and services; the page says where each step was tried",
    "releasing": "minutes of building for every platform, with files that have to be fetched first",
}
"""Pages whose commands are for the machine of a site."""
TRANSLATED = DOCS / "federations"
"""A page in other languages, whose commands are those of the English one: test_five_languages.py compares them."""
TYPED = ("README.md", "CONTRIBUTING.md", *(str(page.relative_to(ROOT)) for page in PAGES))
NOT_HERE = {
    "python3 run.py serve": "goes on until it is stopped; tests/page play on its pages",
    "python3 run.py test": "is the run to which this test belongs",
    "python3 run.py play --level 2": "asks for moves; test_readme.py plays a game",
    "korgool play --level 3": "asks for moves; test_readme.py plays a game",
    "python3 run.py test tests/rules": "tests in a test",
    "KORGOOL_TEST_RECORD=1 .venv/bin/python -m pytest tests/publishing/test_recorded_pages.py "
    "tests/printing/test_recorded_papers.py    tests/server/test_pages_as_text.py "
    "tests/cli/test_recorded_session.py": "tests in a test",
    ".venv/bin/ruff check .": "tests/test_house.py runs them",
    "python3 run.py test tests/competition tests/docs -x": "tests in a test",
    "python benchmarks/learner.py --minutes 2 --curve curve.svg": "takes minutes; tests/rl/test_learner.py runs it",
    "python benchmarks/levels.py play logs --checks 40 --high 200": "takes hours",
    'pip install ".[serve,push]"': "goes on until it is stopped, and needs a mail server",
    "python -m korgool.engine.openings build toguz toguz.book --positions 2500 --nodes 2000000": "takes hours",
    "korgool serve --port 8001 --database postgresql://korgool@db/korgool --base-url https://example.org/ "
    "--trusted-proxy 10.0.0.0/8": "needs two hosts and PostgreSQL; tests/server/test_balancer.py runs them",
    "korgool arena level:4 level:5 --games 2000 --log match.jsonl --cluster tcp://10.0.0.1:8786": (
        "needs machines; tests/test_clusters.py works on clusters"
    ),
    "dask worker tcp://10.0.0.1:8786 --nthreads 8 --no-dashboard": "needs a scheduler; tests/test_clusters.py has one",
    "python -m tests.tables.naive_draws --stones 3": "tests/tables/test_draws.py counts with it",
    "python docs/paper/build.py endings.pdf": "tests/docs/test_paper.py builds it",
    "korgool tables build --stones 15 --falling --folder tables": "takes minutes",
    "korgool solve --game mangala --prove proof": "takes 4 GB of memory and of disk",
    "python benchmarks/solve_book.py --sweep emptied --plies 11 --least 34": "takes minutes and a gigabyte",
    "python -m korgool.training.puzzle_packing work": "takes an hour",
    "python -m korgool.training.puzzle_packing work --game mangala --games 2 --puzzles 4 --folder sets": (
        "tests/training/test_puzzle_files.py runs it"
    ),
    "korgool tables build --game bestemshe --stones 28 --folder tables": "takes hours and 4 GB of memory",
    "python -m korgool.engine.training generate toguz games0.bin --games 20000 --seed 1000000 --nodes 3000 "
    "--threads 2": "takes hours and the `train` extra",
    "git show e24bed0:src/korgool/engine/networks/toguz.kgn > toguz-4.kgn": "needs the whole history",
    "for i in 1 2 3 4 5; do": "takes days",
    "python -m korgool.engine.training generate mangala m2.bin --games 17000 --seed 3000000 --network mangala-1.kgn": (
        "takes days"
    ),
    "python -m korgool.engine.training generate toguz n.bin --games 20000 --seed 11000000 --network toguz-10.kgn": (
        "takes days"
    ),
}
"""Blocks that are not run, by their first command, with the reason."""

ALL = [block for name in TYPED for block in blocks(ROOT / name, "console", "sh")]
RUN = [
    block
    for block in ALL
    if block.first not in NOT_HERE and block.page.stem not in OTHER_MACHINES and block.page.parent != TRANSLATED
]
STORIES = [DOCS / f"{name}.md" for name in ONE_STORY]


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(block, id=f"{block.page.stem}-{number}")
        for number, block in enumerate((block for block in RUN if block.page not in STORIES), 1)
    ],
)
def test_commands_run(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line runs and succeeds; what stands below it is what it prints, where anything does."""
    monkeypatch.chdir(tmp_path)
    with Terminal(tmp_path) as terminal:
        terminal.run(block.body)


@pytest.mark.parametrize("page", STORIES, ids=lambda page: page.stem)
def test_a_page_that_is_one_story_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same over a whole page; a block of text with a file name is that file."""
    monkeypatch.chdir(tmp_path)
    with Terminal(tmp_path) as terminal:
        for block in blocks(page):
            if block.kind == "text" and block.name:
                (tmp_path / block.name).write_text(block.body, encoding="utf-8")
            elif block in RUN:
                terminal.run(block.body)


def test_commands_that_are_not_run_are_spelled_right() -> None:
    """Those of the blocks that are not run, and all that stand within a line of text."""
    typed = [command for block in ALL if block not in RUN for command, _ in commands(block.body)]
    for name in TYPED:
        text = FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))
        spans = [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)]
        typed += [span for span in spans if re.match(r"(?:korgool|python3? |\.venv/bin/)", span)]
    assert len(typed) > 150
    assert [wrong for command in typed if (wrong := misspelled(command))] == []


def test_every_reason_is_needed() -> None:
    """A block that is gone needs none, and one that is shown as plain text could hide from its test."""
    assert set(NOT_HERE) - {block.first for block in ALL} == set()
    hidden = [
        f"{name}: {line}"
        for name in TYPED
        for block in blocks(ROOT / name, "text", "")
        if Path(name).stem not in OTHER_MACHINES
        for line in block.body.splitlines()
        if re.match(r"(?:\$ |korgool |python3? |\.venv/)", line)
    ]
    assert hidden == []


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("korgool serve --lan", None),
        ("KORGOOL_X=1 korgool event print FILE WHAT -o OUT.pdf", None),
        ("korgool serve --lam", "has no option --lam"),
        ("korgool event bear cup.korgool", "there is no command bear"),
        ("python3 run.py play --strength 3", "has no option --strength"),
        ("python3 run.py test tests/nowhere", "there is no tests/nowhere"),
        ("python -m korgool.engine.nothing x", "there is no module korgool.engine.nothing"),
        (".venv/bin/python docs/nothing.py", "there is no docs/nothing.py"),
    ],
)
def test_what_is_misspelled_is_found(command: str, wrong: str | None) -> None:
    found = misspelled(command)
    assert found is None if wrong is None else found is not None and wrong in found

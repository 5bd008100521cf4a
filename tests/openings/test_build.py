"""Making a book: the same again, whether in one go, in several, or after a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from korgool.engine.openings.__main__ import main
from korgool.engine.openings.build import BookPlan, JournalError, build

PLAN = BookPlan("castle", nodes=400, seed=2)
KILLED = """
import os, signal, sys
from korgool.engine.openings import __main__ as program
build, last = program.build, int(sys.argv[1])
program.build = lambda plan, positions, journal, say: build(
    plan, positions, journal, lambda number, _: number == last and os.kill(os.getpid(), signal.SIGKILL))
program.main(sys.argv[2:])
"""
"""The program that makes a book, killed when it has so many positions."""


def test_the_same_plan_gives_the_same_book() -> None:
    assert build(PLAN, 40).text() == build(PLAN, 40).text()
    assert build(PLAN, 40).text() != build(BookPlan("castle", nodes=400, seed=4), 40).text()


def test_a_build_goes_on_with_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "work"
    seen: list[int] = []
    build(PLAN, 15, journal, lambda number, _: seen.append(number))
    went_on = build(PLAN, 40, journal, lambda number, _: seen.append(number))
    assert seen == list(range(1, 41))
    assert went_on.text() == build(PLAN, 40).text()
    assert build(PLAN, 25, journal).text() == build(PLAN, 25).text(), "fewer positions are a part of more"


def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    output, journal = tmp_path / "out.book", tmp_path / "out.book.journal"
    words = ["build", "castle", str(output), "--positions", "150", "--nodes", "2000", "--seed", "2"]
    for last in (20, 60):
        killed = subprocess.run([sys.executable, "-c", KILLED, str(last), *words], check=False)
        assert killed.returncode == -signal.SIGKILL
        assert journal.read_bytes().count(b"\n") >= last
        assert not output.exists()
    with journal.open("ab") as file:
        file.write(b"17.3 1:4")  # a line that the kill cut
    assert main(words) == 0
    assert output.read_text() == build(BookPlan("castle", nodes=2000, seed=2), 150).text()


def test_a_journal_of_another_plan_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "work"
    build(PLAN, 5, journal)
    for plan in (
        BookPlan("castle", nodes=401, seed=2),
        BookPlan("castle", nodes=400, seed=3),
        BookPlan("toguz", nodes=400, seed=2),
    ):
        with pytest.raises(JournalError, match="not of this plan"):
            build(plan, 10, journal)
    words = ["build", "toguz", str(tmp_path / "x.book"), "--positions", "2", "--journal", str(journal)]
    assert main(words) == 1
    assert "not of this plan" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"\n0.", b"\n1."), (b":", b";"), (b" 1:", b" 9:"), (b"\n0.", b"\n\n0."), (b"start", b"stark"), (b":", b":x")],
)
def test_an_altered_journal_is_refused_with_its_line(tmp_path: Path, old: bytes, new: bytes) -> None:
    journal = tmp_path / "work"
    build(PLAN, 10, journal)
    head, _, rest = journal.read_bytes().partition(b"\n")
    journal.write_bytes(head + b"\n" + (b"\n" + rest).replace(old, new, 1).removeprefix(b"\n"))
    with pytest.raises(JournalError, match="line"):
        build(PLAN, 10, journal)


def test_a_small_game_is_looked_at_to_its_end() -> None:
    """Where all is proven the book is full, however many positions were asked for."""
    from korgool.engine.openings.tree import Tree
    from korgool.rules import BESTEMSHE

    tree = Tree(BESTEMSHE, every=1)
    leaf = tree.next()
    assert leaf is not None
    tree.grow_values(leaf, [(number, 0, False) for number in range(1, 6)])
    assert tree.next() is None


@pytest.mark.parametrize("values", [{"game": "chess"}, {"nodes": 0}, {"every": -1}, {"weight": -1.0}])
def test_a_plan_that_cannot_be(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not"):
        BookPlan(**{"game": "toguz", "nodes": 10, **values})
    with pytest.raises(ValueError, match="at least 1 position"):
        build(PLAN, 0)

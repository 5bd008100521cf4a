"""The checker, compiled here, accepts a true proof and no altered one; it shares nothing with the solver."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from korgool.engine.solving import Solver
from korgool.engine.solving.mangala_table import MangalaTable
from korgool.engine.solving.proof import ProofError, prove, write_proof
from korgool.engine.solving.search import Searcher
from korgool.rules import MANGALA
from tests.patience import PATIENCE

from .positions import played

SOURCE = Path(__file__).parents[2] / "benchmarks" / "solve_check.c"


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("checker") / "solve_check"
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, SOURCE], check=True)
    return program


@pytest.fixture(scope="module", params=["emptied", "owner"])
def proof(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    rules = MANGALA.with_option("sweep", request.param)
    folder: Path = tmp_path_factory.mktemp("proof") / str(request.param)
    table = MangalaTable(rules, 9)
    table.grow(9)
    start = played(rules, 27, Random(16))
    moves = write_proof(start, Searcher(table, 8 << 20), folder, slots=1 << 18, on_progress=lambda what, count: None)
    assert set(moves) == set(start.legal_moves())
    return folder


def check(checker: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([checker, folder], capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_a_true_proof_is_accepted(checker: Path, proof: Path) -> None:
    done = check(checker, proof)
    assert done.returncode == 0, done.stderr
    head = json.loads((proof / "proof").read_bytes().partition(b"\n")[0])
    said = {int(move): int(value) for move, value in re.findall(r"^move (\d): ([+-]\d+)$", done.stdout, re.MULTILINE)}
    assert said == {int(move): value for move, value in head["moves"].items()}
    assert f"value {head['difference']:+d}, sweep {head['rules']['sweep']}" in done.stdout
    assert head["positions"] > 100


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told: list[str] = []
    with pytest.raises(NotADirectoryError):
        prove(MANGALA, tmp_path / "file" / "proof", stones=4, on_progress=lambda what, count: told.append(what))
    assert told == []


def test_a_smaller_start_is_proven_from_the_first_move_on(checker: Path, tmp_path: Path) -> None:
    """Two stones in each hole instead of four: the whole way of `korgool solve --prove`, in a second."""
    rules, told = replace(MANGALA, stones=2), set[str]()
    moves = prove(
        rules, tmp_path / "new", stones=9, memory=8 << 20, slots=1 << 20, on_progress=lambda what, n: told.add(what)
    )
    done = check(checker, tmp_path / "new")
    assert done.returncode == 0, done.stderr
    assert f"value {max(moves.values()):+d}, sweep emptied" in done.stdout
    assert moves == Solver(rules, memory=32 << 20, book=False).solve(rules.start()).moves
    assert "table" in told


def test_the_checker_shares_nothing_with_the_kernel() -> None:
    included = re.findall(r"#include (.*)", SOURCE.read_text(encoding="utf-8"))
    assert included
    assert all(name.startswith("<") for name in included)


def test_altered_proofs_are_refused(checker: Path, proof: Path, tmp_path: Path) -> None:
    """A claim made stronger, a table entry, the value, the length."""
    whole, table, random = (proof / "proof").read_bytes(), (proof / "table").read_bytes(), Random(17)
    head, _, rest = whole.partition(b"\n")
    said = json.loads(head)
    altered: list[tuple[bytes, bytes]] = []
    for _ in range(6):
        at = 8 * random.randrange(said["positions"])
        word = int.from_bytes(rest[at : at + 8], "little")
        # Claims that nothing supports: 48 stones more, or fewer, in an open position.
        stronger = word & ~127 | 112 if word & 127 else word & ~(127 << 7) | 16 << 7
        altered.append((head + b"\n" + rest[:at] + stronger.to_bytes(8, "little") + rest[at + 8 :], table))
    for _ in range(6):
        at = random.randrange(len(table))
        altered.append((whole, table[:at] + bytes([(table[at] + 2) & 255]) + table[at + 1 :]))
    other = said | {"difference": said["difference"] + 2}
    altered.append((json.dumps(other).encode() + b"\n" + rest, table))
    best = max(said["moves"], key=lambda move: int(said["moves"][move]))
    other = said | {"moves": said["moves"] | {best: said["moves"][best] + 2}}
    altered.append((json.dumps(other).encode() + b"\n" + rest, table))
    altered += [(whole[:-1], table), (whole, table[:-1]), (b"", table), (rest, table)]
    for number, (proof_bytes, table_bytes) in enumerate(altered):
        (tmp_path / "proof").write_bytes(proof_bytes)
        (tmp_path / "table").write_bytes(table_bytes)
        done = check(checker, tmp_path)
        assert done.returncode == 1, (number, done.stdout)
        assert done.stderr.startswith("solve_check: "), number


def test_a_proof_without_room_is_not_written(tmp_path: Path) -> None:
    table = MangalaTable(MANGALA, 4)
    table.grow(4)
    searcher = Searcher(table, 1 << 20)
    with pytest.raises(ProofError, match="no room"):
        write_proof(
            played(MANGALA, 30, Random(18)), searcher, tmp_path, slots=1024, on_progress=lambda what, count: None
        )
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_take_its_place_leaves_nothing_behind(tmp_path: Path) -> None:
    table = MangalaTable(MANGALA, 6)
    table.grow(6)
    start = played(MANGALA, 10, Random(16))
    (tmp_path / "proof").mkdir()
    with pytest.raises(OSError, match="proof"):
        write_proof(start, Searcher(table, 1 << 20), tmp_path, slots=1 << 16, on_progress=lambda what, count: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["proof", "table"]

"""What `python3 run.py test` takes, what it says, and that successive days take everything."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import daily_run
from tests.daily_run import NOTED, SLICES, in_slice, is_slow, noted
from tests.server.support import postgresql_database

ROOT = Path(__file__).parents[1]
NAMES = st.lists(
    st.tuples(st.sampled_from(["tests/a.py", "tests/b.py", "tests/c/d.py"]), st.integers(0, 99)), unique=True
).map(lambda pairs: [f"{file}::test[{number}]" for file, number in pairs])


@given(names=NAMES, seed=st.integers(0, 10**6))
def test_successive_seeds_take_each_test_once(names: list[str], seed: int) -> None:
    taken = Counter(name for later in range(SLICES) for name in in_slice(names, seed + later))
    assert taken == Counter(names)
    assert in_slice(reversed(names), seed) == in_slice(names, seed + SLICES)


@given(names=NAMES, seed=st.integers(0, 10**6))
def test_a_slice_has_something_of_every_file_that_is_long_enough(names: list[str], seed: int) -> None:
    of_file = Counter(name.partition("::")[0] for name in names)
    in_file = Counter(name.partition("::")[0] for name in in_slice(names, seed))
    assert all(in_file[file] in (count // SLICES, -(-count // SLICES)) for file, count in of_file.items())


def starts_one() -> None:
    subprocess.run(["true"], check=True)


def calls_one_that_does() -> None:
    starts_one()


class Holder:
    def later(self) -> Callable[[], None]:
        def inner() -> None:
            calls_one_that_does()

        return inner


def uses_a_holder() -> None:
    Holder().later()


def imports_it_late() -> None:
    from tests.server.support import running

    running(Path())


def asks_for_postgresql() -> None:
    with postgresql_database():
        pass


def computes() -> int:
    return sum(len(line) for line in re.split(r"\s", "a b"))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (starts_one, True),
        (calls_one_that_does, True),
        (uses_a_holder, True),
        (imports_it_late, True),
        (asks_for_postgresql, True),
        (computes, False),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_starts_a_process_is_found_through_its_helpers(function: Callable[[], object], expected: bool) -> None:
    assert daily_run.starts(function) is expected


def test_a_test_is_slow_by_what_it_starts_or_uses() -> None:
    def item(function: Callable[[], object], name: str = "tests/a.py::b", *fixtures: str) -> Any:
        return SimpleNamespace(nodeid=name, fixturenames=fixtures, function=function)

    assert not is_slow(item(computes))
    assert is_slow(item(computes, "tests/a.py::b", "browser"))
    assert is_slow(item(computes, f"{min(noted(NOTED))}[3]"))
    assert is_slow(item(starts_one))


def test_the_fixtures_of_this_very_test_are_seen(request: pytest.FixtureRequest, project: Project) -> None:
    assert is_slow(request.node)


def test_what_is_noted_as_slow_is_there() -> None:
    """A test that is renamed is noted by its new name, or not at all."""
    gone = []
    for file, _, test in (name.partition("::") for name in noted(NOTED)):
        path = ROOT / file
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if not all(re.search(rf"\b{part}\b", text) for part in test.split("::") if part != "runTest"):
            gone.append(f"{file}::{test}")
    assert gone == []


CASES = {
    "test_quick.py": """
        import pytest, time
        def test_one(): pass
        @pytest.mark.parametrize("n", range(1))
        def test_two(n):
            until = time.process_time() + 0.2
            while time.process_time() < until: pass
    """,
    "test_starting.py": """
        import subprocess, pytest
        @pytest.mark.parametrize("n", range(20))
        def test_it(n): assert subprocess
        @pytest.mark.smoke
        def test_always(): assert subprocess
        @pytest.mark.long
        def test_night(): pass
    """,
}


class Project:
    """A small one, tested by the very command of `run.py`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "cases").mkdir()
        for name, text in CASES.items():
            (folder / "cases" / name).write_text(text.replace("\n        ", "\n"))
        (folder / "pyproject.toml").write_text(
            "[tool.pytest.ini_options]\n"
            "testpaths = ['cases']\n"
            "addopts = ['-q', '-m', 'not long']\n"
            "markers = ['long: x', 'smoke: x']\n"
        )

    def test(self, *options: str) -> tuple[set[str], str]:
        """The tests that ran, and the last line."""
        _, *command = run_path(str(ROOT / "run.py"))["COMMANDS"]["test"]
        done = subprocess.run(
            [sys.executable, *command, "-n", "0", "-rA", *options],
            cwd=self._folder,
            env={"PYTHONPATH": str(ROOT), "PATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return set(re.findall(r"^PASSED \S+::(\S+)$", done.stdout, re.MULTILINE)), done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("project"))


def test_the_daily_run_and_its_rest_are_everything(project: Project) -> None:
    """In several processes and in one; the rest is that of the run before, whatever the day."""
    daily, said = project.test("-n", "2", "--slice-seed", "1000003")
    assert said == (
        f"This was the daily run: all 2 fast tests, and {len(daily) - 2} of 21 slow ones (slice "
        f"{1000003 % SLICES + 1} of {SLICES}, --slice-seed 1000003). Everything: python3 run.py test --all"
    )
    assert {"test_one", "test_two[0]", "test_always"} < daily
    rest, said = project.test("--rest")
    assert said == f"This was what the daily run with --slice-seed 1000003 leaves out: {len(rest)} tests."
    everything, said = project.test("--all")
    assert said == "This was everything: 23 tests."
    assert not daily & rest
    assert daily | rest == everything
    assert "test_night" not in everything


def test_a_day_has_its_slice(project: Project) -> None:
    daily, said = project.test()
    seed = re.search(r"--slice-seed (\d+)\)", said)
    assert seed
    assert project.test("--slice-seed", seed[1]) == (daily, said)


@pytest.mark.parametrize(
    ("options", "count"), [(["cases/test_starting.py"], 21), (["-k", "test_it"], 20), (["-m", "long"], 1)]
)
def test_what_is_named_is_run_whole(project: Project, options: list[str], count: int) -> None:
    names, said = project.test(*options)
    assert len(names) == count
    assert re.match(rf"{count} passed", said)


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_computes_for_long_is_noted(project: Project, tmp_path: Path, workers: str) -> None:
    file = tmp_path / "slow.txt"
    file.write_text("cases/test_quick.py::test_one\ncases/test_other.py::test_not_run\n")
    project.test("-n", workers, "cases/test_quick.py", "--note-slow", str(file))
    assert file.read_text().split() == ["cases/test_other.py::test_not_run", "cases/test_quick.py::test_two"]

"""The run of `python3 run.py test`: all tests of the fast rooms, and of the slow ones a slice that changes every day.

    python3 run.py test                     the daily run; its last line says what it ran
    python3 run.py test --slice-seed 7      the same with the slice of another day
    python3 run.py test --rest              what the last daily run left out
    python3 run.py test --all               everything
    python3 run.py test tests/rules -k sow  exactly what is named: paths, `-k`, `-m` and `--lf` are never sliced

A test is slow if what it calls starts a browser, a server, a database server or another process, or if it is noted in
`slow_tests.txt` because it computes for a tenth of a second and more; `python3 run.py test --all --note-slow
tests/slow_tests.txt` notes them anew. Of the slow tests of each file one in `SLICES` is run. The seed says which. It is
the number of the day: runs of one day are alike, so that a fault is tried again once it is mended, and `SLICES` days in
a row run everything, with or without a repository. Tests with the mark `smoke` are in every run.
"""

from __future__ import annotations

import datetime
import inspect
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from zlib import crc32

import pytest

SLICES = 20
"""Days in which everything is run."""
USUAL_MARKS = "not long"
"""What the configuration gives to `-m`."""
LAST = "daily_run/slice_seed"
"""Where the cache of pytest has the seed of the last daily run."""
PART = "part_of_the_tests"
"""The plugin's name while a part is run."""
NOTED = Path(__file__).with_name("slow_tests.txt")
LEAST = 0.1
"""Seconds of the processor from which on a test is noted as slow."""
STARTING_PACKAGES = {"subprocess", "multiprocessing", "_posixsubprocess"}
STARTING_CALLS = {"postgresql_database", "fork", "forkpty"}
STARTING_FIXTURES = {"browser"}
"""What starts something beside the test's own process, or uses something that was started for all."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a run takes of the tests.

    Attributes:
        part: "daily", "rest" or "all".
        fast: how many fast tests.
        slow: how many slow ones.
        all_slow: of so many.
        seed: which slice of them is that of the daily run.
    """

    part: str
    fast: int
    slow: int
    all_slow: int
    seed: int

    def __str__(self) -> str:
        if self.part == "all":
            return f"This was everything: {self.fast + self.slow} tests."
        if self.part == "rest":
            return f"This was what the daily run with --slice-seed {self.seed} leaves out: {self.slow} tests."
        return (
            f"This was the daily run: all {self.fast} fast tests, and {self.slow} of {self.all_slow} slow ones (slice "
            f"{self.seed % SLICES + 1} of {SLICES}, --slice-seed {self.seed}). Everything: python3 run.py test --all"
        )


def in_slice(names: Iterable[str], seed: int) -> set[str]:
    """One in `SLICES` of these tests, as evenly over their files as can be; `SLICES` seeds in a row have them all."""
    files = defaultdict[str, list[str]](list)
    for name in names:
        files[name.partition("::")[0]].append(name)
    return {
        name
        for file, tests in files.items()
        for rank, name in enumerate(sorted(tests, key=lambda name: (crc32(name.encode()), name)))
        if (rank + crc32(file.encode())) % SLICES == seed % SLICES
    }


def function_of(name: str) -> str:
    """The name of a test without its parameters."""
    return name.partition("[")[0]


@cache
def noted(file: Path) -> frozenset[str]:
    """The functions that the file names."""
    return frozenset(file.read_text(encoding="utf-8").split())


def is_slow(item: pytest.Item) -> bool:
    """Whether a test, or a fixture that it uses, starts anything, or is noted as slow."""
    if function_of(item.nodeid) in noted(NOTED) or not STARTING_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
        return True
    fixtures = getattr(item, "_fixtureinfo", None)
    used = [one.func for found in fixtures.name2fixturedefs.values() for one in found] if fixtures else []
    return any(starts(function) for function in (getattr(item, "function", None), *used))


def starts(thing: object) -> bool:
    """Whether a function of the tests starts anything, or calls one that does; a class, if one of its methods does."""
    thing = inspect.unwrap(thing) if callable(thing) else thing
    home = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    if str(home).partition(".")[0] in STARTING_PACKAGES:
        return True
    if id(thing) not in _known:
        _known[id(thing)] = False  # until it is known, and where it calls itself
        ours = str(home).startswith("tests.") or str(home).rpartition(".")[2].startswith("test_")
        if ours and isinstance(thing, type):
            _known[id(thing)] = any(starts(one) for base in thing.__mro__[:-1] for one in vars(base).values())
        elif ours and isinstance(thing, FunctionType):
            _known[id(thing)] = any(_names_something_that_starts(code, thing) for code in _codes(thing.__code__))
    return _known[id(thing)]


_known: dict[int, bool] = {}


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _names_something_that_starts(code: CodeType, function: FunctionType) -> bool:
    names = set(code.co_names)
    imported = [vars(sys.modules[name]) for name in names if name.startswith("tests.") and name in sys.modules]
    return not STARTING_CALLS.isdisjoint(names) or any(
        name in space and starts(space[name]) for name in names for space in (function.__globals__, *imported)
    )


def choose(items: Sequence[pytest.Item], part: str, seed: int) -> tuple[list[pytest.Item], Chosen]:
    """The tests of a part, in the order they had."""
    slow = {item.nodeid for item in items if is_slow(item)}
    daily = in_slice(slow, seed) | {item.nodeid for item in items if item.get_closest_marker("smoke")}
    taken = [
        item
        for item in items
        if part == "all" or (part == "daily") == (item.nodeid not in slow or item.nodeid in daily)
    ]
    of_slow = sum(item.nodeid in slow for item in taken)
    return taken, Chosen(part, len(taken) - of_slow, of_slow, len(slow), seed)


def names_tests(config: pytest.Config) -> bool:
    """Whether the command says itself which tests it wants."""
    option = config.option
    return bool(
        config.args_source is pytest.Config.ArgsSource.ARGS
        or option.keyword
        or option.markexpr not in ("", USUAL_MARKS)
        or option.lf
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("the daily run")
    group.addoption("--all", action="store_const", const="all", default="daily", dest="part", help="run every test")
    group.addoption("--rest", action="store_const", const="rest", dest="part", help="run what a daily run leaves out")
    group.addoption("--slice-seed", type=int, metavar="N", help="which slice of the slow tests; the day by default")
    group.addoption("--note-slow", type=Path, metavar="FILE", help="write down which tests are slow by themselves")


class _Noting:
    """Measures what tests take in their own processes, and writes down the slow ones; those that did not run stay."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._begun = 0.0
        self._seconds = defaultdict[str, list[float]](list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self._begun = sum(os.times()[:4])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        yield
        item.user_properties.append(("processor", sum(os.times()[:4]) - self._begun))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, seconds in report.user_properties if report.when == "teardown" else ():
            if name == "processor" and isinstance(seconds, float):
                self._seconds[function_of(report.nodeid)].append(seconds)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            return
        before = noted(self._file) if self._file.exists() else frozenset()
        slow = {name for name, seconds in self._seconds.items() if sum(seconds) / len(seconds) >= LEAST}
        names = sorted(slow | (before - set(self._seconds)))
        self._file.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def again(config: pytest.Config) -> str:
    """The options that choose the same tests once more."""
    if not (part := config.pluginmanager.get_plugin(PART)):
        return ""
    return {"daily": "", "rest": " --rest", "all": " --all"}[part.part] + f" --slice-seed {part.seed}"


def pytest_configure(config: pytest.Config) -> None:
    if config.option.note_slow:
        config.pluginmanager.register(_Noting(config.option.note_slow))
    if not names_tests(config):
        config.pluginmanager.register(_Part(config), PART)


class _Part:
    """Leaves out what is not chosen, and says so at the very end."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.part: str = config.option.part
        self._chosen: Chosen | None = None
        self.seed: int = config.workerinput["slice_seed"] if hasattr(config, "workerinput") else self._given()

    def _given(self) -> int:
        """The seed of the command, of the daily run whose rest is wanted, or of the day."""
        if self._config.option.slice_seed is not None:
            return int(self._config.option.slice_seed)
        today = datetime.date.today().toordinal()
        if self.part != "rest" or not (cache := getattr(self._config, "cache", None)):
            return today
        return int(cache.get(LAST, today))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist, which may start after midnight."""
        node.workerinput["slice_seed"] = self.seed

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        every = list(items)
        items[:], self._chosen = choose(every, self.part, self.seed)
        taken = {item.nodeid for item in items}
        self._config.hook.pytest_deselected(items=[item for item in every if item.nodeid not in taken])
        if hasattr(self._config, "workerinput"):
            self._config.workeroutput["chosen"] = asdict(self._chosen)  # type: ignore[attr-defined]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Hear from a worker of pytest-xdist what all of them have chosen."""
        if "chosen" in (told := getattr(node, "workeroutput", {})):
            self._chosen = Chosen(**told["chosen"])

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        terminal = config.pluginmanager.get_plugin("terminalreporter")
        if self._chosen and terminal and not hasattr(config, "workerinput"):
            terminal.write_line(str(self._chosen))
            if self.part == "daily" and (cache := getattr(config, "cache", None)):
                cache.set(LAST, self.seed)

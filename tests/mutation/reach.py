"""Which tests reach which line: a coverage run with a context for each test, child processes included.

The map is kept in `.mutation/`, by file of tests. A file of tests is measured again when it has changed, and when
a source that it reached has.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.mutation.operators import function_lines
from tests.mutation.rooms import PACKAGE, ROOMS, ROOT, SOURCE, STATE, sources

MAP = STATE / "map.json"
CONFIGURATION = "configuration"
FOLDER = "KORGOOL_MUTATION_FOLDER"
"""Names in the environment the folder that `measuring.py` writes to."""

_CONFIGURATION = """
[run]
source = {source}
data_file = {folder}/child
parallel = true
sigterm = true
context = ${{KORGOOL_MUTATION_CONTEXT}}
disable_warnings = no-data-collected
"""


@dataclass(slots=True)
class TestFile:
    """What the tests of one file reach.

    Attributes:
        digest: of the file when it was measured.
        seconds: that each test took, with its set-up, by its name after the file's.
        lines: by source, its digest and by line the tests that run it. The empty name stands for all tests of the file:
            a process that a fixture has started runs for more than one.
    """

    digest: str
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, tuple[str, dict[int, list[str]]]] = field(default_factory=dict)


class Reach:
    """The map."""

    def __init__(self, files: dict[str, TestFile]) -> None:
        self._files = files
        self._functions: dict[Path, set[int]] = {}

    def tests(self, source: Path, line: int) -> list[tuple[str, float]]:
        """The tests that run a line, with their seconds.

        What runs on import only is tried by all tests that call anything of the file or anything else in its folder.
        """
        called = self._called(source)
        found = self._running(source, {line} if line in called else called)
        if line not in called:
            for file in source.parent.glob("*.py"):
                found |= self._running(file, self._called(file))
        return sorted(found.items(), key=lambda item: item[1])

    def _called(self, source: Path) -> set[int]:
        if source not in self._functions:
            self._functions[source] = function_lines(source.read_text(encoding="utf-8"))
        return self._functions[source]

    def _running(self, source: Path, wanted: set[int]) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, tested in self._files.items():
            _, lines = tested.lines.get(_name(source), ("", {}))
            reached = {test for number in wanted for test in lines.get(number, ())}
            for test in tested.seconds if "" in reached else reached:
                if test in tested.seconds:
                    found[f"{name}::{test}"] = tested.seconds[test]
        return found


def load(rooms: Iterable[str], *, workers: int) -> Reach:
    """The map of what the tests of these rooms reach; what has changed since it was made is measured first."""
    known: dict[str, TestFile] = {}
    if MAP.exists():
        for name, kept in json.loads(MAP.read_text()).items():
            lines = {
                source: (digest, {int(line): tests for line, tests in found.items()})
                for source, (digest, found) in kept["lines"].items()
            }
            known[name] = TestFile(kept["digest"], kept["seconds"], lines)
    now = {_name(file): _digest(file) for room in ROOMS for file in sources(room)}
    STATE.mkdir(exist_ok=True)
    wanted = []
    for room in rooms:
        files = [_name(file) for folder in ROOMS[room].tests for file in _test_files(ROOT / folder)]
        wanted += files
        if stale := [name for name in files if name not in known or _has_changed(name, known[name], now)]:
            print(f"measuring what {len(stale)} files of tests reach", file=sys.stderr, flush=True)
            known.update(_measure(stale, now, workers))
            kept = {name: {"digest": it.digest, "seconds": it.seconds, "lines": it.lines} for name, it in known.items()}
            MAP.write_text(json.dumps(kept))
    return Reach({name: known[name] for name in wanted})


def _test_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("test_*.py"))


def _has_changed(name: str, known: TestFile, now: dict[str, str]) -> bool:
    if known.digest != _digest(ROOT / name):
        return True
    return any(now.get(source) != digest for source, (digest, _) in known.lines.items())


def _measure(names: list[str], now: dict[str, str], workers: int) -> dict[str, TestFile]:
    import coverage

    result = {name: TestFile(_digest(ROOT / name)) for name in names}
    with TemporaryDirectory() as folder:
        Path(folder, CONFIGURATION).write_text(_CONFIGURATION.format(source=PACKAGE, folder=folder))
        environment = {**os.environ, FOLDER: folder, "PYTHONPATH": str(SOURCE)}
        command = [sys.executable, "-m", "pytest", "-p", "tests.mutation.measuring", "-p", "no:cacheprovider"]
        subprocess.run(
            [*command, "-n", str(workers), "--dist", "loadfile", *names], cwd=ROOT, env=environment, check=False
        )
        for file in Path(folder).glob("seconds.*"):
            for entry in file.read_text().splitlines():
                whole, seconds = json.loads(entry)
                name, _, test = whole.partition("::")
                result[name].seconds[test] = seconds
        found: Any = defaultdict(lambda: defaultdict(lambda: defaultdict(set)))
        for file in [*Path(folder).glob("tests.*"), *Path(folder).glob("child*")]:
            data = coverage.CoverageData(basename=str(file))
            try:
                data.read()
            except coverage.CoverageException:  # of a process that was killed
                continue
            for source in data.measured_files():
                if (called := _name(Path(source))) in now:
                    for line, contexts in data.contexts_by_lineno(source).items():
                        for name, _, test in (context.partition("::") for context in contexts if context):
                            found[name][called][line].add(test)
        for name, by_source in found.items():
            for source, lines in by_source.items():
                result[name].lines[source] = (now[source], {line: sorted(tests) for line, tests in lines.items()})
        return result


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def files(tests: Iterable[str]) -> list[str]:
    """The files of tests, each once."""
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))

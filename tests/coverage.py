"""Line and branch coverage of every room: `python -m tests.coverage` runs the tests and prints a table.

Options go to pytest. The processes that tests start are counted too. What is missing stands in `.coverage.json`, line
by line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[1]
REPORT = ROOT / ".coverage.json"
LEAST = 90.0
"""Percent that every room must reach."""
APART = (
    "tests/mutation",
    "tests/competition/test_light.py",
    "tests/test_house.py::test_import_brings_no_heavy_module",
    "tests/tables/test_files.py::test_disk_full",
)
"""Tests that are left out: what they start runs other code than this, or must load or write nothing else."""


def room(file: str) -> str:
    """The room of a source: the folder in the package, and within the app the folder there."""
    parts = PurePosixPath(file).relative_to("src/korgool").parts[:-1]
    return "/".join(parts[: 2 if parts[:1] == ("app",) else 1]) or "korgool"


def table(report: dict[str, Any]) -> list[tuple[str, float, float]]:
    """Room, percent of lines, percent of branches, from a JSON report of coverage.py."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    names = "covered_lines", "num_statements", "covered_branches", "num_branches"
    for file, found in report["files"].items():
        for at, name in enumerate(names):
            sums[room(file)][at] += found["summary"][name]
    return [
        (name, 100 * lines / statements if statements else 100.0, 100 * taken / branches if branches else 100.0)
        for name, (lines, statements, taken, branches) in sorted(sums.items())
    ]


def main(arguments: list[str]) -> int:
    """Run the tests, combine what all processes have measured, and print the table."""

    def run(*words: str) -> int:
        return subprocess.run([sys.executable, "-m", "coverage", *words], cwd=ROOT, check=False).returncode

    run("erase")
    left_out = [f"--deselect={test}" for test in APART]
    status = run("run", "-m", "pytest", "-n", "3", "--dist", "worksteal", *left_out, *arguments)
    run("combine", "--quiet")
    run("json", "--quiet", "-o", str(REPORT))
    rows = table(json.loads(REPORT.read_text()))
    print("| room | lines, % | branches, % |\n|---|---|---|")
    for name, lines, branches in rows:
        print(f"| `{name}` | {lines:.1f} | {branches:.1f} |")
    return status or int(any(min(lines, branches) < LEAST for _, lines, branches in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Builds everything that is published of a version: `python3 run.py wheels [--to FOLDER] [--only TARGET]... [--twice]`.

A wheel for each target of the build hook and the source distribution, all from this machine by the compiler in the
ziglang wheel; each library is looked at by its file and run where something here runs it (`release/runners.sh`). The
bill of materials and the sums come with them. With `--twice` everything is built once more, in a copy of the sources
elsewhere, and has to have the same bytes. Ends with a table, and with status 1 if anything is wrong. The time of every
entry is SOURCE_DATE_EPOCH, or the usual one of hatch.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from hatch_build import TARGETS, here
from release import materials, trial
from release.building import ROOT, build, together
from release.libraries import LARGEST_WHEEL, extract, faults

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "dist", "build", "__pycache__", "_build", ".*_cache", ".hypothesis", ".mutation"
)


@dataclass
class Row:
    """A line of the table: what was built, and what was found out about it."""

    name: str
    path: Path
    seconds: float
    run: str = "–"
    wrong: list[str] = field(default_factory=list)


class Progress:
    """Lines about what is done, each with its place in the whole and the time since the beginning."""

    def __init__(self, steps: int) -> None:
        self._steps, self._done, self._begun = steps, 0, time.monotonic()

    def done(self, what: str) -> None:
        """A step is done."""
        self._done += 1
        seconds = time.monotonic() - self._begun
        print(
            f"{self._done} of {self._steps}, {seconds // 60:.0f} min {seconds % 60:02.0f} s: {what}",
            file=sys.stderr,
            flush=True,
        )


def inspect(row: Row, expected: str | None, scratch: Path) -> None:
    """Note in a row what a built wheel's library is, and what it plays."""
    target = TARGETS[row.name]
    library = extract(row.path, scratch / row.name)
    row.wrong += faults(library, target)
    if row.path.stat().st_size > LARGEST_WHEEL:
        row.wrong.append(f"the wheel has more than {LARGEST_WHEEL} bytes")
    try:
        row.run = "plays another game"
        if trial.played(row.name, library, scratch) == expected:
            row.run = "plays the same"
        elif expected is not None:
            row.wrong.append("the driver prints something else than the reference")
        else:
            row.run = "plays, nothing to compare with"
    except trial.CannotRunError as error:
        row.run = f"not run: {error}"
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        row.run = "fails"
        row.wrong.append(str(error))


def same_again(rows: list[Row], scratch: Path, progress: Progress) -> None:
    """Build everything a second time in a copy of the sources, and note in the rows what has other bytes."""
    copy = scratch / "a copy" / "of the sources"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    known = {row.name: row for row in rows}

    def compare(name: str) -> Row:
        row, again = known[name], build(name, scratch / "again", copy)
        if again.name != row.path.name or again.read_bytes() != row.path.read_bytes():
            row.wrong.append("a second build has other bytes")
        progress.done(f"{name} built again")
        return row

    together(compare, known)


def described(paths: list[Path]) -> list[str]:
    """What twine finds wrong with the descriptions."""
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


def main(arguments: list[str]) -> int:
    """Build, look, run and tell."""
    names = [*TARGETS, "sdist"]
    parser = argparse.ArgumentParser(prog="run.py wheels", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="where the files go (dist)")
    parser.add_argument("--only", action="append", choices=names, help="one target; may be given several times")
    parser.add_argument("--twice", action="store_true", help="build everything twice and compare the bytes")
    options = parser.parse_args(arguments)
    to: Path = options.to.resolve()
    with tempfile.TemporaryDirectory(prefix="korgool-wheels-") as folder:
        scratch = Path(folder)
        try:
            expected = trial.reference(scratch)
        except trial.CannotRunError:
            expected = None
        wanted = options.only or names
        progress = Progress(len(wanted) * (2 if options.twice else 1))

        def made(name: str) -> Row:
            begun = time.monotonic()
            row = Row(name, build(name, to), time.monotonic() - begun)
            if name != "sdist":
                inspect(row, expected, scratch)
            progress.done(f"{name} built and looked at" + (f", {row.run}" if name != "sdist" else ""))
            return row

        print(f"building {', '.join(wanted)}", file=sys.stderr, flush=True)
        rows = together(made, wanted)
        if options.twice:
            same_again(rows, scratch, progress)
    wrong = described([row.path for row in rows])
    fitting = [row.path for row in rows if TARGETS.get(row.name) is here() is not None]
    if fitting:
        print(f"listing what is needed in {materials.write(fitting[0], to).name}", file=sys.stderr, flush=True)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(r.path for r in rows)]
    (to / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print(f"{'target':16}{'bytes':>9}  {'s':>4}  {'run':44}file")
    for row in rows:
        print(f"{row.name:16}{row.path.stat().st_size:9}  {row.seconds:4.0f}  {row.run:44}{row.path.name}")
        wrong += [f"{row.name}: {fault}" for fault in row.wrong]
    print(
        *wrong or ["nothing is wrong" + (", and a second build has the same bytes" if options.twice else "")], sep="\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

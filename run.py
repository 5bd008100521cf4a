#!/usr/bin/env python3
"""Set up and run Korgool with nothing but Python 3.11 or newer.

python3 run.py serve             play in the browser; any other korgool command works the same way
python3 run.py test [options]    the tests of the day, some minutes; `--all` for every test; other options go to pytest
python3 run.py docs              the manual, into docs/_build/html
python3 run.py wheels [options]  what is published of a version, for every platform, into dist
python3 run.py windows ZIP       a folder for Windows without Python; ZIP is its embeddable package

The first call makes `.venv` beside this file and installs there what the command needs, which takes a minute or two;
later calls start at once, and install again only when pyproject.toml, the build hook or the kernel has changed. It
needs no root, no compiler and no activated environment.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TextIO

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXTRAS = {"test": ["test"], "docs": ["docs"], "wheels": ["release"], "windows": ["release"]}
USUAL = ["serve", "event"]
"""What the pages of `serve` need, events with their pairings among them; nearly all other commands need no more."""
WITHIN = {
    "test": ["all", "postgresql", "queue", "nats", "rl", "cluster", "docs"],
    "docs": ["all"],
    "all": ["event", "metrics", "print", "push", "serve"],
}
"""Extras that others bring along."""
PHASES = {
    "Installing build dependencies": "fetching what compiles the kernel",
    "Collecting ": "fetching packages",
    "Building editable": "compiling the kernel",
    "Building wheel": "compiling the kernel",
    "Installing collected packages": "installing packages",
}
"""What a line of pip says, by its beginning, in words for people."""
COMMANDS = {
    "test": ["python", "-m", "pytest", "-n", "3", "--dist", "worksteal", "-p", "tests.daily_run"],
    "wheels": ["python", "-m", "release.wheels"],
    "windows": ["python", "-m", "release.windows"],
    "docs": ["python", "-m", "sphinx", "-E", "-W", "-b", "html", "docs", "docs/_build/html"],
}


def main(arguments: list[str]) -> int:
    """Set up what the command needs and become it."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this script meets older Pythons before pip does
        print(f"korgool needs Python 3.11 or newer, this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    if not arguments or arguments[0] in {"-h", "--help"}:
        print(__doc__)
        return 0 if arguments else 2
    name, *rest = arguments
    try:
        set_up(EXTRAS.get(name, USUAL))
    except subprocess.CalledProcessError as error:
        print(f"setting up failed at: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"setting up failed: {error}; this folder must be writable", file=sys.stderr)
        return 1
    program, *options = COMMANDS.get(name, ["korgool", name])
    command = [str(BIN / program), *options, *rest]
    if name in COMMANDS:
        os.chdir(ROOT)
    if os.name != "nt":
        os.execv(command[0], command)
    return subprocess.run(command, check=False).returncode


def set_up(extras: list[str]) -> None:
    """Make `.venv` and install the project with these extras, unless that is done already."""
    done = VENV / "korgool-setup"
    before = done.read_text().split() if done.exists() else []
    wanted = fingerprint()
    if before and before[0] == wanted and set(extras) <= with_within(before[1:]):
        return
    begun = time.monotonic()
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        say("the first call installs everything that it needs into .venv, which takes a minute or two")
        say("making .venv")
        # ensurepip is a separate package on some systems, so pip comes from the calling Python and stays there
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(VENV)], check=True)
    kept = sorted({*before[1:], *extras})
    kept = [extra for extra in kept if extra not in with_within(other for other in kept if other != extra)]
    say(f"installing korgool [{', '.join(kept)}]")
    done.unlink(missing_ok=True)
    pip = [sys.executable, "-m", "pip", "--python", str(VENV), "--disable-pip-version-check", "install"]
    # Python compiles what it imports when it first does so: a fifth of the time and of the space is saved.
    told([*pip, "--no-compile", "--progress-bar", "off", "-e", f"{ROOT}[{','.join(kept)}]"])
    done.write_text(" ".join([wanted, *kept]))
    say(f"ready after {time.monotonic() - begun:.0f} s")


def with_within(extras: Iterable[str]) -> set[str]:
    """Extras with those that they bring along."""
    return {each for extra in extras for each in (extra, *with_within(WITHIN.get(extra, [])))}


def told(pip: list[str], every: float = 10) -> None:
    """Run pip, say what it is doing when that changes, and at regular intervals that it is still doing it.

    Raises:
        subprocess.CalledProcessError: it failed; what it said last is printed before.
    """
    begun, phase, fetched = time.monotonic(), "", 0
    lines: SimpleQueue[str | None] = SimpleQueue()
    said: list[str] = []

    def read(output: TextIO) -> None:
        for line in output:
            lines.put(line)
        lines.put(None)

    with subprocess.Popen(pip, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout
        Thread(target=read, args=[process.stdout], daemon=True).start()
        while True:
            try:
                line = lines.get(timeout=every)
            except Empty:
                say(
                    f"still {phase or 'at it'} after {time.monotonic() - begun:.0f} s"
                    + (f", {fetched} so far" if phase == "fetching packages" else "")
                )
                continue
            if line is None:
                break
            said.append(line)
            fetched += line.startswith("Collecting ")
            now = next((words for begin, words in PHASES.items() if line.strip().startswith(begin)), phase)
            if now != phase:
                phase = now
                say(phase)
    if process.returncode:
        print(*said[-20:], sep="", file=sys.stderr)
        raise subprocess.CalledProcessError(process.returncode, pip)


def fingerprint() -> str:
    """A hash of everything that an installed environment depends on."""
    digest = hashlib.sha256(sys.version.encode())
    for path in [ROOT / "pyproject.toml", ROOT / "hatch_build.py", *sorted((ROOT / "kernel").glob("*.[ch]"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def say(text: str) -> None:
    """A line about the progress, apart from the output of the command."""
    print(f"run.py: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

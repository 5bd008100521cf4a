#!/usr/bin/env python3
"""Set up and run Korgool with nothing but Python 3.11 or newer.

python3 run.py serve             play in the browser; any other korgool command works the same way
python3 run.py test [options]    the tests of the day, some minutes; `--all` for every test; other options go to pytest
python3 run.py docs              the manual, into docs/_build/html
python3 run.py wheels [options]  what is published of a version, for every platform, into dist
python3 run.py windows ZIP       a folder for Windows without Python; ZIP is its embeddable package

The first call makes `.venv` beside this file and installs the project there; later calls start at once, and install
again only when pyproject.toml, the build hook or the kernel has changed. It needs no root, no compiler and no
activated environment.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXTRAS = {"test": ["all", "test"], "docs": ["all", "docs"], "wheels": ["release"], "windows": ["release"]}
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
        set_up(EXTRAS.get(name, ["all"]))
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
    if before and before[0] == wanted and set(extras) <= set(before[1:]):
        return
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        say("making .venv")
        # ensurepip is a separate package on some systems, so pip comes from the calling Python and stays there
        patiently([sys.executable, "-m", "venv", "--without-pip", str(VENV)])
    kept = sorted({*before[1:], *extras})
    say("installing korgool" + (f" [{', '.join(kept)}]" if kept else "") + ", this takes half a minute")
    target = f"{ROOT}[{','.join(kept)}]" if kept else str(ROOT)
    done.unlink(missing_ok=True)
    pip = [sys.executable, "-m", "pip", "--python", str(VENV), "--disable-pip-version-check", "install", "-q"]
    patiently([*pip, "-e", target])
    done.write_text(" ".join([wanted, *kept]))


def patiently(command: list[str], every: float = 10) -> None:
    """Run a command, and report at regular intervals that it is still running.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    begun = time.monotonic()
    with subprocess.Popen(command) as process:
        while True:
            try:
                status = process.wait(every)
                break
            except subprocess.TimeoutExpired:
                say(f"still at it after {time.monotonic() - begun:.0f} s")
    if status:
        raise subprocess.CalledProcessError(status, command)


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

"""The first steps of new users, from nothing: `python benchmarks/walks.py [--only WALK]... [--of COMMIT]`.

Each walk has a fresh clone, an empty home and no variables but PATH and what tells pip and uv where packages come from.
Printed are its commands, the processor seconds of all its processes, the seconds by the clock, and the megabytes that
it leaves on the disk beside the clone's own. Nothing is kept. It takes ten minutes on a quiet machine, and all walks
need the network; uv and pipx are installed for the walks that use them, which is not counted.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
KEPT = ("PATH", "LANG", "SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy")
PATIENCE = 1800


@dataclass(frozen=True)
class Walk:
    """What somebody types in the folder of the project, one command after the other.

    Attributes:
        commands: as a shell reads them; `serve` with a port and a data folder is waited for, asked for its first page,
            and ended.
        tools: packages with the tools that the person has already.
    """

    who: str
    commands: tuple[str, ...]
    tools: tuple[str, ...] = field(default=())


GAME = "f1e2 d2e1 i1a2 b2i1 b1g2 f2e1"
WALKS = {
    "player": Walk("plays in the browser", ("python3 run.py serve --port {port} --data {home}/games",)),
    "developer": Walk("sets up and runs the tests of one room", ("python3 run.py test tests/rules -n 0",)),
    "library": Walk(
        "uses the rules from a wheel",
        (
            "python3 -m pip wheel -q --no-deps -w {home}/wheels .",
            "python3 -m venv {home}/venv",
            "{home}/venv/bin/pip install -q {home}/wheels/*.whl",
            "{home}/venv/bin/python -c 'import korgool; print(korgool.TOGUZ_KORGOOL.start().sow(7).taken)'",
            f"echo '{GAME}' | {{home}}/venv/bin/korgool replay - --json",
        ),
    ),
    "pipx": Walk(
        "installs the command",
        ("pipx install -q '.[all]'", "{home}/.local/bin/korgool serve --port {port} --data {home}/games"),
        ("pipx",),
    ),
    "uv": Walk(
        "installs the command by uv",
        ("uv tool install -q '.[all]'", "{home}/.local/bin/korgool serve --port {port} --data {home}/games"),
        ("uv",),
    ),
    "operator": Walk(
        "runs a server of their own",
        (
            "python3 -m venv {home}/korgool",
            "{home}/korgool/bin/pip install -q '.[all,postgresql,queue,nats]'",
            "{home}/korgool/bin/korgool serve --port {port} --data {home}/games",
            "{home}/korgool/bin/korgool doctor --data {home}/games --port {port}",
            "{home}/korgool/bin/korgool backup --data {home}/games {home}/backup.tar",
        ),
    ),
    "arbiter": Walk(
        "runs a competition in one file",
        (
            "python3 run.py event new {home}/cup.korgool --name Cup --rounds 3",
            "printf 'name\\nAida\\nBek\\nChyngyz\\nDana\\n' > {home}/players.csv",
            "python3 run.py event import {home}/cup.korgool {home}/players.csv",
            "python3 run.py event pair {home}/cup.korgool",
            "python3 run.py event print {home}/cup.korgool pairings -o {home}/pairings.pdf",
        ),
    ),
    "reader": Walk("builds the manual", ("python3 run.py docs",)),
}


def megabytes(*folders: Path) -> float:
    """What files take on the disk, each once."""
    seen = {}
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                told = path.stat()
                seen[told.st_ino] = told.st_blocks * 512
    return sum(seen.values()) / 1e6


def served(command: str, port: int, **how: object) -> int:
    """Start a server, fetch its first page, end it; the status of the command, 1 if no page came."""
    answered = False
    with subprocess.Popen(["bash", "-c", f"exec {command}"], start_new_session=True, **how) as process:  # type: ignore[call-overload]
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            try:
                urlopen(f"http://127.0.0.1:{port}/", timeout=30).read()
                answered = True
                break
            except (URLError, OSError):
                time.sleep(0.3)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        status = int(process.wait(60))
    if status in (0, -signal.SIGINT, 130):
        return 0 if answered else 1
    return status


def taken(name: str, commit: str, scratch: Path, tools: dict[str, Path]) -> tuple[str, bool]:
    """The line of a walk, and whether all its commands did what they should."""
    walk, home, clone = WALKS[name], scratch / name / "home", scratch / name / "korgool"
    home.mkdir(parents=True)
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    subprocess.run(["git", "-C", str(clone), "checkout", "-q", commit], check=True)
    before = megabytes(clone)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {key: value for key, value in os.environ.items() if key in KEPT or key.startswith(("PIP_", "UV_"))}
    path = os.pathsep.join([*(str(tools[tool] / "bin") for tool in walk.tools), kept.get("PATH", os.defpath)])
    env = {**kept, "PATH": path, "HOME": str(home)}
    begun, usage = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    failed = ""
    log = scratch / name / "log"
    with log.open("wb") as output:
        for typed in walk.commands:
            command = typed.format(home=shlex.quote(str(home)), port=port)
            how = {"cwd": clone, "env": env, "stdout": output, "stderr": output, "stdin": subprocess.DEVNULL}
            if " serve " in command:
                status = served(command, port, **how)
            else:
                status = subprocess.run(["bash", "-c", command], check=False, **how).returncode  # type: ignore[call-overload]
            if status:
                failed = f"{command} ended with {status}: {log.read_text(errors='replace')[-1500:]}"
                break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime
    clock, size = time.monotonic() - begun, megabytes(clone, home) - before
    shutil.rmtree(scratch / name)
    line = f"{name:10}{len(walk.commands):9}{cpu:9.0f}{clock:9.0f}{size:8.0f}   {walk.who}"
    return (f"{line}: {failed}" if failed else line), not failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--only", action="append", choices=WALKS, help="one walk; may be given several times")
    parser.add_argument("--of", default="HEAD", metavar="COMMIT", help="the commit that is walked (HEAD)")
    options = parser.parse_args()
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", options.of], check=True, capture_output=True, text=True
    ).stdout.strip()
    names = options.only or list(WALKS)
    well = True
    with tempfile.TemporaryDirectory(prefix="korgool-walks-") as folder:
        scratch, tools = Path(folder), dict[str, Path]()
        for tool in sorted({tool for name in names for tool in WALKS[name].tools}):
            tools[tool] = scratch / f"tool {tool}"
            subprocess.run([sys.executable, "-m", "venv", str(tools[tool])], check=True)
            subprocess.run([str(tools[tool] / "bin" / "pip"), "install", "-q", tool], check=True)
        print(f"{'walk':10}{'commands':>9}{'CPU s':>9}{'clock s':>9}{'MB':>8}")
        for name in names:
            line, good = taken(name, commit, scratch, tools)
            print(line, flush=True)
            well &= good
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())

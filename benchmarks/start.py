"""Cold starts against a bare `python -c pass`: `korgool --help`, `import korgool`, the first `bestmove`, a server.

Run as `python benchmarks/start.py [--runs N] [--server]`. Each time is the least of N runs, taken in turns so that a
busy machine slows all of them alike. Of a server it is processor time: until it has printed its address, until it has
answered the first request for a page, on new tables and on those of the start before, and until it has done what can
wait. `--server` measures nothing else.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PROGRAM = [sys.executable, "-m", "korgool"]
CASES: dict[str, tuple[list[str], str]] = {
    "python -c pass": ([sys.executable, "-c", "pass"], ""),
    "import korgool": ([sys.executable, "-c", "import korgool"], ""),
    "import click": ([sys.executable, "-c", "import click"], ""),
    "korgool --help": ([*PROGRAM, "--help"], ""),
    "korgool perft 4": ([*PROGRAM, "perft", "4"], ""),
    "first bestmove (depth 4)": ([*PROGRAM, "engine"], "go depth 4\nquit\n"),
    "first bestmove (10 ms)": ([*PROGRAM, "engine"], "position startpos\ngo movetime 10\n"),
}
TARGETS = {"first bestmove (10 ms)": 0.3, "import korgool": 0.03}
"""Seconds; that of the import is above a bare start."""


def seconds(command: list[str], text: str) -> float:
    """From the start of a process to its first `bestmove`, or to its end where nothing is said to it."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(text)
        process.stdin.flush()
        if not text:
            process.stdin.close()
            process.stdout.read()
            process.wait()
            return time.perf_counter() - began
        for line in process.stdout:
            if line.startswith("bestmove"):
                break
        took = time.perf_counter() - began
        process.stdin.close()
        process.stdout.read()
    return took


STAGES = "answers, new tables", "first page, new tables", "answers", "first page", "all that can wait is done"


def server_seconds() -> list[float]:
    """Seconds of the processor at each of the stages."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for last in (False, True):
            command = [*PROGRAM, "serve", "--port", "0", "--data", folder]
            around = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=around) as process:
                assert process.stdout is not None
                address = process.stdout.readline().strip()
                found.append(used(process))
                urllib.request.urlopen(address).read()
                found.append(used(process))
                while last:
                    before = used(process)
                    time.sleep(1)
                    if used(process) - before < 0.05:
                        found.append(used(process))
                        break
                process.terminate()
    return found


def used(process: subprocess.Popen[str]) -> float:
    """Seconds of the processor that a process and its children have used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def measure_server(runs: int) -> None:
    """Print the least of each stage."""
    best = [min(stage) for stage in zip(*(server_seconds() for _ in range(runs)), strict=True)]
    for name, took in zip(STAGES, best, strict=True):
        print(f"server: {name:<26} {took:5.2f} s of processor time")


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--server", action="store_true")
    options = parser.parse_args()
    runs = options.runs
    measure_server(min(runs, 5))
    if options.server:
        return
    best = dict.fromkeys(CASES, float("inf"))
    for _ in range(runs):
        for name, (command, text) in CASES.items():
            best[name] = min(best[name], seconds(command, text))
    bare = best["python -c pass"]
    for name, took in best.items():
        target = f"  (target {TARGETS[name] * 1000:.0f} ms)" if name in TARGETS else ""
        print(f"{name:<26} {took * 1000:7.1f} ms  {took / bare:5.1f} × bare{target}")


if __name__ == "__main__":
    main()

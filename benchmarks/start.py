"""Cold starts against a bare `python -c pass`: `korgool --help`, `import korgool`, the first `bestmove`.

Run as `python benchmarks/start.py [--runs N]`. Each time is the least of N runs, taken in turns so that a busy machine
slows all of them alike.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

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


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
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

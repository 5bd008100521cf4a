"""Runs the kernel and its tests under the address and undefined behaviour sanitizers of gcc.

`python kernel/sanitize.py` builds a C driver that plays at random in heap memory, checks that an overrun is really
seen, then builds the shared library and runs `tests/kernel` against it with the sanitizers' runtimes preloaded into
Python. It takes about a minute. KORGOOL_KERNEL_SHARE is the part of the usual number of games, 0.1 unless told.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FLAGS = [
    *("-std=c11", "-O2", "-g", "-Wall", "-Wextra", "-fno-omit-frame-pointer"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
]
OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0", "UBSAN_OPTIONS": "print_stacktrace=1"}


def run(command: list[str], **environment: str) -> int:
    """Run a command in the project's root with the sanitizers' options; its exit status."""
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **OPTIONS, **environment}, check=False).returncode


def runtime(name: str) -> str:
    """Where gcc keeps the runtime library of a sanitizer."""
    done = subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return str(Path(done.stdout.strip()).resolve())


def main() -> int:
    """Build and run everything; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        driver, library = str(Path(folder, "driver")), str(Path(folder, "_korgool_kernel.so"))
        if run(["gcc", *FLAGS, "kernel/test/driver.c", "-o", driver]):
            return 1
        # With leaks looked for here, where Python's own do not disturb.
        if run([driver], ASAN_OPTIONS="detect_leaks=1"):
            return 1
        seen = subprocess.run([driver, "overrun"], env={**os.environ, **OPTIONS}, capture_output=True, check=False)
        if seen.returncode == 0 or b"AddressSanitizer" not in seen.stderr:
            print("the sanitizer does not see an overrun", file=sys.stderr)
            return 1
        sources = sorted(str(path) for path in (ROOT / "kernel").glob("*.c"))
        if run(["gcc", *FLAGS, "-fPIC", "-shared", "-fvisibility=hidden", *sources, "-o", library]):
            return 1
        python = {
            "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libubsan.so')}",
            "PYTHONMALLOC": "malloc",
            "PYTHONPATH": os.pathsep.join([folder, str(ROOT / "src")]),
            "KORGOOL_KERNEL_SHARE": os.environ.get("KORGOOL_KERNEL_SHARE", "0.1"),
        }
        which = f"import korgool.engine.kernel as k; assert k.library()._name == {library!r}, k.library()._name"
        if run([sys.executable, "-c", which], **python):
            return 1
        tests = [sys.executable, "-m", "pytest", "tests/kernel", "-p", "no:cacheprovider", "-k", "not wasm"]
        return run(tests, **python)


if __name__ == "__main__":
    sys.exit(main())

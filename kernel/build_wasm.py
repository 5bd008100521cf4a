"""Builds the kernel for browsers: `python kernel/build_wasm.py [OUTPUT]`, with the ziglang wheel of the test extra.

One version of ziglang gives the same bytes in every folder, so the file may stand in the repository; a test rebuilds
and compares it. `--check` does the same here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMITTED = ROOT / "src" / "korgool" / "app" / "static" / "kernel.wasm"
VERSION = "0.15.1"
FLAGS = [
    *("-target", "wasm32-freestanding", "-std=c11", "-O3", "-msimd128", "-mbulk-memory"),
    *("-nostdlib", "-fno-builtin", "-fvisibility=hidden", "-Wall", "-Wextra", "-s"),
    *("-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,--export=__heap_base", "-Wl,-z,stack-size=262144"),
]


def build(output: Path) -> None:
    """Compile `kernel/*.c` to a WebAssembly module.

    Raises:
        RuntimeError: ziglang is missing, of another version, or refuses.
    """
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": scratch, "ZIG_LOCAL_CACHE_DIR": scratch}
        zig = [sys.executable, "-m", "ziglang"]
        version = subprocess.run([*zig, "version"], env=environment, capture_output=True, text=True, check=False)
        if version.stdout.strip() != VERSION:
            raise RuntimeError(f"ziglang {VERSION} is needed: pip install ziglang=={VERSION}")
        # Relative names: the folder must leave no trace in the file.
        sources = sorted(f"kernel/{path.name}" for path in (ROOT / "kernel").glob("*.c"))
        command = [*zig, "cc", *FLAGS, "-o", str(output), *sources]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the kernel did not compile for WebAssembly:\n{done.stdout}{done.stderr}")


def main(arguments: list[str]) -> int:
    """Build the file, or with `--check` compare it."""
    if arguments == ["--check"]:
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder, "kernel.wasm"))
            same = Path(folder, "kernel.wasm").read_bytes() == COMMITTED.read_bytes()
        print("the committed file is what the sources give" if same else "the committed file is out of date")
        return 0 if same else 1
    output = Path(arguments[0]).resolve() if arguments else COMMITTED
    build(output)
    print(f"{output}: {output.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

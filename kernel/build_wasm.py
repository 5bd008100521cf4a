"""Builds the kernel for browsers: `python kernel/build_wasm.py [FOLDER]`, with the ziglang wheel of the test extra.

`kernel.wasm` has a memory of its own. `kernel-threads.wasm` takes one that workers share, for pages that browsers
isolate from other sites; each thread brings a stack of its own. One version of ziglang gives the same bytes in every
folder, so both files may stand in the repository. `kernel/wasm.json` holds the hash of the sources and of what they
gave: a test compares these in no time, and a long one rebuilds. `--check` does so here.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "korgool" / "app" / "static"
VERSION = "0.15.1"
FLAGS = [
    *("-target", "wasm32-freestanding", "-std=c11", "-O3", "-msimd128", "-mbulk-memory"),
    *("-nostdlib", "-fno-builtin", "-fvisibility=hidden", "-Wall", "-Wextra", "-s"),
    *("-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,--export=__heap_base", "-Wl,-z,stack-size=262144"),
]
# The memory comes from the page, which may give less than the most; the stack of a thread is set before its first call.
SHARED = [
    *("-matomics", "-Wl,--shared-memory", "-Wl,--import-memory", "-Wl,--export=__stack_pointer"),
    *("-Wl,--initial-memory=2097152", "-Wl,--max-memory=536870912"),
]
FILES: dict[str, list[str]] = {"kernel.wasm": [], "kernel-threads.wasm": SHARED}
HASHES = ROOT / "kernel" / "wasm.json"


def hashes(folder: Path) -> dict[str, str]:
    """What the files are made from, and the files in a folder: their SHA-256 in hexadecimal digits."""
    sources = hashlib.sha256(json.dumps([VERSION, FLAGS, FILES]).encode())
    for path in sorted((ROOT / "kernel").glob("*.[ch]")):
        sources.update(path.name.encode() + b"\0" + path.read_bytes())
    files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}
    return {"sources": sources.hexdigest(), **files}


def build(output: Path, flags: list[str]) -> None:
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
        command = [*zig, "cc", *FLAGS, *flags, "-o", str(output), *sources]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the kernel did not compile for WebAssembly:\n{done.stdout}{done.stderr}")


def main(arguments: list[str]) -> int:
    """Build the files, or with `--check` compare them."""
    if arguments == ["--check"]:
        with tempfile.TemporaryDirectory() as folder:
            different = []
            for name, flags in FILES.items():
                build(Path(folder, name), flags)
                if Path(folder, name).read_bytes() != (STATIC / name).read_bytes():
                    different.append(name)
        print(f"out of date: {', '.join(different)}" if different else "the committed files are what the sources give")
        return 1 if different else 0
    subprocess.run([sys.executable, str(ROOT / "kernel" / "generate.py")], check=True)
    target = Path(arguments[0]).resolve() if arguments else STATIC
    for name, flags in FILES.items():
        build(target / name, flags)
        print(f"{target / name}: {(target / name).stat().st_size} bytes")
    if target == STATIC:
        HASHES.write_text(json.dumps(hashes(STATIC), indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

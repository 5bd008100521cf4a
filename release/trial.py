"""Runs built libraries, each on its own platform or an emulation of it, and compares what they play.

A driver in C (`driver.c`), made by zig for the platform, loads the library as Python would, counts and searches in each
game and prints what came out. The reference is what the library that this Python has loaded prints in the same driver.
`release/runners.sh` installs what is asked for here: an emulator, C libraries of other platforms, Wine.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from hatch_build import TARGETS, here
from korgool.engine.kernel import library as loaded

ROOT = Path(__file__).parents[1]
NETWORKS = sorted((ROOT / "src" / "korgool" / "engine" / "networks").glob("*.kgn"))
PATIENCE = 900
"""Seconds that a run may take; on a quiet machine it is one, and Wine's first start a minute."""
_EMULATED = ROOT / "build" / "runners"
_CROSS = Path("/usr/aarch64-linux-gnu")


class CannotRunError(Exception):
    """Nothing here runs the platform; the message says what is missing."""


def runner(name: str) -> list[str]:
    """The command that a driver of a target is run by, empty for this machine.

    Raises:
        CannotRunError: there is none here.
    """
    native = sys.platform == "linux" and platform.machine() == name.rpartition("-")[2]
    if name.startswith("linux-") and native and here() is TARGETS[name]:
        return []
    if name == "linux-aarch64" and (_CROSS / "lib" / "libc.so.6").exists():
        return [_program("qemu-aarch64"), "-L", str(_CROSS)]
    if name.startswith("musl-"):
        machine = name.partition("-")[2]
        places = [folder / "lib" / f"ld-musl-{machine}.so.1" for folder in (Path("/"), _EMULATED)]
        loader = next((path for path in places if path.exists()), None)
        if loader is None:
            raise CannotRunError(f"no musl for {machine}")
        return [str(loader)] if native else [_program("qemu-aarch64"), str(loader)]
    if name == "windows-x86_64":
        return [_program("wine64", "/usr/lib/wine/wine64", "wine")]
    raise CannotRunError(f"nothing here runs {name}")


def played(name: str, library: Path, scratch: Path) -> str:
    """What the driver prints on the target of that name.

    Raises:
        CannotRunError: nothing here runs it.
        RuntimeError: the driver does not compile, or it fails.
    """
    command = [*runner(name), str(_driver(name, scratch)), str(library), *map(str, NETWORKS)]
    quiet = {"WINEDEBUG": "-all", "WINEPREFIX": str(scratch / "wine"), "DISPLAY": ""}
    return _output(command, quiet).replace("\r\n", "\n")


def reference(scratch: Path) -> str:
    """What the driver prints for the kernel of this Python, which the suite has compared with the rules in Python.

    Raises:
        CannotRunError: this machine is none that wheels are published for.
        RuntimeError: the driver does not compile, or it fails.
    """
    name = next((name for name, target in TARGETS.items() if target is here()), "")
    return played(name, Path(loaded()._name), scratch)


def _driver(name: str, scratch: Path) -> Path:
    target = TARGETS[name]
    driver = scratch / f"driver-{name}{'.exe' if 'windows' in target.triple else ''}"
    if not driver.exists():
        flags = ["-target", target.triple, "-mcpu=baseline", "-std=c11", "-O1", "-Wall", "-Wextra"]
        flags += ["-dynamic"] if "musl" in target.triple else []
        if "windows" in target.triple:
            flags += ["-nostdlib", "-fno-builtin", "-lkernel32"]
            flags += ["-Wl,-e,mainCRTStartup", "-Wl,--subsystem,console"]
        caches = {"ZIG_GLOBAL_CACHE_DIR": str(scratch / "zig"), "ZIG_LOCAL_CACHE_DIR": str(scratch / "zig")}
        zig = [sys.executable, "-m", "ziglang", "cc"]
        _output([*zig, *flags, "-o", str(driver), str(ROOT / "release" / "driver.c")], caches)
    return driver


def _program(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise CannotRunError(f"no {names[0]}")
    return found


def _output(command: list[str], more: dict[str, str]) -> str:
    done = subprocess.run(command, env={**os.environ, **more}, capture_output=True, timeout=PATIENCE, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).decode(errors="replace")[-2000:]
        raise RuntimeError(f"{Path(command[0]).name} ended with {done.returncode}: {said}")
    return done.stdout.decode()

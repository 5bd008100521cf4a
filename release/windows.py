"""Makes a folder for Windows in which everything lies: `python -m release.windows ZIP [--wheel FILE] [--to FOLDER]`.

ZIP is the embeddable package of Python for Windows, which whoever makes the folder brings, with its licence.
Beside that interpreter come Korgool with all it needs, as wheels for Windows, and a launcher that opens the page. The
folder needs no installation and leaves nothing behind but the games, in the user's own folder. uv chooses the packages,
since it knows what each needs on a system that is not this one.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from hatch_build import TARGETS
from korgool import __version__
from release.building import ROOT, build

EXTRAS = "serve,event,print"
"""What an arbiter's laptop needs: pages, pairings, paper."""
WHEN = (2020, 2, 2, 0, 0, 0)
"""The time of every file in the archive, so that two archives are equal."""
_MACHINES = {0x8664: "windows-x86_64", 0xAA64: "windows-arm64"}
_UV_PLATFORMS = {"windows-x86_64": "x86_64-pc-windows-msvc", "windows-arm64": "aarch64-pc-windows-msvc"}
_NOTE = """Korgool {version}

Open Korgool.exe. A window with messages appears, and the page opens in the browser; closing the window ends the server,
and no game is lost. In a terminal, Korgool.exe takes every command: Korgool.exe event --help

The games are kept in the user's own folder, so this folder can be replaced by a newer one.
Licences: packages\\korgool-{version}.dist-info\\licenses, the other *.dist-info folders, and python\\LICENSE.txt.
"""


class UnfitError(Exception):
    """What was given is no embeddable Python for Windows that Korgool runs on."""


@dataclass(frozen=True)
class Interpreter:
    """An embeddable Python: the target it is built for, its version, and the file that says where its modules lie."""

    target: str
    version: tuple[int, int]
    paths: str


def look(archive: zipfile.ZipFile) -> Interpreter:
    """What an archive holds.

    Raises:
        UnfitError: it is not the embeddable package, or too old, or for another processor, or its names lead outside.
    """
    names = archive.namelist()
    if [name for name in names if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or ":" in name]:
        raise UnfitError("the archive has names that lead out of its folder")
    found = [match for name in names if (match := re.fullmatch(r"python(\d)(\d+)\._pth", name))]
    if "python.exe" not in names or len(found) != 1:
        raise UnfitError("this is not the embeddable package of Python, with python.exe and python3NN._pth")
    version = int(found[0][1]), int(found[0][2])
    if version < (3, 11):
        raise UnfitError(f"korgool needs Python 3.11 or newer, this is {version[0]}.{version[1]}")
    head = archive.read("python.exe")[:1024]
    at = struct.unpack_from("<I", head, 60)[0] if head[:2] == b"MZ" and len(head) >= 64 else len(head)
    machine = struct.unpack_from("<H", head, at + 4)[0] if head[at : at + 4] == b"PE\0\0" else 0
    if machine not in _MACHINES:
        raise UnfitError("its python.exe is for no processor that Korgool is built for")
    return Interpreter(_MACHINES[machine], version, found[0][0])


def add_packages(wheel: Path, interpreter: Interpreter, folder: Path) -> None:
    """Put Korgool and all it needs into a folder, as wheels for that interpreter; nothing is built or run.

    Raises:
        RuntimeError: a package has no wheel for it, or cannot be had.
    """
    uv = shutil.which("uv", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if uv is None:
        raise RuntimeError("uv is missing: pip install 'korgool[release]'")
    platform = ["--python-platform", _UV_PLATFORMS[interpreter.target], "--python-version"]
    command = [uv, "pip", "install", "--quiet", "--python", sys.executable, *platform]
    command += [f"{interpreter.version[0]}.{interpreter.version[1]}", "--only-binary", ":all:", "--link-mode", "copy"]
    done = subprocess.run(
        [*command, "--target", str(folder), f"korgool[{EXTRAS}] @ {wheel.resolve().as_uri()}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the packages were not to be had: {done.stderr.strip()}")
    # Programs for the machine that made the folder, and where the wheel lay on it.
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for left in [*folder.glob(".lock"), *folder.glob("korgool-*.dist-info/direct_url.json")]:
        left.unlink()


def add_launcher(target: str, path: Path) -> None:
    """Compile `Korgool.exe`.

    Raises:
        RuntimeError: it does not compile.
    """
    with tempfile.TemporaryDirectory() as scratch:
        flags = [
            "-target",
            TARGETS[target].triple,
            "-mcpu=baseline",
            "-std=c11",
            "-Os",
            "-g0",
            "-s",
            "-Wall",
            "-Wextra",
        ]
        flags += ["-nostdlib", "-lkernel32", "-Wl,-e,mainCRTStartup", "-Wl,--subsystem,console"]
        command = [sys.executable, "-m", "ziglang", "cc", *flags]
        caches = {"ZIG_GLOBAL_CACHE_DIR": scratch, "ZIG_LOCAL_CACHE_DIR": scratch}
        command += ["-o", str(path), str(ROOT / "release" / "launcher.c")]
        done = subprocess.run(command, env={**os.environ, **caches}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the launcher did not compile: {done.stdout}{done.stderr}")


def make(embedded: Path, folder: Path, wheel: Path | None) -> Interpreter:
    """Fill an empty folder; without a wheel, Korgool's is built first.

    Raises:
        UnfitError: the archive will not do; nothing is written.
        RuntimeError: a step failed.
    """
    try:
        with zipfile.ZipFile(embedded) as archive:
            interpreter = look(archive)
            archive.extractall(folder / "python")
    except (OSError, zipfile.BadZipFile) as error:
        raise UnfitError(f"{embedded} cannot be read: {error}") from error
    # This file alone says where modules lie: no variable, no registry and no other Python has a say.
    with (folder / "python" / interpreter.paths).open("a", encoding="utf-8", newline="\r\n") as paths:
        paths.write("\n..\\packages\n")
    with tempfile.TemporaryDirectory() as scratch:
        add_packages(wheel or build(interpreter.target, Path(scratch)), interpreter, folder / "packages")
    add_launcher(interpreter.target, folder / "Korgool.exe")
    note = _NOTE.format(version=__version__)
    (folder / "README.txt").write_text(note, encoding="utf-8", newline="\r\n")
    return interpreter


def pack(folder: Path, archive: Path, top: str) -> None:
    """Write a folder as an archive in which all lies below one name; the same files give the same bytes."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{top}/{path.relative_to(folder).as_posix()}", WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            written.writestr(entry, path.read_bytes())


def main(arguments: list[str]) -> int:
    """Make the folder and its archive."""
    parser = argparse.ArgumentParser(prog="run.py windows", description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("zip", type=Path, help="the embeddable package of Python for Windows")
    parser.add_argument("--wheel", type=Path, help="Korgool's wheel for Windows; built if not given")
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="where the archive goes (dist)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="korgool-windows-") as scratch:
        folder = Path(scratch, "Korgool")
        try:
            interpreter = make(options.zip, folder, options.wheel)
        except (UnfitError, RuntimeError) as error:
            print(f"windows: {error}", file=sys.stderr)
            return 1
        options.to.mkdir(parents=True, exist_ok=True)
        archive = options.to / f"korgool-{__version__}-{interpreter.target}.zip"
        pack(folder, archive, "Korgool")
    print(f"{archive}: {archive.stat().st_size} bytes, with Python {interpreter.version[0]}.{interpreter.version[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

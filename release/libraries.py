"""What a built library is, read from its file: where nothing runs the platform, this is the whole trial.

`faults` says what would keep the library from loading on the oldest system that its wheel is for, or what it tells
about the machine that built it.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import lief

from hatch_build import Target

LARGEST = 400_000
"""Bytes of a library; the largest has 330,000."""
LARGEST_WHEEL = 6_000_000
"""Bytes of a wheel; most of it are texts in five languages, networks and tables."""
FUNCTIONS = 40
"""Functions that a library exports, at least."""
_FOREIGN_PATH = re.compile(rb"(/(?:home|root|tmp|work|opt|Users|build|var)/[\w./-]+|[A-Z]:\\\\?[\w.\\-]{4,})")
_ITSELF = "@rpath/_korgool_kernel.so"
_NEEDED = {"libc.so.6", "libc.so", "/usr/lib/libSystem.B.dylib", "KERNEL32.dll", _ITSELF}
_MACHINES = {
    lief.Header.ARCHITECTURES.X86_64: "x86_64",
    lief.Header.ARCHITECTURES.ARM64: "aarch64",
}


def extract(wheel: Path, folder: Path) -> Path:
    """Write the library of a wheel into a folder; its path.

    Raises:
        ValueError: the wheel has none, or several.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith("_korgool_kernel.")]
        if len(names) != 1:
            raise ValueError(f"{wheel.name} holds {names or 'no library'} instead of one _korgool_kernel")
        archive.extract(names[0], folder)
    return folder / names[0]


def faults(library: Path, target: Target) -> list[str]:
    """What is wrong with a library for a target, in sentences; nothing, if it is as it should be."""
    found = []
    data = library.read_bytes()
    if len(data) > LARGEST:
        found.append(f"{len(data)} bytes are more than {LARGEST}")
    found += [f"it names {path.decode()}" for path in sorted(set(_FOREIGN_PATH.findall(data)))]
    binary: Any = lief.parse(str(library))
    special = {lief.ELF.Binary: _elf, lief.MachO.Binary: _mach_o, lief.PE.Binary: _pe}.get(type(binary))
    if special is None:
        return [*found, "it is no library"]
    machine = _MACHINES.get(binary.abstract.header.architecture, "another")
    if machine != target.triple.partition("-")[0]:
        found.append(f"it is for {machine} processors")
    exported = {function.name.removeprefix("_") for function in binary.exported_functions if "kg_" in function.name}
    if len(exported) < FUNCTIONS:
        found.append(f"it exports {len(exported)} functions")
    needed = {name if isinstance(name, str) else name.name for name in binary.libraries}
    found += [f"it needs {name}" for name in sorted(needed - _NEEDED)]
    return found + special(binary, target)


def _elf(binary: Any, target: Target) -> list[str]:
    found = []
    newest = re.search(r"gnu\.([\d.]+)$", target.triple)
    for need in binary.symbols_version_requirement:
        for version in need.get_auxiliary_symbols():
            if newest is None or _numbers(version.name.removeprefix("GLIBC_")) > _numbers(newest[1]):
                found.append(f"it needs {version.name} of {need.name}")
    if any(segment.type == lief.ELF.Segment.TYPE.INTERP for segment in binary.segments):
        found.append("it is a program")
    stack = [segment for segment in binary.segments if segment.type == lief.ELF.Segment.TYPE.GNU_STACK]
    if not stack or stack[0].has(lief.ELF.Segment.FLAGS.X):
        found.append("its stack can be executed")
    return found


def _mach_o(binary: Any, target: Target) -> list[str]:
    found = []
    oldest = _numbers(target.triple.partition("macos.")[2])
    said = binary.build_version.minos if binary.build_version else binary.version_min.version
    if tuple(said)[: len(oldest)] != oldest:
        found.append(f"it needs macOS {'.'.join(map(str, said))}")
    if binary.header.file_type != lief.MachO.Header.FILE_TYPE.DYLIB:
        found.append("it is no dynamic library")
    # Processors of Apple run nothing that is not signed; zig signs ad hoc, without a name.
    if target.triple.startswith("aarch64") and not binary.has_code_signature:
        found.append("it is not signed")
    return found


def _pe(binary: Any, _target: Target) -> list[str]:
    found = []
    if not binary.header.has_characteristic(lief.PE.Header.CHARACTERISTICS.DLL):
        found.append("it is no DLL")
    for wanted in (
        lief.PE.OptionalHeader.DLL_CHARACTERISTICS.DYNAMIC_BASE,
        lief.PE.OptionalHeader.DLL_CHARACTERISTICS.NX_COMPAT,
    ):
        if not binary.optional_header.has(wanted):
            found.append(f"it lacks {wanted.name}")
    return found


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))

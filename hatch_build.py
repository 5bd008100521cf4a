"""Build hook: compiles the native kernel into the wheel, also on a machine without a compiler.

The system's C compiler is used where one really makes a shared library; otherwise the one inside the `ziglang` wheel,
which is then fetched as a build dependency. KORGOOL_TARGET names one of `TARGETS` to build for instead, on any machine,
always with `ziglang`; `release/wheels.py` does so for each. The library lands at the wheel's root, outside the package,
so that an editable install finds the same file in the same place.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ZIG = "ziglang==0.15.1"
COMMON = ["-std=c11", "-fvisibility=hidden", "-Wall", "-Wextra"]
FLAGS = [*COMMON, "-O3", "-shared"]
# What the system's compiler, usually gcc, is told of each file: -O3 for all takes twice as long and searches no faster.
# The vectors of the network and the building of tables need it; counts of moves run as fast with the least. For clang
# all levels take as long.
LEVEL = "-O2"
LEVELS = {"network_paths.c": "-O3", "tables_build.c": "-O3", "perft.c": "-O1"}
# Without the C runtime, which zig would compile for minutes: the kernel needs a clock, and zig brings memcpy.
ALONE = ["-nostdlib", "-DKG_ALONE", "-D__MM_MALLOC_H", "-lkernel32"]


class Target(NamedTuple):
    """A platform that wheels are built for: what zig calls it, and what the wheel's name says of it."""

    triple: str
    platform: str

    @property
    def tag(self) -> str:
        """The tag of a wheel that fits every Python 3 there: the library is loaded with ctypes."""
        return f"py3-none-{self.platform}"

    @property
    def suffix(self) -> str:
        """How the names of libraries end that Python finds there."""
        return ".pyd" if "windows" in self.triple else ".so"

    @property
    def flags(self) -> list[str]:
        """What zig is told. Only what every processor of the kind has, no symbols, no trace of the building folder."""
        flags = ["-target", self.triple, "-mcpu=baseline", *FLAGS, "-g0", "-s"]
        if "windows" in self.triple:
            return [*flags, *ALONE]
        if "macos" in self.triple:
            flags += ["-Wl,-install_name,@rpath/_korgool_kernel.so"]
        return [*flags, "-fPIC"]


TARGETS = {
    "linux-x86_64": Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
    "linux-aarch64": Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64"),
    "musl-x86_64": Target("x86_64-linux-musl", "musllinux_1_2_x86_64"),
    "musl-aarch64": Target("aarch64-linux-musl", "musllinux_1_2_aarch64"),
    "macos-x86_64": Target("x86_64-macos.10.13", "macosx_10_13_x86_64"),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx_11_0_arm64"),
    "windows-x86_64": Target("x86_64-windows-gnu", "win_amd64"),
    "windows-arm64": Target("aarch64-windows-gnu", "win_arm64"),
}
"""What is published: the oldest glibc, musl and macOS that builds of Python from 3.12 on are made for."""


class ReleaseMetadataHook(MetadataHookInterface):
    """Adds the addresses of the project, which only a release has, from `[tool.korgool.release]` of pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Enter what is known; names of addresses that are empty are left out."""
        project = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))
        urls = project.get("tool", {}).get("korgool", {}).get("release", {}).get("urls", {})
        metadata["urls"] = {name: address for name, address in urls.items() if address}


class KernelBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `_korgool_kernel` to every wheel, standard or editable."""

    def dependencies(self) -> list[str]:
        """What the build needs besides hatchling: nothing, or zig if there is no working compiler."""
        if self.target_name != "wheel" or (asked() is None and system_compiler()):
            return []
        return [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the headers made from the registry of games, compile, and tell the builder where the library is."""
        if self.target_name != "wheel":
            return
        target, compiler = asked(), None
        if target is None:
            compiler = system_compiler()
            target = None if compiler else here()
        subprocess.run([sys.executable, str(Path(self.root, "kernel", "generate.py")), "--c"], check=True)
        self.scratch = Path(tempfile.mkdtemp(prefix="korgool-kernel-"))
        library = self.scratch / f"_korgool_kernel{target.suffix if target else local_suffix()}"
        sources = sorted(f"kernel/{path.name}" for path in Path(self.root, "kernel").glob("*.c"))
        try:
            if compiler:
                self.compile_apart(compiler, sources, library)
            else:
                zig = [sys.executable, "-m", "ziglang", "cc", *(target.flags if target else local_flags())]
                self.run([*zig, "-o", str(library), *sources])
        except RuntimeError:
            shutil.rmtree(self.scratch, ignore_errors=True)
            raise
        library.chmod(0o755)
        build_data["pure_python"] = False
        build_data["tag"] = target.tag if target else f"py3-none-{local_platform()}"
        build_data["force_include"][str(library)] = library.name

    def compile_apart(self, compiler: list[str], sources: list[str], library: Path) -> None:
        """Compile each file by itself, as many at a time as there are processors, the slowest first, and link them.

        Raises:
            RuntimeError: the compiler refuses; the message is its own.
        """
        flags = [*COMMON, *machine_flags()]
        order = sorted(sources, key=lambda name: Path(name).name not in {*LEVELS, "search.c"})
        objects = {name: str(self.scratch / f"{Path(name).stem}.o") for name in order}

        def compiled(name: str) -> None:
            level = LEVELS.get(Path(name).name, LEVEL)
            self.run([*compiler, *flags, level, "-c", "-o", objects[name], name])

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compiled, order))
        self.run([*compiler, *flags, "-shared", "-o", str(library), *(objects[name] for name in sources)])

    def run(self, command: list[str]) -> None:
        """Run a compiler in the root of the sources.

        Raises:
            RuntimeError: it refuses; the message is its own.
        """
        # Both zig caches go to scratch: the home may be read-only, and 45 MB would stay in it.
        caches = {"ZIG_GLOBAL_CACHE_DIR": str(self.scratch), "ZIG_LOCAL_CACHE_DIR": str(self.scratch)}
        done = subprocess.run(
            command, cwd=self.root, env={**os.environ, **caches}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the kernel did not compile:\n{shlex.join(command)}\n{done.stdout}{done.stderr}")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the scratch folder."""
        if self.target_name == "wheel":
            shutil.rmtree(self.scratch, ignore_errors=True)


def asked() -> Target | None:
    """The target that KORGOOL_TARGET names.

    Raises:
        ValueError: there is none of that name.
    """
    name = os.environ.get("KORGOOL_TARGET", "")
    if name and name not in TARGETS:
        raise ValueError(f"KORGOOL_TARGET is one of {', '.join(TARGETS)}, not {name!r}")
    return TARGETS.get(name)


def here() -> Target | None:
    """The target that this interpreter runs on, or None where none is published."""
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    if system == "linux" and str(sysconfig.get_config_var("HOST_GNU_TYPE")).endswith("musl"):
        system = "musl"
    machine = platform.machine().lower()
    names = {"amd64": "x86_64"} if system in {"macos", "windows"} else {"amd64": "x86_64", "arm64": "aarch64"}
    return TARGETS.get(f"{system}-{names.get(machine, machine)}") if sys.maxsize > 1 << 32 else None


def local_platform() -> str:
    """What the tag of a wheel from the system's compiler says: this machine, which Linux wheels cannot promise more
    than; on macOS its processor and the oldest system that `local_flags` asks for."""
    if sys.platform == "darwin":
        return f"macosx_{oldest_macos().replace('.', '_')}_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def local_suffix() -> str:
    """How the names of libraries end that Python finds here."""
    return ".pyd" if sys.platform == "win32" else ".so"


def local_flags() -> list[str]:
    """What a compiler is told that makes the library of this machine in one call."""
    return [*FLAGS, *machine_flags()]


def machine_flags() -> list[str]:
    """What every call of a compiler is told for this machine."""
    if sys.platform == "win32":
        return []
    if sys.platform == "darwin":
        return ["-fPIC", "-arch", platform.machine(), f"-mmacosx-version-min={oldest_macos()}"]
    return ["-fPIC"]


def oldest_macos() -> str:
    """The oldest macOS that a library made here runs on: MACOSX_DEPLOYMENT_TARGET, or that of the published wheels."""
    usual = "11.0" if platform.machine() == "arm64" else "10.13"
    asked_for = os.environ.get("MACOSX_DEPLOYMENT_TARGET", usual)
    major, _, minor = asked_for.partition(".")
    # From 11 on, tags name the major version alone.
    return f"{major}.0" if int(major) > 10 else f"{major}.{minor.partition('.')[0] or '0'}"


def system_compiler() -> list[str] | None:
    """The command of a C compiler that makes a shared library here, or None."""
    candidates = [shlex.split(os.environ.get("CC", "")), ["cc"], ["gcc"], ["clang"]]
    return next((command for command in candidates if command and _works(command)), None)


def _works(command: list[str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <stdlib.h>\nint probe(void) { return abs(-1); }\n")
        try:
            output = str(Path(folder, "probe" + local_suffix()))
            done = subprocess.run(
                [*command, *local_flags(), "-o", output, str(source)], capture_output=True, check=False
            )
        except OSError:
            return False
        return done.returncode == 0

"""Build hook: compiles the native kernel into the wheel, also on a machine without a compiler.

The system's C compiler is used where one really makes a shared library; otherwise the one inside the `ziglang` wheel,
which is then fetched as a build dependency. The library lands at the wheel's root, outside the package, so that an
editable install finds the same file in the same place.
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
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ZIG = "ziglang==0.15.1"
SUFFIX = ".pyd" if sys.platform == "win32" else ".so"
FLAGS = ["-std=c11", "-O3", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra"]
FLAGS += [] if sys.platform == "win32" else ["-fPIC"]


class KernelBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds `_korgool_kernel` to every wheel, standard or editable."""

    def dependencies(self) -> list[str]:
        """What the build needs besides hatchling: nothing, or zig if there is no working compiler."""
        return [] if self.target_name != "wheel" or system_compiler() else [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the headers made from the registry of games, compile, and tell the builder where the library is."""
        if self.target_name != "wheel":
            return
        subprocess.run([sys.executable, str(Path(self.root, "kernel", "generate.py")), "--c"], check=True)
        self.scratch = Path(tempfile.mkdtemp(prefix="korgool-kernel-"))
        library = self.scratch / f"_korgool_kernel{SUFFIX}"
        sources = sorted(str(path) for path in Path(self.root, "kernel").glob("*.c"))
        # Both zig caches go to scratch: the home may be read-only, and 45 MB would stay in it.
        caches = {"ZIG_GLOBAL_CACHE_DIR": str(self.scratch), "ZIG_LOCAL_CACHE_DIR": str(self.scratch)}
        command = [*(system_compiler() or zig_compiler()), *FLAGS, "-o", str(library), *sources]
        done = subprocess.run(command, env={**os.environ, **caches}, capture_output=True, text=True, check=False)
        if done.returncode:
            shutil.rmtree(self.scratch, ignore_errors=True)
            raise RuntimeError(f"the kernel did not compile:\n{shlex.join(command)}\n{done.stdout}{done.stderr}")
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["force_include"][str(library)] = library.name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the scratch folder."""
        if self.target_name == "wheel":
            shutil.rmtree(self.scratch, ignore_errors=True)


def system_compiler() -> list[str] | None:
    """The command of a C compiler that makes a shared library here, or None."""
    candidates = [shlex.split(os.environ.get("CC", "")), ["cc"], ["gcc"], ["clang"]]
    return next((command for command in candidates if command and _works(command)), None)


def _works(command: list[str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <stdlib.h>\nint probe(void) { return abs(-1); }\n")
        try:
            output = str(Path(folder, "probe" + SUFFIX))
            done = subprocess.run([*command, *FLAGS, "-o", output, str(source)], capture_output=True, check=False)
        except OSError:
            return False
        return done.returncode == 0


def zig_compiler() -> list[str]:
    """The compiler in the ziglang wheel, told not to use what only this processor has."""
    cpu = ["-mcpu=baseline"] if platform.machine().lower() in {"x86_64", "amd64"} else []
    return [sys.executable, "-m", "ziglang", "cc", *cpu]

"""Builds one wheel or the source distribution by hatchling, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build(name: str, to: Path, source: Path = ROOT) -> Path:
    """Build the wheel of a target, or with the name `sdist` the source distribution; its path.

    Raises:
        RuntimeError: the build failed; the message is the builder's.
    """
    kind = "sdist" if name == "sdist" else "wheel"
    environment = {**os.environ, "KORGOOL_TARGET": "" if name == "sdist" else name}
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to, prefix=".building-") as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder]
        done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{name} was not built: {done.stdout}{done.stderr}")
        (made,) = Path(folder).iterdir()
        return made.replace(to / made.name)

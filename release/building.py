"""Builds wheels and the source distribution by hatchling, each in a process of its own, several at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")

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


def together(work: Callable[[str], Made], names: Iterable[str]) -> list[Made]:
    """What work makes of the names, in their order, as many at a time as there are processors.

    Raises:
        RuntimeError: a build failed; those that wait are not begun.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(work, name) for name in names]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        return [future.result() for future in futures]

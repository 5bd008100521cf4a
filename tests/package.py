"""Where the package under test lies, for the processes that tests start: they run the same one as this process."""

from __future__ import annotations

import os
from pathlib import Path

import korgool

SOURCE = str(Path(korgool.__file__).parents[1])


def environment(**more: str) -> dict[str, str]:
    """The environment of this process, in which Python finds the package and speaks UTF-8."""
    return {**os.environ, "PYTHONPATH": SOURCE, "PYTHONUTF8": "1", **more}

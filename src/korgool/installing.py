"""Commands that install a part of Korgool, or install it again, in the environment that runs.

Korgool may come from its source tree (`run.py`, whose `.venv` has no pip), from a wheel, from an index, or by pipx. The
advice is a command that works in that environment as it is.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

_NAME = "korgool"


def advice(part: str) -> str:
    """The command that installs a part, such as `serve`, as one types it."""
    return _typed([*_installer(), *_target(part)])


def advice_again() -> str:
    """The command that installs Korgool itself again, without what it needs, as one types it."""
    return _typed([*_installer(), "--force-reinstall", "--no-deps", *_itself()])


def _target(part: str) -> list[str]:
    """Argument of an installer for a part: the source tree or the wheel with the part, or the packages of the part."""
    where = _origin()
    if where is not None and not _by_pipx():
        if where.is_file():
            return [f"{_NAME}[{part}] @ {where.as_uri()}"]
        return [*(["-e"] if _runs_in(where) else []), f"{where}[{part}]"]
    return _packages(part) or [f"{_NAME}[{part}]"]


def _itself() -> list[str]:
    where = _origin()
    if where is None:
        return [_NAME]
    return [*(["-e"] if _runs_in(where) else []), str(where)]


def _runs_in(tree: Path) -> bool:
    """Return whether the code of a source tree runs in place."""
    return tree.is_dir() and Path(__file__).resolve().is_relative_to(tree.resolve() / "src")


def _installer() -> list[str]:
    """The command that installs packages into this environment."""
    if _by_pipx():
        return ["pipx", "inject", _NAME]
    if _has_pip():
        return [sys.executable, "-m", "pip", "install"]
    if _made_by_uv():
        return ["uv", "pip", "install", "--python", sys.executable]
    # `run.py` makes its environment without pip, and installs by the pip of the Python that it was called with.
    base = getattr(sys, "_base_executable", sys.executable)
    return [base, "-m", "pip", "--python", sys.prefix, "install"]


def _has_pip() -> bool:
    try:
        return find_spec("pip") is not None
    except ImportError:  # a finder may refuse
        return False


def _by_pipx() -> bool:
    return Path(sys.prefix, "pipx_metadata.json").is_file()


def _made_by_uv() -> bool:
    try:
        told = Path(sys.prefix, "pyvenv.cfg").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return re.search(r"^uv\s*=", told, re.MULTILINE) is not None


def _origin() -> Path | None:
    """The source tree or wheel that this Korgool was installed from, if it is still there."""
    from urllib.request import url2pathname  # slow to load

    tree = Path(__file__).resolve().parents[2]
    if (tree / "run.py").is_file() and (tree / "pyproject.toml").is_file():
        return tree
    try:
        told = json.loads(_distribution().read_text("direct_url.json") or "{}")
        url = urlsplit(str(told.get("url", "")))
    except (PackageNotFoundError, ValueError, AttributeError):
        return None
    place = Path(url2pathname(url.path)) if url.scheme == "file" else None
    return place if place is not None and place.exists() else None


def _distribution() -> Distribution:
    return distribution(_NAME)


def _packages(part: str) -> list[str]:
    """The packages that a part needs, as the metadata of this Korgool names them."""
    try:
        named = _distribution().requires or []
    except PackageNotFoundError:
        return []
    extra = re.compile(rf"extra\s*==\s*['\"]{re.escape(part)}['\"]")
    return [name.strip() for name, _, marker in (text.partition(";") for text in named) if extra.search(marker)]


def _typed(words: Sequence[str]) -> str:
    """Words as a shell reads them."""
    if os.name == "nt":
        from subprocess import list2cmdline  # seldom needed, and slow to load

        return list2cmdline(words)
    return shlex.join(words)

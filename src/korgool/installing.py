"""Commands that install a part of Korgool, or install it again, in the environment that runs.

Korgool may come from its source tree (`run.py`, whose `.venv` has no pip), from a wheel, by pipx or uv, or lie in the
folder for Windows. The advice is a command that works in that environment as it is. No package index has Korgool yet:
until `PUBLISHED` says so, nothing is advised that would ask one for it.
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

PUBLISHED = False
"""True once package indexes have Korgool."""
_NAME = "korgool"
_FROM_WHERE_IT_CAME = "install Korgool again from the sources or the wheel that it came from"


def advice(part: str, *, again: bool = False) -> str:
    """The command that installs a part, such as `serve`, as one types it; with `again` also what seems to be there."""
    target = _target(part)
    if not target:
        return _FROM_WHERE_IT_CAME
    return _typed([*_installer(), *([_anew()] if again else []), *target])


def advice_again() -> str:
    """The command that installs Korgool itself again, without what it needs, as one types it."""
    if _in_folder():
        return "unpack the folder of Korgool again"
    if _by_pipx():
        return _typed(["pipx", "reinstall", _NAME])
    where = _origin()
    if where is None:
        return _typed([*_installer(), _anew(), "--no-deps", _NAME]) if PUBLISHED else _FROM_WHERE_IT_CAME
    return _typed([*_installer(), _anew(), "--no-deps", *(["-e"] if _runs_in(where) else []), str(where)])


def _target(part: str) -> list[str]:
    """Argument of an installer for a part: the source tree or the wheel with the part, or the packages of the part."""
    where = _origin()
    if where is not None and not _by_pipx() and not _in_folder():
        if where.is_file():
            return [f"{_NAME}[{part}] @ {where.as_uri()}"]
        return [*(["-e"] if _runs_in(where) else []), f"{where}[{part}]"]
    return _packages(part) or ([f"{_NAME}[{part}]"] if PUBLISHED else [])


def _runs_in(tree: Path) -> bool:
    """Return whether the code of a source tree runs in place."""
    return tree.is_dir() and Path(__file__).resolve().is_relative_to(tree.resolve() / "src")


def _installer() -> list[str]:
    """The command that installs packages into this environment."""
    if _in_folder():
        # The folder has no pip; any Python on the machine puts the packages beside the others.
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        words = ["py", "-m", "pip", "install", "--target", str(_packages_folder()), "--upgrade"]
        return [*words, "--only-binary", ":all:", "--python-version", version]
    if _by_pipx():
        return ["pipx", "inject", _NAME]
    if _has_pip():
        return [sys.executable, "-m", "pip", "install"]
    if _made_by_uv():
        return ["uv", "pip", "install", "--python", sys.executable]
    # `run.py` makes its environment without pip, and installs by the pip of the Python that it was called with.
    base = getattr(sys, "_base_executable", sys.executable)
    return [base, "-m", "pip", "--python", sys.prefix, "install"]


def _anew() -> str:
    return "--force" if _by_pipx() else "--force-reinstall"


def _packages_folder() -> Path:
    return Path(__file__).resolve().parents[1]


def _in_folder() -> bool:
    """Return whether Korgool lies in the folder for Windows, beside an interpreter that cannot install anything."""
    here = _packages_folder()
    return here.name == "packages" and any((here.parent / "python").glob("python*._pth"))


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
    found = []
    for text in named:
        name, _, marker = text.partition(";")
        if "extra" in marker and _holds(marker, {"extra": part}):
            found.append(name.strip())
    return found


def _holds(marker: str, more: dict[str, str]) -> bool:
    """Return whether a marker of a requirement holds here. It reads like Python; those of Korgool name few things."""
    import ast  # seldom needed, and slow to load
    import platform

    known = {"sys_platform": sys.platform, "platform_machine": platform.machine(), **more}

    def value(node: ast.expr) -> object:
        match node:
            case ast.BoolOp(ast.And(), parts):
                return all(value(part) for part in parts)
            case ast.BoolOp(ast.Or(), parts):
                return any(value(part) for part in parts)
            case ast.Compare(left, [ast.Eq()], [right]):
                return value(left) == value(right)
            case ast.Compare(left, [ast.NotEq()], [right]):
                return value(left) != value(right)
            case ast.Name(name) if name in known:
                return known[name]
            case ast.Constant(text):
                return text
        raise ValueError(f"the marker {marker} is not understood")

    return bool(value(ast.parse(marker.strip(), mode="eval").body))


def _typed(words: Sequence[str]) -> str:
    """Words as a shell reads them."""
    if os.name == "nt":
        from subprocess import list2cmdline  # seldom needed, and slow to load

        return list2cmdline(words)
    return shlex.join(words)

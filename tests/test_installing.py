"""The advice how to install a part, carried out in the environments in which it is given."""

from __future__ import annotations

import base64
import hashlib
import os
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from korgool import installing

ROOT = Path(__file__).parents[1]
BACKEND = """
import zipfile

def build_editable(folder, settings=None, metadata=None):
    name = "korgool-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as pack:
        pack.writestr("korgool-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        pack.writestr("korgool-1.dist-info/METADATA", METADATA)
        pack.writestr("korgool-1.dist-info/RECORD", "")
    return name

METADATA = '''Metadata-Version: 2.1
Name: korgool
Version: 1
Provides-Extra: metrics
Requires-Dist: small-thing>=2; extra == "metrics"
'''
"""
METADATA = BACKEND.split("'''")[1]


def wheel(folder: Path, name: str, metadata: str, files: Mapping[str, str]) -> Path:
    """A small wheel, as pip takes it."""
    info = f"{name}-{'2' if name != 'korgool' else '1'}.dist-info"
    held = {
        **files,
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    path = folder / f"{info.removesuffix('.dist-info')}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as pack:
        record = ""
        for place, text in held.items():
            pack.writestr(place, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            record += f"{place},sha256={digest},{len(text.encode())}\n"
        pack.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder of wheels with what the part needs."""
    folder = tmp_path / "wheels of others"
    folder.mkdir()
    wheel(
        folder, "small_thing", "Metadata-Version: 2.1\nName: small-thing\nVersion: 2\n", {"small_thing.py": "found = 7"}
    )
    return folder


def run(words: list[str], shop: Path) -> str:
    """The output of a command that finds packages in the folder alone."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_", "VIRTUAL_ENV"))}
    env |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": shop.as_uri(), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def environment(tmp_path: Path, shop: Path) -> Path:
    """The Python of a new environment without pip, as `run.py` makes it."""
    run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "of its own")], shop)
    return tmp_path / "of its own" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


SOURCE = Path(installing.__file__).read_text(encoding="utf-8")
ASK = "from korgool.installing import advice; print(advice('metrics'))"
USE = "import small_thing; print(small_thing.found)"


@pytest.mark.parametrize("kept", [True, False])
def test_what_came_from_a_wheel_is_told_what_works(kept: bool, tmp_path: Path, shop: Path) -> None:
    """With the wheel still there, and where it was removed: the packages of the part are named then."""
    python = environment(tmp_path, shop)
    made = wheel(tmp_path, "korgool", METADATA, {"korgool/__init__.py": "", "korgool/installing.py": SOURCE})
    base = getattr(sys, "_base_executable", sys.executable)
    prefix = str(python.parents[1])
    run([base, "-m", "pip", "--python", prefix, "install", "-q", str(made)], shop)
    if not kept:
        made.unlink()
    typed = run([str(python), "-c", ASK], shop).strip()
    assert ("small-thing>=2" in typed) is not kept
    run(shlex.split(typed), shop)
    assert run([str(python), "-c", USE], shop) == "7\n"


def test_what_runs_from_a_source_tree_is_told_what_works(tmp_path: Path, shop: Path) -> None:
    python, tree = environment(tmp_path, shop), tmp_path / "source tree"
    (tree / "src" / "korgool").mkdir(parents=True)
    (tree / "src" / "korgool" / "__init__.py").touch()
    (tree / "src" / "korgool" / "installing.py").write_text(SOURCE, encoding="utf-8")
    (tree / "run.py").touch()
    (tree / "backend.py").write_text(BACKEND, encoding="utf-8")
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "korgool"\nversion = "1"\n[project.optional-dependencies]\nmetrics = ["small-thing>=2"]\n',
        encoding="utf-8",
    )
    ask = f"import sys; sys.path.insert(0, {str(tree / 'src')!r}); {ASK}"
    typed = run([str(python), "-c", ask], shop).strip()
    assert "[metrics]" in typed
    run(shlex.split(typed), shop)
    assert run([str(python), "-c", USE], shop) == "7\n"


def test_pipx_and_uv_are_told_by_what_they_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\nuv = 0.9.1\n")
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    assert installing.advice("metrics").startswith("uv pip install --python ")
    (tmp_path / "pipx_metadata.json").write_text("{}")
    assert installing.advice("metrics") == "pipx inject korgool 'prometheus-client<1,>=0.21'"


def test_no_other_place_advises_how_to_install() -> None:
    """Every message takes the advice from here."""
    for path in (ROOT / "src" / "korgool").rglob("*.py"):
        if path.name != "installing.py":
            assert "pip install" not in path.read_text(encoding="utf-8"), path

"""The script at the root: what it installs, and what it says while it does."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
PIP = """
import sys, time
for line in ["Obtaining it", "  Installing build dependencies: started", "Collecting a>=1", "Collecting b"]:
    print(line, flush=True)
time.sleep(0.4)
print("  Building editable for korgool (pyproject.toml): started", flush=True)
print("Installing collected packages: a, b", flush=True)
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("run_script", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_phases_of_pip_are_said_in_words_for_people(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    script.told([sys.executable, "-c", PIP, "0"], every=0.15)
    said = [line.removeprefix("run.py: ") for line in capsys.readouterr().err.splitlines()]
    [waiting] = {line.partition(" after ")[0] for line in said if line.startswith("still fetching packages")}
    assert all(line.endswith(", 2 so far") for line in said if line.startswith(waiting))
    assert [line for line in said if not line.startswith("still")] == [
        "fetching what compiles the kernel", "fetching packages", "compiling the kernel", "installing packages",
    ]  # fmt: skip


def test_what_pip_said_last_is_shown_when_it_fails(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        script.told([sys.executable, "-c", PIP, "3"])
    assert "Collecting b\n" in capsys.readouterr().err


def test_every_extra_is_one_and_brings_what_the_script_believes(script: ModuleType) -> None:
    asked = {*script.USUAL, *(extra for extras in script.EXTRAS.values() for extra in extras)}
    assert asked <= set(EXTRAS)
    for extra, within in script.WITHIN.items():
        [named] = [text for text in EXTRAS[extra] if text.startswith("korgool[")]
        assert sorted(within) == sorted(named.removeprefix("korgool[").rstrip("]").split(","))


def test_serve_has_all_that_its_pages_need(script: ModuleType) -> None:
    """Papers too: what `print` brings is among it."""
    names = {text for extra in script.USUAL for text in EXTRAS[extra]}
    assert set(EXTRAS["print"]) <= names


def test_nothing_is_installed_twice(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(script, "VENV", tmp_path)
    monkeypatch.setattr(script, "BIN", tmp_path)
    (tmp_path / "python").touch()
    monkeypatch.setattr(script, "told", asked.append)
    script.set_up(["serve", "event"])
    script.set_up(["serve", "event"])
    assert [words[-1] for words in asked] == [f"{ROOT}[event,serve]"]
    script.set_up(["test"])
    script.set_up(["serve"])
    script.set_up(["docs"])
    assert [words[-1] for words in asked[1:]] == [f"{ROOT}[test]"]

"""How the command line is called in tests: as a process, or in this one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from korgool.app.cli import main
from tests.package import environment
from tests.patience import PATIENCE

Invoke = Callable[..., Result]
Program = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the person who runs the tests: neither their data folder nor their language."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data-home"))
    for name in ("LANGUAGE", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture
def invoke() -> Invoke:
    """Call the program in this process; no outcome may hide a fault of the program."""

    def call(*words: str, text: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(main, list(words), input=text)
        assert "fault of the program" not in result.stderr, result.stderr
        assert "Traceback" not in result.output
        assert isinstance(result.exception, SystemExit | None)
        return result

    return call


@pytest.fixture
def program() -> Program:
    """Run the program as a process."""

    def call(
        *words: str, text: str = "", timeout: float = PATIENCE, **settings: Any
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "korgool", *words],
            input=text,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=environment(),
            check=False,
            **settings,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert "fault of the program" not in done.stderr, done.stderr
        return done

    return call

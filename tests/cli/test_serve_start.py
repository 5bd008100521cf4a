"""What `korgool serve` and `run.py` say while they start, and of the page that is opened."""

from __future__ import annotations

import importlib.util
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from korgool.app.cli.serve_report import StartReport
from tests.patience import PATIENCE, eventually
from tests.server.processes import Program

ROOT = Path(__file__).parents[2]


def test_the_data_folder_and_ctrl_c_are_named_and_the_page_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser is a real program here: it writes down the address that it is called with."""
    browser, called = tmp_path / "browser", tmp_path / "called"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {called}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    data = tmp_path / "data"
    process = Program(["serve", "--port", "0", "--data", str(data), "--open"])
    address = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    eventually(lambda: called.exists() and called.read_text() == address, "the browser")
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(PATIENCE)
    assert process.returncode in (0, 130)
    assert stdout == "", "the address is all that goes to the standard output"
    assert f"Games are kept in {data}. Ctrl-C ends the server" in stderr


def test_a_long_start_says_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    said = ""

    def heard() -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return said.count("korgool: starting, ") >= 2

    with StartReport("here", first=0.01, every=0.01) as start:
        eventually(heard, "two lines")
        start.ready("http://127.0.0.1:1/")
    *_, last = capsys.readouterr().err.splitlines()
    assert last.startswith(("Games are kept in here. Ctrl-C", "korgool: starting, "))
    assert not start._thread.is_alive(), "nothing more once it answers"


def test_a_start_that_fails_ends_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="port"), StartReport("here", first=3600):
        raise ValueError("port")
    assert capsys.readouterr().err == ""


def setup_program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_program", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_setting_up_says_what_it_does_and_that_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What pip says, in words for people; the command ends when enough was said, however long that takes."""
    run, enough = setup_program(), tmp_path / "enough"
    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        if re.fullmatch(r"still fetching packages after \d+ s, 1 so far", text):
            enough.touch()

    monkeypatch.setattr(run, "say", say)
    pip = (
        "import os, time\nprint('Collecting click', flush=True)\n"
        f"while not os.path.exists({str(enough)!r}): time.sleep(.01)\nprint('Building wheel for korgool', flush=True)"
    )
    run.told([sys.executable, "-c", pip], 0.05)
    slow_start = [text for text in said if text.startswith("still at it")]
    assert said[len(slow_start)] == "fetching packages"
    assert enough.exists()
    assert said[-1] == "compiling the kernel"


def test_setting_up_that_fails_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With what pip said last."""
    run = setup_program()
    with pytest.raises(subprocess.CalledProcessError):
        run.told([sys.executable, "-c", "print('no matching distribution'); raise SystemExit(3)"])
    assert "no matching distribution" in capsys.readouterr().err

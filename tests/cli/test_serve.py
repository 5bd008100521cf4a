"""`korgool serve`: it says where it answers, and plainly why it cannot start."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.package import environment
from tests.patience import PATIENCE


@pytest.mark.parametrize("game", [None, "mangala"])
def test_it_prints_its_address_and_answers_there(tmp_path: Path, game: str | None) -> None:
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "korgool",
            "serve",
            "--port",
            "0",
            "--data",
            str(tmp_path / "data"),
            *(["--game", game] if game else []),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            assert page.status == 200
            chosen = re.findall(r'name="game" value="(\w+)" checked', page.read().decode())
        assert chosen == [game or "toguz"]
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) in (0, 130)
        assert "Traceback" not in process.stderr.read()


def test_a_busy_port_is_named(tmp_path: Path, program: Callable[..., Any]) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        done = program("serve", "--port", str(port), "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stdout == ""
    assert str(port) in done.stderr


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path, program: Callable[..., Any]) -> None:
    path = tmp_path / "file"
    path.write_text("")
    done = program("serve", "--port", "0", "--data", str(path))
    assert done.returncode == 1
    assert str(path) in done.stderr
    assert done.stderr.startswith("korgool: ")


def test_a_database_that_is_none_is_named(tmp_path: Path, program: Callable[..., Any]) -> None:
    done = program("serve", "--port", "0", "--data", str(tmp_path), "--database", "nonsense")
    assert done.returncode == 1
    assert done.stderr.startswith("korgool: ")

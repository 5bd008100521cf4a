"""`korgool serve`: it says where it answers, and plainly why it cannot start."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.package import environment
from tests.patience import PATIENCE
from tests.server.processes import Program


def chosen_game(address: str) -> str:
    """The game that the first page offers."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as page:
        assert page.status == 200
        (chosen,) = re.findall(r'name="game" value="(\w+)" checked', page.read().decode())
    return str(chosen)


def test_it_prints_its_address_and_answers_there(tmp_path: Path) -> None:
    """As users start it: in a Python of its own, with nothing prepared."""
    command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert chosen_game(address) == "toguz"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) in (0, 130)
        assert "Traceback" not in process.stderr.read()


def test_another_game_is_offered_first(tmp_path: Path) -> None:
    process = Program(["serve", "--port", "0", "--data", str(tmp_path / "data"), "--game", "mangala"])
    assert chosen_game(process.stdout.readline().strip()) == "mangala"
    process.send_signal(signal.SIGINT)
    assert "Traceback" not in process.communicate(PATIENCE)[1]
    assert process.returncode in (0, 130)


def refused(*words: str, status: int = 1) -> str:
    """The message of a server that does not start."""
    process = Program(["serve", *words])
    said, told = process.communicate(PATIENCE)
    assert (process.returncode, said) == (status, "")
    assert "Traceback" not in told
    assert "fault of the program" not in told
    return told


def test_a_busy_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        assert str(port) in refused("--port", str(port), "--data", str(tmp_path))


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    told = refused("--port", "0", "--data", str(path))
    assert str(path) in told
    assert told.startswith("korgool: ")


def test_a_database_that_is_none_is_named(tmp_path: Path) -> None:
    assert "--database" in refused("--port", "0", "--data", str(tmp_path), "--database", "nonsense", status=2)

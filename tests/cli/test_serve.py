"""`korgool serve`: it says where it answers, and plainly why it cannot start."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.package import environment
from tests.patience import PATIENCE
from tests.server.processes import Program


def chosen_game(address: str) -> str:
    """The game that the first page offers."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as page:
        assert page.status == 200
        (chosen,) = re.findall(r'name="game" value="(\w+)" checked', page.read().decode())
    return str(chosen)


@pytest.mark.smoke
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


def test_json_tells_the_start_and_the_end(tmp_path: Path) -> None:
    """Also in another language: JSON is the same in all of them, and no password is in it."""
    from korgool import __version__

    data = tmp_path / "data"
    process = Program(["serve", "--json", "--port", "0", "--data", str(data)])
    started = json.loads(process.stdout.readline())
    assert chosen_game(started["address"]) == "toguz"
    process.send_signal(signal.SIGTERM)
    rest, told = process.communicate(PATIENCE)
    stopped = json.loads(rest)
    assert (started.pop("event"), stopped.pop("event")) == ("started", "stopped")
    assert started == stopped
    assert (started["pid"], started["version"], started["data"]) == (process.pid, __version__, str(data))
    assert started["database"] == f"sqlite:///{data}/korgool.sqlite"
    assert f"Games are kept in {data}." in told


def test_a_reader_who_has_gone_does_not_stop_the_server_from_ending(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "korgool", "serve", "--json", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["event"] == "started"
        process.stdout.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) in (0, 130)
        assert b"Traceback" not in process.stderr.read()


def test_a_url_is_shown_without_what_is_secret() -> None:
    from korgool.app.cli.server_options import shown_database
    from korgool.app.server.core.settings import ServerSettings

    for url in (
        "postgresql://a:se%20cret@h:5/db?password=secret&sslmode=require",
        "postgresql+psycopg://a:secret@h:5/db",
    ):
        assert shown_database(ServerSettings(database=url)) == "postgresql://a@h:5/db"


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

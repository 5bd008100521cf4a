"""An event is led on from one file: its folder is whole or not there, and nothing is led before it can be served."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from korgool.app.cli.event_stand_by import _Link
from korgool.app.cli.group import InputError
from korgool.app.cli.stand_by_copy import SITE, Source, StandByCopy
from korgool.competition import EventFile, commands
from korgool.competition.kept_log import SNAPSHOT
from korgool.competition.model import Entry, Settings
from korgool.competition.storage.carried import ID
from tests.competition.program import refused
from tests.patience import eventually
from tests.ports import free_ports

from .processes import Program
from .support import Json

EVENT = "k3m8x2pa"
BY = "Judge"


def cup(path: Path, address: str = "http://127.0.0.1:1", **beside: str) -> Path:
    """An event of two lines, as a server writes it on a stick."""
    with EventFile.create(path, Settings(name="Cup", rounds=3), by=BY) as file:
        commands.enter(file, Entry(family="A"), by=BY)
        snapshot: Json = {"address": address, **beside}
        file.carry({ID: EVENT, SNAPSHOT: snapshot})
    return path


def entered(path: Path, family: str) -> Path:
    """The same file with one more line."""
    with EventFile.open(path) as file:
        commands.enter(file, Entry(family=family), by=BY)
    return path


def unpacked(path: Path) -> tuple[int, object]:
    """The last line of the folder that a file is unpacked into, and the key that is there."""
    copy = StandByCopy.unpack(path)
    try:
        return copy.line, copy.snapshot().get("secret")
    finally:
        copy.close()


@contextmanager
def stranger() -> Iterator[str]:
    """The address of a program that speaks another protocol."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        connection.recv(1000)
                        connection.sendall(b"\x15\x03\x03\x00\x02\x02\x50")

        threading.Thread(target=answer, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_newer_file_goes_into_the_folder_of_before_and_another_state_is_refused(tmp_path: Path) -> None:
    path, fork = cup(tmp_path / "cup.korgool", secret="ab" * 32), tmp_path / "fork.korgool"
    shutil.copy(path, fork)
    assert unpacked(path) == (2, "ab" * 32)  # a rehearsal, or the copy after round 1
    assert unpacked(entered(path, "B")) == (3, "ab" * 32)
    newest = path.read_bytes()
    path.write_bytes(entered(fork, "Another").read_bytes())
    with pytest.raises(InputError, match="another state"):
        StandByCopy.unpack(path)
    path.write_bytes(newest)
    (tmp_path / "cup-taken" / SITE).mkdir()  # it leads here now
    assert unpacked(path)[0] == 3
    with pytest.raises(InputError, match="cup-taken: this folder holds another state of the event; move it away"):
        StandByCopy.unpack(entered(path, "C"))


def test_what_is_ended_in_the_middle_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cup(tmp_path / "cup.korgool", secret="ab" * 32)

    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(StandByCopy, "keep", ended)
        with pytest.raises(KeyboardInterrupt):
            StandByCopy.unpack(path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    (tmp_path / "cup-taken").mkdir()  # an empty one is no hindrance
    assert unpacked(path) == (2, "ab" * 32)


def test_nothing_is_led_before_the_port_is_had_and_a_stranger_at_the_old_address_is_nobody(tmp_path: Path) -> None:
    with stranger() as address, socket.create_server(("127.0.0.1", 0)) as busy:
        path, port = cup(tmp_path / "cup.korgool", address), busy.getsockname()[1]
        assert "cannot listen on" in refused("take-over", path, "--by", BY, "--host", "127.0.0.1", "--port", port)
        assert not (tmp_path / "cup-taken" / SITE).exists()
        words = ("--token", "kgs_x", "--data", tmp_path / "copy", "--once")
        said = refused("stand-by", f"{address}/events/{EVENT}", *words)
        assert "the answer is not that of Korgool" in said


def test_a_file_without_keys_says_so_and_the_link_of_the_desk_is_told(tmp_path: Path) -> None:
    path, (port,) = cup(tmp_path / "cup.korgool"), free_ports(1)
    words = ["event", "take-over", str(path), "--by", BY, "--host", "127.0.0.1", "--port", str(port)]
    program = Program(words)
    assert program.stdout.readline().strip() == f"http://127.0.0.1:{port}/events/{EVENT}"
    eventually(lambda: "leads to this machine." in program.said(), "it says where its address leads")
    program.kill()
    told = program.said()
    assert (
        f"The log went on with line 3. Your desk, as chief referee: http://127.0.0.1:{port}/events/{EVENT}/join/"
        in told
    )
    assert "This copy holds no links and codes of helpers." in told
    assert "go on." not in told


def test_the_port_after_a_take_over_is_that_of_the_address(tmp_path: Path) -> None:
    for origin, port in (("https://127.0.0.1", 443), ("http://127.0.0.1", 80), ("https://127.0.0.1:8443", 8443)):
        copy = StandByCopy.begin(tmp_path / str(port), Source(origin, EVENT, "kgs_x"))
        assert _Link(copy, "Second", None, as_json=False)._address == f"http://127.0.0.1:{port}"
        copy.close()

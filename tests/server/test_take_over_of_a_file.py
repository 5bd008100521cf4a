"""An event is led on from one file: its folder is whole or not there, and nothing is led before it can be served."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from korgool.app.cli import event_take_over
from korgool.app.cli.event_stand_by import _Link, _SilentError
from korgool.app.cli.group import InputError
from korgool.app.cli.stand_by_copy import SITE, Source, StandByCopy
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events.photo_conversion import small_photo
from korgool.app.server.events.stand_by import adoption
from korgool.competition import EventFile, commands
from korgool.competition.kept_log import SNAPSHOT
from korgool.competition.model import Entry, Personal, Settings
from korgool.competition.storage.carried import ID
from tests.competition.program import refused
from tests.patience import eventually
from tests.photos import sent
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


def led(path: Path) -> None:
    """Lead the event of a file, without serving it."""
    copy, (port,) = StandByCopy.unpack(path), free_ports(1)
    try:
        place = event_take_over._place(copy, "", port)
        event_take_over._lead(copy, ServerSettings(data=copy.folder / SITE), BY, "127.0.0.1", place, even_so=False)
    finally:
        copy.close()


def ended(*_: object, **__: object) -> None:
    """Somebody presses Ctrl-C."""
    raise KeyboardInterrupt


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adoption, "adopt", ended)
        with pytest.raises(KeyboardInterrupt):
            led(path)
    assert unpacked(entered(path, "Meanwhile")) == (4, "ab" * 32)  # it leads nothing yet
    led(path)
    assert unpacked(path)[0] == 4
    with pytest.raises(InputError, match="cup-taken: this folder holds another state of the event; move it away"):
        StandByCopy.unpack(entered(path, "C"))


def test_what_is_ended_in_the_middle_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cup(tmp_path / "cup.korgool", secret="ab" * 32)

    with monkeypatch.context() as patch:
        patch.setattr(StandByCopy, "keep", ended)
        with pytest.raises(KeyboardInterrupt):
            StandByCopy.unpack(path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    (tmp_path / "cup-taken").mkdir()  # an empty one is no hindrance
    assert unpacked(path) == (2, "ab" * 32)


def test_what_a_killed_run_leaves_goes_with_the_next_one(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.korgool", secret="ab" * 32)
    code = (
        "import os, sys; from pathlib import Path; from korgool.app.cli.stand_by_copy import StandByCopy as Copy; "
        "Copy.put_personal = lambda *_: True; keep = Copy.keep; "
        "Copy.keep = lambda *words: (keep(*words), os._exit(9)); Copy.unpack(Path(sys.argv[1]))"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    (left,) = (one for one in tmp_path.iterdir() if one != path)
    assert (left.stat().st_mode & 0o77, len(list(left.glob("*/snapshot.json")))) == (0, 1)
    assert unpacked(path) == (2, "ab" * 32)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["cup-taken", "cup.korgool"]


def test_personal_data_that_a_newer_file_lacks_stays_unless_the_log_has_removed_it(tmp_path: Path) -> None:
    path = entered(cup(tmp_path / "cup.korgool", secret="ab" * 32), "B")
    with EventFile.open(path) as file:
        for player in (1, 2):
            file.copy_personal(player, Personal(passport_number=f"{player}"))
        commands.change(file, Settings(name="Cup", rounds=3, shown=("photo",)), by=BY)
        file.set_photo(1, small_photo(sent(noise=60)), by=BY)
    assert unpacked(path) == (5, "ab" * 32)
    with EventFile.open(path) as file:  # as a deputy downloads it
        commands.forget(file, "B", by=BY, reason="asked")
        file.set_photo(1, small_photo(sent(noise=90)), by=BY)
        with file.together():
            file._drop_personal([1])
        file.carry({ID: EVENT})
    copy = StandByCopy.unpack(path)
    try:
        assert (copy.line, copy.snapshot()["secret"], list(copy.snapshot()["personal"])) == (7, "ab" * 32, ["1"])
        assert [copy.file.personal(player) for player in (1, 2)] == [Personal(passport_number="1"), None]
    finally:
        copy.close()
    led(path)


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


def test_the_address_that_the_desk_is_told_is_that_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = StandByCopy.begin(tmp_path / "copy", Source("http://192.0.2.1:8000", EVENT, "kgs_x"))
    link = _Link(copy, "Second", None, as_json=False)
    asked: list[str] = []

    def silent(path: str, _: float) -> bytes:
        asked.extend(parse_qs(path.partition("?")[2])["address"])
        raise _SilentError("nobody")

    monkeypatch.setattr(link, "_ask", silent)
    for own in ("127.0.0.1", "192.168.1.7"):  # it starts before the Wi-Fi
        monkeypatch.setattr(link, "_own_address", lambda own=own: own)
        with pytest.raises(_SilentError):
            link._fetch(0)
    copy.close()
    assert asked == ["http://127.0.0.1:8000", "http://192.168.1.7:8000"]

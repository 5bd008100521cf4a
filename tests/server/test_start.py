"""Starting, stopping and starting again: what a server says when it cannot, and what it takes up when it can."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.package import environment
from tests.patience import PATIENCE

from .once import prepare_tables
from .own_python import refusals
from .processes import Program
from .support import Server, Visitor, running

SERVE = ["serve", "--port"]


def without_privilege() -> None:
    """Take from root the right to write what its mode forbids; others never had it."""
    if os.geteuid() == 0:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
                raise OSError(ctypes.get_errno(), "the right of root could not be taken")


def refused(words: list[str], status: int = 1) -> str:
    """The message of a server that does not start."""
    program = Program(words)
    said, told = program.communicate(PATIENCE)
    assert program.returncode == status
    assert said == ""
    assert "Traceback" not in told
    return told


def test_a_busy_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refused([*SERVE, str(port), "--data", str(tmp_path)])
    assert f"port {port}" in message
    assert "--port" in message
    assert list(tmp_path.iterdir()) == []


def test_a_host_that_is_not_here_is_named(tmp_path: Path) -> None:
    assert "192.0.2.1" in refused([*SERVE, "0", "--host", "192.0.2.1", "--data", str(tmp_path)])
    assert "no.such.host.invalid" in refused([*SERVE, "0", "--host", "no.such.host.invalid", "--data", str(tmp_path)])


def test_a_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file, not a folder")
    assert str(tmp_path / "file") in refused([*SERVE, "0", "--data", str(tmp_path / "file")])
    assert "--data" in refused([*SERVE, "0", "--data", str(tmp_path / "file" / "below")])


def test_a_read_only_data_folder_is_named(tmp_path: Path) -> None:
    """A new one, and one with games."""
    folders = [tmp_path / "new", tmp_path / "used"]
    folders[0].mkdir()
    Server(folders[1]).stop()
    for file in folders[1].iterdir():
        file.chmod(0o444)
    for folder in folders:
        folder.chmod(0o555)
    messages = refusals(*([*SERVE, "0", "--data", str(folder)] for folder in folders), preexec_fn=without_privilege)
    for folder in folders:
        folder.chmod(0o755)
    assert [str(folder) in message for folder, message in zip(folders, messages, strict=True)] == [True, True]
    assert all("--data" in message for message in messages)


def test_a_database_of_a_newer_version_is_named(tmp_path: Path) -> None:
    Server(tmp_path).stop()
    with sqlite3.connect(tmp_path / "korgool.sqlite") as database:
        database.execute("UPDATE alembic_version SET version_num = '0815'")
    assert "newer version of Korgool" in refused([*SERVE, "0", "--data", str(tmp_path)])


def test_a_url_of_no_database_is_named(tmp_path: Path) -> None:
    assert "--database" in refused([*SERVE, "0", "--database", "oracle://x/y"], 2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_ends_when_it_is_told(tmp_path: Path, number: signal.Signals) -> None:
    server = Server(tmp_path)
    visitor = Visitor(server)
    address = visitor.new_game("toguz", level=8)
    with visitor.live(address, 1) as live:
        visitor.send(address, "move", hole=7, version=1).raise_for_status()
        assert live.next()["version"] == 2
        server.process.send_signal(number)  # the engine thinks, and a page is open
        with suppress(ConnectionClosed):
            while live.next()["version"] < 9:
                pass
        errors = server.process.communicate(timeout=PATIENCE)[1]
    # A start that takes seconds says so, on a busy machine too.
    said = [line for line in errors.splitlines() if not line.startswith("korgool: starting, ")]
    assert said == [f"Games are kept in {tmp_path}. Ctrl-C ends the server, and no game is lost."]
    assert server.process.returncode == 0


def test_it_prints_its_address_when_it_answers(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).status_code == 200


def test_files_are_kept_by_browsers_until_they_change(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        first = httpx.get(f"{server.url}/static/css/page.css", timeout=PATIENCE)
        assert (first.status_code, first.headers["content-type"]) == (200, "text/css; charset=utf-8")
        assert "set-cookie" not in first.headers
        again = httpx.get(
            f"{server.url}/static/css/page.css", timeout=PATIENCE, headers={"if-none-match": first.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
        kernel = httpx.get(f"{server.url}/static/kernel.wasm", timeout=PATIENCE)
        assert (kernel.headers["content-type"], kernel.content[:4]) == ("application/wasm", b"\0asm")


def test_after_a_crash_the_engine_moves_where_it_is_to_move(tmp_path: Path) -> None:
    server = Server(tmp_path)
    visitor = Visitor(server)
    address = visitor.new_game("toguz", level=8)
    visitor.send(address, "move", hole=7, version=1).raise_for_status()
    server.kill()  # level 8 takes its second
    with running(tmp_path) as again:
        visitor.move_to(again)
        with visitor.live(address, 1) as live:
            events = live.until(3)
    assert [event["version"] for event in events] == [2, 3], "an outage is told in games with a clock only"
    assert events[-1]["trace"]["side"] == "black"


def set_clock(folder: Path, address: str, left_ms: int) -> None:
    """Let a game have begun so long ago that its first mover has only this left."""
    with closing(sqlite3.connect(folder / "korgool.sqlite")) as database:
        ((due,),) = database.execute("SELECT due_ms FROM games WHERE id = ?", (address,)).fetchall()
        ((beat,),) = database.execute("SELECT beat_ms FROM owner").fetchall()
        earlier = due - beat - left_ms
        for change in (
            "games SET started_ms = started_ms - ?, due_ms = due_ms - ? WHERE id = ?",
            "events SET at_ms = at_ms - ? + 0 * ? WHERE game_id = ?",
        ):
            database.execute(f"UPDATE {change}", (earlier, earlier, address))
        database.commit()


def test_a_flag_falls_without_anyone_looking(tmp_path: Path) -> None:
    server = Server(tmp_path)
    visitor = Visitor(server)
    white = visitor.new_game("toguz", "white", clock="10+5")
    server.stop()
    set_clock(tmp_path, white, 1_500)
    time.sleep(2)  # while no server runs, no time runs
    begun = time.monotonic()
    with running(tmp_path) as again:
        visitor.move_to(again)
        with visitor.live(white, 1) as live:
            outage, event = live.until(3)
        assert time.monotonic() - begun > 1.4
        assert (outage["kind"], outage["clock"]["running"]) == ("outage", "white")
        assert outage["ms"] >= 2_000
        assert (event["kind"], event["version"]) == ("time", 3)
        assert event["outcome"]["result"] == "0-1"
        assert event["outcome"]["termination"] == "time"
        assert event["clock"] == {"white_ms": 0, "black_ms": 600_000, "running": None, "increment_ms": 5000}
        late = visitor.send(white, "move", hole=7, version=1)
        assert late.status_code == 409


def test_a_flag_falls_with_nobody_connected_at_all(tmp_path: Path) -> None:
    """The list of deadlines loads the game; nobody asks for it before it is over."""
    server = Server(tmp_path)
    visitor = Visitor(server)
    address = visitor.new_game("toguz", "white", clock="10+5")
    server.stop()
    set_clock(tmp_path, address, 1_000)
    with running(tmp_path), closing(sqlite3.connect(tmp_path / "korgool.sqlite")) as database:
        query = "SELECT termination, due_ms FROM games WHERE id = ?"
        wait_for(lambda: database.execute(query, (address,)).fetchall() == [("time", None)])


def test_the_engine_keeps_its_own_clock(tmp_path: Path) -> None:
    server = Server(tmp_path)
    visitor = Visitor(server)
    address = visitor.new_game("toguz", "black", level=8, clock="30+0")
    server.kill()
    set_clock(tmp_path, address, 3_000)
    with running(tmp_path) as again:
        visitor.move_to(again)
        with visitor.live(address, 1) as live:
            assert live.next()["kind"] in {"outage", "move"}
        for _ in range(3):
            state = visitor.state(address)
            if not state["legal"]:
                wait_for(lambda: bool(visitor.state(address)["legal"]))
                state = visitor.state(address)
            answer = visitor.send(address, "move", hole=state["legal"][-1], version=state["version"])
            assert answer.status_code == 200, answer.text
            with visitor.live(address, answer.json()["version"]) as live:
                reply = live.next()
            assert reply["kind"] == "move", "with seconds left the engine still moves in time"


def test_health_is_bad_while_nothing_can_be_written(tmp_path: Path) -> None:
    """A file that may not grow stands for a full disk: the operating system refuses the write, as it would there."""
    with running(tmp_path) as server:
        visitor = Visitor(server)
        address = visitor.new_game("toguz")
        health = f"{server.url}/healthz"
        assert httpx.get(health, timeout=PATIENCE).json() == {"status": "ok"}
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
        wait_for(lambda: httpx.get(health, timeout=PATIENCE).status_code == 503)
        assert "detail" in httpx.get(health, timeout=PATIENCE).json()
        refused = visitor.send(address, "move", hole=7, version=1)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
        wait_for(lambda: httpx.get(health, timeout=PATIENCE).status_code == 200)
        assert visitor.send(address, "move", hole=7, version=1).status_code == 200


def test_a_database_that_cannot_be_read_for_a_while(tmp_path: Path) -> None:
    """A table that is away stands for a database in trouble: games in memory go on, others are refused for a moment."""
    with running(tmp_path) as server:
        visitor = Visitor(server)
        address = visitor.new_game("toguz")
    with running(tmp_path) as server, closing(sqlite3.connect(tmp_path / "korgool.sqlite")) as database:
        database.execute("ALTER TABLE games RENAME TO away")
        database.commit()
        for path in (f"/api/games/{address}", f"/games/{address}"):
            refused = httpx.get(server.url + path, timeout=PATIENCE)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "5"), path
        database.execute("ALTER TABLE away RENAME TO games")
        database.commit()
        assert httpx.get(f"{server.url}/api/games/{address}", timeout=PATIENCE).status_code == 200
        log = server.stop()
        assert "GET /api/games/{game_id}: no such table: games" in log
        assert address not in log, "the address of a game is for those who have its link"
        assert "Traceback" not in log


def test_health_is_bad_on_a_full_disk(tmp_path: Path) -> None:
    """A disk of its own, filled to the last byte, where the one who tests may mount one."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", tmp_path], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        with running(tmp_path) as server:
            health = f"{server.url}/healthz"
            assert httpx.get(health, timeout=PATIENCE).status_code == 200
            with (tmp_path / "rest").open("wb", buffering=0) as rest, suppress(OSError):
                while rest.write(bytes(4096)):
                    pass
            wait_for(lambda: httpx.get(health, timeout=PATIENCE).status_code == 503)
            (tmp_path / "rest").unlink()
            wait_for(lambda: httpx.get(health, timeout=PATIENCE).status_code == 200)
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_health_costs_the_disk_one_word_in_a_while(tmp_path: Path) -> None:
    """A client that asks without end does not make the server write without end."""
    with running(tmp_path) as server, httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        beats = set()
        began = time.monotonic()
        for _ in range(200):
            assert client.get("/healthz").status_code == 200
            with closing(sqlite3.connect(tmp_path / "korgool.sqlite")) as database:
                beats |= set(database.execute("SELECT beat_ms FROM owner").fetchall())
        assert len(beats) <= 2 + (time.monotonic() - began) / 2


def wait_for(done: Callable[[], bool]) -> None:
    late = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < late
        time.sleep(0.1)


_FIRST_PAGE = """
import json, sys
from pathlib import Path

import anyio
import httpx

from korgool.app.server import application
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.http import responses
from korgool.app.server.http.release import release

application.warm_up_tasks = lambda: ()  # in the background, which is none of this

async def main():
    app = application.create_app(ServerSettings(data=Path(sys.argv[1])))
    async with app.lifespan():
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8000")
        assert (await client.get("/")).status_code == 200
    made = sum(file.ready for name, file in release().files.items() if name.startswith("openings/"))
    compiled = len(responses.templates().cache)
    print(json.dumps({"modules": sorted(sys.modules), "compiled": compiled, "books": made}))

anyio.run(main)
"""


def test_a_start_does_only_what_the_first_page_needs(tmp_path: Path) -> None:
    """Of 100 templates those of that page are compiled, no book is made, no message is extracted from the scripts; on
    tables that are up to date, nothing that migrates them is imported. `benchmarks/start.py` measures what it costs."""
    with closing(sqlite3.connect(tmp_path / "korgool.sqlite")) as database:
        for statement in prepare_tables():
            database.execute(statement)
        database.commit()
    words = [sys.executable, "-c", _FIRST_PAGE, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, env=environment(), check=True)
    told = json.loads(done.stdout)
    assert told["compiled"] <= 10
    assert told["books"] == 0
    assert not {"alembic", "babel.messages", "segno", "openpyxl", "PIL", "cryptography"} & set(told["modules"])

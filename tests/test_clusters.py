"""Clusters of real Dask processes: the same bytes as in one thread, workers that die, clusters that must be refused."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner

from korgool import clusters
from korgool.app.cli import main
from korgool.clusters import Cluster, ClusterError, Pool, Threads, pool
from korgool.engine.surroundings import EngineSurroundings
from korgool.engine.training.__main__ import main as training
from korgool.rules import GAMES
from tests.ports import free_ports

PATIENCE = 60
KORGOOL = [sys.executable, "-m", "korgool"]


@contextmanager
def dask(kind: str, *words: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler or a worker of Dask, as its own commands start it."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--host", "127.0.0.1", "--no-dashboard", *words]
    process = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)


def listens(address: str) -> None:
    """Wait until somebody listens there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), 1):
            return
        time.sleep(0.05)


def worker(stack: ExitStack, address: str, **environment: str) -> subprocess.Popen[bytes]:
    """A worker with one thread, without somebody who starts it again."""
    return stack.enter_context(dask("worker", address, "--nthreads", "1", "--no-nanny", **environment))


class Here:
    """A cluster on this machine."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack, self.address = stack, f"tcp://127.0.0.1:{free_ports(1)[0]}"
        self.scheduler = stack.enter_context(dask("scheduler", "--port", self.address.rpartition(":")[2]))
        self.workers = [worker(stack, self.address) for _ in range(2)]

    def kill_one(self) -> None:
        """Kill a worker, and start another one."""
        self.workers[0].kill()
        self.workers = [*self.workers[1:], worker(self.stack, self.address)]


@pytest.fixture(scope="module")
def here() -> Iterator[Here]:
    with ExitStack() as stack:
        yield Here(stack)


def squared(number: int) -> int:
    return number * number


def slowly(number: int) -> int:
    time.sleep(0.05)
    return number * number


def failing(number: int) -> int:
    if number == 7:
        raise ValueError(f"not {number}")
    return number


def nothing() -> Mapping[str, str]:
    return {}


def run(*words: str) -> Any:
    """A command of the program, in this process."""
    found = CliRunner().invoke(main, list(words), standalone_mode=True)
    assert found.exit_code == 0, found.output
    return found.stdout


@pytest.mark.parametrize("make", [Pool, partial(Threads, 3)])
def test_results_come_in_the_order_of_the_items(make: Any) -> None:
    with make() as place:
        assert list(place.in_turn(squared, range(200))) == [number**2 for number in range(200)]
        with pytest.raises(ValueError, match="not 7"):
            list(place.in_turn(failing, range(20)))
        begun = place.in_turn(squared, iter(range(10**9)))
        assert [next(begun) for _ in range(3)] == [0, 1, 4]  # of items without end, some are taken


def test_a_cluster_gives_the_same_and_survives_a_worker(here: Here) -> None:
    with Cluster(here.address, 0, nothing) as place:
        assert list(place.in_turn(squared, range(3000))) == [number**2 for number in range(3000)]
        with pytest.raises(ValueError, match="not 7"):
            list(place.in_turn(failing, range(20)))
        found = []
        for number, result in enumerate(place.in_turn(slowly, range(60))):
            found.append(result)
            if number == 5:
                here.kill_one()
        assert found == [number**2 for number in range(60)]


def test_training_games_are_the_same_bytes(here: Here, tmp_path: Path) -> None:
    one, two, network = tmp_path / "one", tmp_path / "two", tmp_path / "own.kgn"
    network.write_bytes((Path(clusters.__file__).parent / "engine/networks/mangala.kgn").read_bytes())
    words = ["--games", "230", "--nodes", "30", "--seed", "3", "--network", str(network)]
    assert training(["generate", "mangala", str(one), *words]) == 0
    assert training(["generate", "mangala", str(two), *words, "--cluster", here.address]) == 0
    assert one.read_bytes() == two.read_bytes()


def test_puzzles_are_the_same_bytes(here: Here, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    words = ["puzzles", "make", "--game", "mangala", "--self-play", "3", "-o"]
    run(*words, str(one))
    run(*words, str(two), "--cluster", here.address)
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size > 100


def test_matches_are_the_same_bytes(here: Here, tmp_path: Path) -> None:
    said = []
    for name, more in (("one", ["--threads", "2"]), ("two", ["--cluster", here.address])):
        kept = ["--log", str(tmp_path / f"{name}.log"), "--records", str(tmp_path / f"{name}.pgn")]
        words = ["arena", "level:2", "level:1", "--game", "bestemshe", "--games", "6", "--adjudicate"]
        said.append(run(*words, *kept, "--sprt", "0", "400", *more))
    assert said[0] == said[1]
    for kind in ("log", "pgn"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()


def test_analyses_are_the_same_but_for_their_time(here: Here, tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    run("arena", "level:1", "level:2", "--game", "castle", "--games", "4", "--records", str(games))
    words = ["analyse", "--record", str(games), "--nodes", "60", "--lines", "2", "--json"]
    one, two = (
        [json.loads(line) | {"seconds": 0} for line in run(*words, *more).splitlines()]
        for more in ([], ["--cluster", here.address])
    )
    assert one == two
    assert len(one) > 50


def test_tables_are_the_same_bytes(here: Here, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    words = ["tables", "build", "--stones", "4", "--folder"]
    run(*words, str(one))
    run(*words, str(two), "--cluster", here.address)
    built = {path.relative_to(one): path.read_bytes() for path in one.rglob("*.table")}
    assert built == {path.relative_to(two): path.read_bytes() for path in two.rglob("*") if path.suffix}
    assert len(built) == 12
    assert len(list((two / "toguz").iterdir())) == 13  # and the lock


def test_tables_need_a_folder_that_workers_see(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["tables", "build", "--stones", "3", "--folder", str(tmp_path), "--cluster", here.address]
    monkeypatch.setattr("pathlib.Path.touch", lambda path: None)  # the mark of the folder is not there
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 1
    assert re.search("the worker on .* does not see the folder", found.stderr)


def test_a_worker_of_another_version_is_refused_before_the_work(here: Here, tmp_path: Path) -> None:
    info = tmp_path / "korgool-9.8.7.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: korgool\nVersion: 9.8.7\n", encoding="utf-8")
    with ExitStack() as stack:
        worker(stack, here.address, PYTHONPATH=str(tmp_path))
        told = complaint_of(here.address, "Korgool 9.8.7")
    assert re.search(r"worker tcp://127.0.0.1:\d+ has Korgool 9\.8\.7, this machine \d+\.\d+\.\d+", told)


def test_a_worker_with_other_tables_is_refused(here: Here, tmp_path: Path) -> None:
    run("tables", "build", "--game", "bestemshe", "--stones", "4", "--folder", str(tmp_path / "korgool/tables"))
    with ExitStack() as stack:
        worker(stack, here.address, XDG_DATA_HOME=str(tmp_path))
        told = complaint_of(here.address, "differs")
    assert re.search(r"tables bestemshe is [0-9a-f]{12} there, and [0-9a-f]{12} here", told)


def complaint_of(address: str, about: str) -> str:
    """What is said of a cluster once its newest worker is there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            Cluster(address, 0, EngineSurroundings((GAMES["bestemshe"],))).__exit__()
        except ClusterError as error:
            if about in str(error):
                return str(error)
    raise AssertionError


def test_a_late_worker_is_compared_too(here: Here) -> None:
    """The answers of its process are those of today: the expected ones are changed after the first comparison."""
    with Cluster(here.address, 0, EngineSurroundings()) as place:
        place._expected["the fingerprint of the kernel"] = "0123456789ab"
        with pytest.raises(ClusterError, match=r"worker tcp://.* kernel is [0-9a-f]{12} there, and 0123456789ab here"):
            list(place.in_turn(squared, range(9)))


def test_what_is_no_cluster_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(clusters, "_ANSWER", 0.7)
    out = tmp_path / "out.jsonl"
    nobody = f"tcp://127.0.0.1:{free_ports(1)[0]}"
    for address in (nobody, "nobody", "http://127.0.0.1:9", "tcp://[", ""):
        words = ["puzzles", "make", "--self-play", "1", "-o", str(out), "--cluster", address]
        found = CliRunner().invoke(main, words)
        assert (found.exit_code, found.stdout) == (1 if address == nobody else 2, ""), address
        said = "--cluster: there is no Dask scheduler at" if address == nobody else "no address of a Dask scheduler"
        assert said in " ".join(found.stderr.split())
    assert not out.exists()


def test_a_scheduler_without_workers_and_one_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with ExitStack() as stack:
        address = f"tcp://127.0.0.1:{free_ports(1)[0]}"
        scheduler = stack.enter_context(dask("scheduler", "--port", address.rpartition(":")[2]))
        listens(address)
        with monkeypatch.context() as patch:
            patch.setattr(clusters, "_ANSWER", 1.5)
            with pytest.raises(ClusterError, match="has no worker"):
                Cluster(address, 0, nothing)
        worker(stack, address)
        with Cluster(address, 0, nothing) as place:
            found = place.in_turn(slowly, range(1000))
            assert next(found) == 0
            Thread(target=scheduler.kill).start()
            with pytest.raises(ClusterError, match=f"scheduler at {address}"):
                list(found)


@pytest.mark.long
def test_a_local_cluster_and_ctrl_c(tmp_path: Path) -> None:
    """Its processes end with the command, and what was found is kept."""
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    words = ["puzzles", "make", "--game", "castle", "--self-play", "60", "-o"]
    local = ["--cluster", "local", "--threads", "2"]
    process = subprocess.Popen([*KORGOOL, *words, str(two), *local], start_new_session=True)
    journal = Path(f"{two}.part")
    end = time.monotonic() + PATIENCE
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    with pytest.raises(ProcessLookupError):  # noqa: PT012 - the last process of all ends a moment later
        while time.monotonic() < end + PATIENCE:
            os.killpg(process.pid, 0)
            time.sleep(0.05)
    run(*words, str(one))
    run(*words, str(two), *local)
    assert one.read_bytes() == two.read_bytes()
    assert not journal.exists()


COMMANDS = {
    "generate": (
        ["-m", "korgool.engine.training", "generate", "toguz", "OUT", "--games", "400", "--nodes", "1500"],
        ["OUT"],
    ),
    "puzzles": (["-m", "korgool", "puzzles", "make", "--game", "castle", "--self-play", "40", "-o", "OUT"], ["OUT"]),
    "arena": (
        ["-m", "korgool", "arena", "level:4", "level:5", "--games", "40", "--log", "OUT", "--records", "OUT.pgn"],
        ["OUT", "OUT.pgn"],
    ),
    "analyse": (["-m", "korgool", "analyse", "--record", "GAMES", "--nodes", "90000", "--json"], []),
    "tables": (["-m", "korgool", "tables", "build", "--stones", "7", "--folder", "OUT"], ["OUT"]),
}


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_a_worker_killed_in_the_middle_of_a_command(here: Here, tmp_path: Path, name: str) -> None:
    """Each of the five commands, with a worker that is killed twice; the same bytes as here."""
    from distributed import Client

    run("arena", "level:2", "level:3", "--games", "2", "--records", str(tmp_path / "games.pgn"))
    words, files = COMMANDS[name]
    found = []
    for out, more in ((tmp_path / "one", []), (tmp_path / "two", ["--cluster", here.address])):
        typed = [word.replace("OUT", str(out)).replace("GAMES", str(tmp_path / "games.pgn")) for word in words]
        with (tmp_path / "said").open("w+b") as said:
            process = subprocess.Popen([sys.executable, *typed, *more], stdout=said)
            if more:
                with Client(here.address, set_as_default=False) as client:
                    for _ in range(2):
                        end = time.monotonic() + PATIENCE
                        while not all(client.processing().values()) or len(client.nthreads()) < 2:
                            assert time.monotonic() < end
                            assert process.poll() is None
                        here.kill_one()
            assert process.wait(10 * PATIENCE) == 0
            said.seek(0)
            printed = said.read()
        found.append([re.sub(rb'"seconds":[0-9.e-]+', b"", printed)] if not files else [])
        for file in files:
            path = Path(file.replace("OUT", str(out)))
            inside = sorted(path.rglob("*.table")) if path.is_dir() else [path]
            found[-1] += [one.read_bytes() for one in inside]
    assert found[0] == found[1]
    assert sum(map(len, found[0])) > 1000


def test_without_a_cluster_there_are_threads() -> None:
    assert type(pool(None)) is type(pool(1)) is Pool
    with pool(2) as place:
        assert isinstance(place, Threads)

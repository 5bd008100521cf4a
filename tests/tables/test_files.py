"""Files that were interrupted, cut, altered or put in the wrong place: refused or gone on with, never a wrong value."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from korgool.engine.tables import TableError, Tables, build, game_folder, plan, table_files
from korgool.engine.tables.native import REFUSALS, native
from korgool.rules import BESTEMSHE, GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Rules
from tests.tables.support import built

TablesOf = Callable[[str], Tables]
COMMAND = [sys.executable, "-c", "from korgool.app.cli import main; main()", "tables", "build", "--stones"]


def contents(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for _, _, path in table_files(place)}


def test_every_altered_bit_is_seen(tables_of: TablesOf, folder: Path) -> None:
    """Of a whole file, in memory: header, palettes, values, checksums and what fills up."""
    tables_of("bestemshe")
    good = (game_folder(BESTEMSHE, folder) / "06-0.table").read_bytes()
    fresh, attach = Tables(BESTEMSHE), native().kg_tables_attach
    buffer = ctypes.create_string_buffer(good, len(good))
    for at in range(len(good)):
        for bit in range(8):
            buffer[at] = bytes([good[at] ^ 1 << bit])
            assert attach(fresh.address, buffer, len(good)) in REFUSALS, (at, bit)
        buffer[at] = good[at : at + 1]
    assert fresh.files == []
    assert fresh.probe(BESTEMSHE.start()) is None
    assert attach(fresh.address, buffer, len(good)) == 6


def test_every_cut_is_seen(tables_of: TablesOf, folder: Path) -> None:
    tables_of("bestemshe")
    good = (game_folder(BESTEMSHE, folder) / "06-0.table").read_bytes()
    fresh, attach = Tables(BESTEMSHE), native().kg_tables_attach
    for size in range(len(good)):
        assert attach(fresh.address, ctypes.create_string_buffer(good[:size], max(1, size)), size) in REFUSALS
    longer = good + bytes(32)
    assert attach(fresh.address, ctypes.create_string_buffer(longer, len(longer)), len(longer)) in REFUSALS


def test_garbage_is_no_table() -> None:
    fresh, attach, random = Tables(TOGUZ_KORGOOL), native().kg_tables_attach, Random(3)
    for _ in range(300):
        data = random.randbytes(random.randrange(1, 400))
        if random.random() < 0.5:
            data = b"KRGOOLT\n\x01\0\0\0" + data
        assert attach(fresh.address, ctypes.create_string_buffer(data, len(data)), len(data)) in REFUSALS


def put(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    return target


def test_files_of_another_game_or_options(tables_of: TablesOf, folder: Path, tmp_path: Path) -> None:
    tables_of("mangala")
    source = game_folder(MANGALA, folder) / "05-0.table"
    others: list[Rules] = [replace(MANGALA, sweep="owner"), replace(MANGALA, extra_turn_single=False), MANGALA_CASTLE]
    for rules in others:
        path = put(source, game_folder(rules, tmp_path) / "05-0.table")
        with pytest.raises(TableError, match="other options"):
            Tables.open(rules, tmp_path)
        with pytest.raises(TableError, match="other options"):
            build(rules, 5, folder=tmp_path)
        assert path.read_bytes() == source.read_bytes()
    assert len({game_folder(rules) for rules in (MANGALA, *others)}) == 4


def test_a_longer_game_has_the_same_tables() -> None:
    """What a game begins with, and what it says of repetition, changes no ending."""
    assert game_folder(MANGALA) == game_folder(replace(MANGALA, stones=5, threefold=0, recurrence=0))


def test_a_file_under_another_name(tables_of: TablesOf, folder: Path, tmp_path: Path) -> None:
    tables_of("mangala")
    put(game_folder(MANGALA, folder) / "05-0.table", game_folder(MANGALA, tmp_path) / "04-0.table")
    with pytest.raises(TableError, match="the name says 4 stones"):
        Tables.open(MANGALA, tmp_path)


def test_a_newer_version(tables_of: TablesOf, folder: Path, tmp_path: Path) -> None:
    tables_of("mangala")
    path = put(game_folder(MANGALA, folder) / "05-0.table", game_folder(MANGALA, tmp_path) / "05-0.table")
    data = bytearray(path.read_bytes())
    data[8] += 1
    path.write_bytes(data)
    with pytest.raises(TableError, match="another version"):
        Tables.open(MANGALA, tmp_path)
    with pytest.raises(TableError, match="another version"):
        build(MANGALA, 5, folder=tmp_path)
    assert path.read_bytes() == data


def test_an_empty_file(tmp_path: Path) -> None:
    path = game_folder(MANGALA, tmp_path) / "05-0.table"
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(TableError, match="cut short"):
        Tables.open(MANGALA, tmp_path)


def test_a_damaged_file_is_built_again(tmp_path: Path) -> None:
    built(MANGALA, 6, tmp_path)
    place = game_folder(MANGALA, tmp_path)
    good = contents(place)
    for damage in (good["04-0.table"][:-1], b"", bytes(b ^ (at == 500) for at, b in enumerate(good["04-0.table"]))):
        (place / "04-0.table").write_bytes(damage)
        said: list[str] = []
        build(MANGALA, 6, folder=tmp_path, say=said.append)
        assert "built again" in said[0]
        assert contents(place) == good


@pytest.mark.parametrize("workers", [1, 3])
def test_a_build_goes_on_from_every_moment(workers: int, tmp_path: Path) -> None:
    """The file in the making, cut at random or with an altered bit, as a kill or a bad disk may leave it."""
    built(TOGUZ_KORGOOL, 3, tmp_path)
    place = game_folder(TOGUZ_KORGOOL, tmp_path)
    good, random = contents(place), Random(workers)
    assert len(good) == 9
    for name in ("03-2.table", "03-1.table", "03-0.table"):
        whole = good[name]
        cuts = [0, 1, 127, 128, 129, len(whole) - 1, len(whole), *(random.randrange(len(whole)) for _ in range(4))]
        for cut in cuts:
            left = bytearray(whole[:cut])
            if left and random.random() < 0.5:
                left[random.randrange(cut)] ^= 1 << random.randrange(8)
            if random.random() < 0.2:
                left += random.randbytes(100)
            (place / name).unlink(missing_ok=True)
            (place / name.replace("table", "partial")).write_bytes(left)
            build(TOGUZ_KORGOOL, 3, folder=tmp_path, workers=workers)
            assert contents(place) == good
    assert [path.name for path in place.glob("*.partial")] == []


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """SIGKILL, again and again, until the build is through: the files are those of a build that nobody disturbed."""
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("this system kills in another way")
    command = [*COMMAND, "6", "--game", "castle", "--folder", str(tmp_path / "killed")]
    random, kills = Random(1), 0
    done = None
    while done is None:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        place = game_folder(MANGALA_CASTLE, tmp_path / "killed")
        began = len(contents(place))
        # Wait until it works, then for a moment of chance.
        while process.poll() is None and len(list(place.glob("*.table"))) == began:
            time.sleep(0.001)
        try:
            done = process.wait(random.random() * 0.06 if kills < 12 else None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
        finally:
            assert process.stderr is not None
            process.stderr.close()
    assert done == 0
    assert kills > 0
    built(MANGALA_CASTLE, 6, tmp_path / "whole")
    assert contents(place) == contents(game_folder(MANGALA_CASTLE, tmp_path / "whole"))


def test_disk_full(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk. What was done stays, and the same command finishes it."""
    resource = pytest.importorskip("resource", reason="this system has no such limit")
    command = [*COMMAND, "4", "--game", "toguz", "--folder", str(tmp_path / "full")]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000))

    failed = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited, check=False)
    assert failed.returncode == 1
    assert "make room and run the same command again" in failed.stderr
    assert "Traceback" not in failed.stderr
    place = game_folder(TOGUZ_KORGOOL, tmp_path / "full")
    assert (place / "04-2.partial").exists()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "04-2.partial: " in done.stdout
    assert "of 28 parts were done before" in done.stdout
    built(TOGUZ_KORGOOL, 4, tmp_path / "whole")
    assert contents(place) == contents(game_folder(TOGUZ_KORGOOL, tmp_path / "whole"))


def test_two_builds_in_one_folder(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl", reason="this system locks in another way")
    place = game_folder(MANGALA, tmp_path)
    place.mkdir(parents=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(TableError, match="another build"):
            build(MANGALA, 3, folder=tmp_path)
    assert build(MANGALA, 3, folder=tmp_path).stones == 3


def test_memory_is_bounded(tmp_path: Path) -> None:
    with pytest.raises(
        TableError, match=r"21 stones of Mangala with 0 tuz need 124 MiB of memory, 100 MiB are allowed"
    ):
        build(MANGALA, 24, folder=tmp_path, memory=100 << 20)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", GAMES)
def test_workers_change_nothing(name: str, tmp_path: Path) -> None:
    stones = {"toguz": 3, "mangala": 7, "castle": 4, "bestemshe": 8}.get(name, 4)
    for workers in (1, 2):
        build(GAMES[name], stones, folder=tmp_path / str(workers), workers=workers)
    one, two = (contents(game_folder(GAMES[name], tmp_path / str(workers))) for workers in (1, 2))
    assert one == two


def test_plans() -> None:
    assert [(step.layer, step.tuz) for step in plan(TOGUZ_KORGOOL, 4, falling=True)] == [
        (1, 1), (1, 0), (2, 0), (3, 0), (4, 0)
    ]  # fmt: skip
    assert [step.layer for step in plan(BESTEMSHE, 6)] == [2, 4, 6]
    assert [step.layer for step in plan(BESTEMSHE, 3)] == [1, 2, 3]
    assert [step.layer for step in plan(BESTEMSHE, 2, odd=True)] == [1, 2]
    assert sum(step.positions for step in plan(MANGALA, 24)) == 1251677699
    for stones in (0, 49, -1):
        with pytest.raises(TableError, match="1 to 48 stones"):
            plan(MANGALA, stones)
    with pytest.raises(TableError, match="tuz_takes"):
        plan(replace(TOGUZ_KORGOOL, tuz_takes=False), 4, falling=True)


def test_open_tables_survive_their_files(tmp_path: Path) -> None:
    tables = built(MANGALA, 5, tmp_path)
    before = [tables.value(tables.position(5, 0, index)) for index in range(0, tables.count(5, 0), 97)]
    if os.name == "nt":
        pytest.skip("this system keeps files that are open")
    shutil.rmtree(tmp_path)
    assert [tables.value(tables.position(5, 0, index)) for index in range(0, tables.count(5, 0), 97)] == before

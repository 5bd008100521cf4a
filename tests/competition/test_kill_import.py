"""kill -9 in the midst of an import: all are entered with what is personal of them, or nobody, and it can be repeated.

`KORGOOL_KILLS=N` kills another number of times.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from korgool.competition import EventFile
from korgool.competition.json_export import write_json
from tests.competition.program import begin, korgool, lines, play_round
from tests.package import environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kill -9 is a matter of POSIX")
ENVIRONMENT = environment()
PLAYERS = 120
PATIENCE_S = 60


def run_and_kill(words: list[object], folder: Path, delay: float) -> None:
    """Call `korgool event WORDS…` and kill it so many seconds after it began to write, if it is not over before."""
    command = [sys.executable, "-m", "korgool", "event", *map(str, words)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=quiet, stderr=quiet) as process:
        until = time.monotonic() + PATIENCE_S
        while process.poll() is None and not list(folder.glob("*-journal")) and time.monotonic() < until:
            time.sleep(0.0005)
        time.sleep(delay)
        process.kill()


def kill_imports(folder: Path, times: int) -> int:
    """Kill so many imports of a list; how many of them had entered nobody."""
    chance = random.Random(times)
    table = folder / "players.csv"
    rows = [f"Player {n};1990-01-{n % 28 + 1:02};AN {n:07};Doctor {n}" for n in range(1, PLAYERS + 1)]
    table.write_text("\n".join(["family;born;passport;doctor", *rows]) + "\n", encoding="utf-8")
    nobody = 0
    for number in range(times):
        event = folder / f"event{number}.korgool"
        korgool("new", event, "--name", "Cup", "--personal", "born,passport,doctor")
        run_and_kill(["import", event, table], folder, chance.uniform(0, 0.05))
        with EventFile.open(event) as file:
            found = len(file.state.players)
            assert found in (0, PLAYERS), "a part of the list is entered"
            held = [file.personal(id_) for id_ in file.state.players]
        nobody += not found
        if not found:
            (report,) = lines("import", event, table)
            assert report["entered"] == PLAYERS
            with EventFile.open(event) as file:
                held = [file.personal(id_) for id_ in file.state.players]
        assert [one and one.passport_number for one in held] == [f"{n:07}" for n in range(1, PLAYERS + 1)]
        assert lines("check", event)[0]["ok"]
    return nobody


def test_an_import_that_is_killed_has_entered_nobody(tmp_path: Path) -> None:
    kill_imports(tmp_path, int(os.environ.get("KORGOOL_KILLS", "3")))


@pytest.mark.long
def test_many_imports_that_are_killed(tmp_path: Path) -> None:
    times = int(os.environ.get("KORGOOL_KILLS", "60"))
    assert 0 < kill_imports(tmp_path, times) < times, "kills before and after the write"


@pytest.mark.parametrize("kind", ["trf", "data"])
def test_a_report_or_a_whole_event_appears_whole_or_not_at_all(kind: str, tmp_path: Path) -> None:
    source = tmp_path / {"trf": "cup.trf", "data": "cup.json"}[kind]
    event = tmp_path / "cup.korgool"
    begin(event, 24, 3)
    play_round(event, random.Random(7))
    korgool("export", event, f"--{kind}", source)
    folder = tmp_path / "new"
    folder.mkdir()
    for number, delay in enumerate((0.0, 0.004, 0.02)):
        made = folder / f"made{number}.korgool"
        run_and_kill(["import", made, source], folder, delay)
        if not made.exists():
            korgool("import", made, source)
        assert lines("check", made)[0]["ok"]
        assert len(lines("players", made)) == 24
        if kind == "data":
            with EventFile.open(event) as one, EventFile.open(made) as other:
                assert write_json(one) == write_json(other)
    assert {path.suffix for path in folder.iterdir()} <= {".korgool", ".tmp", ".tmp-journal", ".korgool-journal"}

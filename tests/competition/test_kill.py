"""kill -9 at random moments of scripted events: nothing that was confirmed is lost, the file opens, `check` passes.

`python3 run.py test -m long tests/competition/test_kill.py` kills 200 times, some minutes; `KORGOOL_KILLS=N` another
number.
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
from tests.competition.program import lines
from tests.competition.scripted import ROUNDS
from tests.competition.third_engine import assert_confirmed
from tests.package import environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kill -9 is a matter of POSIX")
ENVIRONMENT = environment()
SCRIPT = Path(__file__).with_name("scripted.py")


def run_and_kill(path: Path, seed: int, chance: random.Random) -> tuple[int, bool]:
    """Let the script go on with an event and kill it somewhere; the last line it confirmed, and whether it was over."""
    confirmed = 0
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), str(path), str(seed)], env=ENVIRONMENT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        for _ in range(chance.randint(0, 12)):
            line = process.stdout.readline()
            if not line:
                break
            confirmed = int(line)
        # The moment lies between this command and the next two; pairing takes longer than the rest.
        time.sleep(chance.choice((chance.uniform(0, 0.02), chance.uniform(0, 0.4))))
        process.kill()
        for line in process.stdout:
            if line.endswith(b"\n"):
                confirmed = int(line)
        process.wait()
        return confirmed, process.returncode == 0


def kill_often(folder: Path, times: int) -> tuple[int, int]:
    """Kill so many times, through as many events as that takes.

    Returns:
        How many events were finished, and how many kills left a journal behind: they hit a write.
    """
    chance = random.Random(times)
    event = finished = journals = 0
    known = 0
    for _ in range(times):
        path = folder / f"event{event}.korgool"
        confirmed, over = run_and_kill(path, event, chance)
        journals += path.with_name(f"{path.name}-journal").exists()
        if not path.exists():
            assert confirmed == 0
            known = 0
            continue
        with EventFile.open(path) as file:
            assert file.state.actions >= max(confirmed, known), "what was confirmed is lost"
            assert (file.broken_links(), file.lost_details()) == ((), ())
            assert len(file.log()) == file.state.actions
            known = file.state.actions
        if over or chance.random() < 0.1:
            (found,) = lines("check", path)
            assert found["ok"], found["faults"]
        if over:
            assert found["rounds"] == ROUNDS
            with EventFile.open(path) as file:
                assert assert_confirmed(file.state) == ROUNDS
            finished += 1
            event += 1
            known = 0
    if (path := folder / f"event{event}.korgool").exists():
        assert lines("check", path)[0]["ok"]
    left = {path.suffix for path in folder.iterdir()} - {".korgool"}
    assert left <= {".korgool-journal", ".tmp"}, left
    return finished, journals


def test_a_few_kills_lose_nothing(tmp_path: Path) -> None:
    kill_often(tmp_path, int(os.environ.get("KORGOOL_KILLS", "6")))


@pytest.mark.long
def test_two_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    finished, journals = kill_often(tmp_path, int(os.environ.get("KORGOOL_KILLS", "200")))
    assert finished > 2
    assert journals > 5, "some must hit a write"

"""The pairing engine in its subprocess, and everything that can go wrong with it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from korgool.competition.pairing import pair_swiss, process
from korgool.competition.pairing.engine_file import engine_file
from korgool.competition.pairing.process import EngineError, NoPairingError, engine_name, run_engine
from korgool.competition.state import EventState
from tests.competition.test_swiss import opened


@pytest.fixture
def state() -> EventState:
    return opened(8)


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Another program in the engine's place."""
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", code))


def test_pairs_by_number(state: EventState) -> None:
    assert run_engine(engine_file(state, 1), 1) == ((1, 5), (6, 2), (3, 7), (8, 4))
    assert engine_name().startswith("gacrux 1.")


def test_nothing_to_start(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "COMMAND", ("/no/such/engine",))
    with pytest.raises(EngineError, match="cannot be started"):
        pair_swiss(state, 1)


def test_gacrux_is_not_installed(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    python, *rest = process.COMMAND
    monkeypatch.setattr(process, "COMMAND", (python, "-S", *rest))  # without the packages of this environment
    with pytest.raises(EngineError, match=r"gacrux is not installed .*pip install gacrux"):
        pair_swiss(state, 1)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z")


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups")
@pytest.mark.parametrize("then", ["time.sleep(600)", "os._exit(0)"], ids=["waits", "leaves its child behind"])
def test_a_hanging_engine_is_killed_with_its_children(
    state: EventState, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, then: str
) -> None:
    told = tmp_path / "pids"
    instead(
        monkeypatch,
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(told)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        f"{then}",
    )
    began = time.monotonic()
    with pytest.raises(EngineError, match="stopped after 5 seconds without an answer"):
        pair_swiss(state, 1, timeout=5)
    assert time.monotonic() - began < 60
    pids = [int(pid) for pid in told.read_text().split()]
    assert len(pids) == 2
    for _ in range(100):
        if not any(map(alive, pids)):
            break
        time.sleep(0.05)
    assert not any(map(alive, pids))


def test_too_little_time(state: EventState) -> None:
    with pytest.raises(EngineError, match="without an answer"):
        pair_swiss(state, 1, timeout=0.001)


@pytest.mark.skipif(sys.platform != "linux", reason="the bound holds on Linux")
@pytest.mark.parametrize("memory", [1, 20])
def test_too_little_memory(state: EventState, memory: int) -> None:
    with pytest.raises(EngineError, match=f"needs more than {memory} MiB of memory"):
        pair_swiss(state, 1, memory_mib=memory)


@pytest.mark.skipif(sys.platform != "linux", reason="the bound holds on Linux")
def test_memory_runs_out_while_pairing(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that ends inside gacrux is told as such, not as a program error."""
    child = Path(process.COMMAND[-1]).read_text().replace("program = pairingchecker()", "program = Greedy()")
    greedy = (
        "class Greedy:\n"
        "    def do_command(self, function, code, text):\n"
        "        try:\n"
        "            function()\n"
        "        except Exception:\n"
        "            pass\n"
        "    def common_main(self):\n"
        "        self.do_command(lambda: bytearray(1 << 40), 0, '')\n"
    )
    place = child.index("def main(")
    instead(monkeypatch, child[:place] + greedy + "\n" + child[place:])
    with pytest.raises(EngineError, match="needs more than 500 MiB of memory"):
        pair_swiss(state, 1, memory_mib=500)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit('the engine fell over')", "failed: the engine fell over"),
        ("import os; os.abort()", "failed: exit status -6"),
        ("print('hello')", "gave no pairing but b'hello"),
        ("", "gave no pairing but b''"),
        ('print(\'{"status": {"code": 0}}\')', "failed with status 0: no reason given"),
        ('print(\'{"status": {"code": 401, "error": ["line 3"]}}\')', "failed with status 401: line 3"),
        ('print(\'{"status": {"code": 0}, "pairingResult": {"pairs": [[1, 2]]}}\')', "did not pair everybody once"),
        (
            'print(\'{"status": {"code": 0}, "pairingResult": {"pairs": [[1,2],[3,4],[5,6],[7,7]]}}\')',
            "did not pair everybody once",
        ),
        (
            'print(\'{"status": {"code": 0}, "pairingResult": {"pairs": [[1,2],[3,4],[5,6],[7,0],[8,0]]}}\')',
            "did not pair everybody once",
        ),
    ],
)
def test_bad_answers(state: EventState, monkeypatch: pytest.MonkeyPatch, code: str, words: str) -> None:
    instead(monkeypatch, code)
    with pytest.raises(EngineError) as caught:
        pair_swiss(state, 1)
    assert words in str(caught.value)


def test_no_pairing_is_another_thing_than_a_failure(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, 'print(\'{"status": {"code": 505, "error": ["none"]}}\')')
    with pytest.raises(NoPairingError, match="round 1 has no legal pairing"):
        pair_swiss(state, 1)

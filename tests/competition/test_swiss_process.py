"""The pairing engine in its subprocess, and everything that can go wrong with it."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.pairing import (
    EngineError,
    GacruxHere,
    GacruxProcess,
    NoPairingError,
    gacrux_child,
    gacrux_process,
    pair_swiss,
    verify_swiss,
)
from korgool.competition.pairing.engine_file import engine_file
from korgool.installing import advice
from tests.competition.conftest import Factory
from tests.competition.test_swiss import opened
from tests.patience import eventually


@pytest.fixture(scope="module", autouse=True)
def pairing_here() -> None:
    """Rounds are paired in a process here."""


@pytest.fixture
def state() -> EventState:
    return opened(8)


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Another program in the engine's place."""
    monkeypatch.setattr(gacrux_process, "COMMAND", (sys.executable, "-c", code))


def test_pairs_by_number(state: EventState) -> None:
    for engine in (GacruxProcess(), GacruxHere()):
        assert engine.pair(engine_file(state, 1), 1, 8) == ((1, 5), (6, 2), (3, 7), (8, 4))
        assert engine.name.startswith("gacrux 1.")


def test_nothing_to_start(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gacrux_process, "COMMAND", ("/no/such/engine",))
    with pytest.raises(EngineError, match="cannot be started"):
        pair_swiss(state, 1)


def test_gacrux_is_not_installed(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    python, *rest = gacrux_process.COMMAND
    monkeypatch.setattr(gacrux_process, "COMMAND", (python, "-S", *rest))  # without the packages of this environment
    with pytest.raises(EngineError, match=f"gacrux is not installed .*{re.escape(advice('event'))}"):
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
    communicate = subprocess.Popen.communicate

    def once_both_are_there(self: subprocess.Popen[bytes], text: bytes, timeout: float) -> tuple[bytes, bytes]:
        eventually(lambda: told.exists() and len(told.read_text().split()) == 2, "the engine and its child")
        return communicate(self, text, timeout)

    monkeypatch.setattr(subprocess.Popen, "communicate", once_both_are_there)
    with pytest.raises(EngineError, match=r"stopped after 0\.5 seconds without an answer"):
        pair_swiss(state, 1, engine=GacruxProcess(timeout=0.5))
    pids = [int(pid) for pid in told.read_text().split()]
    assert len(pids) == 2
    eventually(lambda: not any(map(alive, pids)), "both have ended")


def test_too_little_time(state: EventState) -> None:
    with pytest.raises(EngineError, match="without an answer"):
        pair_swiss(state, 1, engine=GacruxProcess(timeout=0.001))


@pytest.mark.skipif(sys.platform != "linux", reason="the bound holds on Linux")
@pytest.mark.parametrize("memory", [1, 20])
def test_too_little_memory(state: EventState, memory: int) -> None:
    with pytest.raises(EngineError, match=f"needs more than {memory} MiB of memory"):
        pair_swiss(state, 1, engine=GacruxProcess(memory_mib=memory))


@pytest.mark.skipif(sys.platform != "linux", reason="the bound holds on Linux")
def test_memory_runs_out_while_pairing(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that ends inside gacrux is told as such, not as a program error."""
    child = Path(gacrux_process.COMMAND[-1]).read_text().replace("program = pairingchecker()", "program = Greedy()")
    greedy = (
        "class Greedy:\n"
        "    parser = __import__('argparse').ArgumentParser()\n"
        "    def read_command_line(self): pass\n"
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
        pair_swiss(state, 1, engine=GacruxProcess(memory_mib=500))


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


class Swapped:
    """An engine of somebody else: the first half against the second, the colours the other way round."""

    name = "swapped 1"

    def pair(self, trf: str, number: int, competitors: int) -> tuple[tuple[int, int], ...]:
        assert trf.startswith(f"012 Round {number}\n")
        half = competitors // 2
        return tuple((number_ + half, number_) for number_ in range(1, half + 1))


def test_another_engine_can_be_named(state: EventState) -> None:
    paired = pair_swiss(state, 1, engine=Swapped())
    assert [(game.white, game.black) for game in paired.games] == [(5, 1), (6, 2), (7, 3), (8, 4)]
    assert paired.engine.startswith("swapped 1, file ")
    published = apply(state, paired.action(1))
    assert verify_swiss(published, 1, engine=Swapped()) == ()
    assert verify_swiss(published, 1, engine=GacruxHere())


def test_both_ways_to_gacrux_say_the_same(event: Factory) -> None:
    state = event(15, 5, number=3, late=1, withdrawals=1, penalties=1)
    for number in range(1, 6):
        here, there = (pair_swiss(state, number, engine=one) for one in (GacruxHere(), GacruxProcess()))
        assert here == there


def test_gacrux_here_says_why_it_cannot(state: EventState, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, trf = GacruxHere(), engine_file(state, 1)
    with pytest.raises(EngineError, match="failed with status 504"):
        engine.pair(trf, 99, 8)
    with pytest.raises(EngineError, match="failed with status"):
        engine.pair("nothing", 1, 8)
    with monkeypatch.context() as patched:
        patched.setattr("gacrux.pairingdutch.pairing_dutch.compute_pairing", exhausted)
        with pytest.raises(EngineError, match="memory ran out while 8 were being paired"):
            engine.pair(trf, 1, 8)
    monkeypatch.setitem(sys.modules, "gacrux.pairingchecker", None)
    with pytest.raises(EngineError, match=f"gacrux is not installed .*{re.escape(advice('event'))}"):
        engine.pair(trf, 1, 8)


def exhausted(*_: object) -> None:
    raise MemoryError


def test_gacrux_here_leaves_the_streams_alone(state: EventState, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = list(sys.argv)
    GacruxHere().pair(engine_file(state, 1), 1, 8)
    assert capsys.readouterr() == ("", "")
    assert sys.argv == arguments


def test_the_engines_process_says_that_gacrux_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(text: str, number: int) -> str:
        raise ModuleNotFoundError("No module named 'gacrux'")

    monkeypatch.setattr(gacrux_child, "answer", missing)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"012 Cup\n")))
    assert gacrux_child.main(["0", "1"]) == gacrux_child.MISSING
    assert "gacrux" in capsys.readouterr().err

"""Programs that speak UGI, driven from Python: our own, small ones that go wrong, and what is told of them."""

from __future__ import annotations

import asyncio
import shlex
import subprocess
import sys
import threading

import pytest

from korgool import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules
from korgool.engine import Limits, TimeLeft, UgiAnalysis, UgiEngine, UgiError, UgiLine
from korgool.engine.ugi_client import position_line
from tests.patience import PATIENCE
from tests.server.support import run_async

OURS = [sys.executable, "-m", "korgool", "engine"]
SMALL = """
import sys, time
def say(text): print(text, flush=True)
def complain(text): print(text, file=sys.stderr, flush=True)
moves, went = [], 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        say("id name Small"); say("id author Somebody"); say("option name hash size type spin default 1 min 1 max 9")
        say("ugiok")
    elif words[:1] == ["isready"]: say("readyok")
    elif words[:1] == ["position"]: moves = words[3:]
    elif words[:1] == ["quit"]: break
    elif words[:1] == ["stop"]: GO_STOP
    elif words[:1] == ["go"]:
        went += 1
        GO
"""


def small(go: str, stop: str = "pass") -> list[str]:
    """A small program that obeys `go` and `stop` as the Python says."""
    return [sys.executable, "-c", SMALL.replace("GO_STOP", stop).replace("GO", go)]


def gone(engine: UgiEngine) -> bool:
    return engine._process.poll() is not None


def test_our_own_engine_is_driven_as_any_other() -> None:
    told: list[UgiLine] = []
    with UgiEngine(OURS, options={"hash": 1, "tables": False}) as engine:
        assert engine.name.startswith("Korgool ")
        assert engine.author == "the Korgool authors"
        assert engine.options["hash"].startswith("type spin default 16")
        game = Game(TOGUZ_KORGOOL, [7, 5])
        found = engine.analyse(game, Limits(depth=6), lines=3, on_line=told.append)
        assert found.move in game.position.legal_moves()
        assert [line.move for line in found.lines][:1] == [found.move]
        assert len({line.move for line in found.lines}) == 3
        assert all(line.depth == 6 and line.evaluation is not None and line.pv for line in found.lines)
        assert found.nodes > 100
        assert len(told) > 6
        assert engine.play(game, Limits(nodes=500)) in game.position.legal_moves()
        clocks = TimeLeft(5.0, increment=0.1), TimeLeft(4.0, increment=0.1)
        assert engine.play(game, clocks=clocks) in game.position.legal_moves()
        engine.new_game()
        assert "Korgool" in repr(engine)
    assert gone(engine)
    engine.close()
    with pytest.raises(UgiError, match=r"Korgool .* has left"):
        engine.play(game)


def test_rules_positions_and_options_reach_the_program() -> None:
    owner = MANGALA.with_option("sweep", "owner")
    with UgiEngine(shlex.join(OURS), owner) as engine:
        position = Position.parse("1,2S,1,1S,1,1S/1S,2,1S,1S,1 20 21 S 30", owner)
        assert engine.play(position, Limits(depth=3)) in position.legal_moves()
        engine.say("query result")
        assert engine.hear(PATIENCE) == "response none"
        with pytest.raises(UgiError, match="has no option 'speed'; it has hash, multipv"):
            engine.set_option("speed", 3)
        with pytest.raises(ValueError, match="one line is sent at a time"):
            engine.say("isready\nquit")
        with pytest.raises(ValueError, match="was told to play Mangala"):
            engine.play(TOGUZ_KORGOOL.start())
        with pytest.raises(TypeError, match="about a Position or a Game, not '7'"):
            engine.play("7")  # type: ignore[arg-type]
    with pytest.raises(UgiError, match="Small has no option 'sweep'; it has hash size"):
        UgiEngine(small("say('bestmove 1')"), owner)


@pytest.mark.parametrize(
    ("position", "line"),
    [
        (TOGUZ_KORGOOL.start(), "position startpos"),
        (Game(TOGUZ_KORGOOL, [7, 5]), "position startpos moves 7 5"),
        (TOGUZ_KORGOOL.start().play(1), "position fen {} "),
        (Game(Position.parse("4,1S/2,2S,1,1S 22 24 S 1"), [3]), "position fen 4,1S/2,2S,1,1S 22 24 S 1 moves 3"),
    ],
)
def test_positions_are_told(position: Position | Game, line: str) -> None:
    assert position_line(position) == line.format(position).strip()


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        ("say('bestmove 9')", r"Small plays hole 9, which is not legal after 3"),
        ("say('bestmove none')", "Small answers 'bestmove none'"),
        ("say('bestmove')", "Small answers 'bestmove'"),
        (
            "complain('out of memory'); sys.exit(3)",
            "Small has ended, with code 3 while 'go nodes 5' waited for its answer; it wrote: out of memory",
        ),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "Small has ended, by SIGKILL while 'go nodes 5'"),
        (
            "complain('thinking'); time.sleep(60)",
            r"Small does not answer 'go nodes 5' within 0\.\d* s; its process runs on; it wrote: thinking",
        ),
    ],
)
def test_what_goes_wrong_is_told_with_its_cause(go: str, reason: str) -> None:
    with UgiEngine(small(go), BESTEMSHE) as engine:
        with pytest.raises(UgiError, match=reason):
            engine.play(Game(BESTEMSHE, [3]), Limits(nodes=5), timeout=0.3)
        if "sleep" in go:
            engine._process.kill()
    assert gone(engine)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/no/such/program", "/no/such/program does not start: No such file"),
        (" ", "no command is given"),
        ("import sys; sys.exit('no licence')", r"(has ended, with code 1|has left).*; it wrote: no licence"),
        ("import time; time.sleep(60)", r"does not answer 'ugi' within 0\.\d* s; its process runs on"),
    ],
)
def test_a_program_that_does_not_begin_is_told_and_ended(
    command: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [sys.executable, "-c", command] if "import" in command else command
    monkeypatch.setattr("korgool.engine.ugi_process._LEAVING", 0.1)
    with pytest.raises(UgiError, match=reason):
        UgiEngine(words, patience=PATIENCE if "licence" in command else 0.3)


def test_a_late_answer_is_not_taken_for_the_next_one() -> None:
    """The first search is answered only when it is told to stop, long after nobody waits for it any more."""
    late = small("say(f'bestmove {went}') if went > 1 else None", "say('bestmove 5')")
    with UgiEngine(late, BESTEMSHE) as engine:
        with pytest.raises(UgiError, match="does not answer 'go nodes 5'"):
            engine.play(BESTEMSHE.start(), Limits(nodes=5), timeout=0.1)
        assert engine.play(BESTEMSHE.start(), Limits(nodes=5)) == 2
        assert engine.play(BESTEMSHE.start(), Limits(nodes=5)) == 3


def test_a_program_that_does_not_stop_is_told() -> None:
    with UgiEngine(small("pass"), BESTEMSHE, patience=0.3) as engine:
        timer = threading.Timer(0.1, engine.stop)
        timer.start()
        with pytest.raises(UgiError, match=r"does not answer 'go infinite' within .* though it was told to stop"):
            engine.play(BESTEMSHE.start(), Limits())
        timer.join()


def test_a_flood_of_lines_takes_no_memory_and_no_sense() -> None:
    flood = "[say(f'info depth {n} pv x') for n in range(30_000)]; say('x' * 3_000_000); say('bestmove 1')"
    with UgiEngine(small(flood), BESTEMSHE) as engine:
        assert engine.analyse(BESTEMSHE.start(), Limits(nodes=5)).lines == ()
        assert engine._lines.maxsize < 30_000


@pytest.mark.parametrize(
    ("info", "lines"),
    [
        ("info depth 3 score cp -120 nodes 77 pv 2 3", (UgiLine(2, -1.2, 3, (2, 3)),)),
        ("info pv 2", (UgiLine(2, None, 0, (2,)),)),
        ("info depth x score cp y nodes -- pv 2", (UgiLine(2, None, 0, (2,)),)),
        ("info string pv 2", ()),
        ("info depth 3 pv", ()),
        ("info", ()),
    ],
)
def test_what_it_tells_is_read_as_far_as_it_goes(info: str, lines: tuple[UgiLine, ...]) -> None:
    with UgiEngine(small(f"say({info!r}); say('bestmove 2')"), BESTEMSHE) as engine:
        assert engine.analyse(BESTEMSHE.start(), Limits(nodes=5)).lines == lines


def test_beside_an_event_loop() -> None:
    async def play(rules: Rules) -> list[UgiAnalysis]:
        async with UgiEngine(OURS, rules) as engine, UgiEngine(OURS, rules) as other:
            found = await asyncio.gather(
                *(one.analyse_async(Game(rules), Limits(nodes=2_000)) for one in (engine, other))
            )
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await engine.analyse_async(rules.start(), Limits())
            assert await engine.play_async(rules.start(), Limits(depth=2)) in rules.start().legal_moves()
        assert gone(engine)
        assert gone(other)
        return list(found)

    first, second = run_async(play(BESTEMSHE))
    assert first.lines == second.lines


def test_a_program_ends_with_the_one_that_forgot_it() -> None:
    """Python leaves without closing it: its input ends, and so does it. The run waits for all who could write."""
    code = f"from korgool.engine import UgiEngine; engine = UgiEngine({OURS!r}); print(engine.name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.startswith("Korgool ")

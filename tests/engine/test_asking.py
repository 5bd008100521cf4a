"""How an engine is asked: about positions and games, in a `with` block, beside an event loop, with its usual tables."""

from __future__ import annotations

import asyncio
import io
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from korgool import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules, Side, Termination
from korgool.engine import Analysis, Engine, Limits, Tables
from korgool.engine.tables import build
from korgool.engine.ugi import Ugi
from tests.patience import PATIENCE
from tests.server.support import run_async

FEW = {
    "toguz": "9/6,1S,1,2S 80 79 S 70",
    "mangala": "1,2S,1,1S,1,1S/1S,2,1S,1S,1 20 21 S 30",
    "bestemshe": "4,1S/2,2S,1,1S 22 24 S 1",
}
ENDLESS = Limits(nodes=10**12)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has built no tables yet."""
    monkeypatch.setattr("korgool.engine.tables.files.default_folder", lambda: tmp_path)
    return tmp_path


def test_a_game_is_asked_with_its_history() -> None:
    """Hole 1 brings back the position in which the game began, a draw that nobody can see without the past."""
    game = Game(Position.parse("7,1S,1/1,1S,7 79 81 S 1"), map(int, "22334455667788991"))
    with Engine(TOGUZ_KORGOOL, tables=None) as engine:

        def of_hole_1(asked: Game | Position, history: Sequence[Position] | None = None) -> float:
            engine.clear()
            lines = engine.analyse(asked, Limits(depth=1), lines=9, history=history).lines
            return next(line.evaluation for line in lines if line.move == 1)

        assert of_hole_1(game) == of_hole_1(game.position, game.positions) == 0
        assert of_hole_1(game.position) > 1
        assert engine.play(game, Limits(depth=3)) in game.position.legal_moves()
        assert len(game.moves) == 17


def test_without_limits_it_thinks_a_second() -> None:
    with Engine(TOGUZ_KORGOOL) as engine:
        assert 0.9 <= engine.analyse(Game(TOGUZ_KORGOOL)).seconds < PATIENCE


@pytest.mark.parametrize("what", ["7", 7, None, str(TOGUZ_KORGOOL.start()), TOGUZ_KORGOOL])
def test_what_is_neither_a_position_nor_a_game_is_refused_with_advice(what: object) -> None:
    with Engine(TOGUZ_KORGOOL) as engine:
        for ask in (engine.analyse, engine.play):
            with pytest.raises(TypeError, match=r"about a Position or a Game, not .*Position\.parse.*game\.play"):
                ask(what)  # type: ignore[arg-type]


def test_a_game_that_has_ended_has_nothing_to_search() -> None:
    game = Game(TOGUZ_KORGOOL, [7, 5])
    game.conclude(Side.BLACK, Termination.RESIGNATION)
    with Engine(TOGUZ_KORGOOL) as engine:
        with pytest.raises(ValueError, match=r"the game is over: 0 \(10\) - 1 \(10\), resignation"):
            engine.analyse(game)
        with pytest.raises(ValueError, match="a game brings its own history"):
            engine.analyse(Game(TOGUZ_KORGOOL), history=[TOGUZ_KORGOOL.start()])


def test_after_its_block_an_engine_is_closed_and_says_so() -> None:
    with Engine(TOGUZ_KORGOOL, threads=2) as engine:
        pass
    engine.close()
    engine.stop()
    start = TOGUZ_KORGOOL.start()
    for call in (lambda: engine.analyse(start), lambda: engine.evaluate(start), engine.clear):
        with pytest.raises(ValueError, match="the engine is closed"):
            call()
    assert "closed" in repr(engine)


def test_closing_ends_a_search() -> None:
    engine, found = Engine(TOGUZ_KORGOOL), list[Analysis]()
    seen = threading.Event()
    thread = threading.Thread(
        target=lambda: found.append(engine.analyse(TOGUZ_KORGOOL.start(), ENDLESS, on_depth=lambda _: seen.set()))
    )
    thread.start()
    assert seen.wait(PATIENCE)
    engine.close()
    thread.join(PATIENCE)
    assert found[0].lines


def test_beside_an_event_loop_others_go_on() -> None:
    async def play() -> int:
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0.001)

        async with Engine(TOGUZ_KORGOOL) as engine:
            task = asyncio.create_task(others())
            found = await engine.analyse_async(Game(TOGUZ_KORGOOL, [7]), Limits(nodes=200_000), lines=2)
            assert (found.nodes, len(found.lines)) == (200_000, 2)
            assert await engine.play_async(TOGUZ_KORGOOL.start(), Limits(depth=2)) in range(1, 10)
            with pytest.raises(TypeError, match="not '7'"):
                await engine.analyse_async("7")  # type: ignore[arg-type]
            task.cancel()
        with pytest.raises(ValueError, match="the engine is closed"):
            await engine.play_async(TOGUZ_KORGOOL.start())
        return turns

    assert run_async(play()) > 3


def test_a_cancelled_task_ends_its_search_and_no_other() -> None:
    async def cancel() -> Analysis:
        engine = Engine(TOGUZ_KORGOOL)
        began = asyncio.Event()
        loop = asyncio.get_running_loop()

        def told(_: Analysis) -> None:
            loop.call_soon_threadsafe(began.set)

        first = asyncio.create_task(engine.analyse_async(TOGUZ_KORGOOL.start(), Limits(nodes=400_000), on_depth=told))
        await began.wait()
        waiting = asyncio.create_task(engine.analyse_async(TOGUZ_KORGOOL.start(), ENDLESS))
        await asyncio.sleep(0)
        waiting.cancel()
        whole = await first  # the one that was cancelled has not stopped it
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await engine.analyse_async(TOGUZ_KORGOOL.start(), ENDLESS)
        engine.close()
        return whole

    used = time.process_time()
    assert run_async(cancel()).nodes == 400_000
    assert time.process_time() - used < PATIENCE


@pytest.mark.parametrize("name", FEW)
def test_it_knows_the_tables_that_a_session_knows(name: str) -> None:
    position = Position.parse(FEW[name])
    rules = position.rules
    sink = io.StringIO()
    lines = f"setoption name game value {rules.name}\nposition fen {position}\ngo depth 1\n"
    Ugi(io.StringIO(lines), sink).run()
    score = re.search(r"score cp (-?\d+)", sink.getvalue())
    assert score is not None
    line = Engine(rules).analyse(position, Limits(depth=1)).lines[0]
    assert line.exact
    assert round(line.evaluation * 100) == int(score[1])
    assert not Engine(rules, tables=None).analyse(position, Limits(depth=1)).lines[0].exact


def test_tables_can_be_chosen(home: Path) -> None:
    position = Position.parse(FEW["bestemshe"], BESTEMSHE)
    own = build(BESTEMSHE, 2, folder=home / "elsewhere")
    engine = Engine(BESTEMSHE, tables=own)
    assert "up to 2 stones" in repr(engine)
    assert "no tables" in repr(Engine(replace(MANGALA, sweep="owner")))
    engine.use_tables(None)
    assert not engine.analyse(position, Limits(depth=1)).lines[0].exact
    with pytest.raises(ValueError, match="other rules"):
        Engine(TOGUZ_KORGOOL, tables=own)


def test_damaged_tables_of_the_user_are_told_and_left_out(home: Path) -> None:
    rules: Rules = BESTEMSHE
    build(rules, 4, folder=home)
    damaged = next(home.rglob("*.table"))
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    with pytest.warns(RuntimeWarning, match="no endgame tables are used: .*delete it and build it again"):
        engine = Engine(rules)
    assert engine.play(rules.start(), Limits(depth=2)) in rules.start().legal_moves()
    assert Tables.open(rules, home / "nowhere").files == []

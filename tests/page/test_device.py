"""The engine on the visitor's device: in a real page it searches as the engine here does, with and without threads."""

from __future__ import annotations

import re
import time
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from korgool.engine.levels import NUMBERS, levels_of, of_number, pick, ratings_of
from korgool.engine.limits import Limits
from korgool.engine.networks import FOLDER
from korgool.engine.search import Analysis, Engine, Line
from korgool.rules import GAMES, Game
from tests.page.conftest import OpenPage
from tests.page.devices import OPEN, boards_of, game_of
from tests.page.test_device_rules import board
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

DEPTH = 11
FILES = Path(__file__).parents[2] / "src" / "korgool" / "app" / "static" / "js" / "device"
SEARCH = """
async ([game, boards, limits, options]) => {
  const { EngineWorkers } = await import("/static/js/device/device_engine.js");
  const device = await EngineWorkers.open(game, options);
  const depths = [];
  const report = await device.analyse(boards, limits, ({ lines }) => depths.push(lines[0].depth));
  device.close();
  const { threads, network, notice } = device;
  return { report, depths, threads, network, notice, isolated: crossOriginIsolated };
}
"""
STOP = """
async ([boards, seconds]) => {
  const began = performance.now();
  const searching = device.analyse(boards, {});
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const stopped = performance.now();
  device.stop();
  const { lines, nodes } = await searching;
  return { took: (performance.now() - stopped) / 1000, lines, nodes };
}
"""
WAYS: dict[str, dict[str, Any]] = {"threads": {"threads": 1}, "plain": {"shared": False}}


def _workers(page: Page, count: int) -> None:
    """Wait until the page has so many workers of the engine: they end a moment after they were told to."""
    until = time.monotonic() + PATIENCE
    while sum("/device/" in worker.url for worker in page.workers) != count:
        assert time.monotonic() < until, f"not {count} workers but {[worker.url for worker in page.workers]}"
        page.wait_for_timeout(50)


def _same(told: dict[str, Any], here: Analysis) -> None:
    assert told["nodes"] == here.nodes
    assert len(told["lines"]) == len(here.lines)
    for line, expected in zip(told["lines"], here.lines, strict=True):
        found = line["move"], line["evaluation"], line["depth"], line["exact"], tuple(line["pv"])
        assert found == (expected.move, expected.evaluation, expected.depth, expected.exact, expected.pv)
        chances = line["win"], line["draw"], line["loss"]
        assert chances == pytest.approx((expected.win, expected.draw, expected.loss), abs=1e-9)
        assert line["certain"] == 0 or (line["win"], line["loss"]) == (line["certain"] > 0, line["certain"] < 0)


def test_searches_as_here(open_page: OpenPage) -> None:
    page = open_page()
    for name, options in product(GAMES, WAYS.values()):
        searches_as_here(page, name, options)


def searches_as_here(page: Page, name: str, options: dict[str, Any]) -> None:
    game = game_of(name, 9)
    told = page.evaluate(SEARCH, [name, boards_of(game), {"depth": DEPTH, "lines": 3}, options])
    here = Engine(GAMES[name], tables=None).analyse(game.position, Limits(depth=DEPTH), lines=3, history=game.positions)
    assert told["isolated"]
    assert told["threads"] == 1
    assert told["notice"] is None
    assert told["network"] == (f"{name}.kgn" if (FOLDER / f"{name}.kgn").is_file() else None)
    _same(told["report"], here)
    assert told["depths"] == list(range(1, DEPTH))  # the last one is the answer


def test_sees_repetition_in_the_history(open_page: OpenPage) -> None:
    """A game of castle that goes round: with its history the engine finds other values than without."""
    rules = GAMES["castle"]
    for seed in range(1000):
        game, random = Game(rules), Random(seed)
        while game.outcome() is None and len(game.moves) < 150 and not game.claims():
            game.play(random.choice(game.position.legal_moves()))
        if not game.claims():
            continue
        game.undo()
        engine = Engine(rules, tables=None)
        without = engine.analyse(game.position, Limits(depth=6), lines=6)
        engine.clear()
        here = engine.analyse(game.position, Limits(depth=6), lines=6, history=game.positions)
        if [line.evaluation for line in here.lines] != [line.evaluation for line in without.lines]:
            break
    else:
        pytest.fail("no game goes round")
    told = open_page().evaluate(SEARCH, ["castle", boards_of(game), {"depth": 6, "lines": 6}, {"threads": 1}])
    _same(told["report"], here)


def test_threads_help_and_stop_at_once(open_page: OpenPage) -> None:
    page, boards = open_page(), boards_of(game_of("toguz", 4))
    assert page.evaluate(OPEN, ["toguz", {"threads": 3}]) is None
    assert page.evaluate("device.threads") == 3
    _workers(page, 3)
    told = page.evaluate("boards => device.analyse(boards, {nodes: 100_000})", boards)
    assert told["nodes"] > 100_000  # the bound is that of the first thread
    for _ in range(5):
        told = page.evaluate(STOP, [boards, 0.05])
        assert told["took"] < PATIENCE, "it would never end"
        assert told["lines"][0]["depth"] >= 1
    page.evaluate("device.close()")
    _workers(page, 0)


def test_a_new_search_ends_the_one_before(open_page: OpenPage) -> None:
    page = open_page()
    for options in WAYS.values():
        new_search(page, options)


def new_search(page: Page, options: dict[str, Any]) -> None:
    boards = boards_of(game_of("toguz", 4))
    assert page.evaluate(OPEN, ["toguz", options]) is None
    took, depths = page.evaluate(
        """async (boards) => {
          const began = performance.now();
          const endless = [1, 2, 3].map(() => device.analyse(boards, {}));
          await new Promise((resolve) => setTimeout(resolve, 100));
          const last = device.analyse(boards, { depth: 5 });
          const found = await Promise.all([...endless, last]);
          return [(performance.now() - began) / 1000, found.map(({ lines }) => lines[0].depth)];
        }""",
        boards,
    )
    assert took < PATIENCE
    assert depths[3] == 5
    assert all(depth >= 1 for depth in depths)
    again = page.evaluate("boards => device.analyse(boards, {seconds: 0.05})", boards)
    assert again["lines"][0]["depth"] >= 1


def test_a_page_that_is_not_isolated_has_one_thread(open_page: OpenPage) -> None:
    def bare(route: Route) -> None:
        answer = route.fetch()
        kept = {name: value for name, value in answer.headers.items() if not name.startswith("cross-origin-")}
        route.fulfill(response=answer, headers=kept)

    page, boards = open_page({"**/": bare}), boards_of(game_of("mangala", 4))
    assert not page.evaluate("crossOriginIsolated")
    assert page.evaluate(OPEN, ["mangala", {"threads": 4}]) is None
    assert page.evaluate("[device.threads, device.network]") == [1, "mangala.kgn"]
    assert page.evaluate(STOP, [boards, 0.1])["took"] < PATIENCE
    assert page.evaluate("boards => device.analyse(boards, {depth: 6})", boards)["lines"][0]["depth"] == 6


def test_a_damaged_network_is_refused(open_page: OpenPage) -> None:
    data = bytearray((FOLDER / "castle.kgn").read_bytes())
    data[len(data) // 2] ^= 1
    page = open_page({"**/networks/castle.kgn": lambda route: route.fulfill(body=bytes(data))})
    game = game_of("castle", 5)
    here = Engine(game.rules, network=None, tables=None).analyse(game.position, Limits(depth=6), history=game.positions)
    for options in WAYS.values():
        told = page.evaluate(SEARCH, ["castle", boards_of(game), {"depth": 6}, options])
        assert told["network"] is None
        assert told["notice"] == "the network castle.kgn cannot be used: its checksum is wrong; it is damaged"
        _same(told["report"], here)


def test_says_why_it_does_not_open(open_page: OpenPage) -> None:
    page = open_page(expected=True)
    cut = "nothing"
    page.route(
        re.compile(r"\.(js|json|wasm)$"),
        lambda route: route.abort() if route.request.url.endswith(f"/{cut}") else route.fallback(),
    )
    for file, reason in {
        "engine_worker.js": "the engine's worker cannot be loaded",
        "search_thread_worker.js": "the engine's worker cannot be loaded",
        "levels.json": "the engine cannot be opened: ",
        "kernel-threads.wasm": "",
    }.items():
        cut = file
        said = page.evaluate(OPEN, ["toguz", {"threads": 2}])
        assert said, file
        assert said.startswith(reason), file
        _workers(page, 0)
        cut = "nothing"
        page.reload()


def test_says_why_a_helper_does_not_start(open_page: OpenPage) -> None:
    """A helper whose module gets no memory does not start, and opening says so at once."""
    source = (FILES / "search_thread_worker.js").read_text(encoding="utf-8")
    broken = source.replace("KernelModule.make(compiled, memory)", "KernelModule.make(compiled)")
    assert broken != source
    page = open_page(
        {"**/search_thread_worker.js": lambda route: route.fulfill(response=route.fetch(), body=broken)},
        expected=True,
    )
    said = page.evaluate(OPEN, ["toguz", {"threads": 2}])
    assert said.startswith("the engine's worker cannot be loaded: ")
    assert "memory" in said
    _workers(page, 0)


def test_refuses_what_cannot_be_searched(open_page: OpenPage) -> None:
    page, start = open_page(), board(GAMES["toguz"].start())
    assert page.evaluate(OPEN, ["toguz", {}]) is None
    over = start | {"white": [0] * 9, "black": [0] * 9, "stores": [81, 81]}
    short = start | {"white": [9] * 8}
    said = page.evaluate(
        """(games) => Promise.all(games.map(([boards, level]) =>
          (level ? device.choose(boards, level) : device.analyse(boards, {depth: 3})).then(
            () => null, (error) => [error instanceof RangeError, error.message])))""",
        [[[over], None], [[short], None], [[], None], [[start], 9], [[start], None]],
    )
    ratings = ratings_of(GAMES["toguz"])
    assert said == [
        [True, "there is nothing to search, the game is over"],
        [True, "a position has 9 holes a side, each of 0 to 255 stones"],
        [True, "there is no position to search"],
        [True, f"there is no strength 9; levels are 1 to {NUMBERS[-1]}, ratings {ratings[0]} to {ratings[-1]}"],
        None,
    ]
    wrong = [{"seconds": -1}, {"depth": 0}, {"nodes": 1.5}, {"lines": 10}]
    said = page.evaluate(
        """([boards, limits]) => Promise.all(limits.map((wrong) => device.analyse(boards, wrong).then(
            () => null, (error) => error.message)))""",
        [[start], wrong],
    )
    assert said == [
        "a search takes 0 seconds or more, not -1",
        "a search looks at least 1 ply ahead, not 0",
        "a search visits at least 1 node, not 1.5",
        "an analysis tells 1 to 9 lines, not 10",
    ]
    assert page.evaluate(OPEN, ["chess", {}]) == "there is no game 'chess'"
    assert page.evaluate(OPEN, ["toguz", {"tableMiB": 4096}]) == "the table has 0 to 256 MiB, not 4096"


class _Fixed(Random):
    """A source of chance that says one number."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self._number = number

    def random(self) -> float:
        return self._number


def test_levels_pick_as_here(open_page: OpenPage) -> None:
    random, asked = Random("levels"), []
    for _ in range(300):
        values = sorted((round(random.gauss(0, 8) * 32) / 32 for _ in range(random.randint(1, 9))), reverse=True)
        game = random.choice(list(GAMES))
        asked.append((game, random.choice(NUMBERS), values, GAMES[game].total, random.random()))
    numbers, picked = open_page().evaluate(
        """async (asked) => {
          const { fetchLevels, levelOf, pickLine } = await import("/static/js/device/engine_levels.js");
          const numbers = await fetchLevels("/static/levels.json");
          const lines = (values) => values.map((evaluation, index) => ({ evaluation, index }));
          return [numbers, asked.map(([game, level, values, stones, chance]) =>
            pickLine(lines(values), levelOf(numbers, game, level), stones, chance).index)];
        }""",
        asked,
    )
    assert numbers["networks"] == sorted(path.stem for path in FOLDER.glob("*.kgn"))
    here = []
    for game, level, values, stones, chance in asked:
        lines = [Line(at + 1, value, 0.0, 0.0, 0.0, False, 1, (1,)) for at, value in enumerate(values)]
        here.append(pick(lines, of_number(level, GAMES[game]), stones, _Fixed(chance)).move - 1)
    assert picked == here
    assert len(set(picked)) > 4


def test_chooses_within_what_a_level_allows(open_page: OpenPage) -> None:
    page = open_page()
    for name in ("toguz", "mangala"):
        chooses(page, name)


def chooses(page: Page, name: str) -> None:
    game = game_of(name, 6)
    assert page.evaluate(OPEN, [name, {"threads": 2}]) is None
    for level in levels_of(game.rules)[:7]:
        told = page.evaluate("([boards, level]) => device.choose(boards, level)", [boards_of(game), level.number])
        lines = len(game.position.legal_moves()) if level.spread else 1
        limits = Limits(depth=level.depth, nodes=level.nodes)
        here = Engine(game.rules, tables=None).analyse(game.position, limits, lines=lines, history=game.positions)
        _same(told["report"], here)
        worst = here.lines[0].evaluation - level.loss * game.rules.total
        assert told["move"] in [line.move for line in here.lines if line.evaluation >= worst]

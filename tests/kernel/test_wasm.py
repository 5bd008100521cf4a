"""The kernel as WebAssembly: the committed files are what the sources give, and play in a real browser as here."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from korgool.engine.kernel import Kernel
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import GAMES, Position
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "korgool" / "app" / "static"
DEPTH = 6
PAGE = b"<!doctype html><title>kernel</title>"
SCRIPT = """
async ([game, moves, depth]) => {
  const { Kernel, GAMES } = await import("/kernel.js");
  const { KernelSearch } = await import("/js/device/kernel_search.js");
  const kernel = await Kernel.load("/kernel.wasm", GAMES[game]);
  const engine = new KernelSearch(kernel, 4 << 20);
  let place = kernel.start();
  const counts = [];
  for (let plies = 1; plies <= depth; plies++)
    counts.push(kernel.perft(place, plies), kernel.perft(place, plies, false));
  for (const move of moves) place = kernel.play(place, move).place;
  const found = engine.search(place, { depth: 8, lines: 3 });
  const timed = engine.search(place, { seconds: 0.05 });
  const refused = [];
  for (const bad of [{ ...place, own: [1] }, { ...place, stores: [256, 0] }, { ...place, stores: [255, 255] }])
    try { kernel.perft(bad, 1); } catch (error) { refused.push(error.message); }
  return { counts, found, timed, refused, place };
}
"""


FILES = ("kernel.wasm", "kernel-threads.wasm")


@pytest.mark.parametrize("name", FILES)
def test_wasm_is_small_enough_to_be_committed(name: str) -> None:
    data = (STATIC / name).read_bytes()
    assert data[:4] == b"\0asm"
    assert len(data) <= 300_000


def test_the_files_were_built_from_these_sources() -> None:
    spec = importlib.util.spec_from_file_location("build_wasm", ROOT / "kernel" / "build_wasm.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    known = json.loads((ROOT / "kernel" / "wasm.json").read_text(encoding="utf-8"))
    assert script.hashes(STATIC) == known, "the sources changed: run `python kernel/build_wasm.py` and commit the files"


@pytest.mark.long
def test_a_rebuild_gives_the_same_bytes(tmp_path: Path) -> None:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("the compiler of the ziglang wheel is not installed: pip install ziglang==0.15.1")
    script = [sys.executable, str(ROOT / "kernel" / "build_wasm.py"), str(tmp_path)]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in FILES:
        same = (tmp_path / name).read_bytes() == (STATIC / name).read_bytes()
        assert same, "the sources changed: run `python kernel/build_wasm.py` and commit the files"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Requests are of no interest."""

    def do_GET(self) -> None:
        if self.path == "/":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Security-Policy", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'")
            self.end_headers()
            self.wfile.write(PAGE)
        else:
            super().do_GET()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A blank page of a server that gives the static files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(STATIC)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield page
    page.close()
    server.shutdown()
    server.server_close()


def _after(position: Position, plies: int) -> tuple[Position, list[int]]:
    moves: list[int] = []
    for ply in range(plies):
        legal = position.legal_moves()
        moves.append(legal[(3 * ply + 1) % len(legal)])
        position = position.play(moves[-1])
    return position, moves


@pytest.mark.parametrize("name", GAMES)
def test_plays_in_a_browser_as_here(page: Page, name: str) -> None:
    rules = GAMES[name]
    position, moves = _after(rules.start(), 9)
    answer = json.loads(json.dumps(page.evaluate(SCRIPT, [name, moves, DEPTH])))
    kernel = Kernel(rules)
    expected = [kernel.perft(rules.start(), plies, bulk) for plies in range(1, DEPTH + 1) for bulk in (True, False)]
    assert answer["counts"] == expected
    mover = position.to_move
    assert answer["place"]["own"] == list(position.holes[mover])
    assert answer["place"]["stores"] == [position.stores[mover], position.stores[mover.other]]
    here = Engine(rules, table_mib=4, network=None, tables=None).analyse(position, Limits(depth=8), lines=3)
    assert answer["found"]["nodes"] == here.nodes
    assert [
        (line["move"], line["evaluation"], line["depth"], line["exact"], tuple(line["pv"]))
        for line in answer["found"]["lines"]
    ] == [(line.move, line.evaluation, line.depth, line.exact, line.pv) for line in here.lines]
    assert answer["timed"]["lines"][0]["depth"] >= 1
    assert 0.04 <= answer["timed"]["seconds"] < PATIENCE or answer["timed"]["lines"][0]["exact"]
    assert len(answer["refused"]) == 3

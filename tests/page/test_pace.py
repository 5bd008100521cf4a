"""The pace of a game: a beat after the player's own result, the turn told when stones rest, one more look, hints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.page.conftest import DESK, NewTable
from tests.page.table import PLAYABLE, expect

WATCH = """() => {
  window.seen = [];
  const board = document.querySelector("korgool-board");
  const turn = document.querySelector(".strip.near");
  const note = (what) => window.seen.push([what, performance.now()]);
  let before = [false, turn.hasAttribute("data-turn"), document.title];
  new MutationObserver(() => {
    const now = [board.hasAttribute("data-moving"), turn.hasAttribute("data-turn"), document.title];
    if (now[0] !== before[0]) note(now[0] ? "moves" : "rests");
    if (now[1] !== before[1]) note(now[1] ? "my turn" : "its turn");
    if (now[2] !== before[2] && /^Your turn/.test(now[2])) note("title");
    before = now;
  }).observe(document, {attributes: true, childList: true, characterData: true, subtree: true});
}"""
COUNTS = """() => {
  window.counts = [];
  window.held = 0;
  let last = performance.now();
  requestAnimationFrame(function frame(now) {
    window.held = Math.max(window.held, now - last);
    last = now;
    requestAnimationFrame(frame);
  });
  new MutationObserver(() => {
    const text = document.querySelector("svg.board .hand-count")?.textContent;
    if (text && text !== window.counts.at(-1)) window.counts.push(text);
  }).observe(document.querySelector("svg.board .hand"), {childList: true, subtree: true});
}"""
TIMETABLE = """async (speed) => {
  const {sowingTimeline} = await import("/static/js/board/sowing_timeline.js");
  const drops = Array.from({length: 36}, (_, i) => (i % 18 < 9 ? 1 : -1) * (i % 9 + 1));
  const trace = {side: "white", hole: 1, lifted: 36, drops, captured: [[-9, 10]]};
  return sowingTimeline(trace, speed);
}"""


def test_a_beat_before_the_reply_and_the_turn_when_stones_rest(table: NewTable) -> None:
    board = table()
    board.start(speed="fast")
    board.page.evaluate(WATCH)
    board.press(7)
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    seen: list[tuple[str, float]] = board.page.evaluate("window.seen")
    assert [what for what, _ in seen if what not in ("title", "its turn")] == [
        *("moves", "rests"),
        *("moves", "rests", "my turn"),
    ]
    rests = [at for what, at in seen if what == "rests"]
    begun = [at for what, at in seen if what == "moves"]
    assert begun[1] - rests[0] >= 390, "the own result is seen before the engine's stones move"
    assert all(at >= rests[1] for what, at in seen if what in ("title", "my turn"))


def test_speeds_from_at_once_to_stone_by_stone(table: NewTable) -> None:
    board = table()
    board.page.goto(f"{board.address}/")
    totals = {}
    for speed in ("off", "fast", "normal", "slow", "single"):
        told: dict[str, Any] = board.page.evaluate(TIMETABLE, speed)
        times = [step["at"] for step in told["steps"]]
        assert times == sorted(times)
        assert [step["left"] for step in told["steps"] if step["kind"] == "drop"] == list(range(35, -1, -1))
        totals[speed] = told["total"]
    assert totals["off"] == 0
    assert totals["fast"] <= 330
    assert totals["normal"] <= 900
    assert totals["slow"] <= 3600
    assert totals["single"] >= 36 * 500, "however many stones, each has its time"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_once_more(table: NewTable, motion: str) -> None:
    """Stone by stone with the count in the hand; a tap ends it; then the reply once more."""
    board = table(DESK, reduced_motion=motion)
    page = board.page
    board.start(speed="single")
    page.evaluate(COUNTS)
    board.press(7)
    if motion == "no-preference":
        page.wait_for_function("() => window.counts.length >= 3")
        counts, held = page.evaluate("[window.counts.slice(0, 3), window.held]")
        if held < 500:
            assert counts == ["9", "8", "7"]
        else:  # a page that is held up for the time of a stone skips its count
            assert counts == sorted(set(counts), reverse=True)
        page.locator("korgool-board").click(position={"x": 5, "y": 5})
        board.wait_for_ply(1)
        page.locator("korgool-board[data-moving]").wait_for()
        page.locator("korgool-board").click(position={"x": 5, "y": 5})
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    board.matches_server()
    page.locator("#speed").evaluate("field => { field.value = 'fast'; field.dispatchEvent(new Event('change')); }")
    page.evaluate(WATCH)
    page.get_by_role("button", name="Show again").click()
    expect(page.locator(PLAYABLE)).to_have_count(0)
    assert board.wait_for_turn()
    moved = [what for what, _ in page.evaluate("window.seen")]
    assert moved == (["moves", "rests"] if motion == "no-preference" else [])
    expect(page.locator("#spoken")).to_contain_text("Your turn.")
    assert board.plies() == 2
    board.matches_server()


def test_hints_are_counted_for_all_to_see(table: NewTable) -> None:
    board, watcher = table(), table()
    page = board.page
    board.start("bestemshe", level=2)
    page.keyboard.press("h")
    arrow = page.locator(".board .arrow")
    expect(arrow).to_have_count(1)
    hole = str(arrow.get_attribute("data-from")).removeprefix("white-")
    expect(page.locator("#hinted")).to_contain_text(re.compile(rf"Hint: hole {hole}, .*captures 6 stones"))
    expect(page.locator("#hints")).to_have_text("1 hint used in this game")
    board.press(hole)
    expect(arrow).to_have_count(0)
    board.wait_for_ply(2)
    assert board.state()["moves"][0]["hole"] == int(hole)
    page.reload()
    board.ready()
    expect(page.locator("#hints")).to_have_text("1 hint used in this game")
    watcher.page.goto(page.url)
    watcher.ready()
    expect(watcher.page.locator("#hint")).to_be_hidden()

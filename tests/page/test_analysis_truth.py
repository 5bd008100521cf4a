"""The analysis board says one thing: lines, better move, marks and book; and nothing of a game that is still played."""

from __future__ import annotations

import re

import pytest

from tests.page.analysis import Board, after, greedy, text
from tests.page.conftest import NewTable
from tests.page.table import expect

STEP = """() => {
  const click = (id) => document.getElementById(id).click();
  click("next");
  const verdict = document.getElementById("verdict");
  const better = verdict.hidden ? null : verdict.querySelector("button").textContent;
  click("previous");
  return [better, document.querySelector("#lines .move").textContent];
}"""


def test_the_better_move_is_the_first_line_of_the_position_before(table: NewTable) -> None:
    """The review, a single short search, likes other first moves than the lines, which look much farther."""
    board = Board(table(), "#game=toguz&moves=1&ply=0", nodes="")
    page = board.page
    page.locator("#graph[data-complete]").wait_for(state="attached")
    expect(page.locator("#engine-status")).to_have_text(re.compile(r"^depth (1[7-9]|[2-9]\d)"))
    better, best = page.evaluate(STEP)
    assert better is not None, "hole 1 is no good first move"
    assert better.split()[1] == best
    page.locator("#next").click()
    expect(page.locator("#verdict .quiet")).to_contain_text(re.compile(r"By the engine, depth \d\d"))


@pytest.mark.parametrize(("game", "before"), [("toguz", 5), ("toguz", 1), ("mangala", 1)])
def test_a_search_that_solves_the_position_at_once_shows_its_lines(table: NewTable, game: str, before: int) -> None:
    """So many plies before the end everything is proven in a few hundred nodes, far fewer than a mark needs."""
    moves = greedy(game, 400)[:-before]
    board = Board(table(), f"#game={game}&moves={text(moves)}")
    page, wanted = board.page, min(3, len(after(game, moves).legal_moves()))
    page.locator("#graph[data-complete]").wait_for(state="attached")
    expect(page.locator("#lines .proof:visible")).to_have_text(["exact"] * wanted)
    page.locator("#engine-on").uncheck()
    board.lines(0)
    page.locator("#engine-on").check()
    board.lines(wanted)


def test_the_book_speaks_where_it_plays_another_move(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=1", **{"engine-on": "off"})
    said = board.page.evaluate(
        """async () => {
          const {showMoveVerdict} = await import("/static/js/analysis/position_status.js");
          const parent = {seen: {texts: ["43(10)", "98"], depth: 12}};
          const node = {judged: {sign: "?", mark: "mistake", lost: 0.12, stones: 5.6}, parent, snapshot: {text: "19"}};
          showMoveVerdict(node, true, () => {}, "54(10)", {against: "Misses a win at once.", instead: ""});
          return document.getElementById("verdict").textContent;
        }"""
    )
    assert "Better: 43(10) 98" in said
    assert "19: mistake, lost about 6 stones. Misses a win at once." in said
    assert "By the engine, depth 12. The opening book plays 54(10)." in said


def test_no_move_is_judged_while_a_level_plays(table: NewTable) -> None:
    moves = greedy("toguz", 24)
    board = Board(table(), f"#game=toguz&moves={text(moves)}")
    page = board.page
    page.locator("#graph[data-complete]").wait_for(state="attached")
    marked = page.locator("#tree .mark")
    assert marked.count()
    page.locator("#opponent-side").evaluate("field => { field.value = 'black'; }")
    board.set_up(opponent="1")
    expect(marked).to_have_count(0)
    expect(page.locator("#graph:not([hidden])")).to_have_count(0)
    expect(page.locator("#engine-on")).not_to_be_checked()
    page.locator("#engine-on").check()  # who asks is told the lines, and no marks
    board.lines(3)
    expect(marked).to_have_count(0)
    board.set_up(opponent="0")
    board.tab("review")
    expect(page.locator("#graph")).to_be_visible()
    board.tab("moves")
    expect(marked.first).to_be_visible()


def test_a_finished_game_against_a_level_is_judged(table: NewTable) -> None:
    moves = greedy("bestemshe", 200)
    board = Board(table(), f"#game=bestemshe&opponent=1&moves={text(moves)}")
    expect(board.page.locator("#outcome")).to_be_visible()
    board.page.locator("#engine-on").check()
    board.page.locator("#graph[data-complete]").wait_for(state="attached")


def test_a_game_that_is_still_on_opens_without_the_engine(table: NewTable) -> None:
    """As the page without connection leads here."""
    one = table()
    one.start("toguz")
    one.page.keyboard.press("7")
    one.wait_for_ply(2)
    one.wait_for_turn()
    kept = one.page.evaluate(
        """async () => {
          const {findRecentGame} = await import("/static/js/play/recent_games.js");
          return String(new URLSearchParams(findRecentGame(location.pathname.split("/").at(-1))));
        }"""
    )
    assert "engine=off" in kept
    board = Board(one, f"#{kept}")
    page = board.page
    expect(page.locator("#engine-on")).not_to_be_checked()
    expect(page.locator("#graph:not([hidden])")).to_have_count(0)
    expect(page.locator("#lines li")).to_have_count(0)
    assert board.fragment()["engine"] == "off"
    page.reload()
    page.locator("korgool-board[data-ready]").wait_for()
    expect(page.locator("#engine-on")).not_to_be_checked()
    page.locator("#engine-on").check()
    board.lines(3)
    page.locator("#flip").click()
    assert "engine" not in board.fragment()


def test_a_request_that_a_silent_network_keeps_ends(table: NewTable) -> None:
    one = table()
    page = one.page
    page.clock.install()
    page.route("**/api/analysis/*", lambda route: None)
    page.goto(f"{one.address}/about")
    page.evaluate(
        """async () => {
          const {requestAnalysis} = await import("/static/js/analysis/server_requests.js");
          window.ended = null;
          requestAnalysis("line", {}).catch((error) => { window.ended = error.constructor.name; });
          const leaving = new AbortController();
          window.left = null;
          requestAnalysis("line", {}, leaving.signal).catch((error) => { window.left = error.name; });
          leaving.abort();
        }"""
    )
    page.wait_for_function("() => window.left === 'AbortError'")
    assert page.evaluate("window.ended") is None
    page.clock.fast_forward(25_000)
    page.wait_for_function("() => window.ended === 'ServerUnreachableError'")

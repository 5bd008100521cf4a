"""The page of the analysis board: modules, colours, small and turned screens, slow loading, a game to its end."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Route

from korgool.app.words.event_texts import halves_said
from korgool.rules import GAMES, Game
from tests.page.analysis import Board, greedy, late_in, text
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.table import expect
from tests.page.test_page import CONTRAST
from tests.patience import RETRIES

TURNED: dict[str, Any] = {**PHONE, "viewport": {"width": 740, "height": 360}}
SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 568}}
BOOKS = re.compile(r"/openings/\w+\.json")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_legible(table: NewTable, scheme: str) -> None:
    """Contrast of at least 4.5 : 1 (WCAG 2, AA)."""
    moves = greedy("toguz", 12)
    board = Board(table(color_scheme=scheme), f"#game=toguz&moves={text(moves)}")
    page = board.page
    page.locator("#graph[data-complete]").wait_for(state="attached")
    board.lines(3)
    page.locator("#engine-on").uncheck()
    board.tab("moves")
    page.locator("#tree button:has(.mark)").first.click()
    marks = page.locator("#tree button:not([aria-current]) .mark").evaluate_all("all => all.map(one => one.className)")
    selectors = [".turn", ".quiet", "#tree .number", "#tree [aria-current]", "#promote", "#verdict p", ".tabs button"]
    selectors += [f".list button:not([aria-current]) .{kind.replace(' ', '.')}" for kind in set(marks)]
    for selector in selectors:
        assert page.evaluate(CONTRAST, selector) >= 4.5, selector


def test_a_turned_phone_shows_board_steps_and_areas(table: NewTable) -> None:
    board = Board(table(TURNED), "#game=toguz&moves=7,5")
    wide, inner = board.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    for name in ("#next", ".strip.near"):
        box = board.page.locator(name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 360
    areas = board.page.locator(".map a:visible")
    expect(areas).to_have_count(5)
    targets = [*areas.all(), *board.page.locator(".under .button:visible").all()]
    for target in targets:
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        assert box["width"] >= 44 <= box["height"]
        assert box["y"] >= 0 <= box["x"]
        assert box["x"] + box["width"] <= inner
        assert box["y"] + box["height"] <= 360


@pytest.mark.smoke
@pytest.mark.parametrize("plies", [6, pytest.param(400, marks=pytest.mark.long)])
def test_a_game_against_a_level_to_its_end(table: NewTable, plies: int) -> None:
    """From about so many plies before its end, or from its start."""
    start = late_in("bestemshe", plies)
    board = Board(table(), f"#game=bestemshe&start={str(start).replace(' ', '+')}", **{"engine-on": "off"})
    page = board.page
    board.set_up(opponent="1")
    ready = page.locator('.strip[data-side="white"][data-turn], #outcome:not([hidden])')
    for _ in range(300):  # who always plays the last hole goes round in circles in one game of twenty
        ready.first.wait_for()
        if page.locator("#outcome").is_visible():
            break
        plies = page.locator("#tree .ply").count()
        page.locator('.hole-button[data-side="white"][aria-disabled=false]').first.click()
        expect(page.locator("#tree .ply").nth(plies)).to_be_attached()
        page.wait_for_timeout(60)
    moves = [int(move) for move in board.fragment()["moves"].split(",")]
    outcome = Game(start, moves).outcome()
    assert outcome is not None
    expect(page.locator("#outcome .result")).to_have_text(halves_said(outcome.result_text))
    title = {None: "Draw", 0: "White wins", 1: "Black wins"}[outcome.winner]
    expect(page.locator("#outcome h2")).to_have_text(title)
    assert not page.locator(".thinking:visible").count()


def test_the_opening_book_is_shown_where_there_is_one(table: NewTable) -> None:
    board = Board(table())
    page = board.page
    for game in GAMES:
        board.set_up(game=game)
        board.tab("book")
        board.stands(GAMES[game].start())
        address = f"{board.address.removesuffix('/analysis')}/static/openings/{game}.json"
        answer = page.request.get(address, max_retries=RETRIES)
        if not answer.ok:
            expect(page.locator("#book")).to_be_hidden()
            continue
        best, value, *_ = answer.json()["positions"][str(GAMES[game].start()).rsplit(" ", 1)[0]][0]
        first = page.locator("#book-moves button").first
        expect(first).to_have_text(re.compile(rf"{best}\d\S* [+−]?({abs(value):.1f}|{abs(value):.0f})$"))
        first.click()
        board.stands(GAMES[game].start().play(best))
    board.tab("lines")
    page.locator("#engine-on").uncheck()
    expect(page.locator("#book:not([hidden])")).to_have_count(0)


def test_positions_that_come_again_are_counted(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    counted = board.page.evaluate(
        """async () => {
          const {Node} = await import("/static/js/analysis/game_tree.js");
          const {countOccurrences} = await import("/static/js/analysis/board_state.js");
          let node = null;
          return ["a S 1", "b N 1", "a S 2", "b S 2", "a S 3", "b N 3"].map(text => {
            const [row, ...more] = text.split(" ");
            node = new Node({position: [row, "0", "0", ...more].join(" ")}, node);
            return countOccurrences(node);
          });
        }"""
    )
    assert counted == [1, 1, 2, 1, 3, 2]


def test_links_write_what_they_read(table: NewTable) -> None:
    """Moves with branches in branches, as the address has them."""
    board = Board(table(), **{"engine-on": "off"})
    for moves in ("", "7", "7,5(9,3(4),1)(8),3", "1(2)(3)(4,8(5,6)(7)),5"):
        read = board.page.evaluate(
            """async moves => {
              const {buildTree, movesText, readMoves} = await import("/static/js/analysis/game_tree.js");
              const snapshot = hole => ({position: "", trace: hole ? {hole} : null});
              const rules = {line: async (_, moves) => [0, ...moves].map(snapshot)};
              return movesText(await buildTree(rules, null, readMoves(moves)));
            }""",
            moves,
        )
        assert read == moves


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_arrows_hide_no_count_of_stones(table: NewTable, size: dict[str, Any]) -> None:
    """The numbers look the same with arrows and without."""
    board = Board(table(size), "#game=toguz&moves=1&ply=1", **{"line-count": "5"})
    page = board.page
    board.lines(5)
    page.evaluate(
        """() => {
          const board = document.querySelector("korgool-board");
          const spot = (side, hole) => ({side, hole});
          board.arrows = [1, 3, 5, 7, 9].map((hole, index) => (
            {from: spot("black", hole), to: spot("white", 10 - hole), rank: index + 1}));
          Object.defineProperty(board, "arrows", {set() {}});
        }"""
    )
    expect(page.locator(".board .arrow")).to_have_count(5)
    counts = page.locator(".board .places .count").all()
    assert len(counts) == 20
    boxes = [box for box in (count.bounding_box() for count in counts) if box is not None]

    def pictures() -> list[Any]:
        whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        scale = size.get("device_scale_factor", 1)
        corners = ((box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]) for box in boxes)
        return [whole.crop(tuple(round(scale * at) for at in corner)) for corner in corners]

    with_arrows = pictures()
    page.locator(".board .arrows").evaluate("arrows => arrows.remove()")
    for one, other in zip(with_arrows, pictures(), strict=True):
        # A layer more is rounded otherwise.
        extrema: Any = ImageChops.difference(one, other).getextrema()
        assert max(most for _, most in extrema) <= 2


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_moves_stand_inside_their_list(table: NewTable, size: dict[str, Any]) -> None:
    board = Board(table(size), f"#game=toguz&moves={text(greedy('toguz', 12))}")
    outside = """list => {
      const frame = list.getBoundingClientRect();
      const within = ({left, right}) => frame.left <= left && right <= frame.right;
      const buttons = [...list.querySelectorAll("button")];
      return buttons.filter((one) => !within(one.getBoundingClientRect())).map((one) => one.textContent);
    }"""
    assert board.page.locator("#tree button").count() == 13
    assert board.page.locator("#tree").evaluate(outside) == []


def test_nothing_can_be_pressed_before_the_board_is_there(table: NewTable) -> None:
    """On a slow phone the rules come seconds after the page: a press would be lost without a word."""
    desk, held = table(), list[Route]()
    page = desk.page
    loading = True
    page.route("**/kernel*.wasm*", lambda route: held.append(route) if loading else route.continue_())
    with page.expect_request("**/kernel*.wasm*"):
        page.goto(f"{desk.address}/analysis", wait_until="domcontentloaded")
    for name in ("#set-up", "#tab-moves", "#flip", "#share-open"):
        box = page.locator(name).bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for key in ("ArrowLeft", "f", "End"):
        page.keyboard.press(key)
    expect(page.locator("#pane-lines")).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)
    loading = False
    for route in held:
        route.continue_()
    page.locator("#tab-moves").click()
    page.locator("#paste summary").click()
    page.locator("#pasted").fill("753")
    page.locator("#read").click()
    expect(page.locator("#notice")).to_contain_text("Moves of both sides read: 3")


@pytest.mark.parametrize("size", [PHONE, SMALL, TURNED, DESK], ids=["phone", "small", "turned", "desk"])
def test_what_the_engine_finds_has_its_room(table: NewTable, size: dict[str, Any]) -> None:
    """From the moment on that anything can be pressed, lines that come do not move what is below them."""
    opened = table(size)
    opened.page.route(BOOKS, lambda _: None)
    opened.page.add_init_script(
        """new MutationObserver(() => {
          const below = document.querySelector(".engine .head:not([inert]) ~ .quiet:last-child");
          if (below) window.early ??= below.getBoundingClientRect().top + scrollY;
        }).observe(document, {subtree: true, childList: true, attributeFilter: ["inert"]});"""
    )
    board = Board(opened)
    board.lines(3)
    expect(board.page.locator("#lines .why:not(:empty)")).to_have_count(3)
    early, now = board.page.evaluate(
        "[window.early, document.querySelector('.engine > .quiet:last-child').getBoundingClientRect().top + scrollY]"
    )
    assert early == now


def test_nothing_moves_away_from_under_a_finger(table: NewTable) -> None:
    """The book, the lines and the marks wait: a press would end on something else, and be lost."""
    desk, held, loading = table(), list[Route](), True
    page = desk.page
    page.route(BOOKS, lambda route: held.append(route) if loading else route.continue_())
    board = Board(desk)
    board.lines(3)
    assert not held  # the book comes when somebody looks for it
    with page.expect_request(BOOKS):
        board.tab("book")
    board.tab("moves")
    summary = page.locator("#paste summary")
    summary.hover()
    # The page holds them back for a second at most. Here that second does not pass, however slow the machine.
    page.evaluate("(now => { performance.now = () => now; })(performance.now())")
    page.mouse.down()
    box = summary.bounding_box()
    loading = False
    with page.expect_response(BOOKS):
        for route in held:
            route.continue_()
    page.evaluate("new Promise(done => setTimeout(done, 600))")  # time enough for what could come
    assert summary.bounding_box() == box
    page.mouse.up()
    page.evaluate("delete performance.now")
    expect(page.locator("#paste")).to_have_attribute("open", "")
    board.tab("book")
    expect(page.locator("#book")).to_be_visible()
    board.lines(3)


def test_boards_of_other_games_come_once_one_is_opened(table: NewTable) -> None:
    """The page comes with one board; if the others do not come, it keeps that one, and asks again the next time."""
    asked, silent = list[str](), True

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if silent:
            route.abort()
        else:
            route.continue_()

    desk = table(expected="ERR_FAILED")
    desk.page.route("**/analysis/boards", answer)
    board = Board(desk, "#game=bestemshe")
    page = board.page
    shown = page.locator("korgool-board")
    expect(page.locator("#notice")).not_to_be_empty()
    expect(shown).to_have_attribute("data-game", "toguz")
    board.stands(GAMES["toguz"].start())
    board.set_up(game="castle")
    expect(page.locator("#game")).to_have_value("toguz")
    assert asked
    asked.clear()
    silent = False
    for game in ("bestemshe", "toguz", "castle"):
        board.set_up(game=game)
        expect(shown).to_have_attribute("data-game", game)
        board.stands(GAMES[game].start())
    assert len(asked) == 1

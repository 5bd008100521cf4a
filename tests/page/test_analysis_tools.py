"""The tools of the analysis board: keys, the threat, the values of all moves, the tabs, the bar of the difference."""

from __future__ import annotations

import re
from typing import Literal

from korgool.rules import GAMES, Position
from tests.page.analysis import Board, after, greedy, late_in, text
from tests.page.conftest import PHONE, NewTable
from tests.page.phones import Phone
from tests.page.table import expect


def test_tabs_are_walked_by_keys(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7,5", **{"engine-on": "off"})
    page = board.page
    page.locator("#tab-lines").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-moves")).to_be_focused()
    expect(page.locator("#pane-moves")).to_be_visible()
    expect(page.locator("#pane-lines")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("#pane-book")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Lines")).to_have_attribute("aria-selected", "true")
    assert page.locator("[role=tab][tabindex='0']").count() == 1
    board.stands(after("toguz", [7, 5]))
    # Who chose a tab with the mouse steps through the moves by the same arrows.
    board.tab("moves")
    page.keyboard.press("ArrowLeft")
    board.stands(after("toguz", [7]))


def test_keys_are_those_of_other_boards(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7", **{"engine-on": "off"})
    page = board.page
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet).to_be_visible()
    page.keyboard.press("ArrowLeft")  # keys of the board wait until the sheet is closed
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    board.stands(after("toguz", [7]))
    page.keyboard.press("l")
    expect(page.locator("#engine-on")).to_be_checked()
    board.lines(3)
    best = page.locator("#lines .move").first.text_content() or ""
    page.keyboard.press(" ")
    board.stands(after("toguz", [7, int(best[0])]))
    page.keyboard.press("c")
    expect(page.locator("#comment")).to_be_focused()
    page.keyboard.type("lax 7")  # in a field they are letters
    assert board.fragment()["moves"] == f"7,{best[0]}"
    expect(page.locator("#engine-on")).to_be_checked()


def test_single_characters_can_be_switched_off_for_all_pages(table: NewTable) -> None:
    """In the sheet of keys; keys with names of their own go on, and where digits are typed they are no commands."""
    board = Board(table(), "#game=toguz&moves=7,5", **{"engine-on": "off"})
    page = board.page
    expect(board.hole("white", 1)).to_be_visible()
    # By its place on the keyboard, whatever alphabet is active.
    page.evaluate(
        """document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "д", code: "KeyL", bubbles: true}))"""
    )
    expect(page.locator("#engine-on")).to_be_checked()
    page.keyboard.press("l")
    expect(page.locator("#engine-on")).not_to_be_checked()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_label("Letters and digits are commands").uncheck()
    page.keyboard.press("Escape")
    for key in ("l", "x", "e", "f", "c", "3", ",", "?", " "):
        page.locator("body").press(key)
    expect(page.locator("#engine-on")).not_to_be_checked()
    expect(page.locator("#editor, #keys-sheet, #pane-moves").locator("visible=true")).to_have_count(0)
    assert board.fragment()["moves"] == "7,5"
    page.keyboard.press("ArrowLeft")
    board.stands(after("toguz", [7]))
    page.reload()
    expect(page.locator("#characters")).not_to_be_checked()
    page.locator("#edit").click()
    page.locator("body").press("+")
    board.hole("white", 1).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("4")
    expect(page.locator("#editor-place")).to_have_text("White's hole 1: 4")
    page.goto(f"{board.page.url.split('/analysis')[0]}/settings")
    expect(page.get_by_label("Letters and digits are commands")).not_to_be_checked()
    page.get_by_label("Letters and digits are commands").check()
    page.go_back()
    expect(page.locator("#characters")).to_be_checked()


def test_the_threat_is_what_the_other_side_would_do(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7", **{"engine-on": "off"})
    page = board.page
    page.locator("body").press("x")
    expect(page.locator("#lines-of")).to_have_text("The threat: what White would play now")
    expect(page.locator(".board .arrow.threat")).to_have_count(1)
    [arrow] = board.arrows()
    assert arrow["from"].startswith("white-")
    page.keyboard.press("a")  # what changes beside the board does not end the threat
    page.wait_for_timeout(400)
    expect(page.locator(".board .arrow.threat")).to_have_count(1)
    expect(page.locator("#lines-of")).to_be_visible()
    before = board.fragment()
    page.locator("#lines .first").first.click()  # it is nobody's move: nothing can be played
    assert board.fragment() == before
    page.keyboard.press("x")
    expect(page.locator(".board .arrow.threat")).to_have_count(0)
    expect(page.locator("#threat")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("x")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#lines-of")).to_be_hidden()
    # Nobody has a threat once the game is over.
    board.open(f"#game=bestemshe&moves={text(greedy('bestemshe', 400))}")
    page.keyboard.press("x")
    expect(page.locator("#notice")).to_have_text("The other side has no move here.")


def test_a_threat_that_nobody_can_tell_is_not_denied(table: NewTable) -> None:
    one = table(expected="ERR_INTERNET_DISCONNECTED")
    one.page.add_init_script("delete globalThis.WebAssembly")  # the rules are at the server
    board = Board(one, "#game=toguz&moves=7", **{"engine-on": "off"})
    board.page.context.set_offline(True)
    board.page.locator("body").press("x")
    expect(board.page.locator("#notice")).to_have_text("The server does not answer. Try again.")


def test_the_values_of_all_moves_are_exact_near_the_end(table: NewTable) -> None:
    position = late_in("toguz", 3)
    board = Board(table(), f"#game=toguz&start={str(position).replace(' ', '+')}")
    page = board.page
    board.tab("book")
    rows = page.locator("#move-values tr")
    expect(rows).to_have_count(len(position.legal_moves()))
    expect(rows.first).to_have_text(
        re.compile(r"(wins|win for (White|Black)|a draw) · engine · moves to the end: \d+$|ends the game$")
    )
    expect(page.locator("#move-values tr[data-exact]")).to_have_count(len(position.legal_moves()))
    first = rows.first.locator("button")
    hole = int((first.text_content() or "")[0])
    first.click()
    _stands_or_over(board, position.play(hole))


def test_what_was_played_is_told_of_the_site_and_of_ones_own_games(table: NewTable) -> None:
    one = table(expected="ERR_INTERNET_DISCONNECTED")
    phone = Phone(one, "en")
    game = str(phone.post("/api/challenges", game="bestemshe", to="self")["game"])
    for number, hole in enumerate((3, 4)):
        version = one.page.request.get(f"{one.address}/api/games/{game}").json()["version"]
        phone.post(f"/api/games/{game}/move", hole=hole, version=version, id=f"m{number}")
    phone.post(f"/api/games/{game}/resign", id="over")
    board = Board(one, "#game=bestemshe")
    page, state = board.page, board.page.locator("#played-state")
    board.tab("book")
    expect(state).to_have_text("No game has had this position.")
    page.select_option("#played-whose", "own")
    row = page.locator("#played-moves tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(re.compile(r"^3.*White won 0, drawn 0, Black won 1"))
    expect(page.locator("#played-games a")).to_have_attribute("href", f"/games/{game}")
    row.locator("button").click()
    board.stands(after("bestemshe", [3]))
    expect(row.locator("button")).to_have_text(re.compile("^4"))
    page.context.set_offline(True)
    row.locator("button").click()
    expect(state).to_have_text("The server does not answer. Try again.")
    expect(page.locator("#played-moves")).to_be_hidden()


def test_tables_and_the_solver_say_what_is_certain(table: NewTable) -> None:
    """Of the server, where the device can only guess; without a network its own values remain, and the page says so."""
    position = Position.parse("2,1S,2/1,1S,2S,2 24 22 S 30", GAMES["bestemshe"])
    one = table(expected="ERR_INTERNET_DISCONNECTED")
    board = Board(one, f"#game=bestemshe&start={str(position).replace(' ', '+')}", nodes="1")
    page = board.page
    board.tab("book")
    rows = page.locator("#move-values tr[data-exact]")
    expect(rows).to_have_count(len(position.legal_moves()))
    for row in rows.all():
        expect(row).to_have_text(re.compile(r"(a win for (White|Black)|a draw) · (table|solved|ends the game)"))
    expect(page.locator("#values-alone")).to_be_hidden()
    # Mangala is solved from its start: the device cannot know that.
    board.open("#game=mangala")
    board.tab("book")
    expect(rows).to_have_count(6)
    expect(page.locator("#move-values tr").first).to_have_text(re.compile("^5.*0a draw · solved$"))
    page.context.set_offline(True)
    board.press(5)
    expect(page.locator("#values-alone")).to_be_visible()
    expect(page.locator("#move-values tr").first).to_have_text(re.compile("engine"))
    page.context.set_offline(False)
    page.locator("#engine-on").evaluate("one => one.click()")
    expect(page.locator("#move-values tr")).to_have_count(0)


def _stands_or_over(board: Board, position: Position) -> None:
    if position.outcome() is None:
        board.stands(position)
    else:
        expect(board.page.locator("#outcome")).to_be_visible()


def test_the_bar_says_who_is_ahead(table: NewTable) -> None:
    board = Board(table(), f"#game=toguz&moves={text(greedy('toguz', 400))}", **{"engine-on": "off"})
    bar = board.page.get_by_role("meter")
    outcome = after("toguz", greedy("toguz", 400)).outcome()
    assert outcome is not None
    ahead = outcome.stores[0] - outcome.stores[1]
    assert ahead
    expect(bar).to_have_attribute("aria-valuenow", str(ahead))
    expect(bar).to_have_attribute("aria-valuetext", "White surely wins" if ahead > 0 else "Black surely wins")
    board.page.locator("#first").click()
    expect(bar).to_have_attribute("aria-valuetext", "not known")
    said = board.page.evaluate(
        """async () => {
          const {barShare, differenceText} = await import("/static/js/analysis/difference_bar.js");
          const at = (evaluation, certain = 0) => ({evaluation, certain});
          const share = (...value) => barShare(at(...value), 162);
          return [differenceText(at(0.3)), differenceText(at(-7.6)), differenceText(at(3, 1)), share(0),
            share(200) <= 1, share(5) > 0.55, share(-5) + share(5), share(1, -1)];
        }"""
    )
    assert said == ["about even", "Black ahead by about 8", "White surely wins", 0.5, True, True, 1, 0]


def test_a_search_goes_on_when_asked(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7")
    page = board.page
    asked = page.evaluate_handle(
        """() => {
          const orders = [];
          const send = Worker.prototype.postMessage;
          Worker.prototype.postMessage = function (message, ...rest) {
            if (message?.order?.limits) orders.push({...message.order.limits});
            return send.call(this, message, ...rest);
          };
          return orders;
        }"""
    )
    board.lines(3)
    page.locator("#deeper").click()
    expect(page.locator("#deeper")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("orders => orders.some(one => one.lines === 3 && one.seconds === undefined)", arg=asked)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#deeper")).to_have_attribute("aria-pressed", "false")


def test_a_phone_keeps_the_board_and_the_steps_in_sight(table: NewTable) -> None:
    """However far the panel is scrolled; and one arrow covers less of a small board than three."""
    board = Board(
        table(PHONE | {"viewport": {"width": 360, "height": 640}}), f"#game=toguz&moves={text(greedy('toguz', 30))}"
    )
    page = board.page
    board.lines(3)
    expect(page.locator(".board .arrow")).to_have_count(1)
    page.evaluate("scrollTo(0, 500)")
    places = page.evaluate(
        """() => ["korgool-board", "#balance", "#first", "#engine-toggle"].map((name) => {
          const {top, bottom, left, right} = document.querySelector(name).getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight && left >= 0 && right <= 360.5;
        })"""
    )
    assert places == [True] * 4
    expect(page.locator("#keys")).to_be_hidden()
    page.locator("#engine-toggle").click()
    expect(page.locator("#engine-on")).not_to_be_checked()
    expect(page.locator("#engine-toggle")).to_have_attribute("aria-pressed", "false")


def drag(
    board: Board, one: tuple[str, int], other: tuple[str, int], button: Literal["left", "right"] = "right"
) -> None:
    """Draw from one hole to another."""
    mouse = board.page.mouse
    for at, place in enumerate((one, other)):
        box = board.hole(*place).bounding_box()
        assert box is not None
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if not at:
            mouse.down(button=button)
    mouse.up(button=button)


def test_arrows_and_rings_are_drawn_and_belong_to_their_position(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7", **{"engine-on": "off"})
    page = board.page
    shapes = page.locator("svg.board .shape")
    drag(board, ("white", 2), ("black", 4))
    page.keyboard.down("Shift")
    drag(board, ("white", 6), ("white", 6))
    page.keyboard.up("Shift")
    expect(shapes).to_have_count(2)
    expect(page.locator(".shape.green .point")).to_have_count(1)
    expect(page.locator(".shape.red rect")).to_have_count(1)
    drag(board, ("white", 2), ("black", 4))  # the same once more takes it away
    expect(shapes).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(shapes).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(shapes).to_have_count(1)
    # With the tool a finger draws, and sows nothing.
    page.locator("#draw").click()
    drag(board, ("white", 1), ("white", 5), "left")
    board.hole("black", 3).click()
    expect(shapes).to_have_count(3)
    board.stands(after("toguz", [7]))
    page.locator("#draw").click()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("svg.board.low .shape")).to_have_count(3)


def test_arrows_and_rings_are_part_of_the_record(table: NewTable) -> None:
    """A click on the board leaves them, a reload brings them again, and what is said stays as it is."""
    board = Board(table(), "#game=toguz&moves=7", **{"engine-on": "off"})
    page = board.page
    shapes = page.locator("svg.board .shape")
    page.keyboard.down("Shift")
    drag(board, ("white", 6), ("white", 6))
    page.keyboard.up("Shift")
    page.locator("korgool-board").click(position={"x": 4, "y": 4})
    expect(shapes).to_have_count(1)
    board.tab("moves")
    page.locator("#notes summary").click()
    page.locator("#comment").fill("so")
    expect(page.locator("#tree .comment")).to_have_text("so")
    page.locator("#share summary").click()
    page.locator("#copy-record").click()
    assert "{[%csl Rf1]} {so}" in page.locator("#share-record").input_value()
    board.fragment()  # it is stored with the address
    page.reload()
    expect(shapes).to_have_count(1)
    board.tab("moves")
    page.locator("#notes summary").click()
    expect(page.locator("#comment")).to_have_value("so")
    expect(page.locator("#drawn-words")).to_have_text("White's hole 6")
    page.locator("#undraw").click()
    expect(shapes).to_have_count(0)
    expect(page.locator("#drawn")).to_be_hidden()
    expect(page.locator("#tree .comment")).to_have_text("so")

"""The board editor: stones by tap and number pad, kazans, tuz, and what the rules do not allow."""

from __future__ import annotations

from random import Random

import pytest

from korgool.rules import GAMES, Position, PositionError
from tests.conftest import SEED
from tests.page.analysis import SIDES, Board, after
from tests.page.conftest import PHONE, NewTable
from tests.page.table import expect


def test_a_position_is_set_up_by_taps_and_digits(table: NewTable) -> None:
    board = Board(table(PHONE), "#game=toguz&moves=7,5", **{"engine-on": "off"})
    page = board.page
    page.locator("#edit").click()
    expect(page.locator("#editor-problem")).to_have_text("This position is legal.")
    page.locator("#edit-empty").click()
    expect(page.locator("#editor-problem")).to_have_text("0 stones instead of 162: 162 are missing.")
    expect(page.locator("#edit-done")).to_have_attribute("aria-disabled", "true")
    page.locator("#edit-done").click(force=True)  # does nothing
    board.hole("white", 3).click()
    expect(page.locator("#editor-place")).to_have_text("White's hole 3: 0")
    for digit in "12":
        page.locator(f"#editor [data-digit='{digit}']").click()
    expect(page.locator("#editor-place")).to_have_text("White's hole 3: 12")
    page.locator("#editor [data-step='1']").click()
    board.hole("black", 9).click()
    page.keyboard.press("4")
    page.locator("#edit-white").fill("80")
    page.locator("#edit-tuz-white").select_option("2")
    page.locator("#edit-rest").click()  # the chosen hole is Black's
    expect(page.locator("#edit-black")).to_have_value("65")
    page.locator("#edit-turn").select_option("black")
    expect(page.locator("#editor-problem")).to_have_text("This position is legal.")
    page.locator("#edit-done").click()
    wanted = Position.parse("4S,6,t,1/2,13S,6 80 65 N 2", GAMES["toguz"])
    board.stands(wanted)
    assert board.fragment() == {"game": "toguz", "start": str(wanted), "ply": "0"}
    page.go_back()
    board.stands(after("toguz", [7, 5]))


def _place(board: Board, side: str, hole: int) -> tuple[float, float]:
    """The middle of a hole on the screen, or of a kazan with hole 0."""
    place = (
        board.hole(side, hole) if hole else board.page.locator(f"svg.board .store.{side}").locator("visible=true").first
    )
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_stones_are_dragged_from_place_to_place(table: NewTable) -> None:
    board = Board(table(), "#game=toguz", **{"engine-on": "off"})
    page = board.page
    mouse = page.mouse

    def drag(one: tuple[str, int], other: tuple[str, int], steps: int = 4) -> None:
        mouse.move(*_place(board, *one))
        mouse.down()
        mouse.move(*_place(board, *other), steps=steps)
        mouse.up()

    page.locator("#draw").click()  # what draws otherwise does not, while a position is edited
    page.locator("#edit").click()
    drag(("white", 3), ("white", 5))
    expect(page.locator("#editor-place")).to_have_text("White's hole 5: 10")
    page.keyboard.down("Shift")
    drag(("black", 2), ("white", 0))
    page.keyboard.up("Shift")
    expect(page.locator("#edit-white")).to_have_value("9")
    drag(("white", 0), ("black", 0))
    expect(page.locator("#edit-black")).to_have_value("1")
    page.get_by_label("Drag all stones at once").check()
    drag(("black", 7), ("black", 8))
    # Whoever lets go beside the board, or where it began, or presses Escape, has moved nothing.
    mouse.move(*_place(board, "white", 9))
    mouse.down()
    mouse.move(*_place(board, "white", 8), steps=3)
    expect(page.locator(".carried")).to_have_text("9")
    expect(page.locator(".hole-button[data-aim]")).to_have_attribute("data-hole", "8")
    mouse.move(3, 3)
    mouse.up()
    expect(page.locator(".carried, [data-aim]")).to_have_count(0)
    drag(("black", 2), ("black", 3))  # nothing lies there
    expect(page.locator("#editor-problem")).to_have_text("This position is legal.")
    page.locator("#edit-done").click()
    board.stands(Position.parse("9S,18S,1,9S,9S,9S,9S,1,9S/9S,9S,8S,9S,10S,9S,9S,9S,9S 8 1 S 1", GAMES["toguz"]))
    expect(page.locator("svg.board .shape")).to_have_count(0)


@pytest.mark.parametrize("game", ["toguz", "mangala"])
def test_a_finger_drags_stones(table: NewTable, game: str) -> None:
    board = Board(table(PHONE), f"#game={game}", **{"engine-on": "off"})
    page = board.page
    page.locator("#edit").click()
    expect(page.locator("#editor-problem")).to_have_text("This position is legal.")
    first, last = _place(board, "white", 2), _place(board, "black", 0)
    touch = page.context.new_cdp_session(page)

    def at(x: float, y: float) -> list[dict[str, float]]:
        return [{"x": x, "y": y}]

    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at(*first)})
    for part in (0.3, 0.6, 1):
        way = [one + (other - one) * part for one, other in zip(first, last, strict=True)]
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at(way[0], way[1])})
    expect(page.locator(".carried")).to_have_text("1")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#edit-black")).to_have_value("1")
    expect(page.locator("#editor-place")).to_have_text("Black's kazan: 1")
    assert page.evaluate("scrollY") == 0


def test_what_is_not_legal_is_said_at_once(table: NewTable) -> None:
    board = Board(table(), "#game=toguz", **{"engine-on": "off"})
    page = board.page
    problem = page.locator("#editor-problem")
    page.locator("body").press("e")
    board.hole("white", 1).click()
    page.keyboard.press("+")
    expect(problem).to_have_text("163 stones instead of 162: 1 too many.")
    page.keyboard.press("-")
    expect(problem).to_have_text("This position is legal.")
    page.locator("#edit-tuz-white").select_option("3")  # its stones go to the kazan
    expect(page.locator("#edit-white")).to_have_value("9")
    expect(problem).to_have_text("This position is legal.")
    page.locator("#edit-tuz-black").select_option("3")
    expect(problem).to_have_text("Both sides cannot win holes of the same number.")
    page.locator("#edit-tuz-black").select_option("9")
    expect(problem).to_have_text("The last hole of a side cannot be won.")
    page.locator("#edit-tuz-black").select_option("4")
    board.hole("white", 4).click()
    page.keyboard.press("1")
    page.locator("#edit-black").fill("26")
    expect(problem).to_have_text("No stones lie in a hole that is won.")
    page.keyboard.press("Escape")  # in a field: nothing
    page.locator("#edit-cancel").click()
    board.stands(after("toguz", []))
    expect(page.locator("#tab-lines")).to_be_visible()


def test_without_an_answer_the_start_is_not_set_up_and_the_page_says_so(table: NewTable) -> None:
    one = table(expected="ERR_INTERNET_DISCONNECTED")
    one.page.add_init_script("delete globalThis.WebAssembly")  # the rules are at the server
    board = Board(one, "#game=toguz&moves=7", **{"engine-on": "off"})
    page = board.page
    page.locator("#edit").click()
    expect(page.locator("#editor-problem")).to_have_text("This position is legal.")
    page.context.set_offline(True)
    page.locator("#edit-start").click()
    expect(page.locator("#notice")).to_have_text("The server does not answer. Try again.")


def test_whatever_else_comes_onto_the_board_closes_the_editor(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7,5", **{"engine-on": "off"})
    page = board.page
    page.locator("#edit").click()
    page.keyboard.press("Escape")
    expect(page.locator("#edit")).to_be_focused()
    page.locator("#edit").click()
    page.locator("#edit-white").focus()
    drawn = page.evaluate_handle(
        """() => {
          const board = document.querySelector("korgool-board");
          const {show} = board;
          const drawn = [];
          board.show = state => {
            drawn.push(`${state.game} ${state.holes}`);
            return show.call(board, state);
          };
          return drawn;
        }"""
    )
    page.evaluate("location.hash = '#game=bestemshe'")
    board.stands(after("bestemshe", []))
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator("#edit")).not_to_be_focused()
    # The board of one game is not drawn by the rules of another.
    assert set(drawn.json_value()) == {"bestemshe 5"}


@pytest.mark.parametrize("game", [*GAMES][SEED % 2 :: 2])
def test_the_editor_agrees_with_the_rules(table: NewTable, game: str) -> None:
    """Random stones, kazans and tuz: legal here where `Position.parse` reads them, and nowhere else."""
    board = Board(table(), f"#game={game}", **{"engine-on": "off"})
    random, rules = Random(f"editor {SEED} {game}"), GAMES[game]
    total, cases = 2 * rules.holes * rules.stones, []
    for _ in range(120):
        rows = [[random.choice((0, 0, 1, 2, 7)) for _ in range(rules.holes)] for _ in SIDES]
        tuz = [random.choice((None, None, random.randint(1, rules.holes))) for _ in SIDES]
        for owner, hole in enumerate(tuz):
            if hole is not None and random.random() < 0.8:
                rows[1 - owner][hole - 1] = 0
        left = total - sum(map(sum, rows)) + random.choice((0, 0, 0, 1, -1))
        white = random.randint(0, max(left, 0))
        cases.append({"white": rows[0], "black": rows[1], "stores": [white, max(left, 0) - white], "tuz": tuz})
    found = board.page.evaluate(
        """async ([game, cases]) => {
          const {positionText} = await import("/static/js/device/position_conversion.js");
          const {openRules} = await import("/static/js/analysis/rules_provider.js");
          const rules = await openRules(game);
          return Promise.all(cases.map(async (one, index) => {
            const text = positionText({...one, turn: index % 2 ? "black" : "white"}, 1);
            return [text, await rules.line(text, []).then(() => true, () => false)];
          }));
        }""",
        [game, cases],
    )
    allowed = 0
    for text, legal in found:
        try:
            Position.parse(text, rules)
        except PositionError:
            assert not legal, text
        else:
            assert legal, text
            allowed += 1
    assert 10 < allowed < len(found)

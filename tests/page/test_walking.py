"""A game's page is walked through by keys and buttons, read out, and used without eyes."""

from __future__ import annotations

import re

from korgool.languages import LANGUAGES, translations
from tests.page.conftest import PHONE, NewTable
from tests.page.table import Table, expect
from tests.page.test_reflow import resized

BOXES = "all => all.map(one => one.getBoundingClientRect().toJSON())"
BUTTONS = """all => all.map(one => [
  one.getAttribute("aria-label") || one.innerText, one.getBoundingClientRect().toJSON(),
])"""


def test_arrows_home_end_and_turn(table: NewTable) -> None:
    board = table()
    page, keys = board.page, board.page.keyboard
    chip = page.locator("#back")
    board.start()
    board.hole(7).click()  # the focus stays there: arrows are to walk all the same
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    board.play()
    keys.press("ArrowLeft")
    expect(chip).to_contain_text("Move 2, White")
    expect(page.locator("#spoken")).to_contain_text("Move 2. White: hole")
    keys.press("Home")
    expect(chip).to_contain_text("Start")
    expect(page.locator("#previous")).to_have_attribute("aria-disabled", "true")
    keys.press("ArrowRight")
    expect(board.hole(7)).to_have_attribute("aria-label", "hole 7, 1 stone")
    keys.press("3")
    assert board.plies() == 4, "what is looked back at is not played on"
    cyrillic = "new KeyboardEvent('keydown', {key: '\\u0430', code: 'KeyF', bubbles: true})"
    page.evaluate(f"document.body.dispatchEvent({cyrillic})")
    expect(page.locator(".strip.near")).to_have_attribute("data-side", "black")
    expect(page.get_by_role("toolbar", name="Your holes").locator("[data-side=white]")).to_have_count(9)
    first = [page.locator(f'.hole-button[data-side="{side}"][data-hole="1"]') for side in ("black", "white")]
    lower, upper = (hole.evaluate("hole => hole.getBoundingClientRect().top") for hole in first)
    assert lower > upper
    assert page.evaluate("[...document.querySelectorAll('[id]')].every(one => document.getElementById(one.id) === one)")
    keys.press("f")

    # A move that comes meanwhile leaves the eyes where they are.
    other = Table(page.context.new_page(), board.address)
    other.page.goto(page.url)
    other.ready()
    other.play()
    expect(chip).to_contain_text("Move 1, White")
    expect(board.hole(7)).to_have_attribute("aria-label", "hole 7, 1 stone")
    expect(page.locator("#spoken")).to_contain_text("You are looking at an earlier position.")
    keys.press("End")
    expect(chip).to_be_hidden()
    board.matches_server()

    # Fields keep their keys, and a reload asks the server for what was before.
    page.reload()
    board.ready()
    page.locator("#settings summary").click()
    page.locator("#speed").focus()
    keys.press("Home")
    expect(chip).to_be_hidden()
    page.locator("body").click(position={"x": 5, "y": 400})
    keys.press("Home")
    keys.press(".")
    keys.press(".")
    expect(chip).to_contain_text("Move 1, Black")


def test_after_the_game_by_keyboard(table: NewTable) -> None:
    board = table()
    page, keys = board.page, board.page.keyboard
    board.start("bestemshe")
    board.play()
    board.play()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    graph = page.get_by_role("slider", name="Move shown")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"^move 2, Black: [+−]?\d+ stones for White$"))
    graph.focus()
    keys.press("ArrowLeft")
    expect(graph).to_have_attribute("aria-valuenow", "3")
    expect(page.locator("#back")).to_contain_text("Move 2, White")
    keys.press("Home")
    expect(graph).to_have_attribute("aria-valuenow", "0")
    keys.press("PageUp")
    expect(page.locator("#back")).to_be_hidden()
    expect(graph).to_be_focused()
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    slider = next(node for node in tree if node.get("role", {}).get("value") == "slider")
    assert slider["value"]["value"] in (4, "4") or "move 2" in str(slider)

    stops = page.locator("#moves button:not([tabindex='-1'])")
    expect(stops).to_have_count(1)
    stops.focus()
    keys.press("ArrowUp")
    expect(page.locator("#back")).to_contain_text("Move 1, Black")
    keys.press("ArrowLeft")
    expect(page.locator("#back")).to_contain_text("Move 1, White")
    expect(page.locator("#moves button[aria-current]")).to_be_focused()
    keys.press("Escape")
    board.matches_server()


def test_the_page_reads_out(table: NewTable) -> None:
    board = table()
    page, keys = board.page, board.page.keyboard
    spoken = page.locator("#spoken p").last
    board.start(clock="10+5")
    would = "lands in the opponent's hole 6, captures 10. White's kazan then holds 10, Black's 0."
    expect(board.hole(7)).to_have_accessible_name("hole 7, 9 stones")
    expect(board.hole(7)).to_have_accessible_description(would)
    for _ in range(30):
        keys.press("Tab")
        if page.get_by_role("toolbar", name="Your holes").locator(":focus").count():
            break
    for _ in range(6):
        keys.press("ArrowRight")
    keys.press("d")
    expect(spoken).to_have_text(f"hole 7, 9 stones: {would}")
    keys.press("Enter")
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    keys.press("l")
    expect(spoken).to_have_text(re.compile(r"^White: hole 7, 9 stones, captures 10\. Black: hole \d, \d+ stones"))
    keys.press("s")
    state = board.state()
    expect(spoken).to_have_text(f"White's kazan: {state['stores'][0]}. Black's kazan: {state['stores'][1]}.")
    keys.press("b")
    own = ", ".join(map(str, state["white"]))
    expect(spoken).to_have_text(re.compile(f"^Your holes: {own}\\. Opponent's holes: "))
    keys.press("t")
    expect(spoken).to_have_text(re.compile(r"^White's clock: (\d+ minutes )?\d+ seconds?\. Black's clock: "))
    keys.press("?")
    help_ = page.get_by_role("dialog", name="Toguz korgool: how to play")
    expect(help_).to_be_visible()
    keys.press("b")
    expect(spoken).to_have_text(re.compile("^White's clock"))
    help_.get_by_text("Keys", exact=True).click()
    help_.get_by_label("Letters and digits are commands").uncheck()
    keys.press("Escape")
    expect(help_).to_be_hidden()
    page.locator("#settings summary").focus()
    for key in ("b", "3", "?"):
        keys.press(key)
    expect(spoken).to_have_text(re.compile("^White's clock"))
    expect(help_).to_be_hidden()
    assert board.plies() == 2


def test_phones_have_room_in_every_language(table: NewTable) -> None:
    """The words differ with the language and the holes with the game; the smallest phone has all beside them."""
    board = table(PHONE)
    for language in LANGUAGES:
        board.translated(language)
        phone_fits(board, "toguz", 18)
        expect(board.page.locator("html")).to_have_attribute("lang", language)
        assert board.page.locator("#moves").inner_text() == translations(language).gettext("No move yet.")
        resized(board.page, 320, 640)
        steps_and_keys(board, language)
        board.page.set_viewport_size(PHONE["viewport"])
    phone_fits(board, "bestemshe", 10)


def phone_fits(board: Table, game: str, holes: int) -> None:
    board.start(game, clock="30+0")
    wide, inner = board.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    boxes = board.page.locator(".hole-button").evaluate_all(BOXES)
    assert len(boxes) == holes
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["y"] + box["height"] <= 740 for box in boxes)
    buttons = board.page.locator("#actions .button:visible").evaluate_all(BOXES)
    assert buttons
    assert all(box["height"] >= 44 for box in buttons)


def steps_and_keys(board: Table, language: str) -> None:
    page = board.page
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    buttons = page.locator(".steps .button:visible, #actions .button:visible").evaluate_all(BUTTONS)
    assert buttons
    for name, box in buttons:
        assert box["height"] >= 44
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 320
        assert name
    page.locator("#keys").tap()
    dialog = page.get_by_role("dialog", name=re.compile(re.escape(translations(language).gettext("how to play"))))
    expect(dialog.locator(".lessons > li")).to_have_count(5)
    expect(dialog.locator(".with-keys")).to_be_hidden()  # there is no keyboard
    box = dialog.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 320
    dialog.get_by_role("button").first.click()
    expect(dialog).to_be_hidden()

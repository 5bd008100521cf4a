"""The page of a game on a laptop and a small phone: what a player needs is in view, and the board answers every tap."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES
from tests.conftest import SEED
from tests.page.conftest import PHONE, NewTable
from tests.page.games import Played
from tests.page.table import PLAYABLE, Table, expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL: dict[str, Any] = PHONE | {"viewport": {"width": 360, "height": 640}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 657}}
BOXES = """all => all.filter(one => one.checkVisibility()).map(one => {
  const {left, top, right, bottom} = one.getBoundingClientRect();
  return [one.id || one.className, left, top, right, bottom];
})"""
SEEN = 250
"""Milliseconds after which a position has been seen: taps before are not aimed at it."""
NEEDED = ".hole-button, .row .button, .strip .name, .strip .clock, .line [aria-current], #keys, #rest, .to-map summary"


def boxes(page: Page, selector: str) -> list[tuple[str, float, float, float, float]]:
    found: list[tuple[str, float, float, float, float]] = page.locator(selector).evaluate_all(BOXES)
    return found


@pytest.mark.parametrize("language", ["en", [*LANGUAGES][SEED % len(LANGUAGES)]])
def test_text_twice_as_large_leaves_the_game_on_one_screen(table: NewTable, server: str, language: str) -> None:
    """On a small phone: the board with both names and clocks, and the row with all its buttons."""
    page = table(SMALL, locale=language).page
    for game in GAMES:
        played = Played(server, game, plies=2, clock="10+5")
        page.context.clear_cookies()
        played.sit(page.context)
        page.goto(played.url)
        page.locator("korgool-board[data-ready]").wait_for()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        ((_, left, top, right, bottom),) = boxes(page, "korgool-board")
        row = boxes(page, ".row .button")
        assert len(row) == 5
        assert max(low for *_, low in row) <= 640
        assert all(to - x >= 44 and low - y >= 44 for _, x, y, to, low in row)
        assert left >= 0
        assert right <= 360
        assert top >= max(low for *_, low in boxes(page, "#keys, #rest"))
        assert bottom <= min(y for _, _, y, _, _ in row), game
        inside = boxes(page, "korgool-board .strip .name, korgool-board .clock, korgool-board > svg.board")
        assert len(inside) == 5
        assert all(left <= x and top <= y and to <= right and low <= bottom + 1 for _, x, y, to, low in inside), game
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_board_has_most_of_a_laptop(table: NewTable, server: str) -> None:
    """At least 60 % of its window, with names, clocks and totals on its own wood, and nothing moves when lines come."""
    page = table(LAPTOP).page
    for game in GAMES:
        played = Played(server, game, plies=2, clock="10+5")
        page.context.clear_cookies()
        played.sit(page.context)
        page.goto(played.url)
        page.locator("korgool-board[data-ready]").wait_for()
        for selector in ("korgool-board", "korgool-board > svg.board"):
            ((_, left, top, right, bottom),) = boxes(page, selector)
            assert (right - left) * (bottom - top) >= 0.6 * 1366 * 657, (game, selector)
            assert left >= 0
            assert top >= 0
            assert right <= 1366
            assert bottom <= 657
        ((_, left, top, right, bottom),) = boxes(page, "korgool-board")
        inside = boxes(
            page, "korgool-board .strip .name, korgool-board .clock, korgool-board > svg.board .store .count"
        )
        assert len(inside) == 6, game
        assert all(left <= x and top <= y and to <= right and low <= bottom for _, x, y, to, low in inside), game
        assert all(low <= 657 for *_, low in boxes(page, ".row .button")), game
        before = boxes(page, "korgool-board > svg.board")
        page.locator("#hint").click()
        expect(page.locator("#hinted")).to_be_visible()
        assert boxes(page, "korgool-board > svg.board") == before


def test_a_small_phone_has_all_that_a_player_needs(table: NewTable, server: str) -> None:
    """Board, the row of buttons, the other's last move and both names on 360 by 640; no bar at the bottom."""
    board = table(SMALL)
    page = board.page
    for number, game in enumerate(GAMES):
        language = ("ru", "tr", "kk", "ky")[number]
        board.translated(language)
        played = Played(server, game, plies=2, clock="10+5")
        page.context.clear_cookies()
        board.translated(language)
        played.sit(page.context)
        page.goto(played.url)
        page.locator(PLAYABLE).first.wait_for()
        needed = boxes(page, NEEDED)
        names = [name for name, *_ in needed]
        assert len([name for name in names if "hole-button" in name]) == 2 * GAMES[game].holes
        assert {"previous", "next", "hint", "undo", "more", "keys", "rest"} <= set(names)
        for name, left, top, right, bottom in needed:
            assert 0 <= left <= right <= 360, (game, language, name)
            assert 0 <= top <= bottom <= 640, (game, language, name)
        assert all(
            right - left >= 44 and bottom - top >= 43.9
            for name, left, top, right, bottom in needed
            if name not in ("name", "clock") and "clock" not in name
        ), (game, language, needed)
        row = min(top for name, _, top, _, _ in needed if name in ("previous", "next", "hint", "undo", "more"))
        assert max(bottom for name, *_, bottom in needed if "hole-button" in name or name == "name") <= row
        last = played.visitor.state(played.id)["moves"][-1]["text"]
        expect(page.locator("#line [aria-current]")).to_have_text(last)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    # The rules are two taps away, from the row above the board and from the row below it.
    page.locator("#more").tap()
    menu = page.locator("#game-menu")
    for part in (menu.locator("#resign"), menu.locator("#settings"), menu.locator("#share-game")):
        expect(part).to_be_visible()
    menu.locator("[data-presses=keys]").tap()
    rules = page.locator("#key-help")
    expect(rules.locator(".lessons > li")).to_have_count(5)
    expect(rules.locator("a.button")).to_have_attribute("href", f"/rules/{game}")
    rules.locator(".close").tap()
    expect(page.locator(".panel #resign")).to_have_count(1)


def test_a_wrong_tap_says_why(table: NewTable) -> None:
    """In a line at the board and to screen readers; what was aimed at the past never plays."""
    board = table(SMALL)
    page = board.page
    board.start()
    why, spoken = page.locator(".tip.why"), page.locator("#spoken")
    assert why.get_attribute("aria-hidden") == "true"
    page.locator('.hole-button[data-side="black"][data-hole="2"]').tap(force=True)
    expect(why).to_have_text("not your hole")
    expect(spoken).to_contain_text("not your hole")
    board.press(7)
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    assert board.play(7 if board.state()["white"][6] else 0)  # what the engine may have taken is empty already
    empty = board.state()["white"].index(0) + 1 if 0 in board.state()["white"] else 7
    if board.state()["white"][empty - 1] == 0:
        page.locator(f'.hole-button[data-side="white"][data-hole="{empty}"]').tap(force=True)
        expect(why).to_have_text("empty")
        expect(page.locator(f'svg.board.tall .hole.near[data-hole="{empty}"]')).to_have_class(re.compile("shaken"))
    # The past: the wood is grey, a chip says where one is, and a tap leads nowhere.
    plies = board.plies()
    page.locator("#previous").tap()
    expect(page.locator("#back")).to_have_text("Move 2, White · back to the game")
    expect(page.locator("korgool-board")).to_have_attribute("data-past", "")
    page.wait_for_timeout(SEEN)
    page.locator('.hole-button[data-side="white"][data-hole="3"]').tap(force=True)
    expect(why).to_have_text("an earlier position: go back to the game first")
    assert len(board.state()["moves"]) == plies
    page.locator("#back").tap()
    expect(page.locator("korgool-board")).not_to_have_attribute("data-past", "")
    # A press that began in the past and ends in the present: what the finger was aimed at is no longer there.
    page.locator("#previous").tap()
    hole = page.locator('.hole-button[data-side="white"][data-hole="3"]')
    box = hole.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.keyboard.press("Escape")
    page.mouse.up()
    page.locator(PLAYABLE).first.wait_for()
    assert len(board.state()["moves"]) == plies


def test_a_premove_is_not_made_in_the_past(table: NewTable) -> None:
    """Where it was the opponent's turn then."""
    board = table(SMALL)
    page = board.page
    page.add_init_script("if (origin !== 'null') localStorage.setItem('korgool.premove', 'on')")
    board.start(side="black")
    board.wait_for_ply(1)
    page.locator("korgool-board").evaluate("it => it.addEventListener('plan', () => { window.planned = true; })")
    page.locator("#previous").tap()
    expect(page.locator("#back")).to_have_text("Start · back to the game")
    page.wait_for_timeout(SEEN)
    page.locator('.hole-button[data-side="black"][data-hole="3"]').tap(force=True)
    expect(page.locator(".tip.why")).to_have_text("an earlier position: go back to the game first")
    assert not page.evaluate("window.planned")


def test_the_line_of_moves_stays_where_the_player_has_scrolled_it(table: NewTable, server: str) -> None:
    """Until there is another move."""
    played = Played(server, "toguz", plies=20)
    board = table(SMALL)
    page = board.page
    played.sit(page.context)
    page.goto(played.url)
    board.ready()
    scrolled = "document.getElementById('line').scrollLeft"
    page.wait_for_function(f"() => {scrolled} > 100")
    page.evaluate(f"{scrolled} = 20")
    page.evaluate("document.dispatchEvent(new Event('waiting'))")
    assert page.evaluate(scrolled) == 20
    page.locator("#previous").tap()
    page.wait_for_function(f"() => {scrolled} > 100")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_capture_is_seen_and_told(table: NewTable, motion: str) -> None:
    """The kazan gains a number, and in the first three games of a device the hole says why."""
    board = table(LAPTOP, reduced_motion=motion)
    page = board.page
    board.start(speed="fast")
    page.evaluate(
        """() => {
          window.told = [];
          new MutationObserver(() => {
            for (const one of document.querySelectorAll(".gain, .tip.lesson")) {
              if (!one.hidden && !told.includes(one.textContent)) told.push(one.textContent);
            }
          }).observe(document.querySelector("korgool-board"), {subtree: true, childList: true, attributes: true});
        }"""
    )
    board.press(7)
    board.wait_for_ply(1)
    page.wait_for_function("() => told.length >= 2")
    assert page.evaluate("told.slice(0, 2).sort()") == ["+10", "10, even: taken"]
    # The fourth game of a device has learned it.
    page.evaluate("localStorage.setItem('korgool.first-games', 'a b c')")
    page.reload()
    board.ready()
    assert page.evaluate("document.querySelector('korgool-board').teaching") is False


def test_the_end_is_a_sheet_that_leaves_the_board_in_view(table: NewTable, server: str) -> None:
    """Result, both kazans as bars, what to do next: over the lower half of a phone, beside the board of a laptop."""
    played = Played(server, "bestemshe", plies=200)
    assert played.state["outcome"]
    board = table(SMALL)
    page = board.page
    played.sit(page.context)
    page.emulate_media(reduced_motion="reduce")
    for size in (SMALL, LAPTOP):
        page.set_viewport_size(size["viewport"])
        page.goto(played.url)
        page.locator("korgool-board[data-ready]").wait_for()
        sheet = page.locator("#outcome")
        expect(sheet).to_be_visible()
        ((_, left, top, right, bottom),) = boxes(page, "#outcome")
        assert 0 <= left < right <= size["viewport"]["width"]
        assert 0 <= top < bottom <= size["viewport"]["height"]
        for _, x, y, to, low in boxes(page, "korgool-board > svg.board :is(.origin, .landed)[data-on]"):
            assert to <= left or low <= top or x >= right or y >= bottom, "the last move is covered"
        stores = dict(zip(("white", "black"), played.state["stores"], strict=True))
        for side, stones in stores.items():
            row = sheet.locator(f'.totals [data-side="{side}"]')
            expect(row.locator("b")).to_have_text(str(stones))
            part, goal = (
                float(row.locator(name).get_attribute(at) or "") for name, at in ((".part", "width"), (".goal", "x"))
            )
            assert (part >= goal) == (stones >= 26)
        for name in ("Review|Find the better move", "Rematch", "New game", "Share the picture"):
            expect(sheet.get_by_text(re.compile(f"^({name})$"))).to_be_visible()
        assert len(boxes(page, ".button.primary")) == 1
        chip = page.locator("#show-result")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#back")).to_have_text(re.compile("back to the game"))
        sheet.get_by_role("button", name="Close").click()
        expect(sheet).to_be_hidden()
        expect(page.locator("#back")).to_be_focused()
        expect(chip).to_be_hidden()
        page.locator("#back").click()
        expect(chip).to_contain_text(" : ".join(map(str, played.state["stores"])))
        ((_, _, _, _, low),) = boxes(page, "#show-result")
        assert low <= size["viewport"]["height"]
        chip.click()
        expect(sheet).to_be_visible()


def test_help_teaches_the_rules_of_this_game(table: NewTable, server: str) -> None:
    """Five pictures with the words of the one-minute rules; keys where there is a keyboard."""
    page = table(LAPTOP).page
    for game in GAMES:
        page.goto(Played(server, game).url)
        page.locator("korgool-board[data-ready]").wait_for()
        page.keyboard.press("?")
        help_ = page.locator("#key-help")
        expect(help_.locator(".lessons svg.excerpt")).to_have_count(5)
        text = help_.locator(".lessons").inner_text()
        assert ("tuz" in text) == (game == "toguz")
        assert ("castle" in text) == (game == "castle")
        assert ("move again" in text) == (game == "mangala")
        expect(help_.locator(".with-keys")).to_be_visible()
        page.keyboard.press("Escape")
        expect(help_).to_be_hidden()
    assert translations("ky").gettext("How to play") != "How to play"


def test_a_tap_counts_as_soon_as_the_board_is_drawn(table: NewTable, server: str) -> None:
    """Even before the scripts have come: it is played as soon as they have."""
    board = table(SMALL)
    page = board.page
    played = Played(server, "toguz")
    played.sit(page.context)
    held: list[Any] = []
    loading = True
    page.route("**/bundles/play/game_page.js", lambda route: held.append(route) if loading else route.continue_())
    with page.expect_request("**/bundles/play/game_page.js"):
        page.goto(played.url, wait_until="commit")
    drawn = page.locator('svg.board.tall .hole.near[data-hole="7"] .slot')
    drawn.tap(force=True)
    expect(page.locator('svg.board.tall .hole.near[data-hole="7"]')).to_have_class(re.compile("chosen"))
    loading = False
    for route in held:
        route.continue_()
    Table(page, server).wait_for_ply(1)
    expect(page.locator("#moves button").first).to_have_text(re.compile(r"^76\(10\)"))


def test_the_sounds_of_a_move(table: NewTable) -> None:
    """Lift, drop, capture and whose turn it is, by the pitches that begin them; off is silence."""
    board = table(LAPTOP)
    page = board.page
    page.add_init_script(
        """window.pitches = [];
        const set = AudioParam.prototype.setValueAtTime;
        AudioParam.prototype.setValueAtTime = function (value, at) {
          if (value > 1) pitches.push(Math.round(value));
          return set.call(this, value, at);
        };"""
    )
    board.start(speed="fast")
    page.locator("#spoken").evaluate("() => window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Shift'}))")
    board.hole(7).click()
    page.wait_for_function("() => pitches.length >= 14")
    first = page.evaluate("() => pitches.slice(0, 15)")
    assert first[0] == 240, "lifted"
    assert all(520 <= pitch <= 640 for pitch in first[1:10]), "nine stones fall"
    assert all(420 <= pitch <= 580 for pitch in first[10:14]), "captured"
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    page.locator("#settings summary").click()
    page.locator("#sound").uncheck()
    page.evaluate("pitches.length = 0")
    board.press(board.best())
    board.wait_for_ply(4)
    assert page.evaluate("pitches.filter((one) => one !== 660 && one !== 880)") == []


def test_escape_closes_the_end_from_wherever_one_is_on_a_phone(table: NewTable, server: str) -> None:
    """The sheet lies over the board there, and nothing in it needs the focus first."""
    played = Played(server, "toguz", plies=2)
    page = table(SMALL).page
    played.sit(page.context)
    page.goto(played.url)
    Table(page, server).ready()
    played.visitor.send(played.id, "resign", version=played.state["version"]).raise_for_status()
    sheet, chip = page.locator("#outcome"), page.locator("#show-result")
    expect(sheet.get_by_role("heading")).to_have_text("Kulun wins")
    page.locator("#rest").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.locator("#rest")).to_be_focused()
    chip.tap()
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(chip).to_be_focused()

"""The path of a game on a phone: by touch, by keyboard, aloud, in five languages, and without a network."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korgool.app.words.games import STONE_GAMES
from korgool.languages import translations
from korgool.rules import GAMES
from korgool.training.lessons import path_of
from korgool.training.questions import Way
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.lessons import TAKEN, answer_button, give, play_stop, stop_of
from tests.page.table import expect
from tests.page.test_axe import violations, violations_here
from tests.page.test_offline import visited
from tests.slices import drawn

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
FIRST = 4
"""The stops that are played in one language whole, and that take three minutes."""
STOPS = [(game, stop.name) for game in GAMES for stop in path_of(game) if stop.boards]
COUNTS = "() => [...document.querySelectorAll('korgool-board .hole .count')].map((one) => one.textContent).join()"
VOICES = """language => {
  const said = window.said = [];
  const voice = { lang: language, name: "voice", default: true, localService: true, voiceURI: "voice" };
  const synthesis = { getVoices: () => [voice], speak: (one) => said.push(one.text), cancel: () => {},
    addEventListener: () => {} };
  Object.defineProperty(window, "speechSynthesis", { value: synthesis });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
}"""
FITS = """() => {
  const next = document.getElementById("next").getBoundingClientRect();
  const bar = document.querySelector(".map").getBoundingClientRect();
  return [document.documentElement.scrollWidth <= innerWidth, next.bottom <= bar.top + 1, next.height >= 44];
}"""


def test_from_the_first_page_to_the_first_stars(table: NewTable) -> None:
    """In one tap by touch; wrong answers cost stars, and the path remembers them on this device."""
    seat = table(SMALL)
    page = seat.page
    page.goto(seat.address)
    page.locator("#learn").tap()
    path = path_of("toguz")
    for at, stop in enumerate(path[:FIRST]):
        expect(page).to_have_url(f"{seat.address}/learn/toguz/{stop.name}")
        expect(page.locator("#task")).to_contain_text(stop.boards[0].task.split("%")[0])
        assert page.evaluate(FITS) == [True, True, True]
        play_stop(page, stop, wrong=at)
        # The first board of the first stop has no wrong answer.
        expect(page.locator("#end-title")).to_have_text(
            f"{max(0, 3 - at)} of 3 stars" if at < 3 else "Done. Once more for stars?"
        )
        page.locator("#onward").tap()
    expect(page.locator("#lesson-title")).to_contain_text(path[FIRST].title)
    page.goto(f"{seat.address}/learn/toguz")
    assert [page.locator(f"#path li:nth-child({at}) .on").count() for at in range(1, 6)] == [3, 2, 1, 0, 0]
    expect(page.locator("#path [aria-current]")).to_contain_text(path[FIRST].title)
    expect(page.locator("#go-on")).to_have_attribute("href", f"/learn/toguz/{path[FIRST].name}")
    # It is kept on the device alone, with the day of the first lesson; the first page then begins with a game.
    kept = page.evaluate(
        "() => ({ lessons: localStorage['korgool.lessons'], first: localStorage['korgool.first-lesson'] })"
    )
    assert json.loads(kept["lessons"]) == {"toguz": {"sow": 3, "single": 2, "corner": 1, "even": 0}}
    assert kept["first"].startswith("20")
    page.goto(seat.address)
    expect(page.locator(".starts .way").first).to_contain_text("Play now")
    expect(page.locator("#learn")).to_have_attribute("href", "/learn/toguz")


def test_a_wrong_answer_is_sown_and_taken_back(table: NewTable) -> None:
    seat = table(SMALL)
    page, stop = seat.page, stop_of("toguz", "even")
    page.goto(f"{seat.address}/learn/toguz/even")
    page.locator("korgool-board[data-ready]").wait_for()
    question = stop.boards[0].question
    before = page.evaluate(COUNTS)
    wrong = next(one for one in question.answers if one not in question.right)
    give(page, question, wrong, touch=True)
    assert page.evaluate(COUNTS) != before
    expect(page.locator("#verdict")).to_contain_text("Not yet. The last stone ends on your own side.")
    # By itself after a while, and what was said of it stays.
    page.wait_for_function(f"before => ({COUNTS})() === before", arg=before)
    expect(page.locator("#verdict")).to_contain_text("Not yet.")
    expect(page.locator("#next")).to_be_disabled()
    # A hole of the other side says why it is none.
    page.wait_for_timeout(300)
    page.locator('.hole-button[data-side="black"][data-hole="2"]').tap(force=True)
    expect(page.locator("#verdict")).to_have_text("not your hole")
    assert page.evaluate(COUNTS) == before


@pytest.mark.parametrize("where", drawn("lessons", STOPS, 3))
@pytest.mark.parametrize("language", drawn("languages of lessons", ["ky", "kk", "ru", "tr"]))
def test_each_stop_in_each_language(table: NewTable, where: tuple[str, str], language: str) -> None:
    game, name = where
    seat = table(SMALL, locale=language, reduced_motion="reduce")
    page, stop = seat.page, stop_of(game, name)
    gettext = translations(language, game in STONE_GAMES).gettext
    page.goto(f"{seat.address}/learn/{game}/{name}")
    expect(page.locator("#lesson-title")).to_contain_text(gettext(stop.title))
    assert page.evaluate(FITS) == [True, True, True]
    play_stop(page, stop)
    expect(page.locator("#end-note")).to_have_text(gettext("Not one mistake!"))
    assert page.locator("#lesson-end .on").count() == 3


def test_by_keyboard_alone(table: NewTable) -> None:
    """Digits sow, arrows and Enter answer with any hole, and the focus goes on with the lesson."""
    seat = table(DESK, reduced_motion="reduce")
    page, stop = seat.page, stop_of("toguz", "sow")
    page.goto(f"{seat.address}/learn/toguz/sow")
    page.locator("korgool-board[data-ready]").wait_for()
    assert [board.question.way for board in stop.boards] == [Way.HOLE, Way.PLACE, Way.HOLE, Way.PLACE]
    for board in stop.boards:
        page.wait_for_timeout(300)
        (*_, right) = board.question.right
        if board.question.way is Way.HOLE:
            page.keyboard.press(right)
        else:
            side, _ = right.split()
            page.locator('.hole-button[data-side="white"][tabindex="0"]').focus()
            if side == "black":
                page.keyboard.press("ArrowUp")
            for _ in range(18):
                if page.evaluate("() => Object.values({ ...document.activeElement.dataset }).join(' ')") == right:
                    break
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        expect(page.locator("#verdict")).to_have_class("verdict right")
        page.locator("#next").focus()
        page.keyboard.press("Enter")
    expect(page.locator("#end-title")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#onward")).to_be_focused()


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_stones_are_dragged(table: NewTable, touch: bool) -> None:
    """To anywhere on the board; dropped beside it, nothing is sown. The stones walk to the end."""
    seat = table(SMALL if touch else DESK)
    page, stop = seat.page, stop_of("toguz", "even")
    page.goto(f"{seat.address}/learn/toguz/even")
    page.locator("korgool-board[data-ready]").wait_for()
    question = stop.boards[0].question
    button = answer_button(page, question, question.right[0])
    x, y = middle(button)
    before = page.evaluate(COUNTS)
    page.wait_for_timeout(TAKEN)
    drag(page, (x, y), middle(page.locator("#task")), touch=touch)
    assert page.evaluate(COUNTS) == before
    assert page.locator(".carried").count() == 0
    expect(page.locator("#next")).to_be_disabled()
    drag(page, (x, y), middle(page.locator('.hole-button[data-side="black"][data-hole="4"]')), touch=touch)
    expect(page.locator("korgool-board[data-moving]")).to_have_count(1)
    expect(page.locator("#verdict")).to_have_class("verdict right")
    expect(page.locator("#next")).to_be_enabled()


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float], *, touch: bool) -> None:
    """Press, move and let go."""
    way = [start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end]
    if not touch:
        page.mouse.move(*start)
        page.mouse.down()
        for one in way[1:]:
            page.mouse.move(*one)
        page.mouse.up()
        return
    cdp = page.context.new_cdp_session(page)
    for kind, at in (("touchStart", way[0]), ("touchMove", way[1]), ("touchMove", way[2]), ("touchEnd", None)):
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    cdp.detach()


def test_it_is_read_aloud_where_there_is_a_voice(table: NewTable) -> None:
    seat = table(SMALL)
    page = seat.page
    page.add_init_script(f"({VOICES})('en-GB')")
    page.goto(f"{seat.address}/learn/toguz/even")
    expect(page.locator("#aloud")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("said") == []
    page.locator("#aloud").tap()
    stop = stop_of("toguz", "even")
    assert page.evaluate("said") == [stop.boards[0].task]
    give(page, stop.boards[0].question, stop.boards[0].question.right[0], touch=True)
    page.reload()
    expect(page.locator("#aloud")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => said.length === 1")
    # There is no voice for this language: then there is no button.
    page.context.add_cookies([{"name": "language", "value": "ru", "url": seat.address}])
    page.reload()
    page.locator("korgool-board[data-ready]").wait_for()
    expect(page.locator("#aloud")).to_be_hidden()


def test_every_checker_passes_a_stop_in_all_its_states(table: NewTable) -> None:
    seat = table(SMALL, reduced_motion="reduce")
    page, stop = seat.page, stop_of("toguz", "odd")
    page.goto(f"{seat.address}/learn/toguz/odd")
    page.locator("korgool-board[data-ready]").wait_for()
    assert violations(page) == []
    question = stop.boards[0].question
    give(page, question, next(one for one in question.answers if one not in question.right), touch=True)
    assert violations_here(page) == []
    page.locator("#next").click()
    play_stop(page, stop)
    assert violations_here(page) == []


def test_without_a_network_every_stop_is_played(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path) as (board, cut):
        cut()
        page = board.page.context.new_page()
        page.goto(f"{board.address}/learn/bestemshe/even")
        expect(page.locator("#path-page")).to_be_hidden()
        play_stop(page, stop_of("bestemshe", "even"), touch=False)
        page.locator("#onward").click()
        expect(page).to_have_url(f"{board.address}/learn/bestemshe/odd")
        expect(page.locator("#lesson-title")).to_contain_text("Odd does not")
        page.goto(f"{board.address}/learn/bestemshe")
        expect(page.locator("#path li:nth-child(2) .on")).to_have_count(3)


def test_without_scripts_the_boards_stand_there_with_their_answers(table: NewTable) -> None:
    seat = table(SMALL, java_script_enabled=False)
    page = seat.page
    page.goto(f"{seat.address}/learn/toguz/tuz")
    expect(page.locator(".read-boards > li")).to_have_count(4)
    expect(page.locator(".read-boards svg.board").first).to_be_visible()
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator(".read-boards > li").first).to_contain_text("Answer: Your hole 9")


def test_a_drill_runs_a_minute_and_keeps_the_best(table: NewTable) -> None:
    seat = table(SMALL)
    page = seat.page
    page.clock.install()
    page.goto(f"{seat.address}/learn/bestemshe/drills")
    told = json.loads(page.locator("#questions").text_content() or "")
    page.locator("[data-drill=parity]").tap()
    assert violations_here(page) == []
    for number in range(5):
        task, counts = page.locator("#task").text_content(), page.evaluate(COUNTS).split(",")
        question = next(
            one
            for one in told["parity"]
            if one["task"] == task
            and counts == [str(count) for count in [*one["before"]["white"], *one["before"]["black"]]]
        )
        wrong = next(one["value"] for one in question["choices"] if one["value"] != question["right"])
        text = {one["value"]: one["text"] for one in question["choices"]}[question["right"] if number < 4 else wrong]
        page.locator("#choices").get_by_role("button", name=text).tap()
        expect(page.locator("#verdict")).to_have_text("Right!" if number < 4 else re.compile("^No: "))
        page.clock.run_for(300)  # a question takes no answer at once
    expect(page.locator("#score")).to_have_text("4")
    page.clock.run_for(61_000)
    expect(page.locator("#end-title")).to_have_text("Right answers: 4")
    expect(page.locator("#end-note")).to_have_text("Your best so far.")
    page.locator("#to-drills").tap()
    expect(page.locator("[data-drill=parity]")).to_contain_text("Your best: 4")
    # Any hole answers where it lands.
    page.locator("[data-drill=landing]").tap()
    page.locator('.hole-button[data-side="black"][data-hole="3"]').tap()
    expect(page.locator("#verdict")).to_have_text(re.compile("^(Right!|No: )"))

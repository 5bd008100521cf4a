"""A line that falls silent: bytes vanish, nothing closes, and every page says so, soon, and goes on by itself."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.desk import event_of, round_page, sign_up
from tests.page.people import House, house, sit
from tests.page.table import Table, expect
from tests.page.test_invitations import invite
from tests.page.test_two_people import play
from tests.silent_line import DOWN, UP, SilentLine, silent_line

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOST = "The connection is lost. Trying again…"
ENDED = "ERR_"
"""What the browser itself says of requests that ended with a line."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("silence")) as made:
        yield made


@pytest.fixture
def line(home: House) -> Iterator[SilentLine]:
    with silent_line(home.address) as made:
        yield made


def seated(table: NewTable, home: House, line: SilentLine, clock: str = "none") -> tuple[Table, Table]:
    """White, whose line can fall silent, and Black, before a game."""
    white = table(PHONE, address=line.address, expected=ENDED)
    black = table(DESK, address=home.address)
    url = home.seat(white, black, clock=clock)
    sit(white, url.replace(home.address, line.address))
    sit(black, url)
    expect(white.page.locator(".strip.far .presence[data-present]")).to_have_count(1)
    return white, black


def seconds_until(true: str, page: Page) -> float:
    """How long it takes until a condition holds in a page."""
    begun = time.monotonic()
    page.wait_for_function(true, polling=100)
    return time.monotonic() - begun


@pytest.mark.parametrize("ways", [(UP, DOWN), (UP,), (DOWN,)], ids="-".join)
def test_a_move_on_a_silent_line(table: NewTable, home: House, line: SilentLine, ways: tuple[str, ...]) -> None:
    white, black = seated(table, home, line)
    page = white.page
    page.evaluate(
        """() => {
          window.times = {};
          const begun = performance.now();
          const note = (name, is) => is && (window.times[name] ??= performance.now());
          const look = () => {
            note("chosen", document.querySelector("svg.board .hole.chosen"));
            note("late", document.querySelector(".tip.late:not([hidden])"));
            const line = document.getElementById("connection");
            note("told", line.textContent === "The move is not sent yet." && !line.hidden);
            note("lost", line.textContent.startsWith("The connection is lost") && !line.hidden);
            requestAnimationFrame(look);
          };
          look();
          document.addEventListener("click", () => (window.times.begun = performance.now()), true);
        }"""
    )
    line.fall_silent(*ways)
    page.locator('.hole-button[data-side="white"][data-hole="7"]').tap()
    expect(page.locator("svg.board:visible .hole.chosen")).to_have_attribute("data-hole", "7")
    expect(page.locator('.hole-button[data-side="white"][data-hole="7"]')).to_have_accessible_name(re.compile("chosen"))
    expect(page.locator(".tip.late")).to_have_text("not sent yet")
    expect(page.locator("#spoken")).to_contain_text("The move is not sent yet.")
    expect(page.locator("#connection")).to_have_text(LOST)
    times = page.evaluate("window.times")
    waited = {name: times[name] - times["begun"] for name in ("chosen", "late", "told", "lost")}
    assert 1400 < waited["told"] < 3000, waited
    assert waited["chosen"] < 500, waited
    assert 1400 < waited["late"] < 3000, waited
    assert waited["lost"] < 7000, waited
    line.speak()
    for player in (white, black):
        player.wait_for_ply(1)
    expect(page.locator("#connection")).to_be_hidden()
    heard = page.locator("#spoken p").all_text_contents()
    assert [heard.count(text) for text in ("The move is not sent yet.", LOST)] == [1, 1], heard
    expect(page.locator(".tip.late")).to_be_hidden()
    expect(page.locator(".hole.chosen")).to_have_count(0)
    assert [move["hole"] for move in black.state()["moves"]] == [7], "once"
    play((black, white), 5)


def test_who_waits_for_the_opponent_is_told_too(table: NewTable, home: House, line: SilentLine) -> None:
    """Nothing is sent, and the opponent's move does not come: it does as soon as the line works, by a new socket."""
    white, black = seated(table, home, line)
    play((white, black), 7)
    line.fall_silent()
    black.press(5)
    expect(white.page.locator("#connection")).to_have_text(LOST)
    black.wait_for_ply(2)
    line.speak()
    white.wait_for_ply(2)
    expect(white.page.locator("#connection")).to_be_hidden()


def test_a_button_whose_command_is_not_sent_says_so(table: NewTable, home: House, line: SilentLine) -> None:
    white, black = seated(table, home, line)
    play((white, black), 7, 5)
    line.fall_silent()
    draw = white.page.get_by_role("button", name="Offer a draw")
    draw.tap()
    expect(draw).to_have_attribute("aria-busy", "true")
    expect(draw).to_have_attribute("data-late", "not sent yet")
    line.speak()
    expect(black.page.locator("#draw-asked")).to_be_visible()
    expect(white.page.locator("[data-late]")).to_have_count(0)


def test_a_short_silence_is_bridged_on_the_same_socket(table: NewTable, home: House, line: SilentLine) -> None:
    white, black = seated(table, home, line)
    sockets: list[int] = []
    white.page.on("websocket", lambda _: sockets.append(1))
    line.fall_silent(hold=True)
    white.press(7)
    expect(white.page.locator(".tip.late")).to_be_visible()
    line.speak()
    black.wait_for_ply(1)
    expect(white.page.locator(".tip.late")).to_be_hidden()
    assert sockets == []


def test_the_page_that_waits_for_an_opponent(table: NewTable, home: House, line: SilentLine) -> None:
    ann, bob = table(PHONE, address=line.address, expected=ENDED), table(address=home.address)
    link = invite(ann)
    lost = ann.page.locator("#lost")
    ann.page.wait_for_timeout(500)
    expect(lost).to_be_hidden()
    line.fall_silent()
    took = seconds_until("() => !document.getElementById('lost').hidden", ann.page)
    assert took < 7, "within five seconds, and what a busy machine adds"
    expect(lost).to_have_text(LOST)
    bob.page.goto(link.replace(line.address, home.address))
    bob.page.get_by_role("button", name="Play", exact=True).click()
    line.speak()
    expect(ann.page).to_have_url(re.compile(r"/games/\w{12}$"))


def test_the_lobby(table: NewTable, home: House, line: SilentLine) -> None:
    page = table(PHONE, address=line.address, expected=ENDED).page
    page.goto(f"{line.address}/lobby")
    page.wait_for_load_state("networkidle")
    line.fall_silent()
    assert seconds_until("() => !document.getElementById('lost').hidden", page) < 7
    line.speak()
    expect(page.locator("#lost")).to_be_hidden()


def test_the_desk(table: NewTable, home: House, line: SilentLine) -> None:
    """A result that is typed meanwhile is entered once, and the page asks for news again."""
    page = (desk := table(address=home.address, expected=ENDED)).page
    event = event_of(home, "Silent", sign_up(home, desk, "Silent"), 8)
    round_page(home, page, event)
    page.goto(f"{line.address}/events/{event.id}/desk/round/1")
    page.locator("#grid[data-ready]").wait_for(state="attached")
    line.fall_silent()
    page.locator("#r1").fill("82-60")
    page.keyboard.press("Enter")
    begun = time.monotonic()
    expect(page.locator("#s1")).to_contain_text("not sent yet")
    expect(page.locator("#lost")).to_have_text(LOST)
    assert time.monotonic() - begun < 7
    line.speak()
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    expect(page.locator("#lost")).to_be_hidden()
    results = [line.text for line in home.run(event.log(0)) if line.text.startswith("round 1, board 1")]
    assert len(results) == 1


def test_what_waits_comes_through_a_bad_line(table: NewTable, home: House, line: SilentLine) -> None:
    """The badge of an open page hears of a move at once, after a delay as soon as the line lets it through, and within
    seconds after a silence in which everything was lost; a phrase and an offer stand over the board of a phone."""
    ann, bob = table(PHONE, address=line.address, expected=ENDED), table(PHONE, address=home.address)
    url = home.seat(ann, bob, clock="3d")
    sit(ann, url.replace(home.address, line.address))
    sit(bob, url)
    play((ann, bob), 7)
    ann.page.goto(f"{line.address}/games")
    badge, listed = ann.page.locator("[data-waiting-badge]"), ann.page.locator(".waiting-list")
    expect(badge).to_be_hidden()
    bob.press(5)
    took = seconds_until("() => !document.querySelector('[data-waiting-badge]').hidden", ann.page)
    assert took < 3, "at once, and what a busy machine adds"
    expect(ann.page).to_have_title(re.compile(r"^\(1\) "))
    line.fall_silent(hold=True)
    bob.page.get_by_role("button", name="Offer a draw").tap()
    expect(bob.page.locator("#offered")).to_be_visible()
    line.speak()
    expect(listed).to_contain_text("they offer a draw")
    line.fall_silent()
    bob.page.get_by_role("button", name="Resign").tap()
    bob.page.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    expect(bob.page.locator("#outcome")).to_be_visible()
    line.speak()
    took = seconds_until("() => document.querySelector('[data-waiting-badge]').hidden", ann.page)
    assert took < 20, took
    expect(listed).to_be_hidden()

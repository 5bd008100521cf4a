"""An impatient thumb: what is pressed while another command is under way is done after it, or is over by then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.people import House, house, sit
from tests.page.table import PLAYABLE, Table, expect, settled
from tests.page.test_two_people import play

if TYPE_CHECKING:
    from playwright.sync_api import Locator, WebSocketRoute


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("people")) as made:
        yield made


class SlowWay:
    """A connection on which commands stay until they are let go."""

    def __init__(self, table: Table) -> None:
        self.slow = self._cut = False
        self._held: list[str | bytes] = []
        self._page: WebSocketRoute | None = None
        self._server: WebSocketRoute | None = None
        table.page.route_web_socket(re.compile("/live"), self._route)

    def _route(self, socket: WebSocketRoute) -> None:
        if self._cut:
            socket.close()
            return
        self._page = socket
        self._server = server = socket.connect_to_server()
        socket.on_message(lambda said: self._held.append(said) if self.slow else server.send(said))

    def let_go(self) -> None:
        assert self._server is not None
        self.slow = False
        for said in self._held:
            self._server.send(said)
        self._held.clear()

    def cut(self) -> None:
        """Nothing comes and goes any more."""
        assert self._page is not None
        self._cut = True
        self._page.close()


def test_what_is_pressed_meanwhile_is_done_afterwards(table: NewTable, home: House) -> None:
    white, black = table(PHONE, address=home.address), table(DESK, address=home.address)
    way = SlowWay(white)
    url = home.seat(white, black, clock="5+3")
    for player in (white, black):
        sit(player, url)
    play((white, black), 7, 5)
    draw = white.page.get_by_role("button", name="Offer a draw")
    more = white.page.get_by_role("button", name="Give 15 seconds")
    way.slow = True
    draw.tap()
    expect(draw).to_have_attribute("aria-busy", "true")
    draw.tap()  # once is enough
    more.tap()
    white.page.locator('.hole-button[data-side="white"][data-hole="3"]').tap()
    expect(more).to_have_attribute("aria-busy", "true")
    assert len(white.state()["moves"]) == 2
    way.let_go()
    black.wait_for_ply(3)
    expect(black.page.locator("#draw-asked")).to_be_visible()
    expect(white.page.locator("[aria-busy]")).to_have_count(0)
    state = white.state()
    assert [state["moves"][2]["hole"], state["offers"]] == [3, {"draw": "white"}]
    assert state["clock"]["black_ms"] > 300_000
    expect(white.page.locator("#connection")).to_be_hidden()


def test_no_hole_is_chosen_for_a_board_that_is_being_taken_back(table: NewTable) -> None:
    """The server would refuse it, and a player who then resigns has played nothing."""
    board = table(PHONE)
    way = SlowWay(board)
    board.start()
    board.play(7)
    way.slow = True
    board.page.get_by_role("button", name="Take back").tap()
    expect(board.page.locator(PLAYABLE)).to_have_count(0)
    board.page.locator('.hole-button[data-side="white"][data-hole="2"]').tap(force=True)
    board.page.keyboard.press("2")
    way.let_go()
    expect(board.page.locator(PLAYABLE)).to_have_count(9)
    assert board.state()["moves"] == []
    board.play(2)
    assert board.state()["moves"][0]["hole"] == 2
    expect(board.page.locator("#connection:not([data-calm])")).to_be_hidden()


def test_what_is_over_by_then_is_not_sent(table: NewTable, home: House) -> None:
    white, black = table(PHONE, address=home.address), table(DESK, address=home.address)
    way = SlowWay(white)
    url = home.seat(white, black)
    for player in (white, black):
        sit(player, url)
    play((white, black), 7, 5)
    black.page.get_by_role("button", name="Offer a draw").click()
    yes, no = (white.page.get_by_role("button", name=name) for name in ("Accept the draw", "Decline"))
    settled(yes)
    way.slow = True
    yes.tap()
    no.tap()
    way.let_go()
    expect(white.page.locator("#outcome")).to_contain_text("Draw")
    expect(white.page.locator("[aria-busy]")).to_have_count(0)
    expect(white.page.locator("#connection")).to_be_hidden()


def test_nobody_accepts_what_appears_under_the_finger(table: NewTable, home: House) -> None:
    """An offer pushes other buttons down, so who presses at that moment has aimed at one of those."""
    white, black = table(DESK, address=home.address), table(DESK, address=home.address)
    url = home.seat(white, black)
    for player in (white, black):
        sit(player, url)
    play((white, black), 7, 5)
    yes = white.page.get_by_role("button", name="Accept the draw")
    white.page.evaluate(
        """() => {
          const yes = document.getElementById("accept-draw");
          new MutationObserver(() => {
            const { x, y, width, height } = yes.getBoundingClientRect();
            window.hit ??= width ? document.elementFromPoint(x + width / 2, y + height / 2)?.id ?? "" : undefined;
          }).observe(yes.closest(".offer"), { attributeFilter: ["hidden"] });
        }"""
    )
    black.page.get_by_role("button", name="Offer a draw").click()
    expect(yes).to_be_visible()
    assert white.page.evaluate("window.hit") not in (None, "accept-draw")
    settled(yes).click()
    expect(white.page.locator("#outcome")).to_contain_text("Draw")


def middle(button: Locator) -> tuple[float, float]:
    """Where somebody aims who wants to press it."""
    box = button.bounding_box()
    assert box is not None
    return round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_what_is_offered_keeps_its_place(table: NewTable, home: House, size: dict[str, Any]) -> None:
    """The newest is below, whatever its kind; what goes leaves its place empty as long as something is below."""
    white, black = table(size, address=home.address), table(DESK, address=home.address)
    page = white.page
    url = home.seat(white, black)
    for player in (white, black):
        sit(player, url)
    play((white, black), 7, 5)
    let, yes = (page.get_by_role("button", name=name) for name in ("Let them take back", "Accept the draw"))
    black.page.get_by_role("button", name="Ask to take back").click()
    expect(let).to_be_visible()
    place = middle(let)
    first = page.locator("#takeback-asked").bounding_box()["y"]  # type: ignore[index]
    black.page.get_by_role("button", name="Offer a draw").click()
    expect(yes).to_be_visible()
    assert middle(let) == place
    below = middle(yes)
    assert below[1] > place[1] + 44
    expect(page.locator(".asked [inert]")).to_have_count(0)
    page.locator("#decline-takeback").click()
    expect(let).to_be_hidden()
    assert middle(yes) == below
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button')?.id", place) != "accept-draw"
    page.locator("#decline-draw").click()
    expect(yes).to_be_hidden()
    expect(page.locator(".asked .space")).to_have_count(0)
    play((white, black), 3, 9)
    black.page.get_by_role("button", name="Offer a draw").click()
    expect(yes).to_be_visible()
    assert page.locator("#draw-asked").bounding_box()["y"] == first, "the first place is free again"  # type: ignore[index]


def test_who_aimed_at_what_was_there_is_asked_again(table: NewTable, home: House) -> None:
    """0.7 seconds after a request to take back has given way to a draw, a tap in its place ends nothing."""
    white, black = table(PHONE, address=home.address), table(DESK, address=home.address)
    page = white.page
    url = home.seat(white, black)
    for player in (white, black):
        sit(player, url)
    play((white, black), 7, 5)
    let, yes = (page.get_by_role("button", name=name) for name in ("Let them take back", "Accept the draw"))
    black.page.get_by_role("button", name="Ask to take back").click()
    expect(let).to_be_visible()
    place = middle(let)
    page.locator("#decline-takeback").tap()
    expect(let).to_be_hidden()
    black.page.get_by_role("button", name="Offer a draw").click()
    expect(yes).to_be_visible()
    page.wait_for_timeout(700)
    page.touchscreen.tap(*place)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The buttons have just moved, and this one ends the game. Do you mean it?")
    assert white.state()["outcome"] is None
    dialog.get_by_role("button", name="Play on").tap()
    expect(dialog).to_be_hidden()
    assert white.state()["outcome"] is None
    settled(yes).tap()  # by now who presses there means it
    expect(page.locator("#outcome")).to_contain_text("Draw")


def test_who_means_it_says_so(table: NewTable, home: House) -> None:
    """On a laptop an offer moves the buttons down, and comes where another one was."""
    white, black = table(DESK, address=home.address), table(DESK, address=home.address)
    page = white.page
    url = home.seat(white, black)
    for player in (white, black):
        sit(player, url)
    play((white, black), 7, 5)
    black.page.get_by_role("button", name="Offer a draw").click()
    yes = page.get_by_role("button", name="Accept the draw")
    yes.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Accept the draw").click()
    expect(page.locator("#outcome")).to_contain_text("Draw")


PLACES = """() => [...document.querySelectorAll("#actions .button, .steps .button, .hole-button")]
  .filter((button) => button.checkVisibility()).map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    const what = button.id || button.getAttribute("data-hole");
    return { what, x, y, width, height, met: !hit || button.contains(hit) || Boolean(hit.closest(".row")) };
  })"""


@pytest.mark.parametrize("size", [PHONE, {"viewport": {"width": 844, "height": 390}}, DESK])
def test_a_notice_moves_nothing_and_is_in_nobodys_way(table: NewTable, home: House, size: dict[str, Any]) -> None:
    """Whoever presses a button when a line comes hits that button, and sees the holes."""
    white, black = table(size, address=home.address), table(DESK, address=home.address)
    way, page = SlowWay(white), white.page
    url = home.seat(white, black, clock="5+3")
    for player in (white, black):
        sit(player, url)
    play((white, black), 7, 5)
    draw = page.get_by_role("button", name="Offer a draw")
    draw.scroll_into_view_if_needed()
    before = page.evaluate(PLACES)
    assert len(before) >= 18 + 5 + 3
    assert all(button["met"] for button in before)
    draw.click()
    expect(page.locator("#offered")).to_be_visible()
    assert page.evaluate(PLACES) == before
    way.cut()
    line = page.locator("#connection")
    expect(line).to_have_text("The connection is lost. Trying again…")
    expect(line).to_be_in_viewport(ratio=1)
    assert page.evaluate(PLACES) == before
    page.evaluate("scrollTo(0, 0)")
    box = line.bounding_box()
    assert box is not None
    beside = [
        box["y"] + box["height"] <= place["y"] or place["x"] + place["width"] <= box["x"]
        for place in page.evaluate(PLACES)
        if place["what"].isdigit()
    ]
    assert all(beside), "it covers no hole"
    page.keyboard.press("Tab")
    page.locator(".top :is(a, summary):visible").first.focus()
    expect(page.locator(".top :is(a, summary):visible").first).to_be_focused()
    assert page.evaluate("document.activeElement.matches(':focus-visible')")
    box, bar = line.bounding_box(), page.locator(".top").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] >= bar["y"] + bar["height"], "where the focus is can be seen"


def test_a_lost_connection_is_told_as_long_as_it_lasts(table: NewTable, home: House) -> None:
    """A notice that comes meanwhile is shown in its place, for its time, however often it is tried again."""
    page = table(PHONE, address=home.address).page
    page.clock.install()
    page.goto(home.address)
    page.evaluate(
        """async () => {
          const { StatusBar } = await import("/static/js/play/status_bar.js");
          const line = document.body.appendChild(document.createElement("p"));
          line.id = "line";
          window.messages = new StatusBar(line, () => {});
          window.messages.connection(false);
        }"""
    )
    line = page.locator("#line")
    page.clock.run_for(1500)
    expect(line).to_have_text("The connection is lost. Trying again…")
    page.evaluate("messages.notice('News'); messages.connection(false)")
    page.clock.run_for(1500)
    expect(line).to_have_text("News")
    page.clock.run_for(7000)
    expect(line).to_have_text("The connection is lost. Trying again…")
    expect(line).to_be_visible()
    page.evaluate("messages.connection(true)")
    expect(line).to_be_hidden()

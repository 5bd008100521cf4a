"""The whole console by keyboard: every control is come to in order and can be seen, and everything is done by keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.event_state import EventState
from korgool.competition.log.replay import replay
from korgool.competition.model import Settings, System
from korgool.competition.roles import DeskRole, Officer
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.desk import competitions_of, event_of, sign_up
from tests.page.keyboard import back, backwards, missed, to, walk
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_event_axe import paths, played

if TYPE_CHECKING:
    from playwright.sync_api import Page

ORGANISER = Officer("o" * 22, "Olga", DeskRole.ORGANISER)
"""Somebody else at the desk."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("keys")) as made:
        yield made


def wrong_here(page: Page) -> list[str]:
    """What hands on a keyboard miss on a page that was just opened, or meet in another order than readers."""
    stops = walk(page)
    wrong = [f"not come to: {one}" for one in missed(page)]
    wrong += [f"no outline: {one.name}" for one in stops if not one.marked]
    wrong += [f"covered: {one.name}" for one in stops if not one.clear]
    pairs = pairwise(stops)
    wrong += [f"{two.name} after {one.name}" for one, two in pairs if not one.roams and backwards(one, two)]
    lost = {one.at for one in stops if not (one.group or one.roams)} - back(page)
    return wrong + [f"not on the way back: {stops[at].name}" for at in sorted(lost)]


SWISS = Settings(name="Cup of Osh", rounds=5, team_best=2)
TEAMS = Settings(name="Teams of Osh", rounds=3, system=System.TEAM_SWISS, boards=2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "settings"), [(DESK, SWISS), (PHONE, SWISS), (DESK, TEAMS)], ids=["desk", "phone", "teams"]
)
def test_every_control_of_every_screen(
    home: House, table: NewTable, size: dict[str, object], settings: Settings
) -> None:
    page = (ann := table(size, address=home.address, expected="status of 404")).page
    account = sign_up(home, ann, f"Ann{len(size)}{settings.boards}")
    event = played(home, account, settings)
    wrong = []
    for path in paths(home, event):
        if "/desk" in path or path == "/events/new":
            page.goto(home.address + path)
            wrong += [f"{path}: {one}" for one in wrong_here(page)]
    assert not wrong, "\n".join(wrong)


def test_the_list_of_screens_on_a_phone(home: House, table: NewTable) -> None:
    """It opens and closes by keys, and gives the focus back."""
    page = (ann := table(PHONE, address=home.address)).page
    event = event_of(home, "Aida", sign_up(home, ann, "Aida"), 6)
    desk = f"{home.address}/events/{event.id}/desk"
    page.goto(f"{desk}/check-in")
    summary, first = page.locator(".screens summary"), page.locator(".screens details a").first
    for opens, closes in (("Enter", "Enter"), ("Space", "Space"), ("Enter", "Escape")):
        if opens == "Enter" == closes:
            to(page, ".screens summary")
        expect(summary).to_be_focused()
        page.keyboard.press(opens)
        expect(first).to_be_visible()
        page.keyboard.press("Tab")
        expect(first).to_be_focused()
        if closes != "Escape":
            page.keyboard.press("Shift+Tab")
        page.keyboard.press(closes)
        expect(first).to_be_hidden()
        expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    to(page, ".screens details a[href$='/players']")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url == f"{desk}/players"
    to(page, ".languages summary")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(page.locator(".languages button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".languages summary")).to_be_focused()


def test_players_are_checked_in_by_keys(home: House, table: NewTable) -> None:
    """The skip link leads to the work; a name and two keys note a player, again and again, also while others do."""
    page = (ann := table(address=home.address)).page
    event = event_of(home, "Asel", sign_up(home, ann, "Asel"), 6)
    page.goto(f"{home.address}/events/{event.id}/desk/check-in")
    expect(page.locator("#console")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#work') !== null")
    to(page, "#q")
    for at in (3, 1):
        page.keyboard.type(f"Player{at:03}")
        expect(page.locator("#people > li:visible")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator("#q")).to_be_focused()
        expect(page.locator("#q")).to_have_value("")
    expect(page.locator("#people > .there")).to_have_count(2)
    assert here(home, event) == {"Player001", "Player003"}
    to(page, "#people .missing [form=come]")
    held = "document.activeElement.getAttribute('aria-label')"
    name = page.evaluate(held)
    home.run(event.act(ORGANISER, event.seq, [{"do": "present", "round": 1, "players": [6]}]))
    expect(page.locator("#people > .there")).to_have_count(3)  # without a reload, and the focus stays
    assert page.evaluate(held) == name
    page.keyboard.press("Enter")
    expect(page.locator("#people > .there")).to_have_count(4)


def here(home: House, event: LiveEvent) -> set[str]:
    """Who is noted for the first round, by family name."""
    state = home.run(event.fresh())
    return {state.players[id_].entry.family for id_ in state.present.get(1, ())}


class Hands:
    """Somebody at the desk who has a keyboard only."""

    def __init__(self, home: House, page: Page, event: LiveEvent) -> None:
        self.home, self.page, self.event = home, page, event

    def open(self, path: str) -> None:
        self.page.goto(f"{self.home.address}/events/{self.event.id}/desk{path}")

    @property
    def state(self) -> EventState:
        return self.home.run(self.event.fresh())

    def press(self, selector: str, *, key: str = "Enter") -> None:
        """Go to a button or a link and press it; another page comes."""
        to(self.page, selector)
        with self.page.expect_navigation():
            self.page.keyboard.press(key)

    def unfold(self, text: str) -> None:
        """Open a part that is closed."""
        to(self.page, "main summary")
        while text not in self.page.evaluate("document.activeElement.textContent"):
            to(self.page, "main summary")
        self.page.keyboard.press("Space")

    def type(self, selector: str, text: str) -> None:
        """Go to a field, or a list, and type."""
        to(self.page, selector)
        self.page.keyboard.type(text)

    def results(self, number: int, *texts: str) -> None:
        """Board after board, without another key between them."""
        self.open(f"/round/{number}")
        self.page.locator("#grid[data-ready]").wait_for(state="attached")
        to(self.page, "#r1")
        for text in texts:
            self.page.keyboard.type(text)
            self.page.keyboard.press("Enter")
        expect(self.page.locator(".board.ended")).to_have_count(len(texts))
        expect(self.page.locator("[data-unsent]")).to_have_count(0)


def enter_and_check_in(hands: Hands) -> None:
    """Players are entered and noted, and one leaves."""
    page = hands.page
    for at in range(7):
        hands.open("/players")
        if at > 1:
            hands.unfold("Enter a player")
        hands.type("[id='entry.family']", f"Player{at}")
        hands.type("[id='entry.rating']", str(2000 - at))
        hands.press("form.form button.primary")
    assert [one.name for one in hands.state.players.values()] == [f"Player{at}" for at in range(7)]

    hands.open("/players")
    hands.unfold("Enter a player")
    hands.type("[id='entry.family']", "Player0")
    hands.press("form.form button.primary")
    expect(page.locator("h1")).to_have_text("This was not done")  # a namesake
    assert wrong_here(page) == []
    hands.press("#work a.button")
    hands.open("/players/list")
    hands.type("textarea", "Player8\tm\nPlayer?\tm\n")
    hands.press("#work form button.primary")
    assert wrong_here(page) == []

    hands.open("/check-in")
    to(page, "#people .missing [form=come]")
    page.keyboard.press("Space")
    expect(page.locator("#people > .there")).to_have_count(1)
    hands.unfold("More")
    hands.press("details.more button")
    assert len(hands.state.present[1]) == 7

    hands.open("/players/7")
    hands.unfold("Leaves the event")
    hands.type("#why-withdraw", "ill")
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert hands.state.players[7].until == 0


def pair_and_change(hands: Hands) -> None:
    """The pairing is looked at with its reasons, published, and changed by hand."""
    page = hands.page
    hands.open("/pairing")
    hands.press("main form button")
    assert wrong_here(page) == []
    expect(page.locator(".because[open]")).to_have_count(3)  # every reason has been opened
    hands.press("form.save button")
    assert len(hands.state.rounds[0].games) == 3

    before = hands.state.rounds[0].games
    hands.open("/round/1/hands")
    hands.type("#pair-of", "1")
    page.keyboard.press("Tab")
    page.keyboard.type("seated the wrong way")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    now = hands.state.rounds[0].games
    assert (now[0].white, now[0].black, now[1:]) == (before[0].black, before[0].white, before[1:])
    hands.open("/round/1/hands")
    for field, player in (("[id='players.0-swap']", now[0].white), ("[id='players.1-swap']", now[1].white)):
        hands.type(field, str(player))
    page.keyboard.press("Tab")
    page.keyboard.type("by the lot")
    hands.press("section[aria-labelledby=swap] button")
    assert [one.white for one in hands.state.rounds[0].games[:2]] == [now[1].white, now[0].white]


def play(hands: Hands) -> None:
    """Results, a correction with its reason, a warning, and an undo."""
    page = hands.page
    hands.results(1, "82-60", "81-81", "60-100")
    assert [one.result and one.result.stores for one in hands.state.rounds[0].games] == [(82, 60), (81, 81), (60, 100)]
    to(page, "#r2")
    page.keyboard.type("90-70")
    page.keyboard.press("Enter")
    expect(page.locator("#y2")).to_be_focused()  # why another result stands there
    page.keyboard.type("misread")
    page.keyboard.press("Enter")
    expect(page.locator("#s2")).to_have_text("1 (90) - 0 (70)")

    hands.open("/warnings")
    hands.type("select[name=player]", "2")
    hands.press("form.asking button")
    hands.type("#warn-reason", "talked")
    hands.press("section[aria-labelledby=warn] button")
    assert [len(one.warnings) for one in hands.state.players.values()] == [0, 1, 0, 0, 0, 0, 0]

    hands.open("/log")
    hands.press("ol.log a")
    hands.type("#reason", "the wrong player")
    hands.press("section[aria-labelledby=undo] button")
    assert not any(one.warnings for one in hands.state.players.values())

    hands.open("/standings")
    hands.press("section[aria-labelledby=publish] button")
    assert list(hands.state.published) == [1]


def settle(hands: Hands) -> None:
    """A role, an official, a paper, the regulations."""
    page = hands.page
    hands.open("/helpers")
    to(page, "input[name=role]")
    while page.evaluate("document.activeElement.value") != "results":
        page.keyboard.press("ArrowDown")
    hands.type("#name", "Cholpon")
    hands.press("section[aria-labelledby=give] button")
    assert wrong_here(page) == []
    to(page, "section.given a.link")
    assert "/join/" in page.evaluate("document.activeElement.href")

    hands.open("/officials")
    hands.type("#name", "Bakyt")
    hands.press("section[aria-labelledby=appoint] button")
    assert [one.name for one in hands.state.officials.values()] == ["Bakyt"]

    hands.open("/papers")
    to(page, "button[name=what][value=standings]")
    with page.expect_download() as paper:
        page.keyboard.press("Enter")
    assert paper.value.path().read_bytes().startswith(b"%PDF-")

    hands.open("/settings")
    hands.unfold("Change the regulations")
    hands.type("[id='settings.name']", "Cup of Talas")
    hands.type("[id='prizes']", "1=5000 KGS")
    hands.press("form[action$='/settings'] button.primary")
    assert (hands.state.event.name, len(hands.state.event.fund.prizes)) == ("Cup of Talas", 1)
    hands.press("button[name=public]")
    assert hands.home.run(hands.event.with_book(lambda book: book.is_public()))


@pytest.mark.long
def test_everything_is_done_by_keys(home: House, table: NewTable) -> None:
    """The main action of each screen; after each the event has what was meant."""
    page = (ann := table(address=home.address, expected="status of 422")).page
    sign_up(home, ann, "Ainura")
    page.goto(f"{home.address}/events/new")
    for field, text in (("input[name=name]", "Cup of Osh"), ("input[name=rounds]", "5")):
        to(page, field)
        page.keyboard.type(text)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    made = re.search(r"/events/(\w+)", page.url)
    assert made is not None
    hands = Hands(home, page, home.run(competitions_of(home).find(made[1])))
    enter_and_check_in(hands)
    pair_and_change(hands)
    play(hands)
    settle(hands)
    assert replay(hands.state.done) == hands.state

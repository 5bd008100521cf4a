"""The check-in in a browser: a name and Enter note a player, and no line moves or changes under a finger."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.roles import DeskRole, Officer
from korgool.languages import LANGUAGES
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import event_of, sign_up
from tests.page.people import House, house
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

OTHER = Officer("another", "Ben", DeskRole.ORGANISER)
LONG = "Дүйшөнбекова-Кыдыралиева"
BOXES = (
    "() => Object.fromEntries([...document.querySelectorAll('#people > li:not([hidden])')].map("
    "(one) => { const { top, height } = one.getBoundingClientRect(); return [one.id, [top, height]]; }))"
)
ENTERED = ("Өмүрбеков, Бакыт", "Омурбекова, Асел", "İlker, Deniz", f"{LONG}, Бактыгүл", "Ли, Ян", "Семёнов, Пётр")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("desk")) as made:
        yield made


class CheckIn:
    """The check-in for the second round of an event, on a phone; players have the ids from 9 on."""

    def __init__(self, home: House, table: NewTable, name: str, locale: str = "en", expected: str = "$^") -> None:
        ann = table(PHONE, address=home.address, locale=locale, expected=expected)
        self.home, self.page = home, ann.page
        self.event: LiveEvent = event_of(home, name, sign_up(home, ann, name), 8)
        self.others(*(
            {"do": "enter", "entry": dict(zip(("family", "given"), one.split(", "), strict=True))} for one in ENTERED
        ))  # fmt: skip
        self.page.goto(f"{home.address}/events/{self.event.id}/desk/check-in?round=2")
        self.page.evaluate("window.same = true")

    def others(self, *actions: dict[str, Any]) -> None:
        """Somebody else does something."""
        self.home.run(self.event.act(OTHER, self.home.run(self.event.fresh()).actions, list(actions)))

    @property
    def here(self) -> set[str]:
        """Who is noted, by family name."""
        state = self.home.run(self.event.fresh())
        return {state.players[id_].entry.family for id_ in state.present.get(2, ())}

    def boxes(self) -> dict[str, list[float]]:
        found: dict[str, list[float]] = self.page.evaluate(BOXES)
        return found


def finished(page: Page) -> None:
    """Everything that was noted has been answered."""
    expect(page.locator("#people [data-unsent], #people[data-unsent]")).to_have_count(0)


def test_one_hit_and_enter_note_that_player(home: House, table: NewTable) -> None:
    desk = CheckIn(home, table, "Anna")
    page, keys = desk.page, desk.page.keyboard
    page.locator("#q").focus()
    for typed in ("ilker", "семенов", "13", "kydyralieva"):  # one after the other, without waiting for an answer
        keys.type(typed)
        keys.press("Enter")
        expect(page.locator("#q")).to_have_value("")
        expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#people > .there")).to_have_count(4)
    assert desk.here == {"İlker", "Семёнов", "Ли", LONG}

    keys.type("омурбек")  # two of them
    keys.press("Enter")
    expect(page.locator("#noted")).to_contain_text("Several players")
    expect(page.locator("#people > li:visible")).to_have_count(2)
    keys.type("xyz")  # what was typed is selected, and replaced
    keys.press("Enter")
    expect(page.locator("#noted")).to_have_text("Nobody was found.")
    keys.type("ilker")
    keys.press("Enter")  # already there: nothing changes
    expect(page.locator("#noted")).to_have_text("İlker, Deniz: ✓ Is there")
    expect(page.locator("#q")).to_have_value("")
    keys.press("Enter")
    finished(page)
    assert desk.here == {"İlker", "Семёнов", "Ли", LONG}
    assert page.evaluate("window.same"), "the page was never loaded again"


def test_no_line_moves_under_a_finger(home: House, table: NewTable) -> None:
    """Whatever is noted, by oneself and by others: the next tap at a place is for who stands there."""
    desk = CheckIn(home, table, "Annb")
    page = desk.page
    line = page.locator("#p9")
    line.scroll_into_view_if_needed()
    before = desk.boxes()
    button = line.locator("[form=come]").bounding_box()
    assert button is not None
    x, y = button["x"] + button["width"] / 2, button["y"] + button["height"] / 2
    page.touchscreen.tap(x, y)
    expect(line).to_have_class("there")
    page.touchscreen.tap(x, y)  # once more, too soon to be meant for anything else
    desk.others(
        {"do": "present", "round": 2, "players": [1, 2, 12]},
        {"do": "miss", "player": 11, "absence": {"round": 2, "kind": "Z"}},
        {"do": "enter", "entry": {"family": "Late"}},
    )
    expect(page.locator("#p15")).to_be_visible()
    expect(page.locator("#p11")).to_have_class("away")
    now = desk.boxes()
    assert {id_: now[id_] for id_ in before} == before
    page.touchscreen.tap(x, y)  # where the button was, stands nothing to press
    page.locator("#p10 [form=come]").tap()
    expect(page.locator("#p10")).to_have_class("there")
    finished(page)
    assert desk.here == {"Өмүрбеков", "Омурбекова", "Player000", "Player001", LONG}

    with page.expect_navigation():
        page.locator(".views a", has_text="Missing").click()
    before = desk.boxes()
    assert "p9" not in before
    desk.others({"do": "present", "round": 2, "players": [3, 4, 13]})
    expect(page.locator("#p13")).to_have_class("there")
    assert desk.boxes() == before, "they stay until one searches, or chooses anew"
    page.locator("#q").press_sequentially("ли ян")
    expect(page.locator("#people > li:visible")).to_have_count(1)
    page.locator("#q").fill("")
    expect(page.locator("#p13")).to_be_hidden()


def test_a_line_does_not_change_while_a_finger_lies_on_it(home: House, table: NewTable) -> None:
    desk = CheckIn(home, table, "Annc", expected="422")  # it is noted already
    page = desk.page
    page.locator("#p9 [form=come]").hover()
    page.mouse.down()
    desk.others({"do": "present", "round": 2, "players": [9, 10]})
    expect(page.locator("#p10")).to_have_class("there")
    expect(page.locator("#p9")).to_have_class("missing behind")
    page.mouse.up()
    expect(page.locator("#p9")).to_have_class("there")
    finished(page)
    assert desk.here == {"Өмүрбеков", "Омурбекова"}


def test_what_is_noted_without_a_network_is_sent_later(home: House, table: NewTable) -> None:
    """Also by the next page, and where the network is silent: nothing fails, and no answer comes."""
    desk = CheckIn(home, table, "Annd", expected="ERR_FAILED|ERR_INTERNET|ERR_ABORTED|TypeError|AbortError")
    page = desk.page
    silent: list[Route] = []
    page.route("**/desk/act", lambda route: route.fallback() if silent else silent.append(route))
    page.locator("#p9 [form=come]").tap()
    expect(page.locator("#noted")).to_have_text("Өмүрбеков, Бакыт: not sent yet")
    assert len(silent) == 1
    page.reload()
    expect(page.locator("#p9")).to_have_class("there")
    page.context.set_offline(True)
    page.locator("#p10 [form=come]").tap()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#p10")).to_have_attribute("data-unsent", re.compile("sent|lost"))
    page.context.set_offline(False)
    expect(page.locator("#p10")).to_have_class("there")
    finished(page)
    assert desk.here == {"Өмүрбеков", "Омурбекова"}
    state = home.run(desk.event.fresh())
    assert sum(type(action).do == "present" for action, _ in state.done) == 2
    assert page.evaluate("Object.keys(localStorage).filter((one) => one.startsWith('korgool-check-in'))") == []


def test_lines_have_44_pixels(home: House, table: NewTable) -> None:
    desk = CheckIn(home, table, "Anne")
    page = desk.page
    desk.others({"do": "present", "round": 2, "players": [12]})
    for language in LANGUAGES:
        page.goto(f"{home.address}/events/{desk.event.id}/desk/check-in?round=2&language={language}")
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            heights = {height for _, height in desk.boxes().values()}
            assert all(44 <= height <= 46 for height in heights), (language, width, heights)
            targets = page.evaluate(
                "[...document.querySelectorAll('#people > li > button, #people summary')]"
                ".map((one) => Math.min(one.getBoundingClientRect().height, one.getBoundingClientRect().width))"
            )
            assert min(targets) >= 42, (language, width)


def test_the_players_of_all_groups_are_noted_on_one_page(home: House, table: NewTable) -> None:
    desk = CheckIn(home, table, "Nora")
    desk.others({"do": "group", "name": "Girls", "settings": {"name": "Girls", "rounds": 3}})
    registry = home.app.state.event_registry
    girls: LiveEvent = home.run(registry.group(desk.event, "girls"))
    for family in ("Ай", "Бермет"):
        seq = home.run(girls.fresh()).actions
        home.run(girls.act(OTHER, seq, [{"do": "enter", "entry": {"family": family}}]))
    page, keys = desk.page, desk.page.keyboard
    page.goto(f"{home.address}/events/{desk.event.id}/desk/check-in")
    page.get_by_role("link", name="All groups at once").click()
    page.locator("#q").focus()
    keys.type("берм")
    keys.press("Enter")
    expect(page.locator("#people > .there")).to_have_count(1)
    finished(page)
    state = home.run(girls.fresh())
    assert {state.players[id_].entry.family for id_ in state.present[1]} == {"Бермет"}
    ai = next(one for one in state.players.values() if one.entry.family == "Ай")
    home.run(girls.act(OTHER, state.actions, [{"do": "present", "round": 1, "players": [ai.id], "here": True}]))
    expect(page.locator("#people > .there")).to_have_count(2)  # of another group than the one that is open


def test_somebody_in_two_groups_is_entered_once_and_noted_with_one_tap(home: House, table: NewTable) -> None:
    desk = CheckIn(home, table, "Olga")
    desk.others({"do": "group", "name": "Girls", "first": "Open", "settings": {"name": "Girls", "rounds": 3}})
    desk.others({"do": "group", "name": "Blitz", "settings": {"name": "Blitz", "rounds": 3}})
    registry = home.app.state.event_registry
    page = desk.page
    page.goto(f"{home.address}/events/{desk.event.id}/desk/players")
    page.get_by_role("link", name="Players of all groups").click()
    page.get_by_text("Enter a player", exact=True).click()
    page.get_by_label("Family name").fill(LONG)
    page.get_by_label("Given name").first.fill("Айгүл")
    page.get_by_label("Open", exact=True).uncheck()
    page.get_by_label("Girls", exact=True).check()
    page.get_by_label("Blitz", exact=True).check()
    page.get_by_role("button", name="Enter the player").click()
    line = page.locator("#entries > li", has_text="Айгүл")
    expect(line.locator(".badge")).to_have_count(2)
    page.locator("#q").fill("айгүл")
    expect(page.locator("#entries > li:visible")).to_have_count(1)
    page.locator("#q").fill("омурбекова")
    page.get_by_label("Takes part in another group too: Омурбекова").click()
    page.get_by_role("button", name="Омурбекова, Асел: Girls").click()
    expect(page.locator("#entries > li", has_text="Омурбекова").locator(".badge")).to_have_count(2)
    finished(page)
    page.goto(f"{home.address}/events/{desk.event.id}/desk/check-in/groups")
    both = page.locator("#people > li", has_text="Айгүл")
    expect(both).to_have_count(1)
    both.get_by_role("button", name="Is there").click()
    expect(both.locator(".state")).to_have_text("✓ Is there")
    finished(page)
    for name in ("Girls", "Blitz"):
        state = home.run(home.run(registry.group(desk.event, name)).fresh())
        assert {state.players[id_].entry.given for id_ in state.present[1]} == {"Айгүл"}

"""Two officials who type different results for a board: every desk shows both, until that is settled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korgool.app.server.events.helpers.service import NewHelper
from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.result import read_result
from korgool.competition.roles import DeskRole
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import event_of, invite, round_page, sign_up
from tests.page.people import House, house
from tests.page.table import Table, expect
from tests.page.test_axe import violations
from tests.page.test_reflow import SIDEWAYS

_EXPECTED = "409|422|ERR_INTERNET_DISCONNECTED"
SAID = ["1 (82) - 0 (60) Ann", "0 (60) - 1 (82) Ben"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("disputes")) as made:
        yield made


def helper(table: NewTable, home: House, event: LiveEvent, name: str, **size: object) -> Table:
    """Somebody who types results, come by a link."""
    made = invite(home, event, NewHelper(DeskRole.RESULTS))
    come = table(size or PHONE, address=home.address, expected=_EXPECTED)
    come.page.goto(f"{home.address}/events/{event.id}/join/{made.token}")
    come.page.get_by_label("Your name").fill(name)
    come.page.keyboard.press("Enter")
    come.page.wait_for_url(f"**/events/{event.id}/desk")
    return come


def said(home: House, event: LiveEvent) -> list[str]:
    """The log's lines about the first round's boards: the official and what they did."""
    found = home.run(event.log())
    return [f"{one.by}: {one.text.removeprefix('round 1, board ')}" for one in found if "board 1" in one.text]


def test_both_see_what_the_other_has_typed_without_a_network_until_it_is_settled(table: NewTable, home: House) -> None:
    ann = table(address=home.address, expected=_EXPECTED)
    event = event_of(home, "Ann", sign_up(home, ann, "Ann"), 8)
    ben, chief = helper(table, home, event, "Ben"), ann.page.context.new_page()
    for page in (ann.page, ben.page):
        round_page(home, page, event)
    chief.goto(f"{home.address}/events/{event.id}/desk")
    ben.page.context.set_offline(True)
    ben.page.locator("#r1").fill("60-82")
    ben.page.keyboard.press("Enter")
    expect(ben.page.locator("#s1")).to_contain_text("not sent yet")
    ann.page.locator("#r1").fill("82-60")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#board-1.ended")).to_be_visible()
    expect(ann.page.locator("#board-1.disputed")).to_have_count(0)
    ben.page.context.set_offline(False)
    for page in (ann.page, ben.page):
        expect(page.locator("#board-1 .dispute li")).to_have_text(SAID)  # without a reload
        expect(page.locator("#r1")).to_have_value("82-60")
    expect(chief.locator(".disputes a")).to_have_text("Round 1, board 1")
    assert ben.page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('korgool-outbox'))") == []
    for page in (ann.page, ben.page):
        assert violations(page) == []
        size = page.viewport_size
        assert size is not None
        for width in (size["width"], 180):  # the second one is what 200 % leaves of a phone
            page.set_viewport_size({**size, "width": width})
            assert page.evaluate(SIDEWAYS) <= 0, width
        page.set_viewport_size(size)
        page.reload()
        expect(page.locator("#board-1 .dispute li")).to_have_text(SAID)
    assert said(home, event) == ["Ann: 1: 1 (82) - 0 (60)", "Ben: 1 disputed: 0 (60) - 1 (82)"]

    ann.page.locator("#board-1 [name=stays]").click()
    for page in (ann.page, ben.page):
        expect(page.locator("#board-1.disputed")).to_have_count(0)
        expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    expect(chief.locator(".disputes")).to_have_count(0)
    assert said(home, event)[2:] == ["Ann: 1: the result stays"]


def test_another_result_is_seen_before_its_reason_and_corrects_with_it(table: NewTable, home: House) -> None:
    """By keys alone, and nothing that is left is lost; one's own slip disputes nothing."""
    ann = table(address=home.address, expected=_EXPECTED)
    event = event_of(home, "Ann", sign_up(home, ann, "Anna"), 8)
    ben = helper(table, home, event, "Ben", viewport={"width": 1366, "height": 768})
    for page in (ann.page, ben.page):
        round_page(home, page, event)
    ann.page.locator("#r1").fill("81-81")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#board-1.ended")).to_be_visible()
    ann.page.locator("#r1").fill("82-60")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#y1")).to_be_focused()
    ann.page.keyboard.type("slip")
    assert event.state.disputes == {}
    ann.page.keyboard.press("Enter")
    expect(ben.page.locator("#r1")).to_have_value("82-60")

    ben.page.locator("#r1").fill("60-82")
    ben.page.keyboard.press("Enter")
    expect(ben.page.locator("#y1")).to_be_focused()
    for page in (ann.page, ben.page):
        expect(page.locator("#board-1 .dispute li")).to_have_text(SAID)
    ben.page.keyboard.press("Enter")  # without a reason it goes on being disputed
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator("#r1")).to_be_focused()
    expect(ben.page.locator("#board-1 .dispute li")).to_have_text(SAID)
    assert home.run(event.fresh()).disputes == {(1, 1): (read_result("0 (60) - 1 (82)"),)}
    ann.page.locator("#y1").fill("Ben has the slip")
    ann.page.keyboard.press("Enter")
    for page in (ann.page, ben.page):
        expect(page.locator("#s1")).to_have_text("0 (60) - 1 (82)")
        expect(page.locator("#board-1.disputed")).to_have_count(0)
    assert said(home, event)[-2:] == ["Ben: 1 disputed: 0 (60) - 1 (82)", "Ann: 1 corrected: 0 (60) - 1 (82)"]

"""A long grid of results: twenty low rows on a laptop, open boards only, and a board by its number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korgool.competition.roles import DeskRole, Officer
from tests.page.conftest import NewTable
from tests.page.desk import event_of, round_page, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("view")) as made:
        yield made


_IN_VIEW = """() => [...document.querySelectorAll(".board")].filter((row) => {
  const {top, bottom} = row.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}).length"""


def test_a_long_grid(table: NewTable, home: House) -> None:
    page = (desk := table(address=home.address)).page
    account = sign_up(home, desk, "Long")
    event = event_of(home, "Long", account, 80)
    results = [{"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (2, 3, 30)]
    officer = Officer(account, "Long", DeskRole.ORGANISER)
    home.run(event.act(officer, event.seq, results))
    round_page(home, page, event)
    assert page.evaluate(_IN_VIEW) < 10
    page.get_by_label("Low rows").check()
    assert page.evaluate(_IN_VIEW) >= 20
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    page.locator("#grid.dense").wait_for(state="attached")
    page.wait_for_function(f"() => ({_IN_VIEW})() >= 20")

    page.get_by_label("Open boards only").check()
    expect(page.locator("#board-2")).to_be_hidden()
    page.locator("#r1").fill("82-60")
    page.keyboard.press("Enter")
    expect(page.locator("#r4")).to_be_focused()
    expect(page.locator("#board-1.ended")).to_be_visible()  # nothing moves under the hands
    home.run(event.act(officer, event.seq, [
        {"do": "correct", "round": 1, "board": 2, "result": "60-82", "reason": "slip"},
        {"do": "correct", "round": 1, "board": 3, "result": None, "reason": "slip"},
    ]))  # fmt: skip
    expect(page.locator("#board-3")).to_be_visible()
    expect(page.locator("#board-2")).to_be_hidden()

    page.keyboard.press("/")
    expect(page.locator("#jump")).to_be_focused()
    page.keyboard.type("37")
    page.keyboard.press("Enter")
    expect(page.locator("#r37")).to_be_focused()
    expect(page.locator("#r37")).to_be_in_viewport()
    page.evaluate("document.activeElement.blur()")
    for key in ("3", "0", "Enter"):  # a number without a field, and a board that is not shown
        page.keyboard.press(key)
    expect(page.locator("#r30")).to_be_focused()
    page.locator("#r5").focus()
    for key in "1/2":
        page.keyboard.press(key)
    expect(page.locator("#r5")).to_have_value("1/2")
    page.locator("#r6").focus()
    page.evaluate(  # the key of the slash on a Russian keyboard
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {code: 'Slash', key: '.', bubbles: true}))"
    )
    expect(page.locator("#jump")).to_be_focused()
    page.get_by_label("Letters and digits are commands").uncheck()
    page.evaluate("document.activeElement.blur()")
    for key in ("/", "3"):
        page.keyboard.press(key)
    expect(page.locator("#jump")).not_to_be_focused()


def test_a_result_asks_for_no_page(table: NewTable, home: House) -> None:
    """Neither one's own nor that of others: the answer has what has changed, and others ask for its row."""
    page = (desk := table(address=home.address)).page
    account = sign_up(home, desk, "Cheap")
    event = event_of(home, "Cheap", account, 20)
    round_page(home, page, event)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(f"{one.method} {one.url.partition('/desk/round/1')[2]}")
            if "/desk/round/1" in one.url else None)  # fmt: skip
    with page.expect_response(lambda one: "/log?after=" in one.url and one.json()["lines"]):
        page.locator("#r1").fill("82-60")
        page.keyboard.press("Enter")
    expect(page.locator("[data-live=count] strong")).to_have_text("1 / 10")
    expect(page.locator("[data-live=where] .next")).to_contain_text("9")
    officer = Officer(account, "Somebody", DeskRole.ORGANISER)
    home.run(event.act(officer, event.seq, [{"do": "result", "round": 1, "board": 7, "result": "60-82"}]))
    expect(page.locator("#s7")).to_have_text("0 (60) - 1 (82)")
    expect(page.locator("[data-live=count] strong")).to_have_text("2 / 10")
    assert [one for one in asked if "boards=1&" not in one] == ["POST /results", "GET /rows?boards=7"]

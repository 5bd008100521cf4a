"""Games that ended otherwise: two keys behind the stones on any keyboard, or a button that says who has lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from korgool.competition.result_words import LETTERS
from korgool.languages import LANGUAGES
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.desk import event_of, round_page, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("endings")) as made:
        yield made


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return {}


def grid(table: NewTable, home: House, kept: dict[str, Any], size: dict[str, Any] = DESK, **options: Any) -> Page:
    """The grid of a new event, with one account for all tests."""
    desk = table(size, address=home.address, expected="422", **options)
    if not kept:
        kept["account"] = sign_up(home, desk, "Olga")
        kept["cookies"] = desk.page.context.cookies()
    desk.page.context.add_cookies(kept["cookies"])
    round_page(home, desk.page, event_of(home, "Olga", kept["account"], 12))
    return desk.page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        if len(key) == 1 and not key.isascii():
            page.keyboard.insert_text(key)
        else:
            page.keyboard.press(key)


@pytest.mark.parametrize(
    ("language", "letters"),
    [("en", "rta"), ("ru", "свн"), ("ky", "бум"), ("kk", "бук"), ("tr", "tsa")],
)
def test_two_keys_behind_the_stones(
    table: NewTable, home: House, kept: dict[str, Any], language: str, letters: str
) -> None:
    page = grid(table, home, kept, locale=language)
    resigned, time, agreed = list(letters)
    page.locator("#r1").focus()
    press(page, *"70-60", resigned, "Enter")
    expect(page.locator("#r2")).to_be_focused()
    press(page, *"70-60", "ArrowRight", "Enter")
    press(page, *"70-60", "ArrowRight", time, "Enter")
    press(page, *"70-60", "ArrowRight", "ArrowLeft", "Enter")
    press(page, *"70-60", agreed, "Enter")
    for board, (result, typed) in enumerate(
        [
            ("1 (70) - 0 (60)", f"1-0 70-60 {resigned}"),
            ("0 (70) - 1 (60)", f"0-1 70-60 {resigned}"),
            ("0 (70) - 1 (60)", f"0-1 70-60 {time}"),
            ("1 (70) - 0 (60)", f"1-0 70-60 {resigned}"),
            ("½ (70) - ½ (60)", f"70-60 {agreed}"),
        ],
        1,
    ):
        expect(page.locator(f"#s{board}")).to_contain_text(result)
        expect(page.locator(f"#r{board}")).to_have_value(typed)
    assert page.evaluate(CLIPPED) == []
    if language == "ru":
        expect(page.locator("#s2")).to_contain_text("белые сдались")
        expect(page.locator("#s3")).to_contain_text("у белых вышло время")


CLIPPED = """() => [...document.querySelectorAll("input.result")]
  .filter(one => one.scrollWidth > one.clientWidth).map(one => one.value)"""
"""What stands in fields that are too narrow for it."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_shows_a_whole_result(table: NewTable, home: House, kept: dict[str, Any], language: str) -> None:
    page = grid(table, home, kept, PHONE, locale=language)
    for board, typed in enumerate((f"0-1 100-60 {LETTERS[language]['resignation']}", "1-0 70-60 time", "81-81"), 1):
        page.locator(f"#r{board}").fill(typed)
        page.keyboard.press("Enter")
        expect(page.locator(f"#board-{board}.ended, #board-{board}.troubled")).to_be_visible()
    assert page.evaluate(CLIPPED) == []


def test_stones_without_a_winner_ask_who_has_lost(table: NewTable, home: House, kept: dict[str, Any]) -> None:
    page = grid(table, home, kept)
    page.locator("#r1").focus()
    press(page, *"70-60", "Enter")
    choices = page.locator("#board-1 .choices button")
    expect(choices).to_have_text(
        ["White resigned", "Black resigned", "White's time ran out", "Black's time ran out", "draw agreed"]
    )
    assert violations(page) == []
    choices.nth(0).click()
    expect(page.locator("#s1")).to_have_text("0 (70) - 1 (60) White resigned")
    page.locator("#r2").focus()
    press(page, *"70-60t", "Enter")
    expect(page.locator("#board-2 .choices button")).to_have_text(["White's time ran out", "Black's time ran out"])
    expect(page.locator("#board-2 .refused")).to_contain_text("Who has won?")
    expect(page.locator("#r2")).to_be_focused()
    press(page, "ArrowLeft", "Enter")  # it leads to the winner before the letter too
    expect(page.locator("#s2")).to_have_text("1 (70) - 0 (60) Black's time ran out")
    page.locator("#r3").focus()
    press(page, *"70-60", "Enter")
    expect(page.locator("#board-3 .choices")).to_be_visible()
    press(page, "r", "Enter")  # the keys go on where they were
    expect(page.locator("#s3")).to_have_text("1 (70) - 0 (60) Black resigned")
    page.locator("#r4").focus()
    press(page, *"70-60", "Enter")
    expect(page.locator("#board-4 .choices")).to_be_visible()
    press(page, "ArrowRight", "Enter")
    expect(page.locator("#s4")).to_have_text("0 (70) - 1 (60) White resigned")


def test_a_reason_is_asked_for_once_what_is_typed_can_be_read(
    table: NewTable, home: House, kept: dict[str, Any]
) -> None:
    page = grid(table, home, kept)
    page.locator("#r1").focus()
    press(page, *"82-60", "Enter")
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    for typed, told in (("82-6x", "is no result"), ("60-70", "Who has won?")):
        page.locator("#r1").fill(typed)
        press(page, "Enter")
        expect(page.locator("#board-1 .trouble")).to_contain_text(told)
        expect(page.locator("#r1")).to_be_focused()
        assert page.locator("#y1").count() == 0
    press(page, "r", "Enter")
    expect(page.locator("#y1")).to_be_focused()
    press(page, *"slips mixed up", "Enter")
    expect(page.locator("#s1")).to_have_text("0 (60) - 1 (70) White resigned")
    page.locator("#r1").fill("82-6x")
    press(page, "Enter")
    page.get_by_role("button", name="Leave it").click()
    expect(page.locator("#r1")).to_have_value("0-1 60-70 r")


def test_an_arrow_moves_the_cursor_where_the_stones_tell(table: NewTable, home: House, kept: dict[str, Any]) -> None:
    page = grid(table, home, kept)
    page.locator("#r1").focus()
    press(page, *"82-6", "ArrowLeft", "ArrowLeft", "ArrowRight")
    expect(page.locator("#r1")).to_have_value("82-6")
    press(page, "End", "0", "Enter")
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")


def test_buttons_on_a_phone_say_who_has_lost(table: NewTable, home: House, kept: dict[str, Any]) -> None:
    page = grid(table, home, kept, PHONE, locale="kk")
    expect(page.locator("#open-only")).to_be_visible()
    expect(page.locator("#dense")).to_be_hidden()
    page.locator("#r1").tap()
    page.keyboard.type("70-60")
    page.locator("#keypad").get_by_role("button", name="бастаушы берілді").tap()
    expect(page.locator("#s1")).to_contain_text("0 (70) - 1 (60)")
    expect(page.locator("#r2")).to_be_focused()
    page.locator("#keypad").get_by_role("button", name="қостаушының уақыты бітті").tap()  # the stones are not known
    expect(page.locator("#s2")).to_contain_text("1 - 0 қостаушының уақыты бітті")
    page.keyboard.type("70-60")
    page.locator("#keypad [data-enters]").tap()
    expect(page.locator("#board-3 .choices")).to_be_visible()
    expect(page.locator("#r3")).to_be_focused()
    expect(page.locator("#board-3 #keypad")).to_be_visible()
    page.locator("#board-3 .choices button").first.tap()
    expect(page.locator("#s3")).to_contain_text("0 (70) - 1 (60)")
    expect(page.locator("#r4")).to_be_focused()


_KEY = """([code, key]) => {
  const pressed = new KeyboardEvent("keydown", {code, key, bubbles: true, cancelable: true});
  if (document.activeElement.dispatchEvent(pressed)) document.execCommand("insertText", false, key);
}"""
"""A key of a layout that this browser does not have: its place and what it gives."""


def test_digits_on_a_kazakh_keyboard_are_where_its_letters_are(
    table: NewTable, home: House, kept: dict[str, Any]
) -> None:
    page = grid(table, home, kept, locale="kk")
    page.locator("#r1").focus()
    kazakh = {
        "7": ("Digit7", "."), "0": ("Digit0", "қ"), "-": ("Minus", "ө"), "6": ("Digit6", ","), "1": ("Digit1", '"'),
    }  # fmt: skip
    for sign in "70-61":
        page.evaluate(_KEY, list(kazakh[sign]))
    expect(page.locator("#r1")).to_have_value("70-61")
    page.keyboard.press("Space")
    page.evaluate(_KEY, ["Digit0", "қ"])  # behind a blank a word begins
    expect(page.locator("#r1")).to_have_value("70-61 қ")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_contain_text("½ (70) - ½ (61)")
    expect(page.locator("#r1")).to_have_value("70-61 қ")

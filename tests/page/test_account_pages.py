"""The pages of accounts in a browser: by keyboard, without scripts, read by axe, and in every language and look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from korgool.languages import LANGUAGES, translations
from tests.page.conftest import PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations, violations_here
from tests.page.test_reflow import SIDEWAYS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PASSWORD = "eleven green apples"
SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 640}}
OWN = ("", "/password", "/codes", "/sessions", "/passkeys", "/tokens", "/bots", "/blocks", "/children", "/data")
ANYBODYS = ("/sign-in", "/sign-up", "/sign-up/passkey", "/recovery")
REFUSED = "status of 4"
"""The console tells of forms that were refused."""
FIELDS = "input:visible:not([type=checkbox], .hidden), select, .tick"
CONTROLS = f"button:visible, .rows a, .links a, .to-account, .brand, {FIELDS}"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("accounts")) as made:
        yield made


NAMED = """() => {
  const here = document.activeElement;
  return (here?.getAttribute("aria-label") ?? here?.labels?.[0]?.textContent ?? here?.textContent ?? "").trim();
}"""


def to(page: Page, name: str) -> None:
    """Walk with the tabulator to a control, by the name that it is read out with."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(NAMED) == name:
            return
    raise AssertionError(f"no {name!r} among the controls of {page.url}")


def through(page: Page, name: str, heading: str) -> None:
    """Walk to a link or a button, press it, and wait for the page behind it."""
    to(page, name)
    enter(page, heading)


def enter(page: Page, heading: str) -> None:
    """Press what has the focus, or send its form, and wait for the page behind it."""
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    page.wait_for_load_state()


def told(page: Page) -> Locator:
    """What a page tells of what was done; the line above it, for challenges, is a status on every page."""
    return page.get_by_role("main").get_by_role("status")


def sign_up(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/sign-up")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/account"))


def test_from_a_new_account_to_signing_in_again_by_keyboard(table: NewTable, home: House) -> None:
    page = table(PHONE, address=home.address, expected=REFUSED).page
    page.goto(f"{home.address}/lobby")
    through(page, "Sign in", "Sign in")
    through(page, "Open an account", "Open an account")
    to(page, "Player name")
    page.keyboard.type("Айганыш")
    to(page, "Password")
    page.keyboard.type(PASSWORD)
    to(page, "Show")
    page.keyboard.press("Enter")
    expect(page.locator("#password")).to_have_attribute("type", "text")
    expect(page.get_by_role("button", name="Show")).to_have_attribute("aria-pressed", "true")
    through(page, "Open an account", "Lobby")  # where one came from
    through(page, "Your account: Айганыш", "Айганыш")

    through(page, "Tokens 0", "Tokens")
    to(page, "What it is for")
    page.keyboard.type("Club")
    enter(page, "The token of Club")
    expect(page.get_by_role("textbox", name="Token")).to_have_value(re.compile("^kgt_"))
    to(page, "Copy")
    page.keyboard.press("Enter")
    expect(told(page)).not_to_be_empty()
    through(page, "Done", "Tokens")
    expect(page.get_by_role("listitem").filter(has_text="Club")).to_contain_text("see your games and lists")
    through(page, "Your account: Айганыш", "Айганыш")
    through(page, "Sign out", "Sign in")
    expect(told(page)).to_have_text("You are signed out.")
    to(page, "Player name")
    page.keyboard.type("айганыш")
    to(page, "Password")
    page.keyboard.type(PASSWORD)
    enter(page, "Sow, make it even, take them all.")
    expect(page.get_by_role("link", name="Your account: Айганыш")).to_be_visible()


def test_a_refused_form_without_scripts(table: NewTable, home: House) -> None:
    page = table(PHONE, address=home.address, java_script_enabled=False, expected=REFUSED).page
    page.goto(f"{home.address}/sign-up")
    expect(page.get_by_text("Show")).to_be_hidden()
    page.get_by_label("Player name").fill("Бегимай")
    password = page.get_by_label("Password")
    password.fill("short")
    password.press("Enter")
    expect(password).to_have_accessible_description(re.compile("A password has at least 8 characters"))
    expect(password).to_be_focused()
    expect(password).to_have_value("")
    expect(page.get_by_label("Player name")).to_have_value("Бегимай")
    password.fill(PASSWORD)
    password.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Бегимай")


def test_axe_finds_nothing_on_a_phone(table: NewTable, home: House) -> None:
    page = table(PHONE, address=home.address, expected=REFUSED).page
    page.goto(f"{home.address}/sign-up")
    page.fill("#name", "?")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#name-refused")).to_be_visible()
    assert violations_here(page) == []
    sign_up(page, home.address, "Чолпон")
    for path in ("", "/tokens", "/sessions", "/passkeys"):
        page.goto(f"{home.address}/account{path}")
        assert violations_here(page) == [], path


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_passes_axe_and_has_room_for_a_finger(table: NewTable, home: House, language: str) -> None:
    gettext = translations(language).gettext
    page = table(SMALL, address=home.address, locale=language, expected=REFUSED).page

    def check(what: str) -> None:
        page.set_viewport_size(SMALL["viewport"])
        assert page.evaluate(SIDEWAYS) <= 0, what
        for one in page.locator(CONTROLS).all():
            box = one.bounding_box()
            assert box is not None
            assert box["height"] >= 44, (what, one.evaluate("one => one.outerHTML"))
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 320, (what, one.evaluate("one => one.outerHTML"))
        assert violations(page) == [], what

    for path in ANYBODYS:
        page.goto(f"{home.address}{path}")
        check(path)
    sign_up(page, home.address, f"Wwwwwwwwwwwwwwwwww{language}")
    for path in OWN:
        page.goto(f"{home.address}/account{path}")
        check(path)
    for path, fields in (("/codes", ()), ("/tokens", ("label",)), ("/bots", ("name",))):
        page.goto(f"{home.address}/account{path}")
        for field in fields:
            page.fill(f"#{field}", f"Bot{language}" if field == "name" else gettext("Results"))
        page.locator(f"form[action='/account{path}'] button").click()
        page.locator("ol.codes, #secret").wait_for()
        check(f"{path}, made")


@pytest.mark.long
def test_pages_for_the_time_without_a_network_name_who_is_signed_in_now(table: NewTable, home: House) -> None:
    page = table(address=home.address, service_workers="allow", expected=REFUSED).page
    page.goto(f"{home.address}/sign-up")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")

    def kept(text: str) -> None:
        page.wait_for_function(
            """async text => {
              const pages = await Promise.all(["/", "/offline", "/analysis"].map(path => caches.match(path)));
              const texts = await Promise.all(pages.map(one => one?.text() ?? ""));
              return texts.every(one => one.includes(text));
            }""",
            arg=text,
        )
        assert not page.evaluate("() => caches.match('/account').then(Boolean)")

    page.reload()
    kept('href="/sign-in?next=')
    sign_up(page, home.address, "Жылдыз")
    kept('aria-label="Your account: Жылдыз"')
    page.get_by_role("button", name="Sign out").click()
    expect(told(page)).to_have_text("You are signed out.")
    kept('href="/sign-in?next=')

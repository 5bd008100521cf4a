"""A wish that led to signing in, in a browser: what was typed when the session ended, and a page by passkey."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from korgool.app.server.core.wall_clock import now_ms
from tests.page.conftest import PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_account_pages import PASSWORD, REFUSED, sign_up, told
from tests.page.test_axe import violations_here
from tests.page.test_passkeys import AUTHENTICATOR


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("wishes")) as made:
        yield made


def test_what_was_typed_when_the_session_ended_is_sent_by_one_button(home: House, table: NewTable) -> None:
    page = table(PHONE, address=home.address, expected=REFUSED).page
    sign_up(page, home.address, "Айсулуу")
    page.goto(f"{home.address}/events/new")
    page.locator("[name=name]").last.fill("Ысык-Көл <b>")
    page.locator("[name=rounds]").last.fill("7")
    keeper = home.app.state.authentication
    keeper.keys.end(keeper.directory.by_name("Айсулуу").id, now_ms())
    keeper.ended()
    page.locator("[name=rounds]").last.press("Enter")
    page.wait_for_url(re.compile("/sign-in"))
    expect(told(page)).to_contain_text("kept for an hour")
    assert violations_here(page) == []
    page.get_by_label("Player name").fill("Айсулуу")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    page.wait_for_url(re.compile("/wish$"))
    expect(page.get_by_role("listitem").filter(has_text="Ысык-Көл <b>")).to_be_visible()
    expect(page.get_by_role("link", name="Back to the page")).to_have_attribute("href", "/events/new")
    assert violations_here(page) == []
    page.get_by_role("button", name="Send it now").click()
    page.wait_for_url(re.compile("/events/[a-z0-9]{8}/desk"))
    expect(page).to_have_title(re.compile("Ысык-Көл <b>"))


def test_a_page_opens_after_a_passkey(home: House, table: NewTable) -> None:
    address = home.address.replace("127.0.0.1", "localhost")  # passkeys are bound to a name
    page = table(PHONE, address=address, expected=REFUSED).page
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    wished = f"{address}/events/follow?a=1&b=%C3%A9"
    page.goto(wished)
    page.wait_for_url(re.compile("/sign-in"))
    page.get_by_role("link", name="Open an account").click()
    page.get_by_role("link", name="without a password").click()
    page.get_by_label("Player name").fill("Чынара")
    page.locator("#passkey-sign-up").get_by_role("button").click()
    page.get_by_role("link", name="I have them on paper").click()
    page.wait_for_url(wished)
    page.goto(f"{address}/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/sign-in"))
    page.goto(wished)
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(wished)

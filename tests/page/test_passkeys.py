"""A passkey in a browser: added, used to sign in, refused, and removed, with an authenticator that Chromium plays."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from sqlalchemy import update

from korgool.app.server.storage.schema import sessions
from tests.page.conftest import PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_account_pages import REFUSED, sign_up, told
from tests.page.test_axe import violations_here

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("passkeys")) as made:
        yield made


def test_a_passkey_is_added_and_signs_in(home: House, table: NewTable) -> None:
    address = home.address.replace("127.0.0.1", "localhost")  # passkeys are bound to a name
    page = table(PHONE, address=address, expected=REFUSED).page
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    made = device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    sign_up(page, address, "Айпери")
    page.goto(f"{address}/account/passkeys")
    page.get_by_label("What you call it").fill("My phone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(told(page)).to_have_text("The passkey is added.")
    expect(page.get_by_role("listitem").filter(has_text="My phone")).to_be_visible()
    assert violations_here(page) == []

    page.goto(f"{address}/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/sign-in"))
    page.goto(f"{address}/sign-in?next=/account/passkeys")
    assert violations_here(page) == []
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("listitem").filter(has_text="My phone")).to_contain_text("last used")

    page.get_by_role("button", name="Remove the passkey My phone").click()
    expect(told(page)).to_have_text("The passkey is removed.")
    page.goto(f"{address}/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/sign-in"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("Nobody here has this passkey.")
    device.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": made["authenticatorId"]})


def test_an_account_without_a_password(home: House, table: NewTable) -> None:
    address = home.address.replace("127.0.0.1", "localhost")
    page = table(PHONE, address=address, expected=REFUSED).page
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.goto(f"{address}/sign-up")
    page.get_by_role("link", name="without a password").click()
    form = page.locator("#passkey-sign-up")
    page.get_by_label("Player name").fill("admin")
    page.get_by_label("Player name").press("Enter")
    expect(form.get_by_role("alert")).to_have_text("This name is kept for the site.")
    assert violations_here(page) == []
    page.get_by_label("Player name").fill("Бегайым")
    form.get_by_role("button", name="Open an account").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Recovery codes of Бегайым")
    expect(page.locator(".codes code")).to_have_count(8)
    assert violations_here(page) == []
    page.get_by_role("link", name="I have them on paper").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Бегайым")

    home.run(forgotten(home))
    page.goto(f"{address}/account/data")
    expect(page.get_by_label("Password")).to_have_count(0)
    assert violations_here(page) == []
    page.get_by_role("button", name="Continue with a passkey").click()
    page.get_by_label(re.compile("name", re.IGNORECASE)).fill("Бегайым")
    page.get_by_role("button", name="Delete").click()
    expect(told(page)).to_have_text("You are signed out.")


async def forgotten(home: House) -> None:
    """Nobody has given a password or a passkey of late."""
    keeper = home.app.state.authentication
    with keeper.transactions.writing() as connection:
        connection.execute(update(sessions).values(proved_ms=1))
    keeper.ended()

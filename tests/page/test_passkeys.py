"""A passkey in a browser: added, used to sign in, refused, and removed, with an authenticator that Chromium plays."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.page.conftest import PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_account_pages import REFUSED, sign_up
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
    expect(page.get_by_role("status")).to_have_text("The passkey is added.")
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
    expect(page.get_by_role("status")).to_have_text("The passkey is removed.")
    page.goto(f"{address}/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/sign-in"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("Nobody here has this passkey.")
    device.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": made["authenticatorId"]})

"""Two phones without accounts: an invitation by link, one that is accepted from the lobby, and two at one device."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from korgool.languages import LANGUAGES, translations
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.lessons import play_stop, way_in
from tests.page.table import PLAYABLE, Table, expect
from tests.page.test_axe import violations
from tests.page.test_reflow import SIDEWAYS, ZOOMED, resized
from tests.patience import RETRIES
from tests.server.guests import Guest

if TYPE_CHECKING:
    from playwright.sync_api import Page

LINK = re.compile(r"/c/\w{12}$")
GAME = re.compile(r"/games/\w{12}$")


def invite(table: Table, way: str = "link", **choices: str) -> str:
    """Make an invitation by the form for a friend; the address of its page."""
    page = table.page
    page.goto(f"{table.address}/friend")
    form = page.locator("#friend")
    form.locator("summary").click()
    for name, value in choices.items():
        form.locator(f"select[name={name}]").select_option(value)
    form.locator(f"button[value={way}]").click()
    expect(page).to_have_url(LINK)
    return page.url


def test_a_link_takes_two_phones_into_a_game(table: NewTable) -> None:
    """From opening the link to the first move it takes two taps. The maker's page follows by itself."""
    ann, bob = table(PHONE), table(PHONE)
    link = invite(ann, side="black", clock="10+5")
    expect(ann.page.locator("#link")).to_have_value(f"{link}?in=en")
    expect(ann.page.locator(".waiting")).to_be_visible()
    assert ann.page.locator(".code svg").is_visible()
    bob.page.goto(link)
    expect(bob.page.get_by_role("heading", level=1)).to_have_text(re.compile(r"Guest \d{4} invites you"))
    expect(bob.page.locator(".terms")).to_contain_text("10+5")
    bob.page.get_by_role("button", name="Play", exact=True).tap()
    expect(bob.page).to_have_url(GAME)
    expect(ann.page).to_have_url(bob.page.url)
    assert (ann.state()["you"], bob.state()["you"]) == ("black", "white")
    bob.ready()
    bob.page.locator(PLAYABLE).nth(6).tap()
    ann.ready()
    ann.page.locator(PLAYABLE).first.wait_for(state="attached")
    assert [move["hole"] for move in ann.state()["moves"]] == [7]
    ann.page.goto(link)
    expect(ann.page.locator("main")).to_contain_text("You play Black.")
    expect(ann.page.get_by_role("link", name="To the game", exact=True)).to_have_attribute("href", GAME)


def test_a_guest_who_is_new_may_learn_the_first_moves_before_the_first_one(table: NewTable) -> None:
    """In half a minute, without an account; the maker waits without a clock. Who has learnt or played is not asked."""
    ann, bob = table(PHONE), table(PHONE, reduced_motion="reduce")
    link = invite(ann, side="black", clock="10+5")
    bob.page.goto(link)
    offer = bob.page.get_by_role("link", name="New to it? Four moves in 30 seconds")
    expect(offer).to_be_visible()
    began = bob.page.evaluate("performance.timeOrigin")
    offer.tap()
    expect(bob.page.locator("#lesson-title")).to_have_text("Four moves in 30 seconds")
    play_stop(bob.page, way_in("toguz"))
    assert bob.page.evaluate("performance.timeOrigin + performance.now()") - began < 30_000
    assert ann.page.url == link
    back = bob.page.get_by_role("link", name="Back to the invitation").last
    back.tap()
    expect(bob.page).to_have_url(link)
    expect(offer).to_have_count(0)
    bob.page.get_by_role("button", name="Play", exact=True).tap()
    expect(bob.page).to_have_url(GAME)
    bob.ready()
    assert bob.state()["aborted"] is False
    # Another who has played, though not learnt.
    carl = table(PHONE)
    carl.start()
    carl.page.goto(invite(ann))
    expect(carl.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(carl.page.get_by_role("link", name="New to it? Four moves in 30 seconds")).to_have_count(0)


def test_in_a_game_without_a_clock_the_help_leads_to_the_first_moves_and_back(table: NewTable) -> None:
    ann, bob = table(PHONE), table(PHONE, reduced_motion="reduce")
    link = invite(ann, side="black", clock="none")
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Play", exact=True).tap()
    expect(bob.page).to_have_url(GAME)
    game = bob.page.url
    bob.ready()
    bob.page.locator("#keys").tap()
    bob.page.get_by_role("link", name="New to it? Four moves in 30 seconds").tap()
    play_stop(bob.page, way_in("toguz"))
    bob.page.get_by_role("link", name="To the game").last.tap()
    expect(bob.page).to_have_url(game)
    bob.ready()


def test_the_link_unfolds_without_being_accepted(table: NewTable, guest: Guest) -> None:
    made = guest.challenge(game="mangala", clock="3d")
    page = table().page
    for _ in range(3):
        page.goto(made["url"])
    told = {
        name: page.locator(f'meta[property="og:{name}"]').get_attribute("content")
        for name in ("title", "description", "url", "image")
    }
    assert told["title"] == f"{guest.told['name']} invites you: Mangala · Korgool"
    assert "3 days a move" in (told["description"] or "")
    assert told["url"] == made["url"]
    assert told["image"] == f"{made['url']}/picture.png"
    picture = page.request.get(told["image"], max_retries=RETRIES)
    assert picture.headers["content-type"] == "image/png"
    assert "max-age" in picture.headers["cache-control"]
    assert len(picture.body()) < 300_000
    assert guest.look(made["id"])["state"] == "open"


def test_the_board_comes_with_its_page_and_is_seen_from_the_side_of_the_guest(table: NewTable, guest: Guest) -> None:
    """Over a slow network nothing else has to come before one sees what one is invited to."""
    page = table(PHONE).page
    page.goto(guest.challenge(game="toguz", clock="10+5", side="white")["url"])
    board = page.get_by_role("img", name="The board with the position to begin with")
    expect(board).to_be_in_viewport()
    expect(board.locator(".store.near")).to_have_class(re.compile(r"\bblack\b"))
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [one for one in loaded if "/picture" in one]
    play = page.get_by_role("button", name="Play")
    expect(play).to_be_in_viewport()


def test_it_is_copied_and_shared(table: NewTable) -> None:
    ann = table(DESK, permissions=["clipboard-read", "clipboard-write"])
    ann.page.add_init_script(
        "Object.defineProperty(navigator, 'share', {value: async (what) => { window.shared = what; }})"
    )
    link = invite(ann)
    ann.page.get_by_role("button", name="Copy the link").click()
    expect(ann.page.locator("main").get_by_role("status").first).to_have_text("The link is copied.")
    assert ann.page.evaluate("() => navigator.clipboard.readText()") == f"{link}?in=en"
    ann.page.get_by_role("button", name="Share the link").click()
    shared = ann.page.evaluate("() => window.shared")
    assert shared["url"] == f"{link}?in=en"
    assert "invites you: Toguz korgool" in shared["text"]


def test_a_phone_reads_the_code(table: NewTable) -> None:
    zxingcpp = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
    image = pytest.importorskip("PIL.Image", reason="no pictures without Pillow")
    from io import BytesIO

    ann = table(PHONE, color_scheme="dark")
    link = invite(ann)
    (code,) = zxingcpp.read_barcodes(image.open(BytesIO(ann.page.locator(".code").screenshot())))
    assert code.text == link


def test_withdrawn_and_taken_by_another(table: NewTable, guest: Guest) -> None:
    """Everybody is told what happened."""
    ann, bob = table(PHONE), table(PHONE, expected="409")
    link = invite(ann)
    bob.page.goto(link)
    ann.page.get_by_role("button", name="Withdraw").tap()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("This invitation was withdrawn")
    bob.page.get_by_role("button", name="Play", exact=True).tap()
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("This invitation was withdrawn")
    link = invite(ann)
    bob.page.goto(link)
    guest.accept(link[-12:]).raise_for_status()
    bob.page.get_by_role("button", name="Play", exact=True).tap()
    expect(bob.page.locator("main")).to_contain_text("Somebody was quicker.")
    assert not bob.page.get_by_role("link", name="To the game", exact=True).count()


def test_the_lobby_shows_what_comes_and_goes(table: NewTable, guest: Guest) -> None:
    ann = table(PHONE)
    ann.page.goto(f"{ann.address}/")
    ann.page.get_by_role("link", name="Lobby").tap()
    expect(ann.page).to_have_url(re.compile("/lobby$"))
    live, slow = guest.challenge(to="lobby", clock="5+3"), guest.challenge(to="lobby", clock="2d", game="bestemshe")
    with ThreadPoolExecutor(1) as waiting:
        waiting.submit(guest.look, live["id"], wait=20)
        for made, words in ((live, "5+3"), (slow, "2 days a move")):
            expect(ann.page.locator(f"#c-{made['id']}")).to_contain_text(words)
        button = ann.page.locator(f"#c-{slow['id']}").get_by_role("button")
        button.focus()
        guest.withdraw(live["id"]).raise_for_status()
        expect(ann.page.locator(f"#c-{live['id']}")).to_have_count(0)
    expect(button).to_be_focused()
    button.tap()
    expect(ann.page).to_have_url(GAME)
    assert guest.look(slow["id"])["game"] == ann.id


def test_ones_own_offer_in_the_lobby(table: NewTable, guest: Guest) -> None:
    ann = table(PHONE)
    link = invite(ann, "lobby", game="castle")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Your game is in the lobby")
    other = ann.page.context.new_page()
    other.goto(f"{ann.address}/lobby")
    own = other.locator(f"#c-{link[-12:]}")
    expect(own).to_contain_text("your own")
    expect(own.get_by_role("link", name="Open")).to_have_attribute("href", re.compile(link[-12:]))
    other.goto(f"{ann.address}/")
    expect(other.locator("section:has(#own) a").first).to_have_attribute("href", re.compile(link[-12:]))
    other.goto(f"{ann.address}/friend")
    expect(other.locator("section:has(#invitations) a")).to_have_attribute("href", re.compile(link[-12:]))
    guest.accept(link[-12:]).raise_for_status()
    expect(ann.page).to_have_url(GAME)


@pytest.mark.long
def test_an_offer_of_somebody_who_has_gone_is_hidden(table: NewTable) -> None:
    """It takes the 10 seconds that it takes anybody; whoever comes back is seen again."""
    ann, bob = table(PHONE), table(PHONE)
    link = invite(ann, "lobby", clock="5+3")
    expect(ann.page.locator(".waiting")).to_contain_text("as long as this page is open")
    bob.page.goto(f"{bob.address}/lobby")
    row = bob.page.locator(f"#c-{link[-12:]}")
    for _ in range(2):
        expect(row).to_be_visible()
        bob.page.wait_for_timeout(16_000)
        expect(row).to_be_visible()
        ann.page.goto("about:blank")
        expect(row).to_be_hidden()
        ann.page.go_back()
    expect(row).to_be_visible()
    row.get_by_role("button").tap()
    expect(ann.page).to_have_url(GAME)


def test_two_people_at_one_device(table: NewTable) -> None:
    ann = table(PHONE)
    ann.page.goto(f"{ann.address}/friend")
    ann.page.locator("#friend button[value=self]").tap()
    expect(ann.page).to_have_url(GAME)
    assert ann.state()["shared"]


def test_all_of_it_without_scripts(table: NewTable, guest: Guest) -> None:
    ann, bob = table(PHONE, java_script_enabled=False), table(PHONE, java_script_enabled=False)
    link = invite(ann, conduct="competition", clock="10+5")
    assert not ann.page.locator("#copy").is_visible()
    expect(ann.page.locator("#link")).to_have_value(f"{link}?in=en")
    bob.page.goto(link)
    expect(bob.page.locator(".terms")).to_contain_text("as in a competition")
    bob.page.get_by_role("button", name="Play", exact=True).tap()
    expect(bob.page).to_have_url(GAME)
    ann.page.goto(link)
    ann.page.get_by_role("link", name="To the game", exact=True).tap()
    expect(ann.page).to_have_url(bob.page.url)
    made = guest.challenge(to="lobby")
    bob.page.goto(f"{bob.address}/lobby")
    bob.page.locator(f"#c-{made['id']} button").tap()
    expect(bob.page).to_have_url(GAME)


def test_a_form_that_cannot_be_is_refused_with_a_reason(table: NewTable) -> None:
    ann = table(expected="422")
    ann.page.goto(f"{ann.address}/friend")
    form = ann.page.locator("#friend")
    form.locator("summary").click()
    form.locator("select[name=conduct]").select_option("competition")
    form.locator("button[value=link]").click()
    expect(ann.page.locator(".detail")).to_have_text(re.compile("has a clock"))


def pages(table: Table, guest: Guest) -> list[str]:
    """The addresses of every page of this room, as somebody sees them who is a guest and a maker."""
    open_, over = guest.challenge(clock="3d", position="1S,8/1S,8 80 80 S 60"), guest.challenge()
    guest.challenge(to="lobby", clock="10+5")
    guest.withdraw(over["id"]).raise_for_status()
    return [invite(table, clock="5+3"), open_["url"], over["url"], f"{table.address}/lobby"]


def test_axe_finds_nothing(table: NewTable, guest: Guest) -> None:
    board = table()
    for url in pages(board, guest):
        board.page.goto(url)
        assert violations(board.page) == [], url


@pytest.mark.parametrize(
    "language",
    ["tr", *(pytest.param(name, marks=pytest.mark.long) for name in LANGUAGES if name != "tr")],
)
def test_nothing_scrolls_sideways_and_the_button_is_at_hand(table: NewTable, guest: Guest, language: str) -> None:
    board = table({**PHONE, "viewport": {"width": 360, "height": 640}}, locale=language)
    play = translations(language).gettext("Play")
    addresses = pages(board, guest)
    for url in [*addresses, f"{board.address}/"]:
        board.page.set_viewport_size({"width": ZOOMED[0], "height": ZOOMED[1]})
        board.page.goto(url)
        for width, height in (ZOOMED, (320, 568), (360, 640)):
            resized(board.page, width, height)
            assert board.page.evaluate(SIDEWAYS) <= 0, (url, width)
    board.page.goto(addresses[1])
    box = board.page.get_by_role("button", name=play, exact=True).bounding_box()
    assert box is not None
    assert 0 < box["y"] < box["y"] + box["height"] <= 640
    assert words_of(board.page) == play


def words_of(page: Page) -> Any:
    return page.locator(".invitation .start button").text_content()

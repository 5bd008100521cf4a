"""A browser keeps the log of an event, proven line by line, and another server goes on from what it keeps."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.stand_by.service import StandBys
from korgool.competition.kept_log import read_kept
from korgool.competition.roles import DeskRole, Officer
from tests.conftest import SEED
from tests.page.conftest import NewTable
from tests.page.desk import competitions_of, event_of, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.page.test_reflow import SIDEWAYS

_HASHES = """async (texts) => {
    const place = document.querySelector("script[src*='stand_by/keeper']").src;
    const {sha256} = await import(place.replace("bundles/", "js/").replace("keeper.js", "sha256.js"));
    return texts.map(sha256);
}"""
QUIET = "ERR_|Failed to load resource"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("leading")) as made:
        yield made


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("second")) as made:
        yield made


def link(home: House, event: LiveEvent) -> str:
    """The link that the desk shows for a browser."""
    stand_bys: StandBys = home.app.state.stand_bys
    _, token = home.run(stand_bys.make(event.id, "Phone of Aida"))
    return f"{home.address}/events/{event.id}/stand-by#{token}"


def enter(home: House, event: LiveEvent, account: str, board: int, result: str = "82-60") -> None:
    action = {"do": "result", "round": 1, "board": board, "result": result}
    home.run(event.act(Officer(account, "Ann", DeskRole.ORGANISER), event.seq, [action]))


def stands(page: Page, event: LiveEvent) -> None:
    expect(page.locator("#line")).to_have_text(f"Line {event.seq}")


def saved(page: Page, path: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the kept log").click()
    download.value.save_as(path)
    return path


def test_a_phone_keeps_every_line_and_another_server_goes_on(
    table: NewTable, home: House, other: House, tmp_path: Path
) -> None:
    ann = table(address=home.address)
    account = sign_up(home, ann, "Ann")
    event = event_of(home, "Ann", account, 8)
    page = table({"viewport": {"width": 360, "height": 640}}, address=home.address, expected=QUIET).page
    page.goto(link(home, event))
    stands(page, event)
    assert page.url.endswith("/stand-by")  # the token is nowhere to be read
    expect(page.locator("#title")).to_have_text("Cup of Osh")
    expect(page.locator("#ago")).to_contain_text("s ago")
    assert violations_here(page) == []
    assert page.evaluate(SIDEWAYS) <= 0
    enter(home, event, account, 1)
    stands(page, event)
    page.reload()
    stands(page, event)
    # The network is cut: nothing is lost, it is said, and what came meanwhile is fetched afterwards.
    page.context.set_offline(True)
    enter(home, event, account, 2, "60-82")  # which the question that is under way may still bring
    expect(page.locator("#state")).to_contain_text("The desk does not answer")
    held = page.locator("#line").inner_text()
    enter(home, event, account, 3)
    expect(page.locator("#ago")).to_contain_text("s ago")
    expect(page.locator("#line")).to_have_text(held)
    page.context.set_offline(False)
    stands(page, event)
    expect(page.locator("#state")).to_contain_text("All lines fit together")
    # The desk's machine is dead; what the phone holds is the log to the last line.
    page.route("**/stand-by/*", lambda route: route.abort())
    file = saved(page, tmp_path / "kept.korgool.jsonl")
    lines = home.run(event.with_book(lambda book: list(book.lines())))
    kept = read_kept(file.read_bytes(), most_lines=1000)
    assert (kept.lines, kept.damage, kept.beside["id"]) == (lines, "", event.id)
    second = table(address=other.address)
    sign_up(other, second, "Ben")
    second.page.goto(f"{other.address}/events/upload")
    second.page.locator("#file").set_input_files(file)
    expect(second.page.locator(".whole")).to_contain_text("The chain of the log is whole")
    second.page.get_by_role("button", name="Take this event").click()
    expect(second.page).to_have_url(f"{other.address}/events/{event.id}/desk")
    taken = other.run(competitions_of(other).find(event.id))
    assert other.run(taken.with_book(lambda book: list(book.lines())))[: len(lines)] == lines
    page.get_by_text("Keep no more").click()
    page.get_by_role("button", name="Remove everything of this event here").click()
    expect(page.locator("#without")).to_be_visible()
    page.reload()
    expect(page.locator("#without")).to_be_visible()


def test_lines_that_do_not_fit_are_not_taken(table: NewTable, home: House) -> None:
    ann = table(address=home.address)
    account = sign_up(home, ann, "Bea")
    event = event_of(home, "Bea", account, 8)
    page = table(address=home.address, expected=QUIET).page
    page.goto(link(home, event))
    stands(page, event)
    held = event.seq

    forging = [True]

    def forge(route: Route) -> None:
        if not forging:
            return route.continue_()
        answer = route.fetch()
        rows = [json.loads(row) for row in answer.text().splitlines()]
        for row in rows[1:]:
            row["action"] = row["action"].replace("82", "83")
        return route.fulfill(response=answer, body="".join(json.dumps(row) + "\n" for row in rows))

    page.route("**/stand-by/lines?*", forge)
    page.reload()
    enter(home, event, account, 1)
    expect(page.locator("#state")).to_contain_text(f"Line {held + 1} does not fit.")
    expect(page.locator("#line")).to_have_text(f"Line {held}")
    forging.clear()
    page.reload()
    stands(page, event)
    # A name is removed: what the phone holds is fetched anew without it.
    officer = Officer(account, "Bea", DeskRole.ORGANISER)
    name = event.state.players[1].entry.family
    home.run(event.with_book(lambda book: book.forget(1, by=officer.name)))
    stands(page, event)
    text = page.evaluate(
        """(event) => new Promise((resolve) => {
            indexedDB.open("korgool-kept").onsuccess = (opened) => {
                const asked = opened.target.result.transaction("lines").objectStore("lines").getAll();
                asked.onsuccess = () => resolve(JSON.stringify(asked.result.filter((one) => one.event === event)));
            };
        })""",
        event.id,
    )
    assert name not in text
    assert len(json.loads(text)) == event.seq


def test_the_hash_is_that_of_the_library_and_a_strange_address_opens_nothing(table: NewTable, home: House) -> None:
    page = table(address=home.address, expected=QUIET).page
    page.goto(f"{home.address}/events/abcdefgh/stand-by")
    expect(page.locator("#without")).to_be_visible()
    chance = random.Random(SEED)
    letters = 'aZ0\x1f {}"\\Өңğ♞\n'
    texts = [
        "",
        "abc",
        *("".join(chance.choices(letters, k=count)) for count in (*range(50, 70), 119, 120, 1000, 40_000)),
    ]
    assert page.evaluate(_HASHES, texts) == [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    page.goto(f"{home.address}/events/abcdefgh/stand-by#kgs_{'x' * 24}")
    expect(page.locator("#state")).to_contain_text("The desk lets this device in no more.")
    page.goto(f"{home.address}/events/nonsense~1/stand-by")
    expect(page.locator("#keeper")).to_have_count(0)

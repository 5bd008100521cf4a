"""Copies at the desk in a browser: it saves into a folder after each round, and every page says what fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from korgool.app.server.events.live_event import LiveEvent
from korgool.competition import EventFile
from korgool.competition.roles import DeskRole, Officer
from tests.page.conftest import NewTable
from tests.page.desk import event_of, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.page.test_reflow import SIDEWAYS

_PICKER = """
    window.showDirectoryPicker = async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle("stick", {create: true});
    for (const name of ["queryPermission", "requestPermission"])
        FileSystemDirectoryHandle.prototype[name] = async () => "granted";
"""
"""The origin's private folder in the place of a chosen one: the same handles, without the window for it."""
_SAVED = """async (id) => {
    const root = await navigator.storage.getDirectory();
    const file = await (await (await root.getDirectoryHandle("stick")).getFileHandle(`${id}.korgool`)).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
}"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    stick = tmp_path_factory.mktemp("stick")
    with house(tmp_path_factory.mktemp("copies"), copies=stick / "mounted") as made:
        yield made


def close_round(home: House, event: LiveEvent, officer: Officer) -> None:
    results = [{"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2, 3, 4)]
    home.run(event.act(officer, event.seq, results))


def test_the_browser_saves_by_itself_and_the_desk_says_what_fails(table: NewTable, home: House, tmp_path: Path) -> None:
    ann = table(address=home.address)
    page = ann.page
    page.context.add_init_script(_PICKER)
    account = sign_up(home, ann, "Ann")
    event = event_of(home, "Ann", account, 8)
    page.goto(f"{home.address}/events/{event.id}/desk/copies")
    page.get_by_role("button", name="Save one after each round").click()
    expect(page.locator("#saved")).to_contain_text("saves a copy into the folder stick")
    expect(page.locator("#saved")).to_contain_text(f"Last saved: line {event.seq}")
    assert violations_here(page) == []
    page.goto(f"{home.address}/events/{event.id}/desk/players")
    close_round(home, event, Officer(account, "Ann", DeskRole.ORGANISER))
    page.goto(f"{home.address}/events/{event.id}/desk")
    expect(page.get_by_role("heading", name="Round 1 is complete")).to_be_visible()
    # The server's folder is not there: every page says so, and the event has gone on.
    expect(page.locator("#copy-trouble")).to_contain_text("is the stick plugged in?")
    page.locator("#copy-trouble a").click()
    expect(page.locator("#saved")).to_contain_text(f"Last saved: line {event.seq}")
    saved = tmp_path / "saved.korgool"
    saved.write_bytes(bytes(page.evaluate(_SAVED, event.id)))
    with EventFile.open(saved) as file:
        assert (file.state.actions, file.state.complete, file.broken_links()) == (event.seq, True, ())
    for width in (320, 1366):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(SIDEWAYS) <= 0
    assert violations_here(page) == []
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#saved")).to_be_empty()

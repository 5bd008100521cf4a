"""An event from a file in a browser: chosen, dropped and taken; without scripts; with a lost network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from korgool.competition import EventFile, commands
from korgool.competition.model import Entry, Settings
from tests.page.conftest import NewTable
from tests.page.desk import competitions_of, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.page.test_reflow import SIDEWAYS

_DROP = """([place, bytes, name]) => {
    const sent = new DataTransfer();
    sent.items.add(new File([new Uint8Array(bytes)], name));
    const how = {dataTransfer: sent, bubbles: true, cancelable: true};
    document.querySelector(place).dispatchEvent(new DragEvent("drop", how));
}"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("uploads")) as made:
        yield made


def cup(path: Path, id_: str) -> Path:
    with EventFile.create(path, Settings(name="Cup of Osh", rounds=3), by="Judge") as file:
        for family in ("Asanov", "Bekova"):
            commands.enter(file, Entry(family=family), by="Judge")
        file.carry({"id": id_})
    return path


def test_a_file_is_chosen_or_dropped_looked_at_and_taken(table: NewTable, home: House, tmp_path: Path) -> None:
    expected = "status of 422|ERR_INTERNET_DISCONNECTED"
    page = (ann := table(address=home.address, expected=expected)).page
    account = sign_up(home, ann, "Ann")
    file = cup(tmp_path / "cup.korgool", "abcdefgh")
    page.goto(f"{home.address}/events/officials")
    page.get_by_role("link", name=re.compile("An event from a file")).click()
    expect(page.get_by_role("button", name="Show what it holds")).to_be_hidden()
    # Dropped beside the place, and no event: refused where it stands, and the page stays.
    page.evaluate(_DROP, ["h1", list(b"hello"), "notes.txt"])
    expect(page.get_by_role("alert")).to_contain_text("this is no event as JSON")
    page.context.set_offline(True)
    page.locator("#file").set_input_files(file)
    expect(page.get_by_role("alert")).to_have_text("The connection is lost. Nothing was taken. Try again.")
    page.context.set_offline(False)
    page.evaluate(_DROP, ["#drop", list(file.read_bytes()), "cup.korgool"])
    expect(page.locator("#found-name")).to_have_text("Cup of Osh")
    expect(page.locator("#found-name")).to_be_focused()
    expect(page.locator(".found")).to_contain_text("The event keeps its address, /events/abcdefgh")
    assert violations_here(page) == []
    for width in (320, 1366):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(SIDEWAYS) <= 0
    page.get_by_role("button", name="Take this event").dblclick()  # an impatient thumb makes one event
    expect(page).to_have_url(f"{home.address}/events/abcdefgh/desk")
    event = home.run(competitions_of(home).find("abcdefgh"))
    assert [one.entry.family for one in event.state.players.values()] == ["Asanov", "Bekova"]
    assert len(home.run(competitions_of(home).of(account))) == 1


def test_without_scripts_the_file_is_chosen_twice(table: NewTable, home: House, tmp_path: Path) -> None:
    page = (bea := table(address=home.address)).page
    sign_up(home, bea, "Bea")
    kept = page.context.storage_state()
    plain = table(address=home.address, java_script_enabled=False, storage_state=kept).page
    plain.goto(f"{home.address}/events/upload")
    file = cup(tmp_path / "cup.korgool", "bcdefghj")
    plain.locator("#file").set_input_files(file)
    plain.get_by_role("button", name="Show what it holds").click()
    expect(plain.locator("#found-name")).to_have_text("Cup of Osh")
    expect(plain.locator(".again")).to_be_visible()
    plain.locator("#file").set_input_files(file)
    plain.get_by_role("button", name="Take this event").click()
    expect(plain).to_have_url(f"{home.address}/events/bcdefghj/desk")

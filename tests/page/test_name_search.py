"""The scripts of the pages find names as the server does, by what the keyboard of a phone can type."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korgool.app.publishing import write_folder
from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Entry, Settings
from korgool.competition.roles import DeskRole, Officer
from korgool.languages.name_search import finds, sought
from tests.name_pairs import NAMES, PAIRS, SPELLED, STRANGER
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import event_of, sign_up
from tests.page.people import House, house
from tests.page.test_event_pages import Open, open_event  # noqa: F401  # a fixture
from tests.printing.events import FAMILIES, GIVEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LETTERS = (
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюяөүәңғқұһіІabcdefghijklmnopqrstuvwxyzçğıiöşüİIßæœøÅёΣς-’ 12½ﬁ\u0301\u0308·´,."
)
FIELD = """(typed) => {
  const field = document.getElementById("q");
  field.value = typed;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return [...document.querySelectorAll(".part tbody tr, #entries > li, #people > li")]
    .filter((one) => one.checkVisibility()).map((one) => one.textContent);
}"""
"""What is shown when this is typed into the field of a page."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("site") / "names"
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3)))
    for name in (*NAMES, STRANGER):
        family, _, given = name.partition(", ")
        state = apply(state, do.Enter(Entry(family=family, given=given, federation="KGZ", club="Спартак")))
    write_folder(state, found, languages=("ru",), changed="2026-09-14T10:05:00Z")
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("desk")) as made:
        yield made


def test_a_published_folder_is_searched(open_event: Open) -> None:  # noqa: F811
    page = open_event("ru/entries.html", **PHONE)
    for name, typed in PAIRS:
        shown = page.evaluate(FIELD, typed)
        assert any(name in row for row in shown), typed
        assert not any(STRANGER in row for row in shown), typed
    page.fill("#q", "омурбеков")
    page.get_by_text("Өмүрбеков, Бакыт").wait_for()
    assert page.locator(".part tbody tr:visible").count() == 1


def test_a_folder_on_a_disk_is_searched(browser: Browser, folder: Path) -> None:
    """Browsers load no modules from there."""
    context = browser.new_context(locale="ru")
    page = context.new_page()
    page.goto(f"file://{folder}/ru/entries.html")
    page.fill("#q", "omurbekov")
    shown = page.locator(".part tbody tr:visible")
    assert shown.count() == 1
    assert "Өмүрбеков, Бакыт" in shown.inner_text()
    page.goto(f"file://{folder}/index.html")
    page.wait_for_url("**/ru/index.html")
    context.close()


def test_the_lists_of_the_desk_are_searched(table: NewTable, home: House) -> None:
    page = (ann := table(address=home.address)).page
    event = event_of(home, "Ann", account := sign_up(home, ann, "Ann"), 8)
    parts = [name.partition(", ") for name in (*NAMES, STRANGER)]
    entries = [{"do": "enter", "entry": {"family": family, "given": given}} for family, _, given in parts]
    home.run(event.act(Officer(account, "Ann", DeskRole.ORGANISER), event.seq, entries))
    for path in ("players", "check-in?round=2"):
        page.goto(f"{home.address}/events/{event.id}/desk/{path}")
        for name, typed in PAIRS:
            shown = page.evaluate(FIELD, typed)
            assert any(name in row for row in shown), (path, typed)
            assert not any(STRANGER in row for row in shown), (path, typed)


def test_scripts_find_what_the_server_finds(table: NewTable, home: House) -> None:
    """Names of people, and any texts of letters, signs and marks, searched for parts of each other."""
    chance = random.Random(7)
    names = [f"{family}, {given}" for family in FAMILIES for given in GIVEN] + [*NAMES, STRANGER]
    texts = [
        *chance.sample(names, 30),
        *(name for name, _ in SPELLED),
        *("".join(chance.choices(LETTERS, k=chance.randint(0, 12))) for _ in range(70)),
    ]
    typed = [*(one for _, one in (*PAIRS, *SPELLED)), *("".join(chance.choices(one, k=3)) for one in texts if one)]
    typed += [one[at : at + chance.randint(1, 5)] for one in texts for at in (0, chance.randint(0, len(one)))]
    page = (reader := table(address=home.address)).page
    page.goto(f"{reader.address}/about")
    found = page.evaluate(
        """async ([typed, texts]) => {
          const { finds, sought } = await import("/static/js/site/name_search.js");
          return typed.map((one) => texts.map((text) => finds(sought(one), text)));
        }""",
        [typed, texts],
    )
    wrong = [
        (one, text)
        for one, row in zip(typed, found, strict=True)
        for text, there in zip(texts, row, strict=True)
        if there is not finds(sought(one), text)
    ]
    assert wrong == []
    assert sum(map(sum, found)) > 500

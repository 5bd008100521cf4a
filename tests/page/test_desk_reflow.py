"""The desk on small phones: no page is wider than the screen, also twice as large, and one button stands out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korgool.competition.roles import DeskRole, Officer
from korgool.languages import LANGUAGES
from tests.conftest import SEED
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import event_of, sign_up
from tests.page.people import House, house
from tests.page.test_reflow import SIDEWAYS, resized
from tests.page.test_walk import LOUD

PATHS = (
    "", "/players", "/players/list", "/players/1", "/check-in?round=2", "/pairing", "/round/1", "/round/1/hands",
    "/standings", "/standings/cross", "/prizes", "/warnings", "/warnings/1", "/papers", "/log", "/helpers",
    "/officials", "/settings", "/check",
)  # fmt: skip
LONG = "Абдрахманова-Исмаилова-Дүйшөнбекова"
SLICE = [[*LANGUAGES][SEED % len(LANGUAGES)]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("reflow")) as made:
        yield made


@pytest.mark.parametrize("languages", [SLICE, pytest.param([*LANGUAGES], marks=pytest.mark.long)], ids=["slice", "all"])
def test_no_page_of_the_desk_is_wider_than_the_screen(home: House, table: NewTable, languages: list[str]) -> None:
    desk = table(PHONE, address=home.address)
    name = f"Olga{len(languages)}"
    officer = Officer(sign_up(home, desk, name), name, DeskRole.ORGANISER)
    event = event_of(home, name, officer.who, 7)
    entry = {"family": LONG, "given": "Бактыгүл"}
    home.run(event.act(officer, event.seq, [{"do": "enter", "entry": entry}]))
    page, wide, several = desk.page, [], []
    for language in languages:
        for path in PATHS:
            page.goto(f"{home.address}/events/{event.id}/desk{path}{'&' if '?' in path else '?'}language={language}")
            if len(loud := page.evaluate(LOUD)) > 1:
                several.append((path, loud))
            page.evaluate("document.querySelectorAll('.work details').forEach(one => { one.open = true; })")
            for width in (360, 180):  # the second one is what 200 % leaves
                resized(page, width, width * 16 // 9)
                if page.evaluate(SIDEWAYS) > 0:
                    wide.append((language, path, width))
                skip = page.locator(".skip").bounding_box()
                assert skip is not None
                assert skip["x"] + skip["width"] <= 0, "the way over the menu is seen with the keys only"
    assert not wide
    assert not several, "one button of a screen stands out"

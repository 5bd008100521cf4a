"""The wall of a hall in a browser: the time of the server, the desk, a network that goes, and old browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import korgool.app
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole, Officer
from tests.page.conftest import NewTable
from tests.page.desk import competitions_of, event_of, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.patience import PATIENCE

WALLS: dict[str, dict[str, object]] = {
    "small": {"viewport": {"width": 1366, "height": 768}},
    "large": {"viewport": {"width": 1920, "height": 1080}},
}
LETTERS = """() => [...document.querySelectorAll(".wall :is(h1, th, td, .call, .say, .more)")]
    .filter((one) => one.textContent.trim()).map((one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight)"""
_YOUNGER = re.compile(
    r"=>|`|\b(?:let|const|class|async|await|of|yield|import|export|Promise|Symbol|fetch|Map|Set|URL|URLSearchParams)\b"
    r"|\.\.\.|\?\.|\?\?|\*\*|\.(?:includes|find|findIndex|assign|entries|values|repeat|padStart|startsWith|endsWith"
    r"|closest|matches|append|prepend|remove|replaceWith|forEach|dataset|classList)\b|,\s*\)"
)
"""What browsers of ten years ago do not know, in the language or in their pages."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("wall")) as made:
        yield made


def do(home: House, event: LiveEvent, account: str, **action: object) -> None:
    officer = Officer(account, "Ann", DeskRole.ORGANISER)
    home.run(event.act(officer, event.seq, [action]))


def shown(home: House, account: str, players: int) -> LiveEvent:
    """A public event whose first round is paired."""
    event = event_of(home, "Ann", account, players, Settings(name="Cup of Osh", rounds=5, zone="Asia/Bishkek"))
    home.run(competitions_of(home).show(event, public=True))
    return event


def test_the_script_of_the_wall_is_read_by_browsers_of_ten_years_ago() -> None:
    text = (Path(korgool.app.__file__).parent / "static/js/wall.js").read_text(encoding="utf-8")
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    assert _YOUNGER.search(code) is None
    assert _YOUNGER.search("const a = 1") is not None
    styles = (Path(korgool.app.__file__).parent / "static/css/wall.css").read_text(encoding="utf-8")
    assert not re.search(r":is\(|:has\(|var\(--|grid|\bgap\b|clamp\(|min\(|max\(|@supports|@layer", styles)


def test_what_is_set_at_the_desk_is_on_the_wall_which_goes_by_the_clock_of_the_server(
    table: NewTable, home: House
) -> None:
    ann = table(WALLS["small"], address=home.address)
    account = sign_up(home, ann, "Wally")
    event = shown(home, account, 60)
    wall = ann.page.context.new_page()
    # The device's clock is hours wrong, and somebody sets it while the wall hangs there.
    wall.add_init_script("const real = Date.now; Date.prototype.getTime = () => real.call(Date) - 10000000;")
    wall.goto(f"{home.address}/events/{event.id}/wall")
    expect(wall.locator("h1")).to_contain_text("Round 1")
    assert wall.locator(".rows tr").count() == 24
    assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight"), "a screen fits without scrolling"
    ann.page.goto(f"{home.address}/events/{event.id}/desk/wall")
    ann.page.get_by_label("Minutes until it begins").fill("2")
    ann.page.get_by_role("button", name="Count down").click()
    expect(wall.locator(".clock.before .say")).to_have_text("Round 1 begins in")
    began = int(wall.locator(".clock").get_attribute("data-begins") or 0)
    minutes, seconds = map(int, wall.locator(".time").inner_text().split(":"))
    assert abs((began - now_ms()) / 1000 - (60 * minutes + seconds)) < 2, "not a second from the server's time"
    do(home, event, account, do="clock", round=1, shift=-122)
    expect(wall.locator(".clock.begun .say")).to_have_text("Round 1 has begun")
    expect(wall.locator(".clock .more")).to_contain_text(re.compile(r"Late players have \d+:\d\d"))
    do(home, event, account, do="announce", kind="begin", boards=[3, 7])
    expect(wall.locator(".call:visible")).to_have_text("Boards 3, 7: please begin")
    assert min(wall.evaluate(LETTERS)) > 0.039, "every letter is at least 4 % of the height"
    assert violations_here(wall) == []
    do(home, event, account, do="result", round=1, board=1, result="82-60")
    wall.goto(f"{home.address}/events/{event.id}/wall/4")
    expect(wall.locator(".boards tr").first).to_contain_text("1–0")


def test_the_wall_keeps_its_picture_without_a_network_and_says_since_when(table: NewTable, home: House) -> None:
    ann = table(WALLS["large"], address=home.address, expected="ERR_INTERNET_DISCONNECTED")
    account = sign_up(home, ann, "Wilma")
    event = shown(home, account, 8)
    page = ann.page
    page.goto(f"{home.address}/events/{event.id}/wall")
    do(home, event, account, do="clock", round=1, seconds=-300)
    expect(page.locator(".clock.late")).to_be_visible()
    first = page.locator(".rows tr").first.inner_text()
    page.context.set_offline(True)
    expect(page.locator("#cut")).to_contain_text(re.compile(r"No connection since \d\d:\d\d"), timeout=PATIENCE * 1000)
    assert page.locator(".rows tr").first.inner_text() == first
    before = page.locator(".time").inner_text()
    expect(page.locator(".time")).not_to_have_text(before)  # its clock goes on
    do(home, event, account, do="result", round=1, board=1, result="82-60")
    page.context.set_offline(False)
    expect(page.locator("#cut")).to_be_hidden()
    expect(page.locator("#wall")).to_have_attribute("data-version", str(event.seq))

"""What waits for a player, on every page and while it is open: the badge, the title, *Your turn*, the next game."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.page.conftest import PHONE, NewTable, start_server
from tests.page.table import PLAYABLE, Table, expect
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own, without limits."""
    process, address = start_server(tmp_path_factory.mktemp("now"), 0, "--limits", "off")
    yield address
    process.terminate()
    process.wait(PATIENCE)


def ask(table: Table, path: str, body: object = None) -> dict[str, object]:
    """A request of the table's visitor."""
    found: dict[str, object] = table.page.evaluate(
        """async ([path, body]) => {
          const token = document.querySelector('meta[name="csrf-token"]').content;
          const headers = { "content-type": "application/json", accept: "application/json", "x-csrftoken": token };
          const how = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
          const answer = await fetch(path, how);
          if (!answer.ok) throw new Error(await answer.text());
          return answer.json();
        }""",
        [path, body],
    )
    return found


def begin(white: Table, black: Table, clock: str = "3d") -> str:
    """A game between two people; its address."""
    made = ask(white, "/api/challenges", {"game": "toguz", "to": "link", "side": "white", "clock": clock})
    return str(ask(black, f"/api/challenges/{made['id']}/accept", {})["game"])


def test_eight_slow_games_are_answered_in_eight_moves_and_a_tap_each(table: NewTable, address: str) -> None:
    mine, theirs = table(PHONE, address=address), table(PHONE, address=address)
    for one in (mine, theirs):
        one.page.goto(f"{address}/")
    games = {begin(mine, theirs) for _ in range(8)}
    page = mine.page
    page.add_init_script("localStorage.setItem('korgool.speed', 'off')")
    page.goto(f"{address}/games")
    badge = page.locator("[data-waiting-badge]")
    expect(badge.locator(".badge")).to_have_text("8")
    expect(page).to_have_title(re.compile(r"^\(8\) "))
    section = page.locator(".waiting-list")
    expect(section.get_by_role("heading")).to_have_text("Your turn (8)")
    expect(section.get_by_role("link")).to_have_count(8)
    expect(section.get_by_role("link").first).to_contain_text("your move, 2 days left")
    section.get_by_role("link").first.tap()
    answered: set[str] = set()
    for left in range(7, -1, -1):
        page.wait_for_url(lambda url: url.rpartition("/")[2] in games - answered)
        answered.add(page.url.rpartition("/")[2])
        if left:
            expect(page).to_have_title(re.compile(rf"^\({left}\) "))
        page.locator(f'{PLAYABLE}[data-hole="1"]').tap()
        following = page.get_by_role("link", name=re.compile("Next game"))
        if left:
            expect(following).to_have_text(re.compile(rf"Next game\s+{left}"))
            following.tap()
        else:
            expect(page.locator(".strip.far .clock")).to_be_visible()
            expect(following).to_be_hidden()
    assert answered == games
    expect(badge).to_be_hidden()
    page.goto(f"{address}/games")
    expect(page.locator(".waiting-list")).to_be_hidden()
    expect(page.locator(".recent:not(.waiting-list) li").first).to_contain_text(re.compile(r"waiting for Guest \d{4}"))


def test_an_open_page_hears_of_what_comes_and_goes(table: NewTable, address: str) -> None:
    mine, theirs = table(PHONE, address=address), table(PHONE, address=address)
    for one in (mine, theirs):
        one.page.goto(f"{address}/")
    game = begin(theirs, mine)
    mine.page.goto(f"{address}/games")
    badge = mine.page.locator("[data-waiting-badge]")
    expect(badge).to_be_hidden()
    expect(mine.page).to_have_title("Your games · Korgool")
    state = ask(theirs, f"/api/games/{game}")
    ask(theirs, f"/api/games/{game}/move", {"hole": 1, "version": state["version"]})
    expect(badge).to_be_visible()
    expect(badge.locator(".badge")).to_have_text("1")
    expect(mine.page).to_have_title("(1) Your games · Korgool")
    expect(mine.page.locator(".waiting-list")).to_contain_text("your move, 2 days left")
    ask(theirs, f"/api/games/{game}/offer-draw", {})
    expect(mine.page.locator(".waiting-list")).to_contain_text("they offer a draw, 2 days left")
    ask(mine, f"/api/games/{game}/accept-draw", {})
    expect(badge).to_be_hidden()
    expect(mine.page).to_have_title("Your games · Korgool")
    expect(mine.page.locator(".waiting-list")).to_be_hidden()

"""Pages of a helper that stay open while another machine takes over: they go on without being loaded again."""

from __future__ import annotations

import httpx

from tests.page.conftest import PHONE, NewTable
from tests.page.table import expect
from tests.patience import eventually
from tests.server.test_take_over import Hall, hall

__all__ = ["hall"]


def test_open_pages_of_a_helper_go_on_after_a_take_over(hall: Hall, table: NewTable) -> None:
    """The grid and the check-in, which have the token of the dead machine."""
    id_, origin = hall.id, hall.first.url
    made = hall.api("POST", f"/{id_}/helpers", {"role": "deputy"})
    grid = table(PHONE, address=origin, expected="ERR_|Failed to load|40[13]").page
    grid.goto(f"{origin}/events/{id_}/join/{made['token']}")
    grid.get_by_label("Your name").fill("Cholpon")
    grid.keyboard.press("Enter")
    grid.wait_for_url("**/desk")
    grid.goto(f"{origin}/events/{id_}/desk/round/1")
    grid.locator("#grid[data-ready]").wait_for(state="attached")
    check_in = grid.context.new_page()
    check_in.goto(f"{origin}/events/{id_}/desk/check-in?round=2")
    for page in (grid, check_in):
        page.evaluate("window.same = true")
    second = hall.stand_by()
    hall.holds(second, hall.seq)
    second.kill()
    hall.first.kill()
    leader, _ = hall.take_over()
    try:
        check_in.locator("#q").fill("Player3")
        check_in.keyboard.press("Enter")
        expect(check_in.locator("#people > li.there")).to_have_count(1)
        expect(check_in.locator("[data-unsent]")).to_have_count(0)
        grid.locator("#r1").fill("82-60")
        grid.keyboard.press("Enter")
        games = f"{origin}/api/events/{id_}/rounds/1"
        eventually(lambda: httpx.get(games).json()[0]["result"] == "1-0", "the result")
        assert all(page.evaluate("window.same") for page in (grid, check_in))
    finally:
        grid.context.close()
        leader.kill()

"""What time alone decides, as two browsers see it: nobody comes, nobody begins, and the deadline of a slow game falls.

The server's clock is set forward; the pages sit there and are told.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from korgool.app.server.core import wall_clock
from korgool.live.decisions import FIRST_MOVE_MS, JOIN_MS
from korgool.live.terms import DAY_MS
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.people import House, house, leave, sit
from tests.page.table import PLAYABLE, expect


class Clock:
    """The clock of the server in this process."""

    def __init__(self, home: House) -> None:
        self._home = home
        self._ahead_ns = 0

    def elapsed_ns(self) -> int:
        return time.monotonic_ns() + self._ahead_ns

    def passes(self, milliseconds: int) -> None:
        """So much later, the server looks at its deadlines."""
        self._home.run(self._pass(milliseconds))

    async def _pass(self, milliseconds: int) -> None:
        self._ahead_ns += milliseconds * 1_000_000
        self._home.game_registry.alone._seen = None  # it has not stood still: the clock is set while it runs
        await self._home.game_registry._load_due()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("deadlines")) as made:
        yield made


@pytest.fixture
def clock(home: House, monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock(home)
    monkeypatch.setattr(wall_clock, "_elapsed_ns", made.elapsed_ns)
    return made


def test_deadlines_as_two_browsers_see_them(table: NewTable, home: House, clock: Clock) -> None:
    white, black = table(DESK, address=home.address), table(PHONE, address=home.address)

    # Black never comes, and finds the game called off when they do.
    url = home.seat(white, black, clock="5+3")
    sit(white, url)
    clock.passes(JOIN_MS - 60_000)
    expect(white.page.locator("#waiting")).to_be_visible()
    clock.passes(60_000)
    expect(white.page.locator("#outcome")).to_contain_text("The game was called off")
    expect(white.page.locator("#waiting")).to_be_hidden()
    sit(black, url)
    expect(black.page.locator("#outcome")).to_contain_text("The game was called off")

    # Both are there, and White does not begin.
    url = home.seat(white, black, clock="5+3")
    for player in (white, black):
        sit(player, url)
    expect(white.page.locator(PLAYABLE).first).to_be_visible()
    clock.passes(FIRST_MOVE_MS)
    for player in (white, black):
        expect(player.page.locator("#outcome")).to_contain_text("The game was called off")
        expect(player.page.locator(PLAYABLE)).to_have_count(0)

    # A slow game: each move has its days, and Black lets theirs pass.
    url = home.seat(white, black, clock="3d")
    for player in (white, black):
        sit(player, url)
    clock.passes(2 * DAY_MS)
    white.press(7)
    black.wait_for_ply(1)
    clock.passes(3 * DAY_MS - 60_000)
    assert black.state()["outcome"] is None
    clock.passes(60_000)
    expect(white.page.get_by_role("heading", name="You win")).to_be_visible()
    expect(black.page.get_by_role("heading", name=re.compile(r"^Guest \d{4} wins$"))).to_be_visible()
    for player in (white, black):
        assert player.state()["outcome"]["termination"] == "time"
    leave(white, black)

"""The puzzle of the day on the first page: by the cookie of a device, hostile ones too, and by the account."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from korgool.app.server.school.puzzles.day_state import DayState, read_cookie
from korgool.app.server.school.puzzles.tasks import of_the_day, today

from .members import Site, on_site
from .test_puzzle_answers import answer, right, send

DAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("2026-11-29.toguz.3", DayState(True, 3)),
        ("2026-11-29.castle-toguz.12", DayState(True, 12)),
        ("2026-11-29.castle.3", DayState(False, 3)),
        ("2026-11-28.toguz.3", DayState(False, 3)),  # today is not over
        ("2026-11-27.toguz.3", DayState()),
        ("2026-11-30.toguz.3", DayState()),
        ("2026-11-29..0", DayState()),
        ("2026-13-41.toguz.3", DayState()),
        ("2026-11-29.toguz.3x", DayState()),
        ("2026-11-29.toguz.9999", DayState()),
        ("2026-11-29.<b>.3", DayState()),
        ("٢٠٢٦-11-29.toguz.3", DayState()),
        ("x" * 4000, DayState()),
        ("", DayState()),
    ],
)
def test_the_cookie_of_a_device(text: str, state: DayState) -> None:
    assert read_cookie(text, "toguz", DAY) == state


def test_an_account_knows_its_own_days(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = site.browser()
        await ann.sign_up("Annasolver")
        page = (await ann.client.get("/?game=castle")).text
        assert "data-puzzle" in page
        for back in range(3):
            day = today() - timedelta(days=back)
            puzzle = of_the_day("castle", day)
            assert puzzle is not None
            await send(ann, answer(puzzle, right(puzzle), day=day.isoformat()))
        page = (await ann.client.get("/?game=castle")).text
        assert "data-puzzle" not in page
        assert "3 days in a row." in page
        # Another one at the same device sees theirs, and not what a cookie says of the device.
        bob = site.browser()
        await bob.sign_up("Bobsolver")
        bob.client.cookies.set("puzzle", f"{today()}.castle.9")
        page = (await bob.client.get("/?game=castle")).text
        assert "data-puzzle" in page
        assert "9 days" not in page

    on_site(tmp_path, test)

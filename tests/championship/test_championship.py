"""A championship as a play by script: groups, officials, phones, a laptop that dies, and what stands at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.championship.cast import SMALL, WHOLE, Group, typed
from tests.championship.hall import Official, Organiser
from tests.championship.twins import assert_twins, play_single
from tests.page.conftest import start_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def championship(folder: Path, browser: Browser, groups: Sequence[Group]) -> None:
    """All rounds of all groups."""
    process, address = start_server(folder / "laptop", 0, "--limits", "off")
    try:
        organiser = Organiser(address)
        organiser.begin(groups)
        officials = [Official(browser, organiser.invited("results"), name) for name in ("Ben", "Cleo")]
        for number in range(1, max(one.rounds for one in groups) + 1):
            playing = [one for one in groups if one.rounds >= number]
            for group in playing:
                boards = organiser.pair(group, number)
                results = {one["board"]: typed(group, number, one["white_name"], one["black_name"]) for one in boards}
                for at, official in enumerate(officials):
                    mine = {board: text for board, text in results.items() if board % 2 == at}
                    official.types(f"{address}/events/{organiser.address_of(group)}", number, mine)
        together = folder / "championship.korgool"
        organiser.download(together)
    finally:
        process.kill()
    singles = [play_single(folder, group, at) for at, group in enumerate(groups)]
    assert_twins(together, singles, groups)


def test_a_championship(tmp_path: Path, browser: Browser) -> None:
    championship(tmp_path, browser, SMALL)


@pytest.mark.long
def test_a_whole_championship(tmp_path: Path, browser: Browser) -> None:
    championship(tmp_path, browser, WHOLE)

"""Pictures of start, middle, tuz and end for people to judge: two languages, desk and phone, light and dark.

`KORGOOL_PICTURES=folder python3 run.py test -m long tests/page/test_pictures.py` writes them to the folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from korgool.rules import GAMES
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.table import Table

LOOKS = [
    ("desk-en", DESK, "en", "light"),
    ("desk-ky", DESK, "ky", "dark"),
    ("phone-en", PHONE, "en", "dark"),
    ("phone-ky", PHONE, "ky", "light"),
]


def has_tuz(table: Table) -> bool:
    return any(owner is not None for owner in table.state()["tuz"])


@pytest.mark.long
@pytest.mark.parametrize(("name", "size", "language", "scheme"), LOOKS)
@pytest.mark.parametrize("game", GAMES)
def test_pictures(
    table: NewTable, tmp_path: Path, game: str, name: str, size: dict[str, object], language: str, scheme: str
) -> None:
    folder = Path(os.environ.get("KORGOOL_PICTURES") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    board = table(size, locale=language, color_scheme=scheme)
    taken: list[str] = []

    def picture(moment: str, *, whole: bool = False) -> None:
        board.page.screenshot(path=folder / f"{game}-{name}-{moment}.png", full_page=whole)
        taken.append(moment)

    board.page.goto(f"{board.address}/")
    picture("home", whole=True)
    board.start(game, clock="10+5", level=2)
    picture("start")
    while board.wait_for_turn():
        ply, hole = board.plies(), board.best()
        own = board.page.locator(f'.hole-button[data-side="white"][data-hole="{hole}"]')
        if board.state()["previews"][str(hole)]["tuz"] and "preview" not in taken:
            own.hover()
            picture("preview")
        own.click()
        board.wait_for_ply(ply + 1)
        if ply >= 8 and "middle" not in taken:
            board.wait_for_turn()
            picture("middle")
        if "tuz" not in taken and has_tuz(board):
            board.wait_for_turn()
            picture("tuz")
    board.page.locator("#graph svg").wait_for(state="attached")
    picture("end", whole=True)
    assert {"home", "start", "end"} <= set(taken)

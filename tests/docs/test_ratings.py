"""The ratings that the pages show are those that the manual gives."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from korgool.engine.ratings import PEOPLE, RATINGS
from korgool.rules import GAMES

MANUAL = (Path(__file__).parents[2] / "docs" / "levels.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table that begins with this line."""
    table = MANUAL.split(f"\n{heading}\n", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_ratings_of_toguz_korgool() -> None:
    found = [int(row[1].split()[0]) for row in rows("| level | rating | above the one below | games |")]
    assert tuple(found) == RATINGS["toguz"]


def test_steps_of_the_other_games() -> None:
    table = rows("| level | mangala | mangala with the castle | bestemshe |")
    for column, game in enumerate(("mangala", "castle", "bestemshe"), 1):
        steps = [int(re.sub(r"[+ ].*", "", row[column].lstrip("+"))) for row in table]
        assert [above - below for below, above in pairwise(RATINGS[game])] == steps
    assert set(RATINGS) == set(GAMES)


def test_people_who_play_like_the_levels() -> None:
    table = rows("| level | moves | given away a move, % | plays like a player rated |")
    told = [re.search(r"about (\d+)", row[3]) for row in table]
    assert tuple(None if found is None else int(found[1]) for found in told) == PEOPLE

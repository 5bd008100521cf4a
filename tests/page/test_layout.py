"""The geometry of the board: everything has room on every screen, however the stones lie."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import NewTable

GAMES = [(9, False, 162), (6, True, 48), (5, False, 50)]
SIZES = [(900, 610), (1140, 760), (344, 540), (344, 440), (360, 980), (500, 258), (804, 980)]
MEASURE = """async ([width, height, holes, ends, most]) => {
  const {layout, packHole, packStore} = await import("/static/js/layout.js");
  const made = layout(width, height, holes, ends);
  const packs = [];
  for (const place of [made.near[0], made.far[holes - 1]]) {
    for (const count of [1, 2, 9, 12, 13, 23, 41, Math.min(100, most)]) {
      packs.push({box: place.box, count, packed: packHole(place.stones, count)});
    }
  }
  for (const place of [made.stores.near, made.stores.far]) {
    for (const count of [1, 10, Math.min(82, most), most]) {
      packs.push({box: place.box, count, packed: packStore(place.stones, count, most, place === made.stores.near)});
    }
  }
  return {made, packs};
}"""


def inside(inner: dict[str, float], outer: dict[str, float]) -> bool:
    """Whether a box lies in another, give or take half a pixel."""
    return (
        inner["x"] >= outer["x"] - 0.5
        and inner["y"] >= outer["y"] - 0.5
        and inner["x"] + inner["w"] <= outer["x"] + outer["w"] + 0.5
        and inner["y"] + inner["h"] <= outer["y"] + outer["h"] + 0.5
    )


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes share no pixel."""
    return (
        one["x"] + one["w"] <= other["x"] + 0.5
        or other["x"] + other["w"] <= one["x"] + 0.5
        or one["y"] + one["h"] <= other["y"] + 0.5
        or other["y"] + other["h"] <= one["y"] + 0.5
    )


@pytest.mark.parametrize(("holes", "ends", "most"), GAMES)
def test_everything_has_room(table: NewTable, holes: int, ends: bool, most: int) -> None:
    board = table()
    board.page.goto(f"{board.address}/")
    for width, height in SIZES:
        found: dict[str, Any] = board.page.evaluate(MEASURE, [width, height, holes, ends, most])
        made = found["made"]
        assert made["vertical"] == (height > width)
        screen: dict[str, float] = {"x": 0, "y": 0, "w": width, "h": height}
        assert inside(made["panel"], screen)
        places = [*made["near"], *made["far"], *made["stores"].values()]
        for place in places:
            assert inside(place["box"], made["panel"])
            assert inside(place["stones"], place["box"])
            count = place["count"]
            assert inside({"x": count["x"], "y": count["y"], "w": 0, "h": 0}, place["box"])
        for index, place in enumerate(places):
            assert all(apart(place["box"], other["box"]) for other in places[index + 1 :])
        buttons = [place["button"] for place in [*made["near"], *made["far"]]]
        for index, button in enumerate(buttons):
            assert all(apart(button, other) for other in buttons[index + 1 :])
            assert min(button["w"], button["h"]) >= (44 if height >= 440 else 40)
        for pack in found["packs"]:
            r, at = pack["packed"]["r"], pack["packed"]["at"]
            assert len(at) == pack["count"]
            assert r >= (2.3 if pack["count"] <= 41 else 1.7), (width, height, pack["count"])
            for stone in at:
                assert inside({"x": stone["x"] - r, "y": stone["y"] - r, "w": 2 * r, "h": 2 * r}, pack["box"])
            spots = sorted((stone["x"], stone["y"]) for stone in at)
            assert len(set(spots)) == len(spots)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_near_row_and_its_direction(table: NewTable, width: int, height: int) -> None:
    """Hole 1 at the player's left; on a tall board the near row is the right column, hole 1 at the bottom."""
    board = table()
    board.page.goto(f"{board.address}/")
    made = board.page.evaluate(MEASURE, [width, height, 9, False, 162])["made"]
    near, far = made["near"], made["far"]
    along = [place["box"]["x"] if width >= height else -place["box"]["y"] for place in near]
    assert along == sorted(along)
    across = "y" if width >= height else "x"
    assert all(one["box"][across] > other["box"][across] for one in near for other in far)
    for hole in range(9):
        line = "x" if width >= height else "y"
        assert near[hole]["box"][line] == pytest.approx(far[8 - hole]["box"][line])

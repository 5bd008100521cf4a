"""The geometry of the board: everything has room in every picture, however the stones lie."""

from __future__ import annotations

import pytest

from korgool.app.server.http.stone_layout import Box, pack_hole, pack_store
from korgool.app.server.play.board_picture import BoardPlace, Shape, layout
from korgool.rules import GAMES

SHAPES: tuple[Shape, ...] = ("wide", "low", "tall")


def inside(inner: Box, outer: Box) -> bool:
    """Whether a box lies in another, give or take half a unit."""
    return (
        inner.x >= outer.x - 0.5
        and inner.y >= outer.y - 0.5
        and inner.x + inner.w <= outer.x + outer.w + 0.5
        and inner.y + inner.h <= outer.y + outer.h + 0.5
    )


def apart(one: Box, other: Box) -> bool:
    """Whether two boxes share nothing."""
    return (
        one.x + one.w <= other.x + 0.5
        or other.x + other.w <= one.x + 0.5
        or one.y + one.h <= other.y + 0.5
        or other.y + other.h <= one.y + 0.5
    )


def all_apart(boxes: list[Box]) -> bool:
    return all(apart(box, other) for index, box in enumerate(boxes) for other in boxes[index + 1 :])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("game", GAMES)
def test_everything_has_room(game: str, shape: Shape) -> None:
    made = layout(game, shape)
    assert (made.height > made.width) == (shape == "tall")
    sheet = Box(0, 0, made.width, made.height)
    places = [*made.places["near"], *made.places["far"]]
    for place in places:
        assert inside(place.box, sheet)
        assert inside(place.stones, place.box)
        assert inside(Box(*place.count, 0, 0), place.box)
        # Two digits are as wide as the letters are high and a bit; they keep off the stones.
        assert apart(Box(place.count[0] - 0.55 * made.text, place.count[1], 1.1 * made.text, 0), place.stones)
    assert all_apart([place.box for place in places])
    buttons = [place.button for place in places if place.button is not None]
    assert len(buttons) == 2 * GAMES[game].holes
    assert all_apart(buttons)
    assert min(min(button.w, button.h) for button in buttons) >= 44
    for row in ("near", "far"):
        store = made.places[row][0]
        assert store.owner is not None
        disc = made.text * 0.34
        assert inside(Box(store.owner[0] - disc, store.owner[1] - disc, 2 * disc, 2 * disc), store.box)
        assert apart(Box(store.owner[0] - disc, store.owner[1] - disc, 2 * disc, 2 * disc), store.stones)


def packs(place: BoardPlace, most: int) -> list[tuple[int, float, tuple[tuple[float, float], ...]]]:
    counts = range(most + 1)
    if place.button is not None:
        return [(n, heap.r, heap.at) for n in counts if (heap := pack_hole(place.stones, n))]
    made = [pack_store(place.stones, n, most, backwards=place.backwards) for n in counts]
    return [(n, heap.r, heap.at) for n, heap in enumerate(made)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("game", GAMES)
def test_no_stone_lies_outside_or_on_another(game: str, shape: Shape) -> None:
    made = layout(game, shape)
    for row in ("near", "far"):
        for place in made.places[row][:2]:
            for count, r, at in packs(place, made.most):
                assert len(at) == count
                assert r >= (2.2 if count <= 41 or place.button is None else 1.1), (row, count)
                assert all(inside(Box(x - r, y - r, 2 * r, 2 * r), place.box) for x, y in at)
                assert len({(round(x, 1), round(y, 1)) for x, y in at}) == count


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("game", GAMES)
def test_a_stone_more_leaves_the_others_as_large_as_they_are(game: str, shape: Shape) -> None:
    """The tenth above all: every hole of toguz korgool begins with nine."""
    made = layout(game, shape)
    sizes = [pack_hole(made.places["near"][1].stones, count).r for count in range(GAMES[game].total + 1)]
    assert len(set(sizes[:13])) == 1
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes[:43])) <= 4


@pytest.mark.parametrize("game", GAMES)
def test_the_pictures_of_all_games_have_the_form_of_the_room_that_a_screen_leaves(game: str) -> None:
    wide, low = layout(game, "wide"), layout(game, "low")
    assert (round(wide.width), round(wide.height)) == (1050, 517)
    assert (round(low.width), round(low.height)) == (500, 258)


@pytest.mark.parametrize("shape", SHAPES)
def test_near_row_and_its_direction(shape: Shape) -> None:
    """Hole 1 at the player's left; on a tall board the near row is the left column, hole 1 on top."""
    near, far = (layout("toguz", shape).places[row][1:] for row in ("near", "far"))
    along = [place.box.y if shape == "tall" else place.box.x for place in near]
    assert along == sorted(along)
    if shape == "tall":
        assert all(one.box.x < other.box.x for one in near for other in far)
    else:
        assert all(one.box.y > other.box.y for one in near for other in far)
    for hole, place in enumerate(near):
        opposite = far[8 - hole].box
        assert (
            (place.box.y == pytest.approx(opposite.y)) if shape == "tall" else place.box.x == pytest.approx(opposite.x)
        )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("game", GAMES)
def test_the_near_store_is_the_nearer_one(game: str, shape: Shape) -> None:
    """Its number lies nearer to the near edge, where its owner's name stands, than the number of the far store."""
    made = layout(game, shape)
    near, far = made.places["near"][0], made.places["far"][0]
    assert near.count[1] > made.height / 2 > far.count[1]
    if shape == "tall" or game in ("toguz", "bestemshe"):
        assert near.box.y > far.box.y + far.box.h
    else:
        assert near.box.x > far.box.x + far.box.w

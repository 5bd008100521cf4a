"""A game as an animated picture: every frame is the board of its position, and the file is small."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from korgool import GAMES, Game, Position, Side
from korgool.notation import animated_board, png_board
from korgool.notation.animation import MOST_FRAMES


def greedy(game: str, plies: int) -> list[int]:
    """A game in which both players capture the most they can."""
    position, moves = GAMES[game].start(), list[int]()
    while len(moves) < plies and position.outcome() is None:
        moves.append(max(position.legal_moves(), key=lambda hole: position.sow(hole).taken))
        position = position.play(moves[-1])
    return moves


def frames(content: bytes) -> list[Image.Image]:
    """The frames as they are seen."""
    film = Image.open(BytesIO(content))
    seen = []
    for place in range(film.n_frames):  # type: ignore[attr-defined]
        film.seek(place)
        seen.append(film.convert("RGB"))
    return seen


def far_apart(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures, in 256ths."""
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("below", Side)
def test_every_frame_is_the_board_of_its_position(game: str, below: Side) -> None:
    played = Game(GAMES[game], greedy(game, 14))
    seen = frames(animated_board(GAMES[game].start(), played.moves, below=below))
    assert len(seen) == len(played.moves) + 1
    for place, picture in enumerate(seen):
        trace = played.positions[place - 1].sow(played.moves[place - 1]) if place else None
        whole = Image.open(BytesIO(png_board(played.positions[place], trace=trace, below=below, width=picture.width)))
        expected = Image.new("RGB", whole.size, "white")
        expected.paste(whole, mask=whole.getchannel("A"))
        assert picture.size == expected.size
        own = far_apart(picture, expected)
        assert own < 3
        if place:
            assert far_apart(seen[place - 1], expected) > own


def test_a_whole_game_is_small_and_shows_each_position_long_enough() -> None:
    moves = greedy("toguz", 400)
    content = animated_board(GAMES["toguz"].start(), moves, milliseconds=700)
    assert len(moves) > 100
    assert len(content) < 700_000
    film = Image.open(BytesIO(content))
    assert film.info["loop"] == 0
    assert film.info["duration"] == 1500
    film.seek(1)
    assert film.info["duration"] == 700
    assert len(frames(animated_board(GAMES["toguz"].start(), ()))) == 1


def test_what_cannot_be_drawn_is_refused() -> None:
    start = Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1")
    for moves, options, said in [
        ((0,), {}, "no hole 0"),
        ((7,) * MOST_FRAMES, {}, "at most 500 frames"),
        ((7,), {"milliseconds": 10}, "from 100 to 10,000"),
        ((7,), {"theme": "gold"}, "no theme 'gold'"),
    ]:
        with pytest.raises(ValueError, match=said):
            animated_board(start, moves, **options)  # type: ignore[arg-type]

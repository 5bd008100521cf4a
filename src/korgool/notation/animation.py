"""A game as one animated picture (GIF), a frame for each position.

Most of a board stays as it was, so a frame is put together from pictures of its holes, each drawn once; drawn as
wholes, the frames would take several times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING

from korgool.notation.svg import THEMES, BoardCell, board_cells
from korgool.rules import Position, Side, Sowing

if TYPE_CHECKING:
    from PIL import Image

MOST_FRAMES = 500
"""Frames that one picture may have; the longest games of people have about three hundred."""
_COLOURS = 40
_SAME = 255
"""The colour of what a frame leaves as it was."""
_FIRST_MS, _LAST_MS = 1500, 4000
_WIDE = 900
"""Drawing units: wider boards take half as many pixels, narrower ones as many."""
_SWATCH = 12
"""Pixels that a rare colour is high where colours are chosen."""


def animated_board(
    start: Position,
    moves: Sequence[int],
    *,
    below: Side = Side.WHITE,
    theme: str = "wood",
    milliseconds: int = 1000,
) -> bytes:
    """The game as an animated GIF that begins anew after its last position; some 460 pixels wide.

    Args:
        start: where it starts.
        moves: hole numbers of the plies.
        below: the side whose row stands below.
        theme: as in `svg_board`.
        milliseconds: how long a position is shown; the first and the last are shown longer.

    Raises:
        ValueError: there are more than `MOST_FRAMES` frames, a move cannot be played, there is no such theme, or the
            time is not from 100 to 10,000 milliseconds.
    """
    if len(moves) + 1 > MOST_FRAMES:
        raise ValueError(
            f"an animated picture has at most {MOST_FRAMES} frames, and the game would take {len(moves) + 1}"
        )
    if not 100 <= milliseconds <= 10_000:
        raise ValueError(f"a position is shown for {milliseconds} milliseconds; it must be from 100 to 10,000")
    positions, sowings = [start], list[Sowing | None]([None])
    for hole in moves:
        sowing = positions[-1].sow(hole)
        positions.append(sowing.after)
        sowings.append(sowing)
    studio = _Studio(below, theme)
    studio.choose_colours({positions[0], positions[len(moves) // 2], positions[-1]})
    frames = [studio.frame(*one) for one in zip(positions, sowings, strict=True)]
    first, *others = frames[0], *(_change(before, now) for before, now in pairwise(frames))
    shown = [_FIRST_MS, *[milliseconds] * (len(frames) - 2), _LAST_MS] if others else [_LAST_MS]
    whole = BytesIO()
    first.save(
        whole,
        "GIF",
        save_all=True,
        append_images=others,
        duration=shown,
        loop=0,
        optimize=False,
        disposal=1,
        transparency=_SAME,
    )
    return whole.getvalue()


class _Studio:
    """Draws positions from parts, each of which is drawn once."""

    def __init__(self, below: Side, theme: str) -> None:
        self.below, self.theme = below, theme
        self._palette: Image.Image | None = None
        self._drawn: dict[tuple[int, int, str], Image.Image] = {}

    def choose_colours(self, positions: Iterable[Position]) -> None:
        """Choose the colours of all frames from some positions and from the theme itself, of which some are rare."""
        from PIL import Image

        pictures = [self.frame(position, None) for position in positions]
        width, height = pictures[0].size
        look = THEMES[self.theme]
        rare = [look.tuz, look.accent, look.stone, look.shine, look.count, look.ink, *look.discs, *look.crosses]
        sample = Image.new("RGB", (width, height * len(pictures) + _SWATCH * len(rare)))
        for place, picture in enumerate(pictures):
            sample.paste(picture, (0, place * height))
        for place, colour in enumerate(rare):
            sample.paste(colour, (0, height * len(pictures) + place * _SWATCH, width, sample.height))
        self._palette = sample.quantize(_COLOURS, dither=Image.Dither.NONE)
        self._drawn.clear()

    def frame(self, position: Position, sowing: Sowing | None) -> Image.Image:
        """A position after the ply that led there."""
        ground, *cells = board_cells(position, trace=sowing, below=self.below, theme=self.theme)
        size = 1 if ground.width < _WIDE else 2
        frame = self._picture(ground, "", size).copy()
        for cell in cells:
            frame.paste(self._picture(cell, ground.drawing, size), (cell.x // size, cell.y // size))
        return frame

    def _picture(self, cell: BoardCell, ground: str, size: int) -> Image.Image:
        import resvg_py  # a compiled library, loaded when an image is asked for
        from PIL import Image

        key = cell.x, cell.y, cell.drawing
        if key not in self._drawn:
            box = f"{cell.x} {cell.y} {cell.width} {cell.height}"
            pixels = cell.width // size, cell.height // size
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{pixels[0]}" height="{pixels[1]}">'
            svg += f"{ground}{cell.drawing}</svg>"
            drawn = Image.open(BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))))
            picture = Image.new("RGB", pixels, "white")
            picture.paste(drawn, mask=drawn.getchannel("A"))
            if self._palette is not None:
                picture = picture.quantize(palette=self._palette, dither=Image.Dither.NONE)
            self._drawn[key] = picture
        return self._drawn[key]


def _change(before: Image.Image, now: Image.Image) -> Image.Image:
    """The pixels that have changed; all others say so, which makes the file a third as large."""
    from PIL import ImageChops

    # The difference of two images of one palette is that of their colours' numbers.
    same = ImageChops.difference(before, now).point([255] + [0] * 255, "L")
    changed = now.copy()
    changed.paste(_SAME, mask=same)
    return changed

"""The layout and content of the board on the pages. `templates/board.html` draws it.

There are three pictures of a board, and the style sheet shows the one that fits the screen: `wide` with one row above
the other, `low` the same for the small height of a phone in landscape, and `tall` for a phone held upright. Scripts
take over the picture as it is and read the positions of things from it, so the layout is computed only here.

The layout is computed once, lengthwise: u runs along the near player's row from their left, v from the far edge to the
near one. The tall picture is rotated by a quarter turn clockwise: the near row becomes the left column with hole 1 on
top, sowing stays counter-clockwise, and the near player's store is at the lower edge, beside their name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, Self

from korgool.app.server.http.stone_layout import Box, number, pack_hole, pack_store, rect, tenths
from korgool.app.server.play.game_events import NAMES
from korgool.app.server.play.state_messages import GameStateMessage
from korgool.app.words.games import won_hole
from korgool.rules import GAMES, Position, Rules, Side

Shape = Literal["wide", "low", "tall"]
Row = Literal["near", "far"]
_ROOMS: dict[Shape, tuple[float, float]] = {"wide": (1050, 517), "low": (500, 258), "tall": (470, 348)}
"""The length and breadth of a picture, in CSS pixels of the screen that it is made for: what a laptop of 1366 by 657, a
phone in landscape and a phone of 360 by 640 leave for it beside names, clocks and buttons."""
_HORN = 28


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A hole or a store.

    Attributes:
        box: its hollow.
        radius: of the corners of the hollow.
        stones: the field of the stones.
        count: the middle of their number.
        button: of a hole, the area to press: it covers hole and number and meets its neighbours without a dead strip.
        label: of a hole, the middle of its number.
        owner: of a store, the middle of the disc in its owner's colour, beside the count.
        backwards: of a store, whether it fills from the right or lower end, where its count is.
    """

    box: Box
    radius: float
    stones: Box
    count: tuple[float, float]
    button: Box | None = None
    label: tuple[float, float] | None = None
    owner: tuple[float, float] | None = None
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture of a board of `width` by `height` units; `places` has, for each row, the store and then the holes."""

    shape: Shape
    width: float
    height: float
    places: dict[Row, tuple[BoardPlace, ...]]
    band: Box | None
    text: float
    most: int


@cache
def layout(game: str, shape: Shape) -> Layout:
    """Computes where everything lies in one picture of a game's board."""
    rules = GAMES[game]
    return _Lengthwise(rules, shape).layout()


def has_ends(rules: Rules) -> bool:
    """True if the stores lie at the ends of the board, at the right hand of each player, not between the rows."""
    return rules.ending == "side_empty"


class _Lengthwise:
    def __init__(self, rules: Rules, shape: Shape) -> None:
        self.rules, self.shape = rules, shape
        self.holes, self.ends, self.tall = rules.holes, has_ends(rules), shape == "tall"
        length, breadth = _ROOMS[shape]
        small = breadth < 380
        self.rim, self.label, self.gap = (5, 17, 5) if small else (14, 22, 10)
        self.band = self.gap if small else 18  # an ornament along the middle
        edge, fixed = self.rim + self.label, self.band + (0 if self.ends else 2 * self.gap)
        across = (breadth - 2 * edge - fixed) / (2 if self.ends else 3)
        # Stores at the ends take a little more room than a hole each. Few holes are wider than deep.
        units, ends = self.holes + (2.2 if self.ends else 0), 2 * self.gap if self.ends else 0
        self.pitch = min((length - 2 * self.rim - ends) / units, across * 1.55)
        self.length = 2 * self.rim + self.pitch * units + ends
        self.depth = min(across, self.pitch * (2.4 if self.tall else 1.9 if self.ends else 2.1))
        self.trough = 0 if self.ends else min(self.depth * 0.5, breadth * 0.16)
        self.middle = self.band if self.ends else 2 * self.trough + 2 * self.gap + self.band
        self.breadth = 2 * edge + 2 * self.depth + self.middle
        self.text = max(14, min(24, self.pitch * (0.4 if self.tall else 0.27)))
        self.start = self.rim + (self.pitch * 1.1 + self.gap if self.ends else 0)
        self.far_v = edge
        self.near_v = edge + self.depth + self.middle

    def layout(self) -> Layout:
        """The picture."""
        size = (self.breadth, self.length) if self.tall else (self.length, self.breadth)
        places: dict[Row, tuple[BoardPlace, ...]] = {
            row: (self._store(row == "near"), *(self._hole(index, row == "near") for index in range(self.holes)))
            for row in ("near", "far")
        }
        # The ornament consists of whole horns from the middle; a small board has no room for it.
        band = None
        if self.band >= 12:
            long = self.pitch * self.holes
            whole = long // _HORN * _HORN
            v = self.far_v + self.depth + (0 if self.ends else self.gap + self.trough) + (self.band - 14) / 2
            band = self._box(self.start + (long - whole) / 2, v, whole, 14)
        return Layout(self.shape, *size, places, band, self.text, self.rules.total)

    def _box(self, u: float, v: float, du: float, dv: float) -> Box:
        # Rounded here: scripts read the written numbers, and must put the stones where the server has put them.
        return (Box(self.breadth - v - dv, u, dv, du) if self.tall else Box(u, v, du, dv)).rounded()

    def _point(self, u: float, v: float) -> tuple[float, float]:
        box = self._box(u, v, 0, 0)
        return box.x, box.y

    def _hole(self, index: int, near: bool) -> BoardPlace:
        inset, depth = max(2, self.pitch * 0.05), self.depth
        u = self.start + self.pitch * (index if near else self.holes - 1 - index) + inset
        du = self.pitch - 2 * inset
        v = self.near_v if near else self.far_v
        # The count is at the inner end of the hole and takes the width of a number, or its height.
        room = min(depth * (0.38 if self.tall else 0.34), self.text * (1.75 if self.tall else 1.5))
        inner = v + room / 2 + 2 if near else v + depth - room / 2 - 2
        pad, reach = max(3, du * 0.06), self.label / 2 + 9
        return BoardPlace(
            box=(box := self._box(u, v, du, depth)),
            radius=tenths(min(box.w, box.h) * 0.42),
            stones=self._box(u + pad, v + room if near else v + pad, du - 2 * pad, depth - room - pad),
            count=self._point(u + du / 2, inner),
            button=self._box(u - inset, v if near else v - reach, self.pitch, depth + reach),
            label=self._point(u + du / 2, v + depth + self.label / 2 if near else v - self.label / 2),
        )

    def _store(self, near: bool) -> BoardPlace:
        """Place each store beside its owner's name: White's below, if White sits below.

        Between the rows, one store lies below the other; in the tall picture they share the strip between the columns.
        At the ends of the board this follows by itself in the tall picture, and in the others the name is at the end of
        the store.
        """
        inset = max(2, self.pitch * 0.05)
        if self.ends:
            u = self.start + self.pitch * self.holes + self.gap if near else self.rim
            v = self.far_v - self.label * 0.4
            box = self._box(u, v, self.pitch * 1.1, 2 * self.depth + self.middle + self.label * 0.8)
        elif self.tall:
            half = (self.length - self.gap) / 2 - self.rim - inset
            u = (self.length + self.gap) / 2 if near else self.rim + inset
            box = self._box(u, self.far_v + self.depth + self.gap, half, 2 * self.trough + self.band)
        else:
            v = self.far_v + self.depth + self.gap + (self.trough + self.band if near else 0)
            box = self._box(self.rim + inset, v, self.length - 2 * (self.rim + inset), self.trough)
        # The head with disc and count is where the stones begin, at the end nearer to the owner's name.
        backwards = near != self.tall if self.ends else near and self.tall
        along = box.w >= box.h
        head = self.text * (4.2 if along else 2)
        long, pad = (box.w if along else box.h), min(6, box.h * 0.08)
        at, field = (long - head / 2, 0.0) if backwards else (head / 2, head)
        x, y = (box.x + at, box.y + box.h / 2) if along else (box.x + box.w / 2, box.y + at)
        stones = (
            Box(box.x + field + pad * (not field), box.y + pad, long - head - pad, box.h - 2 * pad)
            if along
            else Box(box.x + pad, box.y + field + pad * (not field), box.w - 2 * pad, long - head - pad)
        )
        return BoardPlace(
            box=box,
            radius=tenths(min(box.w, box.h) * (0.42 if self.ends else 0.3 if self.tall else 0.5)),
            stones=stones.rounded(),
            count=(x + self.text * 0.4, y),
            owner=(x - self.text * 1.25, y),
            backwards=backwards,
        )


class BoardPicture:
    """Values with which `templates/board.html` draws a board.

    Args:
        game: its short name.
        rows: stones in the near and in the far row, each from its owner's left; empty after a sweep.
        stores: stones in the near and in the far store.
        colours: of the near and the far side, `white` or `black`.
        tuz: number of the hole in the near and in the far row that is a tuz of the other side, or None.
        legal: holes of the near side that may be sown.
        marks: row and number of the hole sown last and of the place of its last stone (0 is the store), or nothing.
    """

    def __init__(
        self,
        game: str,
        rows: tuple[Sequence[int], Sequence[int]],
        stores: tuple[int, int],
        *,
        colours: tuple[str, str] = ("white", "black"),
        tuz: tuple[int | None, int | None] = (None, None),
        legal: Sequence[int] = (),
        marks: tuple[tuple[Row, int], tuple[Row, int]] | None = None,
    ) -> None:
        self.game, self.ends, self.marks = game, has_ends(GAMES[game]), marks
        self.word_of_tuz = won_hole(GAMES[game])
        names: tuple[Row, Row] = ("near", "far")
        self.sides = [
            (row, colours[index], (stores[index], *rows[index]), tuz[index], legal if index == 0 else ())
            for index, row in enumerate(names)
        ]

    @classmethod
    def start(cls, game: str) -> Self:
        """The start of a game, White below."""
        return cls.at(GAMES[game].start())

    @classmethod
    def at(cls, position: Position, below: Side = Side.WHITE) -> Self:
        """A position with the row of one side below."""
        above = below.other
        return cls(
            position.rules.name,
            (position.holes[below], position.holes[above]),
            (position.stores[below], position.stores[above]),
            colours=(NAMES[below], NAMES[above]),
            tuz=(position.tuz[above], position.tuz[below]),
        )

    @classmethod
    def of(cls, state: GameStateMessage) -> BoardPicture:
        """The board of a game as one viewer sees it."""
        near = 1 if state.you == "black" else 0
        far, rows = 1 - near, (state.white, state.black)
        marks = None
        if state.last is not None:
            mover = 0 if state.last.side == "white" else 1
            landed = state.last.drops[-1]
            owner = mover if landed == 0 else 0 if landed > 0 else 1
            rows_of: tuple[Row, Row] = ("near", "far") if near == 0 else ("far", "near")
            marks = (rows_of[mover], state.last.hole), (rows_of[owner], abs(landed))
        return cls(
            state.game,
            (rows[near], rows[far]),
            (state.stores[near], state.stores[far]),
            colours=(NAMES[near], NAMES[far]),
            tuz=(state.tuz[far], state.tuz[near]),
            legal=state.legal,
            marks=marks,
        )

    @property
    def pictures(self) -> list[Layout]:
        """The layouts of all three pictures."""
        return [layout(self.game, shape) for shape in _ROOMS]

    @staticmethod
    def stones(picture: Layout, row: Row, hole: int, count: int) -> str:
        """The stones of a place as circles."""
        return _stones(picture.shape, picture.places[row][hole], count, picture.most if hole == 0 else 0)

    def frame(self, picture: Layout, mark: tuple[Row, int]) -> str:
        """The attributes of a frame around a place, as the script sets them."""
        place, grow = picture.places[mark[0]][mark[1]], 1.5
        box = Box(place.box.x - grow, place.box.y - grow, place.box.w + 2 * grow, place.box.h + 2 * grow)
        return f'{rect(box)} rx="{number(place.radius + grow)}"'


class LowBoard(BoardPicture):
    """The picture of a board that is wide and low, whatever the screen: for cards, and pages that are read."""

    @property
    def pictures(self) -> list[Layout]:
        """That layout alone."""
        return [layout(self.game, "low")]


@lru_cache(maxsize=4096)
def _stones(shape: Shape, place: BoardPlace, count: int, most: int) -> str:
    heap = pack_store(place.stones, count, most, backwards=place.backwards) if most else pack_hole(place.stones, count)
    return heap.markup()

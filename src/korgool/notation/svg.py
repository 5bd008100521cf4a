"""The board as a drawing: self-contained SVG without fonts, scripts, styles or identifiers, safe to put in any page.

White sits below unless told otherwise. Every hole shows its stones and their number and carries its own number, counted
from its owner's left. A tuz is crossed. The disc beside a row is the colour of its player; a ring and a pointer show
who is to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot
from typing import TypeAlias

from korgool.notation.figures import Place, arrange, circles, heap, numeral, short
from korgool.rules import Position, Side, Sowing

Hole: TypeAlias = tuple[Side, int]
"""A hole of a side by its number, 1 to n from its owner's left, or 0 for the side's store."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a drawing, each as SVG takes it."""

    frame: str
    panel: str
    edge: str
    hollow: str
    shade: str
    tuz: str
    crosses: tuple[str, str]
    stone: str
    rim: str
    shine: str
    count: str
    number: str
    accent: str
    ink: str
    discs: tuple[str, str] = ("#fbf6ea", "#1d1a18")


THEMES: Mapping[str, Theme] = {
    "wood": Theme(
        frame="#5b3a21",
        panel="#e3bd86",
        edge="#b98a52",
        hollow="#8a5a33",
        shade="#6d4324",
        tuz="#9c2f2a",
        crosses=("#fbf6ea", "#1d1a18"),
        stone="#f4ead2",
        rim="#8d7048",
        shine="#ffffff",
        count="#2b1708",
        number="#6f4720",
        accent="#0b6e8f",
        ink="#ffffff",
    ),
    "print": Theme(
        frame="#000000",
        panel="#ffffff",
        edge="#ffffff",
        hollow="#ffffff",
        shade="#000000",
        tuz="#d9d9d9",
        crosses=("#000000", "#000000"),
        stone="#5a5a5a",
        rim="#5a5a5a",
        shine="#5a5a5a",
        count="#000000",
        number="#555555",
        accent="#000000",
        ink="#ffffff",
        discs=("#ffffff", "#000000"),
    ),
}
"""`wood` for screens, `print` in black on white for paper."""


@dataclass(frozen=True, slots=True)
class _Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    def rect(self, colour: str, radius: float, extra: str = "") -> str:
        return (
            f'<rect x="{short(self.x)}" y="{short(self.y)}" width="{short(self.width)}" height="{short(self.height)}" '
            f'rx="{short(radius)}" fill="{colour}"{extra}/>'
        )

    def grown(self, by: float) -> _Box:
        return _Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


_COLUMN, _HOLE_WIDTH, _HOLE_HEIGHT = 96.0, 78.0, 156.0
_LEFT, _RIGHT, _TOP = 66.0, 30.0, 54.0
_COUNT, _BAND, _END_STORE = 50.0, 100.0, 118.0


class _Layout:
    """Layout of a drawing: stores between the rows, or at their ends as in mangala."""

    def __init__(self, position: Position, below: Side) -> None:
        self.holes, self.below = position.rules.holes, below
        # A mangala board has its stores at the right hand of each player, a korgool board lengthwise in its middle.
        self.ends = position.rules.ending == "side_empty"
        self.left = _LEFT + (_END_STORE + 8 if self.ends else 0)
        middle = 12 if self.ends else _BAND + 20
        self.lower = _TOP + _HOLE_HEIGHT + 2 * _COUNT + middle
        self.height = self.lower + _HOLE_HEIGHT + _TOP
        self.width = self.left + self.holes * _COLUMN + _RIGHT + (_END_STORE if self.ends else 0)

    def hole(self, side: Side, hole: int) -> _Box:
        column = hole - 1 if side == self.below else self.holes - hole
        x = self.left + column * _COLUMN + (_COLUMN - _HOLE_WIDTH) / 2
        return _Box(x, self.lower if side == self.below else _TOP, _HOLE_WIDTH, _HOLE_HEIGHT)

    def store(self, side: Side) -> _Box:
        right = side == self.below
        if self.ends:
            x = self.left + self.holes * _COLUMN + 8 if right else _LEFT + 8
            return _Box(x, _TOP, _END_STORE - 8, self.height - 2 * _TOP)
        half = self.holes * _COLUMN / 2
        x = self.left + (half + 6 if right else 6)
        return _Box(x, _TOP + _HOLE_HEIGHT + _COUNT + 10, half - 12, _BAND)

    def place(self, place: Hole) -> _Box:
        """Place of a hole or a store in the drawing.

        Raises:
            ValueError: there is no hole of that number.
        """
        side, hole = place
        if not 0 <= hole <= self.holes:
            raise ValueError(f"there is no hole {hole}; holes are numbered 1 to {self.holes}, and 0 is the store")
        return self.hole(side, hole) if hole else self.store(side)

    def disc(self, side: Side) -> tuple[float, float]:
        return 34.0, (self.lower if side == self.below else _TOP) + _HOLE_HEIGHT / 2


def svg_board(
    position: Position,
    *,
    trace: Sowing | None = None,
    arrows: Iterable[tuple[Hole, Hole]] = (),
    marks: Iterable[Hole] = (),
    below: Side = Side.WHITE,
    theme: str = "wood",
    width: int | None = None,
    title: str | None = None,
    description: str | None = None,
) -> str:
    """The position as an SVG document.

    Args:
        position: what to draw.
        trace: the ply that led here: its hole gets a broken outline, the hole of its last stone a full one, and what it
            won stands beside the store.
        arrows: each from a hole or store to another; one that leads back to where it begins is a mark.
        marks: holes and stores that get a dotted outline.
        below: the side whose row stands below.
        theme: a name in `THEMES`.
        width: width of the image in pixels; by default it fills what surrounds it.
        title: the title for those who cannot see the drawing, by default in English.
        description: the description for them, by default every hole and store in English, and what is marked.

    Raises:
        ValueError: there is no such theme or hole, or the width is not positive.
    """
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
    if width is not None and width < 1:
        raise ValueError(f"the width is {width} pixels, it must be at least 1")
    look, layout = THEMES[theme], _Layout(position, below)
    w, h = short(layout.width), short(layout.height)
    arrows = tuple(arrows)
    lines = [(start, end) for start, end in arrows if start != end]
    rings = [*marks, *(start for start, end in arrows if start == end)]
    size = "" if width is None else f' width="{width}" height="{round(width * layout.height / layout.width)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"{size} role="img">',
        f"<title>{_escaped(title or board_title(position))}</title>",
        f"<desc>{_escaped(description or board_description(position) + _shown(lines, rings))}</desc>",
        _ground(layout, look),
    ]
    for side in (below.other, below):
        parts += [_hole(layout, look, position, side, hole) for hole in range(1, position.rules.holes + 1)]
        parts.append(_store(layout, look, position, side, trace))
        parts.append(_disc(layout, look, side, position))
    if trace is not None:
        parts.append(_marks(layout, look, trace))
    parts += [_ring(layout, look, place) for place in rings]
    if lines:
        parts += [_arrow(layout, look, *line) for line in lines]
        # The numbers again, so that no arrow hides one.
        for side in Side:
            parts += [_count(layout, look, position, side, hole) for hole in range(1, position.rules.holes + 1)]
            parts += _plate(layout, look, position, side, trace)
    return "".join(parts) + "</svg>"


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A part of a drawing that lies beside the others: its rectangle, and what is drawn in it over the ground.

    Attributes:
        x: left edge, in drawing units, which are whole as the other numbers.
        y: top edge.
        width: its width.
        height: its height.
        drawing: SVG elements that reach no farther.
    """

    x: int
    y: int
    width: int
    height: int
    drawing: str


def board_cells(
    position: Position, *, trace: Sowing | None = None, below: Side = Side.WHITE, theme: str = "wood"
) -> list[BoardCell]:
    """The drawing of `svg_board` in parts: first the ground of the whole board, then what changes during a game.

    Args:
        position: what to draw.
        trace: the ply that led here.
        below: the side whose row stands below.
        theme: a name in `THEMES`.

    Raises:
        ValueError: there is no such theme.
    """
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
    look, layout = THEMES[theme], _Layout(position, below)
    left, width, height = (round(number) for number in (layout.left, layout.width, layout.height))
    upper, lower = round(_TOP + _HOLE_HEIGHT + _COUNT), round(layout.lower - _COUNT)
    row, column = layout.holes * round(_COLUMN), round(_COLUMN)
    marks = _mark_parts(layout, look, trace) if trace is not None else {}
    cells = [BoardCell(0, 0, width, height, _ground(layout, look))]
    for side in Side:
        y, tall = (lower, height - lower) if side == below else (0, upper)
        for hole in range(1, layout.holes + 1):
            x = left + column * (hole - 1 if side == below else layout.holes - hole)
            drawing = _hole(layout, look, position, side, hole) + marks.get((side, hole), "")
            cells.append(BoardCell(x, y, column, tall, drawing))
    stores = {side: _store(layout, look, position, side, trace) + marks.get((side, 0), "") for side in Side}
    if layout.ends:
        cells.append(BoardCell(left + row, 0, width - left - row, height, stores[below]))
        cells.append(BoardCell(round(_LEFT), 0, left - round(_LEFT), height, stores[below.other]))
    else:
        cells.append(BoardCell(left, upper, row, lower - upper, stores[Side.WHITE] + stores[Side.BLACK]))
    cells.append(BoardCell(0, 0, round(_LEFT), height, "".join(_disc(layout, look, side, position) for side in Side)))
    return cells


def _ground(layout: _Layout, look: Theme) -> str:
    whole = _Box(0, 0, layout.width, layout.height)
    edge = f' stroke="{look.edge}" stroke-width="2"'
    return whole.rect(look.frame, 26) + whole.grown(-4).rect(look.panel, 22) + whole.grown(-9).rect("none", 18, edge)


def _hole(layout: _Layout, look: Theme, position: Position, side: Side, hole: int) -> str:
    box, stones = layout.hole(side, hole), position.holes[side][hole - 1]
    tuz = position.tuz[side.other] == hole
    number_y = box.y + box.height + 17 if side == layout.below else box.y - 17 - 19
    parts = [
        f'<g data-side="{side.name.lower()}" data-hole="{hole}">',
        numeral(str(hole), box.middle, number_y, 19, look.number, 1.2),
        _hollow(box, look, box.width / 2, look.tuz if tuz else look.hollow),
        _stones(*arrange(stones, box.x + 9, box.y + 9, box.width - 18, box.height - 18, 27.5), look),
    ]
    if tuz:
        x, y = short(box.middle - 19), short(box.y + box.height / 2 - 19)
        line = f'stroke="{look.crosses[side.other]}" stroke-width="9" stroke-linecap="round"'
        parts.append(f'<path d="M{x} {y}l38 38m0-38l-38 38" fill="none" {line}/>')
    return "".join(parts) + _count(layout, look, position, side, hole) + "</g>"


def _count(layout: _Layout, look: Theme, position: Position, side: Side, hole: int) -> str:
    """Number of stones in a hole; empty at an empty tuz."""
    box, stones = layout.hole(side, hole), position.holes[side][hole - 1]
    if not stones and position.tuz[side.other] == hole:
        return ""
    y = box.y - 45 if side == layout.below else box.y + box.height + 15
    return numeral(str(stones), box.middle, y, 30, look.count, 1.5)


def _hollow(box: _Box, look: Theme, radius: float, colour: str) -> str:
    inner = _Box(box.x, box.y + 3, box.width, box.height - 3)
    outline = f' stroke="{look.shade}" stroke-width="2"'
    return box.rect(look.shade, radius, outline) + inner.rect(colour, radius)


def _stones(places: list[Place], step: float, look: Theme) -> str:
    radius = step * (0.43 if look.shine == look.stone else 0.455)
    shine = [(x - radius * 0.28, y - radius * 0.3) for x, y in places]
    rim = f' stroke="{look.rim}" stroke-width="{short(max(0.8, radius * 0.12))}"'
    if look.shine == look.stone:
        return circles(places, radius, look.stone, rim)
    return circles(places, radius, look.stone, rim) + circles(shine, radius * 0.3, look.shine)


def _store(layout: _Layout, look: Theme, position: Position, side: Side, trace: Sowing | None) -> str:
    box, stones, right = layout.store(side), position.stores[side], side == layout.below
    if layout.ends:
        field = box.x + 14, box.y + (14 if right else 102), box.width - 28, box.height - 116
        end, largest = ("bottom" if right else "top"), 17.0
    else:
        field = box.x + (16 if right else 116), box.y + 9, box.width - 132, box.height - 18
        end, largest = ("right" if right else "left"), 16.0
    plate, won = _plate(layout, look, position, side, trace)
    parts = [
        f'<g data-side="{side.name.lower()}" data-hole="0">',
        _hollow(box, look, 34, look.hollow),
        plate,
        _stones(*heap(stones, field, largest, end), look),
        won,
    ]
    return "".join(parts) + "</g>"


def _plate(layout: _Layout, look: Theme, position: Position, side: Side, trace: Sowing | None) -> tuple[str, str]:
    """Content of a store, on a plate of the player's colour that shows its owner; and its gain."""
    box, stones, right = layout.store(side), position.stores[side], side == layout.below
    if layout.ends:
        plate = _Box(box.x + 12, box.y + box.height - 88 if right else box.y + 14, box.width - 24, 74)
    else:
        plate = _Box(box.x + box.width - 102 if right else box.x + 12, box.y + 13, 90, 74)
    won = 0 if trace is None or trace.mover != side else trace.after.stores[side] - _before(trace)
    largest_digit = 36 if stones < 100 else 27
    size = min(30, largest_digit) if won else largest_digit
    top = plate.y + 24 - size / 2 if won else plate.y + (plate.height - size) / 2
    drawn = plate.rect(look.discs[side], 22, f' stroke="{look.shade}" stroke-width="1.5"')
    drawn += numeral(str(stones), plate.middle, top, size, look.discs[side.other], 1.4)
    if not won:
        return drawn, ""
    pill = _Box(plate.middle - 29, plate.y + 46, 58, 22)
    return drawn, pill.rect(look.accent, 11) + numeral(f"+{won}", pill.middle, pill.y + 5, 12, look.ink, 1.6)


def _before(trace: Sowing) -> int:
    """The mover's store before the ply: without what fell into it or the mover's tuz, and what the last stone won."""
    fell = sum(drop.hole == 0 or drop.tuz_owner == trace.mover for drop in trace.drops)
    return trace.after.stores[trace.mover] - trace.taken - fell


def _marks(layout: _Layout, look: Theme, trace: Sowing) -> str:
    return "".join(_mark_parts(layout, look, trace).values())


def _mark_parts(layout: _Layout, look: Theme, trace: Sowing) -> dict[Hole, str]:
    """The outlines of the ply by their places; both where it ends in the hole where it began."""
    last = trace.last
    end = layout.hole(last.side, last.hole) if last.hole else layout.store(last.side)
    radius = end.width / 2 + 5 if last.hole else 40
    line = f' stroke="{look.accent}" stroke-width="4.5"'
    start = layout.hole(trace.mover, trace.hole).grown(5)
    parts = {
        (trace.mover, trace.hole): start.rect(
            "none", start.width / 2, line + ' stroke-dasharray="11 8" stroke-linecap="round"'
        )
    }
    place = last.side, last.hole
    parts[place] = parts.get(place, "") + end.grown(5).rect("none", radius, line)
    return parts


def _ring(layout: _Layout, look: Theme, place: Hole) -> str:
    """A dotted outline, unlike the broken and the full one of the last ply."""
    box = layout.place(place).grown(6)
    line = f' stroke="{look.accent}" stroke-width="7" stroke-dasharray="0.1 13" stroke-linecap="round"'
    return box.rect("none", box.width / 2 if place[1] else 40, line)


def _arrow(layout: _Layout, look: Theme, start: Hole, end: Hole) -> str:
    """An arrow from the middle of one place to that of another, ending a little before it."""
    (x, y), (to_x, to_y) = (_middle(layout.place(place)) for place in (start, end))
    length = hypot(to_x - x, to_y - y)
    along, across = (to_x - x) / length, (to_y - y) / length
    tip_x, tip_y = to_x - 14 * along, to_y - 14 * across
    neck_x, neck_y = tip_x - 34 * along, tip_y - 34 * across
    shaft = f"M{short(x)} {short(y)}L{short(neck_x)} {short(neck_y)}"
    corners = [(neck_x - 18 * across, neck_y + 18 * along), (tip_x, tip_y), (neck_x + 18 * across, neck_y - 18 * along)]
    head = "L".join(f"{short(one)} {short(other)}" for one, other in corners)
    return (
        f'<g opacity="0.8"><path d="{shaft}" fill="none" stroke="{look.accent}" stroke-width="11" '
        f'stroke-linecap="round"/><path d="M{head}z" fill="{look.accent}"/></g>'
    )


def _middle(box: _Box) -> tuple[float, float]:
    return box.middle, box.y + box.height / 2


def _disc(layout: _Layout, look: Theme, side: Side, position: Position) -> str:
    x, y = layout.disc(side)
    parts = circles([(x, y)], 14, look.discs[side], f' stroke="{look.shade}" stroke-width="2"')
    if side == position.to_move and position.outcome() is None:
        ring = f' stroke="{look.accent}" stroke-width="4"'
        point = f'<path d="M{short(x + 25)} {short(y - 9)}v18l11-9z" fill="{look.accent}"/>'
        parts = circles([(x, y)], 19, "none", ring) + parts + point
    return parts


def board_title(position: Position) -> str:
    """Title of a drawing, in one line."""
    outcome = position.outcome()
    state = f"{position.to_move.name.capitalize()} to move" if outcome is None else f"ended {outcome.result_text}"
    return f"{position.rules.title}, move {position.fullmove}, {state}"


def board_description(position: Position) -> str:
    """Every hole and store in words."""
    sentences = []
    for side in Side:
        name, row = side.name.capitalize(), " ".join(map(str, position.holes[side]))
        sentences.append(
            f"{name}: holes 1 to {len(position.holes[side])} hold {row}, the store {position.stores[side]}."
        )
        tuz = position.tuz[side]
        if tuz is not None:
            sentences.append(f"{name}'s tuz is {side.other.name.capitalize()}'s hole {tuz}.")
    return " ".join(sentences)


def _shown(arrows: Iterable[tuple[Hole, Hole]], marks: Iterable[Hole]) -> str:
    """Arrows and marks in words."""
    arrow = (f" An arrow leads from {_named(start)} to {_named(end)}." for start, end in arrows)
    return "".join([*arrow, *(f" {_named(place)} is marked." for place in marks)])


def _named(place: Hole) -> str:
    side, hole = place
    return f"{side.name.capitalize()}'s {f'hole {hole}' if hole else 'store'}"


def _escaped(text: str) -> str:
    text = "".join(letter for letter in text if letter.isprintable() or letter in "\n\t")
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

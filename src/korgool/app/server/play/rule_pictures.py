"""Small pictures of single rules, for the help of a game's page: a few holes as the board draws them.

Numbers stand in the pictures as they do on the board, and rings mean the same: dashed where the move began, in four
parts where its last stone fell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from korgool.app.rulebook.minute import scenes_of
from korgool.app.server.http.stone_layout import Box, number, pack_hole, rect
from korgool.rules import GAMES

_WIDE, _HIGH, _GAP, _STONES = 60, 84, 8, 56
_SCALE = 0.8
_RINGS = {"from": "origin", "last": "landed"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A hole or a store of a picture: its column and row, its stones, and what is special about it.

    Attributes:
        marks: `from` where the move began, `last` where its last stone fell, `store`, `tuz`, and `taken` for stones
            that go to the store.
    """

    column: float
    count: int
    marks: tuple[str, ...] = ()
    row: float = 0

    def box(self) -> Box:
        """Its hollow, in units of the picture."""
        wide = _WIDE * 1.5 if "store" in self.marks else _WIDE
        return Box(4 + self.column * (_WIDE + _GAP), 4 + self.row * (_HIGH + _GAP), wide, _HIGH)

    def markup(self) -> str:
        """The hole as `templates/board.html` draws it."""
        box = self.box()
        stones = Box(box.x + 5, box.y + 5, box.w - 10, _STONES - 5)
        kinds = "pot" if "store" in self.marks else "pit tuz" if "tuz" in self.marks else "pit"
        heap = "" if "tuz" in self.marks else pack_hole(stones, min(self.count, 42)).markup()
        x, y = box.x + box.w / 2, box.y + _STONES + (_HIGH - _STONES) / 2 - 2
        ring = "".join(
            f'<g class="marks"><rect class="{ring}" data-on pathLength="100" {rect(grown)} rx="20"/></g>'
            if mark == "last"
            else f'<g class="marks"><rect class="{ring}" data-on {rect(grown)} rx="20"/></g>'
            for mark, ring in _RINGS.items()
            if mark in self.marks
            for grown in [Box(box.x - 1.5, box.y - 1.5, box.w + 3, box.h + 3)]
        )
        diamond = _diamond(x, box.y + _STONES / 2) if "tuz" in self.marks else ""
        text = "" if "tuz" in self.marks else str(self.count)
        return (
            f'<g class="{kinds}"><rect class="slot" {rect(box)} rx="18"/><g class="stones">{heap}</g>{diamond}'
            f'<text class="count" x="{number(x)}" y="{number(y)}" font-size="20">{text}</text></g>{ring}'
        )


def _diamond(x: float, y: float) -> str:
    path = f"M{number(x)} {number(y - 17)}l17 17l-17 17l-17 -17z"
    return (
        f'<g class="tuz-mark"><path class="diamond" d="{path}"/>'
        f'<circle class="eye" cx="{number(x)}" cy="{number(y)}" r="6"/></g>'
    )


def _way(cells: tuple[Cell, ...]) -> str:
    """An arrow from the stones that are taken to the store."""
    store = next((cell.box() for cell in cells if "store" in cell.marks), None)
    ways = []
    for cell in cells:
        if "taken" in cell.marks and store is not None:
            box = cell.box()
            x, y, to, end = box.x + box.w - 14, box.y + 20, store.x + 6, store.y + 20
            bend = f"{number((x + to) / 2)} {number(min(y, end) - 20)}"
            ways.append(f"M{number(x)} {number(y)}Q{bend} {number(to)} {number(end)}")
            ways.append(
                f"M{number(to - 10)} {number(end - 9)}L{number(to)} {number(end)}L{number(to - 12)} {number(end + 3)}"
            )
    return "".join(f'<path class="way" d="{way}"/>' for way in ways)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A small picture, and the sentence of the one-minute rules that it belongs to, a message of the catalogues."""

    picture: Markup
    text: str


_SCENES = {
    "toguz": (0, 1, 2, 4, 6),
    "mangala": (0, 2, 3, 4, 5),
    "castle": (0, 1, 2, 3, 4),
    "bestemshe": (0, 1, 2, 3, 4),
}
"""The scenes of the one-minute rules that have a picture, five a game."""


@cache
def lessons_of(game: str) -> tuple[Lesson, ...]:
    """The five pictures of a game's rules in the order in which they are told."""
    scenes = scenes_of(game)
    texts = [scenes[scene].text for scene in _SCENES[game]]
    return tuple(Lesson(Markup(_picture(cells)), text) for cells, text in zip(_cells(game), texts, strict=True))


def _cells(game: str) -> list[tuple[Cell, ...]]:
    rules = GAMES[game]
    full = rules.stones + 1
    even = full if full % 2 == 0 else full + 1
    sow = (Cell(0, 1, ("from",)), Cell(1, full), Cell(2, full))
    taken = (Cell(0, even, ("last", "taken")), Cell(1.4, even, ("store",)))
    won = (Cell(0, 2), Cell(1, 0, ("tuz", "last")), Cell(2.4, 3, ("store",)))
    empty = tuple(Cell(n, 0) for n in range(4))
    if rules.store_sown:
        again = (*sow[:2], Cell(2, 7, ("store", "last")))
        opposite = (
            Cell(0, full, ("taken",)),
            Cell(0, 1, ("last", "taken"), row=1),
            Cell(1.4, full + 1, ("store",), row=0.5),
        )
        return [(*sow, Cell(3, 1, ("store", "last"))), again, taken, opposite, empty]
    first = (*sow, Cell(3, full, ("last",)))
    if rules.ending == "side_empty":
        fed = Cell(0, 3), Cell(1, 0, ("tuz", "taken")), Cell(2.4, 4, ("store",))
        return [first, taken, won, fed, empty]
    single = Cell(0, 0, ("from",)), Cell(1, full, ("last",))
    goal = Cell(0, rules.goal, ("store",)), Cell(1.7, rules.total - rules.goal - 6, ("store",))
    return [first, single, taken, won if rules.tuz else (Cell(0, even + 1, ("last",)), Cell(1, full)), goal]


def _picture(cells: tuple[Cell, ...]) -> str:
    boxes = [cell.box() for cell in cells]
    width, height = (max(edge) + 4 for edge in ([b.x + b.w for b in boxes], [b.y + b.h for b in boxes]))
    return (
        f'<span class="board"><svg class="excerpt" viewBox="0 0 {number(width)} {number(height)}" '
        f'width="{number(width * _SCALE)}" height="{number(height * _SCALE)}" aria-hidden="true" focusable="false">'
        f"{''.join(cell.markup() for cell in cells)}{_way(cells)}</svg></span>"
    )

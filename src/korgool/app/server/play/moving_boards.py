"""Boards that show a move on the pages of rules and lessons: the first picture, and what `moving_boards.js` plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from korgool.app.rulebook import Example, Scene
from korgool.app.server.play.board_picture import BoardPicture, Layout, layout
from korgool.app.server.play.game_events import Trace, trace
from korgool.rules import Position, Side, Sowing


class View(msgspec.Struct, frozen=True):
    """Holes on a board from their owner's left, stores, and the tuz that each side owns."""

    white: tuple[int, ...]
    black: tuple[int, ...]
    stores: tuple[int, int]
    tuz: tuple[int | None, int | None]


class Ply(msgspec.Struct, frozen=True):
    """A move as boards play it: what each stone does, and what lies there afterwards."""

    trace: Trace
    after: View


class _Motion(msgspec.Struct, frozen=True):
    before: View
    plies: tuple[Ply, ...]


@dataclass(frozen=True, slots=True)
class MovingBoard:
    """A few moves as a page needs them.

    Attributes:
        text: what happens, a message of the catalogues; empty for an example, which has its caption.
        motion: the position before and each move with the position after it, as JSON.
    """

    text: str
    motion: str


class LowBoard(BoardPicture):
    """The picture of a board that is wide and low, whatever the screen."""

    @property
    def pictures(self) -> list[Layout]:
        """That layout alone."""
        return [layout(self.game, "low")]


def film(scenes: Sequence[Scene]) -> list[MovingBoard]:
    """The rules in one minute."""
    return [MovingBoard(scene.text, motion(scene.before, scene.sowings)) for scene in scenes]


def example_motion(example: Example) -> str:
    """The moves of a worked example."""
    return motion(example.before, example.sowings)


def motion(before: Position, sowings: Sequence[Sowing]) -> str:
    """A position and the moves from it, as `moving_boards.js` reads them."""
    return msgspec.json.encode(_Motion(view_of(before), tuple(map(ply_of, sowings)))).decode()


def ply_of(sowing: Sowing) -> Ply:
    """Return a move as boards play it."""
    return Ply(trace(sowing), view_after(sowing))


def view_of(position: Position) -> View:
    """Return what lies on a board."""
    return View(position.holes[Side.WHITE], position.holes[Side.BLACK], position.stores, position.tuz)


def view_after(sowing: Sowing) -> View:
    """Return what lies on a board after a sowing, and after the sweep at the end of a game."""
    view, outcome = view_of(sowing.after), sowing.outcome
    if outcome is None or not any(outcome.swept):
        return view
    none = (0,) * sowing.after.rules.holes
    return View(none, none, outcome.stores, view.tuz)

"""Boards that show a move on the pages of rules and lessons: the first picture, and what `moving_boards.js` plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from korgool.app.rulebook import Example, Scene
from korgool.app.server.play.game_events import Trace, trace
from korgool.rules import Position, Side, Sowing


class _View(msgspec.Struct, frozen=True):
    """What lies on a board: holes from their owner's left, stores, and the tuz that each side owns."""

    white: tuple[int, ...]
    black: tuple[int, ...]
    stores: tuple[int, int]
    tuz: tuple[int | None, int | None]


class _Ply(msgspec.Struct, frozen=True):
    trace: Trace
    after: _View


class _Motion(msgspec.Struct, frozen=True):
    before: _View
    plies: tuple[_Ply, ...]


@dataclass(frozen=True, slots=True)
class MovingBoard:
    """A few moves as a page needs them.

    Attributes:
        text: what happens, a message of the catalogues; empty for an example, which has its caption.
        motion: the position before and each move with the position after it, as JSON.
    """

    text: str
    motion: str


def film(scenes: Sequence[Scene]) -> list[MovingBoard]:
    """The rules in one minute."""
    return [MovingBoard(scene.text, motion(scene.before, scene.sowings)) for scene in scenes]


def example_motion(example: Example) -> str:
    """The moves of a worked example."""
    return motion(example.before, example.sowings)


def motion(before: Position, sowings: Sequence[Sowing]) -> str:
    """A position and the moves from it, as `moving_boards.js` reads them."""
    plies = tuple(_Ply(trace(sowing), _after(sowing)) for sowing in sowings)
    return msgspec.json.encode(_Motion(_view(before), plies)).decode()


def _view(position: Position) -> _View:
    return _View(position.holes[Side.WHITE], position.holes[Side.BLACK], position.stores, position.tuz)


def _after(sowing: Sowing) -> _View:
    view, outcome = _view(sowing.after), sowing.outcome
    if outcome is None or not any(outcome.swept):
        return view
    none = (0,) * sowing.after.rules.holes
    return _View(none, none, outcome.stores, view.tuz)

"""Messages to the analysis board: positions with everything that the rules say about them, and results of searches.

A page that computes on its own device needs only the reading of records; the rest serves pages that cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from korgool.app.server.engines.exact_values import ExactMove
from korgool.app.server.play.game_events import NAMES, OutcomeState, SideName, Trace, name, trace
from korgool.app.server.play.state_messages import Preview, preview
from korgool.engine import Analysis, Line
from korgool.engine.pv import playable
from korgool.engine.reasons import ReasonKind, explain
from korgool.notation.moves import format_move
from korgool.notation.variation import Variation
from korgool.rules import Outcome, Position, Side, Sowing


class PositionMessage(msgspec.Struct, frozen=True):
    """A position before any sweep, the same for every viewer: holes from their owner's left, tuz by owner, from 1."""

    white: tuple[int, ...]
    black: tuple[int, ...]
    stores: tuple[int, int]
    tuz: tuple[int | None, int | None]
    turn: SideName


class Snapshot(msgspec.Struct, frozen=True):
    """A position of a line and the ply that led there.

    Attributes:
        board: the stones.
        number: of the move, from 1; it grows after Black's turn.
        position: position text.
        text: the ply in field notation such as `76(10)`, None at the start of the line.
        trace: the ply, stone by stone.
        legal: holes that may be sown.
        previews: for each of them, by its number, what it would do.
        outcome: how the board ended the game.
    """

    board: PositionMessage
    number: int
    position: str
    text: str | None
    trace: Trace | None
    legal: tuple[int, ...]
    previews: dict[str, Preview]
    outcome: OutcomeState | None


class FoundReason(msgspec.Struct, frozen=True):
    """A reason for a move; `hole` is 0 if it concerns no hole. The manual's page on reasons defines the kinds.

    Attributes:
        shared: whether it holds as well for the move that this one was compared to.
        line: the holes sown before it happens.
    """

    kind: ReasonKind
    weight: int
    stones: int
    left: int
    hole: int
    shared: bool
    line: tuple[int, ...]


class FoundLine(msgspec.Struct, frozen=True):
    """A first move and the play expected after it, from the view of the side to move.

    Attributes:
        move: hole number.
        evaluation: expected final difference of the stores, in stones.
        certain: 1 when the side to move surely wins, -1 when it surely loses, else 0.
        exact: whether the evaluation is proven.
        depth: the plies searched.
        pv: the line expected, hole numbers beginning with `move`.
        texts: the same in field notation.
        win: chance of a win, 0 to 1; the three add up to 1.
        draw: chance of a draw.
        loss: chance of a loss.
        reasons: what speaks for the move, in order of weight.
    """

    move: int
    evaluation: float
    certain: int
    exact: bool
    depth: int
    pv: tuple[int, ...]
    texts: tuple[str, ...]
    win: float
    draw: float
    loss: float
    reasons: list[FoundReason]


class SearchMessage(msgspec.Struct, frozen=True):
    """The result of a search; the best line first."""

    nodes: int
    seconds: float
    lines: list[FoundLine]


class ExactMoveMessage(msgspec.Struct, frozen=True):
    """Proven value of a move, from the view of the side that moves.

    Attributes:
        move: hole number.
        text: the same in field notation.
        result: of the game if both play perfectly from then on.
        difference: final difference of the stores, a goal played over; None where the other side could go on for ever
            once the game is decided.
        plies: to the end of the game along a line of perfect play, this one included; None where it is not known, or
            has no end.
        source: what proves it: the `rules` end the game, a `table`, or the `solver` with its book.
    """

    move: int
    text: str
    result: Literal["win", "draw", "loss"]
    difference: int | None
    plies: int | None
    source: Literal["rules", "table", "solver"]


class ExactMessage(msgspec.Struct, frozen=True):
    """The moves whose value is certain, in the order of their holes; the others are not among them."""

    moves: list[ExactMoveMessage]


class ReadVariation(msgspec.Struct, frozen=True):
    """A line that stands in place of a ply of a record, with all that stands in it; plies count from the start.

    Attributes:
        ply: the ply that its first move takes the place of, from 1.
        moves: hole numbers of its plies.
        comments: (ply, text); the ply before the first move for what is said before it.
        glyphs: (ply, n) for `$n`.
        offers: plies with an offer of a draw.
        variations: lines beside this one.
        after: comments after it.
    """

    ply: int
    moves: tuple[int, ...]
    comments: tuple[tuple[int, str], ...]
    glyphs: tuple[tuple[int, int], ...]
    offers: tuple[int, ...]
    variations: tuple[ReadVariation, ...]
    after: tuple[str, ...]

    @classmethod
    def of(cls, one: Variation) -> ReadVariation:
        """A variation with those within it."""
        within = tuple(map(cls.of, one.variations))
        return cls(one.ply, one.moves, one.comments, one.glyphs, one.offers, within, one.after)


class ReadRecord(msgspec.Struct, frozen=True):
    """A record or position that was pasted.

    Attributes:
        game: the short name of the game.
        position: text of the start, None for the usual one.
        moves: hole numbers of the plies.
        result: as in the record, `*` if it has none.
        players: the names of White and Black, None if the record has none.
        more: whether the text contains further games, which are ignored.
        dialect: `pgn`, `tgk`, `coordinates`, `bare`, or `position` for a position text.
        tags: those that say something and do not follow from the rest.
        comments: as in `ReadVariation`, like what follows.
        glyphs: (ply, n) for `$n`.
        offers: plies with an offer of a draw.
        variations: lines beside the game.
    """

    game: str
    position: str | None
    moves: tuple[int, ...]
    result: str
    players: tuple[str | None, str | None]
    more: bool
    dialect: str = "position"
    tags: dict[str, str] = {}
    comments: tuple[tuple[int, str], ...] = ()
    glyphs: tuple[tuple[int, int], ...] = ()
    offers: tuple[int, ...] = ()
    variations: tuple[ReadVariation, ...] = ()


def snapshot(position: Position, sowing: Sowing | None) -> Snapshot:
    """A position for the page, and the ply that led there."""
    outcome, legal = position.outcome(), position.legal_moves()
    return Snapshot(
        board=_board(position),
        number=position.fullmove,
        position=str(position),
        text=None if sowing is None else format_move(sowing),
        trace=None if sowing is None else trace(sowing),
        legal=legal,
        previews={str(hole): preview(position, hole) for hole in legal},
        outcome=None if outcome is None else _outcome(outcome),
    )


def _board(position: Position) -> PositionMessage:
    white, black = position.tuz
    return PositionMessage(
        position.holes[Side.WHITE], position.holes[Side.BLACK], position.stores, (white, black), NAMES[position.to_move]
    )


def report(position: Position, analysis: Analysis) -> SearchMessage:
    """The result of a search of that position."""
    lines = [_line(position, analysis.lines, at) for at in range(len(analysis.lines))]
    return SearchMessage(analysis.nodes, round(analysis.seconds, 3), lines)


def exact_moves(position: Position, moves: Sequence[ExactMove]) -> ExactMessage:
    """Proven values of the moves of that position."""
    return ExactMessage([_exact_move(position, one) for one in moves])


def _exact_move(position: Position, one: ExactMove) -> ExactMoveMessage:
    result: Literal["win", "draw", "loss"] = "draw"
    if one.winner is not None:
        result = "win" if one.winner is position.to_move else "loss"
    text = format_move(position.sow(one.move))
    return ExactMoveMessage(one.move, text, result, one.difference, one.plies, one.source)


def _line(position: Position, lines: Sequence[Line], at: int) -> FoundLine:
    line, reasons = lines[at], explain(position, lines, at)
    pv = playable(position, line.pv)
    return FoundLine(
        move=line.move,
        evaluation=round(line.evaluation, 3),
        certain=(line.win == 1) - (line.loss == 1),
        exact=line.exact,
        depth=line.depth,
        pv=pv,
        texts=tuple(texts(position, pv)),
        win=line.win,
        draw=line.draw,
        loss=line.loss,
        reasons=[
            FoundReason(one.kind, one.weight, one.stones, one.left, one.hole, one.shared, one.line) for one in reasons
        ],
    )


def texts(position: Position, moves: Sequence[int]) -> list[str]:
    """Plies in field notation, played one after the other."""
    words = []
    for move in moves:
        sowing = position.sow(move)
        words.append(format_move(sowing))
        position = sowing.after
    return words


def _outcome(outcome: Outcome) -> OutcomeState:
    return OutcomeState(
        outcome.result, outcome.result_text, outcome.termination.value, name(outcome.winner), outcome.stores
    )

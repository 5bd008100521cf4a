"""One game between people as an immutable value.

`referee.apply` makes the next state from an event. Everything that decides stands here or follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from korgool.conduct.clock import Clock
from korgool.conduct.ending import Ending
from korgool.conduct.events import Options, Start
from korgool.conduct.lots import Draw
from korgool.conduct.ruling import Change, Refusal, Ruling, RulingKind
from korgool.rules import Game, Match, Outcome, Position, Rules, Side, Sowing, Termination

__all__ = [
    "LATE_MS",
    "PLAYERS",
    "Answer",
    "GameState",
    "GameWarning",
    "changed",
    "clock_change",
    "declare",
    "end",
    "paired",
    "settle",
]

PLAYERS = ("white", "black")
"""The players as rulings name them."""
LATE_MS = 30_000
"""Lateness that is allowed in addition to half the stock, in milliseconds (WNG-TK §V)."""


@dataclass(frozen=True, slots=True)
class GameWarning:
    """A warning that was given.

    Attributes:
        reason: one of the five reasons.
        clause: the clause that was broken, or §XIV.
        at: when, in milliseconds.
    """

    reason: str
    clause: str
    at: int


@dataclass(frozen=True)
class GameState:
    """State of a game.

    Attributes:
        now: time of the last event, in milliseconds.
        lots: the draw of lots, or None.
        terms: what the start fixed, or None before it.
        started: when the present game or set began.
        clock: the clock, or None while there is none.
        paused: whether both clocks were stopped.
        positions: the positions from the start, or from the last correction that left the record, to the present.
        moves: the hole numbers that lead from each to the next.
        before: what was played before such corrections, as start and moves.
        marks: after how many of `moves` a draw was offered, for the `=` of both sheets.
        hand: the sowing of the player who has not pressed yet, or None.
        called: whether the mover's flag was called during the move.
        unpressed: the side that has not pressed although the other has moved since; its time runs on. Or None.
        offers: draw offers of White and of Black.
        offered: the side whose draw offer stands, or None.
        restoring: the side that restores spilled stones on its own time in the opponent's turn, or None.
        arrived: when White and Black came, None where it was not noted.
        acted: whether White and Black have done anything in the game.
        away: whether White and Black have left.
        warnings: warnings given to White and to Black, earlier ones of the event not counted.
        ending: how the game ended, or None.
        signatures: whether White and Black have signed the result.
        accepted: whether the referee has accepted the record.
        match: the sets before the present one, or None for a single game.
    """

    now: int = 0
    lots: Draw | None = None
    terms: Start | None = None
    started: int = 0
    clock: Clock | None = None
    paused: bool = False
    positions: tuple[Position, ...] = ()
    moves: tuple[int, ...] = ()
    before: tuple[tuple[Position, tuple[int, ...]], ...] = ()
    marks: tuple[int, ...] = ()
    hand: Sowing | None = None
    called: bool = False
    unpressed: Side | None = None
    offers: tuple[int, int] = (0, 0)
    offered: Side | None = None
    restoring: Side | None = None
    arrived: tuple[int | None, int | None] = (None, None)
    acted: tuple[bool, bool] = (False, False)
    away: tuple[bool, bool] = (False, False)
    warnings: tuple[tuple[GameWarning, ...], tuple[GameWarning, ...]] = ((), ())
    ending: Ending | None = None
    signatures: tuple[bool, bool] = (False, False)
    accepted: bool = False
    match: Match | None = None

    @property
    def position(self) -> Position:
        """The present position, with the stones of a move that waits for the press."""
        return self.positions[-1]

    @property
    def options(self) -> Options:
        """Regulations that the game started with."""
        return Options() if self.terms is None else self.terms.options

    @property
    def rules(self) -> Rules:
        """The rules of the game, those of the start."""
        return self.position.rules

    @property
    def turn(self) -> Side:
        """Side to move. A turn lasts until the clock is pressed."""
        return self.position.to_move if self.hand is None else self.hand.mover

    @property
    def running(self) -> Side:
        """Side whose time runs, or runs on when stopped clocks are resumed."""
        if self.restoring is not None:
            return self.restoring
        return self.turn if self.unpressed is None else self.unpressed

    @property
    def late_ms(self) -> int:
        """Latest arrival of a player after the start: half the stock and 30 seconds (WNG-TK §V), or as regulated."""
        if self.options.late_ms is not None:
            return self.options.late_ms
        control = None if self.terms is None else self.terms.control
        return LATE_MS + (0 if control is None else control.initial_ms // 2)

    @property
    def signed(self) -> bool:
        """True if the result stands: both have signed it, or the referee has accepted it (WNG-TK §VI)."""
        return self.accepted or all(self.signatures)

    def there(self, side: Side) -> bool:
        """Return whether a player has come: it was noted, or the player has acted."""
        return self.arrived[side] is not None or self.acted[side]

    def game(self) -> Game:
        """The true game, from the start or from the last correction that left the record.

        It has no ending where both players lost, which a record of moves cannot say.
        """
        game = Game(self.positions[0], self.moves)
        ending = self.ending
        if ending is not None and ending.declared and not ending.both_lost and game.outcome() is None:
            game.conclude(ending.winner, ending.termination)
        return game


if TYPE_CHECKING:
    from dataclasses import replace as changed
else:

    def changed(value: Any, /, **changes: Any) -> Any:
        """The value with some fields changed: `dataclasses.replace` at a quarter of its time, which every event pays.

        Only for frozen dataclasses without slots that have nothing to check or to convert, such as `GameState`: their
        fields are copied as they are.
        """
        made = object.__new__(type(value))
        made.__dict__.update(value.__dict__, **changes)
        return made


Answer: TypeAlias = "tuple[GameState, Ruling | None] | Refusal"
"""The next state with the ruling, if there is one; or a refusal, after which the state is as before."""


def paired(pair: tuple[Any, Any], side: Side, value: Any) -> tuple[Any, Any]:
    """The pair with the value of one side changed."""
    return (value, pair[1]) if side is Side.WHITE else (pair[0], value)


def clock_change(clock: Clock, now: int) -> Change:
    """Dials of both clocks, for the changes of a ruling."""
    return {name: clock.shown(side, now) for name, side in zip(PLAYERS, Side, strict=True)}


def end(
    state: GameState, at: int, kind: RulingKind, ending: Ending, **arguments: str | int
) -> tuple[GameState, Ruling]:
    """The state after the game has ended: clocks stopped, offers void. The ruling rests on the ending's clause."""
    changes: dict[str, Change] = {
        "result": ending.result,
        "result_text": ending.result_text,
        "termination": str(ending.termination),
    }
    ended = changed(
        state,
        now=at,
        clock=None if state.clock is None else state.clock.pause(at),
        hand=None,
        called=False,
        unpressed=None,
        offered=None,
        restoring=None,
        paused=False,
        ending=ending,
    )
    return ended, Ruling(kind, ending.clause, arguments, changes)


def declare(
    state: GameState,
    at: int,
    kind: RulingKind,
    winner: Side | None,
    termination: Termination,
    clause: str,
    **more: str | int,
) -> tuple[GameState, Ruling]:
    """End the game by a declaration; the stores stay as they stand (docs/rules/options.md, 82)."""
    stores = state.position.stores
    ending = Ending.of(Outcome(winner, termination, stores), clause, declared=True)
    if winner is not None or kind is RulingKind.BOTH_FLAGS_COUNTED:
        more["winner"] = "draw" if winner is None else PLAYERS[winner]
    if kind is RulingKind.REPETITION:
        return end(state, at, kind, ending, **more)
    return end(state, at, kind, ending, white=stores[0], black=stores[1], **more)


_BOARD = {
    Termination.MAJORITY: (RulingKind.MAJORITY, "WNG-TK §V"),
    Termination.NO_MOVE: (RulingKind.NO_MOVE, "WNG-TK §V"),
    Termination.EQUAL: (RulingKind.EQUAL, "WNG-TK §V"),
    Termination.SIDE_EMPTY: (RulingKind.SIDE_EMPTY, "WNG-M §III.4"),
}


def settle(state: GameState, at: int) -> tuple[GameState, Ruling]:
    """End the game by the board, which the present position does."""
    position = state.position
    outcome = position.outcome()
    if outcome is None:
        raise ValueError("the board does not end this game")
    kind, clause = _BOARD[outcome.termination]
    if kind is RulingKind.SIDE_EMPTY and position.rules.tuz:
        clause = "WNG-M §IV"
    white, black = outcome.stores
    arguments: dict[str, str | int] = {"white": white, "black": black}
    if kind is not RulingKind.EQUAL:
        arguments["winner"] = "draw" if outcome.winner is None else PLAYERS[outcome.winner]
    if kind is RulingKind.MAJORITY:
        arguments["goal"] = position.rules.goal
    elif kind is RulingKind.NO_MOVE:
        arguments["player"] = PLAYERS[position.to_move]
    elif kind is RulingKind.SIDE_EMPTY:
        arguments["player"] = PLAYERS[0 if not any(position.holes[0]) else 1]
    return end(state, at, kind, Ending.of(outcome, clause, declared=False), **arguments)

"""Events of a game as a journal holds them, and the game that follows from each.

An event states a decision, which is never judged again; `happen` only applies it. The same events make the same
game on every server and at every start.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from korgool.conduct import referee
from korgool.conduct.claims import ClaimKind
from korgool.conduct.ending import Ending
from korgool.conduct.events import (
    Accept,
    Action,
    Arrive,
    By,
    Claim,
    Decline,
    Event,
    Flag,
    Move,
    Offer,
    Options,
    Press,
    Resign,
    Start,
)
from korgool.conduct.ruling import Refusal, Ruling
from korgool.conduct.sentences import sentence
from korgool.conduct.state import GameState, changed, paired
from korgool.live import clocks
from korgool.live.game import OnlineGame
from korgool.live.terms import GameTerms, Manner
from korgool.rules import Outcome, Side, Termination

FRIENDLY_CLAUSE = "friendly play"
"""The clause of endings that no rule text knows: they exist in friendly games alone."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A player is at the board for the first time."""

    side: Side


@dataclass(frozen=True, slots=True)
class Begun:
    """The first turn begins, and with it the clock."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A ply of the side to move.

    Attributes:
        hole: the number of the hole, 1 to n.
        lag_ms: time given back for the way of the message.
        offer: whether a draw is offered with it.
        device: of an engine's move, whether the opponent's device has found it.
    """

    hole: int
    lag_ms: int = 0
    offer: bool = False
    device: bool = False


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A draw is offered without a move; friendly games only."""

    side: Side


@dataclass(frozen=True, slots=True)
class DrawDeclined:
    """The offer of the opponent is declined."""

    side: Side


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """The offer of the opponent is accepted: the game is drawn."""

    side: Side


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player resigns."""

    side: Side


@dataclass(frozen=True, slots=True)
class TakebackAsked:
    """A player asks to take back the own last turn."""

    side: Side


@dataclass(frozen=True, slots=True)
class TakebackDeclined:
    """The opponent does not let it be taken back."""

    side: Side


@dataclass(frozen=True, slots=True)
class TakenBack:
    """So many plies are taken back; the time that they took stays spent."""

    plies: int


@dataclass(frozen=True, slots=True)
class TimeAdded:
    """A player is given more time by the opponent."""

    side: Side
    ms: int


@dataclass(frozen=True, slots=True)
class VacationTaken:
    """A player of a slow game is away until `until`, milliseconds since 1970: the days of a turn stand still so long.

    It replaces what held before; an `until` that is over ends a vacation.
    """

    side: Side
    until: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """The game ends without a result; `side` ended it, or None where neither player began."""

    side: Side | None = None


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """The server finds a flag down; what follows from it is ruled by the referee."""


@dataclass(frozen=True, slots=True)
class ClaimGranted:
    """A claim of `side` ends the game; `winner` and `source` are those of a proof.

    Raises:
        ValueError: games over a network do not know such a claim.
    """

    side: Side
    what: ClaimKind
    winner: Side | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if self.what.online is None:
            raise ValueError(f"no claim of a game over a network: {self.what.name}")


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The server could take no move for so many milliseconds, which are charged to neither player."""

    ms: int


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """A player of a game that is over wants to play again."""

    side: Side


@dataclass(frozen=True, slots=True)
class Rematched:
    """The rematch is made, at the address `game`; its terms are `GameTerms.swapped`."""

    game: str


Happening: TypeAlias = (
    Joined
    | Begun
    | Moved
    | DrawOffered
    | DrawDeclined
    | DrawAgreed
    | Resigned
    | TakebackAsked
    | TakebackDeclined
    | TakenBack
    | TimeAdded
    | VacationTaken
    | Aborted
    | TimeCalled
    | ClaimGranted
    | Interrupted
    | RematchAsked
    | Rematched
)


class RuledError(ValueError):
    """The referee refuses an event or denies what it asks for, and says why in English.

    Attributes:
        answer: the refusal or the ruling.
    """

    def __init__(self, answer: Refusal | Ruling) -> None:
        super().__init__(answer)
        self.answer = answer

    def __str__(self) -> str:
        answer = self.answer
        return answer.reason if isinstance(answer, Refusal) else sentence(answer.kind, answer.arguments)


Entry: TypeAlias = "tuple[int, Happening] | tuple[int, Happening, tuple[int, int] | None]"
"""An event of a journal after its time, and in journals that wrote it down what was on the clocks after it."""


def replay(terms: GameTerms, opened: int, events: Iterable[Entry]) -> OnlineGame:
    """The game that a journal tells, from the times and events in it; the third of an entry is as in `happen`.

    Raises:
        ValueError: an event does not follow, which means that the journal is damaged.
    """
    game = OnlineGame.open(terms, opened)
    for at, event, *stocks in events:
        try:
            game, _ = happen(game, event, at, *stocks)
        except ValueError as error:
            raise ValueError(f"event {game.version + 1}: {error}") from error
    return game


def happen(
    game: OnlineGame, event: Happening, at: int, stocks: tuple[int, int] | None = None
) -> tuple[OnlineGame, Ruling | None]:
    """Apply an event at `at`: the game after it, and the ruling of the referee.

    Args:
        game: the game before it.
        event: the event.
        at: when, milliseconds since 1970.
        stocks: milliseconds on the clocks of White and Black after the event, from a journal that wrote them down. They
            hold instead of the time since the last event: such a journal charged no outage to a player, and its times
            are those of the day, which may be set back. A clock that runs goes on from `at`.

    Raises:
        RuledError: the referee denies it.
        ValueError: it does not follow.
    """
    if game.over is not isinstance(event, RematchAsked | Rematched):
        raise ValueError("the game is over" if game.over else "the game is not over yet")
    at, was_over = max(at, game.at), game.over
    if stocks is not None:
        game = clocks.clock_set(game, stocks if isinstance(event, TimeCalled) else None, at)
    game, ruling = _followed(game, event, at)
    if stocks is not None:
        game = clocks.clock_set(game, stocks, at)
    version = game.version + 1
    ends = game.over and not was_over
    board = version if ends or isinstance(event, Moved | TakenBack) else game.board_version
    return changed(game, version=version, at=at, board_version=board, ended=at if ends else game.ended), ruling


_BY = (By.WHITE, By.BLACK)


def _followed(game: OnlineGame, event: Happening, at: int) -> tuple[OnlineGame, Ruling | None]:
    ruling: Ruling | None = None
    match event:
        case Joined(side):
            game, ruling = _arrived(changed(game, joined=paired(game.joined, side, True)), side, at)
        case Begun():
            terms = game.terms
            start = Start(
                terms.rules, terms.control, terms.control is not None, terms.start, Options(automatic_flags=True)
            )
            game, ruling = _referee(game, By.REFEREE, start, at)
            for side in Side:
                if game.joined[side]:
                    game, _ = _arrived(game, side, at)
        case Moved():
            game, ruling = _moved(game, event, at)
        case DrawOffered(side):
            offered = paired(game.offered, side, game.own_plies(side))
            game = changed(game, game=changed(game.game, offered=side), offered=offered)
        case DrawDeclined(side):
            game, ruling = _referee(game, _BY[side], Decline(), at)
        case DrawAgreed(side):
            game, ruling = _referee(game, _BY[side], Accept(), at)
        case Resigned(side):
            game, ruling = _referee(game, _BY[side], Resign(), at)
        case TakebackAsked(side):
            game = changed(game, asks=side)
        case TakebackDeclined(side):
            game = changed(game, asks=None, declined=paired(game.declined, side.other, game.board_version))
        case TakenBack(plies):
            game = clocks.taken_back(game, plies, at)
        case TimeAdded(side, ms):
            game = clocks.time_added(game, side, ms)
        case VacationTaken(side, until):
            game = clocks.rested(game, side, until, at)
        case Aborted():
            clock = game.game.clock
            stopped = game.game if clock is None else changed(game.game, clock=clock.pause(at))
            game = changed(game, aborted=True, game=stopped)
        case TimeCalled():
            game, ruling = _referee(game, By.REFEREE, Flag(), at)
        case ClaimGranted():
            game, ruling = _claimed(game, event, at)
        case Interrupted(ms):
            game = clocks.interrupted(game, ms, at)
        case RematchAsked() | Rematched():
            game = _rematched(game, event)
    return game, ruling


def _referee(game: OnlineGame, by: By, action: Action, at: int) -> tuple[OnlineGame, Ruling | None]:
    state, ruling = _ruled(game.game, by, action, at)
    return changed(game, game=state, asks=None if state.ending is not None else game.asks), ruling


def _ruled(state: GameState, by: By, action: Action, at: int) -> tuple[GameState, Ruling | None]:
    answer = referee.apply(state, Event(max(at, state.now), by, action))
    if isinstance(answer, Refusal):
        raise RuledError(answer)
    after, ruling = answer
    if ruling is not None and not ruling.granted:
        raise RuledError(ruling)
    return after, ruling


def _arrived(game: OnlineGame, side: Side, at: int) -> tuple[OnlineGame, Ruling | None]:
    """Note the arrival of a player at a competition game; a friendly game has no lateness."""
    if game.terms.friendly or not game.begun or game.game.there(side):
        return game, None
    return _referee(game, _BY[side], Arrive(), at)


def _moved(game: OnlineGame, event: Moved, at: int) -> tuple[OnlineGame, Ruling | None]:
    """Lift, sow, offer, press: what a player at a table does in four acts a message says at once."""
    game = clocks.lag_given(game, event.lag_ms)
    state, side = game.game, game.to_move
    clock = state.clock
    stopped = None if clock is None else clock.pause(at)
    by, competition = _BY[side], game.terms.manner is Manner.COMPETITION
    state, ruling = _ruled(state, by, Move(event.hole), at)
    sown = state.hand
    passes = True
    if state.ending is None:
        if event.offer and competition:
            state, ruling = _ruled(state, by, Offer(), at)
        assert state.hand is not None
        passes = not state.hand.extra_turn or state.hand.outcome is not None
        if passes:
            state, pressed = _ruled(state, by, Press(), at)
            ruling = pressed or ruling
    game = changed(game, game=state, clocks=(*game.clocks, stopped), asks=None, sown=sown)
    if event.offer and not competition and state.ending is None:
        offered = paired(game.offered, side, game.own_plies(side))
        game = changed(game, game=changed(state, offered=side), offered=offered)
    quota = game.lag_rule.after(game.quotas[side], event.lag_ms, passes=passes)
    return changed(game, quotas=paired(game.quotas, side, quota)), ruling


def _claimed(game: OnlineGame, event: ClaimGranted, at: int) -> tuple[OnlineGame, Ruling | None]:
    side = event.side
    match event.what:
        case ClaimKind.FLAG:
            return _referee(game, _BY[side], Flag(side.other), at)
        case ClaimKind.GONE:
            return _ended(game, Outcome(side, Termination.FORFEIT, game.position.stores), at), None
        case ClaimKind.PROOF:
            return _ended(game, Outcome(event.winner, Termination.UNKNOWN, game.position.stores), at), None
        case _:
            return _referee(game, _BY[side], Claim(event.what), at)


def _ended(game: OnlineGame, outcome: Outcome, at: int) -> OnlineGame:
    """The end by a claim that only friendly games know; the stores stay as they stand."""
    state = game.game
    ended = changed(
        state,
        now=max(state.now, at),
        clock=None if state.clock is None else state.clock.pause(at),
        hand=None,
        offered=None,
        ending=Ending.of(outcome, FRIENDLY_CLAUSE, declared=True),
    )
    return changed(game, game=ended, asks=None)


def _rematched(game: OnlineGame, event: RematchAsked | Rematched) -> OnlineGame:
    if game.rematch:
        raise ValueError("the rematch has been made")
    if isinstance(event, RematchAsked):
        return changed(game, rematch_asked=event.side)
    return changed(game, rematch=event.game, rematch_asked=None)

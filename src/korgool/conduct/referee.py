"""The referee: from a game as it stands and an event, to the game as it stands then and the ruling.

A whole log is ruled on in a loop::

    state = GameState()
    for event in events:
        answer = apply(state, event)
        if not isinstance(answer, Refusal):
            state, ruling = answer

`apply` never raises for what an event says: it rules, or refuses with the reason and leaves the state as it was.
"""

from __future__ import annotations

from korgool.conduct.claims import ClaimKind
from korgool.conduct.draws import (
    accept,
    claim_drawn_position,
    claim_fourth_offer,
    claim_repetition,
    decline,
    offer,
    resign,
)
from korgool.conduct.events import (
    Accept,
    Action,
    Arrive,
    Claim,
    ClockFault,
    Decline,
    Event,
    Flag,
    Leave,
    Lots,
    Move,
    NextSet,
    Offer,
    Pause,
    Press,
    Resign,
    Restore,
    Resume,
    SetClock,
    Sign,
    Spill,
    Start,
    Warn,
)
from korgool.conduct.flags import automatic, call_flag, clock_fault, pause, resume, set_clock
from korgool.conduct.mistakes import restore, spill, warn
from korgool.conduct.moving import lots, move, next_set, press, press_for, start
from korgool.conduct.presence import arrive, claim_no_show, leave
from korgool.conduct.ruling import Refusal, Ruling
from korgool.conduct.signing import sign
from korgool.conduct.state import Answer, GameState, changed, paired, settle
from korgool.rules import Side

_PLAYERS_ONLY = frozenset({Move, Offer, Accept, Decline, Resign})
_REFEREE_ONLY = frozenset({Lots, Start, NextSet, Warn, Resume, Restore})
_BEFORE_START = frozenset({Lots, Start, Arrive, Leave, Warn})
_AFTER_END = frozenset({Arrive, Leave, Warn, Restore, Sign, NextSet})
_HAND_WAITS = frozenset({Press, Flag, Pause, Resume, ClockFault, Spill, Restore, Warn, Arrive, Leave})
"""Events that may come between a move that ends the game and its press without ending it at once."""


def apply(state: GameState, event: Event) -> Answer:
    """Rule on an event.

    Returns:
        The next state with the ruling, or None where the event needs none; or a `Refusal`.
    """
    action, at, side = event.action, event.at, event.by.side
    if at < state.now:
        return Refusal(f"time goes back: {at / 1000:.3f} s comes after {state.now / 1000:.3f} s")
    refusal = _out_of_place(state, action, side)
    if refusal is not None:
        return refusal
    if state.options.automatic_flags and state.ending is None:
        fallen = automatic(state, at)
        if fallen is not None:
            return _after_flag(fallen, event)
    if state.hand is not None and state.hand.outcome is not None and not _waits(action):
        state, _ = settle(state, at)
        refusal = _out_of_place(state, action, side)
        if refusal is not None:
            return refusal
    if side is not None and not (state.acted[side] and not state.away[side]) and not isinstance(action, Arrive | Leave):
        state = changed(state, acted=paired(state.acted, side, True), away=paired(state.away, side, False))
    return _player(state, event, action, side) if side is not None else _referee(state, event, action)


def _after_flag(fallen: tuple[GameState, Ruling], event: Event) -> Answer:
    """A flag has ended the game before the event. What may come after the end is still entered, such as a warning."""
    if type(event.action) not in _AFTER_END:
        return fallen
    answer = apply(fallen[0], event)
    if isinstance(answer, Refusal):
        return answer
    state, ruling = answer
    return state, ruling if ruling is not None and ruling.granted else fallen[1]


def _waits(action: Action) -> bool:
    return type(action) in _HAND_WAITS or (isinstance(action, Claim) and action.reason is ClaimKind.FLAG)


def _out_of_place(state: GameState, action: Action, side: Side | None) -> Refusal | None:
    """Reason why the event is not possible now, or not for this person; None if it is."""
    word = type(action).__name__.lower()
    if side is None and type(action) in _PLAYERS_ONLY:
        return Refusal(f"the referee does not {word}; a player does")
    if side is not None and type(action) in _REFEREE_ONLY:
        clause = {Resume: "WNG-TK §VII", Restore: "WNG-TK §VI", Warn: "WNG-TK §XIV"}.get(type(action))
        return Refusal(f"only the referee may enter {_NAMES.get(word, word)}", clause)
    if state.terms is None:
        if type(action) not in _BEFORE_START:
            return Refusal("the game has not begun; it begins with start")
    elif isinstance(action, Start | Lots):
        return Refusal("the game has begun already")
    elif state.ending is None and isinstance(action, NextSet):
        return Refusal("the set is not over")
    elif state.ending is not None and type(action) not in _AFTER_END:
        return Refusal(f"the game is over: {state.ending.result_text}, {state.ending.termination}")
    return None


_NAMES = {"nextset": "next_set"}


def _player(state: GameState, event: Event, action: Action, side: Side) -> Answer:
    if isinstance(action, Press | Arrive | Leave | Spill) and action.player not in (None, side):
        return Refusal("players speak for themselves; the referee may name another")
    match action:
        case Move():
            return move(state, event, action, side)
        case Press():
            return press(state, event, side)
        case Offer():
            return offer(state, event, side)
        case Accept():
            return accept(state, event, side)
        case Decline():
            return decline(state, event, side)
        case Resign():
            return resign(state, event, side)
    return _anybody(state, event, action)


def _referee(state: GameState, event: Event, action: Action) -> Answer:
    match action:
        case Lots():
            return lots(state, event, action)
        case Start():
            return start(state, event, action)
        case NextSet():
            return next_set(state, event)
        case Press():
            return press_for(state, event, action)
        case Warn():
            return warn(state, event, action)
        case Resume():
            return resume(state, event)
        case Restore():
            return restore(state, event, action)
    return _anybody(state, event, action)


def _anybody(state: GameState, event: Event, action: Action) -> Answer:
    match action:
        case Arrive():
            return arrive(state, event, action)
        case Leave():
            return leave(state, event, action)
        case Claim():
            return _claim(state, event, action)
        case Flag():
            return call_flag(state, event, action.player)
        case Pause():
            return pause(state, event)
        case ClockFault():
            return clock_fault(state, event, action)
        case SetClock():
            return set_clock(state, event)
        case Spill():
            return spill(state, event, action)
        case Sign():
            return sign(state, event, action)
    raise TypeError(f"no referee knows the action {action!r}")


def _claim(state: GameState, event: Event, action: Claim) -> Answer:
    match action.reason:
        case ClaimKind.FLAG:
            return call_flag(state, event, action.player)
        case ClaimKind.NO_SHOW:
            return claim_no_show(state, event, action.player)
        case ClaimKind.FOURTH_OFFER:
            return claim_fourth_offer(state, event)
        case ClaimKind.THREEFOLD | ClaimKind.RECURRENCE:
            return claim_repetition(state, event, action.reason)
        case ClaimKind.DRAWN_POSITION:
            return claim_drawn_position(state, event)
    raise TypeError(f"no referee knows the claim {action.reason.name}")

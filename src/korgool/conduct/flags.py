"""Flags, pauses and faults of the clock (WNG-TK §V, §VII)."""

from __future__ import annotations

from korgool.conduct.correction import correct, installed
from korgool.conduct.events import By, ClockFault, Event
from korgool.conduct.ruling import Argument, Refusal, Ruling, RulingKind
from korgool.conduct.state import PLAYERS, Answer, GameState, changed, clock_change, declare, settle
from korgool.rules import VARIANTS, Side, Termination

_NO_CLOCK = Refusal("the game has no clock; set_clock brings one", "WNG-TK §VII")
_SEEN = "WNG-TK §V, §VII"


def call_flag(state: GameState, event: Event, about: Side | None) -> Answer:
    """Rule on a call that a flag is down, the flag of `about` or of whom it may be.

    Only the call makes the flag count (WNG-TK §VII: players or the referee record it). A player with stones in hand
    completes the sowing, and if that ends the game on the board, this ending stands.
    """
    clock, at, hand = state.clock, event.at, state.hand
    if clock is None:
        return _NO_CLOCK
    down = clock.flags(at)
    if not any(down) or (about is not None and not down[about]):
        side = about if about is not None else state.turn
        arguments: dict[str, Argument] = {"player": PLAYERS[side], "left_ms": clock.remaining(side, at)}
        return changed(state, now=at), Ruling(RulingKind.NO_FLAG, "WNG-TK §VII", arguments)
    if hand is not None and hand.outcome is not None and not down[hand.mover]:
        return settle(state, at)
    if hand is not None and not hand.extra_turn and down[hand.mover]:
        # A flag decides nothing before its call, so when it fell within the move or before the lift makes no
        # difference: the sowing is completed, and the press decides.
        ruling = Ruling(
            RulingKind.MOVE_FIRST, "WNG-TK §VII", {"player": PLAYERS[hand.mover]}, {"called": PLAYERS[hand.mover]}
        )
        return changed(state, now=at, called=True), ruling
    return decide_flags(state, at)


def decide_flags(state: GameState, at: int) -> tuple[GameState, Ruling]:
    """End the game by the flags that are down.

    Both down is a draw while no store holds more than half of the stones, 81 of 162 (WNG-TK §V). With more, which only
    games without a goal allow, and by the option `compare`, the stores are counted (§VII).
    """
    clock = state.clock
    down = (False, False) if clock is None else clock.flags(at)
    if not all(down):
        side = Side.WHITE if down[0] else Side.BLACK
        winner = side.other
        return declare(state, at, RulingKind.TIME, winner, Termination.TIME, _SEEN, player=PLAYERS[side])
    white, black = state.position.stores
    half = state.rules.total // 2
    if state.options.both_flags == "draw" and max(white, black) <= half:
        return declare(state, at, RulingKind.BOTH_FLAGS_DRAW, None, Termination.TIME, _SEEN, half=half)
    larger = None if white == black else Side.WHITE if white > black else Side.BLACK
    return declare(state, at, RulingKind.BOTH_FLAGS_COUNTED, larger, Termination.TIME, _SEEN)


def automatic(state: GameState, at: int) -> tuple[GameState, Ruling] | None:
    """Ruling of an unattended clock before an event at `at`: a flag has fallen, and no move was being made."""
    clock = state.clock
    if clock is None or clock.running is None or clock.remaining(clock.running, at):
        return None
    hand = state.hand
    if hand is not None and not hand.extra_turn and hand.mover is clock.running:
        return None
    return decide_flags(state, at)


def pause(state: GameState, event: Event) -> Answer:
    """Stop both clocks: the referee at will, a player only when a flag is down (WNG-TK §VII)."""
    clock, at = state.clock, event.at
    if clock is None:
        return _NO_CLOCK
    if state.paused:
        return Refusal("both clocks are stopped already", "WNG-TK §VII")
    side = event.by.side
    if side is not None and not any(clock.flags(at)):
        return changed(state, now=at), Ruling(RulingKind.STOP_FORBIDDEN, "WNG-TK §VII", {"player": PLAYERS[side]})
    stopped = changed(state, now=at, clock=clock.pause(at), paused=True)
    changes = {"clock": clock_change(clock, at)}
    if side is None:
        return stopped, Ruling(RulingKind.PAUSED, "WNG-TK §VII, §XIV", {}, changes)
    return stopped, Ruling(RulingKind.STOPPED_FOR_FLAG, "WNG-TK §VII", {"player": PLAYERS[side]}, changes)


def resume(state: GameState, event: Event) -> Answer:
    """Let the clock run again that ran before."""
    clock, at = state.clock, event.at
    if clock is None:
        return _NO_CLOCK
    if not state.paused:
        return Refusal("the clock is running; only what was stopped can be resumed", "WNG-TK §VII")
    side = state.running
    resumed = changed(state, now=at, clock=clock.start(side, at), paused=False)
    changes = {"clock": clock_change(clock, at)}
    return resumed, Ruling(RulingKind.RESUMED, "WNG-TK §VII, §XIV", {"player": PLAYERS[side]}, changes)


def clock_fault(state: GameState, event: Event, action: ClockFault) -> Answer:
    """Replace a faulty clock, when a player asks for it before a flag is down (WNG-TK §VII)."""
    clock, at = state.clock, event.at
    if clock is None:
        return _NO_CLOCK
    if event.by is By.REFEREE and action.request is None:
        return changed(state, now=at), Ruling(RulingKind.CLOCK_NOT_REQUESTED, "WNG-TK §VII")
    down = clock.flags(at)
    if any(down):
        whose = {"player": PLAYERS[0 if down[0] else 1]}
        return changed(state, now=at), Ruling(RulingKind.CLOCK_AFTER_FLAG, "WNG-TK §VII", whose)
    known = action.white, action.black
    if any(time is not None and time < 0 for time in known):
        return Refusal("a dial shows no time below 0")
    replaced, made_good = correct(clock, known, at)
    changes = {"clock": clock_change(replaced, at)}
    white, black = (replaced.shown(side, at) for side in Side)
    if None not in known:
        kind, given = RulingKind.CLOCK_SET, {"white_ms": white, "black_ms": black}
        ruling = Ruling(kind, "WNG-TK §VII", given, changes)
    elif known == (None, None):
        ruling = Ruling(RulingKind.CLOCK_DIVIDED, "WNG-TK §VII", {"each_ms": white}, changes)
    else:
        player = PLAYERS[0 if action.white is not None else 1]
        ruling = Ruling(
            RulingKind.CLOCK_CORRECTED,
            "WNG-TK §VII",
            {"player": player, "white_ms": white, "black_ms": black, "made_good_ms": made_good},
            changes,
        )
    return changed(state, now=at, clock=replaced), ruling


def set_clock(state: GameState, event: Event) -> Answer:
    """Bring a clock into a game that began without one (WNG-TK §VII, §XIV).

    The least of 25 minutes is a rule of toguz korgool; the rules of the other games know none, so there only what the
    time control leaves is set.
    """
    terms, at = state.terms, event.at
    if terms is None or terms.control is None or state.clock is not None:
        return Refusal("the game has a clock; a faulty one is reported by clock_fault", "WNG-TK §VII")
    elapsed = at - state.started
    known = VARIANTS.get(state.rules.name)
    clock = installed(terms.control, elapsed, known.least_clock_ms if known else 0)
    if not any(clock.stocks):
        return Refusal("the time of both players is used up; no clock can be set", "WNG-TK §VII")
    each = clock.shown(Side.WHITE, at)
    running = clock.start(state.position.to_move, at)
    ruling = Ruling(
        RulingKind.CLOCK_INSTALLED,
        "WNG-TK §VII",
        {"each_ms": each, "elapsed_ms": elapsed},
        {"clock": clock_change(clock, at)},
    )
    return changed(state, now=at, clock=running, hand=None), ruling

"""Start, moves and presses (WNG-TK §II, §III, §VII; WNG-M §III.1)."""

from __future__ import annotations

from dataclasses import replace

from korgool.conduct.clock import Clock
from korgool.conduct.control import HOUR, QUARTER
from korgool.conduct.events import Event, Lots, Move, Press, Start
from korgool.conduct.flags import decide_flags
from korgool.conduct.lots import draw_lots
from korgool.conduct.ruling import Refusal, Ruling, RulingKind
from korgool.conduct.state import PLAYERS, Answer, GameState, changed, clock_change, declare, paired, settle
from korgool.rules import Match, Position, PositionError, Side, Termination


def lots(state: GameState, event: Event, action: Lots) -> Answer:
    """Draw lots for the sides (WNG-TK §II)."""
    if state.lots is not None:
        return Refusal("lots have been drawn already", "WNG-TK §II")
    drawn = draw_lots(action.players, action.seed)
    ruling = Ruling(
        RulingKind.LOTS_DRAWN,
        "WNG-TK §II",
        {"white": drawn.white, "black": drawn.black, "seed": drawn.seed},
        {"white": drawn.white, "black": drawn.black},
    )
    return changed(state, now=event.at, lots=drawn), ruling


def start(state: GameState, event: Event, action: Start) -> Answer:
    """Begin the game: the stones lie, and White's clock starts whether White is there or not (WNG-TK §VII)."""
    rules, at = action.rules, event.at
    try:
        position = rules.start() if action.position is None else Position.parse(action.position, rules)
    except PositionError as error:
        return Refusal(f"the start position is none: {error}")
    if position.outcome() is not None:
        return Refusal("the start position is one in which the game is over")
    if action.options.sets > 1 and position != rules.start():
        return Refusal("a match of sets begins from the usual position")
    control = action.control or (HOUR if rules.goal else QUARTER)
    begun = changed(
        state,
        now=at,
        terms=replace(action, control=control),
        started=at,
        clock=Clock.full(control).start(position.to_move, at) if action.clocks else None,
        positions=(position,),
        match=Match(rules, action.options.sets) if action.options.sets > 1 else None,
    )
    return begun, None


def next_set(state: GameState, event: Event) -> Answer:
    """Begin the next set of a match: the players change sides, so the starter alternates (WNG-M §III)."""
    match, ending = state.match, state.ending
    if match is None or ending is None or state.terms is None or state.terms.control is None:
        return Refusal("this is a single game; a match is begun with the number of its sets")
    if ending.termination is Termination.FORFEIT:
        return Refusal("the match was lost by lateness; there is no next set", "WNG-TK §V")
    match = match.record(ending.outcome())
    if match.finished:
        return Refusal(f"all {match.sets} sets of the match have been played")
    at, control, position = event.at, state.terms.control, match.rules.start()
    clock = state.clock
    if clock is not None:
        full = Clock.full(control)
        clock = full if state.options.set_clock else replace(full, stocks=clock.stocks[::-1], turns=clock.turns[::-1])
        clock = clock.start(position.to_move, at)
    options = replace(state.options, warnings=state.options.warnings[::-1])
    names = None if state.lots is None else replace(state.lots, white=state.lots.black, black=state.lots.white)
    begun = GameState(
        now=at,
        lots=names,
        terms=replace(state.terms, options=options),
        started=at,
        clock=clock,
        positions=(position,),
        arrived=state.arrived[::-1],
        acted=(True, True),
        away=state.away[::-1],
        warnings=state.warnings[::-1],
        match=match,
    )
    number = len(match.outcomes) + 1
    ruling = Ruling(RulingKind.SET_STARTED, "WNG-M §III", {"number": number, "sets": match.sets}, {"set": number})
    return begun, ruling


def move(state: GameState, event: Event, action: Move, side: Side) -> Answer:
    """Lift and sow. The move is complete with the press; an offer of the opponent lapses (WNG-TK §III, §X).

    Where the opponent has not pressed, the referee may let it be (WNG-TK §XIV): the move stands, and the time of the
    one who forgot runs on. An unattended server has no referee, so there the move waits for the press.
    """
    if state.paused:
        return Refusal("both clocks are stopped; the referee lets them go on by resume", "WNG-TK §VII")
    hand, position = state.hand, state.position
    if hand is not None and not hand.extra_turn and state.clock is not None:
        if hand.mover == side:
            return Refusal(f"{_name(side)} has moved and has to press the clock", "WNG-TK §III")
        if state.restoring is not None or state.options.automatic_flags:
            return Refusal(f"{_name(side)} may move only after the opponent has pressed the clock", "WNG-TK §III")
    if position.to_move != side:
        return Refusal(f"it is not {_name(side)}'s turn", "WNG-TK §III")
    try:
        sowing = position.sow(action.hole)
    except ValueError as error:
        return Refusal(str(error), "WNG-TK §III")
    at, clock = event.at, state.clock
    if clock is not None and state.restoring is not None:
        clock = _given_back(clock, state.restoring, at)  # the stones lie again, or the mover could not sow
    if state.called:
        return decide_flags(state, at)  # the opponent's stones lie, so that move is complete
    forgetful = side.other if clock is not None and clock.running is side.other else None
    sown = changed(
        state,
        now=at,
        clock=clock,
        positions=(*state.positions, sowing.after),
        moves=(*state.moves, action.hole),
        hand=sowing,
        called=False,
        unpressed=forgetful,
        offered=state.offered if state.offered is side else None,
        restoring=None,
    )
    if forgetful is None:
        return sown, None
    return sown, Ruling(RulingKind.PRESS_FORGOTTEN, "WNG-TK §XIV", {"player": PLAYERS[forgetful]})


def press_for(state: GameState, event: Event, action: Press) -> Answer:
    """The referee presses the clock for a player who forgot it (WNG-TK §XIV): the side to move, or the one named."""
    side = state.running if action.player is None else action.player
    answer = press(state, event, side)
    if isinstance(answer, Refusal) or answer[1] is not None:
        return answer
    pressed = answer[0]
    changes = {} if pressed.clock is None else {"clock": clock_change(pressed.clock, event.at)}
    return pressed, Ruling(RulingKind.PRESSED, "WNG-TK §XIV", {"player": PLAYERS[side]}, changes)


def press(state: GameState, event: Event, side: Side) -> Answer:
    """Complete the move. What it decides is decided now: the board first, then a flag.

    A flag decides only where it was called within the move, or on an unattended server (WNG-TK §VII). The press stays
    possible when both clocks were stopped for the flag of the mover; they stay stopped.
    """
    at, hand, clock = event.at, state.hand, state.clock
    down = clock is not None and clock.remaining(side, at) == 0
    if state.paused and (state.restoring is not None or hand is None or not down):
        return Refusal("both clocks are stopped; the referee lets them go on by resume", "WNG-TK §VII")
    if state.restoring is not None:
        if state.restoring is not side:
            return Refusal(f"{_name(side.other)} is restoring spilled stones on their own time", "WNG-TK §VI")
        if clock is not None:
            clock = _given_back(clock, side, at)
        unpressed = None if state.unpressed is side else state.unpressed
        return changed(state, now=at, clock=clock, restoring=None, unpressed=unpressed), None
    if hand is None:
        return Refusal("no move has been made; the clock is pressed after a move", "WNG-TK §III")
    if state.unpressed is side:
        # The other has moved meanwhile. Now their time runs, and they have to press as always.
        return changed(state, now=at, clock=_handed_over(state, at), unpressed=None), None
    if hand.mover is not side:
        return Refusal(f"{_name(side.other)} has moved and is the one to press the clock", "WNG-TK §VII")
    if hand.outcome is not None:
        return settle(state, at)
    if down and (state.called or state.options.automatic_flags):
        return decide_flags(state, at)
    if hand.extra_turn:
        return changed(state, now=at), Ruling(RulingKind.EXTRA_TURN, "WNG-M §III.1", {"player": PLAYERS[side]})
    done = changed(
        state,
        now=at,
        clock=_handed_over(state, at) if state.unpressed is None else clock,
        hand=None,
        unpressed=None,
        called=False,
    )
    threefold = state.rules.threefold
    if state.options.automatic_flags and threefold and (times := _occurrences(done)) >= threefold:
        return declare(
            done,
            at,
            RulingKind.REPETITION,
            None,
            Termination.REPETITION,
            "WNG-TK §V, §X",
            reason="threefold",
            times=times,
        )
    return done, None


def _handed_over(state: GameState, at: int) -> Clock | None:
    """The clock after its button was pressed; one that was stopped stays so."""
    return state.clock if state.clock is None or state.paused else state.clock.hand_over(at)


def _given_back(clock: Clock, offender: Side, at: int) -> Clock:
    """The clock after spilled stones were put back in the opponent's turn, which goes on."""
    running = clock.start(offender.other, at)
    return replace(running, used=paired(running.used, offender, 0))


def _occurrences(state: GameState) -> int:
    """Number of times that the present position has stood. Stores only grow, so older ones need not be compared."""
    present, times = state.position, 0
    for position in reversed(state.positions):
        if position.stores != present.stores:
            break
        times += position == present
    return times


def _name(side: Side) -> str:
    return PLAYERS[side].capitalize()

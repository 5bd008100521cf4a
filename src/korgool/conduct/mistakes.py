"""Spilled stones, positions corrected from the record, and warnings (WNG-TK §VI, §VIII, §XIV)."""

from __future__ import annotations

from korgool.conduct.events import Event, Restore, Spill, Warn
from korgool.conduct.ruling import Argument, Refusal, Ruling, RulingKind
from korgool.conduct.scoresheet import EXEMPT_BELOW_MS
from korgool.conduct.state import PLAYERS, Answer, GameState, GameWarning, changed, clock_change, paired, settle
from korgool.rules import Position, PositionError, Side

POINT_AT = 3
"""The warning that costs a point (WNG-TK §XIV)."""


def spill(state: GameState, event: Event, action: Spill) -> Answer:
    """Spilled stones are put back on the time of the one who spilled them, who then presses the clock (WNG-TK §VI).

    In the player's own turn their time runs anyway. In the opponent's turn the clock is switched to them until they
    press.
    """
    side, at = event.by.side if event.by.side is not None else action.player, event.at
    if side is None:
        return Refusal("who spilled the stones? the referee names the player")
    clock = state.clock
    spilled = changed(state, now=at)
    usual = state.turn if state.unpressed is None else state.unpressed
    if side is not usual and clock is not None:
        running = clock if state.paused else clock.start(side, at)
        spilled = changed(spilled, clock=running, restoring=side)
    changes = {} if clock is None else {"clock": clock_change(clock, at)}
    return spilled, Ruling(RulingKind.SPILLED, "WNG-TK §VI", {"player": PLAYERS[side]}, changes)


def restore(state: GameState, event: Event, action: Restore) -> Answer:
    """Correct the position from the record, while the result is not signed (WNG-TK §VI).

    A position of the record takes the game back to it. Any other begins a record of its own, and repetition counts from
    there. The times stay unless the event's rule changes them. A game that the board had ended goes on; its clock waits
    for the referee.
    """
    at, ending = event.at, state.ending
    if any(time is not None and time < 0 for time in (action.white, action.black)):
        return Refusal("a dial shows no time below 0")
    if ending is not None and (state.signed or ending.declared):
        kind = RulingKind.SIGNED_STANDS if state.signed else RulingKind.DECLARED_STANDS
        return changed(state, now=at), Ruling(kind, "WNG-TK §VI", {"result": ending.result_text})
    try:
        position = Position.parse(action.position, state.rules)
    except PositionError as error:
        return Refusal(f"the position cannot be: {error}")
    ply = next((n for n in range(len(state.positions) - 1, -1, -1) if state.positions[n] == position), -1)
    paused, clock = state.paused or ending is not None, state.clock
    if clock is not None:
        for side, shown in zip(Side, (action.white, action.black), strict=True):
            clock = clock if shown is None else clock.restocked(side, shown, at)
        clock = clock.pause(at) if paused else clock.start(position.to_move, at)
    corrected = changed(
        state,
        now=at,
        clock=clock,
        paused=paused and clock is not None,
        positions=state.positions[: ply + 1] if ply >= 0 else (position,),
        moves=state.moves[:ply] if ply >= 0 else (),
        before=state.before if ply >= 0 else (*state.before, (state.positions[0], state.moves)),
        marks=tuple(mark for mark in state.marks if mark <= ply),
        hand=None,
        called=False,
        unpressed=None,
        offered=None,
        restoring=None,
        ending=None,
        signatures=(False, False),
    )
    if position.outcome() is not None:
        return settle(corrected, at)
    arguments: dict[str, Argument] = {"player": PLAYERS[position.to_move], "ply": ply}
    changes = {"position": str(position), **({} if clock is None else {"clock": clock_change(clock, at)})}
    return corrected, Ruling(RulingKind.RESTORED, "WNG-TK §VI", arguments, changes)


def warn(state: GameState, event: Event, action: Warn) -> Answer:
    """Warn a player. The third warning costs a point and the fourth the event, which its standings carry out.

    While the game goes on, a player with less than five minutes need not write and is not warned for it (WNG-TK §VIII).
    """
    at, side, clock = event.at, action.player, state.clock
    if action.reason == "rules" and action.clause is None:
        return Refusal("a warning for breaking the rules names the clause that was broken", "WNG-TK §XIV")
    if action.reason == "record" and clock is not None and state.ending is None:
        left = clock.remaining(side, at)
        if left < EXEMPT_BELOW_MS:
            arguments: dict[str, Argument] = {"player": PLAYERS[side], "left_ms": left}
            return changed(state, now=at), Ruling(RulingKind.RECORD_EXEMPT, "WNG-TK §VIII", arguments)
    clause = action.clause or "WNG-TK §XIV"
    given = (*state.warnings[side], GameWarning(action.reason, clause, at))
    number = state.options.warnings[side] + len(given)
    kind = RulingKind.WARNING
    if number >= POINT_AT:
        kind = RulingKind.WARNING_POINT if number == POINT_AT else RulingKind.WARNING_EXCLUSION
    arguments = {"player": PLAYERS[side], "reason": action.reason, "number": number}
    warned = changed(state, now=at, warnings=paired(state.warnings, side, given))
    return warned, Ruling(kind, clause, arguments, {"warnings": number})

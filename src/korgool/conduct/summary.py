"""Games and rulings as plain values for JSON. Times are seconds with the millisecond."""

from __future__ import annotations

from typing import Any

from korgool.conduct.ruling import Ruling
from korgool.conduct.sentences import sentence
from korgool.conduct.state import PLAYERS, GameState, settle
from korgool.rules import Side


def ruling_fields(ruling: Ruling, language: str = "en") -> dict[str, Any]:
    """A ruling with its sentence in `language`."""
    changes = dict(ruling.changes)
    clock = changes.get("clock")
    if isinstance(clock, dict):
        changes["clock"] = {name: None if ms is None else ms / 1000 for name, ms in clock.items()}  # type: ignore[misc]
    return {
        "kind": str(ruling.kind),
        "clause": ruling.clause,
        "granted": ruling.granted,
        "sentence": sentence(ruling.kind, ruling.arguments, language),
        "arguments": dict(ruling.arguments),
        "changes": changes,
    }


def summary(state: GameState) -> dict[str, Any]:
    """The last line of a log: result, clocks, warnings. A game that goes on has the result `*`.

    A move that ends the game does so although its press is not in the log any more: "the game is stopped" (WNG-TK §V).
    """
    if state.hand is not None and state.hand.outcome is not None:
        state, _ = settle(state, state.now)
    ending = state.ending
    stores = state.position.stores if state.positions else (0, 0)
    if ending is not None:
        stores = ending.stores or (0, 0)
    found: dict[str, Any] = {
        "result": "*" if ending is None else ending.result,
        "result_text": None if ending is None else ending.result_text,
        "termination": None if ending is None else str(ending.termination),
        "stores": dict(zip(PLAYERS, stores, strict=True)),
        "clock": clock_fields(state),
        "warnings": {name: len(state.warnings[side]) for name, side in zip(PLAYERS, Side, strict=True)},
        "clause": None if ending is None else ending.clause,
    }
    clock, match = state.clock, state.match
    if clock is not None and clock.control.overtime_ms:
        found["periods"] = {name: clock.periods_left(side, state.now) for name, side in zip(PLAYERS, Side, strict=True)}
    if match is not None:
        played = match if ending is None or ending.both_lost else match.record(ending.outcome())
        found["match"] = {
            "sets": match.sets,
            "played": len(played.outcomes),
            "points": [points / 2 for points in played.half_points],
            "stones": list(played.stones),
        }
    return found


def clock_fields(state: GameState) -> dict[str, float | None]:
    """Seconds on both dials at the last event, None where there is no clock."""
    clock = state.clock
    if clock is None:
        return dict.fromkeys(PLAYERS)
    return {name: clock.shown(side, state.now) / 1000 for name, side in zip(PLAYERS, Side, strict=True)}


def state_fields(state: GameState) -> dict[str, Any]:
    """State of the game as data: position, turn, clocks, offers."""
    if not state.positions:
        return {"position": None}
    clock = state.clock
    running = None if clock is None or clock.running is None else PLAYERS[clock.running]
    return {
        "position": str(state.position),
        "plies": len(state.moves),
        "turn": PLAYERS[state.turn],
        "pressed": state.hand is None,
        "clock": clock_fields(state),
        "running": running,
        "offers": dict(zip(PLAYERS, state.offers, strict=True)),
        "marks": list(state.marks),
        "offered": None if state.offered is None else PLAYERS[state.offered],
        "result": "*" if state.ending is None else state.ending.result,
    }

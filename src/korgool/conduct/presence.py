"""Presence of the players: arrivals, absence and lateness (WNG-TK §V, §XIV)."""

from __future__ import annotations

from korgool.conduct.ending import Ending
from korgool.conduct.events import Arrive, Event, Leave
from korgool.conduct.ruling import Argument, Refusal, Ruling, RulingKind
from korgool.conduct.state import PLAYERS, Answer, GameState, changed, end, paired
from korgool.rules import Side, Termination

_LATE = "WNG-TK §V, §XIV"


def arrive(state: GameState, event: Event, action: Arrive) -> Answer:
    """A player comes. Strictly more than half the stock and 30 seconds after the start is too late."""
    side = event.by.side if event.by.side is not None else action.player
    if side is None:
        return Refusal("who arrived? the referee names the player")
    at = event.at
    if state.away[side]:
        return changed(state, now=at, away=paired(state.away, side, False)), None
    if state.arrived[side] is not None:
        return Refusal(f"{PLAYERS[side].capitalize()} has arrived already")
    came = changed(state, now=at, arrived=paired(state.arrived, side, at))
    playing = state.terms is not None and state.ending is None
    if not playing or state.acted[side] or at - state.started <= state.late_ms:
        return came, None
    # By now the other player is late too, unless they have come.
    return _lost(came, at, tuple(late for late in Side if late is side or not state.there(late)))


def leave(state: GameState, event: Event, action: Leave) -> Answer:
    """A player leaves the hall and is not present when the record is accepted (WNG-TK §X)."""
    side = event.by.side if event.by.side is not None else action.player
    if side is None:
        return Refusal("who left? the referee names the player")
    if state.away[side] or not state.there(side):
        return Refusal(f"{PLAYERS[side].capitalize()} is not there")
    return changed(state, now=event.at, away=paired(state.away, side, True)), None


def claim_no_show(state: GameState, event: Event, about: Side | None) -> Answer:
    """Rule on the demand for the game because the opponent has not come; the referee may find both absent."""
    at, claimant = event.at, event.by.side
    if claimant is not None:
        if about is claimant:
            return Refusal("a player claims the absence of the opponent, not their own")
        asked: tuple[Side, ...] = (claimant.other,)
    else:
        asked = tuple(Side) if about is None else (about,)
    absent = tuple(side for side in asked if not state.there(side))
    if not absent:
        return changed(state, now=at), Ruling(RulingKind.NOT_ABSENT, "WNG-TK §V", {"player": PLAYERS[asked[-1]]})
    left = state.started + state.late_ms - at
    if left >= 0:
        arguments: dict[str, Argument] = {"player": PLAYERS[absent[0]], "limit_ms": state.late_ms, "left_ms": left}
        return changed(state, now=at), Ruling(RulingKind.NOT_LATE_YET, _LATE, arguments)
    return _lost(state, at, absent)


def _lost(state: GameState, at: int, late: tuple[Side, ...]) -> tuple[GameState, Ruling]:
    """The late ones have lost; no stones are recorded."""
    limit = state.late_ms
    points = (0 if Side.WHITE in late else 2, 0 if Side.BLACK in late else 2)
    ending = Ending(points, Termination.FORFEIT, None, _LATE)
    if len(late) == 2:
        return end(state, at, RulingKind.BOTH_LATE, ending, limit_ms=limit)
    player, winner = PLAYERS[late[0]], PLAYERS[late[0].other]
    return end(state, at, RulingKind.LATE, ending, player=player, winner=winner, limit_ms=limit)

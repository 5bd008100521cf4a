"""Signatures, and the acceptance of the record (WNG-TK §II, §VI, §X)."""

from __future__ import annotations

from korgool.conduct.ending import Ending
from korgool.conduct.events import Event, Sign
from korgool.conduct.ruling import Refusal, Ruling, RulingKind
from korgool.conduct.state import PLAYERS, Answer, GameState, changed, paired
from korgool.notation.moves import quoted
from korgool.notation.terminations import parse_result
from korgool.rules import Side


def sign(state: GameState, event: Event, action: Sign) -> Answer:
    """A player signs the result, or the referee accepts the record. A draw needs both players present (WNG-TK §X)."""
    ending, at, side = state.ending, event.at, event.by.side
    if ending is None:
        return Refusal("there is no result that could be signed", "WNG-TK §II")
    if state.accepted if side is None else state.signatures[side]:
        return Refusal(f"{event.by.capitalize()} has signed already", "WNG-TK §II")
    if action.result is not None and not says(action.result, ending):
        who = "the other player has signed" if side is not None and state.signatures[side.other] else "the result is"
        return Refusal(f"{quoted(action.result)} cannot be signed, {who} {ending.result_text}", "WNG-TK §II")
    if ending.drawn:
        absent = next((each for each in Side if state.away[each] or not state.there(each)), None)
        if absent is not None:
            return changed(state, now=at), Ruling(RulingKind.DRAW_NEEDS_BOTH, "WNG-TK §X", {"player": PLAYERS[absent]})
    arguments, changes = {"result": ending.result_text}, {"signed": ending.result_text}
    if side is None:
        accepted = changed(state, now=at, accepted=True)
        return accepted, Ruling(RulingKind.ACCEPTED, "WNG-TK §X, §XIV", arguments, changes)
    signed = changed(state, now=at, signatures=paired(state.signatures, side, True))
    if not all(signed.signatures):
        return signed, None
    return signed, Ruling(RulingKind.SIGNED, "WNG-TK §II, §VI", arguments, changes)


def says(text: str, ending: Ending) -> bool:
    """Return whether a written result is that of the ending: the points, and the stones where they were written."""
    if text.strip() in (ending.result, ending.result_text):
        return True
    try:
        result, stores = parse_result(text)
    except ValueError:
        return False
    return result == ending.result and stores in (None, ending.stores)

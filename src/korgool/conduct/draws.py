"""Offers, claims of a draw, resignation (WNG-TK §V, §X)."""

from __future__ import annotations

from korgool.conduct.claims import ClaimKind
from korgool.conduct.events import Event
from korgool.conduct.ruling import Argument, Refusal, Ruling, RulingKind
from korgool.conduct.state import PLAYERS, Answer, GameState, changed, declare, paired
from korgool.rules import Side, Termination
from korgool.rules.unending import MOST_STONES, is_unending_draw

MOST_OFFERS = 3
"""Draw offers that a player has (WNG-TK §X)."""


def offer(state: GameState, event: Event, side: Side) -> Answer:
    """Offer a draw, which is possible between the own move and the press; both sheets mark it with `=`."""
    at, hand = event.at, state.hand
    if hand is None or hand.mover is not side or hand.extra_turn:
        return changed(state, now=at), Ruling(RulingKind.OFFER_UNTIMELY, "WNG-TK §X", {"player": PLAYERS[side]})
    number = state.offers[side] + 1
    offered = changed(
        state,
        now=at,
        offers=paired(state.offers, side, number),
        offered=side,
        marks=state.marks if state.marks[-1:] == (len(state.moves),) else (*state.marks, len(state.moves)),
    )
    if number <= MOST_OFFERS:
        return offered, None
    arguments: dict[str, Argument] = {"player": PLAYERS[side], "opponent": PLAYERS[side.other], "number": number}
    changes = {"offers": number}
    return offered, Ruling(RulingKind.FOURTH_OFFER, "WNG-TK §X", arguments, changes)


def accept(state: GameState, event: Event, side: Side) -> Answer:
    """Accept the opponent's offer. The agreement holds although a flag is down (WNG-TK §VII)."""
    if state.offered is not side.other:
        return _absent(state, event, side)
    return declare(state, event.at, RulingKind.AGREED, None, Termination.AGREEMENT, "WNG-TK §V, §X")


def decline(state: GameState, event: Event, side: Side) -> Answer:
    """Decline the opponent's offer; a move does the same without a word."""
    if state.offered is not side.other:
        return _absent(state, event, side)
    return changed(state, now=event.at, offered=None), None


def _absent(state: GameState, event: Event, side: Side) -> Answer:
    return changed(state, now=event.at), Ruling(RulingKind.OFFER_ABSENT, "WNG-TK §X", {"player": PLAYERS[side]})


def resign(state: GameState, event: Event, side: Side) -> Answer:
    """Give up, which holds although a flag is down (WNG-TK §V, §VII)."""
    kind, reason = RulingKind.RESIGNED, Termination.RESIGNATION
    return declare(state, event.at, kind, side.other, reason, "WNG-TK §V, §VII", player=PLAYERS[side])


def claim_repetition(state: GameState, event: Event, kind: ClaimKind) -> Answer:
    """Rule on the claim that the present position stood on the board before, from the record of the game."""
    if event.by.side is None:
        return Refusal("a draw by repetition is demanded by a player; the referee checks it", "WNG-TK §X")
    game = state.game()
    times = len(game.occurrences())
    if not any(claim.reason == kind.log for claim in game.claims()):
        arguments: dict[str, Argument] = {"reason": str(kind.log), "times": times}
        return changed(state, now=event.at), Ruling(RulingKind.REPETITION_DENIED, "WNG-TK §V, §X", arguments)
    ruling, ending = RulingKind.REPETITION, Termination.REPETITION
    return declare(state, event.at, ruling, None, ending, "WNG-TK §V, §X", reason=str(kind.log), times=times)


def claim_drawn_position(state: GameState, event: Event) -> Answer:
    """Rule on the claim that neither side can win the position and one cannot bring it to an end, by a proof."""
    if event.by.side is None:
        return Refusal("a draw by the position is demanded by a player; the referee checks it", "WNG-TK §X")
    position = state.position
    if not state.rules.drawn_position:
        denied = RulingKind.DRAWN_POSITION_OFF
    elif sum(map(sum, position.holes)) > MOST_STONES:
        denied = RulingKind.DRAWN_POSITION_MANY
    elif not is_unending_draw(position):
        denied = RulingKind.DRAWN_POSITION_DENIED
    else:
        kind, ending = RulingKind.DRAWN_POSITION, Termination.REPETITION
        return declare(state, event.at, kind, None, ending, "WNG-TK §V, §X")
    return changed(state, now=event.at), Ruling(denied, "WNG-TK §V, §X", {})


def claim_fourth_offer(state: GameState, event: Event) -> Answer:
    """Rule on the demand for the game after more than three offers; that is as good as giving up (WNG-TK §X)."""
    side = event.by.side
    if side is None:
        return Refusal("the game is demanded by the player to whom the draws were offered", "WNG-TK §X")
    offender, number = side.other, state.offers[side.other]
    if number <= MOST_OFFERS:
        arguments: dict[str, Argument] = {"player": PLAYERS[offender], "number": number}
        return changed(state, now=event.at), Ruling(RulingKind.FOURTH_OFFER_DENIED, "WNG-TK §X", arguments)
    kind, reason = RulingKind.FOURTH_OFFER_LOST, Termination.RESIGNATION
    return declare(state, event.at, kind, side, reason, "WNG-TK §X", player=PLAYERS[offender])

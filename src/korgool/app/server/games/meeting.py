"""Whether two people may be brought together: one may have blocked the other, or they may not know each other."""

from __future__ import annotations

from korgool.accounts import Action, RefusedKind
from korgool.app.server import messages
from korgool.app.server.account_refusals import refused_error
from korgool.app.server.games.register import Register
from korgool.app.server.messages import RefusedError
from korgool.live import GameTerms
from korgool.rules import Side


async def check_meeting(register: Register, who: str, action: Action, other: str) -> None:
    """Refuse to bring two people together of whom one has blocked the other, or who may not know each other.

    Raises:
        RefusedError: 403, or 404 as where there is no player of that name.
    """
    refused = await register.meeting(who, action, other)
    if refused is not None:
        unknown = refused.kind is RefusedKind.NOT_FOUND
        raise RefusedError(404, messages.NO_PLAYER) if unknown else refused_error(refused)


async def check_rematch(register: Register, terms: GameTerms, side: Side) -> None:
    """Refuse a rematch to somebody of whom and of whose opponent one has blocked the other.

    Raises:
        RefusedError: 403.
    """
    who, other = terms.seats[side].who, terms.seats[side.other].who
    if other and other != who:  # neither against the engine nor alone at both seats
        await check_meeting(register, who, Action.ANSWER, other)

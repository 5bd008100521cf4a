"""Whether two people may be brought together: one may have blocked the other, or they may not know each other."""

from __future__ import annotations

from korgool.accounts import Action, RefusedKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.live import GameTerms
from korgool.rules import Side


async def check_contact(register: PeopleLookup, who: str, action: Action, other: str) -> None:
    """Refuse to bring two people together of whom one has blocked the other, or who may not know each other.

    Raises:
        ApiError: 403, or 404 as where there is no player of that name.
    """
    refused = await register.meeting(who, action, other)
    if refused is not None:
        unknown = refused.kind is RefusedKind.NOT_FOUND
        raise ApiError(404, errors.NO_PLAYER) if unknown else refused_error(refused)


async def check_rematch(register: PeopleLookup, terms: GameTerms, side: Side) -> None:
    """Refuse a rematch to somebody of whom and of whose opponent one has blocked the other.

    Raises:
        ApiError: 403.
    """
    who, other = terms.seats[side].who, terms.seats[side.other].who
    if other and other != who:  # neither against the engine nor alone at both seats
        await check_contact(register, who, Action.ANSWER, other)

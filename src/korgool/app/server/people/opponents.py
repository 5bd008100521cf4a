"""Whom somebody means: the other player of a game of theirs, or the owner of a name."""

from __future__ import annotations

from korgool.accounts import Person, PersonKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.play.game_registry import GameRegistry


async def opponent(game_registry: GameRegistry, game: str, who: Person) -> Person:
    """The other player of a game.

    Args:
        hall: where the games are.
        game: its address.
        who: who asks.

    Raises:
        ApiError: 404, there is no such game; 422, there is nobody else in it, or their account is deleted; 403, it
            is not a game of who asks.
    """
    players = (await game_registry.met(game)).players
    if len(players) < 2:
        raise ApiError(422, errors.NO_OTHER)
    if who.id not in players:
        raise ApiError(403, errors.NOT_YOURS)
    (other,) = (game_registry.register.person(one) for one in players if one != who.id)
    if other.kind is PersonKind.DELETED:
        raise ApiError(422, errors.NO_OTHER)
    return other


async def named(keeper: Authentication, name: str, who: Person) -> Person:
    """The owner of a name.

    Raises:
        ApiError: 404, nobody has it, or nobody whom who asks may know by it.
    """
    found = await keeper.people.find(name)
    person = None if found is None else keeper.people.person(found)
    if person is None or not who.knows(person):
        raise ApiError(404, errors.NO_PLAYER)
    return person

"""Whom somebody means: the other player of a game of theirs, or the owner of a name."""

from __future__ import annotations

from korgool.accounts import Person, PersonKind
from korgool.app.server import messages
from korgool.app.server.games.running_games import Hall
from korgool.app.server.messages import RefusedError
from korgool.app.server.people.doorkeeper import Doorkeeper


async def opponent(hall: Hall, game: str, who: Person) -> Person:
    """The other player of a game.

    Args:
        hall: where the games are.
        game: its address.
        who: who asks.

    Raises:
        RefusedError: 404, there is no such game; 422, there is nobody else in it, or their account is deleted; 403, it
            is not a game of who asks.
    """
    players = (await hall.met(game)).players
    if len(players) < 2:
        raise RefusedError(422, messages.NO_OTHER)
    if who.id not in players:
        raise RefusedError(403, messages.NOT_YOURS)
    (other,) = (hall.register.person(one) for one in players if one != who.id)
    if other.kind is PersonKind.DELETED:
        raise RefusedError(422, messages.NO_OTHER)
    return other


async def named(keeper: Doorkeeper, name: str, who: Person) -> Person:
    """The owner of a name.

    Raises:
        RefusedError: 404, nobody has it, or nobody whom who asks may know by it.
    """
    found = await keeper.people.find(name)
    person = None if found is None else keeper.people.person(found)
    if person is None or not who.knows(person):
        raise RefusedError(404, messages.NO_PLAYER)
    return person

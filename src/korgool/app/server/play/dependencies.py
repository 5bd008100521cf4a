"""Dependencies of handlers of games: the registry, and the players of the game in an address."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.accounts import Person, PersonKind, Thing
from korgool.app.server.http.site_names import Connection
from korgool.app.server.play.game_registry import GameRegistry

TheGameRegistry = NamedDependency[GameRegistry]


async def players_of(connection: Connection) -> Thing:
    """The players of the game in an address.

    Raises:
        ApiError: there is no such game, or it cannot be read.
    """
    game_registry: GameRegistry = connection.app.state.game_registry
    running = await game_registry.find(connection.path_params["game_id"])
    return Thing(tuple(Person(PersonKind.VISITOR, who) for who in sorted(running.players)))

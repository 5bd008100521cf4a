"""The people whom a player has played and may challenge by name."""

from __future__ import annotations

import asyncio

from korgool.accounts import Action, Actor, Person, Thing, refusal
from korgool.accounts.children import Naming, seen_name
from korgool.app.server.play.game_registry import GameRegistry

_GAMES = 100
MOST = 20


async def acquaintances(game_registry: GameRegistry, who: str) -> list[Person]:
    """People with a name among the opponents of a player's newest games, the latest first, whom they may challenge."""
    games = await asyncio.to_thread(game_registry.repository.recent, who, _GAMES)
    met = list(dict.fromkeys(game.opponent for game in games if game.opponent))
    register = game_registry.register
    await register.learn([who, *met])
    reader, blocked = register.person(who), await register.blocked_with(who)
    return [person for person in map(register.person, met) if person.id not in blocked and _named(reader, person)][
        :MOST
    ]


def _named(reader: Person, person: Person) -> bool:
    """Return whether a reader may challenge somebody by the name that they see."""
    seen = seen_name(person, reader)
    return seen.shown is Naming.NAME and refusal(Actor(reader), Action.INVITE, Thing((person,))) is None

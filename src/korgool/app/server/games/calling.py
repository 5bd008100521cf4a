"""Calling somebody who is away to a slow game."""

from __future__ import annotations

from korgool.accounts import PersonKind
from korgool.app.server.games.register import Register
from korgool.app.server.notices.notices import Notices
from korgool.app.words.people import name_before
from korgool.live import OnlineGame


def call(register: Register, notices: Notices, address: str, game: OnlineGame, deadline: int) -> None:
    """Tell the player to move that it is their turn.

    Args:
        register: who people are. Who is away may not have been read for long, and a child is told no stranger's name.
        notices: what tells them.
        address: of the game.
        game: the game.
        deadline: until when they have to move, in milliseconds since 1970.
    """
    who, opponent = game.terms.seats[game.to_move].who, game.terms.seats[game.to_move.other].who

    async def name() -> str:
        await register.learn((who, opponent))
        return name_before(register.person(opponent), register.person(who))

    def guest() -> bool:
        return register.person(who).kind is PersonKind.VISITOR

    notices.your_turn(who, f"/games/{address}", name, deadline, guest=guest)

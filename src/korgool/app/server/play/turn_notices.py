"""Calling somebody who is away to a slow game."""

from __future__ import annotations

from korgool.accounts import PersonKind
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.app.server.notices.notices import Notices
from korgool.app.words.people import name_before
from korgool.live import OnlineGame, due
from korgool.rules import Side


def tell_turn(
    register: PeopleLookup,
    notices: Notices,
    address: str,
    game: OnlineGame,
    before: Side | None,
    present: tuple[bool, bool],
) -> None:
    """Take back what was told of the turn that has ended, and tell the player to move, unless they are connected.

    Args:
        register: who people are. Who is away may not have been read for long, and a child is told no stranger's name.
        notices: what tells them.
        address: of the game.
        game: the game.
        before: whose turn has ended; None before the first.
        present: whether White and Black are connected.
    """
    path, deadline = f"/games/{address}", due(game)
    if before is not None:
        notices.turn_over(game.terms.seats[before].who, path)
    if deadline is None or game.over or present[game.to_move]:
        return
    who, opponent = game.terms.seats[game.to_move].who, game.terms.seats[game.to_move.other].who

    async def name() -> str:
        await register.learn((who, opponent))
        return name_before(register.person(opponent), register.person(who))

    def guest() -> bool:
        return register.person(who).kind is PersonKind.VISITOR

    notices.your_turn(who, path, name, deadline, guest=guest)

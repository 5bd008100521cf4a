"""For which seat somebody speaks."""

from __future__ import annotations

from korgool.app.server import messages
from korgool.app.server.games import wire
from korgool.app.server.games.commands import Said
from korgool.app.server.messages import RefusedError
from korgool.engine.perfect import PERFECT
from korgool.live import OnlineGame
from korgool.rules import Side


def speaks_for(game: OnlineGame, who: str | None, said: Said) -> Side:
    """The seat for which somebody says something.

    Raises:
        RefusedError: they have none, or the engine does not wait for their move.
    """
    sides = game.terms.sides(who or "")
    if not sides:
        raise RefusedError(403, messages.NOT_YOURS)
    if said.do == "reply":
        engine = wire.engine_of(game.terms)
        if said.version is not None and not game.board_version <= said.version <= game.version:
            raise RefusedError(409, messages.STALE)
        if engine is None or not game.terms.by_engine(game.to_move):
            raise RefusedError(422, messages.NOT_ENGINES_TURN)
        if engine.strength == PERFECT:
            raise RefusedError(422, messages.SERVER_PLAYS)
        return game.to_move
    if len(sides) == 1:
        return sides[0]
    # Who plays both sides takes back what was played last.
    return game.game.positions[-2].to_move if said.do == "ask-takeback" and game.plies else game.to_move

"""For which seat of a game somebody gives a command."""

from __future__ import annotations

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.play import state_messages
from korgool.app.server.play.commands import Said
from korgool.engine.perfect import PERFECT
from korgool.live import OnlineGame
from korgool.rules import Side


def seat_of_command(game: OnlineGame, who: str | None, said: Said) -> Side:
    """The seat for which somebody says something.

    Raises:
        ApiError: they have none, or the engine does not wait for their move.
    """
    sides = game.terms.sides(who or "")
    if not sides:
        raise ApiError(403, errors.NOT_YOURS)
    if said.do == "reply":
        engine = state_messages.engine_of(game.terms)
        if said.version is not None and not game.board_version <= said.version <= game.version:
            raise ApiError(409, errors.STALE)
        if engine is None or not game.terms.by_engine(game.to_move):
            raise ApiError(422, errors.NOT_ENGINES_TURN)
        if engine.strength == PERFECT:
            raise ApiError(422, errors.SERVER_PLAYS)
        return game.to_move
    if len(sides) == 1:
        return sides[0]
    # Who plays both sides takes back what was played last.
    return game.game.positions[-2].to_move if said.do == "ask-takeback" and game.plies else game.to_move

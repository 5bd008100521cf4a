"""The board of the first page: the puzzle of the day for who has not answered it, else the most watched game that goes
on, else one that two opponents of the site have played.

A page has the position as a picture, and its script plays on from there: it asks for the moves of a game that goes on
every few seconds, and has those of a stored one at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.board_picture import LowBoard
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.moving_boards import motion
from korgool.app.server.play.standing_board import picture
from korgool.app.server.site.stored_games import STORED_GAMES
from korgool.rules import GAMES, Game

_FRESH_MS = 10 * 60_000
"""A game in which nothing has happened for so long does not live."""
_READ = 5
"""Games that are read from the database for it, at most; those in memory are looked at anyway."""


class LivingGame(msgspec.Struct, frozen=True):
    """A game that goes on, for the script of the first page.

    Attributes:
        id: its address; empty where none goes on.
        title: who plays.
        note: how many watch, or the result; a sentence or empty.
        over: whether it has ended.
        ply: how many plies stand.
        motion: the position that the page has, and the moves since; see `moving_boards.js`.
    """

    id: str = ""
    title: str = ""
    note: str = ""
    over: bool = False
    ply: int = 0
    motion: msgspec.Raw = msgspec.Raw(b"null")


@dataclass(frozen=True, slots=True)
class LivingBoard:
    """The first picture of the board.

    Attributes:
        id: address of the game; empty for a stored one.
        ply: how many plies stand on it.
        picture: the board.
        title: who plays.
        note: how many watch, or empty.
        moves: of a stored game, hole numbers as the analysis board reads them; empty otherwise.
        puzzle: whether it is the puzzle of the day, which stands still and leads to its page.
    """

    id: str
    ply: int
    picture: LowBoard
    title: str
    note: str
    moves: str = ""
    puzzle: bool = False


async def most_watched(game_registry: GameRegistry, game: str, reader: str | None) -> LiveSession | None:
    """The game between two other people that most people watch now; None where nothing moves."""
    running, _ = await game_registry.public_games()
    found, read, now = [], 0, now_ms()
    for one in running:
        slow = one.clock.endswith("d")
        if one.game != game or not one.plies or slow or reader in (one.white, one.black):
            continue
        session = game_registry.known(one.id)
        if session is None and read < _READ:
            read += 1
            try:
                session = await game_registry.find(one.id)
            except ApiError:
                continue
        if session is not None and not session.game.over and now - session.game.at < _FRESH_MS:
            found.append((session.broadcast.presence.audience().viewers, one.plies, session))
    return max(found, key=lambda one: one[:2])[2] if found else None


def played(session: LiveSession) -> Game:
    """The game as watchers may know it now."""
    seen = session.broadcast.seen(None)
    return seen.game.game() if seen.begun else Game(seen.terms.position())


def moves_since(game: Game, ply: int) -> bytes:
    """The moves after so many plies, as JSON; the present position alone where fewer stand."""
    positions, moves = game.positions, game.moves
    ply = min(ply, len(moves))
    return motion(positions[ply], [positions[at].sow(moves[at]) for at in range(ply, len(moves))]).encode()


@cache
def stored_start(game: str) -> tuple[LowBoard, int]:
    """The picture with which a stored game begins on a page, and its ply."""
    stored = STORED_GAMES[game]
    return picture(Game(GAMES[game], _holes(stored.moves[: stored.shown]))), stored.shown


@cache
def stored_motion(game: str) -> bytes:
    """All moves of a stored game, as JSON."""
    return moves_since(Game(GAMES[game], _holes(STORED_GAMES[game].moves)), 0)


def _holes(moves: str) -> Sequence[int]:
    return [int(hole) for hole in moves]

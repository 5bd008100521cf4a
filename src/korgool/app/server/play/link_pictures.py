"""Pictures of games: as PNG for link previews, because messengers do not draw SVG, as SVG, and animated as GIF."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from threading import Lock

from litestar import Response, get
from litestar.params import FromPath

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.http.dependencies import TheCaller
from korgool.app.server.http.middleware import takes_gzip
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.limits import Caller
from korgool.app.server.play.api import GameId
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.live import OnlineGame
from korgool.notation.animation import animated_board
from korgool.notation.png import png_board
from korgool.notation.svg import svg_board
from korgool.rules import GAMES, Position, Side, Sowing

MOST_ANIMATED = 380
"""The most plies of an animated picture; the longest games of people have fewer."""
_PLIES = 2
"""Plies of an animated picture that cost as much as a request of an analysis board."""
WIDTH = 800
"""Pixels; messengers require at least 300, and less than 300 kB."""
_GLANCE, _MINUTE, _DAY = 10, 60, 86_400
_LOCK = Lock()


@get("/games/{game_id:str}/picture.png", action=Action.WATCH, include_in_schema=False)
async def game_picture(game_id: GameId, game_registry: TheGameRegistry) -> Response[bytes]:
    """The position of a game as watchers may see it now, from the side of White or of who plays the engine."""
    seen = (await game_registry.find(game_id)).broadcast.seen(None)
    return await picture_answer(seen.position, _near(seen), _DAY if seen.over else _MINUTE)


def _near(seen: OnlineGame) -> Side:
    """White's row stands below, or that of who plays the engine."""
    return next((side for side in Side if not seen.terms.by_engine(side)), Side.WHITE)


@get("/games/{game_id:str}/picture.svg", action=Action.WATCH, include_in_schema=False)
async def small_game_picture(request: AnyRequest, game_id: GameId, game_registry: TheGameRegistry) -> Response[bytes]:
    """The same as a drawing, for lists of games: it is made in a millisecond and packed to three kilobytes."""
    seen = (await game_registry.find(game_id)).broadcast.seen(None)
    headers = {"cache-control": f"public, max-age={_DAY if seen.over else _GLANCE}", "vary": "accept-encoding"}
    body = svg_board(seen.position, below=_near(seen)).encode()
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"], body = "gzip", gzip.compress(body, 6)
    return Response(body, media_type="image/svg+xml", headers=headers)


@get("/rules/{game:str}/picture.png", action=ANYBODY, include_in_schema=False)
async def start_picture(game: FromPath[str]) -> Response[bytes]:
    """The start of a game."""
    if game not in GAMES:
        raise ApiError(404, errors.NO_PAGE)
    return await picture_answer(GAMES[game].start(), Side.WHITE, _DAY)


@get("/games/{game_id:str}/animation.gif", action=Action.WATCH, include_in_schema=False)
async def game_animation(game_id: GameId, game_registry: TheGameRegistry, caller: TheCaller) -> Response[bytes]:
    """The game from its start to the position that watchers may see now, as an animated picture."""
    seen = (await game_registry.find(game_id)).broadcast.seen(None)
    moves = tuple(seen.game.game().moves) if seen.begun else ()
    content = await animation(game_registry, caller, moves, _near(seen), seen.terms.position)
    headers = {"cache-control": f"public, max-age={_DAY if seen.over else _MINUTE}"}
    return Response(content, media_type="image/gif", headers=headers)


async def animation(
    game_registry: GameRegistry, caller: Caller, moves: tuple[int, ...], below: Side, start: Callable[[], Position]
) -> bytes:
    """A line as an animated picture; the latest ones are kept.

    Args:
        game_registry: whose thread for what strangers send draws it, one at a time.
        caller: who asks.
        moves: hole numbers of the plies.
        below: the side whose row stands below.
        start: gives the position before them.

    Raises:
        RateLimitError: this session or address has asked for too much.
        ApiError: the line is too long for a picture, or cannot be played.
    """
    if len(moves) > MOST_ANIMATED:
        raise ApiError(422, errors.LONG_LINE, most=MOST_ANIMATED)
    cost = 1 + len(moves) / _PLIES
    wait = game_registry.rate_limiter.spend_both(("session_boards", "address_boards"), caller, cost)
    if wait:
        raise RateLimitError(errors.TOO_MANY_BOARDS, wait)
    return await game_registry.reading.run(caller, lambda: _animated(start(), moves, below))


@lru_cache(maxsize=20)
def _animated(start: Position, moves: tuple[int, ...], below: Side) -> bytes:
    try:
        return animated_board(start, moves, below=below)
    except ValueError as error:
        raise ApiError(422, errors.BAD_POSITION, reason=error) from None


async def picture_answer(position: Position, below: Side, seconds: int) -> Response[bytes]:
    """A position as PNG, which may be kept for so many seconds."""
    content = await asyncio.to_thread(drawn, position, below)
    return Response(content, media_type="image/png", headers={"cache-control": f"public, max-age={seconds}"})


def drawn(position: Position, below: Side, trace: Sowing | None = None) -> bytes:
    """A position, and perhaps the ply that led there, as a small PNG."""
    with _LOCK:  # one at a time: a picture takes a tenth of a second, and players have priority
        return _picture(position, below, trace)


@lru_cache(maxsize=100)
def _picture(position: Position, below: Side, trace: Sowing | None) -> bytes:
    """A board has few colours: with a palette of 64 its picture looks the same and takes a quarter of the bytes."""
    from PIL import Image  # loaded when a picture is asked for

    whole, small = Image.open(BytesIO(png_board(position, trace=trace, below=below, width=WIDTH))), BytesIO()
    palette = whole.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    palette.save(small, "PNG", optimize=True)
    return small.getvalue()


handlers = [game_picture, small_game_picture, game_animation, start_picture]

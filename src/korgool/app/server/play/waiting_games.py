"""All that waits for a person: games in which it is their turn, offers to answer, challenges made to them."""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections.abc import Mapping

from sqlalchemy.exc import SQLAlchemyError

from korgool.accounts import PersonKind
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.personal_news import LOOK_AGAIN
from korgool.app.server.play.waiting_repository import WaitingGame, WaitingList, WaitingRepository

NOTHING = WaitingList()
_LOG = logging.getLogger(__name__)
_PAGE_SECONDS = 1.0
"""Seconds that a page waits to say what waits for its reader."""


class WaitingGames:
    """Says what waits for people, and lets them wait for a change. All methods run on the event loop.

    Args:
        game_registry: the games.
    """

    def __init__(self, game_registry: GameRegistry) -> None:
        self._game_registry = game_registry
        self.repository = WaitingRepository(game_registry.storage.engine)

    async def of(self, who: str | None) -> WaitingList:
        """Return what waits for a person now, as the database has it; nothing for nobody.

        The names of the people in it are known afterwards (`PeopleLookup`).
        """
        if not who:
            return NOTHING
        found = await asyncio.to_thread(self.repository.read, who, now_ms())
        register = self._game_registry.register
        if found.challenges:
            hidden = await register.blocked_with(who)
            found = WaitingList(found.running, tuple(one for one in found.challenges if one.maker not in hidden))
        await register.learn({game.opponent for game in found.running} | {one.maker for one in found.challenges})
        return found

    async def page_variables(self, principal: Principal) -> Mapping[str, object]:
        """The variables of a page (`http.page_variables`) of who asks for it.

        Nothing waits for somebody where the database does not answer: their page comes all the same. The tag is empty
        where nothing can come to wait either: to a guest without a running game nobody makes a challenge by name.
        """
        try:
            async with asyncio.timeout(_PAGE_SECONDS):
                found = await self.of(principal.identity)
        except (TimeoutError, SQLAlchemyError) as error:
            _LOG.debug("a page does not say what waits: %s", error)
            found = NOTHING
        quiet = principal.person.kind in (PersonKind.NOBODY, PersonKind.VISITOR)
        quiet = quiet and not any(game.opponent for game in found.running)
        return {"waiting": found, "waiting_count": found.count, "waiting_tag": "" if quiet else tag_of(found)}

    async def next_game(self, who: str | None, after: str = "") -> WaitingGame | None:
        """The game that somebody waits for this person in, other than one; the one with the least time left first."""
        return next((game for game in (await self.of(who)).games if game.id != after), None)

    async def change(
        self, who: str, known: str, caller: Caller, seconds: float, gone: asyncio.Task[None] | None = None
    ) -> WaitingList:
        """Return what waits for a person as soon as its tag is another one, or after so many seconds.

        The place of a caller who is gone is free at once: whoever leafs through pages leaves a request at each of them.

        Raises:
            RateLimitError: too many wait for this caller.
        """
        until, news = time.monotonic() + seconds, self._game_registry.personal_news
        with self._game_registry.waiting_places.place(caller), news.listening(who) as event:
            if gone is not None:
                gone.add_done_callback(lambda _: event.set())
            while True:
                event.clear()
                found = await self.of(who)
                left = until - time.monotonic()
                if tag_of(found) != known or left <= 0 or news.closed or (gone is not None and gone.done()):
                    return found
                if self._game_registry.others is not None:
                    left = min(left, LOOK_AGAIN)
                ends = [(challenge.expires - now_ms()) / 1000 for challenge in found.challenges]
                try:
                    async with asyncio.timeout(min([left, *ends])):
                        await event.wait()
                except TimeoutError:
                    continue


def tag_of(found: WaitingList) -> str:
    """A short text that differs where what waits, what it wants or until when differs."""
    parts = [f"{game.id} {' '.join(game.wants)} {game.due_ms} {game.plies}" for game in found.games]
    parts += [challenge.id for challenge in found.challenges]
    return f"{found.count}-{zlib.crc32('/'.join(parts).encode()):08x}"

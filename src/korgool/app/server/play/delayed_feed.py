"""Watchers of a delayed game: they hear every event once, in order, when they may know of it."""

from __future__ import annotations

import asyncio

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.history import GameHistory
from korgool.app.server.play.subscribers import Subscribers


class DelayedFeed:
    """What is told late. It follows from the journal, so a restart loses none of it.

    Attributes:
        version: up to which version all watchers have been told.
    """

    def __init__(self, told: GameHistory, followers: Subscribers) -> None:
        self._told = told
        self._followers = followers
        self._timer: asyncio.TimerHandle | None = None
        self.version = told.seen(now_ms()).version

    def tell(self) -> None:
        """Tell what may be known by now, and come back for the rest."""
        self.end()
        now, delay = now_ms(), 1000 * self._told.game.terms.delay_s
        until = self._told.seen(now).version
        for message in self._told.missed(self.version, until) or ():
            for follower in self._followers:
                if not follower.plays:
                    self._followers.tell(follower, message)
        self.version = until
        waiting = self._told.entries_after(until)
        if waiting:
            left = max(0, waiting[0].at_ms + delay - now) / 1000
            self._timer = asyncio.get_running_loop().call_later(left, self.tell)

    def end(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

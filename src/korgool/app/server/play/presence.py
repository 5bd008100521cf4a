"""Presence at a game: connections of players and spectators, and the last signs of life of the players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import msgspec

from korgool import live
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.presence_repository import NOBODY_HERE, ProcessPresence
from korgool.app.server.play.state_messages import NOT_TOLD, Audience, Presence
from korgool.app.server.play.subscribers import Subscriber, Subscribers
from korgool.rules import Side

_VIEWERS_SECONDS = 2.0
"""Least time between two reports of the number of viewers."""
_SILENT_MS = 25_000
"""A connection counts as silent for other processes after this time: it answers a ping every 20 seconds."""
_LAG_STEP_MS = 100
"""Step to which lag is rounded for other processes."""


class PresenceTracker:
    """Three things that are not the same: a connection, the presence of a player, and having left a game for good.

    A connection may break and come back; a player is present while one is open; and a claim goes by how long nothing
    was heard on any of them.
    """

    def __init__(
        self,
        terms: live.GameTerms,
        signs: tuple[int | None, int | None],
        gone: Callable[[Side], int | None] = lambda side: None,
    ) -> None:
        """`gone` says since when the absence of a player counts, None where it does not."""
        self._gone = gone
        self.subscribers = Subscribers()
        self._terms = terms
        self._signs = list(signs)
        self._others: dict[str, ProcessPresence] = {}
        self._sent = Audience()
        self._counting: asyncio.TimerHandle | None = None

    @property
    def signs(self) -> tuple[int | None, int | None]:
        """The last signs of life of White and Black, in milliseconds since 1970."""
        return self._signs[0], self._signs[1]

    def heard(self, who: str | None, ago_ms: int = 0) -> tuple[Side, ...]:
        """Somebody has given a sign of life, so long ago; the sides that this person plays."""
        sides = self._terms.sides(who or "")
        for side in sides:
            self._signs[side] = max(now_ms() - ago_ms, self._signs[side] or 0)
        if sides and not all(self._sent.present):  # a sign changes nothing that is sent of who is there
            self.tell_gone()
        return sides

    def audience(self) -> Audience:
        """Return who is connected; the engine always is."""
        terms = self._terms
        here = {subscriber.who for subscriber in self.subscribers if subscriber.plays}
        white, black = (
            terms.by_engine(side)
            or terms.seats[side].who in here
            or any(other.lags[side] is not None for other in self._others.values())
            for side in Side
        )
        elsewhere = sum(other.watchers for other in self._others.values())
        viewers = elsewhere + sum(not subscriber.plays for subscriber in self.subscribers)
        gone = None if white else self._gone(Side.WHITE), None if black else self._gone(Side.BLACK)
        return Audience((white, black), viewers, gone)

    def facts(self, at: int, serving_since: int, proof: live.Proof | None) -> live.Facts:
        """The world as this server knows it at a time."""
        lags, signs = [0, 0], list(self._signs)
        for other in self._others.values():
            for side in Side:
                lag = other.lags[side]
                if lag is not None:
                    lags[side] = lag
                    signs[side] = max(other.silent[side] or at, signs[side] or 0)
        for subscriber in self.subscribers:
            if subscriber.plays:
                lag, heard = subscriber.lag_ms, at - subscriber.silent_ms
                for side in self._terms.sides(subscriber.who or ""):
                    lags[side] = lag
                    signs[side] = max(heard, signs[side] or 0)
        return live.Facts((lags[0], lags[1]), (signs[0], signs[1]), serving_since, proof)

    def leave(self, subscriber: Subscriber) -> tuple[Side, ...]:
        """A connection has ended; the sides that its person plays."""
        self.subscribers.leave(subscriber)
        sides = self.heard(subscriber.who, subscriber.silent_ms)
        if sides:
            self.tell_gone()
        return sides

    def here(self, at: int) -> ProcessPresence:
        """The connections of this process, as others shall know of them."""
        lags: list[int | None] = [None, None]
        quiet = [0, 0]
        watchers = 0
        for subscriber in self.subscribers:
            watchers += not subscriber.plays
            for side in self._terms.sides(subscriber.who or "") if subscriber.plays else ():
                quiet[side] = subscriber.silent_ms if lags[side] is None else min(quiet[side], subscriber.silent_ms)
                lags[side] = -(-subscriber.lag_ms // _LAG_STEP_MS) * _LAG_STEP_MS
        white, black = (None if ms < _SILENT_MS else (at - ms) // 1000 * 1000 for ms in quiet)
        return ProcessPresence((lags[0], lags[1]), (white, black), watchers)

    def elsewhere(self, process: str, here: ProcessPresence) -> None:
        """The connections of another process have changed."""
        if here == NOBODY_HERE:
            self._others.pop(process, None)
        else:
            self._others[process] = here
        self.tell()

    def only(self, others: Mapping[str, ProcessPresence]) -> None:
        """These are the connections of all other processes."""
        if self._others != others:
            self._others = dict(others)
            self.tell()

    def without(self, alive: frozenset[str]) -> None:
        """Forget the connections of processes that live no more."""
        self.only({process: here for process, here in self._others.items() if process in alive})

    def note_sign(self, side: Side, at: int) -> None:
        """A player has done something, by another process."""
        self._signs[side] = max(at, self._signs[side] or 0)
        self.tell_gone()

    def note_signs(self, signs: tuple[int | None, int | None]) -> None:
        """Note the signs of life that other processes know of."""
        for side in Side:
            self._signs[side] = max(signs[side] or 0, self._signs[side] or 0) or None
        self.tell_gone()

    def tell(self) -> None:
        """Tell at once who has come or gone of the players, and soon how many watch."""
        if self.audience().present != self._sent.present:
            self._tell_now()
        elif self._counting is None and self.subscribers:
            self._counting = asyncio.get_running_loop().call_later(_VIEWERS_SECONDS, self._tell_now)

    def tell_gone(self) -> None:
        """Tell the players at once since when an absence counts, where that has changed; it is no watcher's concern."""
        players = [subscriber for subscriber in self.subscribers if subscriber.plays]
        audience = self.audience() if players else self._sent
        if audience.present != self._sent.present:
            self._tell_now()
        elif audience.gone != self._sent.gone:
            self._sent = replace(self._sent, gone=audience.gone)
            self._send(audience, players)

    def _tell_now(self) -> None:
        self.stop()
        self._sent = audience = self.audience()
        self._send(audience, [subscriber for subscriber in self.subscribers if subscriber.plays])
        watchers = [subscriber for subscriber in self.subscribers if not subscriber.plays]
        self._send(replace(audience, gone=NOT_TOLD), watchers)

    def _send(self, audience: Audience, subscribers: Sequence[Subscriber]) -> None:
        message = msgspec.json.encode(Presence("presence", *audience.present, audience.viewers, *audience.gone))
        for subscriber in subscribers:
            self.subscribers.tell(subscriber, message)

    def stop(self) -> None:
        """Tell nothing any more that is still to be told."""
        if self._counting is not None:
            self._counting.cancel()
            self._counting = None

"""Broadcasting of a game: events to its subscribers, at once or after the agreed delay, and the state to new ones."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from korgool import live
from korgool.accounts import PersonKind
from korgool.app.server.core.live_connection import Outlet
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play import state_messages
from korgool.app.server.play.game_events import tell
from korgool.app.server.play.game_services import GameServices
from korgool.app.server.play.history import GameHistory
from korgool.app.server.play.phrases import PhraseExchange, Say
from korgool.app.server.play.presence import PresenceTracker
from korgool.app.server.play.ratings import NO_RATINGS, read_ratings
from korgool.app.server.play.subscribers import Subscriber, Subscribers
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit
from korgool.rules import Side

Signs = tuple[int | None, int | None]
"""The last signs of life of White and Black, in milliseconds since 1970."""


class DelayedFeed:
    """Events for the spectators of a delayed game: each once, in order, after the delay.

    It follows from the journal, so a restart loses none of it.

    Attributes:
        version: up to which version all spectators have been told.
    """

    def __init__(self, history: GameHistory, subscribers: Subscribers) -> None:
        self._history = history
        self._subscribers = subscribers
        self._timer: asyncio.TimerHandle | None = None
        self.version = history.seen(now_ms()).version

    def tell(self) -> None:
        """Send the events whose delay is over, and come back for the rest."""
        self.end()
        now, delay = now_ms(), 1000 * self._history.game.terms.delay_s
        until = self._history.seen(now).version
        for message in self._history.missed(self.version, until) or ():
            for subscriber in self._subscribers:
                if not subscriber.plays:
                    self._subscribers.tell(subscriber, message)
        self.version = until
        waiting = self._history.entries_after(until)
        if waiting:
            left = max(0, waiting[0].at_ms + delay - now) / 1000
            self._timer = asyncio.get_running_loop().call_later(left, self.tell)

    def end(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Broadcast:
    """Sends one game to its subscribers. All methods run on the event loop.

    Attributes:
        history: the game with its events.
        presence: connections and signs of life.
        subscribers: the connections of this process.
        ratings: those of the players.
        closed: whether this process has let go of the game.
    """

    def __init__(self, services: GameServices, history: GameHistory, signs: Signs) -> None:
        self._services = services
        self.history = history
        self.presence = PresenceTracker(history.game.terms, signs, self._gone)
        self.subscribers = self.presence.subscribers
        self.ratings = NO_RATINGS
        self.closed = False
        self._phrases = PhraseExchange(history.game.terms)
        self._delayed = DelayedFeed(history, self.subscribers) if history.game.terms.delay_s else None

    def may_see_all(self, who: str | None) -> bool:
        """Return whether somebody sees the game without its delay: its players do."""
        return bool(self.history.game.terms.sides(who or ""))

    def seen(self, who: str | None) -> live.OnlineGame:
        """Return the game as somebody may see it now: spectators later than the players, where that was agreed."""
        return self.history.game if self.may_see_all(who) else self.history.seen(now_ms())

    def state(self, who: str | None, reader: str | None = None) -> state_messages.GameStateMessage:
        """Return the state for a viewer, with names as `reader` sees them; as the viewer, if nobody else is named."""
        game = self.seen(who)
        now = now_ms() if self.may_see_all(who) else now_ms() - 1000 * game.terms.delay_s
        person = self._services.register.person
        audience = replace(self.presence.audience(), ratings=self.ratings, person=person, reader=reader or "")
        return state_messages.state(self.history.address, game, self.history.texts(game), who, now, audience)

    def facts(self, at: int, proof: live.Proof | None = None) -> live.Facts:
        """Return the lags and signs of life that a decision at a time rests on."""
        return self.presence.facts(at, self._services.sharing.serving_since, proof)

    def _gone(self, side: Side) -> int | None:
        return live.gone_since(self.history.game, side, self.facts(now_ms()))

    # Events

    def publish(self, entry: JournalEntry, after: live.OnlineGame) -> None:
        """Add an event that is on disk to the history, and send it."""
        message = msgspec.json.encode(tell(self.history.game, entry, after))
        self.history.add(entry, after, message)
        for subscriber in self.subscribers:
            if subscriber.plays or self._delayed is None:
                self.subscribers.tell(subscriber, message)
        if self._delayed is not None:
            self._delayed.tell()
        self.subscribers.stir()
        if entry.kind in ("begin", "outage"):
            self.presence.tell_gone()

    async def learn_ratings(self) -> None:
        """Read the ratings of the players, and send the state with them to those who follow the game already.

        Spectators of a delayed game learn nothing early. If the database cannot be reached, nothing is sent: the
        ratings are read when the game is loaded next.
        """
        history, people = self.history, self._services.register
        address, game = history.address, history.game
        try:
            ratings = await asyncio.to_thread(read_ratings, self._services.ratings, address, game, now_ms())
            await people.learn(subscriber.reader for subscriber in self.subscribers if subscriber.reader)
        except SQLAlchemyError:
            return
        if self.closed or ratings == self.ratings:
            return
        self.ratings = ratings
        states: dict[tuple[str | None, str | None], bytes] = {}
        for subscriber in self.subscribers:
            who = subscriber.who if subscriber.plays else None
            if who is None and self._delayed is not None:
                continue
            guest = people.person(subscriber.reader or "").kind in (PersonKind.NOBODY, PersonKind.VISITOR)
            viewer = who, None if guest else subscriber.reader  # all guests who watch read the same
            if viewer not in states:
                state = state_messages.StateMessage(history.game.version, "state", self.state(*viewer))
                states[viewer] = msgspec.json.encode(state)
            self.subscribers.tell(subscriber, states[viewer])

    def say(self, who: str | None, said: Say) -> None:
        """Send a set phrase of one player to both.

        Raises:
            ApiError: as for `PhraseExchange.say`.
        """
        message = self._phrases.say(who, said, self.subscribers)
        if message is not None:
            self._services.sharing.phrase(self.history.address, message)

    # Subscribers

    def heard(self, who: str | None) -> None:
        """Note that somebody looks at the game: for a player it is a sign of life."""
        if self.presence.heard(who):
            self._services.sharing.looks(self.history.address)

    def follow(
        self, who: str | None, since: int | None, caller: Caller, outlet: Outlet | None, reader: str | None
    ) -> Subscriber:
        """Add a subscriber, and send it what it has missed (`LiveSession.follow`).

        Raises:
            RateLimitError: there are too many spectators already.
        """
        plays = self.may_see_all(who)
        if self._delayed is not None:
            self._delayed.tell()
        subscriber = Subscriber(who, caller, plays=plays, outlet=outlet, reader=reader)
        self.subscribers.join(subscriber, self._services.limits)
        self._services.sharing.stirs(self.history.address)
        self.heard(caller.session)
        if self.closed:
            subscriber.close()
            return subscriber
        until = self.history.game.version if self._delayed is None or plays else self._delayed.version
        missed = None if since is None else self.history.missed(since, until)
        seen = self.seen(who)
        if missed is None or (seen.over and self.ratings.changes is not None):
            state = state_messages.StateMessage(seen.version, "state", self.state(who, subscriber.reader))
            missed = [*(missed or ()), msgspec.json.encode(state)]
        for message in missed:
            self.subscribers.tell(subscriber, message)
        self.presence.tell()
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber. For a player, the time of the last sign of life is written down."""
        sides = self.presence.leave(subscriber)
        self._services.sharing.stirs(self.history.address)
        if sides and not self.closed and not self.history.game.over:
            signs = self.presence.signs
            own = (signs[0] if Side.WHITE in sides else None, signs[1] if Side.BLACK in sides else None)
            self._services.storage.writer.submit(Commit(self.history.address, signs=own))
        self.presence.tell()

    def close(self) -> None:
        """Stop all timers; nothing is published any more."""
        self.closed = True
        self.presence.stop()
        if self._delayed is not None:
            self._delayed.end()

"""The journal of a game in this process: decisions are written and applied, in step with other processes.

The database decides which event follows which, by the key (game, version). A process decides on what it has in memory,
and writes; a process whose version is taken already reads what is new, sends it to its subscribers, and decides again.
News from other processes only spare the waiting. With SQLite there is one process, and nothing here costs anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.broadcast import Broadcast
from korgool.app.server.play.commands import entries_of
from korgool.app.server.play.game_notices import notify_events, notify_turn
from korgool.app.server.play.game_services import GameServices, OvertakenError
from korgool.app.server.play.ratings import decided_ways
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.live.journal import Interrupted
from korgool.rules import Side

_LOG = logging.getLogger(__name__)
_ATTEMPTS = 20
"""Number of times that a command may be overtaken before its sender is told to try again."""
_SURE = {429, 503}
"""Refusals that do not depend on the game."""
T = TypeVar("T")


class Replica:
    """Writes and applies the events of one game. All methods run on the event loop.

    Args:
        services: shared by all games.
        broadcast: sends the events.
        changed: called after events: arranges what happens next by itself.
        discard: takes the game out of memory, because it cannot go on here.

    Attributes:
        lock: held while something is decided and written.
    """

    def __init__(
        self, services: GameServices, broadcast: Broadcast, changed: Callable[[], None], discard: Callable[[], None]
    ) -> None:
        self._services = services
        self._broadcast = broadcast
        self._history = broadcast.history
        self._changed = changed
        self.discard = discard
        self.lock = asyncio.Lock()
        self._heard = 0
        self._reads = False

    @property
    def dropped(self) -> bool:
        """True if this process has let go of the game."""
        return self._broadcast.closed

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Take the lock and do what decides something and writes it (`settled`)."""
        async with self.lock:
            return await self.settled(work)

    async def settled(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do what decides something and writes it, again as often as somebody else is quicker. The caller holds the
        lock.

        Raises:
            ApiError: as `work` does when nothing new could change it.
        """
        history = self._history
        for _ in range(_ATTEMPTS):
            version = history.game.version
            try:
                if missed := self.missed_ms():
                    await self.interrupt(missed)
                return await work()
            except OvertakenError:
                await self._catch_up()
                if history.game.version == version:  # it was not the game that went on
                    self.discard()
                    raise
            except ApiError as problem:
                if not self._services.sharing.many or problem.status in _SURE or self._broadcast.closed:
                    raise
                await self._catch_up()
                if history.game.version == version:
                    raise
        raise ApiError(503, errors.NOT_STORED)

    def missed_ms(self) -> int:
        """Return for how many milliseconds since its last event nothing could be written, if it waits for the time."""
        game = self._history.game
        missed = self._services.sharing.missed_ms(game.at, 1 << 62)
        return missed if missed and live.due(game) is not None else 0

    def hear(self, entries: Sequence[JournalEntry]) -> None:
        """Apply what another process has written; without entries, read it soon."""
        if entries:
            self._heard = max(self._heard, entries[-1].version)
        if not entries or self.lock.locked() or not self.follow_up(entries):
            if not entries:
                self._heard = max(self._heard, self._history.game.version + 1)
            if not self._reads:
                self._reads = True
                self._services.spawn(self.catch_up)

    async def catch_up(self) -> None:
        """Read what is new, unless it has come by itself.

        Raises:
            ApiError: it cannot be read.
        """
        async with self.lock:
            self._reads = False
            if self._heard > self._history.game.version and not self._broadcast.closed:
                self._heard = 0
                await self._catch_up()

    async def _catch_up(self) -> None:
        address = self._history.address
        entries = await self._services.sharing.newer(address, self._history.game.version)
        if not self._broadcast.closed and not self.follow_up(entries):
            _LOG.error("game %s does not follow its journal", address)
            self.discard()

    # Events

    async def commit(
        self,
        decision: live.Decision,
        at: int,
        side: Side | None = None,
        name: str | None = None,
        others: tuple[Commit, ...] = (),
        *,
        by_time: bool = False,
    ) -> int:
        """Write a decision to disk, then apply it, send it, and arrange what follows. The caller holds the lock.

        Returns:
            The version of its first event.

        Raises:
            OvertakenError: another process was quicker.
            ApiError: it is not on disk, so it did not happen.
        """
        before, services = self._history.game, self._services
        entries = entries_of(before, decision, side, name)
        ways = decided_ways(before, decision, self._broadcast.facts(at)) if decision.after.over else None
        commit = Commit(self._history.address, entries, decision.after, others=others, by_time=by_time, ways=ways)
        try:
            await services.storage.write(commit)
        except TakenError as error:
            raise OvertakenError from error
        except StorageError as error:
            self.discard()
            raise ApiError(503, errors.NOT_STORED) from error
        services.sharing.wrote(self._history.address, entries)
        presence = self._broadcast.presence
        if side is not None:
            presence.heard(before.terms.seats[side].who)
        for other in others:
            services.admit_new(other)
        turn = before.to_move if before.begun else None
        self._apply(entries, decision.steps)
        self._tell_players(everywhere=before.terms.slow)
        self._notify(before, decision, side, turn)
        return entries[0].version

    def follow_up(self, entries: Sequence[JournalEntry]) -> bool:
        """Apply what other processes have written.

        Returns:
            False where something before it is missing, or it does not follow.
        """
        new = [entry for entry in entries if entry.version > self._history.game.version]
        if not new:
            return True
        if [entry.version for entry in new] != list(range(self._history.game.version + 1, new[-1].version + 1)):
            return False
        steps = [self._history.game]
        for entry in new:
            try:
                steps.append(live.happen(steps[-1], entry.event, entry.at_ms, entry.stocks)[0])
            except ValueError:
                return False
            if entry.side is not None:
                self._broadcast.presence.note_sign(entry.side, entry.at_ms)
        self._apply(new, steps[1:])
        self._tell_players(everywhere=False)
        return True

    def _apply(self, entries: Sequence[JournalEntry], steps: Sequence[live.OnlineGame]) -> None:
        for entry, after in zip(entries, steps, strict=True):
            self._history.results.note(entry)
            self._broadcast.publish(entry, after)
        if self._history.game.terms.rated and self._history.game.over:
            self._services.spawn(self._broadcast.learn_ratings)
        self._changed()

    def _tell_players(self, *, everywhere: bool) -> None:
        """Wake the players where they wait for news of what waits for them. Of moves by a running clock other processes
        need not be told: they look every few seconds."""
        terms = self._history.game.terms
        if terms.between_people:
            self._services.personal_news.tell(*(seat.who for seat in terms.seats), everywhere=everywhere)

    def _notify(self, before: live.OnlineGame, decision: live.Decision, side: Side | None, turn: Side | None) -> None:
        """Notify the players who are not connected: in a slow game of their turn, after that of `turn` has ended; in
        every game of offers and of its end. Of a move with an offer only the offer is told."""
        services, history = self._services, self._history
        if services.notices is None or not before.terms.between_people:
            return
        people, notices, game = services.register, services.notices, history.game
        present = self._broadcast.presence.audience().present
        if before.terms.slow and not before.over and (turn is not game.to_move or game.over):
            notify_turn(people, notices, history.address, game, turn, present)
        notify_events(people, notices, history.address, before, decision, side, present)

    async def fall(self, at: int) -> bool:
        """Decide what time alone decides by `at`, such as a fallen flag (WNG-TK §V). The caller holds the lock.

        Returns:
            Whether it decided anything.
        """
        decision = live.tick(self._history.game, at, self._broadcast.facts(at))
        if not decision.events:
            return False
        await self.commit(decision, at, by_time=True)
        return True

    async def interrupt(self, ms: int) -> None:
        """Charge nobody for milliseconds in which no server could take a move. The caller holds the lock."""
        game, at = self._history.game, now_ms()
        event = Interrupted(min(ms, at - game.at))
        after, ruling = live.happen(game, event, at)
        await self.commit(live.Decision((event,), (after,), after, (ruling,)), at)

"""A running game: it belongs to this process, takes one command at a time, and sends events to its followers.

A command is answered and its event sent only after it is on disk. If a write fails, the running game is discarded and
rebuilt from disk, so memory never holds more than the disk does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from korgool.app.server import messages
from korgool.app.server.games import wire
from korgool.app.server.games.engine_room import EngineRoom
from korgool.app.server.games.followers import Follower, Followers
from korgool.app.server.games.searches import CancelledSearchError, Search, clock_seconds
from korgool.app.server.limits import Caller, ServiceLimits
from korgool.app.server.messages import RefusedError
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.journal import JournalEntry, Play, Proposal
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.engine.levels import USUAL_SECONDS
from korgool.engine.perfect import PERFECT
from korgool.rules import Position, Side

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_BACKLOG = 500
"""The most events replayed to a follower who reconnects; one who missed more gets the state instead."""
_LOOK_AGAIN = 600.0
"""Seconds after which a game that nobody looks at is woken; looking at it wakes it sooner."""
_GRACE, _CLOCK_GRACE = 4.0, 1.0
"""Extra seconds that the visitor's device may take for the engine's move, without and with a clock."""


class GameHost(Protocol):
    """What a running game asks of the server around it; `running_games.Hall` gives it."""

    limits: ServiceLimits
    room: EngineRoom
    storage: Storage

    def count_start(self, caller: Caller, *, fresh: bool = False) -> None:
        """Count a new game for its caller; raise `TooManyError` if that is one too many."""

    async def create(
        self,
        visitor: str,
        game: str,
        side: Side,
        level: int,
        clock: str,
        start: str | None = None,
        *,
        follows: str | None = None,
    ) -> str:
        """A new game, on disk and running; `follows` names the game whose rematch it is."""

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end even if the visitor who asked goes away."""

    def drop(self, game: LiveGame) -> None:
        """Take a game out of memory whose state on disk is not known."""

    def spawn(self, work: Callable[..., Coroutine[Any, Any, object]], *args: object) -> None:
        """Run in the background."""


class LiveGame:
    """A game in the memory of this process. All methods run on the event loop."""

    def __init__(self, hall: GameHost, play: Play, rematch: str | None) -> None:
        self._hall = hall
        self.play = play
        self.rematch = rematch
        self._lock = asyncio.Lock()
        self._followers = Followers()
        self._flag: asyncio.TimerHandle | None = None
        self._thinking: tuple[int, Search] | None = None
        self._dropped = False
        self._caller = Caller("", play.terms.visitor)
        self._attended_until = 0.0

    @property
    def idle(self) -> bool:
        """Whether it may be dropped from memory: nobody follows it, and nothing runs in it."""
        thinking = self._thinking is not None and self._wanted
        return not (self._followers or self._flag or thinking or self._lock.locked())

    def viewer(self, visitor: str | None) -> Side | None:
        """The visitor's side, or None for a watcher."""
        return self.play.terms.side if visitor == self.play.terms.visitor else None

    def state(self, viewer: Side | None) -> wire.GameStateMessage:
        """The current state."""
        return wire.state(self.play, viewer, clock_now(), self.rematch)

    def attend(self, caller: Caller, seconds: float | None = None) -> None:
        """Note that somebody looks at the game: the engine thinks in it for a while."""
        if caller.session == self.play.terms.visitor:
            self._caller = caller
        if seconds is None:
            seconds = self._hall.limits.attended_seconds or 0.0
        self._attended_until = max(self._attended_until, time.monotonic() + seconds)
        self._followers.stir()

    @property
    def _wanted(self) -> bool:
        """Whether the engine should think: a clock runs, somebody follows, or somebody has looked recently."""
        if self._hall.limits.attended_seconds is None or self.play.clock is not None or self._followers:
            return True
        return time.monotonic() < self._attended_until

    # Commands of the visitor

    async def move(self, visitor: str | None, hole: int, version: int) -> wire.EventMessage:
        """Sow a hole. If the visitor's last move is sent again, its event is returned and nothing is sown."""

        def command(now: int) -> Proposal:
            play, position = self.play, self.play.game.position
            if position.to_move != play.terms.side:
                raise RefusedError(422, messages.NOT_YOUR_TURN)
            _check_hole(position, hole)
            return play.propose_move(hole, day_now(), now)

        def told() -> wire.EventMessage | None:
            if not self.play.repeats(hole, version):
                return None
            terms, entries = self.play.terms, self.play.entries[: version + 1]
            return wire.event(Play.replay(terms, entries, 0), terms.side, 0)

        return await self._act(visitor, version, command, told)

    async def reply(self, visitor: str | None, hole: int, version: int) -> wire.EventMessage:
        """Play the engine's move that the visitor's device has found."""

        def command(now: int) -> Proposal:
            if not self.play.engine_to_move:
                raise RefusedError(422, messages.NOT_ENGINES_TURN)
            if self.play.terms.level == PERFECT:
                raise RefusedError(422, messages.SERVER_PLAYS)
            _check_hole(self.play.game.position, hole)
            return self.play.propose_move(hole, day_now(), now, device=True)

        return await self._act(visitor, version, command)

    async def undo(self, visitor: str | None, version: int) -> wire.EventMessage:
        """Take back to the visitor's last turn."""

        def command(now: int) -> Proposal:
            if not self.play.undo_plies:
                raise RefusedError(422, messages.NOTHING_TO_UNDO)
            return self.play.propose_undo(day_now(), now)

        return await self._act(visitor, version, command)

    async def resign(self, visitor: str | None, version: int) -> wire.EventMessage:
        """Resign."""

        def command(now: int) -> Proposal:
            return self.play.propose_end("resign", self.play.terms.side, day_now(), now)

        return await self._act(visitor, version, command)

    async def claim(self, visitor: str | None, version: int) -> wire.EventMessage:
        """Claim a draw by recurrence of the position."""

        def command(now: int) -> Proposal:
            if not self.play.game.claims():
                raise RefusedError(422, messages.NOTHING_TO_CLAIM)
            return self.play.propose_end("claim", self.play.terms.side, day_now(), now)

        return await self._act(visitor, version, command)

    async def ask_rematch(self, visitor: str | None, caller: Caller | None = None) -> str:
        """The address of the rematch with sides swapped; a repeated call returns the same game."""

        async def command() -> str:
            async with self._lock:
                terms = self.play.terms
                self._owner(visitor)
                if self.play.outcome is None:
                    raise RefusedError(422, messages.NOT_OVER)
                if self.rematch is None:
                    if caller is not None:
                        self._hall.count_start(caller)
                    self.rematch = await self._hall.create(
                        terms.visitor,
                        terms.game,
                        terms.side.other,
                        terms.level,
                        terms.clock,
                        terms.start,
                        follows=terms.id,
                    )
                    for follower in self._followers:
                        self._followers.tell(follower, self._present(follower.viewer))
                return self.rematch

        return await self._hall.finish(command())

    # Followers

    def follow(
        self, viewer: Side | None, since: int | None, caller: Caller | None = None
    ) -> tuple[Follower, Sequence[JournalEntry] | None]:
        """Follow the game.

        Returns:
            The follower, whose queue receives everything from now on, and the entries to send before; None if the state
            must be sent instead.

        Raises:
            TooManyError: there are too many watchers already.
        """
        follower = Follower(viewer, caller or Caller("", self.play.terms.visitor if viewer is not None else None))
        self._followers.join(follower, self._hall.limits)
        self.attend(follower.caller, 0.0)
        if self._dropped:
            follower.queue.put_nowait(None)
        if since is None or not 0 <= since <= self.play.version or self.play.version - since > _BACKLOG:
            follower.queue.put_nowait(self._present(viewer))
            return follower, None
        return follower, tuple(self.play.entries)

    @property
    def followers(self) -> int:
        """The number of followers."""
        return len(self._followers)

    def leave(self, follower: Follower) -> None:
        """Stop following."""
        self._followers.leave(follower)

    def offer(self, follower: Follower, thinks: bool) -> None:
        """Set whether the device of a follower thinks for the engine from now on."""
        self._followers.offer(follower, thinks)

    async def turn_of_visitor(self, patience: float) -> None:
        """Return when the engine has answered, or after `patience` seconds."""
        self.attend(self._caller, patience)
        until = time.monotonic() + patience
        while self.play.engine_to_move and (left := until - time.monotonic()) > 0:
            await self._followers.stirred(left)

    # Internals

    async def _act(
        self,
        visitor: str | None,
        version: int,
        command: Callable[[int], Proposal],
        told: Callable[[], wire.EventMessage | None] = lambda: None,
    ) -> wire.EventMessage:
        """Execute a command, unless it is a repeated one, for which `told` returns the event."""
        now = clock_now()  # the clock does not run while the move is written to disk

        async def run() -> wire.EventMessage:
            async with self._lock:
                self._owner(visitor)
                if version != self.play.version and (event := told()) is not None:
                    return event
                if await self._flag_fell(now):
                    raise RefusedError(409, messages.TIME_OUT)
                if version != self.play.version:
                    raise RefusedError(409, messages.STALE)
                if self.play.outcome is not None:
                    raise RefusedError(422, messages.OVER)
                return await self._commit(command(now), now)

        return await self._hall.finish(run())

    def _owner(self, visitor: str | None) -> None:
        if self._dropped:
            raise RefusedError(409, messages.STALE)
        if visitor != self.play.terms.visitor:
            raise RefusedError(403, messages.NOT_YOURS)

    async def _commit(self, proposal: Proposal, now: int) -> wire.EventMessage:
        """Write a proposal to disk, then apply it, notify everyone, and schedule what follows. The caller holds the
        lock.

        Returns:
            The first event as the visitor sees it.
        """
        try:
            await self._hall.storage.write(Commit(self.play.terms.id, proposal))
        except StorageError as error:
            self._hall.drop(self)
            if isinstance(error, TakenError):
                raise RefusedError(409, messages.STALE) from error
            raise RefusedError(503, messages.NOT_STORED) from error
        told = []
        for entry in proposal.entries:
            self.play.apply(entry, now)
            told.append(wire.event(self.play, self.play.terms.side, now))
            self._publish(told[-1], now)
        self.arrange()
        return told[0]

    def _publish(self, event: wire.EventMessage, now: int) -> None:
        viewers = {follower.viewer for follower in self._followers}
        encoded = {
            viewer: msgspec.json.encode(event if viewer is not None else wire.event(self.play, None, now))
            for viewer in viewers
        }
        for follower in self._followers:
            self._followers.tell(follower, encoded[follower.viewer])
        self._followers.stir()

    def _present(self, viewer: Side | None) -> bytes:
        return msgspec.json.encode(wire.EventMessage(self.play.version, "state", None, self.state(viewer)))

    def arrange(self) -> None:
        """Start what goes on without the visitor: waiting for the flag, and the engine's move."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self._thinking is not None and self._thinking[0] != self.play.version:
            self._thinking[1].cancel()
            self._thinking = None
        clock = self.play.clock
        if self._dropped or self.play.outcome is not None:
            return
        if clock is not None and clock.running is not None:
            left = clock.remaining(clock.running, clock_now()) / 1000
            self._flag = asyncio.get_running_loop().call_later(left, self._hall.spawn, self._fall)
        if self.play.engine_to_move and self._thinking is None:
            self._thinking = self.play.version, Search()
            self._hall.spawn(self._reply, *self._thinking)

    async def _fall(self) -> None:
        async with self._lock:
            if not self._dropped and not await self._flag_fell(clock_now()):
                self.arrange()

    async def _flag_fell(self, now: int) -> bool:
        """End the game if a flag has fallen by now (WNG-TK §V)."""
        loser = self.play.flagged(now)
        if loser is None:
            return False
        await self._commit(self.play.propose_end("time", loser, day_now(), now), now)
        return True

    async def _reply(self, version: int, search: Search) -> None:
        """Let the engine move, unless the game has changed by the time it has found its move.

        The visitor's device is asked first if it has offered to think; otherwise, or if it does not answer, this server
        searches. Devices have no solver, so the server always plays perfect play itself.
        """
        while not (self._wanted or self._dropped or self.play.version != version):
            await self._followers.stirred(_LOOK_AGAIN)
        if self.play.terms.level != PERFECT:
            await self._ask_device(version)
        play = self.play
        if self._dropped or play.version != version:
            return
        try:
            positions, level = play.game.positions, play.terms.level
            hole = await self._hall.room.move(positions, level, self._engine_clock(), search, self._caller)
        except CancelledSearchError:
            return
        except Exception:
            _LOG.exception("the engine could not move in game %s", play.terms.id)
            self._hall.drop(self)
            return
        async with self._lock:
            now = clock_now()
            if self._dropped or self.play.version != version or await self._flag_fell(now):
                return
            await self._commit(self.play.propose_move(hole, day_now(), now), now)

    async def _ask_device(self, version: int) -> None:
        """Return when a device of the visitor has moved for the engine, or when this server has to search."""
        play, clock = self.play, self._engine_clock()
        seconds = None if clock is None else clock_seconds(play.game.position, *clock)
        patience = USUAL_SECONDS + _GRACE
        if clock is not None and seconds is not None:
            patience = min(seconds + _CLOCK_GRACE, clock[0] / 3000)
        question = msgspec.json.encode(wire.Question(version, "think", seconds))
        await self._followers.ask(question, patience, lambda: self._dropped or play.version != version)

    def _engine_clock(self) -> tuple[int, int] | None:
        """Milliseconds on the engine's clock and its increment, or None."""
        clock = self.play.clock
        if clock is None:
            return None
        return clock.remaining(self.play.terms.side.other, clock_now()), clock.control.increment_ms

    def end(self) -> None:
        """Drop the game from memory: stop everything in it, and make its followers connect again."""
        self._dropped = True
        self.arrange()
        if self._thinking is not None:
            self._thinking[1].cancel()
            self._thinking = None
        self._followers.dismiss()


def _check_hole(position: Position, hole: int) -> None:
    if not 1 <= hole <= position.rules.holes:
        raise RefusedError(422, messages.NO_HOLE, hole=hole, holes=position.rules.holes)
    if not position.holes[position.to_move][hole - 1]:
        tuz = position.tuz[position.to_move.other] == hole
        raise RefusedError(422, messages.TUZ_HOLE if tuz else messages.EMPTY_HOLE, hole=hole)


def clock_now() -> int:
    """Milliseconds for clocks."""
    return time.monotonic_ns() // 1_000_000


def day_now() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000

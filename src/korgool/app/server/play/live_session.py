"""A live game in the memory of a process: it takes one command at a time, and sends events to its subscribers.

A command is answered and its event sent only after it is on disk, so memory never holds more than the disk does. What a
command makes is decided in `korgool.live`. With SQLite the game belongs to this process. On PostgreSQL others may have
it in memory too (`replica.py`), and the database decides who was quicker.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.live_connection import Outlet
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play.broadcast import Broadcast, Signs
from korgool.app.server.play.clockwork import Clockwork
from korgool.app.server.play.commands import Said, command, new_game, refusal, seat_of_command
from korgool.app.server.play.engine_seat import EngineSeat
from korgool.app.server.play.game_events import GameEvent
from korgool.app.server.play.game_services import GameServices, OvertakenError
from korgool.app.server.play.history import CommandResult, GameHistory
from korgool.app.server.play.replica import Replica
from korgool.app.server.play.state_messages import engine_of
from korgool.app.server.play.subscribers import Subscriber
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit
from korgool.rules import Side


class LiveSession:
    """Carries out the commands of one game. All methods run on the event loop.

    Attributes:
        address: of the game.
        history: the game with its events.
        broadcast: sends it to those who follow it.
        replica: writes and applies its events, in step with other processes.
        clockwork: its timers.
        engine: the engine's seat, if it has one.
    """

    def __init__(
        self,
        services: GameServices,
        address: str,
        game: live.OnlineGame,
        entries: Sequence[JournalEntry],
        signs: Signs = (None, None),
    ) -> None:
        self.address = address
        self.history = GameHistory(address, game, entries)
        self.broadcast = Broadcast(services, self.history, signs)
        self.replica = Replica(services, self.broadcast, self._changed, self.discard)
        has_engine = engine_of(game.terms) is not None
        self.engine = EngineSeat(services, self.broadcast, self.replica) if has_engine else None
        self.clockwork = Clockwork(services, self.broadcast, self.replica, self.engine)
        self._services = services
        self._results = self.history.results

    @property
    def game(self) -> live.OnlineGame:
        """The game as it stands."""
        return self.history.game

    @property
    def dropped(self) -> bool:
        """True if this process has let go of the game."""
        return self.broadcast.closed

    @property
    def players(self) -> frozenset[str]:
        """The identities of those who play."""
        return frozenset(seat.who for seat in self.game.terms.seats if seat.who)

    @property
    def idle(self) -> bool:
        """True if it may be dropped from memory: nobody follows it, and nothing runs in it."""
        return not (self.broadcast.subscribers or self.clockwork.waiting or self.replica.lock.locked())

    def attend(self, caller: Caller, seconds: float | None = None) -> None:
        """Note that somebody looks at the game: a player gives a sign of life, and the engine thinks for a while."""
        self.broadcast.heard(caller.session)
        if self.engine is not None:
            self.engine.attend(caller, seconds)

    def follow(
        self,
        who: str | None,
        since: int | None,
        caller: Caller | None = None,
        outlet: Outlet | None = None,
        reader: str | None = None,
    ) -> Subscriber:
        """Add a subscriber, and send it what happened after `since`, and everything from now on.

        Without `since`, or where too much has happened, the state comes instead of the events. After a game that has
        changed ratings it comes behind them, because no event tells the new ratings.

        Raises:
            RateLimitError: there are too many spectators already.
        """
        subscriber = self.broadcast.follow(who, since, caller or Caller("", who), outlet, reader)
        if self.engine is not None:
            self.engine.attend(subscriber.caller, 0.0)
        if subscriber.plays and who is not None and not self.dropped and not all(self.game.joined):
            self._services.spawn(self.join, who)
        return subscriber

    # Commands

    async def act(self, who: str | None, said: Said, caller: Caller | None = None) -> CommandResult:
        """Carry out a command, also if the request that asks for it is cut off.

        Raises:
            ApiError: it cannot be done, or does not reach the disk.
        """
        return await self._services.finish(self.perform(who, said, caller))

    async def perform(
        self, who: str | None, said: Said, caller: Caller | None = None, came: int | None = None
    ) -> CommandResult:
        """Carry out a command in a task that is not cancelled: a half-done write would leave memory behind the disk.

        If this process has let go of the game meanwhile, the game is loaded again and decides as of the time when the
        command came.

        Raises:
            ApiError: as for `act`.
        """
        at = now_ms() if came is None else came  # the clock does not run while the move is written to disk
        proof = None
        if said.do == "claim":
            if said.what == "proof":
                seat_of_command(self.game, who, said)
                proof = await self._services.prove(self.game, caller or Caller("", who))
            self.broadcast.presence.note_signs(await self._services.sharing.signs(self.address))
        async with self.replica.lock:
            try:
                return await self.replica.settled(lambda: self._act(who, said, at, caller, proof))
            except OvertakenError:
                if not self.dropped:
                    raise
            except ApiError as problem:
                if said.id is not None:
                    with suppress(ApiError):  # who has no seat is refused again without it
                        self._results.remember(seat_of_command(self.game, who, said), said.id, problem)
                raise
        return await self._services.perform(self.address, who, said, caller, at)

    async def join(self, who: str) -> None:
        """Note that a player has come to the board."""
        sides = self.game.terms.sides(who)
        if all(self.game.joined[side] for side in sides) or self.game.over:
            return
        await self._services.finish(self.replica.run(lambda: self._join(sides[0], now_ms())))

    async def _act(
        self, who: str | None, said: Said, at: int, caller: Caller | None, proof: live.Proof | None
    ) -> CommandResult:
        if self.dropped:
            raise OvertakenError
        side = seat_of_command(self.game, who, said)
        if said.id is None:
            return await self._decide(side, said, at, caller, proof)
        own = self.game.terms.sides(who or "")
        # Who plays both sides may have sent it in the turn of the other.
        known = self._results.find(own if side in own else (side,), said.id)
        if known is not None:
            return known
        result = await self._decide(side, said, at, caller, proof)
        self._results.remember(side, said.id, result)
        return result

    async def _decide(
        self, side: Side, said: Said, at: int, caller: Caller | None, proof: live.Proof | None
    ) -> CommandResult:
        if not self.game.joined[side] and not self.game.over:
            await self._join(side, at)
        repeated = self.history.repeated(side, said.version, said.hole) if said.do == "move" else None
        if repeated is not None:
            return self._results.at(repeated)
        if said.do == "rematch" and self.game.rematch:
            return self._results.at(
                next(entry.version for entry in reversed(self.history.entries) if entry.kind == "rematch")
            )
        if said.do == "rematch" and self.game.over:
            await self._services.starts.check_rematch(self.game.terms, side)
        address = self._services.new_address() if said.do == "rematch" else ""
        decision = live.decide(self.game, command(said, side, address), at, self.broadcast.facts(at, proof))
        if isinstance(decision, live.Refused):
            if decision.kind is live.RefusedKind.OVER and await self.replica.fall(at):
                raise ApiError(409, errors.TIME_OUT)
            raise refusal(decision)
        if not decision.events:
            return CommandResult(self.game.version, msgspec.json.encode(GameEvent(self.game.version, "none", at)))
        follows: tuple[Commit, ...] = ()
        if decision.after.rematch == address != "":
            if self.game.terms.rated:
                for seat in self.game.terms.seats:
                    await self._services.starts.check_rated(seat.who)
            if caller is not None:
                self._services.starts.count(caller)
            follows = (new_game(address, self.game.terms.swapped(), at),)
        version = await self.replica.commit(decision, at, side, said.id, follows)
        return self._results.at(version)

    async def _join(self, side: Side, at: int) -> None:
        decision = live.decide(self.game, live.Join(side), at, self.broadcast.facts(at))
        if isinstance(decision, live.Decision) and decision.events:
            await self.replica.commit(decision, at, side)

    def _changed(self) -> None:
        self.clockwork.arrange()

    def discard(self) -> None:
        """Take the game out of memory, because it cannot go on here; if it is not over, it is soon loaded again."""
        self.end()
        self._services.forget(self.address, over=self.game.over)

    def end(self) -> None:
        """Stop everything in the game, and make its subscribers connect again."""
        self.broadcast.close()
        self.clockwork.arrange()
        self.broadcast.subscribers.dismiss()

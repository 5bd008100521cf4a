"""A running game: it takes one command at a time, and sends events to its followers.

A command is answered and its event sent only after it is on disk, so memory never holds more than the disk does. What a
command makes is decided in `korgool.live`. With SQLite the game belongs to this process. On PostgreSQL others may have
it in memory too (`shared_game.py`), and the database decides who was quicker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.live_connection import Outlet
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play import state_messages
from korgool.app.server.play.commands import Said, command
from korgool.app.server.play.contact_rules import check_rematch
from korgool.app.server.play.delayed_feed import DelayedFeed
from korgool.app.server.play.engine_seat import EngineSeat
from korgool.app.server.play.game_events import GameEvent, tell
from korgool.app.server.play.history import GameHistory
from korgool.app.server.play.idempotency import CommandResult, CommandResults
from korgool.app.server.play.journal_entries import entries_of, new_game, refusal
from korgool.app.server.play.phrases import PhraseExchange, Say
from korgool.app.server.play.presence import PresenceTracker
from korgool.app.server.play.rated_endings import decided_ways
from korgool.app.server.play.rating_updates import publish_ratings
from korgool.app.server.play.replica import OvertakenError, Replica
from korgool.app.server.play.seat_access import seat_of_command
from korgool.app.server.play.seat_ratings import NO_RATINGS
from korgool.app.server.play.session_host import SessionHost
from korgool.app.server.play.subscribers import Subscriber, Subscribers
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.live.journal import Interrupted
from korgool.rules import Side

__all__ = ["HORIZON_MS", "LiveSession", "entries_of", "new_game", "refusal"]

HORIZON_MS = 60_000
"""A running game waits for what time decides within these milliseconds; the server's list of deadlines for the rest."""


class LiveSession:
    """A game in the memory of this process. All methods run on the event loop."""

    def __init__(
        self,
        host: SessionHost,
        address: str,
        game: live.OnlineGame,
        entries: Sequence[JournalEntry],
        signs: tuple[int | None, int | None] = (None, None),
    ) -> None:
        self.address = address
        self.told = GameHistory(address, game, entries)
        self._host = host
        self._lock = asyncio.Lock()
        self.talk = PhraseExchange(game.terms)
        self.ratings = NO_RATINGS
        self._attendance = PresenceTracker(game.terms, signs, self._gone)
        self._timer: asyncio.TimerHandle | None = None
        self._dropped = False
        self._later = DelayedFeed(self.told, self.followers) if game.terms.delay_s else None
        self._answers = CommandResults(self.told)
        self.shared = Replica(self, self._lock, host.sharing, host.spawn)
        self.engine = EngineSeat(self, host) if state_messages.engine_of(game.terms) is not None else None

    @property
    def game(self) -> live.OnlineGame:
        """The game as it stands."""
        return self.told.game

    @property
    def players(self) -> frozenset[str]:
        """The identities of those who play."""
        return frozenset(seat.who for seat in self.game.terms.seats if seat.who)

    @property
    def dropped(self) -> bool:
        """Whether this process has let go of the game."""
        return self._dropped

    @property
    def followers(self) -> Subscribers:
        """Who follows the game."""
        return self._attendance.followers

    @property
    def attendance(self) -> PresenceTracker:
        """Who is there."""
        return self._attendance

    @property
    def ticking(self) -> bool:
        """Whether a clock runs on which seconds count."""
        clock = self.game.game.clock
        return self.game.terms.live and clock is not None and clock.running is not None

    @property
    def idle(self) -> bool:
        """Whether it may be dropped from memory: nobody follows it, and nothing runs in it."""
        thinking = self.engine is not None and self.engine.busy
        return not (self.followers or self._timer or thinking or self._lock.locked())

    def may_see_all(self, who: str | None) -> bool:
        """Whether somebody sees the game without its delay: its players do."""
        return bool(self.game.terms.sides(who or ""))

    def seen(self, who: str | None) -> live.OnlineGame:
        """The game as somebody may see it now: watchers later than the players, where that was agreed."""
        return self.game if self.may_see_all(who) else self.told.seen(now_ms())

    def state(self, who: str | None, reader: str | None = None) -> state_messages.GameStateMessage:
        """The present state for a viewer, with names as `reader` sees them; the viewer, if nobody else is named."""
        game = self.seen(who)
        now = now_ms() if self.may_see_all(who) else now_ms() - 1000 * game.terms.delay_s
        person = self._host.register.person
        audience = replace(self._attendance.audience(), ratings=self.ratings, person=person, reader=reader or "")
        return state_messages.state(self.address, game, self.told.texts(game), who, now, audience)

    def attend(self, caller: Caller, seconds: float | None = None) -> None:
        """Note that somebody looks at the game: a player gives a sign of life, and the engine thinks for a while."""
        if self._attendance.heard(caller.session):
            self._host.sharing.looks(self.address)
        if self.engine is not None:
            self.engine.attend(caller, seconds)

    # Commands

    async def act(self, who: str | None, said: Said, caller: Caller | None = None) -> CommandResult:
        """Do what somebody says, also if the request that asks for it is cut off.

        Raises:
            ApiError: it cannot be done, or does not reach the disk.
        """
        return await self._host.finish(self.perform(who, said, caller))

    async def perform(
        self, who: str | None, said: Said, caller: Caller | None = None, came: int | None = None
    ) -> CommandResult:
        """The same in a task that nobody cancels: a half-done write would leave memory behind the disk.

        Where this process has let go of the game meanwhile, what is on disk decides about it, as of the time when it
        came.
        """
        at = now_ms() if came is None else came  # the clock does not run while the move is written to disk
        proof = None
        if said.do == "claim" and said.what == "proof":
            seat_of_command(self.game, who, said)
            proof = await self._host.prove(self.game, caller or Caller("", who))
        if said.do == "claim":
            self._attendance.note_signs(await self._host.sharing.signs(self.address))
        async with self._lock:
            try:
                return await self.shared.settled(lambda: self._act(who, said, at, caller, proof))
            except OvertakenError:
                if not self._dropped:
                    raise
            except ApiError as problem:
                if said.id is not None:
                    with suppress(ApiError):  # who has no seat is refused again without it
                        self._answers.remember(seat_of_command(self.game, who, said), said.id, problem)
                raise
        now = await self._host.find(self.address)
        if now is self:
            raise ApiError(503, errors.NOT_REACHED)  # the server is stopping
        return await now.perform(who, said, caller, at)

    async def join(self, who: str) -> None:
        """A player has come to the board."""
        sides = self.game.terms.sides(who)
        if all(self.game.joined[side] for side in sides) or self.game.over:
            return

        async def run() -> None:
            async with self._lock:
                await self.shared.settled(lambda: self._join(sides[0], now_ms()))

        await self._host.finish(run())

    async def _act(
        self, who: str | None, said: Said, at: int, caller: Caller | None, proof: live.Proof | None
    ) -> CommandResult:
        if self._dropped:
            raise OvertakenError
        side = seat_of_command(self.game, who, said)
        if said.id is None:
            return await self._decided(side, said, at, caller, proof)
        own = self.game.terms.sides(who or "")
        # Who plays both sides may have sent it in the turn of the other.
        known = self._answers.find(own if side in own else (side,), said.id)
        if known is not None:
            return known
        answer = await self._decided(side, said, at, caller, proof)
        self._answers.remember(side, said.id, answer)
        return answer

    async def _decided(
        self, side: Side, said: Said, at: int, caller: Caller | None, proof: live.Proof | None
    ) -> CommandResult:
        if not self.game.joined[side] and not self.game.over:
            await self._join(side, at)
        again = self.told.repeated(side, said.version, said.hole) if said.do == "move" else None
        if again is not None:
            return self._answers.at(again)
        if said.do == "rematch" and self.game.rematch:
            return self._answers.at(
                next(entry.version for entry in reversed(self.told.entries) if entry.kind == "rematch")
            )
        if said.do == "rematch" and self.game.over:
            await check_rematch(self._host.register, self.game.terms, side)
        address = self._host.new_address() if said.do == "rematch" else ""
        decision = live.decide(self.game, command(said, side, address), at, self._facts(at, proof))
        if isinstance(decision, live.Refused):
            if decision.kind is live.RefusedKind.OVER and await self._fall(at):
                raise ApiError(409, errors.TIME_OUT)
            raise refusal(decision)
        if not decision.events:
            return CommandResult(self.game.version, msgspec.json.encode(GameEvent(self.game.version, "none", at)))
        follows: tuple[Commit, ...] = ()
        if decision.after.rematch == address != "":
            if self.game.terms.rated:
                for seat in self.game.terms.seats:
                    await self._host.check_rated(seat.who)
            if caller is not None:
                self._host.count_start(caller)
            follows = (new_game(address, self.game.terms.swapped(), at),)
        version = await self._commit(decision, at, side, said.id, follows)
        return self._answers.at(version)

    def _facts(self, at: int, proof: live.Proof | None = None) -> live.Facts:
        return self._attendance.facts(at, self._host.serving_since, proof)

    def _gone(self, side: Side) -> int | None:
        return live.gone_since(self.game, side, self._facts(now_ms()))

    def say(self, who: str | None, said: Say) -> None:
        """A player says a set phrase.

        Raises:
            ApiError: as for `PhraseExchange.say`.
        """
        message = self.talk.say(who, said, self.followers)
        if message is not None:
            self._host.sharing.phrase(self.address, message)

    # Followers

    def follow(
        self,
        who: str | None,
        since: int | None,
        caller: Caller | None = None,
        outlet: Outlet | None = None,
        reader: str | None = None,
    ) -> Subscriber:
        """Follow the game: a follower that is told what happened after `since`, and everything from now on.

        Without `since`, or where too much has happened, the state comes instead of the events. After a game that has
        changed ratings it comes behind them, because no event tells the new ratings.

        Raises:
            RateLimitError: there are too many watchers already.
        """
        plays = self.may_see_all(who)
        if self._later is not None:
            self._later.tell()
        follower = Subscriber(who, caller or Caller("", who), plays=plays, outlet=outlet, reader=reader)
        self.followers.join(follower, self._host.limits)
        self._host.sharing.stirs(self.address)
        self.attend(follower.caller, 0.0)
        if self._dropped:
            follower.close()
            return follower
        until = self.game.version if self._later is None or plays else self._later.version
        missed = None if since is None else self.told.missed(since, until)
        seen = self.seen(who)
        if missed is None or (seen.over and self.ratings.changes is not None):
            state = state_messages.StateMessage(seen.version, "state", self.state(who, follower.reader))
            missed = [*(missed or ()), msgspec.json.encode(state)]
        for message in missed:
            self.followers.tell(follower, message)
        self._attendance.tell()
        if plays and who is not None and not all(self.game.joined):
            self._host.spawn(self.join, who)
        return follower

    def leave(self, follower: Subscriber) -> None:
        """Stop following. When a player was last there is written down."""
        sides = self._attendance.leave(follower)
        self._host.sharing.stirs(self.address)
        if sides and not self._dropped and not self.game.over:
            signs = self._attendance.signs
            own = (signs[0] if Side.WHITE in sides else None, signs[1] if Side.BLACK in sides else None)
            self._host.storage.writer.submit(Commit(self.address, signs=own))
        self._attendance.tell()

    # Internals

    async def _join(self, side: Side, at: int) -> None:
        decision = live.decide(self.game, live.Join(side), at, self._facts(at))
        if isinstance(decision, live.Decision) and decision.events:
            await self._commit(decision, at, side, None)

    async def engine_moves(self, hole: int, version: int) -> None:
        """The engine's move that this server has found."""

        async def move() -> None:
            at = now_ms()
            if self._dropped or self.game.board_version != version or await self._fall(at):
                return
            decision = live.decide(self.game, live.MakeMove(self.game.to_move, hole, version), at, self._facts(at))
            if isinstance(decision, live.Decision):
                await self._commit(decision, at, self.game.to_move, None)

        async with self._lock:
            await self.shared.settled(move)

    async def be_away(self, side: Side, until: int) -> None:
        """A player of a slow game is on vacation until a time, in milliseconds since 1970; 0 for back."""

        async def away() -> None:
            at = now_ms()
            if self._dropped or self.game.over:
                return
            decision = live.decide(self.game, live.TakeVacation(side, until), at, self._facts(at))
            if isinstance(decision, live.Decision) and decision.events:
                await self._commit(decision, at, None, None)

        async with self._lock:
            await self.shared.settled(away)

    async def interrupted(self, ms: int) -> None:
        """Charge nobody for the time without a server."""
        async with self._lock:
            await self._interrupt(ms)

    async def interrupt(self) -> None:
        """The same for all of it that the game has not heard of. The caller holds the lock."""
        missed = self.shared.missed_ms()
        if missed:
            await self._interrupt(missed)

    async def heed(self) -> None:
        """Hear now of a time in which nothing could be written."""

        async def nothing() -> None:
            return

        async with self._lock:
            if not self._dropped:
                await self.shared.settled(nothing)

    async def _interrupt(self, ms: int) -> None:
        at = now_ms()
        event = Interrupted(min(ms, at - self.game.at))
        after, ruling = live.happen(self.game, event, at)
        await self._commit(live.Decision((event,), (after,), after, (ruling,)), at, None, None)

    async def _commit(
        self,
        decision: live.Decision,
        at: int,
        side: Side | None,
        name: str | None,
        others: tuple[Commit, ...] = (),
        *,
        by_time: bool = False,
    ) -> int:
        """Write a decision to disk, then apply it, notify everyone, and schedule what follows. The caller holds the
        lock.

        Returns:
            The version of its first event.

        Raises:
            OvertakenError: another process was quicker.
            ApiError: it is not on disk, so it did not happen.
        """
        entries = entries_of(self.game, decision, side, name)
        ways = decided_ways(self.game, decision, self._facts(at)) if decision.after.over else None
        commit = Commit(self.address, entries, decision.after, others=others, by_time=by_time, ways=ways)
        try:
            await self._host.storage.write(commit)
        except TakenError as error:
            raise OvertakenError from error
        except StorageError as error:
            self.discard()
            raise ApiError(503, errors.NOT_STORED) from error
        self._host.sharing.wrote(self.address, entries)
        if side is not None:
            self._attendance.heard(self.game.terms.seats[side].who)
        for other in others:
            self._host.admit_new(other)
        turn = self.game.to_move if self.game.begun else None
        self._happened(entries, decision.steps)
        if self.game.terms.slow and (turn is not self.game.to_move or self.game.over):
            self._host.turn_passed(self.address, self.game, turn, self._attendance.audience().present)
        return entries[0].version

    async def learn_ratings(self) -> None:
        """Read the ratings of the players, and send the state with them to who follows the game already."""
        await publish_ratings(self, self._host.ratings, self._host.register)

    def follow_up(self, entries: Sequence[JournalEntry]) -> bool:
        """Let happen what others have written; False where something before it is missing, or it does not follow."""
        new = [entry for entry in entries if entry.version > self.game.version]
        if not new:
            return True
        if [entry.version for entry in new] != list(range(self.game.version + 1, new[-1].version + 1)):
            return False
        steps = [self.game]
        for entry in new:
            try:
                steps.append(live.happen(steps[-1], entry.event, entry.at_ms, entry.stocks)[0])
            except ValueError:
                return False
            if entry.side is not None:
                self._attendance.note_sign(entry.side, entry.at_ms)
        self._happened(new, steps[1:])
        return True

    def _happened(self, entries: Sequence[JournalEntry], steps: Sequence[live.OnlineGame]) -> None:
        before = self.game
        for entry, after in zip(entries, steps, strict=True):
            message = msgspec.json.encode(tell(before, entry, after))
            self.told.add(entry, after, message)
            if entry.side is not None and entry.command is not None:
                self._answers.note(entry.side, entry.command, entry.version)
            self._publish(message)
            before = after
            if entry.kind in ("begin", "outage"):
                self._attendance.tell_gone()
        if self.game.terms.rated and self.game.over:
            self._host.spawn(self.learn_ratings)
        self.arrange()

    def _publish(self, message: bytes) -> None:
        delay = self.game.terms.delay_s
        for follower in self.followers:
            if follower.plays or not delay:
                self.followers.tell(follower, message)
        if self._later is not None:
            self._later.tell()
        self.followers.stir()

    def arrange(self) -> None:
        """Start what goes on by itself: waiting for the time, and the engine's move."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.engine is not None:
            self.engine.arrange()
        if self._dropped or self.game.over:
            return
        at = now_ms()
        due = live.due(self.game)
        if due is not None and due - at < HORIZON_MS:
            due = live.due(self.game, self._facts(at)) or due  # later, by the lag that may be given back
            left = max(0, due - at) / 1000
            self._timer = asyncio.get_running_loop().call_later(left, self._host.spawn, self._time_came)

    async def _time_came(self) -> None:
        async with self._lock:
            await self.shared.settled(self.time_comes)

    async def time_comes(self) -> None:
        """Decide what the time decides, or wait for it. The caller holds the lock."""
        if not self._dropped and not await self._fall(now_ms()):
            self.arrange()

    async def _fall(self, at: int) -> bool:
        """Decide what the time alone decides by `at`, such as a fallen flag (WNG-TK §V)."""
        decision = live.tick(self.game, at, self._facts(at))
        if not decision.events:
            return False
        await self._commit(decision, at, None, None, by_time=True)
        return True

    def discard(self) -> None:
        """Take the game out of memory, because it cannot go on here."""
        self._host.drop(self)

    def end(self) -> None:
        """Drop the game from memory: stop everything in it, and make its followers connect again."""
        self._dropped = True
        self._attendance.stop()
        if self._later is not None:
            self._later.end()
        self.arrange()
        self.followers.dismiss()

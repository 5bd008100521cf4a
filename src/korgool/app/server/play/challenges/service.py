"""Challenges: they are made, taken, declined and withdrawn here, and those who wait for news are told.

The database decides: a challenge is settled by one conditional change of its row, in the same transaction as the game
that comes of it, so only one acceptance wins, whichever process it reaches.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlalchemy.exc import SQLAlchemyError

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.notices.notice_texts import NoticeKind, NoticeText
from korgool.app.server.play.challenges.repository import ChallengeRepository
from korgool.app.server.play.challenges.request import AskedTerms, read_terms
from korgool.app.server.play.commands import new_game, refusal
from korgool.app.server.play.game_notices import guest_of, name_of
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.personal_news import LOOK_AGAIN
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.live import Challenge, ChallengeState, DeclineReason, GameTerms, Refused, RefusedKind, Way, due
from korgool.rules import Side

_ADDRESS = re.compile(r"[A-Za-z0-9]{12}", re.ASCII)
_LOG = logging.getLogger(__name__)
MOST_LISTED = 200
"""Number of challenges that the lobby shows."""
_MOST_READ = 5 * MOST_LISTED
"""Number of open ones that are read for that: the makers of some have gone."""
_LIST_SECONDS = 1.0
_NOTED_SECONDS = 2.0
"""By how much longer somebody must wait for that to be noted for other processes."""
_LATER_SECONDS = 60.0
_KEPT_MS = 30 * 86_400_000
"""Time after its expiry for which a challenge that led to no game still tells what happened to it."""
_PURGE_SECONDS = 3600.0
_NOTICE_MS = 86_400_000
"""Milliseconds for which it is worth telling that a game without a clock begins."""


@dataclass(frozen=True, slots=True)
class StartedGame:
    """A game that came of a challenge.

    Attributes:
        game: its address.
        side: the side of whoever asks; None where they have both.
    """

    game: str
    side: Side | None


class ChallengeService:
    """The challenges of one server. All methods run on the event loop.

    Args:
        game_registry: the games.
        find_player: the identity of the player of a name, or None; by default as the register of people knows it.
    """

    def __init__(
        self, game_registry: GameRegistry, find_player: Callable[[str], Awaitable[str | None]] | None = None
    ) -> None:
        self._game_registry = game_registry
        self.repository = ChallengeRepository(game_registry.storage.engine)
        self._find_player = find_player or game_registry.register.find
        self._waiting: dict[str, dict[asyncio.Event, str | None]] = {}
        """For each address those who wait for an answer, with the person who does."""
        self._list: tuple[float, list[Challenge]] = (-_LIST_SECONDS, [])
        self._attended: dict[str, float] = {}
        """Times when the makers of offers in the lobby last looked at them, or until when they said that they wait."""
        self._elsewhere: dict[str, int] = {}
        """Times until which they wait by what all processes have noted, in milliseconds since 1970."""
        self._opened = time.monotonic()
        self._purging: asyncio.Task[None] | None = None
        self._ends = False

    def open(self) -> None:
        """Begin to forget old challenges."""
        self._purging = asyncio.create_task(self._purge())
        self._game_registry.news.listen("challenge", lambda address, _: self._wake(address))

    def close(self) -> None:
        """Let everybody who waits go with what is known; doing so twice has no effect."""
        self._ends = True
        if self._purging is not None:
            self._purging.cancel()
        for events in self._waiting.values():
            for event in events:
                event.set()

    # Making and settling

    async def make(self, asked: AskedTerms, who: str, caller: Caller) -> Challenge:
        """A challenge, on disk; against the engine or at one device the game begins at once.

        Raises:
            ApiError: the terms are not possible, there is no such player, or it cannot be stored.
        """
        game_registry = self._game_registry
        game_registry.starts.check(caller)
        if asked.rated:
            await game_registry.starts.check_rated(who)
        found = read_terms(asked, game_registry.new_address(), who, now_ms())
        challenge = found.challenge
        if challenge.way is Way.NAME:
            player = await self._find_player(found.name)
            if player is None:
                raise ApiError(404, errors.NO_PLAYER)
            if player == who:
                raise refusal(Refused(RefusedKind.OWN_CHALLENGE))
            await game_registry.starts.check_contact(who, Action.INVITE, player)
            challenge = replace(challenge, to=player)
        most = game_registry.limits.open_challenges
        count = await asyncio.to_thread(self.repository.count_open, who, now_ms())
        if found.opponent is None and most is not None and count >= most:
            raise RateLimitError(errors.TOO_MANY_CHALLENGES, _LATER_SECONDS, count=count)
        await self._count(who, caller)
        if found.opponent is None:
            await self._write(Commit("", challenge=challenge))
            self.attend(challenge, who)
            self._tell(challenge)
            self._notify(challenge.to, who, f"/c/{challenge.id}", NoticeKind.CHALLENGE, challenge.expires)
            return challenge
        taken, terms = challenge.begin(found.opponent, game_registry.new_address())
        await game_registry.finish(self._begin(taken, terms, made=True))
        return taken

    async def accept(self, address: str, who: str, caller: Caller) -> StartedGame:
        """Take the open seat; whoever has it already is told of the game again.

        Raises:
            ApiError: 409 where it is open no more, 403 where it is made to somebody else, 422 by its maker.
        """
        challenge = await self.look(address)
        if _taken_by(challenge, who):
            return StartedGame(challenge.game, challenge.side_of(who))
        answer = challenge.accept(who, self._game_registry.new_address(), now_ms())
        if isinstance(answer, Refused):
            raise refusal(answer)
        taken, terms = answer
        if terms.rated:
            await self._game_registry.starts.check_rated(who)
        await self._game_registry.starts.check_contact(who, Action.ANSWER, challenge.maker)
        await self._count(who, caller)
        try:
            await self._game_registry.finish(self._begin(taken, terms))
        except ApiError:
            taken = await self.look(address)
            if not _taken_by(taken, who):  # otherwise the same player has asked twice at once
                raise
        return StartedGame(taken.game, taken.side_of(who))

    async def decline(self, address: str, who: str, reason: DeclineReason | None) -> Challenge:
        """The player whom it was made to does not want it.

        Raises:
            ApiError: as for `accept`.
        """
        challenge = await self.look(address)
        awaited = self._awaits(address, challenge.maker)
        declined = await self._settle(challenge.decline(who, reason, now_ms()))
        if not awaited:
            self._notify(declined.maker, who, f"/c/{address}", NoticeKind.DECLINED, declined.expires)
        return declined

    async def withdraw(self, address: str, who: str) -> Challenge:
        """Its maker takes it back.

        Raises:
            ApiError: as for `accept`.
        """
        withdrawn = await self._settle((await self.look(address)).withdraw(who, now_ms()))
        if withdrawn.to and self._game_registry.notices is not None:
            self._game_registry.notices.invitation_over(withdrawn.to, f"/c/{address}")
        return withdrawn

    async def _settle(self, answer: Challenge | Refused) -> Challenge:
        if isinstance(answer, Refused):
            raise refusal(answer)
        await self._game_registry.finish(self._write(Commit("", settles=answer)))
        self._tell(answer)
        return answer

    async def _begin(self, taken: Challenge, terms: GameTerms, *, made: bool = False) -> None:
        commit = new_game(taken.game, terms, now_ms())
        commit = replace(commit, challenge=taken) if made else replace(commit, settles=taken)
        await self._write(commit)
        self._game_registry.admit_new(commit)
        awaited = self._awaits(taken.id, taken.maker)
        self._tell(taken)
        if not made and not awaited and commit.after is not None:
            self._notify(taken.maker, taken.by, f"/games/{taken.game}", NoticeKind.ACCEPTED, due(commit.after))

    def _notify(self, who: str, other: str, path: str, kind: NoticeKind, until_ms: int | None) -> None:
        """Notify somebody of what another person has done with a challenge."""
        notices, people = self._game_registry.notices, self._game_registry.register
        if notices is not None and who:
            until = now_ms() + _NOTICE_MS if until_ms is None else until_ms
            name = name_of(people, other, who)
            notices.tell(who, path, NoticeText(kind), name, until, guest=guest_of(people, who))

    async def _write(self, commit: Commit) -> None:
        try:
            await self._game_registry.storage.write(commit)
        except TakenError as error:
            settled = commit.settles
            if settled is None:
                raise ApiError(503, errors.NOT_STORED) from error
            closed = (await self.look(settled.id)).closed(now_ms())
            if closed is None:
                raise ApiError(503, errors.NOT_STORED) from error
            raise refusal(closed) from error
        except StorageError as error:
            raise ApiError(503, errors.NOT_STORED) from error

    async def _count(self, who: str, caller: Caller) -> None:
        """Count a challenge or an acceptance like the start of a game.

        Raises:
            RateLimitError: one too many.
        """
        starts = self._game_registry.starts
        await starts.check_unfinished(who)
        await starts.count_for(who, caller)

    # Looking and waiting

    async def look(self, address: str) -> Challenge:
        """The challenge at an address, as the database has it; looking changes nothing.

        Raises:
            ApiError: there is none, or it cannot be read.
        """
        if _ADDRESS.fullmatch(address) is None:
            raise ApiError(404, errors.NO_CHALLENGE)
        found = await asyncio.to_thread(self.repository.find, address)
        if found is None:
            raise ApiError(404, errors.NO_CHALLENGE)
        return found

    def _awaits(self, address: str, who: str) -> bool:
        """Return whether a person looks at a challenge now and sees by themselves what becomes of it."""
        return who in self._waiting.get(address, {}).values()

    async def wait(
        self,
        address: str,
        caller: Caller,
        seconds: float,
        gone: asyncio.Task[None] | None = None,
        *,
        who: str | None = None,
    ) -> Challenge:
        """The challenge when it is open no more, after so many seconds, or when the caller (the person `who`) is gone.

        Raises:
            ApiError: there is none, or too many wait for this caller.
        """
        until = time.monotonic() + seconds
        with self._game_registry.waiting_places.place(caller), self._listening(address, who) as event:
            if gone is not None:
                gone.add_done_callback(lambda _: event.set())
            while True:
                event.clear()
                challenge = await self.look(address)
                left = min(until - time.monotonic(), (challenge.expires - now_ms()) / 1000)
                if (
                    challenge.at(now_ms()) is not ChallengeState.OPEN
                    or left <= 0
                    or self._ends
                    or (gone is not None and gone.done())
                ):
                    return challenge
                try:
                    async with asyncio.timeout(min(left, LOOK_AGAIN)):
                        await event.wait()
                except TimeoutError:
                    continue

    async def lobby(self, who: str | None = None) -> list[Challenge]:
        """The open challenges to everybody, at most a second old, without those of people who do not play with `who`.

        One that is not for a slow game is hidden while its maker does not look at it.
        """
        hidden = frozenset[str]() if who is None else await self._game_registry.register.blocked_with(who)
        at, found = self._list
        if time.monotonic() - at >= _LIST_SECONDS:
            found = await asyncio.to_thread(self.repository.listed, now_ms(), _MOST_READ)
            if self._game_registry.others is not None:
                self._elsewhere = await asyncio.to_thread(self.repository.waiting, now_ms())
            self._list = time.monotonic(), found
            self._attended = {one: last for one, last in self._attended.items() if self._lasts(last)}
        await self._game_registry.register.learn(one.maker for one in found)
        going = [one for one in found if one.at(now_ms()) is ChallengeState.OPEN and self._waits(one)]
        return [one for one in going if one.maker not in hidden][:MOST_LISTED]

    def attend(self, challenge: Challenge, who: str | None, seconds: float = 0.0) -> None:
        """Somebody looks at a challenge, and goes on for so many seconds; for its maker this is a sign of waiting."""
        if challenge.way is Way.LOBBY and who == challenge.maker:
            before, until = self._attended.get(challenge.id, 0.0), time.monotonic() + seconds
            self._attended[challenge.id] = max(before, until)
            if self._game_registry.others is not None and until > before + _NOTED_SECONDS:
                self._game_registry.spawn(
                    self._game_registry.others.wait_for, challenge.id, now_ms() + round(1000 * seconds)
                )

    def _waits(self, challenge: Challenge) -> bool:
        """Return whether its maker would be there if somebody accepted now; in a slow game nobody has to be."""
        limit = self._game_registry.limits.offered_seconds or 0.0
        there = self._elsewhere.get(challenge.id, 0) + 1000 * limit >= now_ms()
        return challenge.slow or there or self._lasts(self._attended.get(challenge.id, self._opened))

    def _lasts(self, last: float) -> bool:
        limit = self._game_registry.limits.offered_seconds
        return limit is None or time.monotonic() <= last + limit

    async def open_of(self, who: str) -> list[Challenge]:
        """The open challenges of one person."""
        return await asyncio.to_thread(
            self.repository.open_of, who, now_ms(), self._game_registry.limits.open_challenges or 100
        )

    def refresh(self) -> None:
        """Read the lobby afresh."""
        self._list = (-_LIST_SECONDS, [])

    def _tell(self, challenge: Challenge) -> None:
        """Let everybody know that a challenge was made or settled, at this process and others."""
        self._wake(challenge.id)
        self._game_registry.news.tell("challenge", challenge.id)
        self._game_registry.personal_news.tell(challenge.to)

    def _wake(self, address: str) -> None:
        """Wake those who wait for this challenge, and read the lobby afresh."""
        self.refresh()
        for event in self._waiting.get(address, ()):
            event.set()

    @contextmanager
    def _listening(self, address: str, who: str | None) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        self._waiting.setdefault(address, {})[event] = who
        try:
            yield event
        finally:
            del self._waiting[address][event]
            if not self._waiting[address]:
                del self._waiting[address]

    async def _purge(self) -> None:
        """Forget what expired long ago and led to no game, a batch at a time."""
        while True:
            try:
                before = now_ms() - _KEPT_MS
                while await asyncio.to_thread(self.repository.count_old, before):
                    await self._game_registry.storage.write(Commit("", forgets=before))
            except (SQLAlchemyError, StorageError) as error:
                _LOG.warning("old challenges could not be forgotten: %s", " ".join(str(error).split())[:200])
            await asyncio.sleep(_PURGE_SECONDS)


def _taken_by(challenge: Challenge, who: str) -> bool:
    """Return whether somebody has accepted a challenge of another."""
    return challenge.state is ChallengeState.ACCEPTED and who == challenge.by and who != challenge.maker

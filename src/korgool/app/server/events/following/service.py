"""`FollowedEvents`: events of other sites, of which this one shows what is public.

While somebody reads one, the other site is asked every few seconds, by one process of this one. What it answers is read
as what it is: a text of a stranger. The last good copy stays until there is a better one.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

import msgspec

from korgool.app.publishing import MOST_BYTES, LogMark, SnapshotError, read_snapshot, snapshot_log
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.event_registry import ID_LETTERS, is_id
from korgool.app.server.events.following.remote_fetch import FetchError, FetchProblem, fetch, id_of, source_of
from korgool.app.server.events.following.repository import FollowedRepository, FollowedRow
from korgool.app.server.events.sandbox import SNAPSHOT, Sandbox
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.limits.caller import Network
from korgool.app.server.people.checks import count_change
from korgool.app.server.storage.database import Storage
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState

T = TypeVar("T")
MOST_FOLLOWED = 50
"""Most events that one account lets be followed."""
EVERY_MS = 5_000
"""Milliseconds between two requests to the other site."""
_LOOK_SECONDS = 1.0
"""Seconds after which a row is read again."""
_OLD_MS = 60_000
"""A copy that is older than this is shown only after the other site has had a moment to answer."""
_WAIT_SECONDS = 3.0
_LEADER_BYTES = 64 * 1024
_KEPT = 20
NOBODY = Caller("")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FollowedEvent:
    """An event of another site as it was copied.

    Attributes:
        row: where it comes from.
        state: what is public of it.
        changed: its last change as the other site tells it, `2026-09-14T10:05:00Z`, or empty.
    """

    row: FollowedRow
    state: EventState
    changed: str


class _Leader(msgspec.Struct):
    """The answer of a machine about the log of an event: see `events/stand_by/leadership.py`."""

    leads: bool
    at16: str
    moved: tuple[int, ...]


class FollowedEvents:
    """The events of other sites. Its methods are called on the event loop.

    Args:
        storage: the database.
        sandbox: opens what other sites answer.
        rate_limiter: counts what is followed.
        allowed: networks that are asked although they are not public.
    """

    def __init__(
        self, storage: Storage, sandbox: Sandbox, rate_limiter: RateLimiter, allowed: Sequence[Network] = ()
    ) -> None:
        self._rate_limiter = rate_limiter
        self._sandbox = sandbox
        self._repository = FollowedRepository(storage.engine, storage.lease.fence)
        self._allowed = tuple(allowed)
        self._cache: OrderedDict[str, tuple[float, FollowedEvent]] = OrderedDict()
        self._requests: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        """End what is being asked."""
        for task in tuple(self._requests.values()):
            task.cancel()
        await asyncio.gather(*self._requests.values(), return_exceptions=True)

    async def follow(self, caller: Caller, maker: str, address: str) -> FollowedRow:
        """Follow an event from now on, of which a copy is made at once. One that the account follows already, and that
        another machine leads by now under the same id, keeps its address here.

        Raises:
            RateLimitError: the caller has followed too many in a short time.
            ApiError: 422, the account has too many of them.
            FetchError: there is no event at this address that can be followed, or another one of the same id.
        """
        count_change(self._rate_limiter, caller)
        if (moved := await self._moved(maker, address.strip())) is not None:
            return moved
        if await _in_thread(lambda: self._repository.count(maker)) >= MOST_FOLLOWED:
            raise ApiError(422, errors.MANY_FOLLOWED, most=MOST_FOLLOWED)
        found = await fetch(source_of(address), allowed=self._allowed, most=MOST_BYTES)
        body = found.body or b""
        name = await self._read(body)
        now = now_ms()

        def add() -> FollowedRow:
            row = FollowedRow(
                id="".join(secrets.choice(ID_LETTERS) for _ in range(8)),
                maker=maker,
                address=address.strip(),
                name=name,
                version=_version(body),
                validator=found.validator,
                made_ms=now,
                changed_ms=now,
                confirmed_ms=now,
                asked_ms=now,
            )
            return row if self._repository.add(row, body.decode()) else add()

        return await _in_thread(add)

    async def _moved(self, maker: str, address: str) -> FollowedRow | None:
        """The event that an account follows already, from now on at another address; None where it is a new one."""
        wanted = id_of(address)
        row = next((one for one in await self.of(maker) if wanted and id_of(one.address) == wanted), None)
        copy = None if row is None else await _in_thread(partial(self._repository.copy, row.id))
        held = LogMark() if copy is None else snapshot_log(copy.encode())
        if row is None or not held.origin:
            return None
        found = await fetch(source_of(address), allowed=self._allowed, most=MOST_BYTES)
        body = found.body or b""
        name = await self._read(body)
        if snapshot_log(body).origin != held.origin:
            raise FetchError(FetchProblem.FOREIGN)
        await self._check_log(address, held)
        now = now_ms()
        new = replace(row, address=address, name=name, version=_version(body), validator=found.validator)
        new = replace(new, changed_ms=now, confirmed_ms=now, asked_ms=now, problem="")
        await _in_thread(lambda: self._repository.replace(new, body.decode()))
        self._cache.pop(row.id, None)
        return new

    async def _check_log(self, address: str, held: LogMark) -> None:
        """Check that a log goes on from a line, or that a machine has taken over which never got that line.

        Raises:
            FetchError: it is another log, or the machine leads no more.
        """
        source = source_of(address).removesuffix("/public") + f"/stand-by/leader?at={held.line}"
        told = (await fetch(source, allowed=self._allowed, most=_LEADER_BYTES)).body or b""
        try:
            leader = msgspec.json.decode(told, type=_Leader)
        except msgspec.DecodeError:
            raise FetchError(FetchProblem.FOREIGN) from None
        if not leader.leads:
            raise FetchError(FetchProblem.NOT_LEADING)
        if leader.at16 != held.head and not any(at <= held.line for at in leader.moved):
            raise FetchError(FetchProblem.FOREIGN)

    async def find(self, id_: str) -> FollowedEvent | None:
        """An event, as it was copied last; the other site is asked meanwhile if its turn has come."""
        if not is_id(id_):
            return None
        found = await self._look(id_)
        if found is None:
            return None
        if now_ms() - found.row.asked_ms >= EVERY_MS and id_ not in self._requests:
            task = self._requests[id_] = asyncio.create_task(self._renew(found.row))
            task.add_done_callback(lambda _: self._requests.pop(id_, None))
            if now_ms() - found.row.confirmed_ms > _OLD_MS:
                await asyncio.wait([task], timeout=_WAIT_SECONDS)
                found = await self._look(id_) or found
        return found

    def holds(self, id_: str) -> bool:
        """Return whether the event is in memory; `find` looks in the database too."""
        return id_ in self._cache

    async def newest(self) -> Sequence[FollowedRow]:
        """All events that are followed, those changed last first."""
        return await _in_thread(self._repository.newest)

    async def of(self, maker: str) -> Sequence[FollowedRow]:
        """Those of an account."""
        return await _in_thread(lambda: self._repository.of(maker))

    async def stop(self, id_: str, maker: str) -> None:
        """Follow an event no more.

        Raises:
            ApiError: 404, it is none of this account.
        """
        if not await _in_thread(lambda: self._repository.stop(id_, maker)):
            raise ApiError(404, errors.NO_EVENT)
        self._cache.pop(id_, None)

    async def _look(self, id_: str) -> FollowedEvent | None:
        """The event as the database has it, a second old at most."""
        looked, held = self._cache.get(id_, (0.0, None))
        if held is not None and time.monotonic() - looked < _LOOK_SECONDS:
            return held
        began = time.monotonic()
        found = await _in_thread(lambda: self._load(id_, held))
        if found is None:
            self._cache.pop(id_, None)
            return None
        self._cache[id_] = (began, found)
        self._cache.move_to_end(id_)
        while len(self._cache) > _KEPT:
            self._cache.popitem(last=False)
        return found

    def _load(self, id_: str, held: FollowedEvent | None) -> FollowedEvent | None:
        row = self._repository.find(id_)
        if row is None:
            return None
        if held is not None and held.row.version == row.version:
            return FollowedEvent(row, held.state, held.changed)
        copy = self._repository.copy(id_)
        try:
            return None if copy is None else FollowedEvent(row, *read_snapshot(copy.encode()))
        except SnapshotError as error:  # an earlier release has taken what this one does not
            _LOG.warning("the copy of the event %s cannot be shown: %s", id_, str(error)[:300])
            return None

    async def _read(self, body: bytes) -> str:
        """The name of the event that a site has answered with; raises FetchError for another text."""
        try:
            return (await self._sandbox.open(NOBODY, SNAPSHOT, body)).decode()
        except CompetitionError as error:
            _LOG.info("what another site says of an event cannot be read: %s", str(error)[:300])
            raise FetchError(FetchProblem.NO_EVENT) from None

    async def _renew(self, row: FollowedRow) -> None:
        """Ask the other site once, if no other process has just done so."""
        try:
            if not await _in_thread(lambda: self._repository.ask(row.id, EVERY_MS)):
                return
            try:
                source = source_of(row.address)
                found = await fetch(source, row.validator, allowed=self._allowed, most=MOST_BYTES)
                body = found.body
                if body is None or _version(body) == row.version:
                    await _in_thread(lambda: self._repository.confirm(row.id))
                    return
                name = await self._read(body)
            except FetchError as error:
                problem = f"{error.problem.value} {error.status or ''}".strip()
                await _in_thread(lambda: self._repository.fail(row.id, problem))
                return
            new = {"name": name, "snapshot": body.decode(), "version": _version(body)}
            await _in_thread(lambda: self._repository.keep(row.id, **new, validator=found.validator))
        except Exception:  # the readers have the last copy, and the next of them asks again
            _LOG.exception("the copy of the event %s is not renewed", row.id)
        finally:
            _, held = self._cache.get(row.id, (0.0, None))
            if held is not None:
                self._cache[row.id] = (0.0, held)


def moment_of(followed: FollowedEvent) -> str:
    """The time at which the other site last confirmed the copy, to the minute: `2026-09-14T10:05:00Z`."""
    return datetime.fromtimestamp(followed.row.confirmed_ms // 60_000 * 60, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _version(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.to_thread(work)

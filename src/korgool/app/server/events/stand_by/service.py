"""`StandBys`: the second machines of the events of this process, and what each of them holds.

A second machine asks for the lines after those that it holds, and the question waits until there is one. So each
question also says that everything before is safe there. Who enters something waits a moment for that, while a machine
keeps up.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import korgool
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.helpers.service import tidy_name
from korgool.app.server.events.lead_repository import LeadRepository
from korgool.app.server.events.stand_by.parts import PARTS
from korgool.app.server.events.stand_by.repository import StandByRepository, StandByRow
from korgool.app.server.people.sign_in.identification import STAND_BY
from korgool.app.server.people.transactions import digest_of
from korgool.app.server.storage.database import Storage
from korgool.competition.codec import compact
from korgool.competition.errors import CompetitionError
from korgool.competition.log.takeovers import takeovers
from korgool.competition.storage.line import Line
from korgool.languages import N_

FORMAT = 1
MOST_MACHINES = 12
"""Most second machines of one event that have not ended."""
LONGEST_WAIT = 25.0
AT_ONCE = 500
"""Lines of one answer."""
CONFIRM_SECONDS = 2.0
"""The longest that an entry waits until a second machine holds it."""
BEHIND_MS = 10_000
"""After this the desk warns of a machine that has not been heard, or has not kept up."""
_LOOK_SECONDS = 2.0
_PARTS_SECONDS = 5.0
"""Seconds for which what stands beside the log is not read again."""
_NOTE_MS = 2_000
_TOKEN_BYTES = 18
_LONGEST_ADDRESS = 200


@dataclass(slots=True)
class _Seen:
    """News that a machine has given to this process."""

    row: StandByRow
    line: int
    asking: int = 0
    seen: float = 0.0
    late: bool = False
    noted_ms: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A question for lines.

    Attributes:
        after, chain: the last line that is safe at the machine, and its hash.
        snapshot: the version of the snapshot that it holds; None where it needs none.
        wait: seconds.
        name, kind, address: what it says of itself.
    """

    after: int
    chain: str = ""
    snapshot: str | None = None
    wait: float = 0.0
    name: str = ""
    kind: str = "machine"
    address: str = ""


@dataclass(frozen=True, slots=True)
class StandByState:
    """A second machine as the desk shows it.

    Attributes:
        row: what is stored of it.
        missing: lines that it does not hold.
        seconds: since it was heard; None for never.
        behind: whether the desk warns of it.
    """

    row: StandByRow
    missing: int
    seconds: int | None
    behind: bool


@dataclass(slots=True)
class _Event:
    """An event that has second machines here."""

    seen: dict[str, _Seen] = field(default_factory=dict)
    waiting: set[asyncio.Event] = field(default_factory=set)
    confirming: set[asyncio.Event] = field(default_factory=set)
    snapshot: tuple[float, dict[str, Any]] | None = None


class StandBys:
    """The second machines. Its methods are called on the event loop.

    Args:
        storage: the database.
        events: the events.
        leads: who leads them.
    """

    def __init__(self, storage: Storage, events: EventRegistry, leads: LeadRepository) -> None:
        self._engine = storage.engine
        self._events = events
        self._leads = leads
        self.repository = StandByRepository(storage.engine, storage.lease.fence)
        self._here: dict[str, _Event] = {}
        self._closed = False

    def open(self) -> None:
        """Begin to hear of new lines."""
        self._events.listen(lambda id_, _: self._wake(id_))
        self._events.confirm = self.confirm

    def close(self) -> None:
        """Let everybody who waits go; doing so twice has no effect."""
        self._closed = True
        for here in self._here.values():
            for event in (*here.waiting, *here.confirming):
                event.set()

    async def make(self, event: str, name: str) -> tuple[StandByRow, str]:
        """Let a second machine in; returns it with its token, which is told this once.

        Raises:
            CompetitionError: the name cannot be one, or there are too many.
        """
        named, token = tidy_name(name), STAND_BY + secrets.token_urlsafe(_TOKEN_BYTES)

        return await self._events.in_thread(lambda: self._make(event, named, stand_by_digest(token))), token

    async def end(self, event: str, id_: str) -> bool:
        """End a second machine; returns whether it was let in until now."""
        ended = await self._events.in_thread(lambda: self.repository.end(event, id_))
        if (here := self._here.get(event)) is not None:
            here.seen.pop(id_, None)
            self._wake(event)
        return ended

    async def opened(self, event: str, token: str) -> StandByRow:
        """The machine of a token.

        Raises:
            ApiError: 401.
        """
        found = await self._events.in_thread(lambda: self.repository.opened(event, stand_by_digest(token)))
        if found is None:
            raise ApiError(401, errors.NO_STAND_BY)
        return found

    async def of_account(self, event: str, account: str, name: str) -> StandByRow:
        """The machine of an official's account, by its name; a new one is let in.

        Raises:
            ApiError: 401, it was ended.
            CompetitionError: there are too many.
        """
        named = _name(name)
        id_ = sha256(f"{event} {account} {named}".encode()).hexdigest()[:16]
        row = await self._events.in_thread(lambda: self.repository.find(id_) or self._make(event, named, None, id_))
        if row.ended_ms is not None:
            raise ApiError(401, errors.NO_STAND_BY)
        return row

    async def state(self, event: str) -> list[StandByState]:
        """The second machines, and how far each of them is."""
        rows = await self._events.in_thread(lambda: self.repository.of(event))
        last = (await self._events.find(event)).seq
        here, now, found = self._here.get(event), now_ms(), []
        for stored in rows:
            row, seen = stored, None if here is None else here.seen.get(stored.id)
            if seen is not None:
                heard = now if seen.asking else now - round((time.monotonic() - seen.seen) * 1000)
                row = replace(seen.row, line=seen.line, seen_ms=max(heard, stored.seen_ms))
            missing = max(0, last - row.line)
            silent = now - row.seen_ms > BEHIND_MS
            behind = bool(row.seen_ms) and (silent or (missing > 0 and seen is not None and seen.late))
            seconds = max(0, now - row.seen_ms) // 1000 if row.seen_ms else None
            found.append(StandByState(row, missing, seconds, behind))
        return found

    def behind(self, event: str) -> tuple[str, ...]:
        """The names of machines that were here, and have fallen behind or are not heard any more."""
        here, now = self._here.get(event), time.monotonic()
        if here is None:
            return ()
        silent = [one for one in here.seen.values() if not one.asking and (now - one.seen) * 1000 > BEHIND_MS]
        return tuple(one.row.name for one in here.seen.values() if one.late or one in silent)

    async def lines_after(self, event: str, after: int) -> Sequence[Line]:
        """The lines of a log after a number."""
        return await self._events.in_thread(lambda: self.repository.lines(event, after, AT_ONCE))

    async def ask(self, row: StandByRow, question: Question) -> bytes:
        """Lines after those that a machine holds, as JSON Lines; waits for one where there is none.

        Raises:
            ApiError: 409, what it holds is another log.
        """
        event = row.event
        held = await self._events.in_thread(lambda: self.repository.chain(event, question.after))
        if held is None or held != question.chain:
            raise ApiError(409, errors.OTHER_LOG, line=question.after)
        leader = (await self._events.find(event)).leader
        if leader is not None:
            raise ApiError(423, errors.LED_ELSEWHERE, machine=leader.machine, address=leader.address)
        until = time.monotonic() + min(max(question.wait, 0.0), LONGEST_WAIT)
        with self._asking(row, question) as woken:
            while True:
                woken.clear()
                lines, answer = await self._answer(event, question)
                left = until - time.monotonic()
                news = lines or (question.snapshot is not None and question.snapshot != answer["snapshot"])
                if news or left <= 0 or self._closed:
                    break
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left, _LOOK_SECONDS)):
                        await woken.wait()
                await self._check(row)
        texts = [compact(answer), *(compact({"kind": "line", **line._asdict()}) for line in lines)]
        return "".join(f"{text}\n" for text in texts).encode()

    async def snapshot(self, event: str, address: str) -> dict[str, Any]:
        """All that a machine needs to lead an event beside its log; `address` is that of this site."""
        found = dict(await self._snapshot(event))
        lead = await self._events.in_thread(lambda: self._leads.find(event))
        secret = await self._events.in_thread(lambda: self._leads.secret(event))
        rows = await self._events.in_thread(lambda: self.repository.of(event))
        peers = [*lead.peers, *(row.address for row in rows if row.address)]
        return found | {"address": lead.home or address, "secret": secret.hex(), "peers": sorted(set(peers))}

    async def confirm(self, event: str, seq: int) -> None:
        """Wait until a second machine holds a line, as long as one keeps up, and a moment at most."""
        here = self._here.get(event)
        if here is None:
            return
        now = time.monotonic()
        keeping_up = [
            one
            for one in here.seen.values()
            if one.row.kind == "machine" and not one.late and (one.asking or now - one.seen < 1.0)
        ]
        if not keeping_up or any(one.line >= seq for one in keeping_up):
            return
        told = asyncio.Event()
        here.confirming.add(told)
        try:
            async with asyncio.timeout(CONFIRM_SECONDS):
                while not self._closed and not any(one.line >= seq for one in here.seen.values()):
                    told.clear()
                    await told.wait()
        except TimeoutError:
            for one in keeping_up:
                one.late = one.line < seq  # nobody waits for it again before it has caught up
        finally:
            here.confirming.discard(told)

    def _make(self, event: str, name: str, token: str | None, id_: str = "") -> StandByRow:
        """Let one more second machine in; it blocks."""
        if len(self.repository.of(event)) >= MOST_MACHINES:
            raise CompetitionError(N_("an event has at most {most} second machines"), most=MOST_MACHINES)
        return self.repository.make(event, name, token, id_)

    async def _answer(self, event: str, question: Question) -> tuple[Sequence[Line], dict[str, Any]]:
        lines = await self._events.in_thread(lambda: self.repository.lines(event, question.after, AT_ONCE))
        seq, chain = await self._events.in_thread(lambda: self.repository.head(event))
        version = "" if question.snapshot is None else (await self._snapshot(event))["version"]
        state = (await self._events.find(event)).state
        head = {
            "kind": "head",
            "format": FORMAT,
            "event": event,
            "release": korgool.__version__,
            "seq": seq,
            "chain": chain,
            "snapshot": version,
            "leader": len(takeovers(state)),
            "more": bool(lines) and lines[-1].at < seq,
        }
        return lines, head

    async def _check(self, row: StandByRow) -> None:
        """End the question of a machine that was ended while it waited; raises ApiError."""
        if all(one.id != row.id for one in await self._events.in_thread(lambda: self.repository.of(row.event))):
            raise ApiError(401, errors.NO_STAND_BY)

    async def _snapshot(self, event: str) -> dict[str, Any]:
        """All that stands beside the log, without what is secret, and its version."""
        here, now = self._here.setdefault(event, _Event()), time.monotonic()
        if here.snapshot is not None and now - here.snapshot[0] < _PARTS_SECONDS:
            return here.snapshot[1]

        def read() -> dict[str, Any]:
            with self._engine.begin() as connection:
                parts = {part.name: part.take(connection, event) for part in PARTS}
            listed = self._events.repository.find(event)
            public = listed is not None and listed.public
            found = {"format": FORMAT, "event": event, "public": public, "parts": parts}
            found["personal"] = dict(self.repository.personal(event))
            return {**found, "version": sha256(compact(found).encode()).hexdigest()[:16]}

        found = await self._events.in_thread(read)
        here.snapshot = (now, found)
        return found

    @contextmanager
    def _asking(self, row: StandByRow, question: Question) -> Iterator[asyncio.Event]:
        """The place of a machine that asks; what it has said is noted."""
        here = self._here.setdefault(row.event, _Event())
        name = row.name if row.name != "?" or not question.name.strip() else _name(question.name)
        told = (name, question.kind, question.address[:_LONGEST_ADDRESS])
        seen = here.seen.get(row.id)
        if seen is None:
            seen = here.seen[row.id] = _Seen(row, question.after)
        changed = (seen.row.name, seen.row.kind, seen.row.address) != told
        seen.row = replace(row, name=told[0], kind=told[1], address=told[2])
        seen.line = question.after
        seen.late = seen.late and question.after < (self._events.seq(row.event) or 0)
        for one in here.confirming:
            one.set()
        if changed or now_ms() - seen.noted_ms > _NOTE_MS:
            seen.noted_ms = now_ms()
            noted = dict(zip(("name", "kind", "address"), told, strict=True))
            self._note(row.id, {**noted, "line": question.after, "seen_ms": seen.noted_ms})
        woken = asyncio.Event()
        here.waiting.add(woken)
        seen.asking += 1
        try:
            yield woken
        finally:
            seen.asking -= 1
            seen.seen = time.monotonic()
            here.waiting.discard(woken)

    def _note(self, id_: str, noted: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._events.in_thread(lambda: self.repository.note(id_, **noted)))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _wake(self, event: str) -> None:
        if (here := self._here.get(event)) is not None:
            for one in here.waiting:
                one.set()


def stand_by_digest(token: str) -> str:
    """The digest of the token of a second machine that is stored."""
    return digest_of("stand-by", token)


def _name(text: str) -> str:
    """The name that a machine gives itself, as far as it can be shown."""
    shown = "".join(sign for sign in text if sign.isprintable())
    return " ".join(shown.split())[:60] or "?"

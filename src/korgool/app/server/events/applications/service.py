"""`Applications`: anybody applies for an event, and its organiser says yes, no, or asks back.

Nothing of an application is in the event's log before it is entered, and nothing personal of it is left when it is
refused or withdrawn, or when the event is over. Whoever applies gets a link, by which they see what has become of it; a
digest of it is stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.applications.model import (
    MOST_GROUPS,
    OPEN,
    Applicant,
    Application,
    ApplicationState,
    EntryWindow,
    Remark,
    alike,
)
from korgool.app.server.events.applications.repository import ApplicationRepository
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.checks import count_change
from korgool.app.server.people.transactions import digest_of
from korgool.app.server.storage.database import Storage
from korgool.competition.codec import plain, to_json
from korgool.competition.eligibility import check_limits, same_person
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Entry
from korgool.competition.roles import Officer
from korgool.languages import N_

MOST_WAITING = 1_000
"""Most applications of one event that wait at once."""
MOST_TOGETHER = 60
"""Most players in one go."""
_OLDEST_MS = 400 * 86_400_000
_LINK = "application"
_EARLIER = 10
"""Earlier events that are looked through for people."""
CLOSED = N_("Nobody can apply for this group now.")
TOO_MANY = N_("Too many applications wait for an answer. Try again later, or ask the organiser.")
FULL = N_("This group is full.")


@dataclass(frozen=True, slots=True)
class OpenGroup:
    """A group for which somebody may apply.

    Attributes:
        event: the group.
        window: when, None where it was never opened.
        open: whether it is open now.
        entered: number of players who are entered.
    """

    event: LiveEvent
    window: EntryWindow | None
    open: bool
    entered: int

    @property
    def id(self) -> int:
        """The id of the group."""
        return self.event.state.group

    @property
    def name(self) -> str:
        """Its name, that of the event where there are no groups."""
        state = self.event.state
        return state.groups.get(state.group, state.event.name)

    @property
    def full(self) -> bool:
        """True if no place is left."""
        return self.window is not None and 0 < self.window.most <= self.entered


class Applications:
    """The applications for all events. Its methods are called on the event loop.

    Args:
        storage: the database.
        events: the events.
        rate_limiter: counts what is sent.
    """

    def __init__(self, storage: Storage, events: EventRegistry, rate_limiter: RateLimiter) -> None:
        self.repository = ApplicationRepository(storage.engine, storage.lease.fence)
        self._events = events
        self._rate_limiter = rate_limiter
        self._key = storage.secret().encode()
        self._held: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin: forget what is too old, and watch for events that come to their end, or did when nobody looked."""
        self.repository.clear_before(now_ms() - _OLDEST_MS)
        self._held = self.repository.events()
        self._events.listen(self._changed)
        self._begin(self._look())

    async def groups(self, event: LiveEvent) -> list[OpenGroup]:
        """The groups of an event, and which of them are open."""
        found = await self._events.in_thread(lambda: self.repository.windows(event.event_id))
        by_id, now = {one.group: one for one in found}, now_ms()
        return [
            OpenGroup(
                one, window, window is not None and window.is_open(now) and not one.state.over, len(one.state.players)
            )
            for one in await self._events.groups(event)
            for window in (by_id.get(one.state.group),)
        ]

    async def waiting(self, event: LiveEvent) -> int:
        """Number of applications for an event that wait for an answer."""
        return await self._events.in_thread(lambda: self.repository.waiting(event.event_id))

    async def set_windows(self, event: LiveEvent, found: Sequence[EntryWindow]) -> None:
        """Say when anybody may apply, for all groups at once.

        Raises:
            CompetitionError: one of them ends before it begins.
        """
        for one in found:
            if one.closes <= one.opens:
                raise CompetitionError(N_("Entries close after they open."))
        await self._events.in_thread(lambda: self.repository.open_for(event.event_id, found))

    async def apply(
        self, caller: Caller, event: LiveEvent, once: str, people: Sequence[Applicant], paper: bytes | None = None
    ) -> str:
        """Apply for one or several people; the token of their link. The same, sent again, is there once.

        Args:
            caller: who sends it.
            event: the event.
            once: of the form: text of the page.
            people: who applies.
            paper: a JPEG of the doctor's paper, where there is one.

        Raises:
            RateLimitError: the caller has sent too much.
            CompetitionError: a group is not open or is full, the regulations do not admit somebody, or too many wait.
        """
        count_change(self._rate_limiter, caller)
        if not people or len(people) > MOST_TOGETHER:
            raise CompetitionError(N_("At most {most} players are entered in one go."), most=MOST_TOGETHER)
        groups = {one.id: one for one in await self.groups(event)}
        now = now_ms()
        for one in people:
            if not 1 <= len(set(one.groups)) <= MOST_GROUPS or len(set(one.groups)) < len(one.groups):
                raise CompetitionError(N_("Choose one group or two."))
            for id_ in one.groups:
                group = groups.get(id_)
                if group is None or group.window is None or not group.window.is_open(now, begun=True):
                    raise CompetitionError(CLOSED)
                if group.event.state.over:
                    raise CompetitionError(CLOSED)
                if group.full or 0 < group.window.most < group.entered + sum(id_ in each.groups for each in people):
                    raise CompetitionError(FULL)
                check_limits(group.event.state, one.entry)
        if await self._events.in_thread(lambda: self.repository.waiting(event.event_id)) + len(people) > MOST_WAITING:
            raise CompetitionError(TOO_MANY)
        # After all that may be corrected and sent again: a school shares one address.
        wait = self._rate_limiter.spend("address_applicants", caller.address, len(people))
        if wait:
            raise RateLimitError(errors.TOO_MANY_CHANGES, wait)
        said = hashlib.sha256("\n".join(map(to_json, people)).encode() + (paper or b"")).hexdigest()
        text = f"application {event.event_id} {once} {said}"
        token = hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()[:36]
        await self._events.in_thread(
            lambda: self.repository.add(event.event_id, digest_of(_LINK, token), people, paper)
        )
        self._held.add(event.event_id)
        return token

    async def by_token(self, event: LiveEvent, token: str) -> Sequence[Application]:
        """The applications of a link.

        Raises:
            ApiError: 404.
        """
        link = digest_of(_LINK, token[:80])
        found = await self._events.in_thread(lambda: self.repository.by_link(event.event_id, link))
        if not found:
            raise ApiError(404, errors.NO_INVITATION)
        return found

    async def withdraw(self, event: LiveEvent, token: str, id_: str) -> None:
        """Withdraw an application; everything personal of it goes.

        Raises:
            ApiError: 404, it is not of this link.
        """
        await self._own(event, token, id_)
        state = ApplicationState.WITHDRAWN
        await self._events.in_thread(lambda: self.repository.decide(event.event_id, id_, state, question=""))

    async def answer(self, event: LiveEvent, token: str, id_: str, text: str) -> None:
        """Answer what the organiser asks; the application waits again.

        Raises:
            ApiError: 404, it is not of this link.
            CompetitionError: nothing is said.
        """
        await self._own(event, token, id_)
        if not text.strip():
            raise CompetitionError(N_("Write an answer."))
        state, said = ApplicationState.WAITING, " ".join(text.split())[:500]
        await self._events.in_thread(lambda: self.repository.decide(event.event_id, id_, state, answer=said))

    async def _own(self, event: LiveEvent, token: str, id_: str) -> None:
        if id_ not in {one.id for one in await self.by_token(event, token)}:
            raise ApiError(404, errors.NO_INVITATION)

    async def seen(self, event: LiveEvent, officer: Officer) -> list[Application]:
        """The applications for an event with remarks on those that are open."""
        found = await self._events.in_thread(lambda: self.repository.all(event.event_id))
        entered = [one.entry for group in await self._events.groups(event) for one in group.state.players.values()]
        waiting = [one for one in found if one.state in OPEN and one.who is not None]
        before = await self._earlier(event, officer) if waiting else []

        def looked() -> list[Application]:
            others = [(one.id, one.who.entry) for one in waiting if one.who is not None]
            return [replace(one, remarks=_remarks(one, entered, others, before)) for one in found]

        return await asyncio.to_thread(looked)

    async def _earlier(self, event: LiveEvent, officer: Officer) -> list[Entry]:
        """People of the latest other events of an official."""
        listed = [one for one in await self._events.of(officer.who) if one.id != event.event_id][:_EARLIER]
        states = [(await self._events.find(one.id)).state for one in listed]
        return [player.entry for state in states for player in state.people.values()]

    async def accept(
        self, event: LiveEvent, officer: Officer, id_: str, *, namesake: bool = False, within: bool = False
    ) -> None:
        """Enter an applicant in every group that they chose; with `within` no more than each group takes.

        Raises:
            CompetitionError: they cannot be entered; the application waits on, unless they are in one group by now.
        """
        one = await self._open(event, id_)
        assert one.who is not None
        if within and any(group.full for group in await self.groups(event) if group.id in one.who.groups):
            raise CompetitionError(FULL)
        groups = {live.state.group: live for live in await self._events.groups(event)}
        entry, player = one.who.entry, None
        for at, group in enumerate(one.who.groups):
            if group not in groups:
                raise CompetitionError(CLOSED)
            live = groups[group]
            if player is None:
                asked: dict[str, object] = {"do": "enter", "entry": plain(entry), "id": f"apply-{id_}"}
                if namesake:
                    asked["namesake"] = True
                await live.act(officer, (await live.fresh()).actions, [asked])
                player = _newest(live.state, entry)
            else:
                join = {"do": "join", "player": player, "id": f"apply{at}-{id_}"}
                await live.act(officer, (await live.fresh()).actions, [join])
        state = ApplicationState.ENTERED
        await self._events.in_thread(lambda: self.repository.decide(event.event_id, id_, state, player=player))

    async def refuse(self, event: LiveEvent, id_: str, reason: str) -> None:
        """Refuse an applicant with a reason; everything personal goes.

        Raises:
            CompetitionError: no reason is given, or it is decided already.
        """
        await self._say(event, id_, ApplicationState.REFUSED, reason)

    async def ask(self, event: LiveEvent, id_: str, question: str) -> None:
        """Ask an applicant something; errors as for `refuse`."""
        await self._say(event, id_, ApplicationState.ASKED, question)

    async def _say(self, event: LiveEvent, id_: str, state: ApplicationState, text: str) -> None:
        await self._open(event, id_)
        if not text.strip():
            raise CompetitionError(N_("Write to the applicant why, or what you want to know."))
        said = " ".join(text.split())[:500]
        await self._events.in_thread(lambda: self.repository.decide(event.event_id, id_, state, question=said))

    async def _open(self, event: LiveEvent, id_: str) -> Application:
        found = await self._events.in_thread(lambda: self.repository.all(event.event_id))
        one = next((one for one in found if one.id == id_), None)
        if one is None:
            raise ApiError(404, errors.NO_PAGE)
        if one.state not in OPEN or one.who is None:
            raise CompetitionError(N_("This application is decided already."))
        return one

    async def clear(self, event: LiveEvent) -> None:
        """Remove all applications for an event."""
        await self._events.in_thread(lambda: self.repository.clear(event.event_id))
        self._held.discard(event.event_id)

    def _changed(self, id_: str, _: int) -> None:
        if id_ in self._held:
            self._begin(self._end(id_))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self) -> None:
        """Look at all events with applications, one after the other."""
        for id_ in sorted(self._held):
            await self._end(id_)

    async def _end(self, id_: str) -> None:
        """Remove the applications for an event that is over."""
        with suppress(ApiError):  # it has been deleted
            event = await self._events.find(id_)
            if all(one.state.over for one in await self._events.groups(event)):
                await self.clear(event)


def once() -> str:
    """A text for a form, by which it counts once."""
    return secrets.token_urlsafe(12)


def _newest(state: EventState, entry: Entry) -> int:
    """The id of the player who was entered last with the name of an entry."""
    return max(id_ for id_, one in state.players.items() if one.entry.name == entry.name)


def _remarks(
    one: Application, entered: Iterable[Entry], waiting: Iterable[tuple[str, Entry]], before: Iterable[Entry]
) -> tuple[Remark, ...]:
    """Remarks on an application; at most one of each kind."""
    if one.who is None or one.state not in OPEN:
        return ()
    entry, found = one.who.entry, list[Remark]()
    same = next((other for other in entered if same_person(other, entry)), None)
    near = None if same else next((other for other in entered if alike(other, entry)), None)
    again = next((other for id_, other in waiting if id_ != one.id and alike(other, entry)), None)
    last = next((other for other in before if same_person(other, entry)), None)
    for kind, other in (("entered", same), ("similar", near), ("twice", again), ("before", last)):
        if other is not None:
            found.append(Remark(kind, other.name))
    return tuple(found)

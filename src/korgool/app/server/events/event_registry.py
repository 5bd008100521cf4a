"""`EventRegistry`: the events of the site: making, finding and listing them, and who is who at each.

Read events stay in memory, so many of them at most. Where several processes serve a site, each hears of the others'
changes by the bus, and looks for itself in case it hears nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from korgool.app.server.cluster.bus import News
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.event_repository import EventRepository, ListedEvent, give_role
from korgool.app.server.events.group_addresses import event_of, group_address, group_of
from korgool.app.server.events.lead_repository import Lead, LeadRepository
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.sandbox import Sandbox
from korgool.app.server.events.stored_book import StoredBook
from korgool.app.server.limits.deadline_pool import DeadlinePool
from korgool.app.server.storage.database import Storage
from korgool.competition.actions import Open
from korgool.competition.bounded_process import end_processes
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.pairing import PairingEngine
from korgool.competition.pairing.gacrux_process import GacruxProcess
from korgool.competition.roles import DeskRole, Officer
from korgool.competition.storage.book import Book
from korgool.languages import N_

T = TypeVar("T")
KIND = "competition"
"""The kind of news that tells of a new line: its topic is the event, its text the line."""
ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that are not mistaken for each other."""
_ID_LENGTH = 8
_KEPT = 100
_KEPT_KEYS = 1000
_KEPT_LINES = 300_000
_THREADS = 4
_PAIRINGS = 2
"""Rounds that are paired at once; others wait."""
_EVENT_SECONDS = 60.0
"""Most seconds for one thing that is done with an event: a large one that comes in takes ten."""
_PAIRING_SECONDS = 180.0
ENGINE = GacruxProcess(timeout=_PAIRING_SECONDS, memory_mib=1024)
"""Pairing engine of Swiss rounds: a site has others to serve, so it takes less than on a computer of its own."""
MOST_EVENTS = 200
"""Most events that one account makes."""


class EventRegistry:
    """The events of a site. Its methods are called on the event loop.

    Attributes:
        repository: their rows and roles; its methods block.
        sandbox: opens files from outside.
        leads: who leads them.
        confirm: waits, a moment at most, until another machine holds a line too; None where there is none.

    Args:
        storage: the database.
        news: of the other processes.
        engine: what pairs Swiss rounds.
    """

    def __init__(self, storage: Storage, news: News, engine: PairingEngine = ENGINE) -> None:
        self.repository = EventRepository(storage.engine, storage.lease.fence)
        self.leads = LeadRepository(storage.engine, storage.lease.fence, storage.secret())
        self.sandbox = Sandbox()
        self._storage = storage
        self._news = news
        self._engine = engine
        self._executor = DeadlinePool("events", _THREADS, _EVENT_SECONDS)
        self._pairing = DeadlinePool("pairing", _PAIRINGS, _PAIRING_SECONDS + 20.0)
        self._recent: OrderedDict[str, LiveEvent] = OrderedDict()
        self._all: WeakValueDictionary[str, LiveEvent] = WeakValueDictionary()
        self._secrets: dict[str, bytes] = {}
        self._listeners: list[Callable[[str, int], None]] = []
        self.confirm: Callable[[str, int], Awaitable[None]] | None = None

    def open(self) -> None:
        """Begin to hear of what other processes write."""
        self._news.listen(KIND, self._hear, self._holds)

    def _holds(self, id_: str) -> bool:
        return any(event_of(address) == id_ for address in self._all)

    def close(self) -> None:
        """End; what is being written is finished."""
        end_processes()
        self.sandbox.close()
        self._pairing.shutdown(cancel_futures=True)
        self._executor.shutdown()

    def listen(self, listener: Callable[[str, int], None]) -> None:
        """Call with the id and the last line of each event that changes, as far as this process learns of it."""
        self._listeners.append(listener)

    async def make(self, maker: Officer, settings: Settings, *, public: bool = False) -> LiveEvent:
        """Make an event, of which `maker` becomes the organiser.

        Args:
            maker: an account, with the name that the log is to have.
            settings: the regulations.
            public: whether anybody may read it.

        Raises:
            CompetitionError: the regulations contradict themselves. Nothing is made then.
        """
        return await self.take(maker, lambda book: book.do(Open(settings), by=maker.name), public=public)

    async def take(
        self, maker: Officer, fill: Callable[[Book], object], *, public: bool = False, wanted: str = ""
    ) -> LiveEvent:
        """Make an event whose log `fill` writes, all of it in one transaction; the rest as for `make`.

        Args:
            maker, public: as for `make`.
            fill: writes the log into an empty book.
            wanted: the id that the event is to have, if it can be one and is free.
        """
        organiser = Officer(maker.who, maker.name, DeskRole.ORGANISER)
        book = await self.in_thread(lambda: self._make(organiser, public, fill, wanted if is_id(wanted) else ""))
        made = self._keep(book)
        await made.fresh()
        return made

    async def find(self, id_: str) -> LiveEvent:
        """An event, as this process last knew it; `LiveEvent.fresh` looks again.

        Raises:
            ApiError: 404.
        """
        found = self._recent.get(id_) or self._all.get(id_)
        if found is None:
            base, group = event_of(id_), group_of(id_)
            if not is_id(base) or group is None or await self.in_thread(lambda: self.repository.find(base)) is None:
                raise ApiError(404, errors.NO_EVENT)
            if group:
                first = (await self.find(base)).state
                if group not in first.groups:
                    raise ApiError(404, errors.NO_EVENT)
                if group == first.group:
                    return await self.find(base)
            found = self._all.get(id_) or self._keep(self._book(base, group or 1), id_)
        self._recent[id_] = found
        self._recent.move_to_end(id_)
        while len(self._recent) > 1 and (
            len(self._recent) > _KEPT or sum(one.seq for one in self._recent.values()) > _KEPT_LINES
        ):
            self._recent.popitem(last=False)
        await found.fresh()
        if group_of(id_) not in (0, found.state.group):  # the group was taken back
            raise ApiError(404, errors.NO_EVENT)
        return found

    def in_memory(self, address: str) -> LiveEvent | None:
        """An event or a group that this process has in memory, as it last knew it."""
        return self._all.get(address)

    async def group(self, event: LiveEvent, name: str) -> LiveEvent:
        """A group of an event, by its name.

        Raises:
            CompetitionError: there is no such group; the message lists those that there are.
        """
        state = event.state
        return await self.find(group_address(event.event_id, state, state.group_named(name)))

    async def groups(self, event: LiveEvent) -> list[LiveEvent]:
        """The groups of an event, the first one first; of an event without groups only itself."""
        ids = event.state.groups or (event.state.group,)
        return [await self.find(group_address(event.event_id, event.state, id_)) for id_ in ids]

    async def show(self, event: LiveEvent, *, public: bool) -> None:
        """Let anybody read an event, or only its officials."""
        await self.in_thread(lambda: self.repository.show(event.event_id, public=public))
        event.public = public
        self._heard(event.event_id)
        self._tell(event.event_id, event.seq)

    async def lead(self, id_: str, change: Callable[[Lead], Lead]) -> Lead:
        """Note who leads an event, as `change` makes it of what was known."""
        lead = await self.in_thread(lambda: self.leads.change(id_, change))
        self._secrets.pop(id_, None)
        self._heard(id_)
        self._tell(id_, self.seq(id_))
        return lead

    async def public(self, most: int = 100) -> Sequence[ListedEvent]:
        """The events that anybody may read, those changed last first."""
        return await self.in_thread(lambda: self.repository.public(most))

    async def of(self, account: str) -> Sequence[ListedEvent]:
        """The events in which an account has a role, those changed last first."""
        return await self.in_thread(lambda: self.repository.of(account))

    async def listed(self, id_: str) -> ListedEvent:
        """The row of an event, read now.

        Raises:
            ApiError: 404.
        """
        found = await self.in_thread(lambda: self.repository.find(id_)) if is_id(id_) else None
        if found is None:
            raise ApiError(404, errors.NO_EVENT)
        return found

    def seq(self, id_: str) -> int:
        """The last line of the log of an event as this process knows it; 0 where nobody has asked for it."""
        return max((one.seq for address, one in self._all.items() if event_of(address) == id_), default=0)

    async def secret(self, id_: str) -> bytes:
        """The key of an event."""
        found = self._secrets.get(id_)
        if found is None:
            found = await self.in_thread(lambda: self.leads.secret(id_))
            if len(self._secrets) >= _KEPT_KEYS:
                self._secrets.clear()
            self._secrets[id_] = found
        return found

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do what blocks, in one of the threads of events."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    def new_book(self, id_: str) -> StoredBook:
        """The book of an event for the caller alone; it blocks."""
        return self._book(id_)

    def _book(self, id_: str, group: int = 1) -> StoredBook:
        return StoredBook(self._storage.engine, self._storage.lease.fence, id_, group)

    def _keep(self, book: StoredBook, address: str = "") -> LiveEvent:
        others = self._storage.processes is not None
        made = LiveEvent(
            book,
            self._executor,
            self._pairing,
            others=others,
            tell=self._tell,
            confirm=self._confirm,
            engine=self._engine,
            address=address,
        )
        self._all[made.id] = self._recent[made.id] = made
        return made

    def _make(self, maker: Officer, public: bool, fill: Callable[[Book], object], wanted: str) -> StoredBook:
        if self.repository.made_by(maker.who) >= MOST_EVENTS:
            raise CompetitionError(N_("an account makes at most {most} events"), most=MOST_EVENTS)
        while True:
            if wanted and not self.repository.is_free(wanted):
                wanted = ""
            book = self._book(wanted or "".join(secrets.choice(ID_LETTERS) for _ in range(_ID_LENGTH)))
            book.who = maker.who
            try:
                with book.together():
                    book.begin(partial(_organise, book.id, maker), maker.who, public=public)
                    fill(book)
                return book
            except IntegrityError:
                if self.repository.find(book.id) is None:
                    raise

    def _hear(self, id_: str, said: str) -> None:
        self._heard(id_)
        for listener in self._listeners:
            listener(id_, int(said) if said.isdecimal() else 0)

    def _heard(self, id_: str, seq: int | None = None) -> None:
        """Let every group of an event look again, but for those that know the line."""
        for address, found in list(self._all.items()):
            if event_of(address) == id_ and found.seq != seq:
                found.hear()

    async def _confirm(self, id_: str, seq: int) -> None:
        if self.confirm is not None:
            await self.confirm(id_, seq)

    def _tell(self, id_: str, seq: int) -> None:
        self._heard(id_, seq)
        self._news.tell(KIND, id_, str(seq))
        for listener in self._listeners:
            listener(id_, seq)


def _organise(id_: str, maker: Officer, connection: Connection) -> None:
    give_role(connection, id_, maker, account=maker.who)


def is_id(text: str) -> bool:
    """Return whether a text can be the id of an event."""
    return len(text) == _ID_LENGTH and all(letter in ID_LETTERS for letter in text)

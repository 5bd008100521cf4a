"""`LiveBoards`: scoresheets that phones and helpers keep, what readers see of them, and the records they become.

A line is acknowledged when it is on disk. Readers see a board as it was some time ago, by the clock of the server, and
by no address more than that: when the game is over and the same time has passed, its record goes into the event's log,
from where the round, the player's card and `games.pgn` have it.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from litestar.di import NamedDependency
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from korgool.app.server.cluster.bus import News
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.boards.repository import BoardRepository, RoundKey, StoredLine
from korgool.app.server.events.boards.round_sheets import RoundSheets
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.group_addresses import event_of, group_address
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.storage.database import Storage
from korgool.competition.board_sheet import (
    BoardSheet,
    Keeper,
    SheetEntry,
    SheetLine,
    SheetRefusalError,
)
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.competition.roles import DeskRole, Officer

KIND: Final = "live-board"
"""The kind of news that tells of new lines: its topic is the event."""
_KEPT: Final = 200
"""Rounds that stay in memory."""
_LOOK_MS: Final = 500
"""Milliseconds by which boards may be older than the database, where other processes write to it too."""
_ATTEMPTS: Final = 5
_BEFORE_MS: Final = 2 * 3_600_000
"""Milliseconds back to which a starting server looks for games whose records wait for their delay."""
_GRAIN_MS: Final = 1_000
"""Readers see new lines once a second at most, so that a page is made once for all of them."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Writer:
    """Device that writes to a sheet.

    Attributes:
        by: whose it is.
        device: the name that it has given itself, up to 40 letters.
    """

    by: Keeper
    device: str


@dataclass(frozen=True, slots=True)
class Written:
    """The sheet after a request.

    Attributes:
        sheet: as it stands now.
        done: number of entries that stand, from the first on.
        refusal: why the next one does not; None where all stand.
    """

    sheet: BoardSheet
    done: int
    refusal: SheetRefusalError | None = None


@dataclass(frozen=True, slots=True)
class ShownBoards:
    """Boards of the round that is played, as readers see them.

    Attributes:
        version: differs with everything that they see.
        first: how many boards stand on the page of the first boards; 0 for none.
        delay: seconds.
        sheets: the boards on which something was written, by number.
    """

    version: str
    first: int
    delay: int
    sheets: Mapping[int, BoardSheet]


class LiveBoards:
    """The boards of all events of a site. Its methods are called on the event loop.

    Args:
        storage: the database.
        events: the events.
        news: of the other processes.
        rate_limiter: counts what is written.
    """

    def __init__(self, storage: Storage, events: EventRegistry, news: News, rate_limiter: RateLimiter) -> None:
        self._repository = BoardRepository(storage.engine, storage.lease.fence)
        self._events = events
        self._news = news
        self._rate_limiter = rate_limiter
        self._others = storage.processes is not None
        self._rounds: OrderedDict[RoundKey, RoundSheets] = OrderedDict()
        self._looked: dict[RoundKey, int] = {}
        self._locks: dict[RoundKey, asyncio.Lock] = {}
        self._due: list[tuple[int, RoundKey, int]] = []
        self._woken = asyncio.Event()
        self._working: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to hear of other processes, and to attach the records of games that are over."""
        self._news.listen(KIND, self._hear)
        self._events.listen(self._changed)
        self._working = asyncio.create_task(self._attach_records())

    async def close(self) -> None:
        """End; what is being written is finished by its threads."""
        if self._working is not None:
            self._working.cancel()
            with suppress(asyncio.CancelledError):
                await self._working

    def game(self, event: LiveEvent, board: int, number: int = 0) -> PairedGame:
        """The game at a board of the round that is played.

        Args:
            event: the event, or the group of it.
            board: from 1.
            number: the round that is meant, 0 for whichever is played.

        Raises:
            ApiError: 404, there is no such board, or nobody sits on one side of it; 410, the round is over.
        """
        state = event.state
        if number and number != len(state.rounds):
            raise ApiError(410 if 0 < number < len(state.rounds) else 404, errors.BOARD_OVER, round=number)
        games = state.rounds[-1].games if state.rounds else ()
        game = next((one for one in games if one.board == board and one.white and one.black), None)
        if game is None:
            raise ApiError(404, errors.NO_BOARD)
        return game

    async def sheet(self, event: LiveEvent, game: PairedGame) -> BoardSheet:
        """The sheet of a board as it is now; for those who keep it."""
        return (await self._fresh(_key(event))).sheet(event.state, game)

    async def write(
        self, event: LiveEvent, game: PairedGame, writer: Writer, entries: Sequence[SheetEntry], caller: Caller
    ) -> Written:
        """Write to the sheet of a board, in order, up to the first entry that it does not take.

        An entry whose id is known is not written again.

        Raises:
            RateLimitError: the session or the address has sent too much.
        """
        wait = self._rate_limiter.spend_both(("session_sheets", "address_sheets"), caller, len(entries))
        if wait:
            raise RateLimitError(errors.TOO_MANY_CHANGES, wait)
        key = _key(event)
        async with self._locks.setdefault(key, asyncio.Lock()):
            for attempt in range(_ATTEMPTS):
                sheets = await self._fresh(key, anew=attempt > 0)
                made, lines, written = self._made(event.state, sheets, game, writer, entries)
                if not lines:
                    return written
                try:
                    await self._events.in_thread(lambda lines=lines: self._repository.append(key, lines))  # type: ignore[misc]
                except IntegrityError:
                    continue  # another process was quicker
                sheets.add(lines)
                self._news.tell(KIND, key.event)
                if made.over:
                    self._wait_for(event.state, sheets, key, game)
                return written
        raise ApiError(503, errors.NOT_REACHED)

    async def shown(self, id_: str, state: EventState) -> ShownBoards:
        """The boards of the event, or of the group, at this address as readers see them now."""
        settings = state.event
        if not state.rounds or not settings.live.boards:
            return ShownBoards("0", 0, settings.live.delay, {})
        sheets = await self._fresh(RoundKey(event_of(id_), state.group, len(state.rounds)))
        until = (now_ms() // _GRAIN_MS) * _GRAIN_MS - settings.live.delay * 1000
        version = f"{len(state.rounds)}.{sheets.visible(until)}"
        return ShownBoards(version, settings.live.boards, settings.live.delay, _Delayed(state, sheets, until))

    def _made(
        self, state: EventState, sheets: RoundSheets, game: PairedGame, writer: Writer, entries: Sequence[SheetEntry]
    ) -> tuple[BoardSheet, list[StoredLine], Written]:
        """The sheet with the entries, and the lines that are new."""
        made, lines = sheets.sheet(state, game), list[StoredLine]()
        at, number = max(now_ms(), sheets.last_ms), sheets.number(game.board)
        for done, entry in enumerate(entries):
            if entry.id in made.ids:
                continue
            line = SheetLine(at, writer.by, writer.device, entry)
            try:
                made = made.with_line(line)
            except SheetRefusalError as refusal:
                return made, lines, Written(made, done, refusal)
            lines.append(StoredLine(game.board, number + len(lines) + 1, (game.white, game.black), line))
        return made, lines, Written(made, len(entries))

    async def _fresh(self, key: RoundKey, *, anew: bool = False) -> RoundSheets:
        found = self._rounds.get(key)
        stale = self._others and now_ms() - self._looked.get(key, 0) > _LOOK_MS
        if found is None or anew or stale:
            looked = now_ms()
            lines = await self._events.in_thread(lambda: self._repository.lines(key))
            held = self._rounds.get(key)
            if held is None or held.count != len(lines) or anew:
                found = self._rounds[key] = RoundSheets(lines)
            else:
                found = held
            self._looked[key] = looked
        self._rounds.move_to_end(key)
        while len(self._rounds) > _KEPT:
            gone, _ = self._rounds.popitem(last=False)
            self._looked.pop(gone, None)
        return found

    def _hear(self, event: str, _: str) -> None:
        """Another process has written: look when somebody asks next."""
        for key in self._looked:
            if key.event == event:
                self._looked[key] = 0

    def _changed(self, event: str, _: int) -> None:
        """An official has changed something: a result may have come to a sheet that nobody has confirmed."""
        for key, sheets in self._rounds.items():
            if key.event == event:
                for board in sheets.boards:
                    self._push(now_ms(), key, board)

    def _wait_for(self, state: EventState, sheets: RoundSheets, key: RoundKey, game: PairedGame) -> None:
        self._push(sheets.board_ms(game.board) + state.event.live.delay * 1000, key, game.board)

    def _push(self, due_ms: int, key: RoundKey, board: int) -> None:
        heapq.heappush(self._due, (due_ms, key, board))
        self._woken.set()

    async def _attach_records(self) -> None:
        """Attach the records of games that are over, each when the delay of readers has passed."""
        try:
            for key in await self._events.in_thread(lambda: self._repository.since(now_ms() - _BEFORE_MS)):
                for board in (await self._fresh(key)).boards:
                    self._push(now_ms(), key, board)
        except SQLAlchemyError as error:
            _LOG.warning("the scoresheets of running games were not read: %s", " ".join(str(error).split())[:200])
        while True:
            if not self._due or self._due[0][0] > now_ms():
                self._woken.clear()
                wait = (self._due[0][0] - now_ms()) / 1000 if self._due else None
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._woken.wait()
                continue
            _, key, board = heapq.heappop(self._due)
            while self._due and self._due[0][1:] == (key, board) and self._due[0][0] <= now_ms():
                heapq.heappop(self._due)
            try:
                await self._attach(key, board)
            except (ApiError, CompetitionError, SQLAlchemyError) as error:
                _LOG.info("%s: board %s of round %s has no record: %s", key.event, board, key.round, error)

    async def _attach(self, key: RoundKey, board: int) -> None:
        """Attach the record of a game to its pairing, if it is over, has its result, and is old enough."""
        event = await self._event(key)
        state, sheets = event.state, await self._fresh(key)
        if len(state.rounds) < key.round:
            return
        game = next((one for one in state.rounds[key.round - 1].games if one.board == board), None)
        sheet = None if game is None else sheets.sheet(state, game)
        if game is None or sheet is None or not sheet.over or sheet.objections:
            return
        if game.result is None:
            return  # who types it now would meet a change of the same board
        due = sheets.board_ms(board) + state.event.live.delay * 1000
        if due > now_ms():
            self._push(due, key, board)
            return
        records = sheet.records()
        if game.records == records:
            return
        if game.records and game.records not in {one.records() for one in sheets.stages(state, game) if one.over}:
            return  # an official has attached another one
        asked = {"id": f"live-{key.round}-{board}-{sheet.lines}", "do": "attach", "round": key.round, "board": board}
        officer = Officer(f"live-{key.event}", f"live board {board}", DeskRole.DEPUTY)
        await event.act(officer, event.seq, [asked | {"records": list(records)}])

    async def _event(self, key: RoundKey) -> LiveEvent:
        first = await self._events.find(key.event)
        return await self._events.find(group_address(key.event, first.state, key.group))


class _Delayed(Mapping[int, BoardSheet]):
    """The boards as they were at a moment, each made when it is asked for."""

    def __init__(self, state: EventState, sheets: RoundSheets, until_ms: int) -> None:
        self._state, self._sheets, self._until = state, sheets, until_ms
        self._games = {one.board: one for one in state.rounds[-1].games if one.white and one.black}

    def __getitem__(self, board: int) -> BoardSheet:
        found = self._sheets.delayed(self._state, self._games[board], self._until)
        if found.keeper is None:
            raise KeyError(board)
        return found

    def __iter__(self):  # type: ignore[no-untyped-def]
        return (board for board in self._games if self.get(board) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _key(event: LiveEvent) -> RoundKey:
    return RoundKey(event_of(event.id), event.state.group, len(event.state.rounds))


TheLiveBoards = NamedDependency[LiveBoards]

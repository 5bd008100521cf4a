"""Phones at the tables: whose place a code is, and what is done from there.

The holder of a code has no account and no role. A code is good for one seat of the round that is played, while the
regulations of its group say that results are reported by phone.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, overload

from litestar.di import NamedDependency
from sqlalchemy import Engine

import korgool.competition.actions as do
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.action_requests import result_request
from korgool.app.server.events.event_registry import EventRegistry, is_id
from korgool.app.server.events.live_event import ActionRefusedError, LiveEvent
from korgool.app.server.events.sandbox import PAPER
from korgool.app.server.events.tables.codes import CODE_LETTERS, Seat, TableCodes, TableSide, tidy_code
from korgool.app.server.events.tables.sheet_photos import SheetPhotos
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.storage.database import Storage, known_secret, stored_secret
from korgool.app.words.event_log import table_name
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.competition.result import Result
from korgool.competition.roles import AtTable, Boards, DeskRole
from korgool.competition.tables import TableReport

_KEPT: Final = 50
"""Events whose codes stay in memory."""
_CLEARS_MS: Final = 6 * 3_600_000
"""Time after which photographs are looked at again, whether they are too old."""


@dataclass(frozen=True, slots=True)
class TableSeat:
    """The place of a player whose device holds its code.

    Attributes:
        event: the event, or the group of it.
        seat: where.
        code: by which the device came.
    """

    event: LiveEvent
    seat: Seat
    code: str

    @property
    def state(self) -> EventState:
        """The event as it is known now."""
        return self.event.state

    @property
    def round(self) -> int:
        """The round, which is the last one of its group."""
        return self.seat.round

    @property
    def board(self) -> int:
        """The board."""
        return self.seat.board

    @property
    def side(self) -> TableSide:
        """The colour of the player."""
        return self.seat.side

    @property
    def game(self) -> PairedGame:
        """The game at the board."""
        return self.state.round(self.seat.round).game(self.seat.board)

    @property
    def report(self) -> TableReport | None:
        """The last report from this seat."""
        said = self.state.reports.get((self.seat.round, self.seat.board), ())
        return next((one for one in said if one.side == self.seat.side), None)

    @property
    def address(self) -> str:
        """The path of its page."""
        return f"/events/{self.event.event_id}/table/{self.code}"


class TablePhones:
    """The tables of all events of a site. Its methods are called on the event loop.

    Args:
        storage: the database, with a key for each event.
        events: the events.
        rate_limiter: counts wrong codes and what is reported.

    Attributes:
        photos: the photographs of scoresheets.
    """

    def __init__(self, storage: Storage, events: EventRegistry, rate_limiter: RateLimiter) -> None:
        self.photos = SheetPhotos(storage.engine, storage.lease.fence)
        self._storage = storage
        self._events = events
        self._rate_limiter = rate_limiter
        self._codes: OrderedDict[str, TableCodes] = OrderedDict()
        self._photographed: set[tuple[str, Seat]] = set()
        self._cleared = now_ms()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin: remove photographs that are too old, and go on doing so. It blocks."""
        self.photos.clear_old()
        self._events.listen(self._changed)

    def _changed(self, _: str, __: int) -> None:
        if now_ms() - self._cleared > _CLEARS_MS:
            self._cleared = now_ms()
            task = asyncio.get_running_loop().create_task(self._events.in_thread(self.photos.clear_old))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def title(self, event_id: str) -> str:
        """The name of an event, for the page on which a code is typed.

        Raises:
            ApiError: 404, there is no such event.
        """
        if not is_id(event_id):
            raise ApiError(404, errors.NO_EVENT)
        state = (await self._events.find(event_id)).state
        return state.title or state.event.name

    async def seat(self, event_id: str, code: str, caller: Caller) -> TableSeat:
        """The seat of a code: whoever holds it may report there.

        Args:
            event_id: of the event, without a group.
            code: as it was typed.
            caller: who asks; wrong codes are counted for their address.

        Raises:
            ApiError: 404, there is no such event or no such code; 410, the code is of a round that is over, or results
                are not reported by phone.
            RateLimitError: too many wrong codes came from the same address.
        """
        if not is_id(event_id):
            raise ApiError(404, errors.NO_EVENT)
        event = await self._events.find(event_id)
        typed = tidy_code(code)
        found = await self._find(event, typed) if len(typed) == CODE_LETTERS else None
        if found is None:
            wait = self._rate_limiter.spend("address_table_codes", caller.address)
            if wait:
                raise RateLimitError(errors.MANY_TABLE_CODES, wait)
            raise ApiError(404, errors.NO_TABLE)
        state = found.state
        if not state.event.phones:
            raise ApiError(410, errors.NO_PHONES)
        if found.round != len(state.rounds):
            raise ApiError(410, errors.TABLE_OVER, round=found.round)
        return found

    async def report(self, seat: TableSeat, caller: Caller, command: str, result: Result | None) -> None:
        """Report how the game of a seat has ended, or take an own report back.

        The same report again writes nothing. What is the result already is no refusal.

        Args:
            seat: whose.
            caller: whose device.
            command: the id that the device has given to it.
            result: what they say; None for nothing any more.

        Raises:
            ApiError: 409, another result stands.
            CompetitionError: the event does not allow it.
            RateLimitError: too much was sent from the seat or the address.
        """
        self._count(seat, caller)
        held = seat.game.result
        if held is not None:
            if held == result:
                return
            raise ApiError(409, errors.RESULT_STANDS)
        said = seat.report
        if (None if said is None else said.result) == result and said is not None:
            return
        device = await self._device(seat, caller)
        action = do.Report(seat.round, seat.board, seat.side, result, device)
        try:
            await seat.event.act(_officer(seat, device), seat.event.seq, [result_request(command, "", action)])
        except ActionRefusedError as error:
            if seat.game.result is not None:  # it was entered in this moment
                if seat.game.result == result:
                    return
                raise ApiError(409, errors.RESULT_STANDS) from None
            raise CompetitionError(error.reason) from None

    async def call(self, seat: TableSeat, caller: Caller, command: str, about: str) -> None:
        """Call a referee to the board of a seat, or with an empty reason say that nobody is needed any more.

        Raises:
            CompetitionError: the event does not allow it.
            JsonError: it is no reason.
            RateLimitError: too much was sent from the seat or the address.
        """
        self._count(seat, caller)
        held = seat.state.calls.get((seat.round, seat.board))
        if held is None if not about else held is not None and held.about == about:
            return
        asked: dict[str, object] = {"do": "call", "round": seat.round, "board": seat.board, "id": command}
        asked |= {"about": about} if about else {"state": "done", "about": "" if held is None else held.about}
        device = await self._device(seat, caller)
        await seat.event.act(_officer(seat, device), seat.event.seq, [asked])

    async def photograph(self, seat: TableSeat, caller: Caller, data: bytes) -> None:
        """Keep a picture of a seat's scoresheet for the officials, in place of an earlier one.

        Raises:
            CompetitionError: it is no picture, is damaged, or is too large.
            RateLimitError: too much was sent from the seat or the address, or an earlier one is not read yet.
        """
        self._count(seat, caller)
        id_, game = seat.event.event_id, seat.game
        busy = (id_, seat.seat)
        if busy in self._photographed:
            raise RateLimitError(errors.TOO_MANY_CHANGES, 5.0)
        self._photographed.add(busy)
        try:
            picture = await self._events.sandbox.open(caller, PAPER, data)
            await self._events.in_thread(lambda: self.photos.keep(id_, seat.seat, game, picture))
        finally:
            self._photographed.discard(busy)

    async def photos_of_round(self, event: LiveEvent, round_: int) -> set[tuple[int, str, int]]:
        """The photographs of a round of a group, each as its board, its colour and the id of the player."""
        id_, group = event.event_id, event.state.group
        return await self._events.in_thread(lambda: self.photos.of_round(id_, group, round_))

    async def clear_photos(self, event: LiveEvent) -> None:
        """Remove the photographs of an event and of all its groups."""
        await self._events.in_thread(lambda: self.photos.clear(event.event_id))

    async def photographed(self, seat: TableSeat) -> bool:
        """Return whether there is a photograph of the scoresheet of a seat."""
        return await self._events.in_thread(lambda: self.photos.has(seat.event.event_id, seat.seat, seat.game))

    def _count(self, seat: TableSeat, caller: Caller) -> None:
        """Count what comes from a seat, whoever sends it, and from the network of the hall."""
        own = Caller(caller.address, f"table {seat.event.event_id} {seat.code}")
        wait = self._rate_limiter.spend_both(("session_tables", "address_tables"), own)
        if wait:
            raise RateLimitError(errors.TOO_MANY_CHANGES, wait)

    async def _device(self, seat: TableSeat, caller: Caller) -> str:
        codes = await self._codes_of(seat.event.event_id, _made)
        return codes.device(caller.session or "")

    async def codes(self, event: LiveEvent, boards: Sequence[int]) -> dict[int, tuple[str, str]]:
        """The codes of White and Black at boards of the round that is played, of the first one before that is paired.

        The key from which they follow is made with the first codes of an event.
        """
        codes, state = await self._codes_of(event.event_id, _made), event.state
        number = max(1, len(state.rounds))
        return {
            board: (
                codes.code(Seat(state.group, number, board, "white")),
                codes.code(Seat(state.group, number, board, "black")),
            )
            for board in boards
        }

    async def _find(self, event: LiveEvent, code: str) -> TableSeat | None:
        codes = await self._codes_of(event.event_id, known_secret)
        if codes is None:
            return None
        groups = {one.state.group: one for one in await self._events.groups(event)}
        for group, one in groups.items():
            for played in one.state.rounds:
                codes.learn(group, played.number, len(played.games))
        seat = codes.seat(code)
        if seat is None or seat.group not in groups:
            return None
        found = groups[seat.group]
        rounds = found.state.rounds
        if seat.round > len(rounds) or seat.board > len(rounds[seat.round - 1].games):
            return None
        return TableSeat(found, seat, code)

    @overload
    async def _codes_of(self, event_id: str, key: Callable[[Engine, str], str]) -> TableCodes: ...

    @overload
    async def _codes_of(self, event_id: str, key: Callable[[Engine, str], str | None]) -> TableCodes | None: ...

    async def _codes_of(self, event_id: str, key: Callable[[Engine, str], str | None]) -> TableCodes | None:
        found = self._codes.get(event_id)
        if found is None:
            name = f"tables {event_id}"
            known = await self._events.in_thread(lambda: key(self._storage.engine, name))
            if known is None:
                return None
            found = self._codes.setdefault(event_id, TableCodes(known))
            while len(self._codes) > _KEPT:
                self._codes.popitem(last=False)
        return found


def _officer(seat: TableSeat, device: str) -> AtTable:
    """The players of a board as the log names them."""
    boards = Boards(seat.board, seat.board)
    return AtTable(f"table {device}", table_name(seat.board), DeskRole.SPECTATOR, boards)


def _made(engine: Engine, name: str) -> str:
    return stored_secret(engine, name, lambda: secrets.token_hex(32))


TheTablePhones = NamedDependency[TablePhones]

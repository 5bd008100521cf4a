"""`LiveEvent`: an event on the server, in which several officials act at once."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TypeVar

import korgool.competition.actions as do
from korgool.app.server.core.shielding import outcome_of
from korgool.app.server.events.action_aims import aims
from korgool.app.server.events.action_requests import LOGGED, ActionRequest, AskPair, perform, read_request
from korgool.app.server.events.conflicts import ChangeIndex, says_results, write_disputes
from korgool.app.server.events.lead_repository import Lead, Leader
from korgool.app.server.events.pairing_cache import Arguments, NotComputedError, PairingCache
from korgool.app.server.events.sandbox_child import MOST_LINES
from korgool.app.server.events.stored_book import StaleBookError, StoredBook
from korgool.app.words.event_log import told
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.group_commands import in_group
from korgool.competition.log.group_actions import inner
from korgool.competition.log.replay import lines_about
from korgool.competition.log.takeovers import led_mark
from korgool.competition.log.undo import Part
from korgool.competition.pairing import PairingEngine
from korgool.competition.pairing.gacrux_process import ISOLATED
from korgool.competition.roles import Officer
from korgool.languages import N_

T = TypeVar("T")
_LOOK_SECONDS = 0.5
"""Seconds by which the state may be older than the database, where other processes write to it too."""
_MOST_COMPUTED = 5  # for each that is asked for: the event may change meanwhile
_MOST_STALE = 3
"""Attempts that another process may outrun before this one makes the others wait."""
_TELLS_PARTS = 500
MOST_PLAYERS = 5_000
"""Most players of an event: standings and pages of more take too long."""
TOO_MANY_PLAYERS = N_("an event here has at most {most:,} players")
CHANGED_MEANWHILE = N_("{name} has changed this meanwhile (line {at}): {what}")


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """A line of an event's log for those who look at it.

    Attributes:
        at: its number, which clients know as SEQ.
        time: in UTC: `2026-09-14T10:05:00Z`.
        by: the official.
        reason: why, or empty.
        text: what was done, in English.
        action: the same as the log has it.
        parts: what it changed: `("board", 3, 5)`; see `log.undo.Part`. Empty before the last 500 lines.
        group: the name of its group, empty for the whole event and in an event without groups.
    """

    at: int
    time: str
    by: str
    reason: str
    text: str
    action: do.AnyAction
    parts: tuple[Part, ...] = field(default=())
    group: str = ""


class ActionRefusedError(CompetitionError):
    """An action of a request that is refused; nothing of the request is done.

    Attributes:
        at: its place in the request, from 0.
        reason: why.
        forbidden: whether the role of the official does not have it.
        disputed: whether the log holds as a dispute what the request says against results that stand.
    """

    disputed = False

    def __init__(self, at: int, reason: str, *, alone: bool, forbidden: bool = False) -> None:
        super().__init__(reason if alone else Message("actions[{at}]: {reason}", at=at, reason=reason))
        self.at, self.reason, self.forbidden = at, reason, forbidden


class ConflictError(CompetitionError):
    """Others have changed what an action is about; nothing of the request is done.

    Attributes:
        at: the place of the first such action in the request, from 0.
        seq: the last line of the log.
        met: the last line about the same.
        since: the lines that have come since the request's `after`.
        parts: what both are about.
        disputed: whether the log holds as a dispute what the request says against results that stand.
    """

    disputed = False

    def __init__(self, at: int, seq: int, since: tuple[EnteredLine, ...], parts: frozenset[Part]) -> None:
        met = [line for line in since if parts & set(line.parts)]
        self.met = met[-1]
        super().__init__(CHANGED_MEANWHILE, name=self.met.by, at=self.met.at, what=self.met.text)
        self.at, self.seq, self.since, self.parts = at, seq, since, parts


class LiveEvent:
    """An event, or a group of one. Its methods are called on the event loop, except those that begin with `_`.

    Attributes:
        public: whether anybody may read it, as this process last knew.
        lead: who leads it, as this process last knew.

    Args:
        book: its log.
        executor: where it is read and written.
        pairing: where rounds are paired.
        others: whether other processes may write to it.
        tell: called with each new last line that this process writes.
        confirm: waits, a moment at most, until another machine holds a line too.
        engine: what pairs Swiss rounds.
        address: of a group after the first.
    """

    def __init__(
        self,
        book: StoredBook,
        executor: Executor,
        pairing: Executor,
        *,
        others: bool,
        tell: Callable[[str, int], None],
        confirm: Callable[[str, int], Awaitable[None]] | None = None,
        engine: PairingEngine = ISOLATED,
        address: str = "",
    ) -> None:
        self._book = book
        self._executor = executor
        self._pairing = pairing
        self._others = others
        self._tell = tell
        self._confirm = confirm
        self._engine = engine
        self._using = threading.Lock()
        self._change_index = ChangeIndex()
        self._state = book.state
        self.public = False
        self.lead = Lead()
        self._looked = -float("inf")
        self._looking: asyncio.Task[None] | None = None
        self._address = address or book.id
        self._version: tuple[EventState, str] = (self._state, "0")

    @property
    def id(self) -> str:
        """Its address: the event's id, and of a group after the first also that of the group."""
        return self._address

    @property
    def event_id(self) -> str:
        """The event's id."""
        return self._book.id

    @property
    def leader(self) -> Leader | None:
        """The machine that leads it in place of this one; None where this one does."""
        return self.lead.leader

    @property
    def version(self) -> str:
        """A text that differs with every line of the log that is of this group or of the whole event; after a take-over
        also from what the dead machine wrote under the same number."""
        if self._version[0] is not (state := self._state):
            own = (at for at in range(state.actions, 0, -1) if not _is_elsewhere(state.done[at - 1][0]))
            found = next(own, 0) if state.groups else state.actions
            self._version = (state, f"{found}{led_mark(state)}")
        return self._version[1]

    @property
    def engine(self) -> PairingEngine:
        """Pairing engine of its Swiss rounds; it blocks."""
        return self._engine

    @property
    def state(self) -> EventState:
        """The event as this process last read or wrote it."""
        return self._state

    @property
    def seq(self) -> int:
        """The last line of the log as this process knows it."""
        return self._state.actions

    async def fresh(self, seq: int = 0) -> EventState:
        """The event as it is, half a second old at most, and with the line `seq` if there is such a line."""
        stale = self._others and time.monotonic() - self._looked > _LOOK_SECONDS
        if stale or self._looked < 0 or self.seq < seq:
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._refresh())
            await outcome_of(self._looking)
        return self._state

    def hear(self) -> None:
        """Another process has written: look when somebody asks next."""
        self._looked = -float("inf")

    async def act(self, officer: Officer, after: int, asked: Sequence[object]) -> int:
        """Do actions, all or none.

        Where one is refused, results that differ from those that stand are written to the log as disputes: every
        official sees them, and nothing of them is lost.

        Args:
            officer: who.
            after: the last line that they know of.
            asked: the actions as clients say them, see `action_requests`; those whose id is known are not done again.

        Returns:
            The last line of the log that came of them.

        Raises:
            JsonError: something is not an action.
            ActionRefusedError: one of them is refused.
            ConflictError: others have changed what one of them is about, after `after`.
        """
        actions = await self._in_thread(lambda: [_drawn(one) for one in read_request(list(asked))])
        try:
            return await self._do_all(officer, after, actions)
        except (ActionRefusedError, ConflictError) as error:
            error.disputed = await self._note(officer, after, actions)
            raise

    async def dispute(self, officer: Officer, after: int, asked: Sequence[object]) -> bool:
        """Write to the log as disputes what actions say against results that stand, without doing the actions.

        An official who only types another result over their own, of which they know, disputes nothing.

        Returns:
            Whether the log holds something of that as a dispute, perhaps since the same was asked before.

        Raises:
            JsonError: something is not an action.
        """
        return await self._note(officer, after, await self._in_thread(lambda: read_request(list(asked))))

    async def _do_all(self, officer: Officer, after: int, actions: Sequence[ActionRequest]) -> int:
        for at, one in enumerate(actions):  # before anything is computed
            reason = officer.lacks(LOGGED[one.action.do])
            if reason is not None:
                raise ActionRefusedError(at, reason, alone=len(actions) == 1, forbidden=True)
        engine = PairingCache(self._engine)
        for _ in range(_MOST_COMPUTED * max(1, sum(one.action.do == "pair" for one in actions))):
            try:
                seq = await self._in_thread(
                    lambda: self._patiently(lambda: self._write(officer, after, actions, engine))
                )
            except NotComputedError as missing:
                await self._compute(engine, missing.asked, actions)
            else:
                self._tell(self.event_id, seq)
                if self._confirm is not None:
                    await self._confirm(self.event_id, seq)
                return seq
        raise ActionRefusedError(
            0, Message(N_("the event changes while it is paired; look again and repeat")), alone=True
        )

    async def _note(self, officer: Officer, after: int, actions: Sequence[ActionRequest]) -> bool:
        if not says_results(actions):
            return False
        seq = self.seq
        found = await self._in_thread(lambda: self._patiently(lambda: self._write_disputes(officer, after, actions)))
        if self.seq != seq:
            self._tell(self.event_id, self.seq)
        return found

    async def said_by(self, state: EventState, number: int, boards: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Officials behind the results of disputed games: first of the entered result, then of each dispute.

        A name is empty where it is not known.
        """
        about = {board: lines_about(state, number, board) for board in boards if (number, board) in state.disputes}
        lines = {at for ats in about.values() for at in ats if at}
        if not lines:
            return {board: ("",) * len(ats) for board, ats in about.items()}
        first = min(lines)
        by = await self.with_book(lambda book: {line.at: line.by for line in book.log_after(first - 1)})
        return {board: tuple(by.get(at, "") for at in ats) for board, ats in about.items()}

    async def log(self, after: int = 0) -> tuple[EnteredLine, ...]:
        """The lines of the log after a number."""
        return await self._in_thread(lambda: self._entered(after))

    async def with_book(self, work: Callable[[StoredBook], T]) -> T:
        """Do something with the log that takes time: `work` runs in a thread, and nobody else uses the book there."""
        seq = self.seq
        found = await self._in_thread(lambda: self._work(work))
        if self.seq != seq:
            self._tell(self.event_id, self.seq)
        return found

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def _refresh(self) -> None:
        began = time.monotonic()
        await self._in_thread(self._read)
        self._looked = began

    def _read(self) -> None:
        with self._using:
            self._state = self._book.refresh()
            self.public = self._book.is_public()
            self.lead = self._book.lead()

    def _work(self, work: Callable[[StoredBook], T]) -> T:
        with self._using:
            self._book.patient = True  # what it writes need not be repeated
            try:
                return work(self._book)
            finally:
                self._book.patient = False
                self._state = self._book.state

    async def _compute(self, engine: PairingCache, asked: Arguments, actions: Sequence[ActionRequest]) -> None:
        """Compute a pairing while others act."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._pairing, engine.compute, asked)
        except CompetitionError as error:
            at = next((at for at, one in enumerate(actions) if one.action.do == do.Pair.do), 0)
            raise ActionRefusedError(at, error.message, alone=len(actions) == 1) from None

    def _patiently(self, write: Callable[[], T]) -> T:
        """Write, again if another process was quicker, and at last so that it waits."""
        with self._using:
            for _ in range(_MOST_STALE):
                try:
                    return write()
                except StaleBookError:
                    continue
            self._book.patient = True
            try:
                return write()
            finally:
                self._book.patient = False

    def _write(self, officer: Officer, after: int, asked: Sequence[ActionRequest], engine: PairingEngine) -> int:
        book = self._book
        book.who = officer.who
        began = book.state.actions
        try:
            with book.together():
                self._change_index.note(book.state, book.refresh())
                began = book.state.actions
                known = book.known(one.id for one in asked)
                if known and all(one.id in known for one in asked):
                    return max(known.values())
                if not 0 < after <= began:
                    raise CompetitionError(
                        N_("after is a line of the log, 1 to {last}, not {after}"), last=began, after=after
                    )
                if began + len(asked) > MOST_LINES:
                    raise CompetitionError(N_("the log of an event has at most {most:,} lines"), most=MOST_LINES)
                alone_new = all(one.action.do == do.Enter.do for one in asked)  # which is about nothing that is there
                changes: dict[int, tuple[ChangeIndex, dict[int, frozenset[Part]]]] = {}
                before = book.state
                for at, one in enumerate(asked):
                    if one.id not in known or not one.id:
                        with self._turned(at, one, alone=len(asked) == 1):
                            group = book.state.group
                            if group not in changes:
                                index = self._change_index if group == before.group else ChangeIndex()
                                since = {} if alone_new or after == began else index.since(after, book.state)
                                changes[group] = index, {line: since[line] for line in since if line <= began}
                            self._do(officer, at, one, engine, *changes[group], alone=len(asked) == 1)
                if len(changes) > 1 and book.state.group == before.group:
                    self._change_index.note(before, book.state)
                if len(book.state.people) > MOST_PLAYERS:
                    raise CompetitionError(TOO_MANY_PLAYERS, most=MOST_PLAYERS)
            return book.state.actions
        except BaseException:
            self._change_index.forget(began)
            raise
        finally:
            book.command = ""
            self._change_index.trim()
            self._state = book.state

    def _turned(self, at: int, asked: ActionRequest, *, alone: bool) -> AbstractContextManager[object]:
        """Turn the book to the group that an action names; raises ActionRefusedError if there is none."""
        try:
            group = self._book.state.group_named(asked.group) if asked.group else self._book.state.group
        except CompetitionError as error:
            raise ActionRefusedError(at, error.message, alone=alone) from None
        return nullcontext() if group == self._book.state.group else in_group(self._book, group)

    def _write_disputes(self, officer: Officer, after: int, actions: Sequence[ActionRequest]) -> bool:
        book = self._book
        book.who = officer.who
        began = book.state.actions
        try:
            with book.together():
                self._change_index.note(book.state, book.refresh())
                before = book.state
                began = before.actions
                held = write_disputes(book, officer, after, actions)
                self._change_index.note(before, book.state)
            return held
        except BaseException:
            self._change_index.forget(began)
            raise
        finally:
            self._change_index.trim()
            self._state = book.state

    def _do(
        self,
        officer: Officer,
        at: int,
        one: ActionRequest,
        engine: PairingEngine,
        index: ChangeIndex,
        since: dict[int, frozenset[Part]],
        *,
        alone: bool,
    ) -> None:
        """Do one action of several, unless others have changed what it is about."""
        book = self._book
        before, meets = book.state, aims(one.action, book.state)
        self._check(at, meets, since)
        book.command = one.id
        try:
            perform(book, one, by=officer.name, engine=engine)
        except CompetitionError as error:
            raise ActionRefusedError(at, error.message, alone=alone) from error
        if one.action.do not in (do.Enter.do, do.Dispute.do, do.Report.do, do.Call.do):
            self._check(at, index.note(before, book.state), since)
        for number in range(before.actions, book.state.actions):
            action = inner(book.state.done[number][0])
            if isinstance(action, do.Forget) and one.action.do == do.Undo.do:
                continue  # what goes with an entry that is taken back
            if (reason := officer.refusal(action, before)) is not None:
                raise ActionRefusedError(at, reason, alone=alone, forbidden=True)

    def _check(self, at: int, parts: frozenset[Part], since: dict[int, frozenset[Part]]) -> None:
        """Refuse what touches the same as something since; what players say at a table keeps nobody from anything.

        Raises:
            ConflictError: with what has happened.
        """
        met = frozenset(part for changed in since.values() for part in changed if part[0] != "table") & parts
        if met:
            last = max(since)
            lines = self._entered(min(since) - 1, since, locked=True)
            raise ConflictError(at, last, tuple(line for line in lines if line.at <= last), met)

    def _entered(
        self, after: int, parts: dict[int, frozenset[Part]] | None = None, *, locked: bool = False
    ) -> tuple[EnteredLine, ...]:
        if not locked:
            with self._using:
                before = self._book.state
                self._state = self._book.refresh()
                self._change_index.note(before, self._state)
                return self._entered(after, parts, locked=True)
        book = self._book
        first = max(after, 0, book.state.actions - _TELLS_PARTS)
        found = parts if parts is not None else self._change_index.since(first, book.state)
        return tuple(
            EnteredLine(
                line.at,
                line.time,
                line.by,
                line.reason,
                told(book.state, line.action),
                line.action,
                tuple(sorted(found.get(line.at, ()))),
                book.state.groups.get(book.group_of_line(line.at), ""),
            )
            for line in book.log_after(max(after, 0))
        )


def _is_elsewhere(action: do.AnyAction) -> bool:
    """Return whether an action is of another group and changes nothing here; who somebody is changes everywhere."""
    return isinstance(action, do.InGroup) and not isinstance(action.action, do.Amend | do.SetPhoto)


def _drawn(asked: ActionRequest) -> ActionRequest:
    """The action with a lot where it needs one: it may be tried several times, and the lot is drawn once."""
    action = asked.action
    if isinstance(action, AskPair) and action.lot is None:
        return replace(asked, action=replace(action, lot=secrets.token_hex(8)))
    return asked

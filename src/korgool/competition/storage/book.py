"""`Book`: the log of an event, to which lines are only added, with the personal data apart, wherever both are kept.

When `Book.do` returns, its lines are where they are kept for good. Every line carries a hash of itself and of all lines
before it. `EventFile` keeps a book in a file, and a server keeps books in its database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from korgool.competition.actions import ANY_ACTION, AnyAction, Forget, Logged
from korgool.competition.codec import JsonError, from_json, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.replay import go_on, replay
from korgool.competition.model import Personal
from korgool.competition.storage.hash_chain import Head, link


def utc_now() -> datetime:
    """The present time."""
    return datetime.now(UTC)


class Line(NamedTuple):
    """A line of a log as it is kept; see `actions.Logged`.

    Attributes:
        action: the action as JSON.
        chain: the hash of this line and of all lines before it.
    """

    at: int
    time: str
    by: str
    reason: str
    action: str
    chain: str


class Book(ABC):
    """An event in one place. One thread uses an object at a time; several may use the same place.

    The methods of a place are at the end. Each of them, and each block of `together`, may raise CompetitionError if the
    place cannot be read or written.
    """

    def __init__(self, now: Callable[[], datetime] = utc_now) -> None:
        self._now = now
        self._state = EventState()
        self._chain = ""

    @property
    def state(self) -> EventState:
        """The event as this object last read or wrote it."""
        return self._state

    def refresh(self) -> EventState:
        """Read the lines that others have written since."""
        lines = self._lines(self._state.actions)
        if lines:
            self._state = go_on(self._state, [(read_action(line.at, line.action), line.reason) for line in lines])
            self._chain = lines[-1].chain
        return self._state

    def do(
        self, *actions: AnyAction | tuple[AnyAction, str], by: str, reason: str = "", after: EventState | None = None
    ) -> EventState:
        """Apply actions and write them to the log, all or none; they are kept when this returns.

        Args:
            actions: in order, each alone or with a reason of its own.
            by: the official.
            reason: for the actions without one of their own.
            after: the state that the actions are based on; if others have written since, nothing is done.

        Raises:
            CompetitionError: an action is refused, others have written since, or the place cannot be written. Nothing
                is changed then.
        """
        if not by.strip():
            raise CompetitionError("say which official does it")
        time = self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        with self.together():
            self.refresh()
            if after is not None and after.actions != self._state.actions:
                raise CompetitionError("another official has changed the event meanwhile; look again and repeat")
            for_these = ((given if isinstance(given, tuple) else (given, reason)) for given in actions)
            return self._add((time, by, why, action) for action, why in for_these)

    def copy(self, lines: Iterable[Logged]) -> EventState:
        """Add lines that were written in another place, with their times, officials and reasons, all or none.

        Raises:
            CompetitionError: an action is refused, or the place cannot be written. Nothing is changed then.
        """
        with self.together():
            self.refresh()
            return self._add((line.time, line.by, line.reason, line.action) for line in lines)

    def _add(self, given: Iterable[tuple[str, str, str, AnyAction]]) -> EventState:
        state, chain, lines = self._state, self._chain, []
        for time, by, reason, action in given:
            state = apply(state, action, reason=reason)
            text = to_json(action)
            chain = link(chain, time, by, reason, text)
            lines.append(Line(state.actions, time, by, reason, text, chain))
        self._append(lines)
        self._state, self._chain = state, chain
        return state

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction: the block is written completely or not at all, and nobody else writes meanwhile. It nests.

        Raises:
            CompetitionError: another official holds the event too long, or it cannot be written. Nothing is changed
            then.
        """
        if self._in_transaction():
            yield
            return
        before = self._state, self._chain
        try:
            with self._transaction():
                yield
        except BaseException:
            self._state, self._chain = before
            raise

    def head(self, at: int | None = None) -> Head:
        """The head of the chain after a line of the log, by default the last one that this object has read or written.

        Raises:
            CompetitionError: there is no such line.
        """
        at = self._state.actions if at is None else at
        for line in self._lines(at - 1)[:1] if at > 0 else ():
            return Head.of(at, line.chain)
        raise CompetitionError(f"the log has {self._state.actions} lines, there is no line {at}")

    def log(self) -> tuple[Logged, ...]:
        """Every line of the log."""
        return tuple(
            Logged(line.at, line.time, line.by, line.reason, read_action(line.at, line.action))
            for line in self._lines(0)
        )

    def state_at(self, at: int) -> EventState:
        """The event as it stood after the first `at` lines of the log."""
        return replay([(line.action, line.reason) for line in self.log()[: max(at, 0)]])

    def broken_links(self) -> tuple[int, ...]:
        """Lines of the log whose hash does not fit: they were changed after they were written."""
        chain, broken = "", []
        for place, line in enumerate(self._lines(0), 1):
            if line.at != place or link(chain, line.time, line.by, line.reason, line.action) != line.chain:
                broken.append(line.at)
            chain = line.chain
        return tuple(broken)

    def personal(self, player: int) -> Personal | None:
        """The personal data of a player, by id, or None."""
        text = self._personal(player)
        return None if text is None else from_json(text, Personal)

    def set_personal(self, player: int, data: Personal) -> None:
        """Store the personal data of a player, by id, in place of the earlier."""
        with self.together():
            if player not in self.refresh().players:
                raise CompetitionError(f"there is no player with the id {player}")
            self._put_personal(player, to_json(data))

    def remove_personal(self, player: int | None = None, *, by: str, reason: str = "") -> int:
        """Remove the personal data of a player, by id, or of all players, and overwrite it where it is kept.

        The log keeps who removed it when, and of which players. If there is none, nothing is logged.

        Returns:
            The number of players whose data was removed.
        """
        with self.together():
            held = tuple(id_ for id_ in self._personal_of() if player in (None, id_))
            if held:
                self.do(Forget(held), by=by, reason=reason)
                self._drop_personal(held)
        return len(held)

    @abstractmethod
    def _lines(self, after: int) -> Sequence[Line]:
        """The lines of the log after a number, in order."""

    @abstractmethod
    def _append(self, lines: Sequence[Line]) -> None:
        """Add lines to the log, in a transaction."""

    @abstractmethod
    def _in_transaction(self) -> bool:
        """Whether this object is in a transaction."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[None]:
        """A transaction that is written when the block ends without an error, and in which nobody else writes."""

    @abstractmethod
    def _personal(self, player: int) -> str | None:
        """The personal data of a player, as JSON."""

    @abstractmethod
    def _personal_of(self) -> Sequence[int]:
        """The players who have personal data, by id."""

    @abstractmethod
    def _put_personal(self, player: int, text: str) -> None:
        """Keep the personal data of a player in place of the earlier, in a transaction."""

    @abstractmethod
    def _drop_personal(self, players: Iterable[int]) -> None:
        """Remove the personal data of players for good, in a transaction."""


def read_action(at: int, text: str) -> AnyAction:
    """The action in a line of the log; raises CompetitionError if the text is not one."""
    try:
        return from_json(text, ANY_ACTION)
    except JsonError as error:
        raise CompetitionError(f"line {at} of the log cannot be read: {error}") from error

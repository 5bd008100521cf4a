"""`Book`: the log of an event, to which lines are only added, with the personal data apart, wherever both are kept.

When `Book.do` returns, its lines are where they are kept for good. Every line carries a hash of itself and of all lines
before it. What it tells of people is kept beside it, as its details, and can be removed (`storage.sealing`).
`EventFile` keeps a book in a file, and a server keeps books in its database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NoReturn

from korgool.competition.actions import WHOLE_EVENT, AnyAction, Forget, InGroup, Logged, SetPhoto, Undo
from korgool.competition.codec import from_json, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import Done, EventState
from korgool.competition.log.group_actions import FIRST, inner, seen
from korgool.competition.log.group_views import GroupViews
from korgool.competition.log.replay import replay
from korgool.competition.model import Personal
from korgool.competition.photographs import digest, photograph, picture
from korgool.competition.storage.hash_chain import Head
from korgool.competition.storage.line import Line, broken_links
from korgool.competition.storage.removal import known, stripped, unexplained
from korgool.competition.storage.sealing import Sealed, seal
from korgool.languages import N_


def utc_now() -> datetime:
    """Present time in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class WholeLog:
    """Lines of a log, and the event after them, with all its groups."""

    lines: list[Line]
    views: GroupViews

    @property
    def state(self) -> EventState:
        """The event, of several groups the first one."""
        return self.views.state(self.views.groups()[0])


def whole_log(lines: Iterable[Line]) -> WholeLog:
    """Sealed lines that were written in another place, from the first on, as they are; their hashes are made anew.

    They are the same hashes after the same lines. It needs no place, so no writer waits while a long log is replayed.

    Raises:
        CompetitionError: an action is refused.
    """
    views = GroupViews()
    given = ((line.time, line.by, line.done(), Sealed(line.action, line.details)) for line in lines)
    log = WholeLog(_continued(views, "", given), views)
    views.check()
    return log


def _continued(views: GroupViews, chain: str, given: Iterable[tuple[str, str, Done, Sealed]]) -> list[Line]:
    """The lines that come of actions after a log, which are added to it."""
    added: list[Line] = []
    for time, by, (action, reason), sealed in given:
        added.append(Line.after(len(views), chain, time, by, *sealed))
        views.add(action, reason)
        chain = added[-1].chain
    return added


class Book(ABC):
    """An event in one place. One thread uses an object at a time; several may use the same place.

    The methods of a place are at the end. Each of them, and each block of `together`, may raise CompetitionError if the
    place cannot be read or written.
    """

    def __init__(self, now: Callable[[], datetime] = utc_now, group: int = FIRST) -> None:
        self._now = now
        self._views = GroupViews()
        self._group = group
        self._state = EventState()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an open event is not copied or pickled: its `state` is a value; or open the event again")

    @property
    def state(self) -> EventState:
        """The event as this object last read or wrote it; of several groups the one that it is turned to."""
        return self._state

    def turn_to(self, group: int) -> EventState:
        """From now on be the book of a group, by its id: `state` is its state, and what is done is done in it.

        A book begins with the first group. The log is the same for all of them.

        Raises:
            CompetitionError: there is no such group.
        """
        if group not in self._views.groups():
            raise CompetitionError(N_("there is no group with the id {id}"), id=group)
        self._group = group
        self._state = self._views.state(group)
        return self._state

    def _look(self) -> EventState:
        """The state after the whole log; of the first group, where the one that was looked at is gone."""
        if self._group not in (groups := self._views.groups()):
            self._group = groups[0]
        self._state = self._views.state(self._group)
        return self._state

    def refresh(self) -> EventState:
        """Read the lines that others have written since."""
        done = [line.done() for line in self._lines(len(self._views))]
        if len(self._views) and any(isinstance(action, Forget) and action.names for action, _ in done):
            return self._read_again()  # earlier lines have lost what was removed
        if done:
            self._views.read(done)
            self._look()
        return self._state

    def _read_again(self) -> EventState:
        self._views = GroupViews(line.done() for line in self._lines(0))
        return self._look()

    def do(
        self, *actions: AnyAction | tuple[AnyAction, str], by: str, reason: str = "", after: EventState | None = None
    ) -> EventState:
        """Apply actions and write them to the log, all or none; they are kept when this returns.

        Args:
            actions: in order, each alone or with a reason of its own; of the group that the book is turned to, or
                `InGroup`.
            by: the official.
            reason: for the actions without one of their own.
            after: the state that the actions are based on; if others have written since, nothing is done.

        Raises:
            CompetitionError: an action is refused, others have written since, or the place cannot be written. Nothing
                is changed then.
        """
        if not by.strip():
            raise CompetitionError(N_("say which official does it"))
        time = self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        with self.together():
            self.refresh()
            if after is not None and after.actions != self._state.actions:
                raise CompetitionError(N_("another official has changed the event meanwhile; look again and repeat"))
            done = (given if isinstance(given, tuple) else (given, reason) for given in actions)
            placed = ((self._placed(action), why) for action, why in done)
            return self._add((time, by, (action, why), seal(action, why)) for action, why in placed)

    def _placed(self, action: AnyAction) -> AnyAction:
        """An action as the log holds it: it names its group unless that is the first."""
        group = action.group if isinstance(action, InGroup) else self._group
        action = inner(action)
        if group == FIRST or isinstance(action, WHOLE_EVENT):
            return action
        return InGroup(group, action)  # type: ignore[return-value]

    def copy(self, log: WholeLog) -> EventState:
        """Write a log that was written in another place into this one, which is empty, all or nothing.

        Raises:
            CompetitionError: there is an event already, or the place cannot be written. Nothing is changed then.
        """
        with self.together():
            if self.refresh().actions:
                raise CompetitionError("there is an event already")
            self._append(log.lines)
            self._views = log.views
            self._look()
        return self._state

    def take(self, lines: Sequence[Line]) -> EventState:
        """Add lines that another place has written after those that are here, as they are, all or none.

        What a line removes is removed here too.

        Raises:
            CompetitionError: a line does not follow, was changed, or is refused; nothing is changed then.
        """
        with self.together():
            self.refresh()
            held = self._lines(len(self._views) - 1) if len(self._views) else ()
            chain = held[-1].chain if held else ""
            for line in lines:
                if line.at != len(self._views) + 1 or not line.follows(chain):
                    raise CompetitionError(
                        N_("line {at} of the log does not follow from those that are here: it was changed, or cut"),
                        at=line.at,
                    )
                action, reason = line.done()
                self._views.add(action, reason)
                self._append((line,))
                chain = line.chain
                self._look()
                if isinstance(action, Forget):
                    self._drop_personal(set(self._personal_of()).intersection(action.players))
                    if action.names:
                        self._put_details(self._stripped(action.players))
                        self._read_again()
        return self._state

    def _add(self, given: Iterable[tuple[str, str, Done, Sealed]]) -> EventState:
        lines = self._lines(len(self._views) - 1) if len(self._views) else ()
        mark = self._views.mark()
        try:
            added = _continued(self._views, lines[-1].chain if lines else "", given)
            self._append(added)
        except BaseException:
            self._views.go_back(mark)
            raise
        return self._look()

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction: the block is written completely or not at all, and others cannot write meanwhile. It nests.

        Raises:
            CompetitionError: another official holds the event too long, or it cannot be written. Nothing is changed.
        """
        if self._in_transaction():
            yield
            return
        before = (self._state, self._group, self._views, self._views.mark())
        try:
            with self._transaction():
                yield
        except BaseException:
            self._state, self._group, self._views, mark = before
            self._views.go_back(mark)
            raise

    def head(self, at: int | None = None) -> Head:
        """The head of the chain after a line of the log, by default the last one that this object has read or written.

        Raises:
            CompetitionError: there is no such line.
        """
        return self.heads(at)[0]

    def heads(self, at: int | None = None) -> tuple[Head, ...]:
        """The head after a line, and the one that it had before a file of format 1 was migrated; raises as `head`."""
        at = self._state.actions if at is None else at
        for line in self._lines(at - 1)[:1] if at > 0 else ():
            return tuple(Head.of(at, chain) for chain in (line.chain, line.old_chain()) if chain)
        raise CompetitionError(
            N_("the log has {actions} lines, there is no line {at}"), actions=self._state.actions, at=at
        )

    def lines(self) -> Sequence[Line]:
        """Every line of the log as it is kept."""
        return self._lines(0)

    def log(self) -> tuple[Logged, ...]:
        """Every line of the log; what is of another group than the one that the book is turned to is `InGroup`."""
        return tuple(self.as_seen(line.logged()) for line in self._lines(0))

    def as_seen(self, line: Logged) -> Logged:
        """A line as the log holds it, as the group sees it that the book is turned to."""
        action, _ = seen((line.action, line.reason), self._group)
        return line if action is line.action else replace(line, action=action)

    def group_of_line(self, at: int) -> int:
        """The id of the group that a line of the log is of; 0 where it is of the whole event, or there is none.

        An undo is of the group of what it takes back.
        """
        lines = self._state.done
        while 1 <= at <= len(lines) and isinstance(undone := lines[at - 1][0], Undo):
            at = undone.line
        if not 1 <= at <= len(lines):
            return 0
        action = lines[at - 1][0]
        if isinstance(action, InGroup):
            return action.group
        return 0 if isinstance(action, WHOLE_EVENT) else self._group

    def state_at(self, at: int) -> EventState:
        """The event, or the group that the book is turned to, as it stood after the first `at` lines of the log."""
        return replay([(line.action, line.reason) for line in self.log()[: max(at, 0)]], self._state.blank)

    def broken_links(self) -> tuple[int, ...]:
        """Lines of the log that were changed after they were written; see `line.broken_links`."""
        return broken_links(self._lines(0))

    def lost_details(self) -> tuple[int, ...]:
        """Lines of the log of which details, such as names or reasons, are missing although no removal is logged."""
        lines = self._lines(0)
        return unexplained(lines, [line.done() for line in lines])

    def personal(self, player: int) -> Personal | None:
        """The personal data of a player, by id, or None."""
        text = self._personal(player)
        return None if text is None else from_json(text, Personal)

    def set_personal(self, player: int, data: Personal) -> None:
        """Store the personal data of a player, by id, in place of the earlier; the photograph stays (`set_photo`)."""
        with self.together():
            self._check_player(player)
            held = self.personal(player)
            photo = None if held is None else held.photo
            if data.photo is not None and data.photo != photo:
                raise CompetitionError("a photograph is stored by an action of its own")
            self._put_personal(player, to_json(replace(data, photo=photo)))

    def copy_personal(self, player: int, data: Personal) -> None:
        """Store the personal data of a player, by id, as another place held it after the same log.

        Raises:
            CompetitionError: there is no such player, or the photograph is not valid, or not that of the log.
        """
        with self.together():
            self._check_player(player)
            if data.photo is not None:
                picture(data.photo)
                if digest(data.photo) != self._state.people[player].photo:
                    raise CompetitionError(f"the photograph of the player with the id {player} was changed")
            self._put_personal(player, to_json(data))

    def photo(self, player: int) -> bytes | None:
        """The photograph of a player, by id, if there is one and it is that of the log."""
        held, data = self._state.people.get(player), self.personal(player)
        if held is None or data is None or data.photo is None or digest(data.photo) != held.photo:
            return None
        return picture(data.photo)

    def set_photo(self, player: int, jpeg: bytes | None, *, by: str, reason: str = "") -> EventState:
        """Store the photograph of a player, by id, in place of the earlier, or with None remove it for good.

        The log keeps that it was done, and of the photograph a salted digest.

        Raises:
            CompetitionError: there is no such player, they have a short name or none, the regulations show no
                photographs, or it is not one as `photographs.check_picture` wants it.
        """
        with self.together():
            held = self.refresh().people.get(player)
            if jpeg is not None and held is not None and (held.entry.short or held.entry.removed):
                # `apply` cannot refuse this: in a log that is replayed a name is removed from its first line on.
                raise CompetitionError(N_("{name}: a player with a short or removed name has no photo"), name=held.name)
            photo = None if jpeg is None else photograph(jpeg)
            state = self.do(SetPhoto(player, "" if photo is None else digest(photo)), by=by, reason=reason)
            before = self.personal(player)
            after = replace(before or Personal(), photo=photo)
            if before is not None:  # overwritten where it is kept, as far as it is not kept again
                self._drop_personal((player,))
            if after != Personal():
                self._put_personal(player, to_json(after))
        return state

    def _check_player(self, player: int) -> None:
        if player not in self.refresh().people:
            raise CompetitionError(N_("there is no player with the id {player}"), player=player)

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

    def forget(self, player: int | None = None, *, by: str, reason: str = "") -> int:
        """Remove the name of a player, by id, or of all players, and all else that is not public, for good.

        Entries, personal data, and reasons, captains, borrowers of forms and records that are about them or mention
        them are overwritten where they are kept (`storage.removal`). The players, their results and the chain of hashes
        stay. The log keeps who removed it when, and of which players. If there is nothing to remove, nothing is logged.

        Returns:
            The number of players who were forgotten.

        Raises:
            CompetitionError: there is no such player.
        """
        with self.together():
            self.refresh()
            everybody = known(self._state.done)
            if player is not None and player not in everybody:
                raise CompetitionError(N_("there is no player with the id {player}"), player=player)
            chosen = tuple(everybody) if player is None else (player,)
            held = set(self._personal_of()).intersection(chosen)
            if not (held or self._stripped(chosen)):
                return 0
            self.do(Forget(chosen, names=True), by=by, reason=reason)
            self._put_details(self._stripped(chosen))
            self._drop_personal(held)
            self._read_again()
        return len(chosen)

    def _stripped(self, players: tuple[int, ...]) -> dict[int, str]:
        return stripped(self._lines(0), self._state.done, players)

    @abstractmethod
    def _lines(self, after: int) -> Sequence[Line]:
        """The lines of the log after a number, in order, with their details."""

    @abstractmethod
    def _append(self, lines: Sequence[Line]) -> None:
        """Add lines and their details to the log, in a transaction."""

    @abstractmethod
    def _put_details(self, details: Mapping[int, str]) -> None:
        """Keep other details of lines, by number, in place of theirs, which are lost for good; in a transaction.

        An empty text stands for none.
        """

    @abstractmethod
    def _in_transaction(self) -> bool:
        """True if this object is in a transaction."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[None]:
        """Transaction that is written when the block ends without an error, and in which others cannot write."""

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

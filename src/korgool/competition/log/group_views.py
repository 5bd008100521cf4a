"""`GroupViews`: one log and the state of each of its groups, computed where it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import korgool.competition.actions as do
from korgool.competition.event_state import Done, EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.group_actions import FIRST, group_of, inner, seen
from korgool.competition.log.replay import go_on

Mark = tuple[int, Mapping[int, EventState]]
"""A moment to which views can go back."""
_OF_PEOPLE = (do.Enter, do.Amend, do.Join)


class GroupViews:
    """The log of an event, and its groups, each as its own state after the whole log.

    An action is applied in the groups that it concerns. The others read its line when somebody asks for them, so that
    work in one group costs nothing in the others.
    """

    def __init__(self, log: Iterable[Done] = ()) -> None:
        self._log: list[Done] = list(log)
        self._states: dict[int, EventState] = {}

    def __len__(self) -> int:
        return len(self._log)

    def state(self, group: int = FIRST) -> EventState:
        """The event as a group sees it, after the whole log; raises LineError if a line of it is refused."""
        held = self._states.get(group) or EventState(group=group)
        if held.actions < len(self._log):
            held = go_on(held, [seen(done, group) for done in self._log[held.actions :]])
            self._states[group] = held
        return held

    def groups(self) -> tuple[int, ...]:
        """The ids of the groups, the first one first; of an event without groups 1."""
        return tuple(self.state(FIRST).groups) or (FIRST,)

    def read(self, lines: Iterable[Done]) -> None:
        """Add lines that are known to be allowed, as the log holds them."""
        self._log += lines

    def add(self, action: do.AnyAction, reason: str = "") -> None:
        """Add a line, as the log holds it.

        Raises:
            CompetitionError: it is refused. Nothing is changed.
        """
        after = {
            group: apply(self.state(group), *seen((action, ""), group)[:1], reason=reason)
            for group in self._concerned(action)
        }
        self._log.append((action, reason))
        self._states |= after

    def mark(self) -> Mark:
        """This moment, for `go_back`."""
        return len(self._log), dict(self._states)

    def go_back(self, mark: Mark) -> None:
        """Forget what has come since a moment."""
        length, states = mark
        del self._log[length:]
        self._states = dict(states)

    def check(self) -> None:
        """Replay the whole log as every group sees it; raises LineError for a line that is refused in one."""
        for group in self.groups():
            self.state(group)

    def _concerned(self, action: do.AnyAction) -> tuple[int, ...]:
        """The groups in which an action may be refused: first its own."""
        if isinstance(action, do.AddGroup):
            return tuple(dict.fromkeys((FIRST, self.state(FIRST).fresh_id("groups"))))
        if isinstance(action, do.Undo):
            if not 1 <= action.line <= len(self._log):
                return (FIRST,)
            target = self._log[action.line - 1][0]
            if group_of(target) and not isinstance(inner(target), (do.Undo, *_OF_PEOPLE)):
                return (group_of(target),)
            own = (group_of(target),) if group_of(target) else ()
            return tuple(dict.fromkeys((*own, *self.groups(), FIRST)))
        own_group = group_of(action) or FIRST
        if isinstance(inner(action), do.Amend):
            return tuple(dict.fromkeys((own_group, *self.groups())))
        return (own_group,)

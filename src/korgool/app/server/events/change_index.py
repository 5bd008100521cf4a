"""What each line of an event's log has changed, kept for the last lines, so that officials who act at once are told."""

from __future__ import annotations

import korgool.competition.actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.replay import go_on, replay
from korgool.competition.log.undo import Part, touched

_MOST = 2_000
"""Lines that are kept; of earlier ones it is found out again."""


def changes(action: do.AnyAction, before: EventState, after: EventState) -> frozenset[Part]:
    """The parts of an event that an action has changed; pairing numbers are one part and not one of each player."""
    return frozenset({("numbers", 0, 0)}) if isinstance(action, do.Seed) else touched(before, after)


class ChangeIndex:
    """The parts that the last lines of a log have changed. One thread uses an object at a time."""

    def __init__(self) -> None:
        self._parts: dict[int, frozenset[Part]] = {}

    def note(self, before: EventState, after: EventState) -> frozenset[Part]:
        """The parts that the lines between two states of a log have changed, all together."""
        found: set[Part] = set()
        for at in range(before.actions + 1, after.actions + 1):
            action, reason = after.done[at - 1]
            then = after if at == after.actions else go_on(before, [(action, reason)])
            self._parts[at] = changes(action, before, then)
            found |= self._parts[at]
            before = then
        return frozenset(found)

    def trim(self) -> None:
        """Keep the last lines only."""
        for at in sorted(self._parts)[: max(0, len(self._parts) - _MOST)]:
            del self._parts[at]

    def forget(self, after: int) -> None:
        """Forget the lines after a number, which were not written."""
        for at in [at for at in self._parts if at > after]:
            del self._parts[at]

    def since(self, after: int, state: EventState) -> dict[int, frozenset[Part]]:
        """The parts of each line after a number, up to the present state."""
        wanted = range(after + 1, state.actions + 1)
        missing = [at for at in wanted if at not in self._parts]
        if missing:
            found = ChangeIndex()
            found.note(replay(state.done[: missing[0] - 1]), state)
            self._parts |= found._parts
        return {at: self._parts[at] for at in wanted}

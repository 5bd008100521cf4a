"""A fair queue: lanes by weight, within a lane every address alike, within an address every session alike.

Start-time fair queueing: each lane, address and session has a virtual time that advances by what it was served, and the
one that is furthest behind comes next. One that asks for nothing for a while neither gains nor loses: its time resumes
where the others are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from korgool.app.server.limits.caller import Caller

T = TypeVar("T")
_KEPT = 1000
"""The most keys kept in one node before those with nothing waiting and nothing owed are forgotten."""


@dataclass(slots=True)
class _Node(Generic[T]):
    """A lane, an address or a session: its virtual time, and what waits below it."""

    weight: float = 1.0
    served: float = 0.0
    """Its virtual time: what it has been served, divided by its weight."""
    reached: float = 0.0
    """The virtual time of the child that was served last."""
    waiting: int = 0
    children: dict[Hashable, _Node[T]] = field(default_factory=dict)
    items: deque[T] = field(default_factory=deque)

    def child(self, key: Hashable) -> _Node[T]:
        """The child with this key; a new one, or one where nothing waits, starts at the time of the others."""
        if key not in self.children:
            if len(self.children) > _KEPT:
                self._forget()
            self.children[key] = _Node()
        node = self.children[key]
        if not node.waiting:
            node.served = max(node.served, self.reached)
        return node

    def next(self) -> tuple[Hashable, _Node[T]]:
        """The child furthest behind among those where something waits."""
        key, node = min(
            ((key, node) for key, node in self.children.items() if node.waiting), key=lambda pair: pair[1].served
        )
        self.reached = node.served
        return key, node

    def _forget(self) -> None:
        self.children = {key: node for key, node in self.children.items() if node.waiting or node.served > self.reached}


class FairQueue(Generic[T]):
    """A queue of things to do, and for whom. Not thread-safe.

    Args:
        weights: the share of each lane while several lanes wait.
    """

    def __init__(self, weights: Sequence[float] = (1.0,)) -> None:
        self._root: _Node[T] = _Node()
        for lane, weight in enumerate(weights):
            self._root.children[lane] = _Node(weight)

    def __len__(self) -> int:
        return self._root.waiting

    def waiting(self, lane: int) -> int:
        """The number of things that wait in a lane."""
        return self._root.children[lane].waiting

    def push(self, item: T, caller: Caller, lane: int = 0) -> None:
        """Add something to the queue."""
        path = self._path(caller, lane)
        path[-1].items.append(item)
        for node in path:
            node.waiting += 1

    def pop(self) -> tuple[T, Caller, int]:
        """Remove and return what comes next, its caller and its lane; the caller must be charged for it afterwards.

        Raises:
            IndexError: nothing waits.
        """
        if not self._root.waiting:
            raise IndexError("nothing waits")
        lane, lane_node = self._root.next()
        address, address_node = lane_node.next()
        session, node = address_node.next()
        item = node.items.popleft()
        for one in (self._root, lane_node, address_node, node):
            one.waiting -= 1
        assert isinstance(lane, int)
        assert isinstance(address, str)
        assert session is None or isinstance(session, str)
        return item, Caller(address, session), lane

    def charge(self, caller: Caller, lane: int, cost: float) -> None:
        """Record what was served, in any unit; a negative amount corrects an earlier charge."""
        for node in self._path(caller, lane)[1:]:
            node.served += cost / node.weight

    def _path(self, caller: Caller, lane: int) -> tuple[_Node[T], ...]:
        lane_node = self._root.child(lane)
        address = lane_node.child(caller.address)
        return self._root, lane_node, address, address.child(caller.session)

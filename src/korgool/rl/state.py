"""One game in place, for searches and experiments that go back and forth."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Self

import numpy as np

from korgool.engine.kernel import unpack
from korgool.rl.layout import (
    NO_ROOM,
    NO_SUCH_HOLE,
    POSITION_BYTES,
    Array,
    StateStruct,
    kernel_of,
    rules_of,
    startable,
    state_library,
)
from korgool.rules import Outcome, Position, Rules, Side, Termination

_LEGAL = tuple(tuple(hole + 1 for hole in range(9) if mask >> hole & 1) for mask in range(512))
_HOLES = {hole: hole - 1 for hole in range(1, 10)}
_REPETITION = 5
_ROOM = 256
_play = state_library().kg_state_play


class State:
    """One game that is played and taken back in place, about ten times as fast as `Game` and without its records.

    A hole is a number from 1 as in `Position`. The third occurrence of a position (`Rules.threefold`) ends the game as
    a draw, as on a server without an arbiter; `{"threefold": 0}` leaves endless games endless. Not thread-safe.

    Attributes:
        legal: the hole numbers, from 1, that may be sown, a tuple; empty when the game is over. To be read only.

    Args:
        game: the short name of a game, or rules.
        position: a set-up position, or its text; the usual start without it.
        rules: named options, such as `{"sweep": "owner"}`.

    Raises:
        ValueError: no such game, option or position.
    """

    __slots__ = ("_address", "_kernel", "_path", "_struct", "_word", "legal")

    def __init__(
        self,
        game: str | Rules = "toguz",
        position: Position | str | None = None,
        *,
        rules: Mapping[str, object] | None = None,
    ) -> None:
        self._kernel = kernel_of(rules_of(game, rules))
        start = self.rules.start() if position is None else startable(position, self.rules)
        first = bytearray(self._kernel.pack(start))
        first[22] = start.to_move
        self._attach(np.zeros((_ROOM, POSITION_BYTES), np.uint8), 0)
        self._path[0] = np.frombuffer(first, np.uint8)
        self._tell(state_library().kg_state_begin(self._address))

    def _tell(self, word: int) -> None:
        self._word = word
        self.legal = _LEGAL[word & 511]

    def _attach(self, path: Array, plies: int) -> None:
        self._path = path
        self._struct = StateStruct(kernel=self._kernel.address, path=path.ctypes.data, plies=plies, room=len(path))
        self._address = ctypes.c_void_p(ctypes.addressof(self._struct))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._kernel.rules

    def play(self, hole: int) -> None:
        """Sow a hole by its number, from 1.

        Raises:
            ValueError: the game is over, or there is no such hole, or it is empty; nothing has changed.
            TypeError: it is no number.
        """
        try:
            word = _play(self._address, _HOLES[hole])
        except (KeyError, TypeError):
            word = NO_SUCH_HOLE
        if word < 0:
            self._refuse(word, hole)
        else:
            self._word = word
            self.legal = _LEGAL[word & 511]

    def _refuse(self, word: int, hole: int) -> None:
        if word == NO_ROOM:
            self._grow()
            self.play(hole)
            return
        if self._word >> 10 == _REPETITION:
            raise ValueError("the game is over: a draw by repetition")
        self.play(self.position.sow(hole).hole)  # it raises, unless the number came as text

    def _grow(self) -> None:
        plies, position, word = self._struct.plies, self._struct.position, self._word
        path: Array = np.zeros((2 * len(self._path), POSITION_BYTES), np.uint8)
        path[: plies + 1] = self._path[: plies + 1]
        self._attach(path, plies)
        self._struct.position = position
        self._struct.word = word

    def undo(self) -> int:
        """Take the last ply back and return its hole.

        Raises:
            ValueError: nothing has been played.
        """
        plies = self._struct.plies
        word = state_library().kg_state_undo(self._address)
        if word < 0:
            raise ValueError("nothing has been played that could be taken back")
        self._tell(word)
        return int(self._path[plies, 23])

    @property
    def over(self) -> bool:
        """True once the game is over."""
        return self._word >> 10 != 0

    @property
    def turn(self) -> int:
        """The side to move: 0 for White, 1 for Black."""
        return self._word >> 9 & 1

    @property
    def plies(self) -> int:
        """Plies played since the start."""
        return int(self._struct.plies)

    @property
    def moves(self) -> tuple[int, ...]:
        """The holes played since the start."""
        return tuple(self._path[1 : self.plies + 1, 23].tolist())

    @property
    def observation(self) -> Array:
        """The position as a row of `BatchEnv` has it: 24 bytes, seen by the side to move. A copy."""
        seen: Array = np.frombuffer(bytes(self._struct.position), np.uint8)
        return seen

    @property
    def position(self) -> Position:
        """The position; the number of its move is not counted and stays 1."""
        return unpack(bytes(self._struct.position), self.rules, Side(self.turn))

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, or None while it goes on."""
        if not self._word >> 10:
            return None
        if self._word >> 10 == _REPETITION:
            return Outcome(None, Termination.REPETITION, self.position.stores)
        return self.position.outcome()

    def clone(self) -> Self:
        """Copy the game with its plies; the copy goes its own way."""
        made = type(self).__new__(type(self))
        made._kernel = self._kernel
        made._attach(self._path.copy(), self.plies)
        made._struct.position = self._struct.position
        made._struct.word = self._word
        made._tell(self._word)
        return made

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[object, tuple[Rules, Position, tuple[int, ...]]]:
        first = unpack(self._path[0, :22].tobytes() + bytes(2), self.rules, Side(int(self._path[0, 22])))
        return _played, (self.rules, first, self.moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same = self.rules == other.rules and self.plies == other.plies
        return same and np.array_equal(self._path[: self.plies + 1], other._path[: self.plies + 1])

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return f"<State of {self.rules.name} after {self.plies} plies: {self.position}>"


def _played(rules: Rules, start: Position, moves: tuple[int, ...]) -> State:
    state = State(rules, start)
    for hole in moves:
        state.play(hole)
    return state

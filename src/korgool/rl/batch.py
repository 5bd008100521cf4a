"""Many games at once, in arrays that the kernel reads and writes in place."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from operator import index
from types import TracebackType
from typing import Any, NoReturn, Self

import numpy as np

from korgool.engine.kernel import unpack
from korgool.rl.layout import (
    NO_ACTION,
    POSITION_BYTES,
    Array,
    BatchStruct,
    batch_library,
    kernel_of,
    rules_of,
    startable,
)
from korgool.rules import Position, Rules, Side

MAX_PLIES = 400
"""Plies after which a game is cut short, unless told: four times a usual game, and as in the engine's own training."""
_FORMS = ("uint8", "float32")


class BatchEnv:
    """`n` games of one kind that take a step together.

    Every array belongs to the environment, is written in place by `step` and `reset`, and cannot be written from
    outside: copy what has to last. Observations are seen by the side to move, so one player plays both sides. A row of
    the 24 bytes is, for the side to move and its opponent: holes 1 to 8 of each, hole 9 of each, both stores, the
    number of the hole that each owns as tuz or castle (0 for none), two zero bytes; a hole that the game does not have
    is 0. With `observations="float32"` a row has the holes of each side, both stores, all as parts of all stones, then,
    where the rules have a tuz, a 1 at the tuz of the side to move among the opponent's holes, and the other way round:
    38 numbers in toguz korgool, 26 with the castle rule, 14 in mangala, 12 in bestemshe.

    A reward is that of the side that made the ply: 1 for a win, -1 for a loss, else 0; who lost, in turn, is the other
    side. So in mangala the same side may get the next reward too: `turn` says who moves. A game ends by its rules, and
    as a draw when a position stands for the third time (`Rules.threefold`), as on a server without an arbiter; the draw
    that a player may claim by recurrence is nobody's here. It is cut short after `max_plies`, with reward 0.

    With `auto_reset` a game that ends begins anew within the same step: its row shows the new game, `terminated` or
    `truncated` say that one ended, and `final_observations`, `final_turn` and `final_stores` how it stood. Without, it
    stays over, has no legal action, and takes the action -1 until `reset`.

    Attributes:
        rules, n, holes, max_plies, auto_reset: what it was made with.
        observations: n × 24 of uint8, or n × width of float32.
        legal: n × holes of bool.
        turn: n of uint8: 0 where White moves, 1 where Black does.
        plies: n of int32.
        rewards: n of float32.
        terminated, truncated: n of bool: the games that ended with the latest step.
        positions: n × 24 of uint8, also where observations are float32.
        final_observations: n × 24 of uint8: the last position of the game that ended latest in each row.
        final_turn: n of uint8: the side that would have been to move there.
        final_stores: n × 2 of int16: White's and Black's stones there, after the sweep where the ending has one.

    Args:
        game: the short name of a game, or rules.
        n: the number of games, at least 1.
        seed: decides all that `random_actions` draws. Game i draws the same in a batch of any size.
        auto_reset: whether a game that ends begins anew at once.
        rules: named options, such as `{"sweep": "owner"}`.
        positions: one set-up position for all, or `n`; each `Position` or text. Or an array, n × 24 of uint8.
        turn: the sides to move in an array of positions, n of 0 and 1; White everywhere without it.
        max_plies: plies after which a game is cut short.
        observations: `uint8` or `float32`.

    Raises:
        ValueError: an argument that cannot be, named.
    """

    def __init__(
        self,
        game: str | Rules = "toguz",
        n: int = 1024,
        seed: int = 0,
        auto_reset: bool = True,
        *,
        rules: Mapping[str, object] | None = None,
        positions: Position | str | Sequence[Position | str] | Array | None = None,
        turn: Array | None = None,
        max_plies: int = MAX_PLIES,
        observations: str = "uint8",
    ) -> None:
        self._kernel = kernel_of(rules_of(game, rules))
        self.n = _whole("n", n, 1, 1 << 28)
        self.max_plies = _whole("max_plies", max_plies, 1, 1 << 20)
        self.auto_reset = bool(auto_reset)
        if observations not in _FORMS:
            raise ValueError(f"observations are {' or '.join(_FORMS)}, not {observations!r}")
        self._library, self.closed = batch_library(), False
        self.holes, n = self.rules.holes, self.n
        repeats = bool(self.rules.threefold)
        self._arrays: dict[str, Array] = {
            **{name: np.zeros((n, POSITION_BYTES), np.uint8) for name in ("positions", "starts", "final")},
            # The system gives memory only for the slots that are written, a few for each game.
            "seen": np.zeros((self.max_plies + 1 if repeats else 0, n), np.uint64),
            **{name: np.zeros(n, np.uint64) for name in ("draws", "filter")},
            **{name: np.zeros(n, np.int32) for name in ("plies", "since")},
            "rewards": np.zeros(n, np.float32),
            "final_stores": np.zeros((n, 2), np.int16),
            **{name: np.zeros(n, np.uint8) for name in ("turn", "first", "final_turn")},
            "legal": np.zeros((n, self.holes), np.bool_),
            **{name: np.zeros(n, np.bool_) for name in ("over", "terminated", "truncated")},
        }
        pointers = {name: array.ctypes.data for name, array in self._arrays.items()}
        self._struct = BatchStruct(**pointers, count=n, most_plies=self.max_plies, auto_reset=self.auto_reset)
        self._address = ctypes.addressof(self._struct)
        self._actions: Array = np.zeros(n, np.int64)
        self._drawn = _shown(self._actions)
        self._numbers: Array | None = np.zeros((n, self.width), np.float32) if observations == "float32" else None
        self.positions = _shown(self._arrays["positions"])
        self.observations = self.positions if self._numbers is None else _shown(self._numbers)
        self.legal, self.turn, self.plies = (_shown(self._arrays[name]) for name in ("legal", "turn", "plies"))
        self.rewards = _shown(self._arrays["rewards"])
        self.terminated, self.truncated = (_shown(self._arrays[name]) for name in ("terminated", "truncated"))
        self.final_observations = _shown(self._arrays["final"])
        self.final_turn, self.final_stores = (_shown(self._arrays[name]) for name in ("final_turn", "final_stores"))
        start = self.rules.start() if positions is None else positions
        self.reset(seed=seed, positions=start, turn=turn)

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self._kernel.rules

    @property
    def width(self) -> int:
        """Numbers in a row of float32."""
        return int(self._library.kg_batch_width(self._kernel.address))

    def reset(
        self,
        *,
        seed: int | None = None,
        positions: Position | str | Sequence[Position | str] | Array | None = None,
        turn: Array | None = None,
        where: Array | None = None,
    ) -> Array:
        """Begin games anew and return the observations.

        Args:
            seed: a new seed for `random_actions`; without one the draws go on.
            positions: new starts, as the constructor takes them; they hold for later resets too.
            turn: the sides to move in an array of positions.
            where: n of bool: the games to begin anew; all without it. The others keep their starts.

        Raises:
            ValueError: a seed, position or shape that cannot be; nothing has changed.
        """
        self._open()
        if seed is not None:
            seed = _whole("seed", seed, 0, (1 << 64) - 1)
        which = None if where is None else self._vector("where", where, "b", np.bool_)
        if positions is not None:
            starts, first = self._starts(positions, turn)
            chosen = slice(None) if which is None else which
            self._arrays["starts"][chosen], self._arrays["first"][chosen] = starts[chosen], first[chosen]
        elif turn is not None:
            raise ValueError("turn goes with an array of positions")
        if seed is not None:
            self._library.kg_batch_seed(self._address, seed)
        address = None if which is None else which.ctypes.data
        self._library.kg_batch_reset(self._kernel.address, self._address, address)
        return self._observed()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array]:
        """Play one ply in every game.

        Args:
            actions: n whole numbers: holes from 0, that is the hole's number minus 1; -1 where a game is over.

        Returns:
            The attributes `observations`, `rewards`, `terminated` and `truncated`.

        Raises:
            ValueError: an action that is not legal, named with its game and the reason, or another shape or type; no
                game has changed.
        """
        self._open()
        actions = self._vector("actions", actions, "iu", np.int64)
        refused = self._library.kg_batch_step(self._kernel.address, self._address, actions.ctypes.data)
        if refused >= 0:
            self._refuse(refused, int(actions[refused]))
        return self._observed(), self.rewards, self.terminated, self.truncated

    def random_actions(self) -> Array:
        """Draw a legal action for every game, each as likely; -1 where a game is over. Written in place."""
        self._open()
        self._library.kg_batch_random(self._kernel.address, self._address, self._actions.ctypes.data)
        return self._drawn

    def as_float32(self, positions: Array, out: Array | None = None) -> Array:
        """Rows of float32 for rows of 24 bytes of this game, such as `final_observations`.

        Args:
            positions: k × 24 of uint8.
            out: k × `width` of float32, contiguous, to be written; a new array without it.

        Raises:
            ValueError: another shape or type.
        """
        positions = np.asarray(positions)
        if positions.dtype != np.uint8 or positions.ndim != 2 or positions.shape[1] != POSITION_BYTES:
            raise ValueError(f"positions are k × 24 of uint8, not {_shape(positions)}")
        positions = np.ascontiguousarray(positions)
        shape = (len(positions), self.width)
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32 or not (out.flags.c_contiguous and out.flags.writeable):
            raise ValueError(f"out is {shape[0]} × {shape[1]} of float32, contiguous and writable, not {_shape(out)}")
        count = len(positions)
        self._library.kg_batch_observe(self._kernel.address, positions.ctypes.data, count, out.ctypes.data)
        return out

    def position(self, game: int) -> Position:
        """The position of one game, by its row."""
        row = range(self.n)[game]
        return unpack(self.positions[row].tobytes(), self.rules, Side(int(self.turn[row])))

    def close(self) -> None:
        """Close the environment: from now on it refuses every step. Its arrays keep what they hold."""
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<BatchEnv of {self.n} games of {self.rules.name}{', closed' if self.closed else ''}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a BatchEnv holds memory of the kernel and cannot be copied; make another one")

    def _open(self) -> None:
        if self.closed:
            raise ValueError("the environment is closed")

    def _observed(self) -> Array:
        if self._numbers is not None:
            self._library.kg_batch_observe(
                self._kernel.address, self._struct.positions, self.n, self._numbers.ctypes.data
            )
        return self.observations

    def _vector(self, name: str, given: Any, kinds: str, dtype: type) -> Array:
        array = np.asarray(given)
        if array.shape != (self.n,) or array.dtype.kind not in kinds:
            wanted = "whole numbers" if dtype is np.int64 else "bool"
            raise ValueError(f"{name} are {self.n} {wanted}, not {_shape(array)}")
        if array.dtype == np.uint64:
            array = np.minimum(array, 255)  # beyond every hole, where a cast might land on one
        found: Array = np.ascontiguousarray(array, dtype)
        return found

    def _starts(
        self, given: Position | str | Sequence[Position | str] | Array, turn: Array | None
    ) -> tuple[Array, Array]:
        if isinstance(given, np.ndarray) and given.dtype == np.uint8:
            if given.shape != (self.n, POSITION_BYTES):
                raise ValueError(f"positions are {self.n} × {POSITION_BYTES} of uint8, not {_shape(given)}")
            starts = np.ascontiguousarray(given)
            first = np.zeros(self.n, np.uint8) if turn is None else self._vector("turn", turn, "iub", np.uint8)
            if first.max() > 1:
                raise ValueError(f"turn is 0 or 1, not {int(first.max())}")
            bad = self._library.kg_batch_check(self._kernel.address, starts.ctypes.data, self.n)
            if bad >= 0:
                raise ValueError(f"row {bad} is no position of {self.rules.title} in which a game may begin")
            return starts, first
        if turn is not None:
            raise ValueError("turn goes with an array of positions; any other position knows who is to move")
        several = [given] if isinstance(given, Position | str) else list(given)
        if len(several) not in (1, self.n):
            raise ValueError(f"there are {len(several)} positions for {self.n} games; give 1 or {self.n}")
        found = []
        for row, one in enumerate(several):
            try:
                found.append(startable(one, self.rules))
            except ValueError as error:
                raise ValueError(f"position {row}: {error}") from error
        packed = np.frombuffer(b"".join(map(self._kernel.pack, found)), np.uint8).reshape(-1, POSITION_BYTES)
        first = np.array([position.to_move for position in found], np.uint8)
        return np.broadcast_to(packed, (self.n, POSITION_BYTES)), np.broadcast_to(first, (self.n,))

    def _refuse(self, game: int, action: int) -> NoReturn:
        if self._arrays["over"][game]:
            reason = f"the game is over; it takes {NO_ACTION} until it is reset"
        else:
            problem = self.position(game).problem(action + 1)
            reason = str(problem) if problem is not None else "it was refused"
        raise ValueError(f"game {game} does not take action {action}, hole {action + 1}: {reason}")


def _shown(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


def _shape(array: Array) -> str:
    return f"an array of shape {array.shape} of {array.dtype}"


def _whole(name: str, given: Any, least: int, most: int) -> int:
    try:
        number = index(given)
    except TypeError:
        raise ValueError(f"{name} is a whole number, not {given!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is a whole number from {least} to {most}, not {number}")
    return number

"""The kernel's functions for many games at once and for one game in place; the comments of `kernel/batch.h` hold."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy as np

from korgool.engine.kernel import Kernel, KernelMissingError, library, remedy
from korgool.rules import GAMES, Position, Rules

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
"""An array; the page of each function says of which shape and type."""
POSITION_BYTES = 24
"""Bytes of a position, `kg_position`."""
NO_ACTION = -1
"""The kernel's `KG_NO_ACTION`."""
NO_SUCH_HOLE, NO_ROOM = -2, -6
"""The kernel's `KG_NO_SUCH_HOLE` and `KG_NO_ROOM`."""
TURNED = [*range(8, 16), *range(8), 17, 16, 19, 18, 21, 20, 22, 23]
"""The place in the 24 bytes of each byte of the same position seen by the other side."""
_POINTERS = (
    *("positions", "starts", "final", "draws", "seen", "filter", "plies", "since", "rewards", "final_stores"),
    *("turn", "first", "final_turn", "legal", "over", "terminated", "truncated"),
)


class BatchStruct(ctypes.Structure):
    """Layout of the kernel's `kg_batch`."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in _POINTERS),
        ("count", ctypes.c_int64),
        ("most_plies", ctypes.c_int32),
        ("auto_reset", ctypes.c_int32),
    ]


class StateStruct(ctypes.Structure):
    """Layout of the kernel's `kg_state`."""

    position: ctypes.Array[ctypes.c_ubyte]
    path: int
    plies: int
    room: int
    word: int
    _fields_ = [
        ("position", ctypes.c_ubyte * POSITION_BYTES),
        ("kernel", ctypes.c_void_p),
        ("path", ctypes.c_void_p),
        *((name, ctypes.c_int32) for name in ("plies", "room", "word", "reserved")),
    ]


@cache
def batch_library() -> ctypes.CDLL:
    """The native library with the functions of `kernel/batch.h` typed.

    Raises:
        KernelMissingError: it is missing, or older than this package.
    """
    lib = library()
    pointer, number, size = ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64
    try:
        for name, result, arguments in (
            ("kg_batch_bytes", size, ()),
            ("kg_batch_seed", None, (pointer, size)),
            ("kg_batch_check", number, (pointer, pointer, number)),
            ("kg_batch_reset", None, (pointer, pointer, pointer)),
            ("kg_batch_step", number, (pointer, pointer, pointer)),
            ("kg_batch_random", None, (pointer, pointer, pointer)),
            ("kg_batch_observe", None, (pointer, pointer, number, pointer)),
            ("kg_batch_width", number, (pointer,)),
        ):
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise KernelMissingError(f"the native kernel is older than this package; {remedy()}") from error
    if lib.kg_batch_bytes() != ctypes.sizeof(BatchStruct) + ctypes.sizeof(StateStruct):
        raise KernelMissingError(f"the native kernel has other structures than this package; {remedy()}")
    return lib


@cache
def state_library() -> ctypes.PyDLL:
    """The same library for calls that take less time than giving up the interpreter lock for them would.

    The functions are told nothing of their arguments, which costs a third of a call: pass `c_void_p` and small numbers.
    """
    lib = ctypes.PyDLL(batch_library()._name)
    for name in ("kg_state_begin", "kg_state_play", "kg_state_undo"):
        getattr(lib, name).restype = ctypes.c_int32
    return lib


kernel_of = lru_cache(maxsize=32)(Kernel)
"""The kernel of rules, which many environments share."""


def rules_of(game: str | Rules, options: Mapping[str, object] | None = None) -> Rules:
    """The rules of a game by its short name, with named options switched: `rules_of("mangala", {"sweep": "owner"})`.

    Raises:
        ValueError: there is no such game or option, or the option cannot have that value, or games could not begin.
    """
    if isinstance(game, Rules):
        rules = game
    elif game in GAMES:
        rules = GAMES[game]
    else:
        raise ValueError(f"no game is called {game!r}; there are {', '.join(GAMES)}")
    for name, value in (options or {}).items():
        rules = rules.with_option(name, str(value))
    if rules.threefold == 1:
        raise ValueError("with threefold=1 every game would end at its start; 0 is for never, 3 for the third time")
    if not rules.stones or rules.start().outcome() is not None:
        raise ValueError(f"by these rules a game is over at its start: {rules!r}")
    return rules


def startable(position: Position | str, rules: Rules) -> Position:
    """A set-up position, or its text, for a game to begin with.

    Raises:
        ValueError: it is no position of this game, stones are missing, or the game is over in it.
    """
    if isinstance(position, str):
        position = Position.parse(position, rules)
    elif position.rules != rules:
        raise ValueError(f"the position is one of {position.rules.title} by other rules: {position!r}")
    if sum(map(sum, position.holes)) + sum(position.stores) != rules.total:
        raise ValueError(f"a game of {rules.title} has {rules.total} stones: {position}")
    if (outcome := position.outcome()) is not None:
        raise ValueError(f"the game is over in {position}: {outcome.result_text}, {outcome.termination}")
    return position

"""The native kernel from Python: the same rules as `korgool.rules`, some thousand times faster.

The library is one C file set without dependencies, loaded with ctypes, which releases the interpreter lock during every
call. Positions cross the border as 24 bytes seen from the side to move: White and Black are distinguished here only.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from korgool.engine.kernel_layout import OutcomeStruct, ReplayedStruct, RulesStruct
from korgool.rules import Outcome, Position, Rules, Side, Termination

VERSION = 1
"""Of the library's interface, `KG_VERSION`."""
_MOST_STONES = 255
_CHUNK = 512
_LARGE = 32 << 20
_TERMINATIONS = (None, Termination.MAJORITY, Termination.EQUAL, Termination.NO_MOVE, Termination.SIDE_EMPTY)
_OVER, _NO_SUCH_HOLE, _EMPTY_HOLE = -1, -2, -3


class KernelMissingError(ImportError):
    """The native library is not installed or does not fit this version of the package."""


def remedy() -> str:
    """Advise what to type where the library does not fit, as the end of a message."""
    from korgool.installing import advice_again  # slow to load

    return f"to have the right one: {advice_again()}"


@cache
def library() -> ctypes.CDLL:
    """The loaded library, with its functions typed.

    Raises:
        KernelMissingError: it is not installed, cannot be loaded, or is of another version.
    """
    spec = find_spec("_korgool_kernel")
    if spec is None or spec.origin is None:
        raise KernelMissingError(f"the native kernel is not built; {remedy()}")
    try:
        lib = ctypes.CDLL(spec.origin)
        lib.kg_version.restype = ctypes.c_uint32
        version = lib.kg_version()
    except (OSError, AttributeError) as error:
        raise KernelMissingError(f"the native kernel {spec.origin} cannot be loaded: {error}") from error
    if version != VERSION:
        raise KernelMissingError(f"the native kernel is of version {version}, not {VERSION}; {remedy()}")
    pointer, data, number, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_uint64
    for name, result, arguments in (
        ("kg_kernel_bytes", size, ()),
        ("kg_kernel_init", number, (pointer, pointer)),
        ("kg_start", None, (pointer, pointer)),
        ("kg_check", number, (pointer, data)),
        ("kg_legal", ctypes.c_uint32, (pointer, data)),
        ("kg_play", number, (pointer, data, number, pointer)),
        ("kg_outcome_of", number, (pointer, data, pointer)),
        ("kg_trace", number, (pointer, data, data, number, pointer, pointer, pointer, pointer)),
        ("kg_perft", size, (pointer, data, number, number)),
        ("kg_replay", size, (pointer, data, size, pointer, pointer, size)),
        ("kg_engine_bytes", size, (size,)),
        ("kg_engine_init", None, (pointer, pointer, size)),
        ("kg_engine_tables", None, (pointer, pointer)),
        ("kg_engine_help", None, (pointer, pointer, number)),
        ("kg_engine_clear", None, (pointer,)),
        ("kg_engine_begin", number, (pointer, data, number, pointer, data, data, number)),
        ("kg_engine_step", number, (pointer,)),
        ("kg_engine_run", None, (pointer,)),
        ("kg_engine_stop", None, (pointer,)),
        ("kg_engine_report", None, (pointer, pointer)),
        ("kg_engine_evaluate", number, (pointer, data)),
        ("kg_engine_network", number, (pointer, pointer, size)),
        ("kg_engine_told", number, (pointer, data, number, number)),
        ("kg_engine_chances", None, (pointer, data, number, number, pointer)),
        ("kg_network_paths", ctypes.c_uint32, ()),
        ("kg_network_outputs", number, (pointer, number, number, data, size, pointer)),
        ("kg_reasons", number, (pointer, data, data, number, data, number, pointer)),
        ("kg_faults", number, (pointer, data, data, number, data, number, pointer)),
        ("kg_selfplay", size, (pointer, size, pointer, pointer, size)),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Memory:
    """Zeroed memory for the kernel; it lives as long as this object, and the system fills in only what is touched."""

    def __init__(self, size: int) -> None:
        # Private, where the system knows the difference: a forked process must not share a search table.
        private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
        self._map = mmap.mmap(-1, size, **private)
        if size >= _LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            # A quarter faster at 128 MiB; a small table is better filled in small pages.
            with suppress(OSError):
                self._map.madvise(mmap.MADV_HUGEPAGE)
        self._view = (ctypes.c_char * size).from_buffer(self._map)
        self.address = ctypes.addressof(self._view)


def rules_struct(rules: Rules) -> RulesStruct:
    """The rules record as the kernel reads it."""
    return RulesStruct(*rules.numbers())


def pack(position: Position) -> bytes:
    """The 24 bytes of `kg_position`.

    Raises:
        ValueError: a number of stones that no byte holds.
    """
    mover = position.to_move
    foe = mover.other
    own, other = position.holes[mover], position.holes[foe]
    pad = (0,) * (9 - len(own))
    own, other = own + pad, other + pad
    won, lost = position.tuz[mover], position.tuz[foe]
    stores = position.stores[mover], position.stores[foe]
    numbers = (won or 0, lost or 0)
    try:
        return bytes((*own[:8], *other[:8], own[8], other[8], *stores, *numbers, 0, 0))
    except ValueError as error:
        raise ValueError(f"a hole or store holds 0 to {_MOST_STONES} stones; the position is {position}") from error


def unpack(data: bytes, rules: Rules, to_move: Side, fullmove: int = 1) -> Position:
    """The position in the 24 bytes of `kg_position`; the reverse of `pack`."""
    own = (*data[:8], data[16])[: rules.holes]
    other = (*data[8:16], data[17])[: rules.holes]
    stores = data[18], data[19]
    tuz = data[20] or None, data[21] or None
    if to_move is Side.WHITE:
        return Position(rules, (own, other), stores, tuz, to_move, fullmove)
    return Position(rules, (other, own), (stores[1], stores[0]), (tuz[1], tuz[0]), to_move, fullmove)


def unpack_outcome(outcome: OutcomeStruct, to_move: Side) -> Outcome | None:
    """The outcome that the kernel tells from the side to move, or None while the game goes on."""
    termination = _TERMINATIONS[outcome.termination]
    if termination is None:
        return None
    winner = None if outcome.winner == 0 else to_move if outcome.winner > 0 else to_move.other
    stores, swept = tuple(outcome.stores), tuple(outcome.swept)
    if to_move is Side.BLACK:
        stores, swept = stores[::-1], swept[::-1]
    return Outcome(winner, termination, (stores[0], stores[1]), (swept[0], swept[1]))


@dataclass(frozen=True, slots=True)
class Replayed:
    """One line of bare moves, replayed.

    Attributes:
        moves: the line as it stands in the text.
        plies: how many of its moves were played.
        error: why the next one could not be, or None.
        position: the position reached; its move number is not counted and stays 1.
        outcome: how the board ended the game, or None.
    """

    moves: bytes
    plies: int
    error: str | None
    position: Position
    outcome: Outcome | None


class Kernel:
    """The rules of one game in the native kernel. It holds nothing that changes, so threads may share it.

    Raises:
        ValueError: rules that the kernel cannot play, with more than 255 stones or 9 holes a side.
        KernelMissingError: see `library`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.library = library()
        self._memory = Memory(self.library.kg_kernel_bytes())
        self.address = self._memory.address
        if self.library.kg_kernel_init(self.address, ctypes.byref(rules_struct(rules))):
            raise ValueError(
                f"the kernel plays 1 to 9 holes a side and at most {_MOST_STONES} stones, "
                f"not {rules.holes} holes of {rules.stones}"
            )

    def __eq__(self, other: object) -> bool:
        return self.rules == other.rules if isinstance(other, Kernel) else NotImplemented

    def __hash__(self) -> int:
        return hash((Kernel, self.rules))

    def __repr__(self) -> str:
        return f"Kernel({self.rules.constant})"

    def __reduce__(self) -> tuple[type[Kernel], tuple[Rules]]:
        return Kernel, (self.rules,)

    def pack(self, position: Position) -> bytes:
        """The position as the kernel reads it.

        Raises:
            ValueError: it is of another game, or cannot be on this board.
        """
        if position.rules.holes != self.rules.holes or len(position.holes[0]) != self.rules.holes:
            raise ValueError(f"a position of {self.rules.title} has {self.rules.holes} holes a side: {position}")
        data = pack(position)
        if self.library.kg_check(self.address, data):
            raise ValueError(f"this is no position of {self.rules.title}: {position}; see Setup.problems for reasons")
        return data

    def legal_moves(self, position: Position) -> tuple[int, ...]:
        """The hole numbers, 1 to n, that may be sown; none when the game is over."""
        mask = self.library.kg_legal(self.address, self.pack(position))
        return tuple(number for number in range(1, self.rules.holes + 1) if mask >> (number - 1) & 1)

    def play(self, position: Position, number: int) -> Position:
        """The position after sowing hole `number`, 1 to n.

        Raises:
            ValueError: the game is over, or there is no such hole, or it is empty.
        """
        after = ctypes.create_string_buffer(24)
        code = self.library.kg_play(self.address, self.pack(position), number - 1, after)
        if code < 0:
            raise ValueError(self._refusal(code, str(number)))
        same = position.to_move if code else position.to_move.other
        fullmove = position.fullmove + (0 if code else position.to_move)
        return unpack(after.raw, self.rules, same, fullmove)

    def outcome(self, position: Position) -> Outcome | None:
        """Outcome of the game on the board, or None while it goes on."""
        outcome = OutcomeStruct()
        self.library.kg_outcome_of(self.address, self.pack(position), ctypes.byref(outcome))
        return unpack_outcome(outcome, position.to_move)

    def perft(self, position: Position, depth: int, bulk: bool = True) -> int:
        """The number of sequences of exactly `depth` plies; with `bulk` the last ply is counted and not sown."""
        return int(self.library.kg_perft(self.address, self.pack(position), depth, bulk))

    def trace(self, start: Position, moves: bytes) -> tuple[int, bytes, bytes, bytes, list[OutcomeStruct]]:
        """Play hole numbers one after the other, in one call, for comparison with the reference.

        Returns:
            the plies played, fewer than `moves` when one is refused; then for each of them the 24 bytes of the position
            after it, two bytes of the holes that may be sown, little-endian, a byte that is 1 where the same side goes
            on, and the outcome.
        """
        count = len(moves)
        positions, legal = ctypes.create_string_buffer(24 * count), ctypes.create_string_buffer(2 * count)
        extra, outcomes = ctypes.create_string_buffer(count), (OutcomeStruct * count)()
        holes = bytes((number - 1) & 255 for number in moves)
        packed = self.pack(start)
        done = self.library.kg_trace(self.address, packed, holes, count, positions, legal, extra, outcomes)
        return done, positions.raw[: 24 * done], legal.raw[: 2 * done], extra.raw[:done], outcomes[:done]

    def replay(self, moves: bytes) -> Iterator[Replayed]:
        """Replay many games of the bare dialect, one digit a ply and one game a line, lazily and in their order.

        Empty lines are skipped. A game that cannot be played on stands there with its `error`; the others follow.
        """
        offset = ctypes.c_uint64(0)
        results = (ReplayedStruct * _CHUNK)()
        while offset.value < len(moves):
            count = self.library.kg_replay(
                self.address, moves, len(moves), ctypes.byref(offset), ctypes.byref(results), _CHUNK
            )
            for index in range(count):
                yield self._replayed(moves, results[index])

    def _replayed(self, moves: bytes, result: ReplayedStruct) -> Replayed:
        line = moves[result.start : result.start + result.length]
        error = None
        if result.error:
            letter = line[result.plies : result.plies + 1].decode("latin-1")
            error = self._refusal(result.error, letter if letter.isascii() and letter.isdigit() else repr(letter))
        side = Side(result.side)
        position = unpack(bytes(result.position), self.rules, side)
        return Replayed(line, result.plies, error, position, unpack_outcome(result.outcome, side))

    def _refusal(self, code: int, number: str) -> str:
        if code == _OVER:
            return "the game is over"
        if code == _NO_SUCH_HOLE:
            return f"there is no hole {number}; holes are numbered 1 to {self.rules.holes}"
        return f"hole {number} is empty"

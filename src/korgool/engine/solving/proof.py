"""Writes a proof of the value of mangala's start: a list of claims and its table, for an independent checker.

A folder holds two files. `table` is the table of `kernel/solve.h`, a byte for a position. `proof` begins with a line of
JSON: `format`, `rules`, `stones` of the table, `positions`, `difference` of the start and `moves` with that of each
first move. Then come `positions` words of eight bytes, little-endian, and `positions` bytes, as `kg_proof_gather` in
`kernel/solve_proof.h` describes them. `benchmarks/solve_check.c` checks both.
"""

from __future__ import annotations

import ctypes
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from korgool.atomic_files import replacing
from korgool.engine.kernel import Memory
from korgool.engine.solving.mangala_table import MangalaTable, bytes_of
from korgool.engine.solving.native import solver_library
from korgool.engine.solving.search import Searcher
from korgool.rules import Position, Rules

FORMAT = "korgool-proof-1"
_SLICE = 2_000_000
_CHUNK = 1 << 24

Progress = Callable[[str, int], object]


class ProofError(Exception):
    """A proof cannot be written: there is no room for it, or it turned out to be wrong."""


def prove(
    rules: Rules,
    folder: Path,
    *,
    stones: int = 24,
    memory: int = 512 << 20,
    slots: int = 1 << 27,
    workers: int = 1,
    on_progress: Progress | None = None,
) -> dict[int, int]:
    """Solve the start of mangala without the book and write the proof and its table.

    Args:
        rules: mangala with any options under which it has no cycles.
        folder: where the two files go; it is made where it is missing.
        stones: those of the table. With 24 it takes 1.25 GB.
        memory: bytes for the search, at most.
        slots: room for claims, a power of two; 13 bytes each.
        workers: threads that fill the table.
        on_progress: told what is going on and how many positions are done.

    Returns:
        The final difference after each first move, by hole number.

    Raises:
        ProofError: see there.
        OSError: the files cannot be written; neither then stands there half.
    """
    tell = on_progress or (lambda what, count: None)
    table = MangalaTable(rules, stones)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass  # a folder that cannot be written is refused now, and not after minutes of work
    table.grow(stones, workers=workers, on_part=lambda done: tell("table", done))
    searcher = Searcher(table, memory)
    return write_proof(rules.start(), searcher, folder, slots=slots, on_progress=tell)


def write_proof(
    start: Position, searcher: Searcher, folder: Path, *, slots: int = 1 << 27, on_progress: Progress
) -> dict[int, int]:
    """As `prove`, with a searcher that may know much already, and from any position."""
    folder.mkdir(parents=True, exist_ok=True)
    table = searcher.table

    def tell() -> bool:
        on_progress("search", searcher.nodes)
        return False

    children = {move: start.play(move) for move in start.legal_moves()}
    guess, values = None, dict[int, int]()
    for move, child in children.items():
        if child.outcome() is None:
            guess = values[move] = searcher.value(child, guess=guess, stopped=tell)
    lib = solver_library()
    memory = Memory(lib.kg_proof_bytes(slots))
    lib.kg_proof_init(memory.address, searcher.address, slots)
    for move, value in values.items():
        if sum(map(sum, children[move].holes)) > table.stones:
            lib.kg_proof_claim(memory.address, table.kernel.pack(children[move]), value, value)
    while (done := lib.kg_proof_run(memory.address, _SLICE)) == 0:
        on_progress("claims", lib.kg_proof_positions(memory.address))
    if done < 0:
        raise ProofError("a claim is wrong" if done == -2 else f"{slots} slots have no room for the claims")
    moves = {}
    for move, child in children.items():
        outcome = child.outcome()
        stores = child.stores if outcome is None else outcome.stores
        total = stores[child.to_move] - stores[child.to_move.other] + (values[move] if outcome is None else 0)
        moves[move] = total if child.to_move is start.to_move else -total
    count = lib.kg_proof_positions(memory.address)
    words, holes = ctypes.c_void_p(), ctypes.c_void_p()
    lib.kg_proof_gather(memory.address, ctypes.byref(words), ctypes.byref(holes))
    head = {
        "format": FORMAT,
        "rules": {name: value for name, value in asdict(start.rules).items() if name not in {"name", "title"}},
        "position": str(start),
        "stones": table.stones,
        "positions": count,
        "difference": max(moves.values()),
        "moves": moves,
    }
    with replacing(folder / "table") as write:
        _write(write, table.memory.address, bytes_of(table.stones))
    with replacing(folder / "proof") as write:
        write(json.dumps(head).encode() + b"\n")
        _write(write, words.value or 0, 8 * count)
        _write(write, holes.value or 0, count)
    return moves


def _write(write: Callable[[Any], int], address: int, size: int) -> None:
    for at in range(0, size, _CHUNK):
        write((ctypes.c_char * min(_CHUNK, size - at)).from_address(address + at))

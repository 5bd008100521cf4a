"""One unit of one layer: how much memory it takes, how it is worked out, and how it is written into a file."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import compress
from typing import Any

from korgool.engine.kernel import Memory
from korgool.engine.tables.native import GRAIN, MISSING, SECTION_BYTES, TableError, native
from korgool.engine.tables.probing import Tables

_PACKED_AT_ONCE = 1 << 20
_NO_ROW = bytes(256 * 8)


def positions_in(tables: Tables, layer: int, unit: int) -> int:
    """Number of positions of a unit, those of both sides to move."""
    lib = native()
    return int(lib.kg_table_count(tables.address, layer, unit)) * int(lib.kg_table_planes(tables.address, unit))


def work_bytes(tables: Tables, layer: int, unit: int) -> int:
    """Memory to work a unit out: a byte for each position; where play may be endless two, and without tuz three."""
    lib = native()
    exact = lib.kg_table_exact(tables.address, unit)
    tuz = lib.kg_table_tuz(tables.address, unit)
    planes = 2 if exact and tuz else lib.kg_table_planes(tables.address, unit)
    return int(lib.kg_table_count(tables.address, layer, unit)) * planes * (1 if exact else 2 if tuz else 3)


def known(answer: int) -> int:
    """The kernel's answer.

    Raises:
        TableError: it says that a lower layer is missing.
    """
    if answer == MISSING:
        raise TableError("a lower layer that is needed is not there")
    return answer


def fill_all(tables: Tables, layer: int, unit: int) -> Memory:
    """Work out an exact unit in one task; its bytes `low`."""
    work = Memory(work_bytes(tables, layer, unit))
    known(native().kg_tables_fill(tables.address, layer, unit, 0, work.address))
    return work


def write_section(
    tables: Tables, layer: int, unit: int, work: tuple[Memory, int | None], write: Callable[[bytes], Any]
) -> None:
    """Write the section of a unit; its digest comes last.

    Args:
        tables: of the game.
        layer: stones on the board.
        unit: the kernel's number of a set of tuz.
        work: its bytes `low`, and the address of `high`, None in an exact unit.
        write: takes the bytes, one piece after the other.
    """
    lib, (memory, high), count = native(), work, positions_in(tables, layer, unit)
    counts = (ctypes.c_uint64 * 65536)()
    lib.kg_tables_count_pairs(memory.address, high, count, counts)
    # The most frequent first, so that the numbers are small ones: such a file compresses better.
    pairs = sorted(_pairs_in(counts, exact=high is None), key=lambda pair: -counts[pair])
    bits = max(1, (len(pairs) - 1).bit_length())
    codes = (ctypes.c_uint16 * 65536)()
    for code, pair in enumerate(pairs):
        codes[pair] = code
    palette = b"".join(pair.to_bytes(2, "little") for pair in pairs)
    section = ctypes.create_string_buffer(SECTION_BYTES)
    lib.kg_table_section(tables.address, layer, unit, bits, len(pairs), section)
    palette_bytes, data_bytes = (int.from_bytes(section.raw[at : at + 8], "little") for at in (24, 32))
    digest = (ctypes.c_uint64 * 4)()
    lib.kg_digest_begin(digest)

    def put(piece: bytes) -> None:
        lib.kg_digest_add(digest, piece, len(piece))
        write(piece)

    put(section.raw)
    put(palette.ljust(palette_bytes, b"\0"))
    packed = ctypes.create_string_buffer(_PACKED_AT_ONCE // 8 * bits + 8)
    written = 0
    for start in range(0, count, _PACKED_AT_ONCE):
        part = min(_PACKED_AT_ONCE, count - start)
        size = lib.kg_tables_pack(
            memory.address + start, None if high is None else high + start, part, codes, bits, packed
        )
        piece = packed.raw[:size]
        written += size
        if start + part == count:
            piece = piece.ljust(size + data_bytes - written, b"\0")
        put(piece)
    write(lib.kg_digest_end(digest).to_bytes(8, "little").ljust(GRAIN, b"\0"))


def _pairs_in(counts: ctypes.Array[ctypes.c_uint64], *, exact: bool) -> list[int]:
    """The pairs that are there at all, in their order. Most sections are small: empty rows of 256 are passed over."""
    if exact:  # each value stands beside itself with the other sign
        return [pair for pair in (0, *range(511, 65536, 255)) if counts[pair]]
    raw = bytes(counts)
    rows = [row for row in range(0, 65536, 256) if not raw.startswith(_NO_ROW, 8 * row)]
    return [pair for row in rows for pair in compress(range(row, row + 256), counts[row : row + 256])]

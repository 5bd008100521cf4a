"""The part of the native kernel that keeps tables, typed for ctypes, and what its refusals mean."""

from __future__ import annotations

import ctypes
from functools import cache

from korgool.engine.kernel import library

MOST_STONES = 64
"""The kernel's `KG_TABLE_STONES`, the largest layer."""
ENDLESS = 512
"""The kernel's `KG_TABLE_ENDLESS`."""
VERSION = 1
"""The kernel's `KG_TABLE_VERSION`, of the files."""
HEADER_BYTES, SECTION_BYTES, GRAIN = 128, 64, 32
REFUSALS = {
    -20: "it is no table file",
    -21: f"it is of another version of the format than {VERSION}, which this program reads",
    -22: "it belongs to another game or to other options of the rules",
    -23: "it is cut short or has something added",
    -24: "a checksum does not fit, so it was altered or damaged",
}
"""Reasons why `kg_tables_attach` refuses a file."""
SHORT, DAMAGED, MISSING = -23, -24, -30
UNREADABLE = frozenset({SHORT, DAMAGED})
"""The refusals of files that were once good ones."""


class TableError(ValueError):
    """A table cannot be built, or a file of one cannot be used. The message names the file and what to do."""


@cache
def native() -> ctypes.CDLL:
    """The loaded library with the table functions typed.

    Raises:
        KernelMissingError: see `korgool.engine.kernel.library`.
    """
    lib = library()
    pointer, data, number, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_uint64
    for name, result, arguments in (
        ("kg_tables_bytes", size, ()),
        ("kg_tables_init", None, (pointer, pointer)),
        ("kg_tables_attach", number, (pointer, pointer, size)),
        ("kg_tables_look", number, (pointer, data, pointer, pointer)),
        ("kg_tables_sure", number, (pointer, data, pointer, pointer)),
        ("kg_tables_final", number, (pointer, data, pointer)),
        ("kg_digest_begin", None, (pointer,)),
        ("kg_digest_add", None, (pointer, pointer, size)),
        ("kg_digest_end", size, (pointer,)),
        ("kg_table_header", None, (pointer, number, number, pointer)),
        ("kg_table_count", size, (pointer, number, number)),
        ("kg_table_planes", number, (pointer, number)),
        ("kg_table_section", None, (pointer, number, number, ctypes.c_uint32, ctypes.c_uint32, pointer)),
        ("kg_table_check", ctypes.c_int64, (pointer, number, number, pointer, size)),
        ("kg_table_tuz", number, (pointer, number)),
        ("kg_table_exact", number, (pointer, number)),
        ("kg_table_tasks", number, (pointer, number, number)),
        ("kg_tables_fill", ctypes.c_int64, (pointer, number, number, number, pointer)),
        ("kg_tables_sweep", ctypes.c_int64, (pointer, number, number, pointer, pointer, pointer, size, size)),
        ("kg_tables_position", None, (pointer, number, number, size, pointer)),
        ("kg_tables_count_pairs", None, (pointer, pointer, size, pointer)),
        ("kg_tables_pack", size, (pointer, pointer, size, pointer, ctypes.c_uint32, pointer)),
        ("kg_tables_drawn", size, (pointer, number, number, number, pointer, size, pointer, size)),
        ("kg_tables_force", ctypes.c_int64, (pointer, number, pointer, pointer, pointer, size, size)),
        ("kg_tables_pack_marks", None, (pointer, size, pointer)),
        ("kg_tables_mark", number, (pointer, pointer, data)),
        ("kg_tables_count_draws", None, (pointer, number, pointer, pointer)),
        ("kg_tables_list_draws", size, (pointer, number, pointer, number, pointer, pointer, size)),
        ("kg_tables_unsettled", size, (pointer, number, number, pointer, pointer, size)),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib

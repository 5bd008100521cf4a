"""The solver's functions of the native library, typed; the comments of `kernel/solve.h` and `solve_graph.h` hold."""

from __future__ import annotations

import ctypes
from functools import cache

from korgool.engine.kernel import KernelMissingError, library, remedy


@cache
def solver_library() -> ctypes.CDLL:
    """The loaded library with the solver's functions typed.

    Raises:
        KernelMissingError: it is not installed, or has no solver.
    """
    lib = library()
    pointer, data = ctypes.c_void_p, ctypes.c_char_p
    number, size = ctypes.c_int32, ctypes.c_uint64
    for name, result, arguments in (
        ("kg_solver_bytes", size, ()),
        ("kg_solver_init", number, (pointer, pointer)),
        ("kg_table_bytes", size, (number,)),
        ("kg_table_parts", number, (number,)),
        ("kg_table_part_entries", size, (number, number)),
        ("kg_table_fill", None, (pointer, pointer, number, number)),
        ("kg_solver_attach", None, (pointer, pointer, number)),
        ("kg_table_index", size, (pointer, data)),
        ("kg_table_position", None, (pointer, size, pointer)),
        ("kg_searcher_bytes", size, ()),
        ("kg_searcher_init", number, (pointer, pointer, pointer, size)),
        ("kg_searcher_test", number, (pointer, data, number, size, pointer)),
        ("kg_searcher_known", None, (pointer, data, pointer, pointer)),
        ("kg_searcher_nodes", size, (pointer,)),
        ("kg_searcher_stop", None, (pointer,)),
        ("kg_solve_key", size, (pointer, data)),
        ("kg_solve_position", None, (pointer, size, pointer)),
        ("kg_solve_estimate", number, (data,)),
        ("kg_proof_bytes", size, (size,)),
        ("kg_proof_init", number, (pointer, pointer, size)),
        ("kg_proof_claim", number, (pointer, data, number, number)),
        ("kg_proof_run", number, (pointer, size)),
        ("kg_proof_positions", size, (pointer,)),
        ("kg_proof_gather", None, (pointer, pointer, pointer)),
        ("kg_graph_bytes", size, (size, size)),
        ("kg_graph_init", number, (pointer, pointer, size, size)),
        ("kg_graph_tables", None, (pointer, pointer)),
        ("kg_graph_add", number, (pointer, data)),
        ("kg_graph_explore", number, (pointer, size)),
        ("kg_graph_value", number, (pointer,)),
        ("kg_graph_bounds", number, (pointer, data, pointer, pointer)),
        ("kg_graph_positions", size, (pointer,)),
        ("kg_graph_passes", size, (pointer,)),
        ("kg_graph_endless", size, (pointer,)),
    ):
        try:
            function = getattr(lib, name)
        except AttributeError as error:
            raise KernelMissingError(f"the native kernel has no {name}; {remedy()}") from error
        function.restype, function.argtypes = result, arguments
    return lib

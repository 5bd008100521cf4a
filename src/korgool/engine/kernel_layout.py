"""The kernel's structures as ctypes lays them out; the comments of `kernel/*.h` hold."""

from __future__ import annotations

import ctypes
from dataclasses import fields

from korgool.rules import Rules

MAX_DEPTH, MAX_LINES, MAX_HISTORY = 100, 9, 512
"""The kernel's `KG_MAX_DEPTH`, `KG_MAX_LINES` and `KG_MAX_HISTORY`."""
MAX_REASONS = 32
"""The kernel's `KG_MAX_REASONS`."""


class RulesStruct(ctypes.Structure):
    """`kg_rules`: the numbers of a rules record, in its order."""

    _fields_ = [(field.name, ctypes.c_int32) for field in fields(Rules) if field.name not in ("name", "title")]


class OutcomeStruct(ctypes.Structure):
    """`kg_outcome`: as the side to move sees it."""

    termination: int
    winner: int
    stores: ctypes.Array[ctypes.c_int32]
    swept: ctypes.Array[ctypes.c_int32]
    _fields_ = [
        ("termination", ctypes.c_int32),
        ("winner", ctypes.c_int32),
        ("stores", ctypes.c_int32 * 2),
        ("swept", ctypes.c_int32 * 2),
    ]


class ReplayedStruct(ctypes.Structure):
    """Layout of the kernel's `kg_replayed`."""

    start: int
    length: int
    position: ctypes.Array[ctypes.c_ubyte]
    outcome: OutcomeStruct
    plies: int
    error: int
    side: int
    _fields_ = [
        ("start", ctypes.c_uint64),
        ("length", ctypes.c_uint64),
        ("position", ctypes.c_ubyte * 24),
        ("outcome", OutcomeStruct),
        ("plies", ctypes.c_int32),
        ("error", ctypes.c_int32),
        ("side", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


class LimitsStruct(ctypes.Structure):
    """Layout of the kernel's `kg_limits`."""

    _fields_ = [
        ("seconds", ctypes.c_double),
        ("nodes", ctypes.c_uint64),
        ("depth", ctypes.c_int32),
        ("lines", ctypes.c_int32),
        ("exact_depth", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


class LineStruct(ctypes.Structure):
    """Layout of the kernel's `kg_line`."""

    move: int
    value: int
    depth: int
    exact: int
    length: int
    pv: ctypes.Array[ctypes.c_uint8]
    _fields_ = [
        *((name, ctypes.c_int32) for name in ("move", "value", "depth", "exact", "length")),
        ("pv", ctypes.c_uint8 * MAX_DEPTH),
    ]


class ReportStruct(ctypes.Structure):
    """Layout of the kernel's `kg_report`."""

    nodes: int
    seconds: float
    count: int
    finished: int
    lines: ctypes.Array[LineStruct]
    _fields_ = [
        ("nodes", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
        ("count", ctypes.c_int32),
        ("finished", ctypes.c_int32),
        ("lines", LineStruct * MAX_LINES),
    ]


class ReasonStruct(ctypes.Structure):
    """Layout of the kernel's `kg_reason`."""

    kind: int
    weight: int
    stones: int
    left: int
    hole: int
    shared: int
    line: ctypes.Array[ctypes.c_uint8]
    _fields_ = [
        *((name, ctypes.c_int32) for name in ("kind", "weight", "stones", "left", "hole", "shared")),
        ("line", ctypes.c_uint8 * 8),
    ]

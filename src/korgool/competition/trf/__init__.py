"""FIDE's tournament report file, TRF16 and TRF26: read, checked, and written.

The modules are loaded when a name of theirs is first used: pairing needs but the columns.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from korgool.competition.trf.columns import TrfError
    from korgool.competition.trf.encoding import decode_trf
    from korgool.competition.trf.imported import Imported
    from korgool.competition.trf.left_out import left_out
    from korgool.competition.trf.reading import read_trf
    from korgool.competition.trf.report import ReportLines, parse_report
    from korgool.competition.trf.writing import write_trf

__all__ = ["Imported", "ReportLines", "TrfError", "decode_trf", "left_out", "parse_report", "read_trf", "write_trf"]

_HOME = {
    "Imported": "imported",
    "ReportLines": "report",
    "TrfError": "columns",
    "decode_trf": "encoding",
    "left_out": "left_out",
    "parse_report": "report",
    "read_trf": "reading",
    "write_trf": "writing",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

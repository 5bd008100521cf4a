"""FIDE's tournament report file (TRF), the versions 2016 and 2026, read and written."""

from __future__ import annotations

from korgool.competition.trf.encoding import decode_trf
from korgool.competition.trf.imported_event import Imported
from korgool.competition.trf.omissions import left_out
from korgool.competition.trf.reading import read_trf
from korgool.competition.trf.report_lines import ReportLines, parse_report
from korgool.competition.trf.writing import write_trf
from korgool.competition.trf_columns import TrfError

__all__ = ["Imported", "ReportLines", "TrfError", "decode_trf", "left_out", "parse_report", "read_trf", "write_trf"]

"""Whole sessions of the engine protocol, for the tests of it."""

from __future__ import annotations

import io
from typing import Any

from korgool.engine.ugi import Ugi

SMALL = "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1"
OVER = "9/8,1S 79 82 S 70"


def run(*lines: str, **settings: Any) -> list[str]:
    """A whole session at once."""
    sink = io.StringIO()
    Ugi(io.StringIO("".join(line + "\n" for line in lines)), sink, **settings).run()
    return sink.getvalue().splitlines()

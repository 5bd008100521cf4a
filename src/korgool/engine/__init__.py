"""Strength: the native kernel, search and its limits, playing levels, and the engine protocol.

The names used most stand here. Each loads its module when it is first used, so that importing this package loads
neither the kernel nor ctypes.

>>> from korgool import TOGUZ_KORGOOL
>>> from korgool.engine import Engine, Limits
>>> Engine(TOGUZ_KORGOOL).analyse(TOGUZ_KORGOOL.start(), Limits(depth=6)).lines[0].depth
6
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from korgool.engine.games import Level
    from korgool.engine.kernel import Kernel, KernelMissingError, Replayed
    from korgool.engine.levels import Choice, choose, levels_of, of_number, ratings_of
    from korgool.engine.limits import Limits
    from korgool.engine.networks import NetworkError
    from korgool.engine.pace import Pace
    from korgool.engine.search import Analysis, Engine, Line
    from korgool.engine.solving import BeyondLimitsError, Solution, Solver
    from korgool.engine.tables import Bounds, TableError, Tables
    from korgool.engine.timing import Allotment, TimeLeft, allot
    from korgool.engine.ugi_client import UgiAnalysis, UgiEngine, UgiLine
    from korgool.engine.ugi_process import UgiError

__all__ = [
    "Allotment",
    "Analysis",
    "BeyondLimitsError",
    "Bounds",
    "Choice",
    "Engine",
    "Kernel",
    "KernelMissingError",
    "Level",
    "Limits",
    "Line",
    "NetworkError",
    "Pace",
    "Replayed",
    "Solution",
    "Solver",
    "TableError",
    "Tables",
    "TimeLeft",
    "UgiAnalysis",
    "UgiEngine",
    "UgiError",
    "UgiLine",
    "allot",
    "choose",
    "levels_of",
    "of_number",
    "ratings_of",
]

_NAMES = {
    "games": ("Level",),
    "kernel": ("Kernel", "KernelMissingError", "Replayed"),
    "levels": ("Choice", "choose", "levels_of", "of_number", "ratings_of"),
    "limits": ("Limits",),
    "networks": ("NetworkError",),
    "pace": ("Pace",),
    "search": ("Analysis", "Engine", "Line"),
    "solving": ("BeyondLimitsError", "Solution", "Solver"),
    "tables": ("Bounds", "TableError", "Tables"),
    "timing": ("Allotment", "TimeLeft", "allot"),
    "ugi_client": ("UgiAnalysis", "UgiEngine", "UgiLine"),
    "ugi_process": ("UgiError",),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        found: object = getattr(import_module(f"korgool.engine.{_MODULES[name]}"), name)
        globals()[name] = found  # the next use asks no more
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

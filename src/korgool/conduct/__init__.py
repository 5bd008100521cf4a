"""One game between people: clock, referee and scoresheets, as immutable values with injected time.

Nothing here reads a clock or a file. `apply` takes a game as it stands and an event, and answers with the next state
and a ruling, or with a refusal; `judge` does so with a whole log.
"""

from korgool.conduct.clock import Clock
from korgool.conduct.control import ControlKind, TimeControl
from korgool.conduct.ending import Ending
from korgool.conduct.events import By, Event, Options
from korgool.conduct.lots import Draw, draw_lots
from korgool.conduct.referee import apply
from korgool.conduct.ruling import Refusal, Ruling, RulingKind
from korgool.conduct.state import GameState

__all__ = [
    "By",
    "Clock",
    "ControlKind",
    "Draw",
    "Ending",
    "Event",
    "GameState",
    "Options",
    "Refusal",
    "Ruling",
    "RulingKind",
    "TimeControl",
    "apply",
    "draw_lots",
]

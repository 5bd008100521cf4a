"""Games between two seats over a network, as immutable values with injected time: no network, no database, no clock.

`decide` answers a command with the events that it makes, or with a refusal; `replay` makes the same game again from the
events of a journal. The referee of `korgool.conduct` rules in every game, so each ruling has its clause.
"""

from korgool.live.challenges import Challenge, ChallengeState, DeclineReason, Lot, Way
from korgool.live.commands import (
    AbortGame,
    AcceptDraw,
    AcceptTakeback,
    AddTime,
    AskRematch,
    AskTakeback,
    ClaimEnd,
    Command,
    DeclineDraw,
    DeclineTakeback,
    Join,
    MakeMove,
    OfferDraw,
    ResignGame,
    TakeVacation,
)
from korgool.live.decisions import Decision, begin, decide, due, gone_after_ms, gone_since, tick
from korgool.live.facts import Facts, Proof
from korgool.live.game import OnlineGame
from korgool.live.journal import Happening, happen, replay
from korgool.live.refusals import Refused, RefusedKind
from korgool.live.terms import GameTerms, Manner, Seat, SeatKind, read_clock, write_clock
from korgool.live.vacations import Vacation

__all__ = [
    "AbortGame",
    "AcceptDraw",
    "AcceptTakeback",
    "AddTime",
    "AskRematch",
    "AskTakeback",
    "Challenge",
    "ChallengeState",
    "ClaimEnd",
    "Command",
    "Decision",
    "DeclineDraw",
    "DeclineReason",
    "DeclineTakeback",
    "Facts",
    "GameTerms",
    "Happening",
    "Join",
    "Lot",
    "MakeMove",
    "Manner",
    "OfferDraw",
    "OnlineGame",
    "Proof",
    "Refused",
    "RefusedKind",
    "ResignGame",
    "Seat",
    "SeatKind",
    "TakeVacation",
    "Vacation",
    "Way",
    "begin",
    "decide",
    "due",
    "gone_after_ms",
    "gone_since",
    "happen",
    "read_clock",
    "replay",
    "tick",
    "write_clock",
]

"""Pairing: seeding, Swiss rounds, round robins, knock-outs and team matches."""

from __future__ import annotations

from korgool.competition.pairing.berger import berger_round, pair_berger, schedule
from korgool.competition.pairing.engine import EngineError, NoPairingError, PairingEngine
from korgool.competition.pairing.explanation import Explanation, explain
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.pairing.gacrux_process import GacruxProcess
from korgool.competition.pairing.knockout import bracket, pair_knockout
from korgool.competition.pairing.next_round import pair
from korgool.competition.pairing.paired_round import Paired
from korgool.competition.pairing.round_count import advise_rounds, check_rounds, most_rounds
from korgool.competition.pairing.seeding import seed
from korgool.competition.pairing.swiss import pair_swiss, verify_swiss
from korgool.competition.pairing.team_matches import lay_out, lineup, may_start, pair_team_berger

__all__ = [
    "EngineError",
    "Explanation",
    "GacruxHere",
    "GacruxProcess",
    "NoPairingError",
    "Paired",
    "PairingEngine",
    "advise_rounds",
    "berger_round",
    "bracket",
    "check_rounds",
    "explain",
    "lay_out",
    "lineup",
    "may_start",
    "most_rounds",
    "pair",
    "pair_berger",
    "pair_knockout",
    "pair_swiss",
    "pair_team_berger",
    "schedule",
    "seed",
    "verify_swiss",
]

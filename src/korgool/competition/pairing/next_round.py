"""`pair`: a round paired by the system of the event, Swiss, round robin or knock-out."""

from __future__ import annotations

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import System
from korgool.competition.pairing.berger import pair_berger
from korgool.competition.pairing.engine import PairingEngine
from korgool.competition.pairing.gacrux_process import ISOLATED
from korgool.competition.pairing.knockout import pair_knockout
from korgool.competition.pairing.paired_round import Paired
from korgool.competition.pairing.swiss import pair_swiss
from korgool.competition.pairing.team_matches import pair_team_berger
from korgool.languages import N_


def pair(state: EventState, number: int, *, engine: PairingEngine = ISOLATED) -> Paired:
    """Pair a round. Nothing is published: `Paired.action` is what the log takes.

    Args:
        state: the event; for an earlier round than the next one, its later rounds are not looked at.
        number: the round, from 1.
        engine: what pairs a Swiss event; by default gacrux in a process of its own (`GacruxProcess`).

    Raises:
        CompetitionError: the round cannot be paired; the message gives the reason.
    """
    if not state.seeded:
        raise CompetitionError(N_("give pairing numbers before the first round"))
    if not 1 <= number <= len(state.rounds) + 1:
        raise CompetitionError(N_("round {next} is the next, not {number}"), next=len(state.rounds) + 1, number=number)
    for one in state.rounds[: number - 1]:
        if one.missing:
            boards = ", ".join(map(str, one.missing[:20]))
            raise CompetitionError(
                N_("round {number} lacks the results of boards {boards}"), number=one.number, boards=boards
            )
    system = state.event.system
    if system in (System.SWISS, System.TEAM_SWISS):
        return pair_swiss(state, number, engine=engine)
    if system is System.KNOCKOUT:
        return pair_knockout(state, number)
    return pair_team_berger(state, number) if system is System.TEAM_ROUND_ROBIN else pair_berger(state, number)

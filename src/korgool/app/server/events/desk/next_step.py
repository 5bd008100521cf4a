"""What comes next in an event: the one line that stands on every screen of its console."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from korgool.competition.event_state import EventState
from korgool.languages import N_


@dataclass(frozen=True, slots=True)
class NextStep:
    """What comes next.

    Attributes:
        text: a message with places for `values`.
        values: what stands in them.
        path: the screen for it, behind `/events/ID/desk`; empty where nothing is left to do.
    """

    text: str
    values: Mapping[str, object] = field(default_factory=dict)
    path: str = ""


def next_step(state: EventState) -> NextStep:
    """What the officials do next, by what the event lacks."""
    if state.event.system.of_teams and not state.teams:
        return NextStep(N_("Enter the teams"), path="/teams")
    if len(state.players) < 2:
        return NextStep(N_("Enter the players"), path="/players")
    number = len(state.rounds)
    if number and (missing := state.rounds[-1].missing):
        values = {"round": number, "n": len(missing)}
        return NextStep(N_("Round %(round)s: results still missing: %(n)s"), values, f"/round/{number}")
    if number < state.event.rounds:
        return NextStep(N_("Pair round %(round)s"), {"round": number + 1}, "/pairing")
    if number not in state.published:
        return NextStep(N_("Publish the final standings"), path="/standings")
    return NextStep(N_("All rounds are played, and the standings are published."))

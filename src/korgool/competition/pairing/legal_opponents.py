"""Legal opponents of the players, and the reason why a round has no legal pairing."""

from __future__ import annotations

from collections.abc import Mapping

from korgool.competition.errors import Message
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind
from korgool.competition.pairing.colours import may_meet, preference
from korgool.competition.pairing.engine_file import pairing_points
from korgool.competition.round_history import Meeting, RoundKind, competitors
from korgool.languages import N_

_NAMED = 6


def opponents_left(state: EventState, number: int, away: Mapping[int, ByeKind]) -> dict[int, tuple[int, ...]]:
    """By id of each competitor of a round: those not met yet whose colours allow the game (C1, C3)."""
    found = competitors(state, rounds=number - 1)
    due = {id_: preference(meetings) for id_, meetings in found.items()}
    top = topscorers(state, number)
    met = {id_: {one.opponent for one in meetings if one.kind is RoundKind.PLAYED} for id_, meetings in found.items()}
    field = [id_ for id_ in found if id_ not in away]
    return {
        id_: tuple(
            other
            for other in field
            if other != id_
            and other not in met[id_]
            and may_meet(due[id_], due[other], topscorer=id_ in top or other in top)
        )
        for id_ in field
    }


def topscorers(state: EventState, number: int) -> set[int]:
    """Competitors with more than half of the possible points before the last round (C.04.3 art. 1.8)."""
    if number < state.event.rounds:
        return set()
    return {id_ for id_, half_points in pairing_points(state, number).items() if half_points > number - 1}


def bye_barred(meetings: tuple[Meeting, ...]) -> Meeting | None:
    """The round that bars a competitor from the pairing-allocated bye (C2): an earlier one, or a win without a game."""
    for one in meetings:
        if one.bye is ByeKind.ALLOCATED or (one.kind is not RoundKind.PLAYED and one.points == 2):
            return one
    return None


def in_words(state: EventState, number: int, away: Mapping[int, ByeKind]) -> Message:
    """Explanation why a round has no legal pairing: who has the fewest opponents left, and who may get the bye."""
    of_teams = state.event.system.of_teams

    def name(id_: int) -> str:
        if of_teams:
            return f"{state.teams[id_].number} {state.teams[id_].name}"
        return f"{state.players[id_].number} {state.players[id_].name}"

    left = opponents_left(state, number, away)
    fewest = sorted(left, key=lambda id_: (len(left[id_]), id_))[:_NAMED]
    parts = []
    for id_ in fewest:
        others = left[id_]
        if len(others) > _NAMED:
            parts.append(Message(N_("{name} may meet {count} others"), name=name(id_), count=len(others)))
        elif others:
            parts.append(Message(N_("{name} may meet {listed}"), name=name(id_), listed=", ".join(map(name, others))))
        else:
            parts.append(Message(N_("{name} may meet nobody any more"), name=name(id_)))
    if len(left) % 2:
        found = competitors(state, rounds=number - 1)
        free = [id_ for id_ in left if bye_barred(found[id_]) is None]
        if not free:
            parts.append(Message(N_("everybody has had a bye or a win without a game")))
        elif len(free) <= _NAMED:
            parts.append(Message(N_("only {listed} may get the bye"), listed=", ".join(map(name, free))))
    return Message(
        N_(
            "round {number} has no legal pairing (C.04.3 art. 1.9.3, the chief referee decides): {parts}. "
            "End the event here, or pair the round by hand"
        ),
        number=number,
        parts=tuple(parts),
    )

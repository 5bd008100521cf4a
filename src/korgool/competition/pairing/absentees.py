"""Possible absentees of the next round, about whom officials are asked before they pair it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, Player, System
from korgool.competition.pairing.knockout import alive
from korgool.languages import N_


@dataclass(frozen=True, slots=True)
class Absentee:
    """A player who would be paired, and may not be there.

    Attributes:
        player: who.
        unchecked: whether the check-in of the round has begun without them.
        stayed_away: whether they did not come to the round before.
    """

    player: Player
    unchecked: bool
    stayed_away: bool


def possible_absentees(state: EventState) -> tuple[Absentee, ...]:
    """The players of the next round of whom an official should say whether they play, by number.

    Players who are noted as there for this round, have a bye in it, or are out are not listed. The check-in has begun
    once a player is noted who came to the round before, so that an answer about one absentee is no check-in of all.
    """
    number = len(state.rounds) + 1
    if number > state.event.rounds:
        return ()
    here, away = state.present.get(number, frozenset()), _stayed_away(state)
    begun = bool(here - away)
    waited = (one for one in _still_in(state, number) if one.plays(number) and one.id not in here)
    found = (Absentee(one, begun, one.id in away) for one in waited if begun or one.id in away)
    return tuple(sorted(found, key=lambda one: one.player.number))


def absentee_notes(state: EventState, players: Collection[int]) -> tuple[str, ...]:
    """Notes on these possible absentees, in sentences."""
    notes: list[str] = []
    for one in possible_absentees(state):
        if one.player.id in players:
            who = {"number": one.player.number, "name": one.player.name}
            if one.stayed_away:
                away = N_("{number} {name} did not come to round {round} and is paired again")
                notes.append(Message(away, **who, round=len(state.rounds)))
            else:
                notes.append(Message(N_("{number} {name} is not checked in and is paired"), **who))
    return tuple(notes)


def _still_in(state: EventState, number: int) -> Collection[Player]:
    """All players; in a knock-out those who are still in it, and none while that is not decided."""
    if state.event.system is not System.KNOCKOUT or number == 1:
        return state.players.values()
    try:
        return [state.players[id_] for id_ in alive(state, number)]
    except CompetitionError:
        return ()


def _stayed_away(state: EventState) -> frozenset[int]:
    """Players who lost the last round by forfeit or missed it without points, and were not noted as there for it."""
    if not state.rounds:
        return frozenset()
    last = state.rounds[-1]
    found = set[int]()
    for game in last.games:
        if game.result is not None and not game.result.played:
            points = {game.white: game.result.white, game.black: game.result.black}
            found |= {id_ for id_, half_points in points.items() if id_ and not half_points}
    for player in state.players.values():
        if any(one.round == last.number and one.kind is ByeKind.ZERO for one in player.absences):
            found.add(player.id)
    return frozenset(found - state.present.get(last.number, frozenset()))

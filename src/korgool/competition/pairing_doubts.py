"""Doubts about a round that was paired by hand: rematches, colours, second byes, forbidden pairs."""

from __future__ import annotations

from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind
from korgool.competition.round_history import history

_STREAK = 3


def pairing_notes(state: EventState, number: int) -> tuple[str, ...]:
    """The doubts about a round, in sentences: rematches, one colour three times, second byes, forbidden pairs."""
    one, before = state.round(number), history(state, rounds=number - 1)
    notes = []
    for game in one.games:
        if not (game.white and game.black):
            continue
        place = f"round {number}, board {game.board}"
        white, black = state.players[game.white], state.players[game.black]
        for meeting in before[white.id]:
            if meeting.opponent == black.id:
                notes.append(f"{place}: {white.name} and {black.name} met in round {meeting.round}")
        for player, colour in ((white, True), (black, False)):
            colours = [meeting.white for meeting in before[player.id] if meeting.white is not None]
            if colours[1 - _STREAK :] == [colour] * (_STREAK - 1):
                side = "White" if colour else "Black"
                notes.append(f"{place}: {player.name} has {side} {_STREAK} times in a row")
        for rule in state.event.forbid:
            shared = getattr(white.entry, rule)
            if shared and shared == getattr(black.entry, rule):
                notes.append(f"{place}: both players are of the {rule} {shared}")
    for bye in one.byes:
        if bye.kind is ByeKind.ALLOCATED and not state.event.system.of_teams:
            times = [meeting.round for meeting in before[bye.player] if meeting.bye is ByeKind.ALLOCATED]
            if times:
                name = state.players[bye.player].name
                notes.append(f"round {number}: {name} had a bye in round {times[0]} already")
    return tuple(notes)

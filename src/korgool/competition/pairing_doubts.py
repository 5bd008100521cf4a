"""Doubts about a round that was paired by hand: rematches, colours, second byes, forbidden pairs."""

from __future__ import annotations

from korgool.competition.errors import Message
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind
from korgool.competition.round_history import history
from korgool.languages import N_

_STREAK = 3


def pairing_notes(state: EventState, number: int) -> tuple[str, ...]:
    """The doubts about a round, in sentences: rematches, one colour three times, second byes, forbidden pairs."""
    one, before = state.round(number), history(state, rounds=number - 1)
    notes: list[str] = []
    for game in one.games:
        if not (game.white and game.black):
            continue
        place = Message(N_("round {number}, board {board}"), number=number, board=game.board)
        white, black = state.players[game.white], state.players[game.black]
        for meeting in before[white.id]:
            if meeting.opponent == black.id:
                met = N_("{place}: {white} and {black} met in round {earlier}")
                names = {"white": white.name, "black": black.name}
                notes.append(Message(met, place=place, **names, earlier=meeting.round))
        for player, colour in ((white, True), (black, False)):
            colours = [meeting.white for meeting in before[player.id] if meeting.white is not None]
            if colours[1 - _STREAK :] == [colour] * (_STREAK - 1):
                streak = N_("{place}: {name} has White {times} times in a row")
                streak = streak if colour else N_("{place}: {name} has Black {times} times in a row")
                notes.append(Message(streak, place=place, name=player.name, times=_STREAK))
        for rule in state.event.forbid:
            shared = getattr(white.entry, rule)
            if shared and shared == getattr(black.entry, rule):
                same = N_("{place}: both players are of the team {shared}")
                same = same if rule == "team" else N_("{place}: both players are of the federation {shared}")
                notes.append(Message(same, place=place, shared=shared))
    for bye in one.byes:
        if bye.kind is ByeKind.ALLOCATED and not state.event.system.of_teams:
            times = [meeting.round for meeting in before[bye.player] if meeting.bye is ByeKind.ALLOCATED]
            if times:
                name = state.players[bye.player].name
                again = N_("round {number}: {name} had a bye in round {earlier} already")
                notes.append(Message(again, number=number, name=name, earlier=times[0]))
    return tuple(notes)

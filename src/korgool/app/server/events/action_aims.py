"""The parts of an event that the actions of officials are about, by which conflicts between them are found."""

from __future__ import annotations

from collections.abc import Sequence

import korgool.competition.actions as do
from korgool.app.server.events.action_requests import (
    AskDispute,
    AskEnter,
    AskGroup,
    AskPair,
    AskPublish,
    PerformedAction,
)
from korgool.app.server.events.wall_requests import AskAnnounce, AskClock
from korgool.competition.event_state import EventState
from korgool.competition.log.undo import Part


def aims(action: PerformedAction, state: EventState) -> frozenset[Part]:
    """The parts of an event that an action is about, whether it can be done or not.

    What rests on the whole event, such as a pairing, is about all of it.
    """
    if isinstance(action, AskClock):
        return frozenset({("clock", action.round, 0)})
    if isinstance(action, do.Silence):
        return frozenset({("announcement", action.announcement, 0)})
    if isinstance(action, AskEnter | AskDispute | AskAnnounce | do.Report | do.Call):
        return frozenset()  # somebody new is nobody else's, and others are about what has been done
    if isinstance(action, (AskPair, AskPublish)):
        whole: set[Part] = {("settings", 0, 0), ("numbers", 0, 0), ("published", len(state.rounds), 0)}
        whole |= {("round", one.number, 0) for one in state.rounds} | {("round", len(state.rounds) + 1, 0)}
        whole |= {("board", one.number, game.board) for one in state.rounds for game in one.games}
        whole |= {("player", id_, 0) for id_ in state.players} | {("team", id_, 0) for id_ in state.teams}
        return frozenset(whole)
    if isinstance(action, do.Change | AskGroup | do.NameGroup):
        return frozenset({("settings", 0, 0)})
    if isinstance(action, do.SetTeam):
        return frozenset({("team", action.team.id, 0)} if action.team.id else ())
    if isinstance(action, do.Present):
        return frozenset(("present", action.round, id_) for id_ in action.players)
    if isinstance(action, do.Dismiss):
        return frozenset({("official", action.official, 0)})
    if isinstance(action, do.TakeBack):
        return frozenset({("form", action.form, 0)})
    return frozenset(_named(action))


def _named(action: PerformedAction) -> set[Part]:
    """The parts that the members of an action name."""
    found: set[Part] = set()
    if isinstance(action, do.Miss):
        found.add(("round", action.absence.round, 0))
    round_, board = getattr(action, "round", None), getattr(action, "board", None)
    if round_ is not None:
        found.add(("round", round_, 0) if board is None else ("board", round_, board))
    ids: Sequence[int | None] = [getattr(action, name, None) for name in ("player", "white", "black")]
    ids = [*ids, *getattr(action, "players", ())]
    return found | {("player", id_, 0) for id_ in ids if isinstance(id_, int)}

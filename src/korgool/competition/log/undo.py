"""Undo: a line of the log is taken back if no later line depends on it.

The log is replayed without the line. A later line that is then refused depends on it; so does a round or a published
table that would be computed from something else.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import Done, EventState
from korgool.competition.log.group_actions import inner
from korgool.competition.log.people_actions import pass_over
from korgool.competition.log.replay import LineError, step, steps, taken_back
from korgool.competition.model import Round
from korgool.competition.pairing import lineup
from korgool.competition.pairing.engine_file import engine_file
from korgool.competition.standings import standings
from korgool.languages import N_

Part: TypeAlias = tuple[str, int, int]
"""A part of an event: `("player", id, 0)`, `("board", round, board)`, `("round", number, 0)` for its byes and matches,
`("present", round, player)`, `("team", id, 0)`, `("official", id, 0)`, `("form", id, 0)`, `("published", round, 0)`,
`("table", round, board)` for what is said at it, `("clock", round, 0)`, `("announcement", id, 0)`, `("settings", 0, 0)`
and `("numbers", 0, 0)`."""


MOST_NAMED = 8
"""Number of dependent lines that are named; the others are counted."""


class LineTag(str):
    """The code of a line's action, such as `pair`, where a message names the line.

    Attributes:
        at: the line's number in the log, by which a page says it in words.
    """

    at: int

    def __new__(cls, done: Sequence[Done], at: int, /) -> Self:
        """The tag of a line of a log."""
        made = super().__new__(cls, inner(done[at - 1][0]).do)
        made.at = at
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return _tag_again, (str(self), self.at)


def _tag_again(code: str, at: int) -> LineTag:
    """A copied or pickled tag."""
    made = str.__new__(LineTag, code)
    made.at = at
    return made


def undo(state: EventState, action: do.Undo, reason: str) -> EventState:
    """The event after a line of its log is taken back.

    Raises:
        CompetitionError: later lines depend on it, or one has replaced what it did. The message names them, the first
            `MOST_NAMED` where they are more.
    """
    done = (*state.done, (action, reason))
    target = inner(state.done[action.line - 1][0]) if 1 <= action.line <= len(state.done) else None
    if isinstance(target, do.Forget):
        raise CompetitionError(
            N_("line {line} cannot be taken back: what it removed is gone for good"), line=action.line
        )
    if isinstance(target, do.SetPhoto):
        raise CompetitionError(
            N_("line {line} cannot be taken back: replace or remove the photo on the player's page"), line=action.line
        )
    step(state, action, reason)
    first = action.line
    try:
        gone = taken_back(done)
        while isinstance(again := state.done[first - 1][0], do.Undo):
            first = again.line
    except LineError as error:
        if error.at == len(done):
            raise CompetitionError(error.reason) from None
        raise _resting(state.done, {error.at: error.reason}, action.line) from None
    held, found = _walk(state.blank, state.done, taken_back(state.done), first), _walk(state.blank, done, gone, first)
    resting = dict(found.refused)
    for at in held.grounds.keys() & found.grounds.keys():
        if held.grounds[at] != found.grounds[at]:
            resting[at] = Message(_WHY[type(state.done[at - 1][0])])
    if resting:
        raise _resting(state.done, resting, action.line)
    if found.state == state and not isinstance(state.done[action.line - 1][0], do.InGroup):
        raise CompetitionError(_replaced(state, action.line))
    return found.state


_WHY: dict[type[do.Action], str] = {
    do.Pair: N_("the round was paired with it"),
    do.Publish: N_("the standings were computed with it"),
}
_RESTS = N_("line {at} ({later}) rests on line {line} ({earlier}): {why}")
_REST = N_("later lines rest on line {line} ({earlier}): {lines}")
_ONE_OF_THEM = N_("line {at} ({later}): {why}")
_MORE = N_("further lines: {more}")


def _resting(done: Sequence[Done], resting: Mapping[int, str], line: int) -> CompetitionError:
    """Lines that depend on a line, by their numbers, each with the reason."""
    lines = sorted(resting)
    named = [{"at": at, "later": LineTag(done, at), "why": resting[at]} for at in lines[:MOST_NAMED]]
    what = {"line": line, "earlier": LineTag(done, line)}
    if len(lines) == 1:
        return CompetitionError(_RESTS, **named[0], **what)
    parts = [Message(_ONE_OF_THEM, **one) for one in named]
    if len(lines) > MOST_NAMED:
        parts.append(Message(_MORE, more=len(lines) - MOST_NAMED))
    return CompetitionError(_REST, lines=tuple(parts), **what)


def _replaced(state: EventState, line: int) -> str:
    done = state.done
    before = {at: touched(one, other) for at, one, other in steps(done, state.blank)}
    later = [at for at in before if at > line and before[at] & before[line]]
    what = {"line": line, "action": LineTag(done, line)}
    if not later:
        return Message(N_("line {line} ({action}) cannot be taken back: it has changed nothing"), **what)
    return Message(
        N_("line {line} ({action}) cannot be taken back: line {later} ({by}) has replaced it"),
        **what,
        later=later[-1],
        by=LineTag(done, later[-1]),
    )


@dataclass(frozen=True, slots=True)
class _Walk:
    """A replay that passes over what is refused.

    Attributes:
        state: the event after it.
        refused: the lines that are refused, with the reason, also where they rest on another such line.
        grounds: the input of every other paired round and published table, by line.
    """

    state: EventState
    refused: dict[int, str]
    grounds: dict[int, Any]


def _walk(blank: EventState, done: Sequence[Done], gone: Container[int], first: int) -> _Walk:
    """Replay a log without the lines that are gone; grounds are looked at from the line `first` on."""
    refused: dict[int, str] = {}
    grounds: dict[int, Any] = {}
    state = blank
    for at, (action, reason) in enumerate(done, 1):
        before = state
        try:
            state = pass_over(before, action) if at in gone else step(before, action, reason)
        except CompetitionError as error:
            refused[at] = error.message
            state = pass_over(before, action)
        else:
            if at >= first and at not in gone and (ground := _ground(before, action)) is not None:
                grounds[at] = ground
    return _Walk(replace(state, done=tuple(done)), refused, grounds)


def _ground(before: EventState, action: do.AnyAction) -> object:
    """From what a line was computed, None for one that was not."""
    if isinstance(action, do.Publish):
        return standings(before, rounds=action.round, tiebreaks=action.tiebreaks)
    if isinstance(action, do.Pair) and action.engine not in do.NOT_COMPUTED:
        teams = before.teams.values() if before.event.system.of_teams else ()
        return engine_file(before, action.round), [lineup(before, team, action.round) for team in teams]
    return None


_MAPPINGS = {
    "players": "player",
    "elsewhere": "player",
    "teams": "team",
    "officials": "official",
    "forms": "form",
    "published": "published",
    "clocks": "clock",
    "announcements": "announcement",
}


def touched(before: EventState, after: EventState) -> frozenset[Part]:
    """The parts of an event that differ between two moments, such as before and after an action."""
    found: set[Part] = set()
    for name, word in _MAPPINGS.items():
        one, other = getattr(before, name), getattr(after, name)
        if one is not other:
            # Most values are the same objects, and to compare those takes long.
            same = {id_ for id_, held in one.items() if (now := other.get(id_)) is held or now == held}
            found |= {(word, id_, 0) for id_ in (one.keys() | other.keys()) - same}
    if before.present is not after.present:
        for number in before.present.keys() | after.present.keys():
            ids = before.present.get(number, frozenset()) ^ after.present.get(number, frozenset())
            found |= {("present", number, id_) for id_ in ids}
    if before.disputes is not after.disputes:
        places = before.disputes.keys() | after.disputes.keys()
        found |= {("board", *at) for at in places if before.disputes.get(at) != after.disputes.get(at)}
    for one, other in ((before.reports, after.reports), (before.calls, after.calls)):
        if one is not other:
            found |= {("table", *at) for at in one.keys() | other.keys() if one.get(at) != other.get(at)}
    if (before.settings, before.groups) != (after.settings, after.groups):
        found.add(("settings", 0, 0))
    if before.emblem != after.emblem:
        found.add(("emblem", 0, 0))
    if (before.seeded, before.white_first, before.lot) != (after.seeded, after.white_first, after.lot):
        found.add(("numbers", 0, 0))
    for at in range(max(len(before.rounds), len(after.rounds))):
        one, other = (rounds[at] if at < len(rounds) else None for rounds in (before.rounds, after.rounds))
        if one is not other:
            found |= _touched_round(at + 1, one, other)
    return frozenset(found)


def _touched_round(number: int, one: Round | None, other: Round | None) -> set[Part]:
    found: set[Part] = set()
    heads = [round_ and (round_.byes, round_.matches, round_.manual) for round_ in (one, other)]
    if heads[0] != heads[1]:
        found.add(("round", number, 0))
    games, others = ({game.board: game for game in round_.games} if round_ else {} for round_ in (one, other))
    return found | {("board", number, at) for at in games.keys() | others.keys() if games.get(at) != others.get(at)}

"""Undo: a line of the log is taken back if no later line depends on it.

The log is replayed without the line. A later line that is then refused depends on it; so does a round or a published
table that would be computed from something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import Done, EventState
from korgool.competition.log.replay import LineError, replay, steps, taken_back
from korgool.competition.model import Round
from korgool.competition.pairing import lineup
from korgool.competition.pairing.engine_file import engine_file
from korgool.competition.standings import standings
from korgool.languages import N_

Part: TypeAlias = tuple[str, int, int]
"""A part of an event: `("player", id, 0)`, `("board", round, board)`, `("round", number, 0)` for its byes and matches,
`("present", round, player)`, `("team", id, 0)`, `("official", id, 0)`, `("form", id, 0)`, `("published", round, 0)`,
`("settings", 0, 0)` and `("numbers", 0, 0)`."""


def undo(state: EventState, action: do.Undo, reason: str) -> EventState:
    """The event after a line of its log is taken back.

    Raises:
        CompetitionError: a later line depends on it, or has replaced what it did; the message names that line.
    """
    done = (*state.done, (action, reason))
    if 1 <= action.line <= len(state.done) and isinstance(state.done[action.line - 1][0], do.Forget):
        raise CompetitionError(
            N_("line {line} cannot be taken back: what it removed is gone for good"), line=action.line
        )
    if 1 <= action.line <= len(state.done) and isinstance(state.done[action.line - 1][0], do.SetPhoto):
        raise CompetitionError(
            N_("line {line} cannot be taken back: replace or remove the photo at the player"), line=action.line
        )
    try:
        after = replay(done)
    except LineError as error:
        if error.at == len(done):
            raise CompetitionError(error.reason) from None
        raise _resting(state.done, error.at, action.line, error.reason) from None
    first = action.line
    while isinstance(again := state.done[first - 1][0], do.Undo):
        first = again.line
    held, found = (_grounds(lines, first) for lines in (state.done, done))
    for at in sorted(held.keys() & found.keys()):
        if held[at] != found[at]:
            raise _resting(state.done, at, action.line, Message(_WHY[type(state.done[at - 1][0])]))
    if after == state:
        raise CompetitionError(_replaced(state.done, action.line))
    return after


_WHY: dict[type[do.Action], str] = {
    do.Pair: N_("the round was paired with it"),
    do.Publish: N_("the standings were computed with it"),
}


def _resting(done: Sequence[Done], at: int, line: int, why: str) -> CompetitionError:
    return CompetitionError(
        N_("line {at} ({later}) rests on line {line} ({earlier}): {why}"),
        at=at,
        later=_tag(done, at),
        line=line,
        earlier=_tag(done, line),
        why=why,
    )


def _replaced(done: Sequence[Done], line: int) -> str:
    before = {at: touched(one, other) for at, one, other in steps(done)}
    later = [at for at in before if at > line and before[at] & before[line]]
    what = {"line": line, "action": _tag(done, line)}
    if not later:
        return Message(N_("line {line} ({action}) cannot be taken back: it has changed nothing"), **what)
    return Message(
        N_("line {line} ({action}) cannot be taken back: line {later} ({by}) has replaced it"),
        **what,
        later=later[-1],
        by=_tag(done, later[-1]),
    )


def _tag(done: Sequence[Done], at: int) -> str:
    return done[at - 1][0].do


def _grounds(done: Sequence[Done], first: int) -> dict[int, Any]:
    """The input of every paired round and published table from a line on, by line."""
    found: dict[int, Any] = {}
    gone = taken_back(done)
    for at, before, _ in steps(done):
        action = done[at - 1][0]
        if at < first or at in gone:
            continue
        if isinstance(action, do.Publish):
            found[at] = standings(before, rounds=action.round, tiebreaks=action.tiebreaks)
        elif isinstance(action, do.Pair) and action.engine not in do.NOT_COMPUTED:
            teams = before.teams.values() if before.event.system.of_teams else ()
            found[at] = engine_file(before, action.round), [lineup(before, team, action.round) for team in teams]
    return found


_MAPPINGS = {"players": "player", "teams": "team", "officials": "official", "forms": "form", "published": "published"}


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
    if before.settings != after.settings:
        found.add(("settings", 0, 0))
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

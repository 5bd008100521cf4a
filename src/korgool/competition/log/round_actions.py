"""Actions on rounds: pairing numbers, pairings, results, game records and published standings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.round_check import check_round
from korgool.competition.log.round_repair import repair_round
from korgool.competition.model import EventWarning, PairedGame, Penalty, Player, Round

MOST_RECORD = 200_000
"""Most characters of an attached game record."""


def apply_round_action(state: EventState, action: do.AnyAction) -> EventState:
    """The event after an action on its rounds; raises CompetitionError if it is refused."""
    return _HANDLERS[type(action)](state, action)


def _seed(state: EventState, action: do.Seed) -> EventState:
    if state.rounds:
        raise CompetitionError("pairing numbers stay once the first round is paired")
    held = state.teams if state.event.system.of_teams else state.players
    if sorted(action.order) != sorted(held):
        raise CompetitionError("pairing numbers name every competitor once")
    numbers = {id_: number for number, id_ in enumerate(action.order, 1)}
    changed: dict[str, Any] = {
        "teams" if state.event.system.of_teams else "players": MappingProxyType(
            {id_: replace(one, number=numbers[id_]) for id_, one in held.items()}
        )
    }
    return replace(state, seeded=True, white_first=action.white, lot=action.lot, **changed)


def _pair(state: EventState, action: do.Pair) -> EventState:
    if not state.seeded:
        raise CompetitionError("give pairing numbers before the first round")
    if not state.complete:
        boards = ", ".join(map(str, state.rounds[-1].missing[:20]))
        raise CompetitionError(f"round {len(state.rounds)} lacks the results of boards {boards}")
    if action.round != len(state.rounds) + 1:
        raise CompetitionError(f"the next round is {len(state.rounds) + 1}, not {action.round}")
    if action.round > state.event.rounds:
        raise CompetitionError(f"the event has {state.event.rounds} rounds, all are paired")
    one = Round(action.round, action.games, action.byes, action.matches)
    check_round(state, one)
    return replace(state, rounds=(*state.rounds, one))


def _repair(state: EventState, action: do.Repair) -> EventState:
    if action.round:
        return repair_round(state, action)
    last = _last_without_results(state)
    one = Round(last.number, action.games, action.byes, action.matches, manual=True)
    check_round(state, one)
    return replace(state, rounds=(*state.rounds[:-1], one))


def _unpair(state: EventState, action: do.Unpair) -> EventState:
    last = _last_without_results(state)
    if action.round != last.number:
        raise CompetitionError(f"only the last round can be taken back, that is {last.number}")
    players = state.players
    if action.rewinds:
        players = MappingProxyType({id_: _rewound(player, last.number) for id_, player in players.items()})
    return replace(state, rounds=state.rounds[:-1], players=players)


def _rewound(player: Player, number: int) -> Player:
    """The player as if everything since a round was paired had happened before it."""
    before = number - 1
    return replace(
        player,
        since=min(player.since, number),
        until=None if player.until is None else min(player.until, before),
        warnings=tuple(EventWarning(min(one.round, before), one.reason) for one in player.warnings),
        penalties=tuple(Penalty(min(one.round, before), one.half_points, one.reason) for one in player.penalties),
    )


def _last_without_results(state: EventState) -> Round:
    if not state.rounds:
        raise CompetitionError("no round is paired")
    last = state.rounds[-1]
    for game in last.games:
        if game.result is not None and game.white and game.black:
            raise CompetitionError(f"round {last.number} has a result on board {game.board}; take it back first")
    return last


def _record(state: EventState, action: do.EnterResult) -> EventState:
    game = state.round(action.round).game(action.board)
    if game.result is not None:
        raise CompetitionError(
            f"round {action.round}, board {action.board} has the result {game.result.text} already; correct it instead"
        )
    return _put_result(state, action.round, game, action)


def _correct(state: EventState, action: do.Correct) -> EventState:
    game = state.round(action.round).game(action.board)
    if game.result is None:
        raise CompetitionError(f"round {action.round}, board {action.board} has no result to correct")
    if action.result is None and action.round < len(state.rounds):
        raise CompetitionError(
            f"round {action.round} has rounds after it: its results can be corrected, not taken back"
        )
    return _put_result(state, action.round, game, action)


def _put_result(state: EventState, number: int, game: PairedGame, action: do.EnterResult | do.Correct) -> EventState:
    if action.result is not None:
        try:
            action.result.check(state.event.rules(), sets=state.event.sets)
        except CompetitionError as error:
            raise CompetitionError(f"round {number}, board {game.board}: {error}") from None
    return _put_game(state, number, replace(game, result=action.result))


def _put_game(state: EventState, number: int, game: PairedGame) -> EventState:
    one = state.round(number)
    games = tuple(game if other.board == game.board else other for other in one.games)
    changed = replace(one, games=games)
    return replace(state, rounds=(*state.rounds[: number - 1], changed, *state.rounds[number:]))


def _attach(state: EventState, action: do.Attach) -> EventState:
    game = state.round(action.round).game(action.board)
    place = f"round {action.round}, board {action.board}"
    if len(action.records) > state.event.sets:
        raise CompetitionError(f"{place}: {len(action.records)} records for {state.event.sets} games")
    if any(len(text) > MOST_RECORD for text in action.records):
        raise CompetitionError(f"{place}: a game record has at most {MOST_RECORD} characters")
    return _put_game(state, action.round, replace(game, records=action.records))


def _choose(state: EventState, action: do.Choose) -> EventState:
    game = state.round(action.round).game(action.board)
    return _put_game(state, action.round, replace(game, special=action.special))


def _publish(state: EventState, action: do.Publish) -> EventState:
    if action.round > len(state.rounds) or (action.round == len(state.rounds) and not state.complete):
        raise CompetitionError(f"round {action.round} is not complete, its standings cannot be published")
    published = {**state.published, action.round: (action.tiebreaks, action.rows)}
    return replace(state, published=MappingProxyType(published))


_HANDLERS: dict[type[do.Action], Callable[[EventState, Any], EventState]] = {
    do.Seed: _seed,
    do.Pair: _pair,
    do.Repair: _repair,
    do.Unpair: _unpair,
    do.EnterResult: _record,
    do.Correct: _correct,
    do.Attach: _attach,
    do.Choose: _choose,
    do.Publish: _publish,
}

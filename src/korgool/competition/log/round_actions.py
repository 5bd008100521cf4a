"""Actions on rounds: pairing numbers, pairings, results, game records and published standings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.log.disputes import dispute, keep_disputes, settle
from korgool.competition.log.people_actions import put
from korgool.competition.log.round_check import check_round, competitor_name
from korgool.competition.log.round_repair import repair_round
from korgool.competition.log.table_actions import call, keep_tables, report
from korgool.competition.model import Bye, ByeKind, EventWarning, PairedGame, Penalty, Player, Round
from korgool.languages import N_

MOST_RECORD = 200_000
"""Most characters of an attached game record."""


def apply_round_action(state: EventState, action: do.AnyAction) -> EventState:
    """The event after an action on its rounds; raises CompetitionError if it is refused."""
    after = keep_disputes(state, _HANDLERS[type(action)](state, action))
    return keep_tables(state, after)


def _seed(state: EventState, action: do.Seed) -> EventState:
    if state.rounds:
        raise CompetitionError(N_("pairing numbers stay once the first round is paired"))
    held = state.teams if state.event.system.of_teams else state.players
    if sorted(action.order) != sorted(held):
        raise CompetitionError(N_("pairing numbers name every competitor once"))
    numbers = {id_: number for number, id_ in enumerate(action.order, 1)}
    changed: dict[str, Any] = {
        "teams" if state.event.system.of_teams else "players": MappingProxyType(
            {id_: replace(one, number=numbers[id_]) for id_, one in held.items()}
        )
    }
    return replace(state, seeded=True, white_first=action.white, lot=action.lot, **changed)


def _pair(state: EventState, action: do.Pair) -> EventState:
    if not state.seeded:
        raise CompetitionError(N_("give pairing numbers before the first round"))
    if not state.complete:
        boards = ", ".join(map(str, state.rounds[-1].missing[:20]))
        raise CompetitionError(
            N_("round {number} lacks the results of boards {boards}"), number=len(state.rounds), boards=boards
        )
    if action.round != len(state.rounds) + 1:
        raise CompetitionError(
            N_("the next round is {next}, not {number}"), next=len(state.rounds) + 1, number=action.round
        )
    if action.round > state.event.rounds:
        raise CompetitionError(N_("the event has {rounds} rounds, all are paired"), rounds=state.event.rounds)
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
        raise CompetitionError(N_("only the last round can be taken back, that is {number}"), number=last.number)
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
        raise CompetitionError(N_("no round is paired"))
    last = state.rounds[-1]
    for game in last.games:
        if game.result is not None and game.white and game.black:
            raise CompetitionError(
                N_("round {number} has a result on board {board}; take it back first"),
                number=last.number,
                board=game.board,
            )
    return last


def _record(state: EventState, action: do.EnterResult) -> EventState:
    game = state.round(action.round).game(action.board)
    if game.result is not None:
        raise CompetitionError(
            N_("round {round}, board {board} has the result {text} already; correct it instead"),
            round=action.round,
            board=action.board,
            text=game.result.text,
        )
    return _put_result(state, action.round, game, action)


def _correct(state: EventState, action: do.Correct) -> EventState:
    game = state.round(action.round).game(action.board)
    if game.result is None:
        raise CompetitionError(
            N_("round {round}, board {board} has no result to correct"), round=action.round, board=action.board
        )
    if action.result is None and action.round < len(state.rounds):
        raise CompetitionError(
            N_("round {round} has rounds after it: its results can be corrected, not taken back"), round=action.round
        )
    return settle(_put_result(state, action.round, game, action), action)


def _correct_bye(state: EventState, action: do.CorrectBye) -> EventState:
    one = state.round(action.round)
    of_teams = state.event.system.of_teams
    name = competitor_name(state, action.player)
    if action.kind is ByeKind.ALLOCATED:
        raise CompetitionError(N_("a pairing-allocated bye is given by the pairing, nobody can ask for it"))
    pairs = [(match.home, match.away) for match in one.matches] if of_teams else [
        (game.white, game.black) for game in one.games
    ]  # fmt: skip
    if any(action.player in pair for pair in pairs):
        raise CompetitionError(N_("{name} has a game in round {round}, and no bye"), name=name, round=action.round)
    held = next((bye.kind for bye in one.byes if bye.player == action.player), ByeKind.ZERO)
    if held is action.kind:
        raise CompetitionError(
            N_("{name} has this bye in round {round} already ({kind})"),
            name=name,
            round=action.round,
            kind=action.kind.value,
        )
    others = tuple(bye for bye in one.byes if bye.player != action.player)
    changed = replace(one, byes=(*others, Bye(action.player, action.kind)))
    state = replace(state, rounds=(*state.rounds[: action.round - 1], changed, *state.rounds[action.round :]))
    if of_teams:
        return state
    player = state.players[action.player]
    asked = tuple(
        replace(absence, kind=action.kind) if absence.round == action.round else absence for absence in player.absences
    )
    return replace(state, players=put(state.players, player.id, replace(player, absences=asked)))


def _put_result(state: EventState, number: int, game: PairedGame, action: do.EnterResult | do.Correct) -> EventState:
    if action.result is not None:
        try:
            action.result.check(state.event.rules(), sets=state.event.sets)
        except CompetitionError as error:
            raise CompetitionError(
                N_("round {number}, board {board}: {error}"), number=number, board=game.board, error=error
            ) from None
    return _put_game(state, number, replace(game, result=action.result))


def _put_game(state: EventState, number: int, game: PairedGame) -> EventState:
    one = state.round(number)
    games = tuple(game if other.board == game.board else other for other in one.games)
    changed = replace(one, games=games)
    return replace(state, rounds=(*state.rounds[: number - 1], changed, *state.rounds[number:]))


def _attach(state: EventState, action: do.Attach) -> EventState:
    game = state.round(action.round).game(action.board)
    place = Message(N_("round {number}, board {board}"), number=action.round, board=action.board)
    if len(action.records) > state.event.sets:
        raise CompetitionError(
            N_("{place}: {count} records for {sets} games"),
            place=place,
            count=len(action.records),
            sets=state.event.sets,
        )
    if any(len(text) > MOST_RECORD for text in action.records):
        raise CompetitionError(
            N_("{place}: a game record has at most {most} characters"), place=place, most=MOST_RECORD
        )
    return _put_game(state, action.round, replace(game, records=action.records))


def _choose(state: EventState, action: do.Choose) -> EventState:
    game = state.round(action.round).game(action.board)
    return _put_game(state, action.round, replace(game, special=action.special))


def _publish(state: EventState, action: do.Publish) -> EventState:
    if action.round > len(state.rounds) or (action.round == len(state.rounds) and not state.complete):
        raise CompetitionError(
            N_("round {round} is not complete, its standings cannot be published"), round=action.round
        )
    published = {**state.published, action.round: (action.tiebreaks, action.rows)}
    return replace(state, published=MappingProxyType(published))


_HANDLERS: dict[type[do.Action], Callable[[EventState, Any], EventState]] = {
    do.Seed: _seed,
    do.Pair: _pair,
    do.Repair: _repair,
    do.Unpair: _unpair,
    do.EnterResult: _record,
    do.Correct: _correct,
    do.Dispute: dispute,
    do.Settle: settle,
    do.Report: report,
    do.Call: call,
    do.CorrectBye: _correct_bye,
    do.Attach: _attach,
    do.Choose: _choose,
    do.Publish: _publish,
}

"""A round changed by hand, the last or an earlier one, without losing its results."""

from __future__ import annotations

from dataclasses import replace

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.log.people_actions import put
from korgool.competition.log.round_check import check_round
from korgool.competition.model import PairedGame, Round
from korgool.languages import N_


def repair_round(state: EventState, action: do.Repair) -> EventState:
    """The event after a round is changed by hand.

    Players entered since the last round was paired may be seated in it. Every board of an earlier round needs a result.

    Raises:
        CompetitionError: the round would be invalid, or a result would be lost or replaced.
    """
    held = state.round(action.round)
    last = held.number == len(state.rounds)
    for id_ in sorted({id_ for game in action.games for id_ in (game.white, game.black)} & state.players.keys()):
        player = state.players[id_]
        if last and player.since > held.number:
            player = replace(player, since=held.number)
            state = replace(state, players=put(state.players, id_, player))
    bare = tuple(replace(game, result=None) for game in action.games)
    check_round(state, Round(held.number, bare, action.byes, action.matches), held)
    games = tuple(_game(state, held, game) for game in action.games)
    _check_results(held, games, last=last)
    one = Round(held.number, games, action.byes, action.matches, manual=True)
    return replace(state, rounds=(*state.rounds[: held.number - 1], one, *state.rounds[held.number :]))


def _pair(game: PairedGame) -> frozenset[int]:
    return frozenset((game.white, game.black))


def _game(state: EventState, held: Round, game: PairedGame) -> PairedGame:
    """A board after the change."""
    place = Message(N_("round {number}, board {board}"), number=held.number, board=game.board)
    before = next((one for one in held.games if _pair(one) == _pair(game)), None)
    if before is not None:
        if game.result is not None:
            raise CompetitionError(
                N_("{place}: the two have met in this round, their result is corrected and not given"), place=place
            )
        turned = before.white != game.white and before.result is not None
        result = before.result.mirrored if turned and before.result is not None else before.result
        return replace(before, board=game.board, white=game.white, black=game.black, result=result)
    if game.result is None:
        return game
    game.result.check(state.event.rules(), sets=state.event.sets)
    here = next((one for one in held.games if one.board == game.board), game)
    return replace(game, records=here.records, special=here.special)


def _check_results(held: Round, games: tuple[PairedGame, ...], *, last: bool) -> None:
    met = {_pair(game) for game in games}
    known = {game.board for game in games if game.result is not None}
    for game in held.games:
        if game.result is not None and game.white and game.black and _pair(game) not in met and game.board not in known:
            raise CompetitionError(
                N_(
                    "round {number}, board {board} has the result {text}, and its players would not meet any more; "
                    "take the result back first"
                ),
                number=held.number,
                board=game.board,
                text=game.result.text,
            )
    for game in games:
        if not last and game.result is None:
            raise CompetitionError(
                N_("round {number} has rounds after it, and board {board} would have no result"),
                number=held.number,
                board=game.board,
            )

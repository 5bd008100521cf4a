"""Checks of a round: every player once, boards in order, byes as they were asked for."""

from __future__ import annotations

from collections import Counter

from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, Round, System
from korgool.languages import N_


def there(one: Round) -> set[int]:
    """Ids of the players in a round, at a board or with a bye."""
    return {id_ for game in one.games for id_ in (game.white, game.black)} - {0} | {bye.player for bye in one.byes}


def check_round(state: EventState, one: Round, held: Round | None = None) -> None:
    """Refuse an invalid round: unknown or doubled players, wrong boards, players left out.

    Args:
        state: the event.
        one: the round, without results.
        held: the round that it replaces by hand; its players keep a place, whatever has become of them since.
    """
    place = Message(N_("round {number}"), number=one.number)
    if [game.board for game in one.games] != list(range(1, len(one.games) + 1)):
        raise CompetitionError(N_("{place}: boards are numbered from 1 in their order"), place=place)
    if any(game.result is not None for game in one.games):
        raise CompetitionError(N_("{place}: a pairing has no result yet"), place=place)
    seated = Counter(id_ for game in one.games for id_ in (game.white, game.black) if id_)
    if state.event.system.of_teams:
        check_matches(state, one, held)
    else:
        seated.update(bye.player for bye in one.byes)
        check_byes(state, one, place, held)
    for id_, times in seated.items():
        if id_ not in state.players:
            raise CompetitionError(N_("{place}: there is no player with the id {id}"), place=place, id=id_)
        if times > 1:
            raise CompetitionError(
                N_("{place}: {name} is paired {times} times"),
                place=place,
                name=state.players[id_].name,
                times=times,
            )
    for game in one.games if not state.event.system.of_teams else ():
        for id_ in (game.white, game.black):
            if id_ == 0:
                raise CompetitionError(N_("{place}, board {board} has one player only"), place=place, board=game.board)
            if not state.players[id_].plays(one.number) and id_ not in (there(held) if held else ()):
                raise CompetitionError(
                    N_("{place}, board {board}: {name} does not play"),
                    place=place,
                    board=game.board,
                    name=state.players[id_].name,
                )
    if state.event.system in (System.KNOCKOUT, System.TEAM_SWISS, System.TEAM_ROUND_ROBIN):
        return
    for player in state.players.values():
        if (player.id in there(held) if held else player.plays(one.number)) and player.id not in seated:
            raise CompetitionError(N_("{place}: {name} is not paired"), place=place, name=player.name)


def competitor_name(state: EventState, id_: int) -> str:
    """Name of a player, or in a team event of a team; raises CompetitionError if there is none."""
    if state.event.system.of_teams:
        if id_ not in state.teams:
            raise CompetitionError(N_("there is no team with the id {id}"), id=id_)
        return state.teams[id_].name
    if id_ not in state.players:
        raise CompetitionError(N_("there is no player with the id {id}"), id=id_)
    return state.players[id_].name


def check_byes(state: EventState, one: Round, place: str, held: Round | None = None) -> None:
    """Refuse byes that differ from those that were asked for, and from those of the round that is replaced."""
    before = {bye.player: bye.kind for bye in held.byes} if held else {}
    byes = {bye.player: bye.kind for bye in one.byes}
    for player in state.players.values():
        fixed = player.bye(one.number)
        given = byes.get(player.id, ByeKind.ZERO if fixed is ByeKind.ZERO else None)
        if fixed is not None and given is not fixed and (given is None or given is not before.get(player.id)):
            raise CompetitionError(
                N_("{place}: {name} asked for a bye ({fixed})"), place=place, name=player.name, fixed=fixed.value
            )


def check_matches(state: EventState, one: Round, held: Round | None = None) -> None:
    """Refuse matches of unknown or doubled teams, and boards with players of other teams.

    Those who played in the round that is replaced may have changed the team since.
    """
    before = {id_ for game in held.games for id_ in (game.white, game.black)} if held else set()
    place = Message(N_("round {number}"), number=one.number)
    teams = Counter(id_ for match in one.matches for id_ in (match.home, match.away))
    teams.update(bye.player for bye in one.byes)
    for id_, times in teams.items():
        if id_ not in state.teams:
            raise CompetitionError(N_("{place}: there is no team with the id {id}"), place=place, id=id_)
        if times > 1:
            raise CompetitionError(
                N_("{place}: team {name} is paired {times} times"), place=place, name=state.teams[id_].name, times=times
            )
    boards = [board for match in one.matches for board in match.boards]
    if sorted(boards) != [game.board for game in one.games]:
        raise CompetitionError(N_("{place}: every board belongs to one team match"), place=place)
    for match in one.matches:
        home, away = set(state.teams[match.home].players), set(state.teams[match.away].players)
        for board in match.boards:
            game = one.game(board)
            seated = {game.white, game.black} - {0}
            if not seated or len(seated & home) > 1 or len(seated & away) > 1 or seated - home - away - before:
                raise CompetitionError(
                    N_("{place}, board {board}: the players are not of the two teams that meet"),
                    place=place,
                    board=board,
                )

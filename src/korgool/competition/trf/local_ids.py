"""A group of an event with permanent ids of its own, as if it were an event: a report knows no other groups."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from korgool.competition.event_state import EventState
from korgool.competition.model import Round


def with_local_ids(state: EventState) -> EventState:
    """The settings, people, teams and rounds of a group, its players with the ids 1, 2 and so on, as they came."""
    ids = {id_: at for at, id_ in enumerate(state.players, 1)}
    ids[0] = 0
    players = {ids[id_]: replace(one, id=ids[id_]) for id_, one in state.players.items()}
    teams = {
        id_: replace(one, players=tuple(ids[player] for player in one.players)) for id_, one in state.teams.items()
    }
    rounds = tuple(_renumbered(one, ids, of_teams=state.event.system.of_teams) for one in state.rounds)
    return replace(
        state, players=MappingProxyType(players), teams=MappingProxyType(teams), rounds=rounds,
        elsewhere=MappingProxyType({}), present=MappingProxyType({}), published=MappingProxyType({}), done=(),
    )  # fmt: skip


def _renumbered(one: Round, ids: dict[int, int], *, of_teams: bool) -> Round:
    games = tuple(replace(game, white=ids[game.white], black=ids[game.black]) for game in one.games)
    byes = one.byes if of_teams else tuple(replace(bye, player=ids[bye.player]) for bye in one.byes)
    return replace(one, games=games, byes=byes)

"""Team matches: line-ups, boards and colours, and the round robin of teams (WNG-TK §XI, §XIII)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Bye, ByeKind, PairedGame, Team, TeamMatch
from korgool.competition.pairing.berger import ENGINE, round_table
from korgool.competition.pairing.paired_round import Paired
from korgool.languages import N_


def present(state: EventState, team: Team, number: int) -> tuple[int, ...]:
    """Ids of a team's players who may play in a round, by board."""
    return tuple(id_ for id_ in team.players if id_ in state.players and state.players[id_].plays(number))


def may_start(state: EventState, team: Team, number: int) -> bool:
    """Return whether at least half of a team's players are present, as it needs to start (WNG-TK §XIII)."""
    there = len(present(state, team, number))
    return there > 0 and 2 * there >= len(team.players)


def lineup(state: EventState, team: Team, number: int) -> tuple[int, ...]:
    """Ids of the players of a team in a round, from the first board; reserves move up.

    There are fewer than boards if too few are present, and none if the team may not start.
    """
    return present(state, team, number)[: state.event.boards] if may_start(state, team, number) else ()


def lay_out(
    state: EventState, number: int, met: Sequence[tuple[int, int]], byes: Iterable[Bye] = (), engine: str = ""
) -> Paired:
    """The boards of team matches.

    The first team of a pair has White on the first board and every other one, the second team on the boards between. A
    board for which one team has no player holds the id 0 and is forfeited; a board without any player is left out.

    Args:
        state: the event.
        number: the round, from 1.
        met: ids of the teams that meet, table by table.
        byes: teams without an opponent.
        engine: what paired the teams.

    Raises:
        CompetitionError: neither team of a match may start.
    """
    games: list[PairedGame] = []
    matches: list[TeamMatch] = []
    for table, (home, away) in enumerate(met, 1):
        teams = (state.teams[home], state.teams[away])
        seats = list(zip_longest(*(lineup(state, team, number) for team in teams), fillvalue=0))
        if not seats:
            raise CompetitionError(
                N_("round {number}: neither {home} nor {away} has half of its players there"),
                number=number,
                home=teams[0].name,
                away=teams[1].name,
            )
        boards = []
        for place, (one, other) in enumerate(seats):
            white, black = (one, other) if place % 2 == 0 else (other, one)
            games.append(PairedGame(len(games) + 1, white, black))
            boards.append(len(games))
        matches.append(TeamMatch(table, home, away, tuple(boards)))
    return Paired(tuple(games), tuple(byes), tuple(matches), engine)


def pair_team_berger(state: EventState, number: int) -> Paired:
    """Pair a round of teams by the Berger table of their pairing numbers.

    A team that may not start loses every board for which its opponent has a player; if neither may, there is no match.
    In an odd field one team is free and gets nothing.

    Raises:
        CompetitionError: the field has no such round.
    """
    ids = {team.number: team.id for team in state.teams.values()}
    met: list[tuple[int, int]] = []
    byes: list[Bye] = []
    for home, away in round_table(len(ids), number, double=False):
        pair = [ids[one] for one in (home, away) if one in ids]
        if len(pair) == 2 and any(may_start(state, state.teams[id_], number) for id_ in pair):
            met.append((pair[0], pair[1]))
        else:
            byes += [Bye(id_, ByeKind.ZERO) for id_ in pair]
    return lay_out(state, number, met, byes, ENGINE)

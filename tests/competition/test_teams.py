"""Team matches on boards: who sits where, who may start, and team events to their end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, Settings, System, Team
from korgool.competition.pairing import lay_out, lineup, may_start, pair, seed
from korgool.competition.pairing_doubts import pairing_notes
from korgool.competition.result import Result
from korgool.competition.round_history import team_history
from korgool.competition.standings import TIEBREAKS, cross_table, standings

Factory = Callable[..., EventState]


def teams(*sizes: int, boards: int = 4, rounds: int = 3, system: System = System.TEAM_ROUND_ROBIN) -> EventState:
    state = apply(EventState(), do.Open(Settings(name="Cup", system=system, boards=boards, rounds=rounds)))
    members: list[tuple[int, ...]] = []
    for count in sizes:
        first = len(state.players) + 1
        for _ in range(count):
            state = apply(state, do.Enter(Entry(family=f"P{len(state.players) + 1}", rating=1500)))
        members.append(tuple(range(first, first + count)))
    for number, players in enumerate(members, 1):
        state = apply(state, do.SetTeam(Team(0, 0, f"Team {number}", players=players)))
    return apply(state, seed(state, "lot"))


def away(state: EventState, *players: int, round_: int = 1) -> EventState:
    for id_ in players:
        state = apply(state, do.Miss(id_, Absence(round_, ByeKind.ZERO)))
    return state


def test_colours_change_from_board_to_board() -> None:
    state = teams(5, 4)
    paired = lay_out(state, 1, [(1, 2)])
    assert [(game.white, game.black) for game in paired.games] == [(1, 6), (7, 2), (3, 8), (9, 4)]
    assert [game.board for game in paired.games] == [1, 2, 3, 4]
    assert [(one.table, one.home, one.away, one.boards) for one in paired.matches] == [(1, 1, 2, (1, 2, 3, 4))]


def test_a_reserve_moves_up_and_a_missing_board_is_forfeited() -> None:
    state = away(teams(5, 4), 2, 6)
    assert lineup(state, state.teams[1], 1) == (1, 3, 4, 5)
    assert lineup(state, state.teams[2], 1) == (7, 8, 9)
    paired = lay_out(state, 1, [(1, 2)])
    assert [(game.white, game.black) for game in paired.games] == [(1, 7), (8, 3), (4, 9), (0, 5)]
    both = lay_out(away(state, 3), 1, [(1, 2)])
    assert [(game.white, game.black) for game in both.games] == [(1, 7), (8, 4), (5, 9)], "nobody has a fourth"


def test_a_team_starts_with_half_of_its_players() -> None:
    """WNG-TK §XIII: not less than half of the players."""
    state = teams(4, 4)
    for absent, may in [((), True), ((1, 2), True), ((1, 2, 3), False), ((1, 2, 3, 4), False)]:
        now = away(state, *absent)
        assert may_start(now, now.teams[1], 1) is may
        assert len(lineup(now, now.teams[1], 1)) == (4 - len(absent) if may else 0)
    now = away(state, 1, 2, 3)
    assert [(game.white, game.black) for game in lay_out(now, 1, [(1, 2)]).games] == [(0, 5), (6, 0), (0, 7), (8, 0)]
    with pytest.raises(CompetitionError, match="neither Team 1 nor Team 2 has half"):
        lay_out(away(now, 5, 6, 7), 1, [(1, 2)])


def test_a_team_that_does_not_come_loses_its_match() -> None:
    state = away(teams(2, 2, boards=2, rounds=1), 1, 2)
    paired = pair(state, 1)
    state = apply(state, paired.action(1))
    for game in paired.games:
        state = apply(
            state, do.EnterResult(1, game.board, Result(*((2, 0) if game.white else (0, 2)), cause="forfeit"))
        )
    met = team_history(state)
    assert [one.points for one in (*met[1], *met[2])] == [0, 2]
    assert [one.game_points for one in (*met[1], *met[2])] == [0, 4]
    assert standings(state)[0].competitor == 2
    nobody = away(teams(2, 2, boards=2, rounds=1), 1, 2, 3, 4)
    assert {(bye.player, bye.kind) for bye in pair(nobody, 1).byes} == {(1, ByeKind.ZERO), (2, ByeKind.ZERO)}


@pytest.mark.parametrize("count", [4, 5])
def test_a_round_robin_of_teams(event: Factory, count: int) -> None:
    rounds = count - 1 + count % 2
    state = event(
        count * 4, rounds, 4, engine=True, teams=count, system=System.TEAM_ROUND_ROBIN, boards=3, absences=0.1
    )
    met = Counter(frozenset((one.home, one.away)) for each in state.rounds for one in each.matches)
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {1}
    for one in state.rounds:
        for match in one.matches:
            home = [one.game(board).white for board in match.boards]
            for place, white in enumerate(home):
                assert white == 0 or white in state.teams[match.home if place % 2 == 0 else match.away].players
    rows = standings(state)
    drawn = sum(len(each.matches) for each in state.rounds)
    assert sum(row.points for row in rows) <= 2 * drawn
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def test_a_swiss_event_of_teams(event: Factory) -> None:
    state = event(36, 4, 2, engine=True, teams=9, system=System.TEAM_SWISS, boards=3, absences=0.05)
    met = [frozenset((one.home, one.away)) for each in state.rounds for one in each.matches]
    assert len(set(met)) == len(met), "nobody meets twice"
    byes = Counter(bye.player for each in state.rounds for bye in each.byes if bye.kind is ByeKind.ALLOCATED)
    assert max(byes.values(), default=0) <= 1
    assert len(standings(state)) == 9
    assert len(standings(state, players=True)) == 36


def test_an_odd_field_of_teams_has_one_free() -> None:
    state = teams(2, 2, 2, boards=2)
    paired = pair(state, 1)
    assert len(paired.matches) == 1
    assert len(paired.byes) == 1
    assert paired.byes[0].kind is ByeKind.ZERO
    assert isinstance(paired.byes[0], Bye)


def test_players_of_a_team_event_are_ranked_with_their_empty_boards(event: Factory) -> None:
    """A player without an opponent has a forfeit win and no opponent, in the standings of the boards and in the
    chart."""
    for system in (System.TEAM_SWISS, System.TEAM_ROUND_ROBIN):
        state = away(teams(2, 2, boards=2, rounds=1, system=system), 2, 3)
        state = apply(state, lay_out(state, 1, [(1, 2)]).action(1))
        state = apply(state, do.EnterResult(1, 1, Result(2, 0, (82, 60))))
        assert [(game.white, game.black) for game in state.rounds[0].games] == [(1, 4)]
        state = away(teams(2, 2, boards=2, rounds=1, system=system), 2)
        state = apply(state, lay_out(state, 1, [(1, 2)]).action(1))
        assert [(game.white, game.black) for game in state.rounds[0].games] == [(1, 3), (4, 0)]
        state = apply(state, do.EnterResult(1, 1, Result(2, 0, (82, 60))))
        state = apply(state, do.EnterResult(1, 2, Result(2, 0, cause="forfeit")))
        codes = [code for code, one in TIEBREAKS.items() if one.whom != "teams"]
        rows = {row.competitor: row for row in standings(state, players=True, tiebreaks=codes)}
        assert {id_: row.points for id_, row in rows.items()} == {1: 2, 2: 0, 3: 0, 4: 2}
        chart = {row.competitor: [cell.text for cell in row.cells] for row in cross_table(state, players=True)}
        assert chart == {1: [f"{state.players[3].number}w1"], 2: ["Z"], 3: [f"{state.players[1].number}b0"], 4: ["+"]}
        assert [row.points for row in standings(state)] == [1, 1], "one board each"


@pytest.mark.parametrize("two", [(1, 5), (5, 1), (6, 7), (0, 0)])
def test_a_board_is_for_one_player_of_each_team(two: tuple[int, int]) -> None:
    state = teams(5, 4)
    paired = lay_out(state, 1, [(1, 2)])
    assert apply(state, paired.action(1)).rounds
    taken = {id_ for id_ in two if id_}
    games = tuple(game for game in paired.games[1:] if not {game.white, game.black} & taken)
    first = replace(paired.games[0], white=two[0], black=two[1])
    (match,) = paired.matches
    boards = tuple(game.board for game in (first, *games))
    wrong = replace(paired, games=(first, *games), matches=(replace(match, boards=boards),))
    with pytest.raises(CompetitionError):
        apply(state, wrong.action(1))


def test_doubts_about_a_round_pass_over_empty_seats() -> None:
    state = away(teams(4, 4), 1, 2, 3)
    assert pairing_notes(apply(state, lay_out(state, 1, [(1, 2)]).action(1)), 1) == ()

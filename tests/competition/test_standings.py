"""Standings by WNG-TK §XII and §XIV: the preset, korgools, penalties, groups, teams, and reasons."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Entry, PairedGame, Settings, System, Team, TeamMatch
from korgool.competition.result import Result, SetResult, match_result, read_result
from korgool.competition.round_history import RoundKind, history
from korgool.competition.standings import (
    TIEBREAKS,
    check_tiebreaks,
    cross_table,
    find_tiebreak,
    group_names,
    members,
    prize_winners,
    standings,
    team_totals,
    wall_chart,
    why,
)

Factory = Callable[..., EventState]


def small(*rounds: str, entries: tuple[Entry, ...] = (), **settings: object) -> EventState:
    """An event of 4 players: each text holds a round, `1-2 1 (82) - 0 (60) | 3-4 + - -`."""
    given = entries or tuple(Entry(family=name) for name in "ABCD")
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=max(3, len(rounds)), **settings)))  # type: ignore[arg-type]
    for entry in given:
        state = apply(state, do.Enter(entry))
    state = apply(state, do.Seed(tuple(state.players), True))
    for number, text in enumerate(rounds, 1):
        state = play(state, number, text)
    return state


def play(state: EventState, number: int, text: str) -> EventState:
    games: list[PairedGame] = []
    results: list[str] = []
    for part in text.split("|"):
        pair, _, result = part.strip().partition(" ")
        white, black = map(int, pair.split("-"))
        games.append(PairedGame(len(games) + 1, white, black))
        results.append(result)
    state = apply(state, do.Pair(number, tuple(games), engine="test"))
    for game, result in zip(games, results, strict=True):
        if result:
            state = apply(state, do.EnterResult(number, game.board, read_result(result)))
    return state


def value(state: EventState, code: str, id_: int, **options: object) -> float:
    rows = standings(state, tiebreaks=(code,), **options)  # type: ignore[arg-type]
    return next(row.values[0] for row in rows if row.competitor == id_)


def test_the_preset_is_points_progress_buchholz_meetings_korgools() -> None:
    """WNG-TK §XII, exactly this order."""
    assert Settings(name="Cup").tiebreaks == ("PS", "BH", "DE", "KL")
    assert [TIEBREAKS[code].name for code in Settings(name="Cup").tiebreaks] == [
        "Progress", "Buchholz", "Personal meetings", "Stones in lost games",
    ]  # fmt: skip
    assert next(iter(TIEBREAKS)) == "PS"


def test_each_of_the_four_parts_those_whom_the_ones_before_leave_equal() -> None:
    # B and C have a point each; C won the first round, B the second: Progress parts them.
    state = small("1-2 1 (82) - 0 (60) | 3-4 1 (90) - 0 (40)", "3-1 0 (70) - 1 (85) | 2-4 1 (83) - 0 (3)")
    assert [row.competitor for row in standings(state)] == [1, 3, 2, 4]
    assert [row.values[0] for row in standings(state)] == [3.0, 2.0, 1.0, 0.0]
    # A and B, C and D mirror each other in everything but the korgools of the lost games.
    state = small("1-3 1 (82) - 0 (60) | 2-4 1 (82) - 0 (61)", "1-4 1 (82) - 0 (7) | 2-3 1 (82) - 0 (7)")
    rows = standings(state)
    assert [(row.rank, row.competitor) for row in rows] == [(1, 1), (1, 2), (3, 4), (4, 3)]
    assert [row.values for row in rows[2:]] == [(0.0, 4.0, 0.0, 68.0), (0.0, 4.0, 0.0, 67.0)]


def test_who_is_equal_in_everything_shares_the_place() -> None:
    state = small("1-2 0.5 (81) - 0.5 (81) | 3-4 0.5 (81) - 0.5 (81)")
    assert [row.rank for row in standings(state)] == [1, 1, 1, 1]
    assert [row.rank for row in standings(small())] == [1, 1, 1, 1]
    state = small("1-2 1 (82) - 0 (60) | 3-4 1 (82) - 0 (60)")
    assert [row.rank for row in standings(state)] == [1, 1, 3, 3]


def test_korgools_count_in_lost_games_alone() -> None:
    """Won and drawn games, forfeits and byes have none; a store that resigned or ran out of time is an option."""
    cases = [("1 (100) - 0 (62)", 0, 62), ("0.5 (81) - 0.5 (81)", 0, 0), ("- - +", 0, 0), ("- - -", 0, 0)]
    for text, own, other in cases:
        state = small(f"1-2 {text} | 3-4 1-0")
        assert (value(state, "KL", 1), value(state, "KL", 2)) == (own, other), text
    for text, losers in [
        ("1 (50) - 0 (33) resignation", {2: 33}),
        ("0 (44) - 1 (50) time", {1: 44}),
        ("0 (44) - 0 (51) time", {1: 44, 2: 51}),
    ]:
        for option, count in [("store", True), ("none", False)]:
            state = small(f"1-2 {text} | 3-4 1-0", resigned_korgools=option)
            for id_ in (1, 2):
                assert value(state, "KL", id_) == (losers.get(id_, 0) if count else 0), (text, option)
    state = small("1-2 1-0 | 3-4 1-0")
    assert value(state, "KL", 2) == 0, "no stones were recorded"


def test_korgools_of_a_match_of_sets() -> None:
    sets = (SetResult(2, 0, (30, 18)), SetResult(0, 2, (20, 28)), SetResult(2, 0, (25, 23)))
    for whole, korgools in [(False, (0, 69)), (True, (20, 41))]:
        state = small(game="mangala", sets=3, set_points=whole)
        state = apply(state, do.Pair(1, (PairedGame(1, 1, 2), PairedGame(2, 3, 4)), engine="test"))
        state = apply(state, do.EnterResult(1, 1, match_result(sets)))
        assert (value(state, "KL", 1), value(state, "KL", 2)) == korgools
        assert [row.points for row in standings(state)][:2] == ([4, 2] if whole else [2, 0])


def test_a_penalty_lowers_points_and_by_choice_progress_from_its_round_on() -> None:
    """WNG-TK §XIV: a point is removed for three warnings, also where there is none to take."""
    for option, progress in [(False, [3.0, 3.0]), (True, [2.0, 3.0])]:
        state = small("1-3 1 (82) - 0 (60) | 2-4 1 (82) - 0 (60)", penalised_progress=option)
        for _ in range(3):
            state = apply(state, do.GiveWarning(1), reason="talking")
            state = apply(state, do.GiveWarning(4), reason="talking")
        points = {row.competitor: row.points for row in standings(state)}
        assert points == {1: 0, 2: 2, 3: 0, 4: -2}
        assert standings(state)[-1].competitor == 4
        state = play(state, 2, "1-4 1 (82) - 0 (60) | 2-3 1 (82) - 0 (60)")
        assert [value(state, "PS", id_) for id_ in (1, 2)] == [progress[0] - option, progress[1]]
        assert {row.competitor: row.points for row in standings(state, rounds=1)} == points
        assert value(state, "BH", 4) == 2 + 2, "those whom he met keep what they won in games"


def test_who_is_excluded_stands_last_and_wins_no_prize() -> None:
    state = small("1-3 1 (82) - 0 (60) | 2-4 1 (82) - 0 (60)")
    state = apply(state, do.Exclude(1), reason="cheating")
    assert [row.competitor for row in standings(state)] == [2, 3, 4, 1]
    assert why(state, 1, 4).text == "D stands above A. A was excluded and stands behind all others."
    assert [row.competitor for row in prize_winners(state)] == [2, 3, 4]


def test_prizes_go_to_all_who_share_the_last_place_of_them() -> None:
    state = small("1-2 1 (82) - 0 (60) | 3-4 1 (82) - 0 (60)", prizes=3)
    assert [row.rank for row in prize_winners(state)] == [1, 1, 3, 3]
    assert prize_winners(small()) == (), "nobody has played"


def test_a_round_that_is_being_played_counts_as_far_as_it_is_known() -> None:
    state = small("1-2 1 (82) - 0 (60) | 3-4")
    rows = {row.competitor: row for row in standings(state)}
    assert [rows[id_].points for id_ in (1, 2, 3, 4)] == [2, 0, 0, 0]
    assert [cell.text for row in wall_chart(state) for cell in row.cells] == ["2w1", "1b0", "4w*", "3b*"]


FIELD = (
    Entry(family="A", sex="m", born=2012, team="Osh", groups=("School",)),
    Entry(family="B", sex="f", born=1970, team="Osh", club="Alatoo"),
    Entry(family="C", sex="m", born=2009, team="Naryn"),
    Entry(family="D", sex="f", team="Naryn", groups=("School",)),
)


def test_groups_have_places_of_their_own() -> None:
    state = small(
        "1-2 1 (82) - 0 (60) | 3-4 1 (82) - 0 (60)", "1-3 1 (82) - 0 (60) | 2-4 0 (60) - 1 (82)", entries=FIELD,
        begins="2026-06-01",
    )  # fmt: skip
    names = {id_: one.entry.family for id_, one in state.players.items()}

    def group(text: str) -> list[tuple[int, str]]:
        return [(row.rank, names[row.competitor]) for row in standings(state, group=text)]

    assert group("women") == [(1, "D"), (2, "B")]
    assert group("Men") == [(1, "A"), (2, "C")]
    assert group("school") == [(1, "A"), (2, "D")]
    assert group("U17") == [(1, "A"), (2, "C")]
    assert group("U16") == [(1, "A")], "who turns 17 in the year does not belong to U16"
    assert group("S50") == group("50+") == group("S56") == [(1, "B")]
    assert group("team:naryn") == [(1, "C"), (2, "D")]
    assert group("club:Alatoo") == [(1, "B")]
    assert group_names(state) == ("School", "women")
    for text in ("U10", "S57", "nobody", "team:", "Ux", ""):
        with pytest.raises(CompetitionError, match="nobody belongs"):
            standings(state, group=text)
    undated = small(entries=FIELD)
    with pytest.raises(CompetitionError, match="needs a date"):
        members(undated, "U16")
    assert [row.competitor for row in standings(state, competitors=(4, 2))] == [4, 2]


@given(st.text(max_size=20) | st.from_regex(r"\A(team|club|federation)?:?[US]?\d{0,3}[+]?\Z"))
def test_any_group_or_code_is_ranked_or_refused(text: str) -> None:
    state = small(entries=FIELD, begins="2026-06-01")
    for asked in ({"group": text}, {"tiebreaks": (text,)}):
        try:
            assert standings(state, **asked)
        except CompetitionError as error:
            assert repr(text) in str(error) or text.strip().upper() in str(error)


def test_team_totals_are_those_of_its_best() -> None:
    state = small(
        "1-2 1 (82) - 0 (60) | 3-4 1 (82) - 0 (70)", "1-3 1 (82) - 0 (60) | 2-4 0 (60) - 1 (82)", entries=FIELD
    )
    both = team_totals(state)
    assert [(one.rank, one.team, one.points, one.counted) for one in both] == [
        (1, "Naryn", 4, (3, 4)), (2, "Osh", 4, (1, 2)),
    ]  # fmt: skip
    assert [one.values for one in both] == [(3.0, 4.0, 60.0 + 70.0), (3.0, 4.0, 60.0 + 60.0)], "the korgools decide"
    assert [one.places for one in both] == [2 + 3, 1 + 4]
    best = team_totals(state, best=1)
    assert [(one.team, one.points, one.counted, one.others) for one in best] == [
        ("Osh", 4, (1,), (2,)), ("Naryn", 2, (3,), (4,)),
    ]  # fmt: skip
    mixed = tuple(replace(one, team=team) for one, team in zip(FIELD, "XYYX", strict=True))
    equal = small("1-4 1 (82) - 0 (60) | 2-3 0.5 (81) - 0.5 (81)", entries=mixed, tiebreaks=())
    assert [(one.rank, one.team, one.points, one.places) for one in team_totals(equal)] == [
        (1, "Y", 2, 2 + 2), (2, "X", 2, 1 + 4),
    ]  # fmt: skip
    assert team_totals(small()) == ()
    excluded = apply(state, do.Exclude(1), reason="cheating")
    assert [(one.team, one.points) for one in team_totals(excluded)] == [("Naryn", 4), ("Osh", 0)]


def test_why_one_stands_above_another() -> None:
    state = small("1-2 1 (82) - 0 (60) | 3-4 1 (90) - 0 (40)", "3-1 0 (70) - 1 (85) | 2-4 1 (83) - 0 (3)")
    assert why(state, 2, 1).text == "A stands above B. Points: 2 against 1."
    found = why(state, 2, 3)
    assert (found.above, found.below, found.shared) == (3, 2, False)
    assert found.text == (
        "C stands above B. Both have as many points: 1. Progress (PS): 2 against 1, the higher is the better."
    )
    met = why(state, 3, 2, tiebreaks=("DE", "TPN"))
    assert met.text == (
        "B stands above C. Both have as many points: 1. Not all of them have met. Personal meetings (DE) does not part "
        "them among the 2 who are equal so far: B 0/0, C 0/0. "
        "Pairing number (TPN): 2 against 3, the lower is the better."
    )
    state = play(state, 3, "1-4 1 (82) - 0 (60) | 3-2 0.5 (81) - 0.5 (81)")
    assert "Personal meetings (DE) does not part them among the 2" in why(state, 3, 2, tiebreaks=("DE",)).text
    assert why(state, 3, 2, tiebreaks=("DE",)).shared
    decided = small("1-2 0 (60) - 1 (82) | 3-4 1 (90) - 0 (40)", "1-3 1 (82) - 0 (3) | 2-4 0 (3) - 1 (83)")
    text = why(decided, 1, 2, tiebreaks=("DE",)).text
    assert text.startswith("B stands above A.") or "does not part" in text
    with pytest.raises(CompetitionError, match="not compared with itself"):
        why(state, 1, 1)
    with pytest.raises(CompetitionError, match="id 9"):
        why(state, 1, 9)


def test_every_step_of_why_is_a_sentence(event: Factory) -> None:
    """Each pair of neighbours: the last step decides, or nothing does and they share the place."""
    for number in range(6):
        state = event(20, 4, number, draws=0.6, tiebreaks=("DE", "BH", "SB-C1", "WON", "TPR", "KL"))
        rows = standings(state)
        for one, other in itertools.pairwise(rows):
            found = why(state, one.competitor, other.competitor)
            assert found.shared == (one.rank == other.rank)
            assert (found.steps[-1].decides and found.above == one.competitor) or found.shared
            assert "{" not in found.text


def test_unknown_tiebreaks_are_refused() -> None:
    state = small()
    with pytest.raises(CompetitionError, match="there is no tie-break 'XX'; there are PS, PS-C1"):
        standings(state, tiebreaks=("XX",))
    with pytest.raises(CompetitionError, match="TBR is for teams"):
        standings(state, tiebreaks=("TBR",))
    assert find_tiebreak(" bh/c1 ").code == "BH-C1"
    with pytest.raises(CompetitionError, match="named twice"):
        check_tiebreaks(Settings(name="Cup", tiebreaks=("PS", "ps")))
    with pytest.raises(CompetitionError, match="ARO is for players"):
        check_tiebreaks(Settings(name="Cup", system=System.TEAM_SWISS, boards=4, tiebreaks=("ARO",)))
    check_tiebreaks(Settings(name="Cup", tiebreaks=("DE", "PS", "DE")))


def test_every_tiebreak_names_its_clause_and_computes(event: Factory) -> None:
    state = event(14, 5, 3, absences=0.1, forfeits=0.1, late=1, withdrawals=1, unrated=0.3)
    for code, one in TIEBREAKS.items():
        assert "C.07" in one.clause or "WNG-TK" in one.clause
        assert len(one.about) > 20, code
        assert (one.value is None) != (one.order is None)
        if one.whom != "teams":
            assert len(standings(state, tiebreaks=(code,))) == 15


@pytest.mark.parametrize("number", range(8))
def test_points_and_tiebreaks_hold_together(event: Factory, number: int) -> None:
    state = event(9 + number, 5, number, absences=0, forfeits=0.1)
    rows = {row.competitor: row for row in standings(state, tiebreaks=("PS", "BH", "WON", "REP"))}
    given = sum(game.result.white + game.result.black for one in state.rounds for game in one.games if game.result)
    byes = sum(len(one.byes) for one in state.rounds)
    assert sum(row.points for row in rows.values()) == given + 2 * byes
    for id_, meetings in history(state).items():
        running = [sum(one.points for one in meetings[: at + 1]) for at in range(len(meetings))]
        assert rows[id_].values[0] == sum(running) / 2
        assert rows[id_].points == running[-1]
        if all(one.kind is RoundKind.PLAYED for one in meetings):
            opponents = sum(rows[one.opponent].points for one in meetings if one.opponent)
            assert rows[id_].values[1] == opponents / 2
            assert rows[id_].values[3] == len(meetings)


def test_the_order_of_entering_changes_no_figures(event: Factory) -> None:
    """The same event under other ids: everybody keeps points, tie-breaks and place."""
    for number in range(5):
        state = event(12, 5, number, absences=0, draws=0.5)
        new = {id_: len(state.players) + 1 - id_ for id_ in state.players}
        players = {new[id_]: replace(one, id=new[id_]) for id_, one in state.players.items()}
        rounds = tuple(
            replace(
                one,
                games=tuple(replace(game, white=new[game.white], black=new[game.black]) for game in one.games),
                byes=tuple(replace(bye, player=new[bye.player]) for bye in one.byes),
            )
            for one in state.rounds
        )
        other = replace(state, players=dict(sorted(players.items())), rounds=rounds)
        before = {new[row.competitor]: (row.rank, row.points, row.values) for row in standings(state)}
        assert before == {row.competitor: (row.rank, row.points, row.values) for row in standings(other)}


def test_the_cross_table_shows_who_met_whom(event: Factory) -> None:
    state = event(9, 4, 2, absences=0.2, forfeits=0.2, late=1)
    rows = cross_table(state)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    by_number = {row.number: row for row in rows}
    opposite = {"1": "0", "0": "10", "=": "=", "+": "-", "-": "+-"}
    for row in rows:
        assert len(row.cells) == 4
        for cell in row.cells:
            if cell.opponent:
                mirror = by_number[cell.opponent].cells[cell.round - 1]
                assert mirror.opponent == row.number
                assert {cell.colour, mirror.colour} == {"w", "b"}
                assert mirror.mark in opposite[cell.mark]
                assert cell.mark in row.against[cell.opponent]
            else:
                assert cell.text in ("U", "F", "H", "Z")
    assert [row.number for row in wall_chart(state)] == sorted(by_number)


def team_event() -> EventState:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=1, system=System.TEAM_SWISS, boards=2)))
    for name in "ABCDEF":
        state = apply(state, do.Enter(Entry(family=name)))
    for name, players in (("Osh", (1, 2)), ("Naryn", (3, 4)), ("Talas", (5, 6))):
        state = apply(state, do.SetTeam(Team(0, 0, name, players=players)))
    state = apply(state, do.Seed((1, 2, 3), True))
    games = (PairedGame(1, 1, 3), PairedGame(2, 4, 2))
    state = apply(state, do.Pair(1, games, (), (TeamMatch(1, 1, 2, (1, 2)),), engine="test"))
    state = apply(state, do.EnterResult(1, 1, Result(2, 0, (82, 60))))
    return apply(state, do.EnterResult(1, 2, Result(1, 1, (81, 81))))


def test_teams_are_ranked_by_matches_and_parted_by_boards() -> None:
    state = team_event()
    rows = standings(state, tiebreaks=("MPVGP", "BC", "TBR", "KL", "EMGSB", "EDE", "BBE", "SSSC"))
    assert [(row.competitor, row.points) for row in rows] == [(1, 2), (2, 0), (3, 0)]
    assert [row.values[:4] for row in rows] == [(1.5, 2.0, 1.0, 0.0), (0.5, 1.0, 0.0, 60.0), (0.0, 0.0, 0.0, 0.0)]
    assert [row.competitor for row in standings(state, players=True)] == [1, 2, 4, 3, 5, 6]
    fined = apply(state, do.Penalise(1, 1), reason="late form")
    assert value(fined, "MPVGP", 1) == 1.0, "a penalty of a player lowers the boards of his team"
    assert [row.points for row in standings(fined)] == [2, 0, 0]
    chart = cross_table(state)
    assert [[cell.text for cell in row.cells] for row in chart] == [["2w1.5"], ["1b0.5"], ["Z"]]

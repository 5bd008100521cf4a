"""Numbers, round robins and knock-outs: what tables decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Settings, System
from korgool.competition.pairing import (
    advise_rounds,
    berger_round,
    bracket,
    check_rounds,
    most_rounds,
    pair,
    schedule,
    seed,
)
from korgool.competition.pairing.knockout import alive
from korgool.competition.pairing.seeding import title_rank
from korgool.competition.result import read_result
from korgool.competition.round_history import history
from korgool.competition.standings import standings, table, why

Factory = Callable[..., EventState]


def opened(count: int, system: System, rounds: int, lot: str = "lot", **settings: object) -> EventState:
    state = apply(EventState(), do.Open(Settings(name="Cup", system=system, rounds=rounds, **settings)))  # type: ignore[arg-type]
    for number in range(1, count + 1):
        state = apply(state, do.Enter(Entry(family=f"P{number:02d}", rating=2000 - number)))
    return apply(state, seed(state, lot))


def publish(state: EventState, **results: str) -> EventState:
    """Pair the next round and enter results: `b2="..."` for a board, else White wins."""
    number = len(state.rounds) + 1
    state = apply(state, pair(state, number).action(number))
    for game in state.rounds[-1].games:
        text = results.get(f"b{game.board}", "1 (82) - 0 (60)")
        state = apply(state, do.EnterResult(number, game.board, read_result(text)))
    return state


def by_number(state: EventState, games: tuple[PairedGame, ...]) -> list[tuple[int, int]]:
    return [(state.players[game.white].number, state.players[game.black].number) for game in games]


# Seeding


def test_numbers_go_by_rating_title_and_name() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup")))
    entries = [
        Entry(family="Zhumabek"),
        Entry(family="Bek", rating=1800),
        Entry(family="Aman", rating=1800),
        Entry(family="Chyngyz", rating=1800, title="МСМК"),
        Entry(family="Daniyar", rating=1800, title="KMS"),
        Entry(family="Ermek", title="1"),
        Entry(family="Bakyt", rating=2100),
    ]
    for entry in entries:
        state = apply(state, do.Enter(entry))
    order = seed(state, "any").order
    assert [state.players[id_].entry.family for id_ in order] == [
        "Bakyt",
        "Chyngyz",
        "Daniyar",
        "Aman",
        "Bek",
        "Ermek",
        "Zhumabek",
    ]
    assert title_rank("GM") < title_rank("мс") < title_rank("2 разряд") < title_rank("Honoured guest") < title_rank("")


def test_the_lot_can_be_drawn_again() -> None:
    state = opened(5, System.SWISS, 3)
    lots = [seed(state, str(number)) for number in range(60)]
    assert lots == [seed(state, str(number)) for number in range(60)]
    assert 15 < sum(one.white for one in lots) < 45
    assert len({one.order for one in lots}) == 1
    drawn = {seed(opened(5, System.ROUND_ROBIN, 5), str(number)).order for number in range(20)}
    assert len(drawn) > 10, "numbers of a round robin are drawn"
    with pytest.raises(CompetitionError, match="an event needs two"):
        seed(apply(EventState(), do.Open(Settings(name="Cup"))), "lot")


# Round robin


@pytest.mark.parametrize("players", [*range(2, 23), 40])
def test_berger_tables_are_those_of_gacrux_and_caissify(players: int) -> None:
    theirs = pytest.importorskip("gacrux.berger").bergertables(players)["pairing"]
    other = pytest.importorskip("caissify_pairings.engines.round_robin")
    size = players + players % 2
    for number in range(1, size):
        own = berger_round(players, number)
        assert own == tuple((one["white"], one["black"]) for one in theirs[number].values())
        assert sorted(own) == sorted(other.berger_round(size, number))


@pytest.mark.parametrize("players", range(2, 18))
@pytest.mark.parametrize("double", [False, True])
def test_everybody_meets_everybody_and_colours_balance(players: int, double: bool) -> None:
    rounds = schedule(players, double=double)
    games = [pair for one in rounds for pair in one if max(pair) <= players]
    met = Counter(frozenset(pair) for pair in games)
    assert met == {frozenset(pair): 1 + double for pair in combinations(range(1, players + 1), 2)}
    if double:
        assert len(set(games)) == len(games), "each pair meets once with each colour"
    for player in range(1, players + 1):
        colours = ["w" if pair[0] == player else "b" for pair in games if player in pair]
        assert abs(colours.count("w") - colours.count("b")) <= (0 if double else 1)
        text = "".join(colours)
        assert "www" not in text
        assert "bbb" not in text
    for one in rounds:
        assert Counter(number for pair in one for number in pair).most_common(1)[0][1] == 1


def test_a_round_robin_is_played_to_its_end(event: Factory) -> None:
    for players, system in [(5, System.ROUND_ROBIN), (6, System.ROUND_ROBIN), (4, System.DOUBLE_ROUND_ROBIN)]:
        rounds = advise_rounds(players, system)[0]
        state = event(players, rounds, 1, engine=True, system=system, absences=0)
        assert state.over
        played = Counter(frozenset((game.white, game.black)) for one in state.rounds for game in one.games)
        times = 2 if system is System.DOUBLE_ROUND_ROBIN else 1
        assert set(played.values()) == {times}
        assert len(played) == players * (players - 1) // 2
        with pytest.raises(CompetitionError, match=f"round {rounds + 1}"):
            pair(state, rounds + 1)


def test_who_leaves_a_round_robin_loses_by_forfeit() -> None:
    state = publish(opened(4, System.ROUND_ROBIN, 3))
    gone = state.rounds[0].games[0].white
    state = apply(state, do.Withdraw(gone))
    for _ in range(2):
        state = publish(state)
    free = [bye for one in state.rounds for bye in one.byes]
    assert [bye.kind for bye in free] == [ByeKind.FULL, ByeKind.FULL]
    met = [one.opponent for one in table(state).lines[gone].meetings]
    assert sorted(one for one in met if one) == sorted(set(state.players) - {gone})
    others = {bye.player for bye in free}
    points = {row.competitor: (row.points, row.values) for row in standings(state, tiebreaks=("WIN", "WON", "DE"))}
    assert points[gone][0] == 2
    for id_ in others:
        lines = table(state).lines[id_].meetings
        assert all(one.opponent for one in lines), "a forfeit has the opponent of the table (C.07 15.2)"
    total = sum(one[0] for one in points.values())
    assert total == 6 * 2


def test_a_round_changed_by_hand_is_no_forfeit_against_one_who_played() -> None:
    state = opened(4, System.ROUND_ROBIN, 3)
    state = apply(state, pair(state, 1).action(1))
    (a, b), (c, d) = ((game.white, game.black) for game in state.rounds[0].games)
    byes = (Bye(b, ByeKind.FULL), Bye(d, ByeKind.ZERO))
    state = apply(state, do.Repair((PairedGame(1, a, c),), byes), reason="two were late")
    state = apply(state, do.EnterResult(1, 1, read_result("1 (82) - 0 (60)")))
    met = {id_: line.meetings[0].opponent for id_, line in table(state).lines.items()}
    assert met == {a: c, c: a, b: None, d: None}
    assert {row.competitor: row.points for row in standings(state)} == {a: 2, b: 2, c: 0, d: 0}


def test_in_an_odd_round_robin_one_is_free_and_gets_nothing() -> None:
    state = opened(5, System.ROUND_ROBIN, 5)
    for _ in range(5):
        state = publish(state)
    assert Counter(bye.player for one in state.rounds for bye in one.byes) == dict.fromkeys(range(1, 6), 1)
    assert {bye.kind for one in state.rounds for bye in one.byes} == {ByeKind.ZERO}
    assert sum(row.points for row in standings(state)) == 10 * 2


# Knock-out


def test_the_bracket_keeps_the_best_apart() -> None:
    assert bracket(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    for players in range(2, 70):
        places = bracket(players)
        assert sorted(one for one in places if one) == list(range(1, players + 1))
        pairs = [places[at : at + 2] for at in range(0, len(places), 2)]
        assert all(one or other for one, other in pairs), "nobody misses two rounds"
        free = [one or other for one, other in pairs if not (one and other)]
        assert sorted(one for one in free if one) == list(range(1, len(free) + 1)), "byes go to the first numbers"
    places = bracket(16)
    assert {1, 2, 3, 4} == {min(one for one in places[at : at + 4] if one) for at in range(0, 16, 4)}


@pytest.mark.parametrize("players", [2, 3, 5, 6, 7, 8, 11, 16, 21])
def test_a_knockout_leaves_one(event: Factory, players: int) -> None:
    rounds = advise_rounds(players, System.KNOCKOUT)[0]
    for number in range(3):
        state = event(
            players, rounds, number, engine=True, system=System.KNOCKOUT, decisive=True, absences=0, forfeits=0.1
        )
        assert len(alive(state, rounds + 1)) == 1
        rows = standings(state)
        assert rows[0].competitor == alive(state, rounds + 1)[0]
        assert rows[0].rank == 1 < rows[1].rank
        final = state.rounds[-1].games[0]
        assert {rows[0].competitor, rows[1].competitor} == {final.white, final.black}
        assert sum(len(one.games) for one in state.rounds) == players - 1
        for one in state.rounds:
            before = history(state, rounds=one.number - 1)
            for game in one.games:
                surplus = [
                    sum(1 if meeting.white else -1 for meeting in before[id_] if meeting.white is not None)
                    for id_ in (game.white, game.black)
                ]
                assert surplus[0] <= surplus[1], "White is who had it less often"
        with pytest.raises(CompetitionError, match="decided"):
            pair(state, rounds + 1)


def test_a_drawn_game_is_decided_before_the_next_round() -> None:
    state = publish(opened(4, System.KNOCKOUT, 2), b2="0.5 (81) - 0.5 (81)")
    with pytest.raises(CompetitionError, match=r"board 2 was drawn \(P0[23] against P0[23]\): play it again"):
        pair(state, 2)
    state = apply(state, do.Correct(1, 2, read_result("0 (70) - 1 (82)")), reason="played again")
    final = pair(state, 2)
    assert len(final.games) == 1
    first, second = state.rounds[0].games
    assert {final.games[0].white, final.games[0].black} == {first.white, second.black}


def test_colours_of_a_knockout_are_evened_out() -> None:
    state = publish(opened(8, System.KNOCKOUT, 3), b1="1 (82) - 0 (60)", b2="0 (60) - 1 (82)", b3="0 (60) - 1 (82)")
    first = state.rounds[0].games
    second = publish(state).rounds[1].games
    assert [(game.white, game.black) for game in second] == [
        (first[1].black, first[0].white),
        (first[2].black, first[3].white),
    ]


def test_the_winner_of_a_knockout_stands_first_whatever_was_taken_from_him() -> None:
    state = publish(publish(opened(4, System.KNOCKOUT, 2)))
    (winner,) = alive(state, 3)
    state = apply(state, do.Penalise(winner, 4), reason="conduct")
    rows = standings(state)
    assert (rows[0].competitor, rows[0].points) == (winner, 0)
    assert why(state, winner, rows[1].competitor).steps[1].key == "rounds.more"


def test_who_left_lets_his_opponent_through() -> None:
    state = publish(opened(8, System.KNOCKOUT, 3))
    winners = alive(state, 2)
    state = apply(state, do.Withdraw(winners[0]))
    second = pair(state, 2)
    assert second.byes == (Bye(winners[1], ByeKind.FULL),)
    assert len(second.games) == 1
    state = publish(state)
    assert winners[1] in {state.rounds[-1].byes[0].player}
    state = publish(state)
    assert winners[1] in {state.rounds[-1].games[0].white, state.rounds[-1].games[0].black}


def test_both_forfeit_and_the_next_goes_through() -> None:
    state = publish(opened(8, System.KNOCKOUT, 3), b1="- - -")
    second = pair(state, 2)
    assert len(second.games) == 1
    assert len(second.byes) == 1
    state = publish(publish(state))
    assert standings(state)[0].competitor == alive(state, 4)[0]
    last = publish(publish(opened(4, System.KNOCKOUT, 2), b1="- - -"))
    assert last.rounds[1].games == ()
    assert alive(last, 3) == tuple(bye.player for bye in last.rounds[1].byes)
    assert last.over
    nobody = publish(opened(4, System.KNOCKOUT, 2), b1="- - -", b2="- - -")
    with pytest.raises(CompetitionError, match="nobody is left"):
        pair(nobody, 2)


def test_who_asks_to_miss_a_knockout_round_is_out() -> None:
    state = opened(4, System.KNOCKOUT, 2)
    state = apply(state, do.Miss(1, Absence(1, ByeKind.FULL)))
    state = publish(state)
    assert {(bye.player, bye.kind) for bye in state.rounds[0].byes} == {(1, ByeKind.FULL), (4, ByeKind.FULL)}
    assert 1 not in alive(state, 2)
    assert 4 in alive(state, 2)


def test_a_bracket_changed_by_hand_goes_on() -> None:
    state = opened(8, System.KNOCKOUT, 3)
    state = apply(state, pair(state, 1).action(1))
    games = state.rounds[0].games
    swapped = (
        PairedGame(1, games[0].white, games[1].white),
        PairedGame(2, games[0].black, games[1].black),
        games[2],
        games[3],
    )
    state = apply(state, do.Repair(swapped), reason="the table was wrong")
    for game in swapped:
        state = apply(state, do.EnterResult(1, game.board, read_result("1 (82) - 0 (60)")))
    assert len(alive(state, 2)) == 4
    state = publish(publish(state))
    assert len(alive(state, 4)) == 1


# Rounds


@pytest.mark.parametrize(
    ("players", "advised"), [(2, (1, 1)), (8, (3, 4)), (20, (5, 7)), (64, (6, 8)), (100, (7, 9)), (260, (9, 11))]
)
def test_rounds_advised(players: int, advised: tuple[int, int]) -> None:
    assert advise_rounds(players) == advised


def test_rounds_that_the_field_does_not_allow_are_refused() -> None:
    def settings(rounds: int, system: System = System.SWISS) -> Settings:
        return Settings(name="Cup", rounds=rounds, system=system, boards=4 if system.of_teams else 0)

    check_rounds(settings(7), 8)
    check_rounds(settings(7), 7)
    with pytest.raises(CompetitionError, match="6 players can play 5 rounds at most before two meet again, not 7; 3"):
        check_rounds(settings(7), 6)
    with pytest.raises(CompetitionError, match="needs 2"):
        check_rounds(settings(1), 1)
    for system, players, rounds in [
        (System.ROUND_ROBIN, 6, 5),
        (System.ROUND_ROBIN, 5, 5),
        (System.DOUBLE_ROUND_ROBIN, 4, 6),
        (System.KNOCKOUT, 9, 4),
        (System.KNOCKOUT, 8, 3),
        (System.TEAM_ROUND_ROBIN, 4, 3),
    ]:
        check_rounds(settings(rounds, system), players)
        for wrong in (rounds - 1, rounds + 1):
            with pytest.raises(CompetitionError, match=f"has {rounds} rounds, not {wrong}"):
                check_rounds(settings(wrong, system), players)
    check_rounds(settings(7, System.TEAM_SWISS), 8)
    with pytest.raises(CompetitionError, match="8 teams can play 7"):
        check_rounds(settings(8, System.TEAM_SWISS), 8)
    assert [most_rounds(players) for players in (2, 3, 4, 5)] == [1, 3, 3, 5]


def test_pair_says_what_is_missing() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", system=System.KNOCKOUT, rounds=2)))
    for name in "ABCD":
        state = apply(state, do.Enter(Entry(family=name)))
    with pytest.raises(CompetitionError, match="pairing numbers"):
        pair(state, 1)
    state = apply(state, seed(state, "lot"))
    with pytest.raises(CompetitionError, match="round 1 is the next, not 2"):
        pair(state, 2)
    state = apply(state, pair(state, 1).action(1))
    with pytest.raises(CompetitionError, match="round 1 lacks the results of boards 1, 2"):
        pair(state, 2)


def test_a_table_has_its_rounds_and_no_others() -> None:
    """FIDE C.05, Annex 1."""
    assert [berger_round(4, number) for number in (1, 2, 3)] == [((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1))]
    assert berger_round(3, 1) == berger_round(4, 1)
    assert berger_round(2, 1) == ((1, 2),)
    for players, number in ((1, 1), (0, 0), (2, 0), (2, 2), (4, 4), (3, 4), (4, -1)):
        with pytest.raises(CompetitionError, match=f"{players} players has no round {number}"):
            berger_round(players, number)

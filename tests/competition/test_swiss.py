"""Swiss rounds: what every one of them keeps, and what becomes of byes, late entries, penalties and forbidden pairs."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

import pytest
from caissify_pairings.fpc import check_trf

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Penalty, Player, Round, Settings, System
from korgool.competition.pairing import explain, pair_swiss, verify_swiss
from korgool.competition.pairing.colours import Strength, preference
from korgool.competition.pairing.engine import NoPairingError
from korgool.competition.pairing.engine_file import engine_file, pairing_points
from korgool.competition.pairing.legal_opponents import bye_barred, topscorers
from korgool.competition.result import Result
from korgool.competition.round_history import Meeting, RoundKind, history
from korgool.competition.trf import write_trf
from korgool.competition.trf_columns import abnormal_record
from tests.competition.conftest import Factory
from tests.competition.third_engine import caissify_pairs, pairs_by_number


def opened(
    count: int, rounds: int = 5, entries: dict[int, dict[str, Any]] | None = None, **settings: Any
) -> EventState:
    """An event of players 1 to `count`, numbered as they are entered; the lot gives number 1 White."""
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=rounds, **settings)))
    for number in range(1, count + 1):
        entry = Entry(family=f"P{number}", rating=2500 - number, **(entries or {}).get(number, {}))
        state = apply(state, do.Enter(entry))
    return apply(state, do.Seed(tuple(state.players), True))


def played(state: EventState, *results: Result) -> EventState:
    """The next round as the engine pairs it, all games with the results in turn; without any, White wins."""
    number = len(state.rounds) + 1
    return results_of(apply(state, pair_swiss(state, number).action(number)), *results)


def results_of(state: EventState, *results: Result) -> EventState:
    """The last round with its results."""
    number = len(state.rounds)
    for count, game in enumerate(state.rounds[-1].games):
        result = results[count % len(results)] if results else Result(2, 0, (90, 70))
        state = apply(state, do.EnterResult(number, game.board, result))
    return state


def pairs(state: EventState, number: int | None = None) -> set[tuple[int, int]]:
    one = state.rounds[-1] if number is None else state.round(number)
    return {(game.white, game.black) for game in one.games}


def assert_swiss(state: EventState) -> None:
    """Properties of a whole Swiss event by FIDE C.04.1 and C.04.3."""
    whole = history(state)
    for id_, meetings in whole.items():
        met = Counter(one.opponent for one in meetings if one.kind is RoundKind.PLAYED)
        assert not met or max(met.values()) == 1, f"rematch of {id_}"
        assert sum(one.bye is ByeKind.ALLOCATED for one in meetings) <= 1
        assert_colours(state, id_, meetings)
    for one in state.rounds:
        before = history(state, rounds=one.number - 1)
        seated = [id_ for game in one.games for id_ in (game.white, game.black)]
        allocated = [bye.player for bye in one.byes if bye.kind is ByeKind.ALLOCATED]
        playing = {id_ for id_, player in state.players.items() if player.plays(one.number)}
        assert sorted(seated + allocated) == sorted(playing)
        assert len(allocated) == len(playing) % 2
        assert all(bye_barred(before[id_]) is None for id_ in allocated)
        assert_boards(state, one.number)


def assert_colours(state: EventState, id_: int, meetings: tuple[Meeting, ...]) -> None:
    """No colour three times running, no difference above 2, but for topscorers of the last round and who meets them."""
    last = state.event.rounds
    colours = [(one.round, one.white) for one in meetings if one.kind is RoundKind.PLAYED]
    for count in range(2, len(colours)):
        if colours[count - 2][1] == colours[count - 1][1] == colours[count][1]:
            assert colours[count][0] == last
            assert {id_, meetings[last - 1].opponent} & topscorers(state, last)
    difference = preference(meetings).difference
    if abs(difference) > 2:
        assert meetings[-1].round == last
        assert {id_, meetings[last - 1].opponent} & topscorers(state, last)


def assert_boards(state: EventState, number: int) -> None:
    points, one = pairing_points(state, number), state.round(number)

    def key(game: PairedGame) -> tuple[int, int, int]:
        both = [points[game.white], points[game.black]]
        return (-max(both), -sum(both), min(state.players[id_].number for id_ in (game.white, game.black)))

    assert list(one.games) == sorted(one.games, key=key)


def lowest(state: EventState) -> int:
    """Fewest half points that anybody stood at before a round."""
    return min(min(pairing_points(state, one.number).values()) for one in state.rounds)


def gacrux_says(state: EventState) -> list[dict[str, Any]]:
    """gacrux's own check of all rounds of a file, in this process: its own words on each round.

    gacrux 1.11.65 falls over a total of -1 or less; everybody is raised alike then, as the pairing does it. It forgets
    the penalties of record 299 in what it knows of earlier rounds, so they are given as the pairing gives them.
    """
    from gacrux.pairingchecker import pairingchecker

    program, said = pairingchecker(), io.StringIO()
    report, raised = write_trf(state).splitlines(keepends=True), -lowest(state)
    paired_by = engine_file(state, len(state.rounds) + 1, absent={}).splitlines(keepends=True)
    text = "".join(line for line in report if not line.startswith("299"))
    text += "".join(line for line in paired_by if line.startswith("250"))
    if raised >= 2:
        text += abnormal_record(raised, 0, sorted(player.number for player in state.players.values())) + "\n"
    arguments, stdin = sys.argv, sys.stdin
    try:
        sys.argv = ["gacrux", "-b", "utf-8", "-c", "-a", "-p"]
        sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
        with redirect_stdout(said):
            program.common_main()
    finally:
        sys.argv, sys.stdin = arguments, stdin
    answer = json.loads(said.getvalue())
    assert answer["status"]["code"] in (0, 1), answer["status"]
    found: list[dict[str, Any]] = answer["pairingResult"]["roundpairing"]
    return found


EVENTS = [
    (8, 3, 1, {"absences": 0.0, "forfeits": 0.0}),
    (13, 5, 2, {"absences": 0.0, "forfeits": 0.1}),
    (26, 5, 3, {"absences": 0.1, "forfeits": 0.05, "late": 2, "withdrawals": 2}),
    (19, 5, 4, {"absences": 0.1, "forfeits": 0.1, "late": 1, "withdrawals": 1, "penalties": 4}),
    (21, 3, 5, {"absences": 0.1, "bye_points": 1}),
]


@pytest.fixture(scope="module", params=EVENTS, ids=lambda one: f"{one[0]} players")
def whole(request: pytest.FixtureRequest, event: Factory) -> EventState:
    players, rounds, number, options = request.param
    return event(players, rounds, number, engine=True, **options)


def test_properties(whole: EventState) -> None:
    assert_swiss(whole)


def test_gacrux_confirms(whole: EventState) -> None:
    for one in gacrux_says(whole):
        assert one["check"], f"round {one['round']}: {one['pairs']} instead of {one['current']}"


def test_explanations_agree_with_gacrux(whole: EventState) -> None:
    """Score groups, colour preferences and the article that gives the colours, found by us and by gacrux."""
    articles = {f"E.{count}": f"5.2.{count}" for count in range(1, 6)}
    strengths = {Strength.ABSOLUTE: "2", Strength.STRONG: "1", Strength.MILD: "0"}
    for one in gacrux_says(whole):
        number, competitors = one["round"], {competitor["cid"]: competitor for competitor in one["competitors"]}
        points, before = pairing_points(whole, number), history(whole, rounds=number - 1)
        numbers = {id_: player.number for id_, player in whole.players.items()}
        raised = max(-lowest(whole), 0) if lowest(whole) <= -2 else 0
        for id_, meetings in before.items():
            said, due = competitors[numbers[id_]], preference(meetings)
            assert float(said["acc"]) == (points[id_] + raised) / 2
            assert said["cod"] == due.difference
            wish = "nc" if due.white is None else ("w" if due.white else "b") + strengths[due.strength]
            assert said["cop"] == wish
        by_rule = {(pair["w"], pair["b"]): pair["colorrule"] for bracket in one["pairing"] for pair in bracket["pairs"]}
        for found in explain(whole, number):
            if found.black is not None:
                assert articles[by_rule[numbers[found.white], numbers[found.black]]] == found.article
                assert "by hand" not in found.text
                assert found.float == points[found.white] - points[found.black]


def test_third_engine_pairs_the_same(whole: EventState) -> None:
    for one in whole.rounds:
        assert caissify_pairs(whole, one.number) == pairs_by_number(whole, one.number), one.number


@pytest.mark.parametrize(("players", "number"), [(12, 21), (17, 22)])
def test_third_checker_confirms(event: Factory, players: int, number: int) -> None:
    """caissify's own checker on our TRF16, for events in which nobody is absent."""
    state = event(players, 5, number, engine=True, absences=0.0, forfeits=0.08)
    report = check_trf(write_trf(state, edition="2016"))
    assert report["summary"]["rounds_checked"] == 5
    assert [one for one in report["rounds"] if not one["match"]] == []


def test_pairing_again_gives_the_same(whole: EventState) -> None:
    for number in (1, len(whole.rounds)):
        assert verify_swiss(whole, number) == ()


def test_a_manual_change_is_seen() -> None:
    state = opened(6)
    state = apply(state, pair_swiss(state, 1).action(1))
    first, second, third = state.rounds[0].games
    games = (PairedGame(1, first.white, second.white), PairedGame(2, first.black, second.black), third)
    state = apply(state, do.Repair(games), reason="the chief referee wants it")
    found = verify_swiss(state, 1)
    assert len(found) == 4
    assert "round 1: 1 P1 - 2 P2 is not what the engine pairs" in found or "1 P1" in found[0]
    state = apply(state, do.Repair((PairedGame(1, first.black, first.white), second, third)), reason="colours")
    assert "by hand" in explain(state, 1)[0].text
    assert len(verify_swiss(state, 1)) == 2


@pytest.mark.parametrize("white", [True, False])
def test_first_colours_by_lot(white: bool) -> None:
    state = replace(opened(8), white_first=white)
    games = pair_swiss(state, 1).games
    assert [(game.white, game.black) for game in games] == (
        [(1, 5), (6, 2), (3, 7), (8, 4)] if white else [(5, 1), (2, 6), (7, 3), (4, 8)]
    )


def test_absences_and_byes() -> None:
    state = opened(9)
    for id_, kind in ((1, ByeKind.HALF), (2, ByeKind.FULL), (3, ByeKind.ZERO)):
        state = apply(state, do.Miss(id_, Absence(1, kind)))
    paired = pair_swiss(state, 1)
    assert {(bye.player, bye.kind) for bye in paired.byes} == {
        (1, ByeKind.HALF), (2, ByeKind.FULL), (3, ByeKind.ZERO),
    }  # fmt: skip
    assert sorted(id_ for game in paired.games for id_ in (game.white, game.black)) == [4, 5, 6, 7, 8, 9]
    state = results_of(apply(state, paired.action(1)))
    second = pair_swiss(state, 2)
    allocated = [bye.player for bye in second.byes if bye.kind is ByeKind.ALLOCATED]
    assert len(allocated) == 1
    assert allocated[0] not in (2,)  # a full point without a game bars from another (C2)


def test_withdrawal_and_late_entry() -> None:
    state = played(opened(8))
    state = apply(state, do.Withdraw(3))
    state = apply(state, do.Enter(Entry(family="Late", rating=2600)))
    state = played(state)
    assert state.players[9].number == 9
    seated = {id_ for pair in pairs(state) for id_ in pair}
    assert seated == {1, 2, 4, 5, 6, 7, 8, 9}
    assert not any(bye.player == 3 for bye in state.rounds[1].byes)
    assert_swiss(state)


def test_a_forfeited_game_may_be_paired_again() -> None:
    state = played(opened(4, rounds=3), Result(2, 0, None, "forfeit"))
    first = {frozenset(pair) for pair in pairs(state)}
    state = played(state)
    state = played(state)
    again = {frozenset(pair) for number in (2, 3) for pair in pairs(state, number)}
    met: Counter[frozenset[int]] = Counter()
    for number in (1, 2, 3):
        met.update(frozenset(pair) for pair in pairs(state, number))
    assert again & first or max(met.values()) == 1
    assert "0000" not in engine_file(state, 3)
    assert engine_file(state, 2).count(" +\n") == 2


def test_forfeit_gives_no_colour_and_bars_from_the_bye() -> None:
    state = played(opened(5, rounds=4), Result(2, 0, None, "forfeit"))
    winners = {game.white for game in state.rounds[0].games}
    had = {bye.player for bye in state.rounds[0].byes}
    assert all(preference(meetings).white is None for meetings in history(state).values())
    state = played(state)
    second = {bye.player for bye in state.rounds[1].byes}
    assert not second & (winners | had)


def test_penalties_lower_the_next_pairing() -> None:
    state = played(opened(8))
    winner = state.rounds[0].games[0].white
    for reason in ("noise", "advice", "late"):
        state = apply(state, do.GiveWarning(winner), reason=reason)
    assert f"250      -1.0   2   2 {winner:>4} {winner:>4}\n" in engine_file(state, 2)
    assert pairing_points(state, 2)[winner] == 0
    state = played(state)
    opponent = next(one.opponent for one in history(state)[winner] if one.round == 2)
    assert opponent in {game.black for game in state.rounds[0].games}  # he meets one of those without a point


def test_totals_below_zero() -> None:
    """gacrux keeps -1 for the bye: those who stand there, or below, are still paired as their own group."""
    state = opened(9, rounds=4)
    for id_, half_points in ((7, 2), (8, 2), (9, 25), (2, 40)):
        state = apply(state, do.Penalise(id_, half_points), reason="conduct")
    state = played(state)
    assert pairing_points(state, 1)[2] == -40
    allocated = [bye.player for bye in state.rounds[0].byes]
    assert allocated == [2]
    assert {frozenset(pair) for pair in pairs(state)} >= {frozenset((6, 7)), frozenset((8, 9))}
    assert_boards(state, 1)
    state = played(state)
    assert_swiss(state)


def test_forbidden_pairs() -> None:
    entries = {number: {"team": "A" if number % 4 == 1 else "", "federation": "KGZ"} for number in range(1, 9)}
    state = opened(8, 3, entries, forbid=("team", "federation"))
    plain = opened(8, 3, entries)
    assert (1, 5) in {(game.white, game.black) for game in pair_swiss(plain, 1).games}
    paired = pair_swiss(state, 1)
    assert not any({game.white, game.black} == {1, 5} for game in paired.games)
    assert paired.engine.endswith("(of one federation allowed to meet)")  # all are of one federation
    assert "260   1   1    1    5\n" in engine_file(state, 1)


def test_forbidden_pairs_are_kept_while_it_can_be_helped() -> None:
    entries = {number: {"team": f"T{(number + 1) // 2}"} for number in range(1, 9)}
    state = opened(8, 6, entries, forbid=("team",))
    broken = []
    for number in range(1, 6):
        paired = pair_swiss(state, number)
        same = any((game.white + 1) // 2 == (game.black + 1) // 2 for game in paired.games)
        assert same is paired.engine.endswith("(of one team allowed to meet)")
        broken.append(same)
        state = results_of(apply(state, paired.action(number)))
    assert not any(broken[:4])


def test_no_legal_pairing_is_said_in_words() -> None:
    state = opened(4, rounds=5)
    for _ in range(3):
        state = played(state)
    with pytest.raises(NoPairingError, match=r"round 4 has no legal pairing .* 1 P1 may meet nobody any more"):
        pair_swiss(state, 4)
    state = apply(state, do.Withdraw(1))
    for id_ in (2, 3):
        state = apply(state, do.Withdraw(id_))
    with pytest.raises(NoPairingError, match="1 of 4 are there to play"):
        pair_swiss(state, 4)


def test_two_players_and_three() -> None:
    state = played(opened(2, rounds=1))
    assert pairs(state) == {(1, 2)}
    state = played(played(opened(3, rounds=3)))
    assert_swiss(state)


def test_refusals() -> None:
    state = opened(4, rounds=2)
    with pytest.raises(CompetitionError, match="the next round is 1"):
        pair_swiss(state, 2)
    with pytest.raises(CompetitionError, match="no round 3"):
        pair_swiss(state, 3)
    with pytest.raises(CompetitionError, match="pairing numbers"):
        pair_swiss(replace(state, seeded=False), 1)
    state = apply(state, pair_swiss(state, 1).action(1))
    with pytest.raises(CompetitionError, match="round 1, board 1 has no result"):
        pair_swiss(state, 2)
    robin = opened(4, rounds=3, system=System.ROUND_ROBIN)
    with pytest.raises(CompetitionError, match="not a Swiss one"):
        pair_swiss(robin, 1)


def test_matches_counted_by_their_sets() -> None:
    """Points that no letter of TRF gives reach the engine as they are."""
    state = opened(8, game="mangala", sets=3, set_points=True)
    from korgool.competition.result import SetResult, match_result

    def won(sets: int) -> Result:
        lost = [SetResult(0, 2, (20, 28))] * (3 - sets)
        return match_result((*[SetResult(2, 0, (28, 20))] * sets, *lost))

    state = played(state, won(3), won(2), won(2), won(3))
    points = pairing_points(state, 2)
    assert sorted(points.values()) == [0, 0, 2, 2, 4, 4, 6, 6]
    state = apply(state, pair_swiss(state, 2).action(2))
    assert all(points[white] == points[black] for white, black in pairs(state))


def test_old_log_round_is_verified_by_who_sat_there() -> None:
    """A withdrawal after the round, a later penalty and a bye do not disturb the check of an earlier one."""
    state = played(played(opened(7)))
    state = apply(state, do.Withdraw(4))
    state = apply(state, do.Penalise(1, 3), reason="conduct")
    state = apply(state, do.Enter(Entry(family="Late")))
    assert verify_swiss(state, 1) == ()
    assert verify_swiss(state, 2) == ()
    other = replace(state.players[1], penalties=(Penalty(1, 2, "then"),))
    assert verify_swiss(replace(state, players={**state.players, 1: other}), 2) != ()


def test_bye_is_explained() -> None:
    state = played(played(opened(5, rounds=4)))
    said = [one for one in explain(state, 2) if one.black is None]
    assert len(said) == 1
    assert "gets the pairing-allocated bye" in said[0].text
    assert "cannot get it: a bye in round 1" in said[0].text or "Nobody with fewer points" in said[0].text
    asked = apply(state, do.Miss(1, Absence(3, ByeKind.HALF)))
    asked = played(asked)
    assert any("half-point bye" in one.text for one in explain(asked, 3))
    assert Bye(1, ByeKind.HALF) in asked.rounds[2].byes


def test_teams_as_competitors() -> None:
    """Teams are paired by match points, laid out on boards, explained and verified like players."""
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3, system=System.TEAM_SWISS, boards=2)))
    for count in range(14):
        entry = Entry(family=f"P{count}", rating=2400 - count, team=f"Team {count % 7}")
        state = apply(state, do.Enter(entry))
    state = apply(state, do.Seed(tuple(state.teams), True))
    state = results_of(apply(state, pair_swiss(state, 1).action(1)))
    assert [(one.home, one.away) for one in state.rounds[0].matches] == [(1, 4), (5, 2), (3, 6)]
    assert state.rounds[0].byes == (Bye(7, ByeKind.ALLOCATED),)
    for id_ in state.teams[1].players:
        state = apply(state, do.Withdraw(id_))
    paired = pair_swiss(state, 2)
    state = results_of(apply(state, paired.action(2)), Result(0, 2, (60, 100)), Result(0, 2, (60, 100)))
    assert {id_ for one in paired.matches for id_ in (one.home, one.away)} == {2, 3, 4, 5, 6, 7}
    assert Bye(1, ByeKind.ZERO) in paired.byes
    for number in (1, 2):
        assert verify_swiss(state, number) == ()
        said = explain(state, number)
        assert [(one.white, one.black) for one in said if one.board] == [
            (one.home, one.away) for one in state.rounds[number - 1].matches
        ]
        assert not any("by hand" in one.text for one in said)


def test_numbers_of_four_digits_keep_their_columns() -> None:
    small = opened(4, rounds=3)
    players = {id_: Player(id_, id_, Entry(family=f"Ү{id_}", rating=1)) for id_ in range(1, 1203)}
    games = tuple(PairedGame(board, board, board + 601, Result(2, 0)) for board in range(1, 602))
    state = replace(small, players=players, rounds=(Round(1, games),))
    penalised = replace(players[1202], penalties=(Penalty(1, 3, "conduct"),))
    state = replace(state, players={**players, 1202: penalised, 1201: replace(players[1201], until=1)})
    text = engine_file(state, 2)
    assert text.isascii()
    lines = text.splitlines()
    last = next(line for line in lines if line.startswith("001 1202"))
    assert (last[4:8], last[80:84], last[85:89], last[91:99]) == ("1202", " 0.0", "1202", " 601 b 0")
    assert "240 Z   2 1201" in lines
    assert "250      -1.5   2   2 1202 1202" in lines
    assert {len(line) for line in lines if line.startswith("001")} == {99}

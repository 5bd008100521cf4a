"""What officials may do and what is refused, by the clauses on entries, referees and warnings."""

from __future__ import annotations

from typing import Any

import pytest

from korgool.competition import actions as do
from korgool.competition.eligibility import missing_officials
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.undo import touched
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Role, Settings, System, Team, TeamMatch
from korgool.competition.result import Result, read_result
from korgool.competition.round_history import RoundKind, history, team_history


def opened(count: int = 4, **settings: object) -> EventState:
    state = apply(EventState(), do.Open(Settings(name="Cup", **settings)))  # type: ignore[arg-type]
    for number in range(1, count + 1):
        sex = "f" if settings.get("sex") == "women" else ""
        state = apply(state, do.Enter(Entry(family=f"Player {number}", rating=2000 - number, sex=sex)))  # type: ignore[arg-type]
    return state


def paired(state: EventState) -> EventState:
    if not state.seeded:
        state = apply(state, do.Seed(tuple(state.players), True))
    number = len(state.rounds) + 1
    playing = [player.id for player in state.players.values() if player.plays(number)]
    games = tuple(
        PairedGame(board, *pair) for board, pair in enumerate(zip(playing[::2], playing[1::2], strict=False), 1)
    )
    byes = [Bye(player.id, kind) for player in state.players.values() if (kind := player.bye(number))]
    if len(playing) % 2:
        byes.append(Bye(playing[-1], ByeKind.ALLOCATED))
    return apply(state, do.Pair(number, games, tuple(byes), engine="test"))


def played(state: EventState, text: str = "1 (82) - 0 (60)") -> EventState:
    one = state.rounds[-1]
    for game in one.games:
        if game.result is None:
            state = apply(state, do.EnterResult(one.number, game.board, read_result(text)))
    return state


def test_men_cannot_play_among_women_and_women_may_play_among_men() -> None:
    """WNG-TK §XIII."""
    women = opened(0, sex="women")
    with pytest.raises(CompetitionError, match="men cannot play among women"):
        apply(women, do.Enter(Entry(family="Asanov", sex="m")))
    with pytest.raises(CompetitionError, match="sex is not stated"):
        apply(women, do.Enter(Entry(family="Asanova")))
    apply(women, do.Enter(Entry(family="Asanova", sex="f")))
    apply(opened(0), do.Enter(Entry(family="Asanova", sex="f")))
    with pytest.raises(CompetitionError, match="men cannot"):
        apply(
            apply(opened(0), do.Enter(Entry(family="Asanov", sex="m"))),
            do.Change(Settings(name="Cup", sex="women")),
        )


def test_a_player_entered_twice_is_refused() -> None:
    state = apply(opened(0), do.Enter(Entry(family="Жумабаев", given="Пётр", born=2001)))
    for again in (
        Entry(family="ЖУМАБАЕВ", given="Петр"),
        Entry(family=" Жумабаев ", given="Пётр", born=2001, rating=1900),
    ):
        with pytest.raises(CompetitionError, match="entered already, with number 1"):
            apply(state, do.Enter(again))
    namesake = apply(state, do.Enter(Entry(family="Жумабаев", given="Пётр", born=2002)))
    assert len(namesake.players) == 2
    by_number = apply(state, do.Enter(Entry(family="Other", external="123")))
    with pytest.raises(CompetitionError, match="entered already"):
        apply(by_number, do.Enter(Entry(family="Another", external="123")))


def test_the_third_warning_costs_a_point_at_once_and_the_fourth_excludes() -> None:
    """WNG-TK §XIV."""
    state = opened()
    for count in (1, 2):
        state = apply(state, do.GiveWarning(1), reason="conversation")
        assert (len(state.players[1].warnings), state.players[1].penalty) == (count, 0)
    state = apply(state, do.GiveWarning(1), reason="no record")
    assert state.players[1].penalty == 2
    assert not state.players[1].excluded
    state = apply(state, do.GiveWarning(1), reason="disrespect")
    assert state.players[1].excluded
    assert state.players[1].penalty == 2
    assert not state.players[1].plays(1)
    with pytest.raises(CompetitionError, match="excluded already"):
        apply(state, do.GiveWarning(1), reason="again")
    with pytest.raises(CompetitionError, match="cannot come back"):
        apply(state, do.Readmit(1))


@pytest.mark.parametrize("action", [do.GiveWarning(1), do.Exclude(1), do.Penalise(1, 1), do.Unpair(1)])
def test_what_needs_a_reason_is_refused_without_one(action: do.AnyAction) -> None:
    with pytest.raises(CompetitionError, match="give the reason"):
        apply(opened(), action, reason="  ")


def test_officials_are_three_at_least_and_all_offices_above_seven_players() -> None:
    """WNG-TK §XIV."""
    state = opened(7)
    for name, role in (("A", Role.CHIEF_REFEREE), ("B", Role.REFEREE)):
        state = apply(state, do.Appoint(name, role))
    assert missing_officials(state) == ("an event has at least 3 officials, 2 named",)
    state = apply(state, do.Appoint("C", Role.SECRETARY))
    assert missing_officials(state) == ()
    state = apply(state, do.Enter(Entry(family="Eighth")))
    assert len(missing_officials(state)) == 2
    for name, role in (("D", Role.DEPUTY), ("E", Role.CHIEF_SECRETARY)):
        state = apply(state, do.Appoint(name, role))
    assert missing_officials(state) == ()
    with pytest.raises(CompetitionError, match="A is chief referee already"):
        apply(state, do.Appoint("F", Role.CHIEF_REFEREE))
    state = apply(state, do.Dismiss(2), reason="took a decision for a team mate")
    assert state.officials[2].excluded
    assert "no referee" in missing_officials(state)[0]
    with pytest.raises(CompetitionError, match="was excluded"):
        apply(state, do.Appoint("b", Role.SECRETARY))


def test_no_next_round_while_a_result_is_missing() -> None:
    """WNG-TK §IX."""
    state = paired(opened(6))
    state = apply(state, do.EnterResult(1, 2, read_result("0 (60) - 1 (82)")))
    with pytest.raises(CompetitionError, match="lacks the results of boards 1, 3"):
        paired(state)
    assert len(paired(played(state)).rounds) == 2


def test_a_correction_replaces_a_result_and_only_the_last_round_can_lose_one() -> None:
    state = played(paired(opened(4)))
    with pytest.raises(CompetitionError, match="has the result 1 \\(82\\) - 0 \\(60\\) already"):
        apply(state, do.EnterResult(1, 1, read_result("1-0")))
    wrong = do.Correct(1, 1, read_result("0 (60) - 1 (82)"))
    assert apply(state, wrong, reason="typed wrongly").rounds[0].game(1).result == wrong.result
    assert apply(state, do.Correct(1, 1, None), reason="not over").rounds[0].missing == (1,)
    later = paired(state)
    with pytest.raises(CompetitionError, match="corrected, not taken back"):
        apply(later, do.Correct(1, 1, None), reason="not over")
    with pytest.raises(CompetitionError, match="no board 9, it has boards 1 to 2"):
        apply(later, do.EnterResult(1, 9, read_result("1-0")))
    with pytest.raises(CompetitionError, match="round 3 is not paired"):
        apply(later, do.EnterResult(3, 1, read_result("1-0")))
    with pytest.raises(CompetitionError, match=r"round 2, board 1: .*163 stones"):
        apply(later, do.EnterResult(2, 1, Result(2, 0, (100, 63))))


def test_a_late_entry_plays_from_the_next_round_and_a_withdrawn_player_no_longer() -> None:
    state = played(paired(opened(4)))
    state = apply(state, do.Enter(Entry(family="Late", rating=2500)))
    state = apply(state, do.Withdraw(2))
    assert (state.players[5].number, state.players[5].since) == (5, 2)
    after = paired(state)
    assert 2 not in {id_ for game in after.rounds[1].games for id_ in (game.white, game.black)}
    meetings = history(after)
    assert meetings[5][0].bye is ByeKind.ZERO
    assert meetings[2][1].kind is RoundKind.BYE
    back = apply(after, do.Readmit(2))
    assert back.players[2].plays(3)


def test_a_player_may_miss_a_round_for_half_a_point_until_it_is_paired() -> None:
    state = apply(opened(5), do.Miss(3, Absence(1, ByeKind.HALF)))
    state = apply(state, do.Seed(tuple(state.players), True))
    games = (PairedGame(1, 1, 2), PairedGame(2, 4, 5))
    with pytest.raises(CompetitionError, match="Player 3 asked for a bye"):
        apply(state, do.Pair(1, games))
    state = apply(state, do.Pair(1, games, (Bye(3, ByeKind.HALF),)))
    assert history(state)[3][0].points == 1
    with pytest.raises(CompetitionError, match="paired already"):
        apply(state, do.Miss(1, Absence(1, ByeKind.HALF)))
    with pytest.raises(CompetitionError, match="has 7 rounds"):
        apply(state, do.Miss(1, Absence(8, ByeKind.HALF)))
    missing = apply(state, do.Miss(1, Absence(2, ByeKind.ZERO)))
    assert apply(missing, do.Attend(1, 2)).players[1].plays(2)


def test_who_is_there_is_noted_and_decides_nothing() -> None:
    before = opened(4)
    state = apply(apply(before, do.Present(1, (1, 2, 3))), do.Present(1, (3,), here=False))
    assert state.present == {1: {1, 2}}
    assert (state.players, state.rounds) == (before.players, before.rounds)
    assert touched(before, state) == {("present", 1, 1), ("present", 1, 2)}
    entered = apply(apply(state, do.Enter(Entry(family="Wrong"))), do.Present(2, (5,)))
    assert 5 not in apply(entered, do.Undo(entered.actions - 1), reason="nobody of this name").players


@pytest.mark.parametrize(
    ("games", "reason"),
    [
        ((PairedGame(1, 1, 2), PairedGame(2, 1, 3)), "paired 2 times"),
        ((PairedGame(1, 1, 1), PairedGame(2, 2, 3)), "paired 2 times"),
        ((PairedGame(1, 1, 2),), "is not paired"),
        ((PairedGame(1, 1, 2), PairedGame(3, 3, 4)), "numbered from 1"),
        ((PairedGame(1, 1, 2), PairedGame(2, 3, 9)), "no player with the id 9"),
        ((PairedGame(1, 1, 2), PairedGame(2, 3, 0)), "one player only"),
    ],
)
def test_a_round_that_is_none_is_refused(games: tuple[PairedGame, ...], reason: str) -> None:
    state = apply(opened(4), do.Seed((1, 2, 3, 4), True))
    with pytest.raises(CompetitionError, match=reason):
        apply(state, do.Pair(1, games))


def test_a_round_is_changed_by_hand_only_before_it_has_results() -> None:
    state = paired(opened(4))
    changed = apply(state, do.Repair((PairedGame(1, 1, 3), PairedGame(2, 2, 4))), reason="team mates")
    assert changed.rounds[0].manual
    games = PairedGame(1, 1, 3, Result(2, 2)), PairedGame(2, 2, 4)
    with pytest.raises(CompetitionError):
        apply(state, do.Repair(games), reason="nobody has two points each")
    assert apply(changed, do.Unpair(1), reason="a player came late").rounds == ()
    begun = apply(state, do.EnterResult(1, 1, read_result("1-0")))
    for action in (do.Repair((PairedGame(1, 1, 3), PairedGame(2, 2, 4))), do.Unpair(1)):
        with pytest.raises(CompetitionError, match="has a result on board 1"):
            apply(begun, action, reason="too late")


def test_record_forms_are_lent_and_come_back() -> None:
    """WNG-TK §VIII."""
    state = apply(paired(opened(4)), do.Lend(1, 2, "coach of Player 3"))
    assert state.forms[1].state == "lent"
    assert apply(state, do.TakeBack(1, "lost")).forms[1].state == "lost"
    back = apply(state, do.TakeBack(1, "returned"))
    with pytest.raises(CompetitionError, match="returned already"):
        apply(back, do.TakeBack(1, "returned"))
    with pytest.raises(CompetitionError, match="no form with the number 7"):
        apply(back, do.TakeBack(7, "returned"))


def test_teams_meet_on_boards_and_a_missing_player_forfeits() -> None:
    state = apply(EventState(), do.Open(Settings(name="Teams", system=System.TEAM_SWISS, boards=2, rounds=3)))
    for team, family in (("North", "A"), ("North", "B"), ("South", "C")):
        state = apply(state, do.Enter(Entry(family=family, team=team)))
    assert {team.name: team.players for team in state.teams.values()} == {"North": (1, 2), "South": (3,)}
    with pytest.raises(CompetitionError, match="plays for team North"):
        apply(state, do.SetTeam(Team(0, 0, "West", players=(1,))))
    state = apply(state, do.Seed((1, 2), True))
    games, match = (PairedGame(1, 1, 3), PairedGame(2, 0, 2)), (TeamMatch(1, 1, 2, (1, 2)),)
    state = apply(state, do.Pair(1, games, matches=match))
    state = apply(state, do.EnterResult(1, 1, read_result("0.5 (81) - 0.5 (81)")))
    assert team_history(state)[1][0].kind is RoundKind.PENDING
    state = apply(state, do.EnterResult(1, 2, read_result("- - +")))
    north, south = team_history(state)[1][0], team_history(state)[2][0]
    assert (north.points, north.game_points, south.points, south.game_points) == (2, 3, 0, 1)
    assert (north.own, north.other, north.white, south.white) == (81, 81, True, False)
    assert history(state)[2][0].opponent is None


def test_settings_of_a_running_event_stay() -> None:
    state = paired(opened(4))
    with pytest.raises(CompetitionError, match="system cannot change"):
        apply(state, do.Change(Settings(name="Cup", system=System.KNOCKOUT)))
    assert apply(state, do.Change(Settings(name="New name", rounds=9))).event.rounds == 9


@pytest.mark.parametrize(
    "settings",
    [{"name": " "}, {"name": "x", "rounds": 0}, {"name": "x", "sets": 0}, {"name": "x", "boards": 3},
     {"name": "x", "rule": (("no_such", "1"),)}, {"name": "x", "control": "soon"}],
)  # fmt: skip
def test_settings_that_make_no_event_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        Settings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("born", [0, 1900, 2100])
def test_years_of_birth_have_bounds(born: int) -> None:
    assert Entry(family="A", born=born).born == born
    if born:
        with pytest.raises(CompetitionError, match="four digits"):
            Entry(family="A", born=born - 1 if born == 1900 else born + 1)


def test_players_are_found_by_number_or_by_the_beginning_of_their_name() -> None:
    state = opened(12)
    assert state.player(3).id == state.player("3").id == 3
    assert state.player("player 12").id == 12
    assert state.player("Player 1").id == 1
    with pytest.raises(CompetitionError, match="may be any of"):
        state.player("Play")
    with pytest.raises(CompetitionError, match="there is no player '99'"):
        state.player(99)


@pytest.mark.parametrize(
    ("name", "least", "most"), [("rounds", 1, 99), ("sets", 1, 21), ("boards", 1, 20), ("bye_points", 0, 2)]
)
def test_numbers_of_an_event_have_bounds(name: str, least: int, most: int) -> None:
    given: dict[str, Any] = {"name": "Cup", "system": System.TEAM_SWISS, "rounds": 3, "boards": 4}
    for number in (least, most):
        assert getattr(Settings(**{**given, name: number}), name) == number
    for number in (least - 1, most + 1):
        with pytest.raises(CompetitionError, match=f"not {number}"):
            Settings(**{**given, name: number})


def test_an_office_is_given_to_a_name_once_and_names_may_share_it() -> None:
    state = apply(opened(), do.Appoint("Asan", Role.REFEREE))
    state = apply(state, do.Appoint("Usen", Role.REFEREE))
    state = apply(state, do.Appoint("Asan", Role.SECRETARY))
    assert [(one.name, one.role) for one in state.officials.values()] == [
        ("Asan", Role.REFEREE),
        ("Usen", Role.REFEREE),
        ("Asan", Role.SECRETARY),
    ]
    with pytest.raises(CompetitionError, match="Usen is referee already"):
        apply(state, do.Appoint(" usen ", Role.REFEREE))


def test_a_penalty_takes_or_gives_back_a_hundred_half_points_at_most() -> None:
    for points in (1, -1, 100, -100):
        state = apply(opened(), do.Penalise(1, points), reason="conduct")
        assert [penalty.half_points for penalty in state.players[1].penalties] == [points]
    for points in (0, 101, -101):
        with pytest.raises(CompetitionError, match=f"takes some points, not {points}"):
            apply(opened(), do.Penalise(1, points), reason="conduct")

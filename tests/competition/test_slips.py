"""Slips that a round already rests on: each is put right from the next round on, with a reason, in the log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from korgool.competition import CompetitionError, EventState
from korgool.competition import actions as do
from korgool.competition.log.apply import apply
from korgool.competition.log.replay import replay
from korgool.competition.log.undo import touched
from korgool.competition.model import Absence, ByeKind, Entry, System, Team
from korgool.competition.pairing import pair as pair_round
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.result import read_result
from korgool.competition.roles import DeskRole, may
from korgool.competition.round_history import history, team_history
from korgool.competition.standings import prize_winners, standings, table
from korgool.competition.trf import read_trf, write_trf
from tests.competition.program import begin, korgool, lines, refused, usage
from tests.competition.test_apply import opened, paired, played

WHY = "it was the player at the next board"


def mended(state: EventState, *actions: do.AnyAction) -> EventState:
    for action in actions:
        state = apply(state, action, reason=WHY)
    assert replay(state.done) == state
    return state


def rank_of(state: EventState, player: int) -> int:
    return next(row.rank for row in standings(state) if row.competitor == player)


def seated(state: EventState, number: int) -> set[int]:
    games = pair_round(state, number, engine=GacruxHere()).games
    return {id_ for game in games for id_ in (game.white, game.black)}


@pytest.mark.parametrize("slips", [(do.Exclude(1),), (do.GiveWarning(1),) * 4], ids=["decision", "fourth warning"])
def test_an_exclusion_by_mistake_ends_from_the_next_round_on(slips: tuple[do.AnyAction, ...]) -> None:
    excluded = played(paired(mended(played(paired(opened(6))), *slips)))
    assert rank_of(excluded, 1) == 6
    back = mended(excluded, do.Reinstate(1))
    player = back.players[1]
    assert (player.excluded, player.until, len(player.warnings)) == (False, None, min(len(slips) - 1, 3))
    assert [(one.bye, one.points) for one in history(back)[1]] == [(None, 2), (ByeKind.ZERO, 0)]
    assert 1 in seated(back, 3)
    assert not table(back).lines[1].excluded
    assert rank_of(back, 1) < 6 or back.players[1].penalty
    assert 1 in {row.competitor for row in prize_winners(replace_prizes(back))}
    assert touched(excluded, back) == {("player", 1, 0)}
    assert mended(back, *slips[-1:]).players[1].excluded
    with pytest.raises(CompetitionError, match="is not excluded"):
        mended(back, do.Reinstate(1))


def replace_prizes(state: EventState) -> EventState:
    return mended(state, do.Change(replace(state.event, prizes=6)))


def test_who_plays_again_can_be_paired_in_the_round_that_is_paired_anew() -> None:
    state = paired(mended(played(paired(opened(6))), do.Exclude(1)))
    state = mended(state, do.Reinstate(1), do.Unpair(2, rewinds=True))
    assert 1 in seated(state, 2)


def test_a_cancelled_warning_takes_what_followed_from_the_number_along() -> None:
    third = played(paired(mended(played(paired(opened())), *(do.GiveWarning(1),) * 3)))
    assert third.players[1].penalty == 2
    two = mended(third, do.CancelWarning(1, 2))
    assert (len(two.players[1].warnings), two.players[1].penalty) == (2, 0)
    assert standings(two, rounds=1) == standings(third, rounds=1)
    assert mended(two, do.GiveWarning(1)).players[1].penalty == 2
    fourth = mended(third, do.GiveWarning(1))
    assert fourth.players[1].excluded
    player = mended(fourth, do.CancelWarning(1, 1)).players[1]
    assert (player.excluded, player.penalty, len(player.warnings)) == (False, 2, 3)
    with pytest.raises(CompetitionError, match="has no warning 5, but 4"):
        mended(fourth, do.CancelWarning(1, 5))


@pytest.mark.parametrize("comments", [True, False])
def test_a_bye_is_corrected_after_its_round_and_stays_so_in_a_report(comments: bool) -> None:
    state = played(paired(mended(opened(6), do.Miss(5, Absence(1, ByeKind.ZERO)))))
    state = played(paired(mended(state, do.Enter(Entry(family="Late")), do.Withdraw(2))))
    state = mended(state, *(do.CorrectBye(*one) for one in (
        (1, 5, ByeKind.HALF), (1, 7, ByeKind.FULL), (2, 2, ByeKind.HALF),
    )))  # fmt: skip
    assert [(history(state)[id_][at].points) for at, id_ in ((0, 5), (0, 7), (1, 2))] == [1, 2, 1]
    assert state.players[5].bye(1) is ByeKind.HALF
    turned = tuple(replace(game, white=game.black, black=game.white, result=None) for game in state.rounds[0].games)
    assert mended(state, do.Repair(turned, state.rounds[0].byes, (), 1)).rounds[0].byes == state.rounds[0].byes
    text = write_trf(state)
    kept = text if comments else "".join(line for line in text.splitlines(True) if not line.startswith("###"))
    back = read_trf(kept.encode()).state
    number = {player.number: id_ for id_, player in back.players.items()}
    points = {state.players[row.competitor].number: row.points for row in standings(state, tiebreaks=())}
    assert {row.competitor: row.points for row in standings(back, tiebreaks=())} == {
        number[at]: half for at, half in points.items()
    }


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (do.CorrectBye(1, 1, ByeKind.HALF), "has a game in round 1, and no bye"),
        (do.CorrectBye(1, 5, ByeKind.ZERO), r"has this bye in round 1 already \(Z\)"),
        (do.CorrectBye(1, 5, ByeKind.ALLOCATED), "nobody can ask for it"),
        (do.CorrectBye(1, 9, ByeKind.HALF), "there is no player with the id 9"),
        (do.CorrectBye(2, 5, ByeKind.HALF), "round 2 is not paired"),
    ],
)
def test_what_is_no_bye_is_not_corrected(action: do.AnyAction, words: str) -> None:
    state = played(paired(mended(opened(5), do.Miss(5, Absence(1, ByeKind.ZERO)))))
    with pytest.raises(CompetitionError, match=words):
        mended(state, action)
    with pytest.raises(CompetitionError, match="give the reason"):
        apply(state, do.CorrectBye(1, 5, ByeKind.HALF))


def test_scoring_and_rules_change_with_a_reason_while_every_result_stays_possible() -> None:
    state = played(paired(opened(5)))
    half = replace(state.event, bye_points=1)
    with pytest.raises(CompetitionError, match="give the reason why bye_points changes"):
        apply(state, do.Change(half))
    after = mended(state, do.Change(half))
    assert {history(one)[5][0].points for one in (state, after)} == {2, 1}
    owner = replace(state.event, rule=(("sweep", "owner"),))
    assert mended(state, do.Change(owner)).event.rules().sweep == "owner"
    for settings in (replace(state.event, game="castle"), replace(state.event, sets=3)):
        with pytest.raises(CompetitionError, match="cannot change once a round is paired"):
            mended(state, do.Change(settings))


def of_teams() -> EventState:
    """Two teams of two and a reserve; in round 1 West came with one player, and lost the second board."""
    state = opened(0, system=System.TEAM_ROUND_ROBIN, boards=2, rounds=3)
    for at in range(6):
        state = apply(state, do.Enter(Entry(family="ABCDEF"[at], team=("West", "East")[at // 3], rating=2000 - at)))
    for away in (2, 3):
        state = apply(state, do.Withdraw(away))
    state = apply(state, do.SetTeam(Team(1, 1, "West", players=(1, 2))))
    state = apply(state, do.Seed((1, 2), True))
    paired_ = pair_round(state, 1)
    state = apply(state, paired_.action(1))
    for game in paired_.games:
        both = game.white and game.black
        text = "1 (90) - 0 (72)" if both else "+ - -" if game.white else "- - +"
        state = apply(state, do.EnterResult(1, game.board, read_result(text)))
    return state


def test_a_team_keeps_what_it_won_with_a_player_who_is_entered_for_another_team_later() -> None:
    state = of_teams()
    before = {id_: (one[0].points, one[0].game_points) for id_, one in team_history(state).items()}
    assert before == {1: (1, 2), 2: (1, 2)}
    for player, team in ((1, "East"), (1, ""), (4, "West")):
        moved = mended(state, do.Amend(player, replace(state.players[player].entry, team=team)))
        assert {
            id_: (one[0].points, one[0].game_points) for id_, one in team_history(moved).items() if id_ < 3
        } == before


def test_an_empty_board_of_a_team_is_filled_afterwards(tmp_path: Path) -> None:
    cup, table = tmp_path / "cup.korgool", tmp_path / "list.csv"
    korgool("new", cup, "--name", "Cup", "--system", "team-swiss", "--boards", "2", "--rounds", "2")
    table.write_text("Name,Team,Rating\n" + "".join(
        f"{name},{('West', 'East', 'North')[at // 2]},{2000 - at}\n" for at, name in enumerate("ABCDEF")
    ), encoding="utf-8")  # fmt: skip
    korgool("import", cup, table)
    korgool("miss", cup, "B", 1, "--bye", "zero")
    boards = lines("pair", cup)
    (empty,) = [one for one in boards if one["board"] and not (one["white"] and one["black"])]
    (full,) = [one for one in boards if one["white"] and one["black"]]
    other = empty["white_name"] or empty["black_name"]
    korgool("result", cup, 1, full["board"], "82-60")
    assert "has two players" in refused("repair", cup, "--fill", full["board"], "B", "--reason", WHY)
    korgool("repair", cup, "--fill", empty["board"], "B", "--reason", "B was there")
    (filled,) = [one for one in lines("round", cup) if one["board"] == empty["board"]]
    assert {filled["white_name"], filled["black_name"]} == {"B", other}
    assert filled["cause"] == "forfeit"
    korgool("result", cup, 1, empty["board"], "0-82", "--correct", "--reason", "B was there")
    korgool("pair", cup)
    assert "2 rounds" in korgool("check", cup)


def test_the_command_line_puts_slips_right_and_the_check_holds(tmp_path: Path) -> None:
    cup = tmp_path / "cup.korgool"
    begin(cup, 8, 5)
    for slips in ((("exclude", cup, 2, "--reason", "phone"),), (("warn", cup, 3, "--reason", "talk"),) * 4):
        for slip in slips:
            korgool(*slip)
    for board in lines("pair", cup):
        if board["board"]:
            korgool("result", cup, 1, board["board"], "82-60")
    exclusion = next(one["at"] for one in lines("log", cup) if one["action"]["do"] == "exclude")
    assert "rest on line" in refused("undo", cup, exclusion, "--reason", "slip")
    assert "end the exclusion" in refused("readmit", cup, 2)
    assert "--reason" in usage("reinstate", cup, 2)
    (back,) = lines("reinstate", cup, 2, "--reason", WHY)
    assert back["status"] == "plays"
    (back,) = lines("warn", cup, 3, "--cancel", 4, "--reason", WHY)
    assert (back["status"], back["warnings"]) == ("plays", 3)
    byes = {
        line["white"]: line["bye"] for line in lines("miss", cup, 2, 1, "--correct", "--reason", WHY) if line["bye"]
    }
    assert byes[2] == "H"
    korgool("change", cup, "--rule", "sweep=owner", "--bye-points", "0.5", "--reason", "as announced")
    boards = lines("pair", cup)
    assert {2, 3} <= {one[side] for one in boards for side in ("white", "black")}
    assert "2 rounds" in korgool("check", cup)
    told = korgool("log", cup)
    assert "exclusion ended" in told
    assert "warning 4 cancelled" in told
    assert WHY in told


def test_only_the_chief_ends_an_exclusion() -> None:
    state = mended(opened(), do.Exclude(1), *(do.GiveWarning(2),) * 2)
    for action, roles in (
        (do.Reinstate(1), {DeskRole.ORGANISER, DeskRole.CHIEF}),
        (do.CancelWarning(2, 1), {DeskRole.ORGANISER, DeskRole.CHIEF, DeskRole.DEPUTY}),
    ):
        assert {role for role in DeskRole if may(role, None, action, state) is None} == roles

"""Every action that an event refuses, each with its reason; nothing is changed by the attempt."""

from __future__ import annotations

import pytest

from korgool.competition import CompetitionError, Entry, EventState, Settings, System, apply
from korgool.competition import actions as do
from korgool.competition.model import (
    Absence,
    Bye,
    ByeKind,
    PairedGame,
    Role,
    Team,
    TeamMatch,
)
from korgool.competition.result import Result


def made(*actions: do.AnyAction, **settings: object) -> EventState:
    """An event of four players A to D after some actions."""
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3, **settings)))  # type: ignore[arg-type]
    for name in "ABCD":
        state = apply(state, do.Enter(Entry(family=name, team="West" if name in "AB" else "East")))
    for action in actions:
        state = apply(state, action, reason="because")
    return state


SEED = do.Seed((1, 2, 3, 4), True)
GAMES = (PairedGame(1, 1, 2), PairedGame(2, 3, 4))
PAIR = do.Pair(1, GAMES)
WON = Result(2, 0, (90, 72))
PLAYED = (SEED, PAIR, do.EnterResult(1, 1, WON), do.EnterResult(1, 2, WON))
OFFICIALS = (do.Appoint("Judge", Role.CHIEF_REFEREE), do.Appoint("Helper", Role.REFEREE))
LENT = (*PLAYED, do.Lend(1, 1, "A"))
WARNED = tuple(do.GiveWarning(1) for _ in range(4))


@pytest.mark.parametrize(
    ("before", "action", "words"),
    [
        ((), do.Open(Settings(name="Again")), "the event is open already"),
        ((), do.Withdraw(9), "there is no player with the id 9"),
        ((do.Withdraw(1),), do.Withdraw(1), "A has left the event already"),
        ((), do.Readmit(1), "A has not left the event"),
        ((do.Exclude(1),), do.Readmit(1), "A was excluded and cannot come back"),
        ((do.Exclude(1),), do.Exclude(1), "A is excluded already"),
        ((do.Exclude(1),), do.GiveWarning(1), "A is excluded already"),
        (WARNED, do.GiveWarning(1), "A is excluded already"),
        ((), do.Penalise(1, 0), "a penalty takes some points, not 0 half points"),
        ((), do.Penalise(1, 101), "a penalty takes some points, not 101 half points"),
        ((), do.Miss(1, Absence(1, ByeKind.ALLOCATED)), "nobody can ask for it"),
        ((), do.Miss(1, Absence(4, ByeKind.HALF)), "the event has 3 rounds, there is no round 4"),
        ((SEED, PAIR), do.Miss(1, Absence(1, ByeKind.HALF)), "round 1 is paired already"),
        ((), do.Attend(1, 2), "A does not miss round 2"),
        ((), do.Present(4, (1,)), "the event has 3 rounds, there is no round 4"),
        ((), do.Present(1, (9,)), "there is no player with the id 9"),
        ((), do.Present(1, ()), "say which players"),
        ((do.Present(1, (1, 2)),), do.Present(1, (2,)), "that is noted already"),
        ((), do.Present(1, (1,), here=False), "that is noted already"),
        ((), do.Appoint(" ", Role.REFEREE), "an official needs a name"),
        (OFFICIALS, do.Appoint("Other", Role.CHIEF_REFEREE), "Judge is chief referee already"),
        (OFFICIALS, do.Appoint("helper", Role.REFEREE), "Helper is referee already"),
        (OFFICIALS, do.Dismiss(3), "there is no official with the id 3"),
        ((*OFFICIALS, do.Dismiss(2)), do.Dismiss(2), "Helper is excluded already"),
        ((*OFFICIALS, do.Dismiss(2)), do.Appoint("Helper", Role.SECRETARY), "was excluded from the referees: because"),
        ((), do.SetTeam(Team(0, 0, " ")), "a team needs a name"),
        ((), do.SetTeam(Team(7, 0, "North")), "there is no team with the id 7"),
        ((), do.SetTeam(Team(0, 0, "North", players=(1, 1))), "a player stands twice in team North"),
        ((), do.SetTeam(Team(0, 0, "North", players=(9,))), "there is no player with the id 9"),
        ((do.SetTeam(Team(0, 0, "North", players=(1,))),), do.SetTeam(Team(0, 0, "north")), "a team North already"),
        (
            (do.SetTeam(Team(0, 0, "North", players=(1,))),),
            do.SetTeam(Team(0, 0, "South", players=(2, 1))),
            "A plays for team North already",
        ),
        ((), do.Lend(1, 1, "A"), "round 1 is not paired"),
        (PLAYED, do.Lend(1, 1, " "), "say who borrows the form"),
        (PLAYED, do.Lend(1, 3, "A"), "round 1 has no board 3, it has boards 1 to 2"),
        (LENT, do.TakeBack(2, "lost"), "no form with the number 2 was lent"),
        ((*LENT, do.TakeBack(1, "returned")), do.TakeBack(1, "lost"), "form 1 was returned already"),
        ((), do.Forget(()), "say of which players"),
        ((), do.Forget((5,)), "there is no player with the id 5"),
        (PLAYED, do.Change(Settings(name="Cup", rounds=3, sets=3)), "sets cannot change once a round is paired"),
        (PLAYED, SEED, "pairing numbers stay once the first round is paired"),
        ((), do.Seed((1, 2, 3), True), "pairing numbers name every competitor once"),
        ((), PAIR, "give pairing numbers before the first round"),
        ((SEED, PAIR), do.Pair(2, GAMES), "round 1 lacks the results of boards 1, 2"),
        (PLAYED, do.Pair(3, GAMES), "the next round is 2, not 3"),
        ((SEED,), do.Pair(1, GAMES[:1]), "C is not paired"),
        ((SEED,), do.Pair(1, (PairedGame(1, 1, 2), PairedGame(2, 1, 3))), "A is paired 2 times"),
        ((SEED,), do.Pair(1, (PairedGame(1, 1, 9),)), "there is no player with the id 9"),
        ((SEED,), do.Pair(1, (PairedGame(1, 1, 0),)), "board 1 has one player only"),
        ((SEED,), do.Pair(1, GAMES[::-1]), "boards are numbered from 1 in their order"),
        ((SEED,), do.Pair(1, (PairedGame(1, 1, 2, WON), GAMES[1])), "a pairing has no result yet"),
        ((SEED, do.Withdraw(1)), do.Pair(1, GAMES), "board 1: A does not play"),
        ((SEED, do.Miss(1, Absence(1, ByeKind.HALF))), do.Pair(1, GAMES[1:]), "boards are numbered"),
        (
            (SEED, do.Miss(1, Absence(1, ByeKind.HALF)), do.Withdraw(2)),
            do.Pair(1, (PairedGame(1, 3, 4),), (Bye(1, ByeKind.FULL),)),
            "A asked for a bye (H)",
        ),
        ((SEED,), do.Unpair(1), "no round is paired"),
        (PLAYED, do.Unpair(1), "round 1 has a result on board 1; take it back first"),
        ((SEED, PAIR), do.Unpair(2), "only the last round can be taken back, that is 1"),
        (PLAYED, do.EnterResult(1, 1, WON), "board 1 has the result 1 (90) - 0 (72) already"),
        ((SEED, PAIR), do.Correct(1, 1, WON), "board 1 has no result to correct"),
        ((*PLAYED, do.Pair(2, GAMES)), do.Correct(1, 1, None), "its results can be corrected, not taken back"),
        ((SEED, PAIR), do.EnterResult(1, 1, Result(2, 0, (163, 0))), "round 1, board 1: "),
        (PLAYED, do.Attach(1, 1, ("a", "b")), "2 records for 1 games"),
        (PLAYED, do.Attach(1, 1, ("a" * 200_001,)), "a game record has at most 200000 characters"),
        ((SEED, PAIR), do.Publish(1, (), ()), "round 1 is not complete"),
        (PLAYED, do.Publish(2, (), ()), "round 2 is not complete"),
    ],
)  # fmt: skip
def test_a_refused_action_says_why(before: tuple[do.AnyAction, ...], action: do.AnyAction, words: str) -> None:
    state = made(*before)
    with pytest.raises(CompetitionError) as caught:
        apply(state, action, reason="because")
    assert words in str(caught.value)


@pytest.mark.parametrize("action", [do.Exclude(1), do.GiveWarning(1), do.Penalise(1, 1), do.Unpair(1), do.Undo(2)])
def test_nobody_is_punished_and_nothing_taken_back_without_a_reason(action: do.AnyAction) -> None:
    with pytest.raises(CompetitionError, match=r"^give the reason: this is never done without one$"):
        apply(made(SEED, PAIR), action, reason=" ")


def test_an_event_begins_with_its_opening() -> None:
    with pytest.raises(CompetitionError, match="the event is not opened yet"):
        apply(EventState(), do.Withdraw(1))


def test_a_draw_that_is_made_admits_nobody() -> None:
    state = made(SEED, system=System.ROUND_ROBIN)
    with pytest.raises(CompetitionError, match="the draw of a round-robin event is made, nobody can be added"):
        apply(state, do.Enter(Entry(family="E")))


@pytest.mark.parametrize(
    ("games", "matches", "byes", "words"),
    [
        ((), (TeamMatch(1, 1, 9, ()),), (), "there is no team with the id 9"),
        ((), (TeamMatch(1, 1, 2, ()),), (Bye(1, ByeKind.FULL),), "team West is paired 2 times"),
        ((PairedGame(1, 1, 3),), (TeamMatch(1, 1, 2, ()),), (), "every board belongs to one team match"),
        ((PairedGame(1, 1, 2),), (TeamMatch(1, 1, 2, (1,)),), (), "the players are not of the two teams that meet"),
    ],
)
def test_a_team_round_that_is_none(
    games: tuple[PairedGame, ...], matches: tuple[TeamMatch, ...], byes: tuple[Bye, ...], words: str
) -> None:
    state = made(do.Seed((1, 2), True), system=System.TEAM_SWISS, boards=2)
    assert [team.name for team in state.teams.values()] == ["West", "East"]
    with pytest.raises(CompetitionError, match=words):
        apply(state, do.Pair(1, games, byes, matches))


def test_no_team_comes_after_the_draw() -> None:
    state = made(do.Seed((1, 2), True), system=System.TEAM_ROUND_ROBIN, boards=2)
    with pytest.raises(CompetitionError, match="the draw is made, no team can be added"):
        apply(state, do.SetTeam(Team(0, 0, "North")))
    with pytest.raises(CompetitionError, match="the draw is made, no team can be added"):
        apply(state, do.Amend(1, Entry(family="A", team="North")))

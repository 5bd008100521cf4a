"""Who is asked about before a round is paired: those who did not come last time, and those whom the check-in lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.competition import EventFile, commands
from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Settings, System
from korgool.competition.pairing import pair_knockout, seed
from korgool.competition.pairing.absentees import absentee_notes, possible_absentees
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.result import Result
from tests.competition.program import call

WON, FORFEIT, NEITHER = Result(2, 0, (82, 60)), Result(2, 0, cause="forfeit"), Result(0, 0, cause="forfeit")


def event(*then: do.AnyAction, rounds: int = 3) -> EventState:
    """Eight players and a round, whose results follow: 1-2 played, 2 of 3-4 and both of 5-6 stayed away, 7 asked for
    half a point, 8 missed the round."""
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=rounds)))
    for at in range(1, 9):
        state = apply(state, do.Enter(Entry(family=f"P{at}", rating=2000 - at)))
    for player, kind in ((7, ByeKind.HALF), (8, ByeKind.ZERO)):
        state = apply(state, do.Miss(player, Absence(1, kind)))
    state = apply(state, seed(state, "lot"))
    games = tuple(PairedGame(board, 2 * board - 1, 2 * board) for board in (1, 2, 3))
    byes = (Bye(7, ByeKind.HALF), Bye(8, ByeKind.ZERO))
    state = apply(state, do.Pair(1, games, byes, (), do.BY_HAND))
    for board, result in enumerate((WON, FORFEIT, NEITHER), 1):
        state = apply(state, do.EnterResult(1, board, result))
    for action in then:
        state = apply(state, action)
    return state


def asked(state: EventState) -> list[tuple[int, bool, bool]]:
    return [(one.player.id, one.unchecked, one.stayed_away) for one in possible_absentees(state)]


AWAY = [(4, False, True), (5, False, True), (6, False, True), (8, False, True)]


def test_who_did_not_come_is_asked_about() -> None:
    assert asked(event()) == AWAY
    assert asked(apply(EventState(), do.Open(Settings(name="Cup")))) == []


@pytest.mark.parametrize(
    ("then", "gone"),
    [
        (do.Present(2, (4,)), 4),
        (do.Miss(5, Absence(2, ByeKind.ZERO)), 5),
        (do.Miss(5, Absence(2, ByeKind.HALF)), 5),
        (do.Withdraw(6), 6),
        (do.Present(1, (4,)), 4),  # there, and lost the game otherwise
    ],
)
def test_an_answer_ends_the_question_and_begins_no_other(then: do.AnyAction, gone: int) -> None:
    assert asked(event(then)) == [one for one in AWAY if one[0] != gone]


def test_a_check_in_that_has_begun_asks_about_everybody_it_lacks() -> None:
    state = event(do.Present(2, (1, 4)))
    assert asked(state) == [(id_, True, id_ in (5, 6, 8)) for id_ in (2, 3, 5, 6, 7, 8)]
    assert asked(event(do.Present(2, tuple(range(1, 9))))) == []
    assert asked(event(do.Present(3, (1,)))) == AWAY, "that of another round asks nobody"


def test_who_is_out_of_a_knock_out_is_not_asked_about() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=2, system=System.KNOCKOUT)))
    for at in range(1, 5):
        state = apply(state, do.Enter(Entry(family=f"P{at}", rating=2000 - at)))
    state = apply(state, seed(state, "lot"))
    state = apply(state, pair_knockout(state, 1).action(1))
    for game in state.rounds[0].games:
        state = apply(state, do.EnterResult(1, game.board, FORFEIT))
    through = {game.white for game in state.rounds[0].games}
    assert asked(state) == []
    state = apply(state, do.Present(2, (min(through),)))
    assert asked(state) == [(max(through), True, False)]


def test_after_the_last_round_nobody_is_asked_about() -> None:
    assert asked(event(rounds=1)) == []


def test_the_command_tells_who_is_paired_again(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    with EventFile.create(path, Settings(name="Cup", rounds=3), by="Ann") as file:
        commands.enter_all(file, [(Entry(family=f"P{at}", rating=2000 - at), None) for at in range(8)], by="Ann")
        one = commands.pair(file, by="Ann", lot="a", engine=GacruxHere())
        for game in one.games:
            commands.record(file, 1, game.board, "+ - -", by="Ann")
        losers = {file.state.players[game.black].name for game in one.games}
        before = file.state
        ids = {game.black for game in one.games}
    assert len(absentee_notes(before, ids)) == 4
    assert absentee_notes(before, set()) == ()
    done = call("pair", path)
    assert done.exit_code == 0
    assert all(f"{name} did not come to round 1 and is paired again" in done.stderr for name in losers)

"""Taking back lines of the log: what may be taken back, what rests on what, and that nothing else moves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from korgool.competition import EventFile
from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.replay import go_on, replay, taken_back
from korgool.competition.log.undo import MOST_NAMED, touched
from korgool.competition.model import Absence, ByeKind, Entry, Role
from korgool.competition.standings import standings
from tests.competition.conftest import Factory
from tests.competition.program import begin, call, korgool, lines, play_round, refused, usage
from tests.competition.test_apply import opened, paired, played


def undo(state: EventState, line: int | None = None) -> EventState:
    """The event after a line, the last one by default, is taken back."""
    return apply(state, do.Undo(line or state.actions), reason="a slip")


def refusal(state: EventState, line: int) -> str:
    with pytest.raises(CompetitionError) as error:
        undo(state, line)
    return str(error.value)


SLIPS = [
    do.Enter(Entry(family="Wrong")),
    do.Amend(1, Entry(family="Wrong")),
    do.Withdraw(1),
    do.Exclude(1),
    do.GiveWarning(1),
    do.Penalise(1, 3),
    do.Miss(1, Absence(2, ByeKind.HALF)),
    do.Present(1, (1, 2)),
    do.Appoint("Wrong", Role.REFEREE),
    do.Lend(1, 1, "Coach"),
    do.Choose(1, 1),
    do.Unpair(1, rewinds=True),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda one: type(one).__name__)
def test_a_slip_is_as_if_it_had_never_been(slip: do.AnyAction) -> None:
    before = paired(opened())
    state = undo(apply(before, slip, reason="a mistake"))
    assert state == before
    assert state.actions == before.actions + 2
    again = undo(state)
    assert again == apply(before, slip, reason="a mistake")
    assert undo(again) == before
    assert replay(again.done) == again
    assert go_on(before, again.done[before.actions :]) == again


def test_two_warnings_fewer_make_the_fourth_the_second() -> None:
    state = opened()
    first = state.actions + 1
    for count in range(4):
        state = apply(state, do.GiveWarning(1), reason=f"talk {count}")
    assert state.players[1].excluded
    state = undo(state, first)
    assert (state.players[1].excluded, state.players[1].penalty) == (False, 2)
    state = undo(state, first + 1)
    assert [one.reason for one in state.players[1].warnings] == ["talk 2", "talk 3"]
    assert state.players[1].penalty == 0


def test_ids_are_not_given_again() -> None:
    state = apply(opened(2), do.Enter(Entry(family="Wrong")))
    wrong = state.actions
    state = apply(state, do.Enter(Entry(family="Later")))
    state = apply(state, do.Withdraw(4))
    state = undo(state, wrong)
    names = {id_: player.entry.name for id_, player in state.players.items()}
    assert names == {1: "Player 1", 2: "Player 2", 4: "Later"}
    assert state.players[4].until == 0
    state = apply(state, do.Enter(Entry(family="Right")))
    assert state.players[5].entry.name == "Right"
    assert sorted(player.number for player in state.players.values()) == [1, 2, 3, 4]
    assert undo(state, wrong + 3).players[3].entry.name == "Wrong"


def test_what_rests_on_a_line_is_named() -> None:
    state = played(paired(opened()))
    result = state.actions
    state = apply(state, do.GiveWarning(1), reason="talk")
    warned = state.actions
    state = apply(state, do.Penalise(2, 1), reason="late")
    punished = state.actions
    state = apply(state, do.Withdraw(3))
    left = state.actions
    state = paired(apply(state, do.Enter(Entry(family="Late"))))
    assert f"line {left + 2} (pair) rests on line {result} (result): round 1 lacks" in refusal(state, result)
    assert f"(pair) rests on line {punished} (penalise): the round was paired with it" in refusal(state, punished)
    assert f"(pair) rests on line {left} (withdraw): the round was paired with it" in refusal(state, left)
    assert undo(state, warned).players[1].warnings == ()  # one warning has changed nothing else
    told = refusal(state, 2)
    assert told.startswith("later lines rest on line 2 (enter): line 6 (seed): pairing numbers name every competitor")
    assert f"; line {warned} (warn): there is no player with the id 1; line {left + 2} (pair): " in told
    state = played(state)
    corrected = apply(state, do.Correct(2, 1, None), reason="still playing")
    assert "(correct) rests on line" in refusal(corrected, state.actions - 1)
    assert undo(corrected) == state


def test_all_that_rests_on_a_line_is_named_up_to_a_count() -> None:
    """What was paired and published with a line, and what is about a round that could not stand without it."""
    state = apply(played(paired(opened(8))), do.Penalise(1, 1), reason="late")
    line = state.actions
    state = apply(state, do.Publish(1, state.event.tiebreaks, standings(state)))
    state = played(paired(state))
    told = refusal(state, line)
    assert told == (
        f"later lines rest on line {line} (penalise): line {line + 1} (publish): the standings were computed with it; "
        f"line {line + 2} (pair): the round was paired with it"
    )
    missing = refusal(state, line - 1)  # a result, without which round 2 and its four results cannot be there
    assert missing.count("; ") == 5
    assert all(f"line {at} (" in missing for at in range(line + 1, line + 7))
    state = played(paired(state))
    assert refusal(state, line - 1).endswith("; further lines: 3")
    assert refusal(state, line - 1).count("(result)") == MOST_NAMED - 2


def test_a_published_table_rests_on_its_results() -> None:
    state = played(paired(opened()))
    codes = state.event.tiebreaks
    state = apply(state, do.Penalise(1, 1), reason="late")
    state = apply(state, do.Publish(1, codes, standings(state)))
    assert "(publish) rests on line 10 (penalise): the standings were computed with it" in refusal(state, 10)
    assert undo(undo(state), 10).players[1].penalty == 0


def test_what_cannot_be_taken_back() -> None:
    state = apply(opened(), do.Withdraw(1))
    assert "the opening of an event is not taken back" in refusal(state, 1)
    assert "there is no line 7 before it" in refusal(state, 7)
    assert "there is no line -1 before it" in refusal(state, -1)
    state = undo(state)
    assert "line 6 is taken back already, by line 7" in refusal(state, 6)
    state = apply(state, do.Amend(2, Entry(family="First")))
    state = apply(state, do.Amend(2, Entry(family="Second")))
    assert "line 8 (amend) cannot be taken back: line 9 (amend) has replaced it" in refusal(state, 8)
    with pytest.raises(CompetitionError, match="give the reason"):
        apply(state, do.Undo(9))


def test_a_wrong_log_is_refused() -> None:
    state = opened()
    for wrong in (do.Undo(6), do.Undo(0), do.Undo(1)):
        with pytest.raises(CompetitionError, match="line 6 of the log cannot stand there"):
            go_on(state, [(wrong, "x")])
    with pytest.raises(CompetitionError, match="line 7 of the log cannot stand there: line 5 is taken back already"):
        go_on(state, [(do.Undo(5), "x"), (do.Undo(5), "x")])


def test_any_line_of_a_played_event(event: Factory) -> None:
    """Each line is taken back or refused; what is taken back and put back leaves the event as it was."""
    chance, taken = random.Random(5), 0
    for number in range(3):
        state = event(9, 4, number, penalties=6, late=2, withdrawals=1, absences=0.1)
        for line in chance.sample(range(1, state.actions + 1), 25):
            try:
                after = undo(state, line)
            except CompetitionError as error:
                assert str(error)
                continue
            taken += 1
            assert touched(state, after)
            assert replay(after.done) == after
            assert undo(after) == state
    assert taken > 5


def test_an_undone_line_is_passed_over_wherever_it_stands(event: Factory) -> None:
    state = event(8, 3, 1)
    for _ in range(30):
        state = undo(apply(state, do.GiveWarning(1), reason="x"))
    assert len(taken_back(state.done)) == 30
    assert state.players[1].warnings == ()


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    path = tmp_path / "cup.korgool"
    begin(path, 6, 3)
    play_round(path, random.Random(1))
    return path


def last(path: Path) -> int:
    with EventFile.open(path) as file:
        return file.state.actions


def test_the_command_takes_back_and_tells_what_rests(cup: Path) -> None:
    korgool("warn", cup, 2, "--reason", "talk")
    line = last(cup)
    assert "Missing option '--reason'" in usage("undo", cup, line)
    (done,) = lines("undo", cup, line, "--reason", "wrong player", "--by", "Isaev")
    assert (done["at"], done["taken_back"], done["text"]) == (line + 1, line, "2 Player 2 is warned")
    assert done["now"] == ["2  Player 2"]
    shown = lines("log", cup)
    assert [one["taken_back_by"] for one in shown[-2:]] == [line + 1, None]
    assert shown[-1]["text"] == f"line {line} taken back: 2 Player 2 is warned"
    assert f"2 Player 2 is warned (taken back by line {line + 1})" in korgool("log", cup)
    assert "is taken back: line" in korgool("undo", cup, line + 1, "--reason", "it was right")
    assert next(one for one in lines("players", cup) if one["number"] == 2)["warnings"] == 1
    korgool("pair", cup)
    told = refused("undo", cup, line - 1, "--reason", "x")
    assert f"line {last(cup)} (pair) rests on line {line - 1} (result)" in told
    assert lines("check", cup)[0]["ok"]
    assert call("log", cup, "--at", line).exit_code == 0


def test_an_entry_is_taken_back_with_the_log_still_readable(cup: Path) -> None:
    (late,) = lines("enter", cup, "--name", "Late", "--born", "1999-02-03")
    entered = last(cup)
    korgool("miss", cup, "Late", 3)
    assert f"line {entered + 1} (miss) rests on line {entered} (enter)" in refused(
        "undo", cup, entered, "--reason", "x"
    )
    korgool("undo", cup, entered + 1, "--reason", "first this")
    assert "taken back: entered: Late" in korgool("undo", cup, entered, "--reason", "never came")
    assert [one["text"] for one in lines("log", cup)[-4:-2]] == ["entered: Late", "Late misses round 3 (H)"]
    assert {one["id"] for one in lines("players", cup)} == set(range(1, 7))
    (other,) = lines("enter", cup, "--name", "Other")
    assert other["id"] == late["id"] + 1
    with EventFile.open(cup) as file:
        assert file.personal(late["id"]) is None
    play_round(cup, random.Random(3))
    assert lines("check", cup)[0]["ok"]
    report = cup.with_name("cup.json")
    korgool("export", cup, "--data", report)
    korgool("import", cup.with_name("copy.korgool"), report)
    assert lines("standings", cup.with_name("copy.korgool")) == lines("standings", cup)

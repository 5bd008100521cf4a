"""Disputed results: said beside what stands until that is corrected, settled or gone, and nothing else follows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.competition import EventFile, commands
from korgool.competition import actions as do
from korgool.competition.audit import check, remarks
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.replay import lines_about, replay, steps
from korgool.competition.log.undo import touched
from korgool.competition.model import Entry, PairedGame, Settings
from korgool.competition.pairing.engine_file import engine_file
from korgool.competition.result import Result, read_result
from korgool.competition.roles import Boards, DeskRole, may
from korgool.competition.standings import standings
from korgool.competition.storage.sealing import seal, unseal
from tests.competition.test_standings import small

WHITE, BLACK, DRAW, CAME_NOT = (
    read_result(text) for text in ("1 (82) - 0 (60)", "0 (60) - 1 (82)", "0.5 (81) - 0.5 (81)", "- - +")
)
NOBODY = MappingProxyType[tuple[int, int], tuple[Result | None, ...]]({})


def disputed(*said: Result | None) -> EventState:
    """An event with two boards; on the first White has won, and something else is said too."""
    state = small("1-2 1 (82) - 0 (60) | 3-4 1 (90) - 0 (72)")
    for one in said:
        state = apply(state, do.Dispute(1, 1, one))
    return state


def undone(state: EventState, line: int) -> EventState:
    return apply(state, do.Undo(line), reason="a slip")


def test_what_is_said_stands_beside_the_result_and_nothing_follows() -> None:
    before, state = disputed(), disputed(BLACK, None)
    assert state.disputes == {(1, 1): (BLACK, None)}
    assert replace(state, disputes=NOBODY) == before
    assert standings(state) == standings(before)
    assert engine_file(state, 2) == engine_file(before, 2)
    assert touched(before, state) == {("board", 1, 1)}
    assert replay(state.done) == state
    assert len([one for one in remarks(state) if "round 1, board 1 is disputed" in one]) == 1
    entered = max(at for at, (action, _) in enumerate(before.done, 1) if action == do.EnterResult(1, 1, WHITE))
    assert lines_about(state, 1, 1) == (entered, state.actions - 1, state.actions)


@pytest.mark.parametrize(
    ("said", "new", "why"),
    [
        ((), do.Dispute(1, 1, WHITE), "has no other result"),
        ((BLACK,), do.Dispute(1, 1, BLACK), "disputed with this result already"),
        ((), do.Dispute(1, 9, BLACK), "round 1 has no board 9"),
        ((), do.Dispute(2, 1, BLACK), "round 2 is not paired"),
        ((), do.Dispute(1, 1, Result(2, 0, (60, 102))), "round 1, board 1: "),
        ((), do.Settle(1, 1), "is not disputed"),
        ((BLACK,), do.Settle(1, 2), "is not disputed"),
    ],
)
def test_what_contradicts_nothing_is_refused(said: tuple[Result], new: do.AnyAction, why: str) -> None:
    with pytest.raises(CompetitionError, match=why):
        apply(disputed(*said), new)


@pytest.mark.parametrize("last", [do.Settle(1, 1), do.Correct(1, 1, BLACK), do.Correct(1, 1, DRAW)])
def test_a_correction_or_a_word_settles_it_and_both_can_be_taken_back(last: do.AnyAction) -> None:
    state = disputed(BLACK)
    settled = apply(state, last, reason="the slip says so")
    assert settled.disputes == {}
    assert undone(settled, settled.actions).disputes == state.disputes
    assert undone(state, state.actions).disputes == {}
    again = apply(settled, do.Dispute(1, 1, CAME_NOT))
    assert again.disputes == {(1, 1): (CAME_NOT,)}


def test_a_result_is_taken_back_over_a_dispute_which_comes_back_with_it() -> None:
    state = disputed(BLACK)
    (entered, _) = lines_about(state, 1, 1)
    open_ = undone(state, entered)
    assert (open_.rounds[0].missing, open_.disputes) == ((1,), {})
    assert replay(open_.done) == open_
    assert undone(open_, open_.actions).disputes == {(1, 1): (BLACK,)}
    agreed = apply(open_, do.EnterResult(1, 1, BLACK))
    assert agreed.disputes == {}
    assert apply(state, do.Correct(1, 1, None), reason="they still play").disputes == {}


def test_a_dispute_goes_with_its_game_to_another_board_and_ends_with_it() -> None:
    state = disputed(BLACK)
    moved = apply(state, do.Repair((PairedGame(1, 3, 4), PairedGame(2, 2, 1)), round=1), reason="the wrong table")
    assert moved.rounds[0].game(2).result == WHITE.mirrored
    assert moved.disputes == {(1, 2): (BLACK.mirrored,)}
    other = (PairedGame(1, 1, 3, DRAW), PairedGame(2, 2, 4, DRAW))
    assert apply(state, do.Repair(other, round=1), reason="the wrong players").disputes == {}
    for board in (1, 2):
        state = apply(state, do.Correct(1, board, None), reason="not played")
    assert apply(state, do.Unpair(1), reason="not played").disputes == {}


_RESULTS = st.sampled_from([WHITE, BLACK, DRAW, CAME_NOT])
_BOARDS = st.integers(1, 2)
_STEPS = st.one_of(
    st.builds(do.Dispute, st.just(1), _BOARDS, st.none() | _RESULTS),
    st.builds(do.Settle, st.just(1), _BOARDS),
    st.builds(do.EnterResult, st.just(1), _BOARDS, _RESULTS),
    st.builds(do.Correct, st.just(1), _BOARDS, st.none() | _RESULTS),
    st.builds(do.Undo, st.integers(7, 20)),
    st.just(do.Repair((PairedGame(1, 4, 3), PairedGame(2, 1, 2)), round=1)),
)


@given(st.lists(_STEPS, max_size=12))
def test_every_log_reads_again_as_it_was_and_only_what_contradicts_is_disputed(done: list[do.AnyAction]) -> None:
    """Without its disputes a log gives the same event; no line is refused because of one."""
    state = bare = disputed()
    kept: dict[int, int] = {at: at for at in range(1, state.actions + 1)}  # lines of the log without disputes
    for one in done:
        before = state
        try:
            state = apply(state, one, reason="why")
        except CompetitionError:
            continue
        about = before.done[one.line - 1][0] if isinstance(one, do.Undo) else one
        while isinstance(about, do.Undo):
            about = before.done[about.line - 1][0]
        if not isinstance(about, do.Dispute | do.Settle):
            twin = do.Undo(kept[one.line]) if isinstance(one, do.Undo) else one
            bare = apply(bare, twin, reason="why")
            kept[state.actions] = bare.actions
        assert replace(state, disputes=NOBODY) == bare
        assert replay(state.done) == state
        for (number, board), said in state.disputes.items():
            held = state.round(number).game(board).result
            assert held is not None
            assert said
            assert held not in said
            assert len(set(said)) == len(said)
    assert all(unseal(*seal(action, reason)) == (action, reason) for action, reason in state.done)


def test_an_event_file_keeps_it_and_its_check_remarks_on_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    with EventFile.create(path, Settings(name="Cup", rounds=2), by="Asel") as file:
        for name in "ABCD":
            commands.enter(file, Entry(family=name), by="Asel")
        commands.pair(file, by="Asel", lot="a")
        commands.record(file, 1, 1, "82-60", by="Asel")
        commands.dispute(file, 1, 1, "60-82", by="Bakyt")
        with EventFile.open(path) as other:
            assert other.state.disputes == {(1, 1): (BLACK,)}
            assert [line.by for line in other.log()][-2:] == ["Asel", "Bakyt"]
            assert (check(other), other.broken_links()) == ((), ())
            commands.settle(other, 1, 1, by="Asel")
            assert other.state.disputes == {}
        assert file.refresh().disputes == {}
        commands.dispute(file, 1, 1, "=", by="Bakyt")
        file.forget(by="Asel")
        assert file.state.disputes == {(1, 1): (read_result("0.5 - 0.5"),)}
        assert (check(file), file.broken_links()) == ((), ())


@pytest.mark.parametrize(
    ("action", "roles"),
    [
        (do.Dispute(1, 1, BLACK), {"organiser", "chief", "deputy", "sector", "results"}),
        (do.Settle(1, 1), {"organiser", "chief", "deputy"}),
        (do.Dispute(1, 2, BLACK), {"organiser", "chief", "deputy", "results"}),
    ],
)
def test_who_may_enter_a_board_may_dispute_it_also_after_the_round(action: do.AnyAction, roles: set[str]) -> None:
    """What was typed without a network comes late; what stands is settled by those who may still correct it."""
    state = apply(disputed(BLACK), do.Pair(2, (PairedGame(1, 1, 3), PairedGame(2, 4, 2)), engine="test"))
    boards = {DeskRole.SECTOR: Boards(1, 1)}
    assert {role.value for role in DeskRole if may(role, boards.get(role), action, state) is None} == roles
    steps_ = [after for _, _, after in steps(state.done)]
    assert steps_[-1].disputes == state.disputes

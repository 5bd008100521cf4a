"""Moves and presses, flags, pauses (WNG-TK §III, §V, §VII)."""

from __future__ import annotations

from typing import Any

import pytest

from korgool.conduct import RulingKind
from korgool.rules import Side
from tests.conduct.table import Table, refused, ruled

MINUTE = {"kind": "sudden", "base": 60}
SHORTEST = (9, 5, 8, 5, 7, 2, 3, 2, 9, 9, 9)
"""White has 82 after the last of these moves."""


def quick(**start: Any) -> Table:
    return Table(control=MINUTE, **start)


def nearly() -> Table:
    """A second after each move; White is about to reach 82 with hole 9. White has used 5 seconds, Black none."""
    table = quick()
    for ply, hole in enumerate(SHORTEST[:-1]):
        table.turn((ply + 1) // 2, hole)
    return table


def test_a_move_is_complete_when_the_clock_is_pressed() -> None:
    """WNG-TK §III: until then the mover's time runs and nobody else moves."""
    table = quick()
    assert table.white(5, "move", hole=7) is None
    refused(table.white(6, "move", hole=8), "press")
    refused(table.black(6, "press"), "White has moved")
    assert table.white(8, "press") is None
    assert table.clocks == (52, 60)
    assert table.state.clock is not None
    assert table.state.clock.running is Side.BLACK


def test_who_has_not_moved_does_not_press() -> None:
    table = quick()
    refused(table.white(1, "press"), "no move")
    refused(table.black(1, "press"), "no move")
    table.turn(2, 7)
    refused(table.white(3, "press"), "no move")


def test_the_wrong_side_and_impossible_moves_are_refused() -> None:
    table = quick()
    refused(table.black(1, "move", hole=1), "not Black's turn")
    refused(table.white(1, "move", hole=0), "no hole")
    refused(table.white(1, "move", hole=10), "no hole")
    table.turn(1, 7)
    refused(table.black(2, "move", hole=6), "empty")
    refused(table.referee(2, "move", hole=1), "a player does")


def test_82_ends_the_game_at_the_press() -> None:
    table = nearly()
    assert table.white(30, "move", hole=9) is None
    ruled(table.white(31, "press"), RulingKind.MAJORITY, "§V")
    assert table.end["result_text"] == "1 (82) - 0 (10)"
    assert table.end["termination"] == "majority"
    refused(table.black(32, "move", hole=1), "over")


def test_82_without_a_press_is_the_end_as_well() -> None:
    table = nearly()
    table.white(30, "move", hole=9)
    assert table.end["result_text"] == "1 (82) - 0 (10)"
    refused(table.black(32, "resign"), "over")
    assert table.black(32, "sign") is None


def test_81_each_is_a_draw() -> None:
    """WNG-TK §V."""
    table = Table(position="8,1S/8,1S 79 81 S 30")
    ruled(table.turn(5, 9), RulingKind.EQUAL, "§V")
    assert (table.end["result_text"], table.end["termination"]) == ("0.5 (81) - 0.5 (81)", "equal")


def test_a_player_without_stones_ends_the_game() -> None:
    """WNG-TK §V: what lies on the other side belongs to it (docs/rules/options.md, no move)."""
    table = Table(position="9/7,1S,1S 80 80 S 30")
    ruling = ruled(table.turn(5, 8), RulingKind.NO_MOVE, "§V")
    assert ruling.arguments["player"] == "black"
    assert (table.end["result_text"], table.end["termination"]) == ("1 (82) - 0 (80)", "no_move")
    table = Table(position="9/7,1S,1 80 81 S 30")
    ruling = ruled(table.turn(5, 8), RulingKind.NO_MOVE, "§V")
    assert ruling.arguments["winner"] == "draw"
    assert table.end["result_text"] == "0.5 (81) - 0.5 (81)"


def test_a_flag_is_called_by_the_opponent() -> None:
    table = quick()
    early = ruled(table.black(59.999, "claim", reason="flag"), RulingKind.NO_FLAG, "§VII")
    assert early.arguments["left_ms"] == 1
    ruled(table.black(60, "claim", reason="flag"), RulingKind.TIME, "§V")
    assert table.end["result_text"] == "0 (0) - 1 (0)"
    assert table.end["termination"] == "time"
    assert table.end["clock"] == {"white": 0, "black": 60}


def test_a_flag_is_called_by_the_referee() -> None:
    table = quick()
    ruled(table.referee(61, "flag", player="black"), RulingKind.NO_FLAG, "§VII")
    ruled(table.referee(61, "flag", player="white"), RulingKind.TIME, "§VII")
    assert table.end["result"] == "0-1"


def test_a_player_who_calls_his_own_flag_has_lost() -> None:
    table = quick()
    ruled(table.white(61, "claim", reason="flag"), RulingKind.TIME, "§VII")
    assert table.end["result"] == "0-1"


def test_nobody_loses_by_a_flag_that_is_not_called() -> None:
    """WNG-TK §VII: players or the referee have to note it."""
    table = quick()
    assert table.turn(100, 7) is None
    assert table.end["result"] == "*"
    assert table.clocks == (0, 60)


def test_a_flag_that_falls_within_a_move_lets_it_be_completed() -> None:
    table = nearly()
    table.white(64, "move", hole=9)
    ruled(table.black(66, "claim", reason="flag"), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.referee(66, "flag", player="white"), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.white(67, "press"), RulingKind.MAJORITY, "§V")
    assert table.end["result"] == "1-0"
    assert table.end["clock"]["white"] == 0


def test_a_called_flag_decides_at_the_press_where_the_board_does_not() -> None:
    table = quick()
    table.white(59, "move", hole=7)
    ruled(table.black(61, "claim", reason="flag"), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.white(62, "press"), RulingKind.TIME, "§VII")
    assert table.end["result_text"] == "0 (10) - 1 (0)"


@pytest.mark.parametrize("lifted", [59.9, 60, 60.1])
def test_a_flag_decides_nothing_before_it_is_called(lifted: float) -> None:
    """WNG-TK §VII: a flag fall is recorded by the players or the referee, wherever in a move it was."""
    table = quick()
    assert table.turn(lifted, 7, pressed=60.1) is None
    assert (table.clocks, table.end["result"]) == ((0, 60), "*")
    assert table.turn(65, 1, pressed=70) is None
    ruled(table.black(71, "claim", reason="flag"), RulingKind.TIME, "§V")
    assert table.end["result"] == "0-1"


@pytest.mark.parametrize("lifted", [59.9, 60, 60.1])
@pytest.mark.parametrize("by", ["black", "referee"])
def test_stones_in_hand_are_sown_whenever_they_were_lifted(lifted: float, by: str) -> None:
    """WNG-TK §VII: only the call makes the flag count, and it came within the move."""
    call = {"at": 60.2, "by": by, "do": "claim", "reason": "flag"}
    table = quick()
    table.white(lifted, "move", hole=7)
    ruled(table.add(call), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.white(60.3, "press"), RulingKind.TIME, "§V")
    assert table.end["result_text"] == "0 (10) - 1 (0)"
    table = nearly()
    table.white(lifted + 5, "move", hole=9)
    ruled(table.add({**call, "at": 65.2}), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.white(65.3, "press"), RulingKind.MAJORITY, "§V")
    assert table.end["result"] == "1-0"


def test_a_flag_called_before_the_lift_ends_the_game() -> None:
    table = nearly()
    ruled(table.black(65, "claim", reason="flag"), RulingKind.TIME, "§V")
    refused(table.white(66, "move", hole=9), "over")


def test_the_opponents_flag_called_after_the_last_sowing_changes_no_ending() -> None:
    """White's flag is down, but it is called when Black's stones have ended the game already (WNG-TK §V)."""
    table = quick(position="1S,8/1S,6,1S,1 79 80 S 30")
    table.turn(61, 8)
    table.black(62, "move", hole=9)
    ruled(table.black(63, "claim", reason="flag"), RulingKind.MAJORITY, "§V")
    assert table.end["result"] == "0-1"
    assert table.end["termination"] == "majority"


def both_down(**start: Any) -> Table:
    table = quick(**start)
    table.turn(61, 7)
    return table


@pytest.mark.parametrize("by", ["white", "black", "referee"])
def test_both_flags_down_is_a_draw(by: str) -> None:
    """WNG-TK §V: with 81 or fewer in both stores."""
    table = both_down()
    ruled(table.add({"at": 121, "by": by, "do": "claim", "reason": "flag"}), RulingKind.BOTH_FLAGS_DRAW, "§V")
    assert table.end["result_text"] == "0.5 (10) - 0.5 (0)"
    assert table.end["termination"] == "time"


def test_half_of_the_stones_in_a_store_is_not_more_than_half() -> None:
    """WNG-TK §V: with 81 in a store both flags are still a draw."""
    table = quick(position="1S,8/5S,5S,7 81 70 S 30")
    table.turn(61, 1)
    ruled(table.referee(130, "claim", reason="flag"), RulingKind.BOTH_FLAGS_DRAW, "§V")
    assert table.end["result_text"] == "0.5 (81) - 0.5 (70)"


def test_the_second_flag_has_to_be_down_for_that() -> None:
    table = both_down()
    ruled(table.white(120.999, "claim", reason="flag"), RulingKind.TIME, "§V")
    assert table.end["result"] == "0-1"


def test_both_flags_down_and_the_stores_counted() -> None:
    """WNG-TK §VII, by the event's choice."""
    table = both_down(both_flags="compare")
    ruled(table.referee(130, "claim", reason="flag"), RulingKind.BOTH_FLAGS_COUNTED, "§VII")
    assert table.end["result_text"] == "1 (10) - 0 (0)"


def test_both_flags_down_and_equal_stores() -> None:
    table = quick(both_flags="compare", position="9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1")
    table.turn(61, 1)
    ruling = ruled(table.referee(130, "claim", reason="flag"), RulingKind.BOTH_FLAGS_COUNTED, "§VII")
    assert ruling.arguments["winner"] == "draw"
    assert table.end["result"] == "1/2-1/2"


def test_resignation_holds_in_spite_of_a_flag() -> None:
    table = quick()
    ruled(table.black(61, "resign"), RulingKind.RESIGNED, "§VII")
    assert (table.end["result"], table.end["termination"]) == ("1-0", "resignation")


def test_agreement_holds_in_spite_of_a_flag() -> None:
    table = quick()
    table.white(1, "move", hole=7)
    table.white(2, "offer")
    table.white(3, "press")
    ruled(table.black(64, "accept"), RulingKind.AGREED, "§V")
    assert (table.end["result"], table.end["termination"]) == ("1/2-1/2", "agreement")


def test_a_server_ends_the_game_by_itself() -> None:
    table = quick(online=True)
    table.turn(10, 7)
    ruled(table.black(70, "move", hole=1), RulingKind.TIME, "§V")
    assert table.end["result_text"] == "1 (10) - 0 (0)"
    assert table.state.moves == (7,)


def test_a_server_still_enters_warnings_after_the_flag() -> None:
    table = quick(online=True)
    ruled(table.referee(70, "warn", player="black", reason="conversation"), RulingKind.WARNING, "§XIV")
    assert table.end["termination"] == "time"
    assert table.end["warnings"]["black"] == 1
    refused(table.white(71, "sign", result="1-0"), "cannot be signed")


def test_a_server_tells_the_flag_where_the_event_is_denied() -> None:
    table = quick(online=True)
    ruled(table.referee(70, "restore", position=str(table.state.position)), RulingKind.TIME, "§V")
    ruled(table.referee(71, "restore", position=str(table.state.position)), RulingKind.DECLARED_STANDS, "§VI")


def test_a_server_ends_a_turn_of_mangala_by_the_flag() -> None:
    table = Table(game="mangala", online=True, control={"kind": "sudden", "base": 10})
    table.white(9, "move", hole=4)
    ruled(table.white(10, "move", hole=1), RulingKind.TIME, "§V")


def test_a_stopped_clock_does_not_hinder_the_completion() -> None:
    """Black stops both clocks because of the flag; White's move is completed all the same."""
    table = nearly()
    table.white(64, "move", hole=9)
    ruled(table.black(66, "pause"), RulingKind.STOPPED_FOR_FLAG, "§VII")
    ruled(table.black(66, "claim", reason="flag"), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.white(68, "press"), RulingKind.MAJORITY, "§V")


@pytest.mark.parametrize("lifted", [59, 61])
def test_clocks_stopped_for_a_flag_within_a_move_do_not_hinder_it_uncalled(lifted: float) -> None:
    """WNG-TK §VII: to stop the clocks is not to call the flag; the move is completed and the clocks stay stopped."""
    table = quick()
    table.white(lifted, "move", hole=7)
    ruled(table.black(61, "pause"), RulingKind.STOPPED_FOR_FLAG, "§VII")
    refused(table.black(62, "press"), "stopped")
    assert table.white(63, "press") is None
    assert table.state.clock is not None
    assert table.state.clock.running is None
    ruled(table.referee(64, "resume"), RulingKind.RESUMED, "§VII")
    assert table.state.clock.running is Side.BLACK
    ruled(table.black(65, "claim", reason="flag"), RulingKind.TIME, "§VII")
    assert table.end["clock"] == {"white": 0, "black": 59}
    table = nearly()
    table.white(10, "move", hole=9)
    ruled(table.black(66, "pause"), RulingKind.STOPPED_FOR_FLAG, "§VII")
    ruled(table.white(67, "press"), RulingKind.MAJORITY, "§V")


def test_clocks_that_the_referee_stopped_hinder_the_press() -> None:
    table = quick()
    table.white(59, "move", hole=7)
    table.referee(59.5, "pause")
    refused(table.white(63, "press"), "stopped")


def test_a_server_lets_a_move_be_completed_too() -> None:
    """Online the server calls the flag at once; here the stones were in hand."""
    table = quick(online=True)
    assert table.white(59, "move", hole=7) is None
    ruled(table.white(61, "press"), RulingKind.TIME, "§VII")


def test_pause_and_resume_by_the_referee() -> None:
    table = quick()
    ruled(table.referee(10, "pause"), RulingKind.PAUSED, "§VII")
    refused(table.white(20, "move", hole=1), "stopped")
    refused(table.white(20, "press"), "stopped")
    refused(table.referee(20, "pause"), "already")
    refused(table.black(20, "resume"), "only the referee")
    assert table.clocks == (50, 60)
    ruled(table.referee(1000, "resume"), RulingKind.RESUMED, "§VII")
    refused(table.referee(1000, "resume"), "stopped")
    table.turn(1005, 7)
    assert table.clocks == (45, 60)


def test_a_pause_between_move_and_press() -> None:
    table = quick()
    table.white(10, "move", hole=7)
    table.referee(11, "pause")
    table.referee(500, "resume")
    assert table.white(501, "press") is None
    assert table.clocks == (48, 60)


def test_a_player_stops_both_clocks_for_a_flag_only() -> None:
    table = quick()
    ruled(table.black(10, "pause"), RulingKind.STOP_FORBIDDEN, "§VII")
    assert table.state.clock is not None
    assert table.state.clock.running is Side.WHITE
    ruled(table.black(60, "pause"), RulingKind.STOPPED_FOR_FLAG, "§VII")
    assert table.state.clock.running is None
    ruled(table.black(100, "claim", reason="flag"), RulingKind.TIME, "§V")


def test_times_are_exact_to_the_millisecond() -> None:
    table = quick()
    table.turn(0.1, 7)
    table.turn(0.3, 1)
    table.turn(0.7, 2)
    assert table.clocks == (59.5, 59.8)
    assert table.end["clock"] == {"white": 59.5, "black": 59.8}


@pytest.mark.parametrize(
    ("control", "clocks"),
    [
        ({"kind": "fischer", "base": 60, "increment": 2}, (57, 61)),
        ({"kind": "bronstein", "base": 60, "delay": 2}, (57, 60)),
        ({"kind": "bronstein", "base": 60, "increment": 2}, (57, 60)),
        ({"kind": "delay", "base": 60, "delay": 2}, (57, 60)),
        ({"kind": "byoyomi", "base": 4, "delay": 10, "periods": 2}, (10, 3)),
        ({"kind": "sudden", "base": 60, "moves": 1, "periods": 2}, (115, 119)),
        ({"base": 60}, (55, 59)),
        ({"base": 60, "increment": 2}, (57, 61)),
    ],
)
def test_controls_of_a_log(control: dict[str, Any], clocks: tuple[float, float]) -> None:
    table = Table(control=control)
    table.turn(5, 7)
    table.turn(6, 1)
    assert table.clocks == clocks


def test_byoyomi_tells_its_periods() -> None:
    table = Table(control={"kind": "byoyomi", "base": 4, "delay": 10, "periods": 2})
    table.turn(15, 7)
    assert table.end["periods"] == {"white": 1, "black": 2}
    assert "periods" not in quick().end

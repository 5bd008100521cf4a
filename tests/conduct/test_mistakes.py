"""Spilled stones, corrected positions, warnings (WNG-TK §VI, §VIII, §XIV)."""

from __future__ import annotations

import pytest

from korgool.conduct import Ruling, RulingKind
from korgool.rules import Side
from tests.conduct.table import Table, refused, ruled
from tests.conduct.test_draws import ROUND, ROUND_START

MINUTE = {"kind": "sudden", "base": 60}
AFTER_7 = "9S,9S,9S,1,10S,10S,10S,10S,10S/10S,10S,10S,9S,9S,9S,1S,10S,10S 10 0 N 1"
NEAR_82 = "8,1S/7,1S,1 81 79 S 30"


def running(table: Table) -> Side | None:
    assert table.state.clock is not None
    return table.state.clock.running


def test_who_spills_in_his_turn_restores_on_his_time() -> None:
    table = Table(control=MINUTE)
    table.white(2, "move", hole=7)
    ruled(table.white(3, "spill"), RulingKind.SPILLED, "§VI")
    assert running(table) is Side.WHITE
    assert table.white(13, "press") is None
    assert table.clocks == (47, 60)
    assert running(table) is Side.BLACK
    assert table.turn(14, 1) is None, "the press completed the move"


def test_who_spills_in_the_opponents_turn_restores_on_his_own_time() -> None:
    table = Table(control=MINUTE)
    table.turn(2, 7)
    ruled(table.white(5, "spill"), RulingKind.SPILLED, "§VI")
    assert running(table) is Side.WHITE
    refused(table.black(6, "press"), "restoring")
    assert table.white(15, "press") is None
    assert running(table) is Side.BLACK
    assert table.clocks == (48, 57)
    assert table.turn(16, 1) is None


def test_the_opponent_may_move_when_the_stones_lie_again() -> None:
    """WNG-TK §XIV: a forgotten press may be overlooked."""
    table = Table(control=MINUTE)
    table.turn(2, 7)
    table.white(5, "spill")
    assert table.black(10, "move", hole=1) is None
    assert table.black(11, "press") is None
    assert table.clocks == (53, 56)


@pytest.mark.parametrize("pressed", [True, False])
def test_restoring_takes_nothing_of_the_delay_of_the_next_turn(pressed: bool) -> None:
    table = Table(control={"kind": "delay", "base": 60, "delay": 5})
    table.black(1, "spill")
    table.referee(4, "pause")
    table.referee(4, "resume")
    if pressed:
        assert table.black(4, "press") is None
    table.turn(4, 7)
    table.turn(10, 1)
    assert table.clocks == (60, 59), "of 6 seconds 5 are free"


def test_a_pause_while_stones_are_put_back() -> None:
    table = Table(control=MINUTE)
    table.black(2, "spill")
    table.referee(3, "pause")
    refused(table.black(4, "press"), "stopped")
    table.referee(100, "resume")
    assert running(table) is Side.BLACK
    table.black(105, "press")
    assert table.clocks == (58, 54)


def test_the_referee_notes_who_spilled() -> None:
    table = Table(control=MINUTE)
    refused(table.referee(1, "spill"), "who")
    ruled(table.referee(1, "spill", player="black"), RulingKind.SPILLED, "§VI")
    assert running(table) is Side.BLACK
    refused(table.white(2, "spill", player="black"), "for themselves")


def test_a_position_of_the_record_takes_the_game_back() -> None:
    table = Table()
    table.turn(1, 7)
    before = str(table.state.position)
    table.turn(2, 1)
    table.white(3, "move", hole=2)
    ruling = ruled(table.referee(4, "restore", position=before), RulingKind.RESTORED, "§VI")
    assert (ruling.arguments["ply"], ruling.arguments["player"]) == (1, "black")
    assert table.state.moves == (7,)
    assert table.state.hand is None
    assert running(table) is Side.BLACK
    assert table.turn(5, 2) is None
    assert table.state.game().moves == (7, 2)


def test_a_position_that_stood_twice_is_taken_back_to_its_latest_place() -> None:
    table = Table(position=ROUND_START)
    for at, hole in enumerate(ROUND):
        table.turn(at, hole)
    table.turn(50, ROUND[0])
    ruling = ruled(table.referee(60, "restore", position=ROUND_START), RulingKind.RESTORED, "§VI")
    assert ruling.arguments["ply"] == len(ROUND)


def test_a_signed_ending_of_the_board_stands() -> None:
    table = Table(position="8,1S/8,1S 81 79 S 30")
    table.turn(1, 9)
    table.white(2, "sign")
    table.black(2, "sign")
    ruled(table.referee(3, "restore", position="8,1S/8,1S 81 79 S 30"), RulingKind.SIGNED_STANDS, "§VI")


def test_a_position_outside_the_record_begins_one() -> None:
    table = Table()
    table.turn(1, 7)
    ruling = ruled(table.referee(2, "restore", position=NEAR_82), RulingKind.RESTORED, "§VI")
    assert ruling.arguments["ply"] == -1
    assert ruling.changes["position"] == NEAR_82
    assert table.state.before == ((table.state.rules.start(), (7,)),)
    assert table.state.moves == ()


def test_the_event_rules_on_the_time_of_a_correction() -> None:
    table = Table(control=MINUTE)
    table.turn(10, 7)
    table.referee(20, "restore", position=str(table.state.rules.start()))
    assert table.clocks == (50, 50), "the times stay"
    assert table.state.before == (), "the start is a position of the record"
    ruled(table.referee(20, "restore", position=str(table.state.rules.start()), white=0), RulingKind.RESTORED, "§VI")
    assert table.clocks[0] == 0, "a dial may show that nothing is left"
    table.referee(20, "restore", position=AFTER_7.replace("10,10S", "10,10S"), white=55)
    table.referee(20, "restore", position=str(table.state.rules.start()), white=60, black=60)
    assert table.clocks == (60, 60)
    assert running(table) is Side.WHITE


def test_a_mistake_that_ended_the_game_is_corrected_before_the_signatures() -> None:
    """WNG-TK §VI: a mistake that is proved before result and signatures are written."""
    table = Table(position="8,1S/8,1S 81 79 S 30")
    ruled(table.turn(1, 9), RulingKind.MAJORITY, "§V")
    table.white(2, "sign")
    ruled(table.referee(3, "restore", position="8,1S/8,1S 81 79 S 30"), RulingKind.RESTORED, "§VI")
    assert table.end["result"] == "*"
    assert running(table) is None
    table.referee(4, "resume")
    ruled(table.turn(5, 9), RulingKind.MAJORITY, "§V")
    assert table.white(6, "sign") is None, "the first signature was for another result"
    ruled(table.black(6, "sign"), RulingKind.SIGNED, "§VI")


def test_declared_endings_are_not_reopened() -> None:
    table = Table()
    table.white(1, "resign")
    start = str(table.state.position)
    ruled(table.referee(2, "restore", position=start), RulingKind.DECLARED_STANDS, "§VI")
    assert table.end["result"] == "0-1"


def test_a_correction_may_end_the_game() -> None:
    table = Table()
    ruled(table.referee(1, "restore", position="9/9 82 80 S 1"), RulingKind.MAJORITY, "§V")
    assert table.end["result_text"] == "1 (82) - 0 (80)"


@pytest.mark.parametrize("text", ["", "rubbish", "9/9 82 81 S 1", "6/6 24 24 S 1", "9/9 1 1 S 1"])
def test_positions_that_cannot_be_are_refused(text: str) -> None:
    refused(Table().referee(1, "restore", position=text), "position")


def test_players_do_not_correct_positions() -> None:
    refused(Table().white(1, "restore", position=AFTER_7), "only the referee")


@pytest.mark.parametrize("reason", ["conversation", "record", "disrespect", "obstruction"])
def test_reasons_for_a_warning(reason: str) -> None:
    table = Table()
    ruling = ruled(table.referee(1, "warn", player="black", reason=reason), RulingKind.WARNING, "§XIV")
    assert ruling.arguments == {"player": "black", "reason": reason, "number": 1}
    assert table.end["warnings"] == {"white": 0, "black": 1}


def test_a_broken_rule_is_named() -> None:
    table = Table()
    refused(table.referee(1, "warn", player="white", reason="rules"), "clause")
    ruled(table.referee(1, "warn", player="white", reason="rules", clause="WNG-TK §VII"), RulingKind.WARNING, "§VII")
    assert table.state.warnings[0][0].clause == "WNG-TK §VII"


def test_three_warnings_cost_a_point_and_four_the_event() -> None:
    """WNG-TK §XIV; the event's standings carry it out, so the game goes on."""
    table = Table()
    kinds = []
    for at in range(5):
        answer = table.referee(at, "warn", player="white", reason="conversation")
        assert isinstance(answer, Ruling)
        kinds.append(answer.kind)
    assert kinds == [
        RulingKind.WARNING,
        RulingKind.WARNING,
        RulingKind.WARNING_POINT,
        RulingKind.WARNING_EXCLUSION,
        RulingKind.WARNING_EXCLUSION,
    ]
    assert table.end["result"] == "*"
    assert table.end["warnings"] == {"white": 5, "black": 0}


def test_earlier_warnings_of_the_event_count() -> None:
    table = Table(warnings={"white": 2})
    ruled(table.referee(1, "warn", player="white", reason="disrespect"), RulingKind.WARNING_POINT, "§XIV")
    ruled(table.referee(1, "warn", player="black", reason="disrespect"), RulingKind.WARNING, "§XIV")


def test_below_five_minutes_nobody_need_write() -> None:
    """WNG-TK §VIII: fewer than 5 minutes."""
    table = Table(control={"kind": "sudden", "base": 400})
    ruled(table.referee(100, "warn", player="white", reason="record"), RulingKind.WARNING, "§XIV")
    ruled(table.referee(100.001, "warn", player="white", reason="record"), RulingKind.RECORD_EXEMPT, "§VIII")
    ruled(table.referee(101, "warn", player="black", reason="record"), RulingKind.WARNING, "§XIV")
    ruled(table.referee(101, "warn", player="white", reason="conversation"), RulingKind.WARNING, "§XIV")
    assert table.end["warnings"] == {"white": 2, "black": 1}


def test_after_the_end_a_missing_record_is_warned() -> None:
    table = Table(control={"kind": "sudden", "base": 100})
    table.white(1, "resign")
    ruled(table.referee(2, "warn", player="white", reason="record"), RulingKind.WARNING, "§XIV")


def test_players_do_not_warn() -> None:
    refused(Table().white(1, "warn", player="black", reason="record"), "only the referee")


def test_offers_made_up_to_the_position_stay_on_the_sheets() -> None:
    table = Table()
    table.turn(1, 7)
    table.black(2, "move", hole=1)
    table.black(2, "offer")
    table.black(3, "press")
    offered = str(table.state.position)
    table.turn(4, 2)
    assert table.state.marks == (2,)
    table.referee(5, "restore", position=offered)
    assert table.state.marks == (2,)
    table.referee(6, "restore", position=str(table.state.rules.start()))
    assert not table.state.marks

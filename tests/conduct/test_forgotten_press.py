"""A clock that a player forgets to press: the referee presses it, or lets it be (WNG-TK §XIV:8)."""

from __future__ import annotations

import pytest

from korgool.conduct import RulingKind
from korgool.rules import Side
from tests.conduct.table import Table, refused, ruled

MINUTE = {"kind": "sudden", "base": 60}
INCREMENT = {"kind": "fischer", "base": 60, "increment": 5}


def forgotten(**start: object) -> Table:
    """White has moved after 10 seconds and has not pressed."""
    table = Table(**{"control": MINUTE, **start})
    assert table.white(10, "move", hole=7) is None
    return table


def running(table: Table) -> Side | None:
    assert table.state.clock is not None
    return table.state.clock.running


@pytest.mark.parametrize("named", [{}, {"player": "white"}])
def test_the_referee_presses_a_forgotten_clock(named: dict[str, str]) -> None:
    table = forgotten(control=INCREMENT)
    ruling = ruled(table.referee(20, "press", **named), RulingKind.PRESSED, "§XIV")
    assert ruling.arguments == {"player": "white"}
    assert ruling.changes == {"clock": {"white": 45_000, "black": 60_000}}
    assert running(table) is Side.BLACK
    assert table.turn(25, 1) is None
    assert table.clocks == (45, 60)


def test_the_referee_presses_for_nobody_who_need_not_press() -> None:
    table = Table(control=MINUTE)
    refused(table.referee(1, "press"), "no move")
    table.white(2, "move", hole=7)
    refused(table.referee(3, "press", player="black"), "White has moved")
    refused(table.black(3, "press", player="white"), "for themselves")
    assert table.white(4, "press", player="white") is None


def test_what_the_press_of_the_referee_decides_is_decided() -> None:
    table = Table(position="8,1S/8,1S 81 79 S 30")
    table.white(1, "move", hole=9)
    ruled(table.referee(2, "press"), RulingKind.MAJORITY, "§V")
    table = forgotten()
    ruled(table.black(61, "claim", reason="flag"), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.referee(62, "press"), RulingKind.TIME, "§V")


def test_the_opponent_moves_and_the_time_of_the_forgetful_runs_on() -> None:
    """The referee need not care: the move stands, and each clock shows what it shows."""
    table = forgotten(control=INCREMENT)
    ruling = ruled(table.black(20, "move", hole=1), RulingKind.PRESS_FORGOTTEN, "§XIV")
    assert (ruling.arguments, ruling.granted) == ({"player": "white"}, True)
    assert running(table) is Side.WHITE
    assert table.black(25, "press") is None
    assert running(table) is Side.WHITE
    assert table.clocks == (35, 60), "nothing is earned without a press"
    assert table.turn(30, 2) is None
    assert table.clocks == (35, 60)
    assert running(table) is Side.BLACK
    assert table.state.moves == (7, 1, 2)


@pytest.mark.parametrize("by", ["white", "referee"])
def test_a_late_press_lets_the_opponents_time_run(by: str) -> None:
    table = forgotten()
    table.black(20, "move", hole=1)
    answer = table.add({"at": 22, "by": by, "do": "press"})
    if by == "referee":
        ruled(answer, RulingKind.PRESSED, "§XIV")
    else:
        assert answer is None
    assert running(table) is Side.BLACK
    assert table.black(30, "press") is None
    assert table.clocks == (38, 52)
    assert table.turn(31, 2) is None


def test_both_forget() -> None:
    """White moves again without any press: the time that runs is White's own, as it ought to be."""
    table = forgotten()
    table.black(20, "move", hole=1)
    assert table.white(25, "move", hole=2) is None
    assert running(table) is Side.WHITE
    assert table.white(30, "press") is None
    assert table.clocks == (30, 60)
    assert running(table) is Side.BLACK


def test_a_called_flag_decides_when_the_opponent_moves() -> None:
    """WNG-TK §VII: the stones have been sown, so the move that had to be completed is complete."""
    table = forgotten()
    ruled(table.black(61, "claim", reason="flag"), RulingKind.MOVE_FIRST, "§VII")
    ruled(table.black(62, "move", hole=1), RulingKind.TIME, "§V")
    assert table.state.moves == (7,)
    assert table.end["result"] == "0-1"


def test_the_flag_of_the_forgetful_is_called_while_the_opponent_moves() -> None:
    table = forgotten()
    table.black(20, "move", hole=1)
    ruled(table.black(59, "claim", reason="flag"), RulingKind.NO_FLAG, "§VII")
    ruled(table.black(60, "claim", reason="flag"), RulingKind.TIME, "§V")
    assert table.end["result_text"] == "0 (10) - 1 (10)"


def test_clocks_stopped_meanwhile_go_on_as_they_ran() -> None:
    table = forgotten()
    table.black(20, "move", hole=1)
    table.referee(21, "pause")
    ruling = ruled(table.referee(100, "resume"), RulingKind.RESUMED, "§VII")
    assert ruling.arguments == {"player": "white"}
    assert running(table) is Side.WHITE


def test_stones_spilled_meanwhile() -> None:
    """WNG-TK §VI: put back on the time of the one who spilled them, whosever clock ran before."""
    table = forgotten()
    table.black(20, "move", hole=1)
    table.black(21, "spill")
    assert running(table) is Side.BLACK
    assert table.black(24, "press") is None
    assert running(table) is Side.WHITE
    assert table.black(25, "press") is None, "and now the move"
    assert table.clocks == (38, 57)
    table = forgotten()
    table.black(15, "spill")
    refused(table.black(16, "move", hole=1), "pressed")


def test_nobody_lets_a_forgotten_press_be_on_a_server() -> None:
    table = forgotten(online=True)
    refused(table.black(20, "move", hole=1), "pressed")


def test_an_offer_lapses_with_the_opponents_move_all_the_same() -> None:
    table = forgotten()
    table.white(11, "offer")
    table.black(20, "move", hole=1)
    ruled(table.black(21, "accept"), RulingKind.OFFER_ABSENT, "§X")

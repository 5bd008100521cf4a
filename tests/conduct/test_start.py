"""Lots, the start, and late players (WNG-TK §II, §V, §VII, §XIV)."""

from __future__ import annotations

import pytest

from korgool.conduct import RulingKind, draw_lots
from korgool.rules import Side
from tests.conduct.table import Table, refused, ruled


def test_lots_are_drawn_by_a_seed_and_can_be_drawn_again() -> None:
    drawn = draw_lots(("Aibek", "Nurlan"), "cup 1 1")
    assert drawn == draw_lots(("Aibek", "Nurlan"), "cup 1 1")
    assert {drawn.white, drawn.black} == {"Aibek", "Nurlan"}
    whites = [draw_lots(("a", "b"), f"cup 1 {board}").white for board in range(2000)]
    assert 900 < whites.count("a") < 1100


def test_lots_do_not_depend_on_names() -> None:
    assert (draw_lots(("a", "b"), "s").white == "a") == (draw_lots(("x", "y"), "s").white == "x")


def test_lots_are_logged_once_and_before_the_start() -> None:
    table = Table(begin=False)
    ruling = ruled(table.referee(0, "lots", players=["Aibek", "Nurlan"], seed=7), RulingKind.LOTS_DRAWN, "§II")
    assert sorted(str(name) for name in ruling.changes.values()) == ["Aibek", "Nurlan"]
    assert ruling.arguments["seed"] == "7"
    refused(table.referee(0, "lots", seed=8), "already")
    assert table.referee(1, "start") is None
    refused(table.referee(1, "lots", seed=8), "begun already")


@pytest.mark.parametrize(("game", "minutes"), [("toguz", 60), ("bestemshe", 60), ("mangala", 15), ("castle", 15)])
def test_usual_start(game: str, minutes: int) -> None:
    """WNG-TK §XI, WNG-M §II: the usual times, the usual position, White's clock running."""
    table = Table(game=game)
    assert table.clocks == (minutes * 60, minutes * 60)
    assert table.state.position == table.state.position.rules.start()
    assert table.state.clock is not None
    assert table.state.clock.running is Side.WHITE
    assert table.end["result"] == "*"
    assert table.end["termination"] is None


def test_white_loses_time_before_he_comes() -> None:
    """WNG-TK §VII: White's clock starts at the set time."""
    table = Table(at=100)
    assert table.white(700, "arrive") is None
    assert table.clocks == (3000, 3600)


def test_the_set_time_may_come_after_the_players() -> None:
    table = Table(begin=False)
    table.white(0, "arrive")
    table.black(5, "arrive")
    table.referee(60, "start")
    assert table.referee(61, "claim", reason="no_show") is not None
    assert table.clocks == (3599, 3600)


def test_nothing_is_played_before_the_start() -> None:
    table = Table(begin=False)
    for do in ("press", "offer", "resign", "sign", "spill"):
        refused(table.white(0, do), "begins with start")
    refused(table.white(0, "start"), "only the referee")
    assert table.end["result"] == "*"


def test_a_game_begins_once() -> None:
    refused(Table().referee(1, "start"), "begun already")


def test_half_the_stock_and_half_a_minute_are_not_late() -> None:
    """WNG-TK §V: later than half the control and 30 seconds."""
    table = Table()
    table.white(0, "arrive")
    assert table.black(1830, "arrive") is None
    assert table.end["result"] == "*"


def test_a_millisecond_more_is_late() -> None:
    table = Table()
    table.white(0, "arrive")
    ruled(table.black(1830.001, "arrive"), RulingKind.LATE, "§XIV")
    assert table.end["result"] == "1-0"
    assert table.end["termination"] == "forfeit"
    assert "§V" in table.end["clause"]


def test_no_stones_are_recorded_for_a_late_player() -> None:
    table = Table()
    table.turn(5, 7)
    assert table.state.position.stores == (10, 0)
    table.black(1831, "arrive")
    assert table.end["result_text"] == "1 - 0"
    assert table.end["stores"] == {"white": 0, "black": 0}


def test_white_may_be_late_too() -> None:
    table = Table()
    table.black(0, "arrive")
    ruled(table.white(1900, "arrive"), RulingKind.LATE, "§V")
    assert table.end["result_text"] == "0 - 1"


def test_the_one_who_is_there_claims_the_game() -> None:
    table = Table(at=10)
    table.black(10, "arrive")
    early = ruled(table.black(1840, "claim", reason="no_show"), RulingKind.NOT_LATE_YET, "§V")
    assert early.arguments["left_ms"] == 0
    ruled(table.black(1840.001, "claim", reason="no_show"), RulingKind.LATE, "§V")
    assert table.end["result"] == "0-1"
    assert table.white(1900, "arrive") is None, "he is noted, and it changes nothing"
    assert table.end["result"] == "0-1"


def test_who_is_there_is_not_absent() -> None:
    table = Table()
    table.turn(5, 7)
    table.turn(20, 1)
    ruled(table.white(1900, "claim", reason="no_show"), RulingKind.NOT_ABSENT, "§V")
    refused(table.white(1900, "claim", reason="no_show", player="white"), "opponent")


def test_both_late_both_lose() -> None:
    for first in ("white", "black"):
        table = Table()
        ruled(table.add({"at": 1900, "by": first, "do": "arrive"}), RulingKind.BOTH_LATE, "§V")
        assert (table.end["result"], table.end["result_text"]) == ("0-0", "0 - 0")
        assert table.state.game().outcome() is None, "no record of moves can say it"
        assert table.state.ending is not None
        with pytest.raises(ValueError, match="both players lost"):
            table.state.ending.outcome()


def test_the_referee_finds_both_absent() -> None:
    table = Table(game="mangala")
    ruled(table.referee(480, "claim", reason="no_show"), RulingKind.NOT_LATE_YET, "§V")
    ruled(table.referee(480.001, "claim", reason="no_show"), RulingKind.BOTH_LATE, "§V")
    assert table.end["result"] == "0-0"


def test_the_referee_finds_one_absent() -> None:
    table = Table()
    table.white(0, "arrive")
    ruled(table.referee(1831, "claim", reason="no_show"), RulingKind.LATE, "§V")
    assert table.end["result"] == "1-0"


def test_an_event_may_say_otherwise() -> None:
    table = Table(late=900)
    table.white(0, "arrive")
    ruled(table.black(900.5, "arrive"), RulingKind.LATE, "§V")


def test_nobody_arrives_twice() -> None:
    table = Table()
    table.white(0, "arrive")
    refused(table.white(1, "arrive"), "already")
    refused(table.referee(1, "arrive"), "who")
    assert table.referee(1, "arrive", player="black") is None
    refused(table.black(2, "arrive"), "already")
    assert table.black(3, "leave") is None
    refused(table.black(3, "leave"), "not there")
    assert table.black(4, "arrive") is None


def test_a_start_from_a_position() -> None:
    text = "9,9S/1S,8 80 72 N 30"
    table = Table(position="9/1S,8 80 81 N 30", begin=False)
    refused(table.referee(0, "start", position="9/1S,8 80 81 N 30"), "over")
    refused(table.referee(0, "start", position=text), "position")
    assert table.referee(0, "start", position="8,1S/1S,8 80 80 N 30") is None
    assert table.state.clock is not None
    assert table.state.clock.running is Side.BLACK

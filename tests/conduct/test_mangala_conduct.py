"""Mangala: extra turns on one clock, castles, sets and matches (WNG-M §II to §IV)."""

from __future__ import annotations

from korgool.conduct import RulingKind
from korgool.rules import Side
from tests.conduct.table import Table, refused, ruled


def test_an_extra_turn_is_played_on_the_same_clock() -> None:
    """WNG-M §III.1: hole 4 ends in the store."""
    table = Table(game="mangala")
    assert table.white(10, "move", hole=4) is None
    refused(table.black(11, "move", hole=1), "turn")
    assert table.white(20, "move", hole=2) is None
    assert table.white(25, "press") is None
    assert table.clocks == (875, 900)
    assert table.state.turn is Side.BLACK


def test_who_presses_before_his_extra_turn_goes_on() -> None:
    table = Table(game="mangala", control={"kind": "fischer", "base": 100, "increment": 10})
    table.white(10, "move", hole=4)
    ruled(table.white(12, "press"), RulingKind.EXTRA_TURN, "§III.1")
    assert table.state.clock is not None
    assert table.state.clock.running is Side.WHITE
    table.white(20, "move", hole=2)
    assert table.white(25, "press") is None
    assert table.clocks == (85, 100), "one increment for the turn"


def test_no_offer_within_a_turn() -> None:
    table = Table(game="mangala")
    table.white(10, "move", hole=4)
    ruled(table.white(11, "offer"), RulingKind.OFFER_UNTIMELY, "§X")
    table.white(12, "move", hole=2)
    assert table.white(13, "offer") is None


def test_a_flag_before_the_second_sowing_of_a_turn() -> None:
    """The first sowing is done, and the next has not begun: no move is being made."""
    table = Table(game="mangala", control={"kind": "sudden", "base": 10})
    table.white(9, "move", hole=4)
    ruled(table.black(10, "claim", reason="flag"), RulingKind.TIME, "§V")
    assert table.end["result"] == "0-1"


def test_an_empty_side_ends_the_set() -> None:
    """WNG-M §III.4."""
    table = Table(game="mangala", position="1S,5/5,1S 20 26 S 9")
    ruled(table.turn(1, 6), RulingKind.SIDE_EMPTY, "§III.4")
    assert table.end["termination"] == "side_empty"
    assert table.end["stores"]["white"] + table.end["stores"]["black"] == 48


def test_castle_ends_with_its_own_clause() -> None:
    table = Table(game="castle", position="1S,5/5,1S 20 26 S 9")
    ruled(table.turn(1, 6), RulingKind.SIDE_EMPTY, "§IV")


def test_a_castle_is_marked() -> None:
    """WNG-M §IV: the hole is the castle from then on; the record marks it."""
    table = Table(game="castle")
    for at in range(60):
        if table.state.ending is not None or any(hole is not None for hole in table.state.position.tuz):
            break
        position = table.state.position
        making = [hole for hole in position.legal_moves() if position.sow(hole).tuz is not None]
        table.turn(at, making[0] if making else position.legal_moves()[0])
    assert any(hole is not None for hole in table.state.position.tuz)
    from korgool.notation import format_movetext

    assert "X" in format_movetext(table.state.game())


def test_both_flags_in_mangala_count_only_a_majority() -> None:
    """Half of the 48 stones take the place of 81."""
    control = {"kind": "sudden", "base": 10}
    table = Table(game="mangala", control=control, position="5,2S/2S,2S,4 25 17 S 9")
    table.turn(11, 1)
    ruled(table.referee(30, "claim", reason="flag"), RulingKind.BOTH_FLAGS_COUNTED, "§VII")
    assert table.end["result"] == "1-0"
    table = Table(game="mangala", control=control)
    table.turn(11, 1)
    ruled(table.referee(30, "claim", reason="flag"), RulingKind.BOTH_FLAGS_DRAW, "§V")


def match() -> Table:
    table = Table(game="mangala", sets=3)
    table.turn(100, 1)
    table.black(150, "resign")
    return table


def test_a_match_of_sets_changes_sides() -> None:
    table = match()
    assert table.end["match"] == {"sets": 3, "played": 1, "points": [1.0, 0.0], "stones": [0, 0]}
    ruled(table.referee(200, "next_set"), RulingKind.SET_STARTED, "§III")
    assert table.state.position == table.state.rules.start()
    assert table.clocks == (850, 800), "one clock for the match; the second player has White now"
    assert table.state.clock is not None
    assert table.state.clock.running is Side.WHITE
    table.black(210, "resign")
    assert table.end["match"]["points"] == [1.0, 1.0], "Black of the second set is the first player"
    table.referee(300, "next_set")
    refused(table.referee(301, "next_set"), "not over")
    table.white(310, "resign")
    assert table.end["match"]["points"] == [1.0, 2.0]
    refused(table.referee(400, "next_set"), "all 3 sets")


def test_nobody_is_late_for_a_later_set() -> None:
    """Both were at the board in the first one, so that the half stock and 30 seconds of WNG-TK §V are over for them."""
    for by in ("white", "black"):
        table = match()
        table.referee(200, "next_set")
        assert table.add({"at": 800, "by": by, "do": "arrive"}) is None
        assert table.end["result"] == "*"


def test_a_match_of_sets_begins_from_the_usual_position() -> None:
    for sets in (2, 3):
        table = Table(begin=False)
        given = {"game": "mangala", "sets": sets, "position": "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,3S 0 1 S 1"}
        refused(table.referee(0, "start", **given), "from the usual position")


def test_a_clock_for_every_set_by_choice() -> None:
    table = Table(game="mangala", sets=2, set_clock=True)
    table.turn(100, 1)
    table.black(150, "resign")
    table.referee(200, "next_set")
    assert table.clocks == (900, 900)


def test_warnings_go_with_the_player() -> None:
    table = match()
    table.referee(160, "warn", player="white", reason="conversation")
    table.referee(200, "next_set")
    assert table.end["warnings"] == {"white": 0, "black": 1}


def test_single_games_have_no_next_set() -> None:
    table = Table(game="mangala")
    refused(table.referee(1, "next_set"), "not over")
    table.white(2, "resign")
    refused(table.referee(3, "next_set"), "single game")
    assert "match" not in table.end


def test_a_match_lost_by_lateness_has_no_next_set() -> None:
    table = Table(game="mangala", sets=2)
    table.white(0, "arrive")
    table.white(481, "claim", reason="no_show")
    refused(table.referee(482, "next_set"), "lateness")
    assert table.end["match"]["points"] == [1.0, 0.0]
    table = Table(game="mangala", sets=2)
    table.referee(481, "claim", reason="no_show")
    assert table.end["match"]["points"] == [0.0, 0.0]

"""Offers, claims of a draw, signatures (WNG-TK §II, §V, §VI, §X)."""

from __future__ import annotations

from typing import Any

import pytest

from korgool.conduct import Ruling, RulingKind
from korgool.conduct.sentences import sentence
from tests.conduct.table import Table, refused, ruled

ROUND = (4, 2, 1, 3, 5, 4, 6, 5, 9, 6, 2, 1, 7, 7, 3, 8, 8, 9)
"""Single stones that walk round the board without a capture, back to the position they left."""
ROUND_START = "7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"


def offered() -> Table:
    table = Table()
    table.white(1, "move", hole=7)
    assert table.white(2, "offer") is None
    assert table.white(3, "press") is None
    return table


def test_a_draw_is_offered_between_move_and_press() -> None:
    table = Table()
    for by in ("white", "black"):
        ruled(table.add({"at": 1, "by": by, "do": "offer"}), RulingKind.OFFER_UNTIMELY, "§X")
    table.white(1, "move", hole=7)
    ruled(table.black(1, "offer"), RulingKind.OFFER_UNTIMELY, "§X")
    assert table.white(2, "offer") is None
    table.white(3, "press")
    ruled(table.white(4, "offer"), RulingKind.OFFER_UNTIMELY, "§X")
    assert table.state.offers == (1, 0)
    assert table.state.marks == (1,), "= after the first ply"


def test_two_offers_with_one_move_are_two_offers_and_one_mark() -> None:
    table = Table()
    table.white(1, "move", hole=7)
    for _ in range(2):
        assert table.white(2, "offer") is None
    assert table.state.offers == (2, 0)
    assert table.state.marks == (1,)


def test_untimely_offers_cannot_be_accepted() -> None:
    table = Table()
    table.black(1, "offer")
    ruled(table.white(2, "accept"), RulingKind.OFFER_ABSENT, "§X")
    assert table.end["result"] == "*"


def test_agreement() -> None:
    table = offered()
    ruled(table.white(4, "accept"), RulingKind.OFFER_ABSENT, "§X")
    ruled(table.black(4, "accept"), RulingKind.AGREED, "§V")
    assert table.end["result_text"] == "0.5 (10) - 0.5 (0)"
    assert table.end["termination"] == "agreement"


def test_an_offer_may_be_accepted_before_the_press() -> None:
    table = Table()
    table.white(1, "move", hole=7)
    table.white(2, "offer")
    ruled(table.black(2, "accept"), RulingKind.AGREED, "§X")


def test_an_offer_lapses_with_the_opponents_move() -> None:
    table = offered()
    table.turn(5, 1)
    ruled(table.black(6, "accept"), RulingKind.OFFER_ABSENT, "§X")
    table.turn(7, 2)
    ruled(table.black(8, "accept"), RulingKind.OFFER_ABSENT, "§X")


def test_an_offer_can_be_declined_once() -> None:
    table = offered()
    assert table.black(4, "decline") is None
    ruled(table.black(5, "decline"), RulingKind.OFFER_ABSENT, "§X")
    ruled(table.black(5, "accept"), RulingKind.OFFER_ABSENT, "§X")


def offers(count: int) -> Table:
    """White offers with each move, `count` times."""
    table = Table()
    for turn in range(2 * count):
        by = ("white", "black")[turn % 2]
        hole = table.state.position.legal_moves()[0]
        table.add({"at": turn, "by": by, "do": "move", "hole": hole})
        if by == "white":
            table.white(turn, "offer")
        table.add({"at": turn, "by": by, "do": "press"})
    return table


def test_three_offers_are_allowed() -> None:
    table = offers(3)
    assert table.state.offers == (3, 0)
    assert len(table.state.marks) == 3
    ruled(table.black(10, "claim", reason="fourth_offer"), RulingKind.FOURTH_OFFER_DENIED, "§X")
    assert not any(isinstance(answer, Ruling) and answer.granted for answer in table.answers)


def test_the_fourth_lets_the_opponent_demand_the_game() -> None:
    table = offers(4)
    fourth = [answer for answer in table.answers if isinstance(answer, Ruling)]
    assert [answer.kind for answer in fourth] == [RulingKind.FOURTH_OFFER]
    assert table.end["result"] == "*", "he may, he need not"
    ruled(table.white(20, "claim", reason="fourth_offer"), RulingKind.FOURTH_OFFER_DENIED, "§X")
    refused(table.referee(20, "claim", reason="fourth_offer"), "demanded by the player")
    ruled(table.black(20, "claim", reason="fourth_offer"), RulingKind.FOURTH_OFFER_LOST, "§X")
    assert table.end["result"] == "0-1"
    assert table.end["termination"] == "resignation"


def repeated(times: int, **start: Any) -> Table:
    """The position of `ROUND_START` stands on the board for the given time."""
    table = Table(position=ROUND_START, **start)
    for at, hole in enumerate(ROUND * (times - 1)):
        table.turn(at, hole)
    return table


def test_repetition_is_claimed_and_checked() -> None:
    """WNG-TK §V, §X: the referee looks into the record."""
    table = repeated(1)
    ruled(table.white(50, "claim", reason="threefold"), RulingKind.REPETITION_DENIED, "§X")
    ruled(table.black(50, "claim", reason="73"), RulingKind.REPETITION_DENIED, "§X")
    refused(table.referee(50, "claim", reason="73"), "demanded by a player")
    assert table.end["result"] == "*"


def test_a_recurrence_within_73_moves() -> None:
    table = repeated(2)
    denied = ruled(table.white(50, "claim", reason="threefold"), RulingKind.REPETITION_DENIED, "§V")
    assert denied.arguments["times"] == 2
    ruled(table.white(50, "claim", reason="73"), RulingKind.REPETITION, "§X")
    assert (table.end["result"], table.end["termination"]) == ("1/2-1/2", "repetition")
    assert table.end["result_text"] == "0.5 (78) - 0.5 (79)"


def test_the_third_occurrence() -> None:
    table = repeated(3)
    ruling = ruled(table.black(50, "claim", reason="threefold"), RulingKind.REPETITION, "§V")
    assert ruling.arguments["times"] == 3


def test_a_drawn_position_is_claimed_where_the_rules_name_it() -> None:
    """docs/rules/options.md, drawn_position: granted by a proof, and denied with the reason."""
    circle, rules = "1S,8/8,1S 81 79 S 1", {"drawn_position": True}
    table = Table(position=circle, rules=rules)
    ruled(table.black(1, "claim", reason="drawn_position"), RulingKind.DRAWN_POSITION, "§V")
    assert (table.end["result"], table.end["termination"]) == ("1/2-1/2", "repetition")
    assert table.end["result_text"] == "0.5 (81) - 0.5 (79)"
    cases: tuple[tuple[dict[str, Any], RulingKind], ...] = (
        ({"position": circle}, RulingKind.DRAWN_POSITION_OFF),
        ({"rules": rules}, RulingKind.DRAWN_POSITION_MANY),
        ({"position": "1S,8/8,1S 80 80 S 1", "rules": rules}, RulingKind.DRAWN_POSITION_DENIED),
    )
    for start, kind in cases:
        table = Table(**start)
        denied = ruled(table.white(1, "claim", reason="drawn_position"), kind, "§X")
        assert sentence(denied.kind, denied.arguments).startswith("Claim denied: ")
        refused(table.referee(1, "claim", reason="drawn_position"), "demanded by a player")
        assert table.end["result"] == "*"


def test_a_restored_position_counts_from_there() -> None:
    table = Table()
    table.turn(1, 7)
    table.referee(2, "restore", position=ROUND_START)
    for at, hole in enumerate(ROUND * 2, 3):
        table.turn(at, hole)
    ruled(table.white(50, "claim", reason="threefold"), RulingKind.REPETITION, "§V")


def test_a_server_ends_the_game_by_the_third_repetition() -> None:
    """docs/rules/options.md, repetition: without a claim."""
    table = repeated(3, online=True)
    assert table.end["termination"] == "repetition"
    ruled(table.answers[-1], RulingKind.REPETITION, "§V")
    assert all(answer is None for answer in table.answers[:-1])
    assert repeated(3).end["result"] == "*"


def test_signatures_make_the_result_stand() -> None:
    table = Table()
    table.turn(1, 7)
    refused(table.white(2, "sign"), "no result")
    table.black(3, "resign")
    assert table.white(4, "sign", result="1 (10) - 0 (0)") is None
    refused(table.white(5, "sign"), "signed already")
    ruled(table.black(5, "sign", result="1-0"), RulingKind.SIGNED, "§VI")
    assert table.state.signed
    ruled(table.referee(6, "restore", position=str(table.state.position)), RulingKind.SIGNED_STANDS, "§VI")


@pytest.mark.parametrize("text", ["0-1", "1/2-1/2", "1 (11) - 0 (0)", "0 (0) - 1 (10)", "1 - 1", "won", "*"])
def test_signatures_that_differ_are_refused(text: str) -> None:
    table = Table()
    table.turn(1, 7)
    table.black(3, "resign")
    refused(table.black(4, "sign", result=text), "1 (10) - 0 (0)")
    table.white(4, "sign", result="1 (10) – 0 (0)")
    refused(table.black(5, "sign", result=text), "the other player has signed")
    assert not table.state.signed


def test_a_drawn_game_is_accepted_with_both_players_present() -> None:
    table = offered()
    table.black(4, "accept")
    assert table.black(5, "leave") is None
    ruled(table.white(6, "sign"), RulingKind.DRAW_NEEDS_BOTH, "§X")
    ruled(table.referee(6, "sign"), RulingKind.DRAW_NEEDS_BOTH, "§X")
    assert table.black(7, "arrive") is None
    assert table.white(8, "sign") is None
    ruled(table.black(8, "sign"), RulingKind.SIGNED, "§II")
    ruled(table.referee(9, "sign"), RulingKind.ACCEPTED, "§X")
    refused(table.referee(9, "sign"), "signed already")


def test_who_does_something_is_present_again() -> None:
    table = offered()
    table.black(4, "accept")
    table.black(5, "leave")
    assert table.black(6, "sign") is None
    ruled(table.white(6, "sign"), RulingKind.SIGNED, "§II")


def test_a_draw_on_the_board_is_signed_by_those_who_are_there() -> None:
    """Also where the log has no press for the last move."""
    table = Table(position="8,1S/8,1S 79 81 S 30")
    table.white(1, "move", hole=9)
    ruled(table.white(2, "sign"), RulingKind.DRAW_NEEDS_BOTH, "§X")
    assert table.end["termination"] == "equal"


def test_a_won_game_is_accepted_without_the_loser() -> None:
    table = Table()
    table.white(1, "arrive")
    table.white(1831, "claim", reason="no_show")
    ruled(table.referee(1832, "sign", result="1 - 0"), RulingKind.ACCEPTED, "§XIV")
    assert table.state.signed


def test_resignation() -> None:
    for by, result in (("white", "0-1"), ("black", "1-0")):
        table = Table()
        ruled(table.add({"at": 5, "by": by, "do": "resign"}), RulingKind.RESIGNED, "§V")
        assert (table.end["result"], table.end["termination"]) == (result, "resignation")
        refused(table.white(6, "resign"), "over")
    refused(Table().referee(5, "resign"), "a player does")

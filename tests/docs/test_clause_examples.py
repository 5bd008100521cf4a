"""Examples for sentences of the sources that need a board of their own; docs/clauses.md names them.

Most sentences are shown in tests/rules; here are those that would stand apart there.
"""

from __future__ import annotations

import pytest

from korgool import MANGALA_CASTLE, TOGUZ_KORGOOL, Game, Match, Outcome, Side, Termination
from korgool.notation import Record, format_move, format_movetext, parse_move, parse_records, write_record
from tests.rules.positions import board, random_sowings

EMPTY = [0] * 9


def test_turns_alternate() -> None:
    """WNG-TK §III, WIKI §4 and §5, ARCHIVE §2: one ply each."""
    game = Game(TOGUZ_KORGOOL, [7, 7, 2, 2])
    assert [position.to_move for position in game.positions] == [0, 1, 0, 1, 0]


def test_only_own_holes_with_stones_can_be_sown() -> None:
    """WNG-TK §III, WIKI §4: a hole of one's own side that holds stones and is no tuz."""
    position = board([0, 4, 0, 0, 0, 0, 0, 0, 1], [3, 0, 5, 0, 0, 0, 0, 0, 0], (80, 69), tuz=(None, 5))
    assert position.legal_moves() == (2, 9)
    with pytest.raises(ValueError, match="it is a tuz"):
        position.play(5)
    with pytest.raises(ValueError, match="it is empty"):
        position.play(1)


def test_tuz_holds_nothing_on_any_lap() -> None:
    """WNG-TK §IV, WIKI §4: two laps give the owner two stones at once, and the hole is empty after each."""
    position = board([36, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1], (70, 55), tuz=(3, None))
    sowing = position.sow(1)
    assert [drop.hole for drop in sowing.drops if drop.tuz_owner is Side.WHITE] == [3, 3]
    assert sowing.after.holes[Side.BLACK][2] == 0
    assert sowing.after.stores == (72, 55)


def test_a_tuz_stays_where_it_is() -> None:
    """WNG-TK §IV, WIKI §5, ARCHIVE §2: through whole games no tuz is moved or given up."""
    made = 0
    for seed in range(60):
        tuz: list[int | None] = [None, None]
        for sowing in random_sowings(TOGUZ_KORGOOL, seed):
            for side in Side:
                if tuz[side] is None and sowing.after.tuz[side] is not None:
                    made += 1
                    tuz[side] = sowing.after.tuz[side]
            assert sowing.after.tuz == tuple(tuz)
    assert made > 60


def test_a_tuz_cannot_be_refused() -> None:
    """WNG-TK §IV: one ply for each hole, and the one that reaches three wins the hole."""
    position = board([*EMPTY[:8], 4], [0, 0, 2, 0, 0, 0, 4, 0, 0], (80, 72))
    assert position.legal_moves() == (9,)
    assert position.play(9).tuz == (3, None)


def test_a_move_that_may_not_make_a_tuz_is_legal() -> None:
    """WIKI §4: such a move is played and simply makes none; the three stay."""
    position = board([*EMPTY[:8], 4], [0, 0, 2, 0, 0, 0, 4, 0, 0], (80, 72), tuz=(None, 3))
    assert 9 in position.legal_moves()
    after = position.play(9)
    assert after.tuz == (None, 3)
    assert after.holes[Side.BLACK][2] == 3
    assert after.to_move is Side.BLACK


def test_a_tuz_is_marked_in_the_position_text() -> None:
    """WNG-TK §IV: the hole carries a sign of its own."""
    after = board([*EMPTY[:8], 4], [0, 0, 2, 0, 0, 0, 4, 0, 0], (76, 76)).play(9)
    assert str(after).startswith("2,4S,3,t,1S,1S/")


def test_a_castle_is_marked_in_the_position_text() -> None:
    """WNG-M §IV: as the stones of another colour mark it on a board."""
    after = board([1, 0, 0, 0, 0, 3], [0, 2, 0, 0, 1, 0], (20, 21), rules=MANGALA_CASTLE).play(6)
    assert str(after).startswith("1,1S,2,t,1S/")


def test_the_written_move_marks_a_tuz() -> None:
    """WNG-TK §IV, RU §IV: the letter X, with the letter of the Cyrillic alphabet read as well."""
    position = board([*EMPTY[:8], 4], [0, 0, 2, 0, 0, 0, 4, 0, 0], (76, 76))
    assert format_move(position.sow(9)) == "93X"
    assert [parse_move(text, position).sowing.tuz for text in ("93X", "93x", "93Х")] == [3, 3, 3]


def test_a_record_holds_the_moves_of_both() -> None:
    """WNG-TK §VIII, RU §VIII: in the signs of the game."""
    assert format_movetext(Game(TOGUZ_KORGOOL, [7, 7, 2])) == "1. 76(10) 76(10) 2. 22"


def test_an_offer_is_marked() -> None:
    """WNG-TK §X, RU §X: `=` after the move with which it was made."""
    game = Game(TOGUZ_KORGOOL, [7, 7])
    text = write_record(Record.of(game, offers=[2]))
    assert "1. 76(10) 76(10)=" in text
    (record,) = parse_records(text)
    assert record.offers == (2,)


def test_result_texts() -> None:
    """WNG-TK §IX, RU §IX: both winners and the draw."""
    assert Outcome(Side.WHITE, Termination.MAJORITY, (82, 60)).result_text == "1 (82) - 0 (60)"
    assert Outcome(Side.BLACK, Termination.MAJORITY, (60, 82)).result_text == "0 (60) - 1 (82)"
    assert Outcome(None, Termination.EQUAL, (81, 81)).result_text == "0.5 (81) - 0.5 (81)"


@pytest.mark.parametrize(("gathered", "winner"), [(60, Side.BLACK), (80, Side.BLACK), (81, None)])
def test_the_store_of_a_player_without_stones_decides(gathered: int, winner: Side | None) -> None:
    """WNG-TK §V, RU §V, WIKI §4: fewer than 81 lose and 81 draw; more than 81 have won before."""
    outcome = board(EMPTY, [0, 0, 0, 92 - gathered, 0, 0, 0, 0, 0], (gathered, 70)).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (winner, Termination.NO_MOVE)
    assert outcome.stores == (gathered, 162 - gathered)


def test_more_stones_win() -> None:
    """WNG-TK §I, WIKI §4 and §5, ARCHIVE §2: the larger store has won, which is more than 81."""
    outcome = board(EMPTY, [2, *EMPTY[1:]], (80, 80)).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.stores) == (Side.BLACK, (80, 82))


def test_mangala_points() -> None:
    """WNG-M §II: 1 for a win, 0 for a loss, one half each for a draw."""
    won = Outcome(Side.WHITE, Termination.SIDE_EMPTY, (30, 18))
    drawn = Outcome(None, Termination.SIDE_EMPTY, (24, 24))
    assert Match(sets=2).record(won).half_points == (2, 0)
    assert Match(sets=2).record(drawn).half_points == (1, 1)
    assert (won.result_text, drawn.result_text) == ("1 (30) - 0 (18)", "0.5 (24) - 0.5 (24)")

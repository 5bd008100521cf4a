"""A player's own sheet: what may be written when, the exemption, result and signatures (WNG-TK §II, §VI, §VIII, §X)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.conduct.scoresheet import Sheet, SheetError, format_turn, turns
from korgool.conduct.sheets import Booklet, SheetPair
from korgool.rules import GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Game, Match, Rules, Side

WON = "1 (82) - 0 (60)"
DRAWN = "0.5 (81) - 0.5 (81)"


def sheet(*entries: str, owner: Side = Side.WHITE) -> Sheet:
    written = Sheet.of(owner, TOGUZ_KORGOOL)
    for entry in entries:
        written = written.write(entry)
    return written


def signed(protocol: SheetPair, white: str, black: str) -> SheetPair:
    for side, result in zip(Side, (white, black), strict=True):
        ended = protocol.sheet(side).finish().write_result(result)
        protocol = protocol.with_sheet(ended.sign(Side.WHITE).sign(Side.BLACK))
    return protocol


def refusal(found: pytest.ExceptionInfo[SheetError]) -> tuple[str, str]:
    assert str(found.value) == f"{found.value.reason} ({found.value.clause})"
    return found.value.reason, found.value.clause


# --- the clauses


def test_the_moves_of_both_are_written_as_he_writes_them() -> None:
    """WNG-TK §VIII: each player records both players' moves; a sheet keeps the text, right or wrong."""
    assert sheet("76(10)", "55 (10)", "nonsense").entries == ("76(10)", "55 (10)", "nonsense")


def test_a_sheet_is_a_value() -> None:
    before = sheet("76(10)")
    after = before.write("55(10)")
    assert len(before.entries) == 1
    assert len(after.entries) == 2
    assert hash(after) == hash(sheet("76(10)", "55(10)"))


def test_an_offer_is_marked_on_the_last_move_by_both() -> None:
    """WNG-TK §X: every offer gets `=` on the records of both players."""
    mine, his = sheet("76(10)").mark("="), sheet("76(10)", owner=Side.BLACK).mark("=")
    assert mine.entries == his.entries == ("76(10)=",)


def test_a_mark_stands_once() -> None:
    with pytest.raises(SheetError) as found:
        sheet("76(10)=").mark("=")
    assert refusal(found) == ("entry 1 is marked with = already", "WNG-TK §X")


def test_a_tuz_is_marked_x_and_a_cyrillic_one_is_the_same_sign() -> None:
    """WNG-TK §IV: in the protocol the sign of the tuz is the letter X."""
    assert sheet("77").mark("X").entries == ("77X",)
    with pytest.raises(SheetError) as found:
        sheet("77х").mark("X")
    assert refusal(found)[1] == "WNG-TK §IV"


def test_an_offer_is_marked_by_a_player_who_no_longer_writes_moves() -> None:
    exempt = sheet("76").exempt(200_000, 3_400_000).skip().mark("=")
    assert exempt.entries == ("76", "=")
    assert exempt.missing(2) == ()


@pytest.mark.parametrize("sign", ["+", "", "==", "x"])
def test_other_signs_are_refused(sign: str) -> None:
    with pytest.raises(SheetError):
        sheet("76").mark(sign)


def test_less_than_five_minutes_and_not_five_exempt() -> None:
    """WNG-TK §VIII: less than 5 minutes; 5:00.000 is not less."""
    with pytest.raises(SheetError) as found:
        sheet("76").exempt(300_000, 0)
    assert refusal(found) == (
        "the player has 5 min 0 s left and must write until less than 5 minutes are",
        "WNG-TK §VIII",
    )
    exempt = sheet("76").exempt(299_999, 3_300_001)
    assert exempt.exemption is not None
    assert (exempt.exemption.turn, exempt.exemption.at_ms, exempt.exemption.remaining_ms) == (2, 3_300_001, 299_999)


def test_the_exemption_counts_from_then_on() -> None:
    exempt = sheet("76", "55").exempt(120_000, 9).exempt(60_000, 10)
    assert exempt.exemption is not None
    assert exempt.exemption.at_ms == 9
    assert exempt.missing(40) == ()
    assert sheet("76", "55").missing(4) == (3, 4)


def test_what_was_owed_before_the_exemption_stays_owed() -> None:
    late = sheet("76").exempt(120_000, 9, turn=4)
    assert late.missing(40) == (2, 3)


def test_gaps_are_missing_and_filling_them_after_the_end_does_not_help() -> None:
    """WNG-TK §VIII: records "not done before the end of the game" are warned for."""
    gaps = sheet("76").skip().write("33")
    assert gaps.missing(4) == (2, 4)
    filled = gaps.finish().rewrite(2, "55(10)").rewrite(4, "77X")
    assert filled.entries == ("76", "55(10)", "33", "77X")
    assert filled.missing(4) == (2, 4)


def test_rewriting_waits_for_the_end() -> None:
    with pytest.raises(SheetError) as found:
        sheet("76").rewrite(1, "75")
    assert refusal(found) == (
        "moves may be copied or filled in only when the game has ended",
        "WNG-TK §VIII",
    )


def test_after_the_end_nothing_is_written_but_by_rewriting() -> None:
    ended = sheet("76").finish()
    acts: list[Callable[[], Sheet]] = [
        lambda: ended.write("55"),
        ended.skip,
        lambda: ended.mark("="),
        lambda: ended.exempt(1, 1),
        lambda: ended.take_back(0),
    ]
    for act in acts:
        with pytest.raises(SheetError, match="the game has ended"):
            act()


def test_the_referee_sets_the_game_back() -> None:
    """WNG-TK §VI: a mistake proved during the game is put right; the sheet loses what came after it."""
    back = sheet("76", "55", "33").exempt(100, 5).take_back(1)
    assert back.entries == ("76",)
    assert back.missing(9) == ()
    with pytest.raises(SheetError, match="cannot be set back to 4"):
        sheet("76").take_back(4)


def test_result_then_signature() -> None:
    """WNG-TK §II: the players record the result and sign it."""
    with pytest.raises(SheetError, match="when the game has ended"):
        sheet().write_result(WON)
    with pytest.raises(SheetError, match="when the game has ended"):
        sheet().sign(Side.WHITE)
    ended = sheet().finish()
    with pytest.raises(SheetError, match="write the result first"):
        ended.sign(Side.WHITE)
    with pytest.raises(SheetError, match=r"\(WNG-TK §IX\)"):
        ended.write_result("White won")
    with pytest.raises(SheetError, match=r"\(WNG-TK §IX\)"):
        ended.write_result("*")
    done = ended.write_result(WON).sign(Side.WHITE)
    assert not done.signed
    with pytest.raises(SheetError, match="has signed this sheet already"):
        done.sign(Side.WHITE)
    assert done.sign(Side.BLACK).signed


def test_a_new_result_voids_the_signature_under_the_old_one() -> None:
    changed = sheet().finish().write_result(WON).sign(Side.WHITE).write_result("0 (60) - 1 (82)")
    assert changed.signatures == frozenset()


def test_a_signed_sheet_stands() -> None:
    """WNG-TK §VI: with result and signatures in the protocol nothing is changed any more."""
    done = sheet("76").finish().write_result(WON).sign(Side.WHITE).sign(Side.BLACK)
    with pytest.raises(SheetError, match=r"\(WNG-TK §VI\)"):
        done.rewrite(1, "75")
    with pytest.raises(SheetError, match=r"\(WNG-TK §VI\)"):
        done.write_result(DRAWN)


# --- the protocol


def test_a_protocol_is_accepted_when_both_agree_and_both_signed() -> None:
    protocol = signed(SheetPair.of(TOGUZ_KORGOOL), WON, "1(82)-0(60)")
    assert protocol.open_points() == ()
    assert protocol.accept() == WON


def test_everything_open_is_named() -> None:
    points = SheetPair.of(TOGUZ_KORGOOL).open_points()
    assert len(points) == 8  # on each sheet: not over, no result, two signatures
    assert {point.clause for point in points} == {"WNG-TK §II"}


def test_results_that_differ_are_refused_also_by_one_korgool() -> None:
    protocol = signed(SheetPair.of(TOGUZ_KORGOOL), WON, "1 (83) - 0 (60)")
    with pytest.raises(SheetError) as found:
        protocol.accept()
    assert refusal(found) == (
        "the sheets give different results: White's 1 (82) - 0 (60), Black's 1 (83) - 0 (60)",
        "WNG-TK §IX",
    )


def test_a_drawn_protocol_needs_both_players() -> None:
    """WNG-TK §X; a won one does not."""
    drawn = signed(SheetPair.of(TOGUZ_KORGOOL), DRAWN, DRAWN)
    assert drawn.accept([Side.WHITE, Side.BLACK]) == DRAWN
    with pytest.raises(SheetError) as found:
        drawn.accept([Side.WHITE])
    assert refusal(found) == ("the game is drawn and Black is not present", "WNG-TK §X")
    assert signed(SheetPair.of(TOGUZ_KORGOOL), WON, WON).accept([]) == WON


def test_sheets_of_different_games_make_no_pair() -> None:
    with pytest.raises(ValueError, match="same game and set"):
        SheetPair(Sheet.of(Side.WHITE, MANGALA), Sheet.of(Side.BLACK, MANGALA_CASTLE))
    with pytest.raises(ValueError, match="in this order"):
        SheetPair(Sheet.of(Side.BLACK, MANGALA), Sheet.of(Side.WHITE, MANGALA))


# --- turns and sets of mangala


def test_the_plies_of_a_turn_stand_in_one_entry() -> None:
    """WNG-M §III.1: a last stone in the own store gives another turn; 4 and then 1 by White, then Black."""
    game = Game(MANGALA, [4, 1, 2])
    assert [format_turn(turn) for turn in turns(game)] == ["40,14", "25"]


def test_a_castle_is_marked_x() -> None:
    """WNG-M §IV, in the sign of WNG-TK §IV."""
    game = Game(MANGALA_CASTLE, [4, 4, 1, 3, 5])
    assert format_turn(turns(game)[-1]).endswith("X")
    assert turns(game)[-1][-1].tuz is not None


def test_sets_alternate_sides_and_each_has_its_sheet() -> None:
    booklet = Booklet(0, Match(MANGALA, 3))
    with pytest.raises(SheetError, match="no set has begun"):
        _ = booklet.sheet
    owners = []
    for number in (1, 2, 3):
        booklet = booklet.begin()
        owners.append(booklet.sheet.owner)
        assert booklet.sheet.number == number
        with pytest.raises(SheetError, match=f"set {number} is not signed"):
            booklet.begin()
        done = booklet.sheet.write("40,14").finish().write_result("1 (30) - 0 (18)")
        booklet = booklet.with_sheet(done.sign(Side.WHITE).sign(Side.BLACK))
    assert owners == [Side.WHITE, Side.BLACK, Side.WHITE]
    with pytest.raises(SheetError, match="the match has 3 sets"):
        booklet.begin()
    with pytest.raises(SheetError, match="the sheet is of set 1"):
        booklet.with_sheet(booklet.sheets[0])


# --- properties

ACTS = st.one_of(
    st.tuples(st.just("write"), st.text(max_size=220)),
    st.tuples(st.just("skip")),
    st.tuples(st.just("mark"), st.sampled_from(["=", "X", "?"]), st.none() | st.integers(-1, 6)),
    st.tuples(st.just("exempt"), st.integers(-5, 400_000), st.integers(0, 10**9)),
    st.tuples(st.just("take_back"), st.integers(-1, 5)),
    st.tuples(st.just("finish")),
    st.tuples(st.just("rewrite"), st.integers(-1, 12_000), st.text(max_size=9)),
    st.tuples(st.just("write_result"), st.sampled_from([WON, DRAWN, "1-0", "*", "", "1 (82) - 0 (60) "]) | st.text()),
    st.tuples(st.just("sign"), st.sampled_from(list(Side))),
)


@given(st.sampled_from(list(GAMES.values())), st.lists(ACTS, max_size=25))
def test_any_order_of_acts_is_done_or_refused_with_a_clause(rules: Rules, acts: list[tuple[Any, ...]]) -> None:
    now = Sheet.of(Side.BLACK, rules)
    for name, *arguments in acts:
        before = now
        try:
            now = getattr(now, name)(*arguments)
        except SheetError as error:
            assert error.clause.startswith(("WNG-TK §", "WNG-M §"))
            assert error.reason
            assert now is before
            continue
        if before.signed:
            assert now == before or name == "finish"
        if before.finished:
            assert now.finished
            assert len(now.entries) >= len(before.entries)
        else:
            assert not now.signatures
            assert now.result is None
            assert not now.filled
        if before.exemption is not None and name != "take_back":
            assert now.exemption == before.exemption
        total = len(now.entries) + 3
        missing = now.missing(total)
        assert set(missing) <= set(range(1, total + 1))
        if now.exemption is not None:
            assert all(turn < now.exemption.turn for turn in missing)


END = st.sampled_from([None, WON, DRAWN, "1-0", "0 (60) - 1 (82)"])


@given(
    END,
    END,
    st.lists(st.tuples(st.sampled_from(list(Side)), st.sampled_from(list(Side)))),
    st.sets(st.sampled_from(Side)),
)
def test_a_protocol_is_accepted_exactly_when_nothing_is_open(
    white: str | None, black: str | None, signatures: list[tuple[Side, Side]], present: set[Side]
) -> None:
    pair = SheetPair.of(TOGUZ_KORGOOL)
    for side, result in ((Side.WHITE, white), (Side.BLACK, black)):
        if result is not None:
            pair = pair.with_sheet(pair.sheet(side).finish().write_result(result))
    for owner, signer in signatures:
        if pair.sheet(owner).result is not None and signer not in pair.sheet(owner).signatures:
            pair = pair.with_sheet(pair.sheet(owner).sign(signer))
    whole = all(pair.sheet(side).signed for side in Side) and white == black
    expected = whole and (white != DRAWN or present == set(Side))
    points = pair.open_points(present)
    assert (not points) == expected
    if expected:
        assert pair.accept(present) == white
    else:
        with pytest.raises(SheetError) as found:
            pair.accept(present)
        assert found.value.args == points[0].args

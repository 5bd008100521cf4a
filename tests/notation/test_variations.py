"""Records as trees: lines beside the game, read, kept, written again, and refused where they do not fit."""

from __future__ import annotations

import io
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool import MANGALA, TOGUZ_KORGOOL, Game
from korgool.notation import Record, Variation, movetext, parse_records, read_records, write_record
from korgool.notation.variation import MOST_DEPTH, count_variations
from tests.notation.records import records

TREE = """[Event "a tree"]
[Result "*"]

1. 76! $14 {main} (1. 54(10) {first}
  (1. 43 54 {within $9} 2. 99) 1... 65 $3) (1. 98) 55 (1... 44= (1... 76) 2. 54)
2. 33 *
"""


def one(text: str) -> Record:
    (record,) = parse_records(text)
    return record


def test_a_tree_is_read_into_lines_that_name_the_plies_they_replace() -> None:
    record = one(TREE)
    assert record.error is None
    assert record.moves == (7, 5, 3)
    assert record.glyphs == ((1, 1), (1, 14))
    assert record.comments == ((1, "main"),)
    first, second, third = record.variations
    assert (first.ply, first.moves, first.comments, first.glyphs) == (1, (5, 6), ((1, "first"),), ((2, 3),))
    assert first.variations == (Variation(1, (4, 5, 9), ((2, "within $9"),)),)
    assert second == Variation(1, (9,))
    assert (third.ply, third.moves, third.offers) == (2, (4, 5), (2,))
    assert third.variations == (Variation(2, (7,)),)
    assert count_variations(record.variations) == 5


def test_it_is_written_with_numbers_wherever_a_reader_needs_them() -> None:
    text = write_record(one(TREE)).splitlines()[-2]
    assert text == (
        "1. 76(10) $1 $14 {main} (1. 54(10) {first} (1. 43(10) 54(2) {within $9} 2. 99) 1... 65(2) $3) (1. 98(10)) "
        "1... 55(10) (1... 44(10)= (1... 76(10)) 2. 54(12)) 2. 33 *"
    )
    assert one(write_record(one(TREE))) == one(TREE)


@pytest.mark.parametrize(
    ("text", "comments", "after"),
    [
        ("1. 76 {main} (1. 54) {after} 1... 55", ((1, "main"),), [("after",)]),
        ("1. 76 (1. 54) {a} {b} (1. 98) (1. 43) {c} 1... 55", (), [("a", "b"), (), ("c",)]),
        ("1. 76 (1. 54) 1... {before Black} 55", (), [("before Black",)]),
        ("1. 76 55 (1... 44) 1-0 {at the end}", (), [("at the end",)]),
        ("1. 76 55 (1... 44) ; to the end of the line\n2. 33", (), [("to the end of the line",)]),
        ("{first} 1. 76 (1. 54) {after} 1... 55 {next}", ((0, "first"), (2, "next")), [("after",)]),
    ],
)
def test_a_comment_after_a_variation_stays_after_it(
    text: str, comments: tuple[tuple[int, str], ...], after: list[tuple[str, ...]]
) -> None:
    record = one(text)
    assert record.error is None
    assert record.comments == comments
    assert [variation.after for variation in record.variations] == after
    written = write_record(record)
    assert one(written) == record
    assert write_record(one(written)) == written


def test_so_it_does_within_other_variations() -> None:
    inner = "(1. 43(10)) {in} 1... 65(2) {own} (1... 98 (1... 33(10)) {deep}) {a} {b}"
    text = f"1. 76(10) (1. 54(10) {inner}) {{out}} 1... 55(10) *"
    record = one(text)
    assert (record.error, record.comments) == (None, ())
    (outer,) = record.variations
    assert (outer.after, outer.comments) == (("out",), ((2, "own"),))
    assert [line.after for line in outer.variations] == [("in",), ("a", "b")]
    assert outer.variations[1].variations[0].after == ("deep",)
    assert write_record(record).splitlines()[-2] == text
    assert one(text.replace("{deep}", "{deeper}")) != record


def test_a_brace_in_a_comment_after_a_variation_is_refused() -> None:
    with pytest.raises(ValueError, match="the comment at ply 1 holds a closing brace"):
        write_record(Record.of(Game(TOGUZ_KORGOOL, [7]), variations=[Variation(1, (5,), after=("a } b",))]))


def test_the_other_dialects_keep_the_game_alone() -> None:
    record = one(TREE)
    for dialect in ("tgk", "coordinates", "bare"):
        again = one(write_record(record, dialect))
        assert (again.moves, again.variations, again.glyphs, again.error) == ((7, 5, 3), (), (), None)


def test_a_variation_may_begin_within_a_turn_of_mangala() -> None:
    (record,) = parse_records("1. 40, (1. 14) 14 (1. 25) 25", MANGALA)
    assert (record.error, record.moves) == (None, (4, 1, 2))
    assert record.variations == (Variation(1, (1,)), Variation(2, (2,)))
    (again,) = parse_records(write_record(record))
    assert again == record


@pytest.mark.parametrize(
    ("text", "moves", "reason"),
    [
        ("1. (1. 76) 76", (), "a variation stands where no ply went before"),
        ("1. 76 ((1. 54)) 55", (7,), "ply 1: a variation stands where no ply went before"),
        ("1. 76 (1. 54", (7,), "a variation of ply 1 is opened and never closed"),
        ("1. 76 (1. 54 {what) 55", (7,), "a comment is opened and never closed"),
        ("1. 76 ) 55", (7,), "a variation is closed that was not opened"),
        ("1. 76(10)) 55", (7,), "a variation is closed that was not opened"),
        ("1. 76 () 55", (7,), "the variation has no moves"),
        ("1. 76 ({only words}) 55", (7,), "the variation has no moves"),
        ("1. 76 (1. 54 12) 55", (7,), "in a variation of ply 1, ply 2: '12' does not fit"),
        (
            "1. 76 55 (1... 44 2. 54 3. 11) 2. 33",
            (7, 5),
            "in a variation of ply 2, ply 4: move number 3 stands where 2",
        ),
        ("1. 76 (1. 5$4 99) 55", (7,), "in a variation of ply 1, ply 2: '99' does not fit"),
        ("1. 76 (1. 54 1-0 ) 55", (7,), "the result 1-0 stands within a variation"),
        ("1. 76 (1. 30,) 55", (7,), "in a variation of ply 1, ply 1: '30' does not fit"),
        ("1. 76 1-0 (1. 54)", (7,), "a variation follows the result 1-0"),
        ("1. 76 $1000 55", (7,), "'$' is not a mark"),
        ("1. 76 $ 55", (7,), "'$' is not a mark"),
        ("1. 76 (,54) 55", (7,), "a comma stands where no ply"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(text: str, moves: tuple[int, ...], reason: str) -> None:
    for before in ("", "1. 98 *\n\n"):
        record = parse_records(before + text + '\n\n[Event "next"]\n\n1. 76 *')[bool(before)]
        assert record.error is not None
        assert reason in record.error.reason
        assert (record.moves, record.error.ply) == (moves, len(moves) + 1)
        assert record.error.line == 1 + before.count("\n")
        assert parse_records(before + text + '\n\n[Event "next"]\n\n1. 76 *')[-1].moves == (7,)


def test_offers_and_numbers_without_their_ply() -> None:
    record = one("1. 76 (1. 54 1... = ) 55 *")
    assert (record.error, record.variations) == (None, (Variation(1, (5,), ((1, "="),)),))
    record = one("1. 76 1-0 2.")
    assert record.error is not None
    assert record.error.reason == "move number 2 follows the result"


def test_a_variation_of_mangala_may_not_end_within_a_turn() -> None:
    (record,) = parse_records("1. 40,14 (1. 25 (1. 40, )) 25", MANGALA)
    assert record.error is not None
    assert "in a variation of ply 2, ply 2: '40' does not fit" in record.error.reason
    (record,) = parse_records("1. 40 (1. 40, )", MANGALA)
    assert record.error is not None
    assert record.error.reason == "in a variation of ply 1, ply 2: the variation stops after a comma, within a turn"


@pytest.mark.parametrize("inner", ["(", "(1. 76 "])
def test_ten_thousand_parentheses_are_refused_in_time(inner: str) -> None:
    record = one("1. 76 " + inner * 10_000 + ")" * 10_000)
    assert record.error is not None
    assert "in a variation" in record.error.reason
    deepest = "1. 76 " + "(1. 76 " * MOST_DEPTH + ")" * MOST_DEPTH
    assert one(deepest).error is None
    assert one(write_record(one(deepest))) == one(deepest)
    record = one(deepest.replace("1. 76 ", "1. 76 (1. 76 ", 1) + ")")
    assert record.error is not None
    assert f"more than {MOST_DEPTH} deep" in record.error.reason


def test_the_plies_of_all_variations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is lowered, which leaves less to read."""
    assert movetext.MOST_VARIED >= 10_000
    monkeypatch.setattr(movetext, "MOST_VARIED", 1_000)
    assert one("1. 76 " + "(1. 76) " * 1_000).error is None
    record = one("1. 76 " + "(1. 76) " * 1_001)
    assert record.error is not None
    assert "the variations have more than" in record.error.reason


def test_a_tree_put_together_by_hand_is_checked() -> None:
    game = Game(TOGUZ_KORGOOL, [7, 5])
    good = Variation(2, (4, 5), variations=(Variation(3, (1,)),))
    assert Record.of(game, variations=[good]).variations == (good,)
    with pytest.raises(ValueError, match="a variation at ply 2, ply 2: hole 6 of Black cannot be sown, it is empty"):
        Record.of(game, variations=[Variation(2, (6, 1))])
    with pytest.raises(ValueError, match="a variation at ply 3, ply 4: there is no hole 10"):
        Record.of(game, variations=[Variation(2, (4, 5), variations=(Variation(3, (1, 10)),))])
    with pytest.raises(ValueError, match="the game has 2 plies"):
        Record.of(game, variations=[Variation(3, (1,))])
    with pytest.raises(ValueError, match="the line has the plies 3 to 3"):
        Variation(3, (1,), variations=(Variation(4, (1,)),))
    with pytest.raises(ValueError, match="the line has the plies 3 to 3"):
        Variation(3, (1,), comments=((4, "late"),))
    with pytest.raises(ValueError, match="has moves"):
        Variation(1, ())
    deep = Variation(1, (7,))
    for _ in range(MOST_DEPTH - 1):
        deep = Variation(1, (7,), variations=(deep,))
    with pytest.raises(ValueError, match="deep"):
        Variation(1, (7,), variations=(deep,))


@settings(max_examples=60, deadline=None)
@given(records(), st.integers(0, 2**32))
def test_damaged_trees_never_crash(record: Record, seed: int) -> None:
    chance, text = Random(seed), list(write_record(record))
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(text))
        text[place : place + chance.randrange(3)] = chance.choice(["(", ")", "((", "$", "{", "}", "1.", "7", " ", "\n"])
    for found in read_records(io.StringIO("".join(text))):
        if found.error is None and found.moves:
            assert one(write_record(found)).variations == found.variations

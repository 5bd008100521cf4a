"""Moves in field notation and in coordinates, and the checksums they carry."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool import BESTEMSHE, GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Game, Position, Rules, Side
from korgool.notation import (
    NotationError,
    format_coordinates,
    format_move,
    format_movetext,
    format_place,
    parse_coordinates,
    parse_move,
    parse_movetext,
)
from tests.rules.positions import games, positions

START = TOGUZ_KORGOOL.start()
TUZ = Position.parse("9S,9S,2S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,8S 4 4 S 1")
"""White's hole 9 with 8 stones ends in Black's hole 7, which holds 2."""


@pytest.mark.parametrize("text", ["7", "76", "76(10)", "7(10)", "76=", "76(10)=", "76=(10)", "7=", "76!", "76(10)=!?"])
def test_every_way_to_write_a_capture(text: str) -> None:
    move = parse_move(text, START)
    assert move.hole == 7
    assert move.sowing.after.stores == (10, 0)
    assert move.offer == ("=" in text)


@pytest.mark.parametrize("text", ["97", "9", "97X", "97x", "97х", "97Х", "9x", "9X", "97X(7)", "97(7)x", "97X="])
def test_every_way_to_write_a_tuz(text: str) -> None:
    sowing = parse_move(text, TUZ).sowing
    assert sowing.tuz == 7
    assert format_move(sowing) == "97X"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("75", "ends in Black's hole 6, which is written 76(10)"),
        ("76(11)", "White's store holds 10"),
        ("76x", "marks a tuz, but the move makes none, it captures 10"),
        ("1х", "marks a tuz, but the move makes none, it captures nothing"),
        ("76(10)(10)", "twice"),
        ("76==", "twice"),
        ("70", "ends in Black's hole 6"),
        ("0", "there is no hole 0"),
        ("06", "there is no hole 0"),
        ("", "is not a move"),
        ("x", "is not a move"),
        ("f1e2", "is not a move"),
        ("765", "is not a move"),
        ("76(", "is not a move"),
        ("76()", "is not a move"),
        ("7 6", "is not a move"),
        ("７６", "is not a move"),
        ("7" * 1_000_000, "is not a move"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_move(text, START)
    assert reason in str(refused.value)
    assert len(str(refused.value)) < 200


def test_a_mark_of_some_programs_for_a_capture_is_no_tuz() -> None:
    """In one program `7x` means a capture (INTERFACES.md, records); replay tells, and such a game is refused."""
    with pytest.raises(NotationError, match="a capture is written with the store"):
        parse_move("7x", START)


def test_an_unmarked_tuz_is_refused_where_the_mark_is_due() -> None:
    assert parse_move("97", TUZ).sowing.tuz == 7
    with pytest.raises(NotationError, match="must be marked: 97x"):
        parse_move("97", TUZ, tuz_marked=True)


def test_an_illegal_move_is_quoted_with_its_reason() -> None:
    position = START.play(1).play(1)
    with pytest.raises(NotationError, match=r"'99' cannot be played: .*empty"):
        parse_move("99", Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,1 9 0 S 1"))
    assert parse_move("1", position).hole == 1


def test_mangala_lands_in_the_own_store_as_0() -> None:
    """The example `1. 30,14 25(6)` of INTERFACES.md, from a position where it is right."""
    start = Position.parse("5S,1,4S,4S,4S,4S/4S,2S,5S,4S,4S,4S 2 2 S 1", MANGALA)
    text = parse_movetext("1. 30,14 25(6)", start)
    assert text.moves == [3, 1, 2]
    assert format_movetext((start, text.moves)) == "1. 30,14 25(6)"


def test_the_plies_of_a_turn_are_joined_by_a_comma() -> None:
    game = Game(MANGALA, [4, 3, 6])
    assert format_movetext(game) == "1. 40,36 62"
    assert format_movetext(game, numbered=False, comments=[(1, "on")]) == "40, {on} 36 62"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. 76,55", "a comma joins '55'"),
        ("1. 76(11)", "ply 1: '76\\(11\\)' does not fit"),
        ("1. 76 2. 55", "ply 2: move number 2 stands where 1 is due"),
        ("1. 76 1. 55", "before Black's ply, which would be 1..."),
        ("1... 76", "before White's ply, which would be 1."),
        ("2. 76 55", "move number 2 stands where 1 is due"),
        ("1. 76 d2e1", "is coordinates, but the moves before are field notation"),
        ("f1e2 65", "is field notation, but the moves before are coordinates"),
        ("1. 76 {never closed", "never closed"),
        ("1. 76 }", "not opened"),
        ("1. 76 1-0 55", "follows the result 1-0"),
        ("1. 76 1-0 0-1", "a second result"),
        ("76,", "stops after a comma"),
        (",76", "no ply of the same turn"),
        ("76 (11)", "store holds 10"),
        ("(1. 76)", "no ply went before that it could replace"),
    ],
)
def test_running_text_that_does_not_fit(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_movetext(text, START)


def test_running_text_in_all_its_freedom() -> None:
    text = """{before} 1.76 (10) 1... 55 = ; to the end of the line
% not read
2.33!? $7 {two
lines} 7 1 (20) - 0 (11) {zero}"""
    read = parse_movetext(text, START)
    assert read.moves == [7, 5, 3, 7]
    assert read.offers == [2]
    assert read.comments == [
        (0, "before"),
        (2, "to the end of the line"),
        (3, "two lines"),
    ]
    assert read.main.glyphs == [(3, 5), (3, 7)]
    assert (read.result, read.stores, read.zero) == ("1-0", (20, 11), True)


def test_a_turn_of_mangala_needs_its_comma_where_moves_are_numbered() -> None:
    start = Position.parse("5S,1,4S,4S,4S,4S/4S,2S,5S,4S,4S,4S 2 2 S 1", MANGALA)
    assert parse_movetext("30 14 25", start).moves == [3, 1, 2]
    assert parse_movetext("1. 30, {a comment} 14 25", start).moves == [3, 1, 2]
    with pytest.raises(NotationError, match="ply 2: '14' belongs to the turn"):
        parse_movetext("1. 30 14 25", start)


def test_numbers_from_a_set_up_position() -> None:
    black = Position.parse("9S,9S,9S,1,10S,10S,10S,10S,10S/9S,9S,9S,9S,9S,9S,1S,10S,10S 10 0 N 12")
    for text in ("12... 55 13. 33", "1... 55 2. 33", "1. ... 55"):
        assert parse_movetext(text.replace("1. ...", "12..."), black).moves[0] == 5
    with pytest.raises(NotationError, match="where 13 is due"):
        parse_movetext("12... 55 2. 33", black)


def test_the_coordinates_of_the_example() -> None:
    """`f1e2` is `65` by South (INTERFACES.md, moves)."""
    sowing = parse_coordinates("f1e2", START).sowing
    assert (sowing.hole, format_coordinates(sowing), format_move(sowing)) == (6, "f1e2", "65(10)")
    assert format_place(Side.BLACK, 1, 9) == "i2"
    assert format_place(Side.WHITE, 9, 9) == "i1"
    assert format_place(Side.BLACK, 5, 5) == "a2"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e2f1", "starts on rank 2, but White is to move"),
        ("f1d2", "the move ends as f1e2"),
        ("f1", "is not a move in coordinates"),
        ("f10", "the move ends as f1e2"),
        ("j1a2", "is not a move in coordinates"),
        ("f3e2", "is not a move in coordinates"),
    ],
)
def test_coordinates_that_do_not_fit(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_coordinates(text, START)


def test_coordinates_of_smaller_boards() -> None:
    with pytest.raises(NotationError, match="the files end with f"):
        parse_coordinates("g1f2", MANGALA.start())
    assert format_coordinates(MANGALA.start().sow(4)) == "d10"
    position = MANGALA.start()
    assert format_coordinates(position.play(1).sow(1)) == "f2c2"


@settings(deadline=None)
@given(positions())
def test_every_move_of_any_position_reads_back(position: Position) -> None:
    for number in position.legal_moves():
        sowing = position.sow(number)
        for offer in (False, True):
            move = parse_move(format_move(sowing, offer=offer), position, tuz_marked=True)
            assert (move.sowing, move.offer) == (sowing, offer)
        assert parse_coordinates(format_coordinates(sowing), position).sowing == sowing
        wrong = {f"{number}{digit}" for digit in range(10)} - {format_move(sowing)[:2]}
        for text in wrong:
            with pytest.raises(NotationError):
                parse_move(text, position)


@settings(deadline=None)
@given(games(), st.booleans())
def test_running_text_of_any_game_reads_back(game: Game, numbered: bool) -> None:
    text = format_movetext(game, numbered=numbered)
    read = parse_movetext(text, game.start)
    assert read.moves == list(game.moves)
    assert read.position == game.position


@settings(deadline=None)
@given(st.text("0123456789Xx х()=.,{};*-!?$abcf \n%½/…", max_size=60), st.sampled_from(list(GAMES.values())))
def test_any_text_is_read_or_refused(text: str, rules: Rules) -> None:
    try:
        read = parse_movetext(text, rules.start())
    except NotationError as error:
        assert str(error).startswith("ply ")
    else:
        assert Game(rules, read.moves).position == read.position


@settings(deadline=None)
@given(st.text(max_size=20), st.sampled_from([TOGUZ_KORGOOL, BESTEMSHE, MANGALA, MANGALA_CASTLE]))
def test_any_word_is_a_move_or_refused(text: str, rules: Rules) -> None:
    for parse in (parse_move, parse_coordinates):
        try:
            move = parse(text, rules.start())
        except NotationError:
            continue
        assert move.hole in rules.start().legal_moves()

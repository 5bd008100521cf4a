"""Positions as values and as text."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool import (
    BESTEMSHE,
    GAMES,
    MANGALA,
    MANGALA_CASTLE,
    TOGUZ_KORGOOL,
    MoveError,
    Position,
    PositionError,
    Rules,
    Setup,
    Side,
)
from korgool.rules import Problem, ProblemKind
from tests.rules.positions import positions

START = "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"


def test_start_reads_and_writes_as_documented() -> None:
    assert str(TOGUZ_KORGOOL.start()) == START
    assert Position.parse(START) == TOGUZ_KORGOOL.start()
    assert str(BESTEMSHE.start()) == "5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1"


def test_north_row_stands_from_its_last_hole_to_its_first() -> None:
    position = Position.parse("13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4")
    assert position.holes[Side.BLACK] == (12, 12, 0, 1, 2, 3, 12, 2, 13)
    assert position.holes[Side.WHITE] == (12, 2, 13, 13, 0, 3, 12, 12, 1)
    assert position.tuz == (None, 5)
    assert position.fullmove == 4


def test_capital_t_and_runs_of_empty_holes_are_read_and_small_t_is_written() -> None:
    text = "2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 S 16"
    position = Position.parse(text)
    assert position.tuz == (7, 4)
    assert str(position) == text.replace("T", "t")
    assert Position.parse(text.replace("2,T", "1,1,T", 1)) == position


def test_texts_in_real_use_are_read(shared: Path) -> None:
    for entry in json.loads((shared / "data/playstrategy_fens.json").read_text()):
        position = Position.parse(entry["fen"], lenient=True)
        assert Position.parse(str(position), lenient=True) == position


@given(positions())
def test_text_reads_back_equal(position: Position) -> None:
    read = Position.parse(str(position), position.rules)
    assert read == position
    assert read.fullmove == position.fullmove


@given(positions())
def test_positions_survive_pickling_and_repr(position: Position) -> None:
    assert pickle.loads(pickle.dumps(position)) == position
    names = {
        "Position": Position,
        "TOGUZ_KORGOOL": TOGUZ_KORGOOL,
        "MANGALA": MANGALA,
        "MANGALA_CASTLE": MANGALA_CASTLE,
        "BESTEMSHE": BESTEMSHE,
    }
    assert eval(repr(position), names) == position


def test_positions_are_frozen_and_hashable() -> None:
    start = TOGUZ_KORGOOL.start()
    with pytest.raises(FrozenInstanceError):
        start.stores = (1, 2)  # type: ignore[misc]
    assert len({start, TOGUZ_KORGOOL.start(), MANGALA.start()}) == 2


def test_equality_ignores_the_move_number_and_nothing_else() -> None:
    assert Position.parse(START) == Position.parse(START[:-1] + "7")
    assert Position.parse(START) != Position.parse(START.replace("S 1", "N 1"))


def test_six_holes_mean_mangala_and_a_tuz_the_castle_rule() -> None:
    assert Position.parse(str(MANGALA.start())).rules == MANGALA
    assert Position.parse("4S,4S,4S,4S,t,4S/4S,4S,4S,4S,4S,4S 4 0 S 2").rules == MANGALA_CASTLE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "five parts"),
        (START + " 4", "five parts"),
        (START.replace("/", " / "), "five parts"),
        (START.replace("/", ","), "two rows"),
        (START.replace("9S,", "9X,", 1), "part 1 of the north row is '9X'"),
        (START.replace("9S/9S,9S", "9S/9S,,9S"), "part 2 of the south row is ''"),
        (START.replace("9S,", "", 1), "Black has 8 holes instead of 9"),
        (START.replace(" 0 0 ", " 0 1 "), "163 stones instead of 162"),
        (START.replace(" 0 0 ", " 0 -1 "), "Black's store is '-1'"),
        (START.replace(" 0 0 ", " 0 ١ "), "Black's store is '١'"),
        (START.replace(" S ", " W "), "S or N"),
        (START[:-1] + "0", "counts from 1"),
        (START[:-1] + "x", "the move number is 'x'"),
        ("t,t,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 18 0 S 1", "north row has two tuz"),
        ("t,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 9 0 S 1", "White's tuz in hole 9: the last hole"),
        ("9S,9S,9S,9S,9S,9S,9S,9S,t/t,9S,9S,9S,9S,9S,9S,9S,9S 9 9 S 1", "tuz with the number 1"),
        ("9S,9S,9S,9S,9S,9S,9S,9S,9t/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1", "holds 9 stones, a tuz is always empty"),
        ("5S,5S,5S,5S,t/5S,5S,5S,5S,5S 5 0 S 1", "Bestemshe has no tuz"),
        ("4S,4S,4S/4S,4S,4S 0 0 S 1", "no game has 3 holes"),
        ("9" * 1000, "too long"),
        ("0,9S/9S 0 0 S 1", "stands for 0 empty holes"),
        ("10/9 81 81 S 60", "stands for 10 empty holes"),
        ("9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1\0", "the move number"),
    ],
)
def test_text_that_is_no_position_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as refusal:
        Position.parse(text)
    assert reason in str(refusal.value)


def test_every_reason_is_given() -> None:
    with pytest.raises(PositionError) as refusal:
        Position.parse("t,9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S 9 9 S 0", TOGUZ_KORGOOL)
    assert len(refusal.value.reasons) >= 4


def test_lenient_accepts_what_does_not_add_up_and_nothing_else() -> None:
    text = START.replace(" 0 0 ", " 3 0 ")
    assert Position.parse(text, lenient=True).stores == (3, 0)
    with pytest.raises(PositionError):
        Position.parse(text.replace(" S ", " Z "), lenient=True)
    with pytest.raises(PositionError, match="more than 255"):
        Position.parse(START.replace(" 0 0 ", " 99 0 "), lenient=True)


def test_a_setup_may_be_wrong_and_says_how() -> None:
    setup = Setup(TOGUZ_KORGOOL, ([9] * 9, [-1] + [9] * 8), (-2, 0), (10, 4))
    problems = "\n".join(map(str, setup.problems()))
    for reason in ("hole 1 holds -1", "store holds -2", "no such hole", "hole 4 holds 9", "150 stones"):
        assert reason in problems


@given(st.text(alphabet="0123456789StT,/ NS\0x", max_size=80), st.sampled_from([None, *GAMES.values()]), st.booleans())
def test_any_text_is_a_position_or_refused(text: str, rules: Rules | None, lenient: bool) -> None:
    try:
        position = Position.parse(text, rules, lenient=lenient)
    except PositionError as refusal:
        assert refusal.reasons
        assert all(refusal.reasons)
    else:
        assert Position.parse(str(position), position.rules, lenient=True) == position
        position.outcome()


@given(st.text())
def test_arbitrary_text_never_breaks_the_reader(text: str) -> None:
    with pytest.raises(PositionError):
        Position.parse(text)


@pytest.mark.parametrize("number", [0, 10, -1])
def test_holes_that_do_not_exist_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="numbered 1 to 9"):
        TOGUZ_KORGOOL.start().play(number)


def test_empty_holes_and_finished_games_are_refused_with_advice() -> None:
    after = TOGUZ_KORGOOL.start().play(7)
    with pytest.raises(ValueError, match=r"hole 6 of Black cannot be sown, it is empty; possible are 1, 2"):
        after.play(6)
    over = Position.parse("9/9S,8 90 63 N 9")
    with pytest.raises(ValueError, match=r"the game is over: 1 \(90\) - 0 \(63\), majority"):
        over.play(1)


def test_every_reason_is_a_kind_with_the_values_that_its_sentence_names() -> None:
    """What a page needs to say a reason in its own language."""
    setup = Setup(TOGUZ_KORGOOL, ([9] * 9, [-1] + [9] * 8), (-2, 0), (10, 4))
    kinds = {problem.kind: problem.values for problem in setup.problems()}
    assert kinds[ProblemKind.NEGATIVE_HOLE] == {"side": Side.BLACK, "hole": 1, "stones": -1}
    assert kinds[ProblemKind.STONES_SUM] == {"stones": 150, "total": 162}
    with pytest.raises(PositionError) as refusal:
        Position.parse(START.replace("9S,", "9X,", 1))
    assert refusal.value.problems == (Problem(ProblemKind.TEXT_CELL, {"part": 1, "side": Side.BLACK, "text": "9X"}),)
    after = TOGUZ_KORGOOL.start().play(7)
    with pytest.raises(MoveError) as wrong:
        after.sow(6)
    assert wrong.value.problem.kind is ProblemKind.HOLE_EMPTY
    assert wrong.value.problem.values == {"hole": 6, "side": Side.BLACK, "moves": (1, 2, 3, 4, 5, 7, 8, 9)}
    assert after.problem(6) == wrong.value.problem
    assert after.problem(7) is None


def test_the_kinds_of_moves_that_cannot_be_played() -> None:
    tuz = Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,t,9S,9S,9S,9S,9S,9S 0 9 S 2")
    over = Position.parse("9/9S,8 90 63 N 9")
    refused = [tuz.problem(3), tuz.problem(0), over.problem(1)]
    kinds = [problem.kind for problem in refused if problem]
    assert kinds == [ProblemKind.HOLE_TUZ, ProblemKind.NO_SUCH_HOLE, ProblemKind.GAME_OVER]


@pytest.mark.parametrize(
    "error",
    [
        PositionError([Problem(ProblemKind.TEXT_PARTS, {"count": 2})]),
        MoveError(Problem(ProblemKind.NO_SUCH_HOLE, {"hole": 10, "holes": 9})),
    ],
)
def test_refusals_survive_pickling(error: ValueError) -> None:
    """A pool of processes sends them so."""
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_setup_is_read_without_asking_whether_it_can_be_played() -> None:
    text = START.replace("9S,", "8S,", 1)
    setup = Setup.parse(text)
    assert (setup.rules, setup.holes[Side.BLACK][8], setup.to_move) == (TOGUZ_KORGOOL, 8, Side.WHITE)
    with pytest.raises(PositionError, match="161 stones instead of 162"):
        setup.position()
    assert str(setup.position(lenient=True)) == text
    assert Setup.parse(START, BESTEMSHE).rules == BESTEMSHE
    with pytest.raises(PositionError, match="five parts"):
        Setup.parse("here")

"""Scoresheets that phones keep: what the rules write, who confirms, what is taken back."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.competition.board_sheet import BoardSheet, SheetConflictError, SheetEntry, SheetLine, SheetRefusalError
from korgool.competition.model import Settings
from korgool.competition.result_entry import read_entry
from korgool.conduct.comparison import compare_with_game
from korgool.conduct.scoresheet import Sheet
from korgool.notation import parse_records
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Game, Rules, Side


class Pen:
    """A device that writes to a sheet."""

    def __init__(self, sheet: BoardSheet, by: str = "white", device: str = "a") -> None:
        self.sheet, self.by, self.device, self.number = sheet, by, device, 0
        self.lines: list[SheetLine] = []

    def write(self, do: str, device: str = "", by: str = "", **members: object) -> BoardSheet:
        self.number += 1
        entry = SheetEntry(f"{device}{self.number}", do, **members)  # type: ignore[arg-type]
        line = SheetLine(self.number, by or self.by, device or self.device, entry)  # type: ignore[arg-type]
        self.sheet = self.sheet.with_line(line)
        self.lines.append(line)
        return self.sheet

    def move(self, *holes: int) -> BoardSheet:
        for hole in holes:
            self.write("move", set=self.sheet.set, ply=len(self.sheet.now.moves) + 1, hole=hole)
        return self.sheet


def begun(rules: Rules = TOGUZ_KORGOOL, sets: int = 1, by: str = "white") -> Pen:
    pen = Pen(BoardSheet.of(rules, sets), by)
    pen.write("keep")
    return pen


def play(rules: Rules, seed: int) -> Game:
    game, chance = Game(rules), Random(seed)
    while game.outcome() is None and len(game.moves) < 600:
        game.play(chance.choice(game.position.legal_moves()))
    return game


@pytest.mark.parametrize("name", list(GAMES))
def test_a_whole_game_writes_its_sheet_its_record_and_its_result(name: str) -> None:
    game = next(one for seed in range(40) if (one := play(GAMES[name], seed)).outcome() is not None)
    pen = begun(GAMES[name])
    pen.move(*game.moves)
    sheet, outcome = pen.sheet, game.outcome()
    assert outcome is not None
    assert sheet.over
    assert not sheet.settled
    assert sheet.now.outcome() == outcome
    result = read_entry(sheet.result_text(), Settings(name="Cup", game=name))
    result.check(GAMES[name])
    assert result.stores == outcome.stores
    (record,) = parse_records(sheet.records()[0])
    assert record.moves == game.moves
    assert record.outcome() == outcome
    sheet = pen.write("agree", "b", "black", ply=len(game.moves))
    assert sheet.settled
    with pytest.raises(SheetRefusalError, match="both players"):
        pen.write("undo", ply=3)
    for do, ply in (("keep", 0), ("object", 3)):  # nor by a way round
        with pytest.raises(SheetRefusalError, match="both players"):
            pen.write(do, "b", "black", ply=ply)


def test_the_sheet_is_written_as_paragraph_viii_asks() -> None:
    pen = begun()
    game = play(TOGUZ_KORGOOL, 5)
    pen.move(*game.moves)
    by_hand = Sheet.of(Side.WHITE, TOGUZ_KORGOOL)
    for turn in pen.sheet.now.entries():
        by_hand = by_hand.write(turn)
    assert not compare_with_game(by_hand, game)
    assert not by_hand.missing(len(game.moves))


def test_one_device_keeps_and_the_other_may_object_take_over_and_confirm() -> None:
    pen = begun()
    pen.move(3, 4, 9)
    with pytest.raises(SheetConflictError, match="another device"):
        pen.write("move", "b", "black", ply=4, hole=1)
    assert pen.write("object", "b", "black", ply=2).objections == (2,)
    with pytest.raises(SheetRefusalError, match="this device keeps"):
        pen.write("object", ply=1)
    assert pen.write("agree", "b", "black", ply=3).objections == ()
    pen.write("object", "b", "black", ply=2)
    sheet = pen.write("undo", ply=1)
    assert sheet.now.moves == (3,)
    assert sheet.objections == ()
    assert not sheet.agreed
    assert [(one.ply, one.was) for one in sheet.corrections] == [(2, 4), (3, 9)]
    sheet = pen.write("keep", "b", "black")
    assert sheet.keeper == "black"
    with pytest.raises(SheetConflictError, match="another device"):
        pen.move(1)
    with pytest.raises(SheetConflictError):
        pen.write("agree", ply=7)


def test_between_two_sets_another_phone_may_go_on_and_the_confirmed_set_stays() -> None:
    pen = begun(sets=2)
    pen.write("end", set=1, ply=0, cause="resignation", winner="white")
    pen.write("agree", "b", "black", set=1, ply=0)
    sheet = pen.write("keep", "b", "black")
    assert sheet.confirmed
    with pytest.raises(SheetRefusalError, match="both players"):
        pen.write("undo", "b", "black", set=1, ply=0)
    sheet = pen.write("next", "b", "black", set=1)
    assert (sheet.set, sheet.agreed, sheet.confirmed) == (2, frozenset(), False)


def test_illegal_and_late_entries_are_refused_and_change_nothing() -> None:
    pen = begun()
    pen.move(3)
    before = pen.sheet
    for members in (
        {"do": "move", "ply": 2, "hole": 0},
        {"do": "move", "ply": 2, "hole": 10},
        {"do": "move", "ply": 2, "hole": -1},
        {"do": "move", "ply": 1, "hole": 3},
        {"do": "move", "ply": 3, "hole": 3},
        {"do": "move", "ply": 2, "hole": 1, "set": 2},
        {"do": "undo", "ply": 2},
        {"do": "undo", "ply": -1},
        {"do": "undo", "ply": 1},
        {"do": "next"},
        {"do": "end", "ply": 1, "cause": "agreement", "winner": "white"},
        {"do": "end", "ply": 1, "cause": "time"},
        {"do": "end", "ply": 1, "cause": "board", "winner": "white"},
        {"do": "end", "ply": 0, "cause": "agreement"},
        {"do": "object", "ply": 1},
        {"do": "agree", "ply": 0},
    ):
        with pytest.raises(SheetRefusalError):
            pen.write(**members)
        assert pen.sheet == before


def test_a_helpers_sheet_needs_nobody_and_stays_correctable() -> None:
    pen = begun(by="official")
    pen.move(3, 4)
    sheet = pen.write("end", ply=2, cause="resignation", winner="black")
    assert sheet.settled
    assert sheet.result_text().endswith("resignation")
    assert read_entry(sheet.result_text(), Settings(name="Cup")).black == 2
    assert not pen.write("undo", ply=2).over


@pytest.mark.parametrize(("cause", "winner"), [("time", "white"), ("agreement", ""), ("repetition", "")])
def test_declared_endings_are_read_back(cause: str, winner: str) -> None:
    pen = begun()
    pen.move(3, 4)
    sheet = pen.write("end", ply=2, cause=cause, winner=winner)
    result = read_entry(sheet.result_text(), Settings(name="Cup"))
    assert (result.cause, result.white) == (cause, 2 if winner else 1)
    (record,) = parse_records(sheet.records()[0])
    assert record.outcome() == sheet.now.outcome()


def test_a_match_of_sets_turns_the_players_round() -> None:
    pen = begun(MANGALA, 2)
    first = play(MANGALA, 1)
    pen.move(*first.moves)
    with pytest.raises(SheetConflictError, match="over"):
        pen.write("move", ply=len(first.moves) + 1, hole=1)
    assert pen.sheet.result_text() == ""
    assert not pen.sheet.over
    pen.write("next")
    second = play(MANGALA, 2)
    pen.move(*second.moves)
    sheet = pen.sheet
    settings = Settings(name="Cup", game="mangala", sets=2)
    result = read_entry(sheet.result_text(), settings)
    result.check(MANGALA, sets=2)
    one, two = first.outcome(), second.outcome()
    assert one is not None
    assert two is not None
    assert [part.stores for part in result.sets] == [one.stores, two.stores[::-1]]
    assert len(sheet.records()) == 2
    assert sheet.side_of("white") is Side.BLACK


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["keep", "move", "undo", "object", "agree", "end", "next"]),
            st.sampled_from("abc"),
            st.sampled_from(["white", "black", "official"]),
            st.integers(-1, 12),
            st.integers(-1, 11),
            st.sampled_from(["", "resignation", "agreement"]),
            st.sampled_from(["", "white"]),
        )
    )
)
def test_any_lines_give_the_same_sheet_when_they_are_read_again(said: list[tuple[object, ...]]) -> None:
    pen = Pen(BoardSheet.of(TOGUZ_KORGOOL))
    for do, device, by, ply, hole, cause, winner in said:
        try:
            pen.write(do, device, by, ply=ply, hole=hole, cause=cause, winner=winner)  # type: ignore[arg-type]
        except SheetRefusalError:
            continue
    again = BoardSheet.of(TOGUZ_KORGOOL).follow(pen.lines)
    assert again == pen.sheet
    assert again.lines == len(pen.lines)
    assert Game(TOGUZ_KORGOOL.start(), again.now.moves).position == again.now.position

"""What is written reads back as it was, for random games of all four kinds in every dialect that can carry them."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings

from korgool import Game
from korgool.notation import DIALECTS, Record, parse_records, write_record
from korgool.notation.tags import SEVEN_TAGS
from korgool.notation.writing import DIALECTS_BY_NAME
from tests.notation.records import played, records


@settings(max_examples=150, deadline=None)
@given(records())
def test_pgn_style_carries_everything(record: Record) -> None:
    text = write_record(record)
    found = parse_records(text + text)
    assert found == [record, record]
    assert {one.warnings for one in found} == {()}
    assert found[0].game().outcome() == record.game().outcome() == record.outcome()
    assert write_record(found[0]) == text


@settings(max_examples=100, deadline=None)
@given(records(annotated=False))
def test_the_others_carry_the_moves_and_results_of_the_board(record: Record) -> None:
    for dialect in DIALECTS:
        if not (record.moves or DIALECTS_BY_NAME[dialect].tags):
            continue
        assert parse_records(write_record(record, dialect), record.start.rules) == [record]


@settings(deadline=None)
@given(played())
def test_tgk_carries_its_seven_tags_and_the_result(game: Game) -> None:
    record = Record.of(game, White="A", Black="B", Event="C", Site="D", Round="1", Date="2011.10.21")
    (found,) = parse_records(write_record(record, "tgk"), game.rules)
    assert (found.moves, found.result) == (record.moves, record.result)
    assert found.tags == {name: text for name, text in record.tags.items() if name in SEVEN_TAGS}


@settings(deadline=None)
@given(records())
def test_records_travel(record: Record) -> None:
    assert pickle.loads(pickle.dumps(record)) == record
    assert eval(repr(record.moves)) == record.moves


@settings(max_examples=50, deadline=None)
@given(records())
def test_set_up_starts_are_refused_where_they_would_be_lost(record: Record) -> None:
    if record.start == record.start.rules.start():
        return
    for dialect in (name for name, form in DIALECTS_BY_NAME.items() if not form.set_up):
        with pytest.raises(ValueError, match="cannot carry a set-up start"):
            write_record(record, dialect)

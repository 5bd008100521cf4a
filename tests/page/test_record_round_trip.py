"""Paste is copy: what the page reads it writes again, letter by letter as the library does, in every dialect."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from korgool.notation import DIALECTS, Record, parse_records, read_shapes, write_record, write_shapes
from korgool.notation.variation import count_variations
from korgool.rules import GAMES
from tests.notation.pasted import annotated
from tests.page.analysis import SIDES

if TYPE_CHECKING:
    from playwright.sync_api import Page

COPY = """
async ([texts, dialects]) => {
  const { parseRecord } = await import("/static/js/analysis/record_parser.js");
  const { treeOfRecord } = await import("/static/js/analysis/record_tree.js");
  const { writeRecord } = await import("/static/js/analysis/record_writer.js");
  const { openRules } = await import("/static/js/analysis/rules_provider.js");
  const { records: facts } = JSON.parse(document.getElementById("facts").textContent);
  const copies = [];
  for (const text of texts) {
    const record = await parseRecord(text, "toguz", facts);
    const tree = await treeOfRecord(await openRules(record.game), record);
    const about = { game: record.game, start: record.position, facts };
    copies.push(dialects.map((dialect) => writeRecord(tree, tree.line, about, dialect)));
  }
  return copies;
}
"""
SLICE = 200
CHUNK = 100


def written(record: Record, dialect: str) -> str | None:
    """What the library writes, None where the dialect cannot hold the game."""
    try:
        return write_record(record, dialect)
    except ValueError:
        return None


def goes_round(page: Page, seed: int, count: int) -> int:
    """Random records by the page's reader, tree and writer; the number of variations in them."""
    chance = Random(f"round trip {seed}")
    varied = 0
    for _ in range(count // CHUNK):
        records = [annotated(chance, chance.choice(tuple(GAMES))) for _ in range(CHUNK)]
        texts = [write_record(record) for record in records]
        copies: list[list[Any]] = page.evaluate(COPY, [texts, list(DIALECTS)])
        for record, text, copied in zip(records, texts, copies, strict=True):
            (again,) = parse_records(copied[0])
            assert again == record, text
            assert copied == [written(record, dialect) for dialect in DIALECTS], text
            varied += count_variations(record.variations)
    return varied


def test_random_annotated_records_come_back_as_they_were(analysis: Page) -> None:
    assert goes_round(analysis, 0, SLICE) > SLICE


@pytest.mark.long
def test_ten_thousand_random_annotated_records_come_back_as_they_were(analysis: Page) -> None:
    goes_round(analysis, 1, 10_000)


SHAPES = """
async (cases) => {
  const { readShapes, writeShapes } = await import("/static/js/analysis/shape_commands.js");
  return cases.map(([text, holes]) => {
    const { said, shapes } = readShapes(text, holes);
    return [said, writeShapes(shapes, holes), shapes.map(({ colour, from, to }) => [colour, from, to])];
  });
}
"""


def test_arrows_and_rings_are_those_of_the_library(analysis: Page) -> None:
    """Of commands in their right form, and of any others."""
    chance = Random("shapes")
    pieces = [
        "[%csl ",
        "[%cal ",
        "]",
        ",",
        "Ga1",
        "Rf1e2",
        "Yi2",
        "Be2",
        "Gb2b2",
        " ",
        "so",
        "\u2003",
        "\x1f",
        "[%",
        "Gz3",
    ]
    cases = [("".join(chance.choices(pieces, k=chance.randint(1, 9))), chance.choice((5, 6, 9))) for _ in range(2000)]
    drawings = ("[%csl Ga1,Yf1]x[%cal Gf1e2]", "[%cal Ba2a1,Ra2a1] [%csl Bb2,Ri2]", "a [%cal Ge1e2,Bc2a1]  b")
    cases += [(text, holes) for text in drawings for holes in (5, 6, 9)] * 5
    drawn = 0
    for (text, holes), (said, written_again, shapes) in zip(cases, analysis.evaluate(SHAPES, cases), strict=True):
        words, found = read_shapes(text, holes)
        assert (said, written_again) == (words, write_shapes(found, holes)), text
        spots = [[spot and {"side": SIDES[spot[0]], "hole": spot[1]} for spot in (one.start, one.end)] for one in found]
        assert shapes == [[one.colour, *spot] for one, spot in zip(found, spots, strict=True)], text
        drawn += len(found)
    assert drawn > 50


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("1. 76 (1. 54) {after} 1... 55", "1. 76(10) (1. 54(10)) {after} 1... 55(10) *"),
        ("1. 76 {a} (1. {b} 54 {c}) {d} 1... 55 {e}", "1. 76(10) {a} ({b} 1. 54(10) {c}) {d} 1... 55(10) {e} *"),
        ("1) 7-6!? (1. 54 (1. 98 $9)) 5-5=\nWhite wins", "1. 76(10) $5 (1. 54(10) (1. 98(10) $9)) 1... 55(10)= 1-0"),
        ("1. 76 (1. 76 55) (1. 76) 55", "1. 76(10) (1. 76(10) 55(10)) (1. 76(10)) 1... 55(10) *"),
        ("{[%csl Ga1] so} 76 {[%cal Gf1e2]}", "{[%csl Ga1] so} 1. 76(10) {[%cal Gf1e2]} *"),
        ("{before} f1e2 d2e1 ; rest of the line", "{before} 1. 65(10) 65(10) {rest of the line} *"),
    ],
)
def test_what_people_paste(analysis: Page, text: str, copied: str) -> None:
    ((pgn, *_),) = analysis.evaluate(COPY, [[text], ["pgn"]])
    assert pgn == write_record(parse_records(text)[0])
    assert pgn.split("\n\n")[1] == copied

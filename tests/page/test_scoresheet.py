"""Printing a game prints its scoresheet: names, moves in numbered columns, the result, and nothing else of the page."""

from __future__ import annotations

from io import BytesIO

import pypdf

from korgool.rules import GAMES, Game
from tests.page.analysis import Board, greedy, text
from tests.page.conftest import NewTable
from tests.page.table import expect


def printed(page: object) -> tuple[int, str]:
    """The pages and the text of what the browser prints."""
    reader = pypdf.PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True)))  # type: ignore[attr-defined]
    return len(reader.pages), " ".join(" ".join(one.extract_text() for one in reader.pages).split())


def test_the_page_of_a_game_prints_its_record(table: NewTable) -> None:
    one = table()
    one.start("toguz")
    page = one.page
    for _ in range(2):
        assert one.play()
    pages, sheet = printed(page)
    assert pages == 1
    moves = page.locator("#moves td button").all_text_contents()
    assert len(moves) == 4
    assert f"1 {moves[0]} {moves[1]} 2 {moves[2]} {moves[3]}" in sheet
    assert page.url in sheet
    for other in ("Sign in", "Settings", "Save the record", "Lobby"):
        assert other not in sheet
    expect(page.locator("#scoresheet")).to_be_hidden()
    page.evaluate("window.print = () => { document.body.dataset.printed = 'yes'; }")
    page.locator(".downloads summary").click()
    page.get_by_role("button", name="Print the scoresheet").click()
    expect(page.locator("body")).to_have_attribute("data-printed", "yes")


def test_a_long_game_of_the_analysis_board_prints_all_its_moves(table: NewTable) -> None:
    for game in ("toguz", "mangala"):
        moves = greedy(game, 400)
        board = Board(table(), f"#game={game}&moves={text(moves)}&ply=0", **{"engine-on": "off"})
        _, sheet = printed(board.page)
        played = Game(GAMES[game], moves)
        outcome = played.outcome()
        assert outcome is not None
        assert outcome.result_text.replace("0.5", "½") in sheet
        cells = board.page.locator("#scoresheet tbody td").all_text_contents()
        plies = [ply for index, cell in enumerate(cells) if index % 3 for ply in cell.split(",") if ply]
        assert plies == board.page.locator("#tree .ply button").all_text_contents()


def test_comments_and_branches_are_printed_as_text(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    board.paste(
        '[White "Aida"]\n[Event "Lesson"]\n\n{first} 1. 76! {main} (1. 54 {so} (1. 98)) {after} 1... 55 2. 33 1-0'
    )
    _, sheet = printed(board.page)
    assert "first 1. 76(10)! main 1. 54(10) so 1. 98(10) after 1… 55(10) 2. 33 1-0" in sheet
    assert "Aida" in sheet
    assert "Lesson" in sheet
    assert "Round" not in sheet

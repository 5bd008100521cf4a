"""Whole games on the page: by mouse, by keyboard through the accessibility tree, by touch on a phone."""

from __future__ import annotations

import re

import pytest

from korgool.app.words.event_texts import halves_said
from korgool.notation import DIALECTS
from korgool.rules import GAMES, Game
from tests.page.conftest import PHONE, NewTable
from tests.page.table import PLAYABLE, Table, expect


def finished(table: Table, game: str) -> None:
    """The end is shown as the server has it, and the rules agree when the moves are played again."""
    state = table.state()
    outcome = state["outcome"]
    panel = table.page.locator("#outcome")
    expect(panel).to_be_visible()
    expect(panel.locator(".result")).to_have_text(halves_said(outcome["result_text"]))
    expect(panel.locator(".reason")).not_to_be_empty()
    if outcome["termination"] != "repetition":
        replayed = Game(GAMES[game], [move["hole"] for move in state["moves"]]).outcome()
        assert replayed is not None
        assert replayed.result_text == outcome["result_text"]
    assert table.page.locator(PLAYABLE).count() == 0
    table.matches_server()
    expect(table.page.locator("#graph svg")).to_be_visible()
    expect(table.page.locator("#graph .line")).to_have_attribute("d", re.compile(r"M\d"))
    rows = table.page.locator("#moves tbody tr").all()
    listed = " ".join(" ".join(cell.strip() for cell in row.locator("th, td").all_inner_texts()) for row in rows)
    assert state["movetext"].replace(",", "").startswith(listed.strip().replace(",", ""))
    expect(table.page.get_by_role("region", name="How the game went")).to_contain_text("from White's view")


@pytest.mark.long
def test_toguz_by_mouse(table: NewTable) -> None:
    board = table()
    board.start_by_form("toguz", "white")
    page = board.page
    while board.wait_for_turn():
        ply = board.plies()
        hole = board.best()
        known = board.state()["previews"][str(hole)]
        board.hole(hole).hover()
        tip = page.locator(".tip:not(.late, .why, .lesson)")
        if known["tuz"]:
            expect(tip).to_contain_text("tuz")
        elif known["captures"]:
            expect(tip).to_contain_text(f"captures {known['captures']}")
        board.hole(hole).click()
        board.wait_for_ply(ply + 1)
    finished(board, "toguz")
    for dialect in DIALECTS:
        page.locator(".downloads summary").click()
        with page.expect_download() as download:
            page.locator(f'.downloads a[href$="/{dialect}"]').click()
        text = download.value.path().read_text()
        assert text.strip()
        if dialect == "pgn":
            assert '[Variant "Toguz korgool"]' in text
            assert "1. " in text
        page.locator(".downloads summary").click()


@pytest.mark.smoke
@pytest.mark.parametrize("turns", [4, pytest.param(200, marks=pytest.mark.long)])
def test_bestemshe_by_keyboard_alone(table: NewTable, turns: int) -> None:
    """The form and the first turns; the end of a game by keys is in `test_by_hand`, and `long` has the whole game."""
    board = table()
    page = board.page
    page.goto(f"{board.address}/")
    page.evaluate("localStorage.setItem('korgool.speed', 'off')")
    keys = page.keyboard
    for role, name, key, times in [
        ("link", "Other game", "Enter", 1),
        ("radio", "Toguz korgool", "ArrowDown", 3),
        ("radio", "White", "", 0),
        ("radio", "Kulun", "ArrowDown", 1),
        ("radio", "^Tai ", "ArrowUp", 1),
        ("radio", "no clock", "", 0),
        ("button", "Start the game", "Enter", 1),
    ]:
        target = page.get_by_role(role, name=re.compile(name))  # type: ignore[arg-type]
        for _ in range(30):
            if target.evaluate("element => element === document.activeElement"):
                break
            keys.press("Tab")
        expect(target).to_be_focused()
        for _ in range(times):
            keys.press(key)
    board.ready()
    assert (board.state()["game"], board.state()["level"]) == ("bestemshe", 1)

    playable = page.get_by_role("button", name=re.compile(r"^hole \d, \d+ stones?$"), disabled=False)
    turn = 0
    while turn < turns and board.wait_for_turn():
        ply = board.plies()
        hole = board.best()
        assert playable.count() == len(board.state()["legal"])
        if turn % 3:
            keys.press(str(hole))
        else:
            own = page.get_by_role("toolbar", name="Your holes")
            for _ in range(40):
                if own.locator(":focus").count():
                    break
                keys.press("Tab")
            for _ in range(5):
                if board.hole(hole).evaluate("element => element === document.activeElement"):
                    break
                keys.press("ArrowRight")
            expect(board.hole(hole)).to_be_focused()
            expect(board.hole(hole)).to_have_accessible_description(re.compile("lands in"))
            keys.press("Enter")
        board.wait_for_ply(ply + 1)
        if not turn:
            expect(page.get_by_role("log")).to_contain_text(re.compile(r"White: hole \d, \d+ stones?.*Black: hole \d"))
        turn += 1
    if turn == turns:
        assert len(board.state()["moves"]) >= 2 * turns - 1
        return
    expect(page.locator("#spoken")).to_contain_text(halves_said(board.state()["outcome"]["result_text"]))
    finished(board, "bestemshe")


def test_mangala_by_touch_on_a_phone(table: NewTable) -> None:
    board = table(PHONE)
    board.start_by_form("mangala", "black")
    page = board.page
    frame = page.locator("korgool-board").bounding_box()
    assert frame is not None
    assert frame["y"] >= 0
    assert frame["y"] + frame["height"] <= 740, "the whole board fits the screen"
    while board.wait_for_turn():
        ply = board.plies()
        board.hole(board.best()).tap()
        board.wait_for_ply(ply + 1)
        expect(page.locator(".tip:not(.late, .why, .lesson)")).to_be_hidden()
    finished(board, "mangala")
    page.get_by_role("button", name="Rematch").tap()
    page.wait_for_url(re.compile(rf"/games/(?!{board.id})"))
    board.ready()
    assert board.state()["you"] == "white", "a rematch swaps sides"

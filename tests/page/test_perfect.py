"""Perfect play on the pages: where it can be chosen, what is said of it, and that it needs the server."""

from __future__ import annotations

import re
from pathlib import Path

from korgool.engine.perfect import PERFECT
from korgool.languages import translations
from tests.page.conftest import NewTable
from tests.page.table import expect
from tests.page.test_offline import visited

CHIP = f"input[name=level][value='{PERFECT}']"


def test_the_form_offers_it_where_the_game_is_solved(table: NewTable) -> None:
    board = table()
    page = board.page
    page.goto(f"{board.address}/play")
    chip, highest = page.locator(CHIP), page.locator("input[name=level][value='8']")
    game = {name: page.locator(f"label:has(input[name=game][value='{name}'])") for name in ("toguz", "mangala")}
    expect(chip).to_be_disabled()
    game["mangala"].click()
    page.locator(f"label:has({CHIP})").click()
    expect(chip).to_be_checked()
    game["toguz"].click()
    expect(chip).to_be_disabled()
    expect(highest).to_be_checked()
    board.start_by_form("mangala", "black", PERFECT)
    page.goto(f"{board.address}/play")
    expect(chip).to_be_checked()
    page.goto(f"{board.address}/")
    expect(page.get_by_role("region", name="Your games")).to_contain_text("Tulpar")


def test_a_game_against_it(table: NewTable) -> None:
    board = table(locale="ky")
    page = board.page
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url))
    board.start("mangala", "white", PERFECT)
    word = translations("ky").gettext("perfect")
    expect(page.locator(".strip.far .who")).to_have_text(re.compile(rf"\s{word}\s"))
    page.keyboard.press("5")
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    assert board.state()["level"] == PERFECT
    # No device has the solver, so none is made ready to think.
    assert not [url for url in scripts if url.endswith(("device_engine_reply.js", "worker.js", ".kgn"))]


def test_without_scripts_the_server_says_why(table: NewTable) -> None:
    board = table(java_script_enabled=False, expected="422")
    page = board.page
    page.goto(f"{board.address}/play")
    page.locator(f"label:has({CHIP})").click()
    page.locator("form.new-game button").click()
    expect(page.get_by_text("Perfect play is for mangala only")).to_be_visible()
    page.go_back()
    page.locator("label:has(input[name=game][value='mangala'])").click()
    page.locator(f"label:has({CHIP})").click()
    page.locator("form.new-game button").click()
    expect(page.locator(".strip.far .who")).to_have_text(re.compile("^Tulpar perfect "))


def test_the_board_asks_the_server(table: NewTable) -> None:
    board = table()
    page = board.page
    page.goto(f"{board.address}/analysis#game=mangala")
    board.ready()
    opponent, game = page.locator("#opponent"), page.locator("#game")
    page.locator("#set-up").click()
    opponent.select_option(label="Tulpar · perfect")
    page.keyboard.press("Escape")
    expect(page.locator(".strip.far .side")).to_have_text("Tulpar · perfect")
    with page.expect_response("**/api/analysis/move") as answer:
        page.locator('.hole-button[data-side="white"][data-hole="5"]').click()
    assert answer.value.json() == {"move": 5}
    expect(page.locator("#tree button")).to_have_count(3)
    expect(page).to_have_url(re.compile(rf"opponent={PERFECT}"))
    page.reload()
    board.ready()
    expect(page.locator(".strip.far .side")).to_have_text("Tulpar · perfect")
    page.locator("#set-up").click()
    game.select_option("toguz")
    expect(page.locator("#opponent-perfect")).to_be_disabled()
    expect(page.locator(".strip.far .side")).to_have_text("Chalkuyruk · level 8")


def test_without_the_server_it_is_said(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path) as (board, cut):
        cut()
        page = board.page
        page.goto(f"{board.address}/")
        page.locator("#other-game").click()
        for name, value in {"game": "mangala", "side": "white", "level": PERFECT}.items():
            page.locator(f"label:has(input[name={name}][value='{value}'])").click()
        page.get_by_role("button", name="Start the game").click()
        expect(page).to_have_url(re.compile(rf"/analysis#game=mangala&opponent={PERFECT}&side=white"))
        page.locator('.hole-button[data-side="white"][data-hole="5"]').click()
        expect(page.locator("#notice")).to_have_text("Only the server plays perfectly, and it does not answer.")
        expect(page.get_by_role("button", name="Let it move")).to_be_visible()
        page.locator("#set-up").click()
        page.locator("#opponent").select_option("8")
        expect(page.locator("#tree button")).not_to_have_count(2)

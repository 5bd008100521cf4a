"""Puzzles in a real browser: found, missed and shown, by keys too; remembered on the device, and shared."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from korgool.glicko import Glicko, updated
from tests.page.conftest import PHONE, NewTable
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page


def tasks(page: Page) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(page.locator("#tasks").text_content() or "")
    return told


def solve(page: Page, task: dict[str, Any]) -> None:
    """Play every right move by its digit."""
    marks = page.locator("#marks [data-mark]")
    for number, step in enumerate(task["steps"], 1):
        page.wait_for_function("board => board.shown?.legal.length > 0 && !board.hasAttribute('data-moving')",
                               arg=page.locator("#puzzle-board").element_handle())  # fmt: skip
        for _ in range(20):  # a board that has just changed takes no key
            page.keyboard.press(str(step["right"][0]))
            try:
                expect(marks).to_have_count(number, timeout=2000)
                break
            except AssertionError:
                continue
        expect(marks).to_have_count(number)


def test_the_puzzle_of_the_day_is_missed_found_and_shared(table: NewTable) -> None:
    board = table(PHONE, reduced_motion="reduce")
    page = board.page
    page.goto(f"{board.address}/puzzle")
    (task,) = tasks(page)
    expect(page.locator("#task")).to_have_text(task["task"])
    step = task["steps"][0]
    wrong = next(hole for hole in step["moves"] if int(hole) not in step["right"])
    expect(page.locator("#puzzle-board[data-ready]")).to_be_visible()
    page.locator(f'.hole-button[data-side="white"][data-hole="{wrong}"]').click(delay=50)
    expect(page.locator("#verdict")).to_have_class("verdict wrong")
    solve(page, task)
    expect(page.locator("#verdict")).to_have_class("verdict right")
    expect(page.locator("#about")).to_contain_text(f"Difficulty {task['rating']}")
    page.locator("#next").click()
    expect(page.locator("#end-title")).to_have_text("Solved!")
    expect(page.locator("#streak")).to_contain_text("1 day in a row.")
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    expect(page.locator("#shared")).not_to_be_empty()
    page.reload()
    expect(page.locator("#about")).to_contain_text("You have solved it today: 🟨")


def test_the_answer_is_shown_and_counts_as_shown(table: NewTable) -> None:
    board = table(reduced_motion="reduce")
    page = board.page
    page.goto(f"{board.address}/puzzles/mangala?rating=400")
    told = tasks(page)
    assert len(told) > 4
    assert {task["game"] for task in told} == {"mangala"}
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#next")).to_be_visible(timeout=30_000)
    expect(page.locator("#marks [data-mark=shown]")).to_have_count(len(told[0]["steps"]))
    expect(page.locator("#about")).to_contain_text("Your rating")
    page.locator("#next").click()
    expect(page.locator("#marks [data-mark]")).to_have_count(0)
    solve(page, told[1])
    expect(page.locator("#marks [data-mark=first]")).to_have_count(len(told[1]["steps"]))


def test_a_theme_goes_on_where_the_device_left_it(table: NewTable) -> None:
    board = table(PHONE)
    page = board.page
    page.goto(f"{board.address}/puzzles?game=bestemshe")
    page.evaluate("localStorage.setItem('korgool.puzzle-places', JSON.stringify({'bestemshe quiet': 8}))")
    page.reload()
    expect(page.locator("[data-theme=quiet]")).to_have_attribute("href", re.compile("begin=8"))
    assert "begin" not in (page.locator("[data-theme=tempo]").get_attribute("href") or "")


RATE = """
async (asked) => {
  const { glicko } = await import("/static/js/puzzle/puzzle_store.js");
  return asked.map(([rating, score]) => glicko({ rating: 800, deviation: 350, volatility: 0.06 }, rating, 60, score));
}
"""
STREAKS = """
async (asked) => {
  const { streakOf } = await import("/static/js/puzzle/puzzle_store.js");
  return asked.map(([days, today]) => streakOf(days, today));
}
"""


def test_the_device_rates_as_the_library(table: NewTable) -> None:
    board = table()
    board.page.goto(f"{board.address}/puzzles")
    asked = [(rating, score) for rating in (100, 400, 800, 1400, 2450) for score in (0, 1)]
    own = Glicko(800.0, 350.0, 0.06)
    for told, (rating, score) in zip(board.page.evaluate(RATE, asked), asked, strict=True):
        right = updated(own, [(Glicko(float(rating), 60.0, 0.06), float(score))])
        assert told["rating"] == pytest.approx(right.rating, abs=0.01)
        assert told["deviation"] == pytest.approx(right.deviation, abs=0.01)
        assert told["volatility"] == pytest.approx(right.volatility, abs=1e-5)


def test_a_streak_forgives_one_day_a_week(table: NewTable) -> None:
    board = table()
    board.page.goto(f"{board.address}/puzzles")

    def november(*days: int) -> list[str]:
        return [f"2026-11-{day:02}" for day in days]

    cases = [
        (november(29), 1),
        ([], 0),
        (november(28), 1),  # today is not over
        (november(27), 1),  # yesterday is forgiven
        (november(26), 0),
        (november(29, 28, 27, 27), 3),
        (november(29, 27, 26), 3),
        (november(29, 27, 25), 2),  # two in a week
        (november(29, 27, 26, 25, 24, 23, 22, 20, 19), 9),
        ([*november(2, 1), "2026-10-31"], 0),
    ]
    told = board.page.evaluate(STREAKS, [[days, "2026-11-29"] for days, _ in cases])
    assert told == [count for _, count in cases]

"""Puzzles in a real browser: found, missed and shown, by keys too; remembered on the device, and shared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from korgool.glicko import Glicko, updated
from tests.page.conftest import PHONE, NewTable
from tests.page.people import house
from tests.page.table import expect
from tests.page.test_account_pages import sign_up

if TYPE_CHECKING:
    from playwright.sync_api import Page


def tasks(page: Page) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(page.locator("#tasks").text_content() or "")
    return told


def task_now(page: Page) -> dict[str, Any]:
    """The puzzle on the board."""
    wanted = page.locator("#puzzle").get_attribute("data-puzzle")
    return next(task for task in tasks(page) if task["id"] == wanted)


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
    against = step["wrong"][wrong]
    expect(page.locator("#verdict")).to_contain_text(against["why"] or f"Not hole {wrong}.")
    if against["answer"]:  # the opponent's answer lies on the board before the move is taken back
        after = against["answer"][-1]["after"]
        page.wait_for_function("([board, after]) => JSON.stringify(board.shown?.black) === JSON.stringify(after)",
                               arg=[page.locator("#puzzle-board").element_handle(), after["black"]])  # fmt: skip
    solve(page, task)
    expect(page.locator("#verdict")).to_have_class("verdict right")
    expect(page.locator("#about")).to_contain_text(f"Difficulty {task['rating']}")
    page.locator("#next").click()
    expect(page.locator("#end-title")).to_have_text("Solved!")
    expect(page.locator("#streak")).to_have_text("1 day in a row. One missed day a week is forgiven.")
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    expect(page.locator("#shared")).not_to_be_empty()
    page.reload()
    expect(page.locator("#about")).to_contain_text("You have solved it today: 🟨")


def test_the_answer_is_shown_and_counts_as_shown(table: NewTable) -> None:
    board = table(reduced_motion="reduce")
    page = board.page
    page.goto(f"{board.address}/puzzles/mangala/rated?near=400")
    told = tasks(page)
    assert len(told) > 4
    assert {task["game"] for task in told} == {"mangala"}
    task = task_now(page)
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#next")).to_be_visible(timeout=30_000)
    expect(page.locator("#marks [data-mark=shown]")).to_have_count(len(task["steps"]))
    expect(page.locator("#about")).to_contain_text("Your rating")
    page.locator("#next").click()
    expect(page.locator("#marks [data-mark]")).to_have_count(0)
    solve(page, task := task_now(page))
    expect(page.locator("#marks [data-mark=first]")).to_have_count(len(task["steps"]))


def test_a_day_whose_answer_was_shown_is_not_in_the_row(table: NewTable) -> None:
    board = table(PHONE, reduced_motion="reduce", locale="ru")
    page = board.page
    page.goto(f"{board.address}/puzzle?game=castle")
    task = task_now(page)
    wrong = next(hole for hole in task["steps"][0]["moves"] if int(hole) not in task["steps"][0]["right"])
    expect(page.locator("#puzzle-board[data-ready]")).to_be_visible()
    page.locator(f'.hole-button[data-side="white"][data-hole="{wrong}"]').click(delay=50)
    expect(page.locator("#verdict")).to_contain_text(re.compile(f"^Не лунка {wrong}.* Попробуйте ещё раз.$"))
    page.locator("#show").click()
    expect(page.locator("#next")).to_be_visible(timeout=30_000)
    page.locator("#next").click()
    expect(page.locator("#streak")).to_have_text("Один пропущенный день в неделю прощается.")
    expect(page.locator("#week [data-solved]")).to_have_count(0)


def test_a_theme_goes_on_where_the_device_left_it(table: NewTable) -> None:
    board = table(PHONE)
    page = board.page
    page.goto(f"{board.address}/puzzles?game=bestemshe")
    page.evaluate("localStorage.setItem('korgool.puzzle-places', JSON.stringify({'bestemshe quiet': 8}))")
    page.reload()
    expect(page.locator("[data-theme=quiet]")).to_have_attribute("href", re.compile("begin=8"))
    assert "begin" not in (page.locator("[data-theme=tempo]").get_attribute("href") or "")


def solves(page: Page, times: int) -> None:
    """Solve so many puzzles of a series."""
    for at in range(times):
        if at:
            page.locator("#next").click()
        solve(page, task_now(page))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a site of its own."""
    with house(tmp_path) as one:
        yield one.address


def test_an_account_counts_what_was_solved_without_a_network_and_takes_over_what_was_before(
    site: str, table: NewTable
) -> None:
    board = table(PHONE, address=site, reduced_motion="reduce", expected="ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    page = board.page
    page.goto(f"{board.address}/puzzles/bestemshe/rated")
    solves(page, 2)
    own = re.search(r"Your rating (\d+)", page.locator("#about").inner_text())
    assert own is not None
    sign_up(page, board.address, "Annasolver")
    page.goto(f"{board.address}/puzzles?game=bestemshe")
    expect(page.locator("#own-rating")).to_contain_text("You begin at 800.")
    expect(page.locator("#taking")).to_contain_text("Puzzles answered here without an account: 2.")
    page.locator("#take").click()
    # The account has counted them as the device had.
    expect(page.locator("#own-rating")).to_have_text(f"Your rating {own[1]}")
    expect(page.get_by_role("img", name=re.compile("^Rating over the last 2 puzzles"))).to_be_visible()
    expect(page.locator("#taking")).to_be_hidden()
    page.goto(f"{board.address}/puzzles/bestemshe/rated")
    first = task_now(page)
    page.context.set_offline(True)
    solve(page, first)
    expect(page.locator("#about")).to_contain_text("It is counted when there is a network again.")
    page.context.set_offline(False)
    page.locator("#next").click()
    solve(page, task_now(page))
    expect(page.locator("#about")).to_contain_text(re.compile(r"Your rating \d+ \(\+\d+\)"))
    page.goto(f"{board.address}/puzzles?game=bestemshe")
    expect(page.get_by_role("img", name=re.compile("^Rating over the last 4 puzzles"))).to_be_visible()


def test_a_timed_run_by_keys_without_a_network(table: NewTable) -> None:
    board = table(PHONE, reduced_motion="reduce", expected="ERR_INTERNET_DISCONNECTED")
    page = board.page
    page.clock.install()
    page.goto(f"{board.address}/puzzles/mangala/run")
    told = tasks(page)
    assert [one["rating"] for one in told[:40]] == sorted(one["rating"] for one in told[:40])
    page.context.set_offline(True)
    page.locator("#begin").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#task")).to_be_focused()
    expect(page.locator("#clock")).to_have_text("3:00")
    score, mistakes = page.locator("#score"), page.locator("#mistakes")

    def play(hole: int, told_by: Callable[[], bool]) -> None:
        for _ in range(200):
            page.keyboard.press(str(hole))
            page.clock.run_for(50)
            if told_by():
                return
        raise AssertionError("the board takes no key")

    def shown(before: dict[str, Any]) -> bool:
        return bool(page.evaluate(SHOWN, before))

    def gone(before: dict[str, Any]) -> bool:
        return not shown(before)

    def made(count: int) -> bool:
        return mistakes.get_attribute("aria-label") == f"Mistakes: {count} of 3"

    def until(before: dict[str, Any]) -> None:
        for _ in range(200):
            if shown(before):
                return
            page.clock.run_for(50)
        raise AssertionError("the board does not come")

    for number in (1, 2):
        for step in told[number - 1]["steps"]:
            until(step["before"])
            play(step["right"][0], partial(gone, step["before"]))
        expect(score).to_have_text(str(number))
    for number in (1, 2):
        until(told[1 + number]["steps"][0]["before"])
        wrong = next(
            hole
            for hole in told[1 + number]["steps"][0]["moves"]
            if int(hole) not in told[1 + number]["steps"][0]["right"]
        )
        play(int(wrong), partial(made, number))
    page.clock.run_for(181_000)
    expect(page.locator("#end-title")).to_have_text("Solved: 2")
    expect(page.locator("#end-note")).to_have_text("Your best so far.")
    expect(page.locator("#missed li")).to_have_count(2)
    page.locator("#missed button").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()
    page.locator("#leave").click()
    page.locator("#once-more").click()
    expect(page.locator("#score")).to_have_text("0")
    page.locator("#leave").click()
    expect(page.locator("#end-note")).to_have_text("Your best: 2")
    page.context.set_offline(False)
    page.goto(f"{board.address}/puzzles?game=mangala")
    expect(page.locator("#own-best")).to_have_text("Your best: 2")


SHOWN = """before => {
  const shown = document.querySelector("#puzzle-board").shown;
  return JSON.stringify([shown.white, shown.black]) === JSON.stringify([before.white, before.black]);
}"""

RATE = """
async (asked) => {
  const { glicko } = await import("/static/js/puzzle/glicko.js");
  return asked.map(([rating, score]) => glicko({ rating: 800, deviation: 350, volatility: 0.06 }, rating, 60, score));
}
"""
STREAKS = """
async (asked) => {
  const { streakOf } = await import("/static/js/puzzle/puzzle_days.js");
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

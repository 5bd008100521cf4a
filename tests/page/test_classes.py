"""A class in a browser: a trainer at a desk, a child with a phone, what it does, and what waits for the network."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.lessons import play_stop, stop_of
from tests.page.table import Table, expect
from tests.page.test_account_pages import sign_up
from tests.page.test_axe import violations_here
from tests.page.test_puzzles import solve, tasks
from tests.page.test_reflow import SIDEWAYS

if TYPE_CHECKING:
    from playwright.sync_api import Page


def make_class(trainer: Table, name: str, game: str = "bestemshe") -> str:
    """Make a class; its code."""
    page = trainer.page
    sign_up(page, trainer.address, name)
    page.goto(f"{trainer.address}/classes")
    page.get_by_label("Name of the class").fill("4b")
    page.get_by_label("Game").select_option(game)
    assert violations_here(page) == []
    page.get_by_role("button", name="Make the class").click()
    return page.locator(".code").inner_text()


def join(child: Table, code: str, name: str) -> Page:
    """Join a class as its picture leads there."""
    page = child.page
    page.goto(f"{child.address}/class?code={code.replace(' ', '')}")
    page.get_by_label("Your nickname").fill(name)
    page.get_by_role("button", name="Join the class").click()
    expect(page.locator(".called")).to_have_text(f"You are {name} here.")
    return page


def give_task(page: Page, task: str) -> None:
    """Give a task."""
    page.get_by_label("Task", exact=True).select_option(task)
    page.get_by_role("button", name="Give the task").click()


def test_a_lesson_with_a_class(table: NewTable) -> None:
    trainer, child = table(DESK), table(PHONE, reduced_motion="reduce", expected="ERR_INTERNET|net::")
    code = make_class(trainer, "Trainerone")
    page = join(child, code, "Айбек")
    assert violations_here(page) == []
    home = page.url
    give_task(trainer.page, "stop:sow")
    expect(page.locator(".stop-title")).to_have_text("Lesson: Sow")  # by itself
    page.locator("#task-1 a").tap()
    expect(page.locator("#steps .here")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    play_stop(page, stop_of("bestemshe", "sow"))
    assert json.loads(page.evaluate("localStorage.getItem('korgool.class-reports')"))[0]["value"] == 3
    page.context.set_offline(False)
    page.locator(".to-class").tap()
    expect(page).to_have_url(home)
    expect(page.locator("#task-1 .told")).to_have_text("3 of 3 stars")
    assert page.evaluate("localStorage.getItem('korgool.class-reports')") == "[]"
    give_task(trainer.page, "puzzles:")
    page.locator("#task-2 a").tap()
    for number, task in enumerate(tasks(page)):
        if number < 2:
            solve(page, task)
            page.locator("#next").click()
    page.locator(".puzzle-top a").click()
    expect(page.locator("#task-2 .told")).to_have_text("2 right, 8 left")
    expect(page.locator("#task-2 [aria-current]")).to_have_count(1)
    trainer.page.reload()
    expect(trainer.page.locator(".task-rows .quiet")).to_have_text(["1 of 1 done", "0 of 1 done"])
    trainer.page.locator(".member-rows summary").click()
    assert violations_here(trainer.page) == []
    trainer.page.locator(".member-rows input[name=name]").fill("Айбек Касымов")
    trainer.page.get_by_role("button", name="Rename").click()
    expect(trainer.page.locator(".member-rows summary")).to_have_text("Айбек Касымов")
    trainer.page.get_by_role("link", name="Results and certificates").click()
    expect(trainer.page.locator("tbody td")).to_have_text(["3/3", "2/10"])
    assert violations_here(trainer.page) == []


def test_a_class_answers_on_one_screen(table: NewTable) -> None:
    trainer, child = table({"viewport": {"width": 1366, "height": 657}}, reduced_motion="reduce"), table(PHONE)
    screen = trainer.page
    code = make_class(trainer, "Screenone", "toguz")
    screen.get_by_role("link", name="Open the screen for all").click()
    expect(screen.locator(".screen-code")).to_have_text(code)
    page = join(child, code, "Айбек")
    expect(screen.locator(".screen-people li")).to_have_text("Айбек")  # by itself
    assert violations_here(screen) == []
    screen.locator(".screen-controls summary").click()
    screen.get_by_label("Questions for all").select_option("parity")
    screen.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Even", exact=True).tap()
    expect(page.locator(".phone-question")).to_contain_text("Your answer: Even")
    expect(screen.locator(".question-count")).to_have_text("Answered: 1 of 1")
    expect(screen.locator(".question .button").last).to_be_in_viewport(ratio=1)
    expect(screen.locator("#class-board")).to_be_in_viewport(ratio=1)
    assert violations_here(screen) == []
    assert violations_here(page) == []
    screen.get_by_role("button", name="Show the answer").click()
    expect(screen.locator(".question-answers .right")).to_have_count(1)
    expect(page.locator(".phone-question .verdict")).to_be_visible()
    screen.get_by_role("button", name="Next question").click()
    expect(page.locator("#phone-question")).to_contain_text("2")
    expect(page.locator(".phone-answers button")).to_have_count(2)
    screen.get_by_role("button", name="End the questions").click()
    expect(page.locator(".phone-question")).to_have_count(0)


@pytest.mark.parametrize("language", ["ru", "kk"])
def test_pages_of_classes_are_narrow_in_every_language(table: NewTable, language: str) -> None:
    trainer = table({"viewport": {"width": 320, "height": 640}}, locale="en")
    page = trainer.page
    code = make_class(trainer, f"Narrow{language}")
    give_task(page, "drill:parity")
    address = page.url
    page.goto(f"{trainer.address}/class?code={code.replace(' ', '')}")
    page.get_by_label("Your nickname").fill("Бегимай-Уулжан")
    page.get_by_role("button", name="Join the class").click()
    child = page.url
    page.set_extra_http_headers({"accept-language": language})
    for path in (address, child, f"{child}/screen", f"{address}/results", "/class", "/classes"):
        page.goto(path if path.startswith("http") else f"{trainer.address}{path}")
        assert page.evaluate(SIDEWAYS) <= 0, (path, language)

"""A stop of a path, as somebody plays it in a browser; what is right comes from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from korgool.training.lessons import Stop, first_boards, path_of
from korgool.training.questions import Question, Way
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

TAKEN = 300
"""Milliseconds after a board has changed in which a tap is taken for one that was aimed at the board before."""


def stop_of(game: str, name: str) -> Stop:
    return next(one for one in path_of(game) if one.name == name)


def way_in(game: str) -> Stop:
    """The boards for who is on the way to a game, as a stop."""
    return Stop("first", "", first_boards(game))


def answer_button(page: Page, question: Question, answer: str) -> Locator:
    """What is pressed for an answer."""
    if question.way is Way.CHOICE:
        return page.locator(f'#choices button[data-value="{answer}"]')
    side, _, hole = answer.rpartition(" ")
    return page.locator(f'.hole-button[data-side="{side or "white"}"][data-hole="{hole}"]')


def give(page: Page, question: Question, answer: str, *, touch: bool) -> None:
    """Give an answer, and see the stones to their end."""
    page.wait_for_timeout(TAKEN)
    button = answer_button(page, question, answer)
    if touch:
        button.tap()
    else:
        button.click()
    expect(page.locator("#next")).to_be_enabled()


def play_stop(page: Page, stop: Stop, *, wrong: int = 0, touch: bool = True) -> None:
    """Play the boards of a stop, the first ones with a wrong answer before the right one."""
    for at, board in enumerate(stop.boards):
        question = board.question
        expect(page.locator("#steps .here")).to_have_count(1)
        if at < wrong and (bad := next((one for one in question.answers if one not in question.right), None)):
            give(page, question, bad, touch=touch)
            expect(page.locator("#verdict")).to_have_class("verdict wrong")
            page.locator("#next").click()
            expect(page.locator("#next")).to_be_disabled()
        give(page, question, question.right[0], touch=touch)
        expect(page.locator("#verdict")).to_have_class("verdict right")
        page.locator("#next").click()
    expect(page.locator("#lesson-end")).to_be_visible()

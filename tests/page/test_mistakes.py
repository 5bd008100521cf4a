"""One's own mistakes in a real browser: from the review of a game to the day on which they come back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from korgool.app.server.school.mistakes.schedule import GRADES, Answer, memory_of
from korgool.training.mistakes import Mistake, check_mistake, mistake_id
from tests.page.conftest import PHONE, NewTable
from tests.page.table import Table, expect
from tests.page.test_account_pages import PASSWORD, sign_up
from tests.page.test_axe import violations_here
from tests.page.test_offline import visited
from tests.page.test_review import resign
from tests.training.mistakes import mistake

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

CARDS = """() => Object.entries(localStorage).filter(([name]) => name.startsWith("korgool.mistake."))
  .map(([, text]) => JSON.parse(text))"""
SENT = """Object.entries(localStorage).filter(([name]) => name.startsWith("korgool.mistake."))
  .every(([, text]) => JSON.parse(text).sent)"""
STORE = """cards => {
  for (const card of cards) {
    const stored = { card, memory: null, dropped: false, switched: 0, sent: false };
    localStorage.setItem(`korgool.mistake..${card.id}`, JSON.stringify(stored));
  }
}"""
REMEMBER = """async histories => {
  const { reviewMemory } = await import("/static/js/mistakes/fsrs.js");
  return histories.map(history => history.reduce((all, [at, grade]) => {
    all.push(reviewMemory(all.at(-1) ?? null, grade, at));
    return all;
  }, []));
}"""
IDS = """async named => {
  const { mistakeId } = await import("/static/js/mistakes/mistake_store.js");
  return named.map(([game, position]) => mistakeId(game, position));
}"""


def is_paper(answered: Response) -> bool:
    return answered.url.endswith("/mistakes/worst.pdf")


def cards(page: Page) -> list[dict[str, Any]]:
    """The cards that the device keeps, in the order of their loss."""
    return sorted(page.evaluate(CARDS), key=lambda one: -one["card"]["lost"])


def stored(one: Table, *mistakes: Mistake) -> None:
    """Open the page of mistakes on a device that has some."""
    one.page.goto(f"{one.address}/puzzles")
    one.page.evaluate(STORE, msgspec.to_builtins(mistakes))
    one.page.goto(f"{one.address}/mistakes")


def on_board(page: Page, *mistakes: Mistake) -> Mistake:
    """Which of these is on the board of the page."""
    shown = page.locator("#mistake").get_attribute("data-card")
    return next(each for each in mistakes if each.id == shown)


def answer(page: Page, hole: int) -> None:
    """Sow a hole on the board of the page, once it takes one."""
    page.wait_for_function(
        "board => board.shown?.legal.length > 0 && !board.hasAttribute('data-moving')",
        arg=page.locator("#puzzle-board").element_handle(),
    )
    page.wait_for_timeout(350)  # a board that has just changed takes no tap
    page.locator(f'.hole-button[data-side="white"][data-hole="{hole}"]').click(delay=50)


def test_a_reviewed_game_gives_its_worst_moves(table: NewTable) -> None:
    one = table(reduced_motion="reduce")
    one.start("toguz", level=3)
    for _ in range(7):
        if not one.play(min(one.state()["legal"])):
            break
    game, page = one.id, one.page
    resign(one)
    page.goto(f"{one.address}/games/{game}/review")
    expect(page.locator("#mistakes-kept")).to_be_visible()
    found = cards(page)
    assert 1 <= len(found) <= 5
    assert page.locator("#mistakes-kept").inner_text().startswith(str(len(found)))
    moves = [move["hole"] for move in one.page.request.get(f"{one.address}/api/games/{game}").json()["moves"]]
    for each in found:
        card = msgspec.convert(each["card"], Mistake)
        assert check_mistake(card).to_move == 0
        assert (card.source, card.played) == (game, moves[card.ply - 1])
        assert card.lost >= 0.1
        assert len(card.lines) == len(card.start().legal_moves())
    page.reload()
    expect(page.locator("#mistakes-kept")).to_be_visible()
    assert cards(page) == found, "the same review makes no card twice"
    page.goto(f"{one.address}/")
    page.locator("#own-mistakes").click()
    expect(page.locator("#left")).to_have_text(f"{len(found)} due")
    card = found[0]["card"]
    expect(page.locator("#task")).to_contain_text(f"You played {card['played']} here")
    answer(page, card["played"])
    expect(page.locator("#verdict")).to_have_class("verdict wrong")
    expect(page.locator("#verdict")).to_contain_text(f"Not hole {card['played']}")
    answer(page, card["right"][0])
    expect(page.locator("#verdict")).to_have_class("verdict right")
    expect(page.locator("#about")).to_have_text("Comes again in 15 minutes.")
    expect(page.locator("#source a")).to_have_attribute("href", f"/games/{game}/review#better={card['ply']}")


def test_what_is_right_comes_back_in_days_and_what_is_shown_in_minutes(table: NewTable) -> None:
    one = table(PHONE, reduced_motion="reduce")
    page = one.page
    first, second, third = mistake("toguz"), mistake("mangala"), mistake("toguz", 3)
    stored(one, first, second, third)
    expect(page.locator("#left")).to_have_text("3 due")
    assert violations_here(page) == []
    for number in range(3):
        card = on_board(page, first, second, third)
        if number == 1:
            page.get_by_role("button", name="Show the answer").click()
            expect(page.locator("#about")).to_have_text("Comes again in 10 minutes.")
        else:
            answer(page, card.right[0])
            expect(page.locator("#about")).to_have_text("Comes again in 2 days.")
        if number < 2:
            page.locator("#next").click()
            expect(page.locator("#left")).to_have_text(f"{2 - number} due")
    page.locator("#next").click()
    expect(page.locator("#nothing-title")).to_have_text("Nothing is due")
    expect(page.locator("#solved")).to_have_text("3 mistakes solved in this sitting.")
    page.locator("#all-cards summary").click()
    with page.expect_popup() as opened, page.context.expect_event("response", is_paper) as answered:
        page.get_by_role("button", name="The 20 worst as PDF").click()
    assert (answered.value.status, answered.value.headers["content-type"]) == (200, "application/pdf")
    opened.value.close()
    boxes = page.locator("#card-list input")
    expect(boxes).to_have_count(3)
    assert violations_here(page) == []
    boxes.first.uncheck()
    assert sum(one["dropped"] for one in cards(page)) == 1
    page.reload()
    page.locator("#all-cards summary").click()
    expect(page.locator("#card-list")).to_contain_text("dropped")
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner


def test_a_board_is_solved_by_keys_and_another_tab_loses_no_answer(table: NewTable) -> None:
    one = table(reduced_motion="reduce")
    page = one.page
    first, second = mistake("toguz"), mistake("bestemshe")
    stored(one, first, second)
    other = page.context.new_page()
    other.goto(f"{one.address}/mistakes")
    for each in (other, page):
        expect(each.locator("#left")).to_have_text("2 due")
        card = on_board(each, first, second)
        expect(each.locator("#puzzle-board[data-ready]")).to_be_visible()
        for _ in range(20):
            each.keyboard.press(str(card.right[0]))
            try:
                expect(each.locator("#verdict")).to_have_class("verdict right", timeout=2000)
                break
            except AssertionError:
                continue
        if each is other:
            expect(page.locator("#left")).to_have_text("1 due")
            page.reload()
            expect(page.locator("#left")).to_have_text("1 due")
            break
    answers = page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('korgool.mistake-answer'))")
    assert len(answers) == 1


def test_the_device_schedules_as_the_library(table: NewTable) -> None:
    one = table()
    one.page.goto(f"{one.address}/puzzles")
    chance = random.Random(55)
    histories = []
    for _ in range(300):
        at, history = 1_790_000_000_000 + chance.randrange(10**9), []
        for _ in range(chance.randint(1, 25)):
            history.append((at, chance.choice(GRADES)))
            due = memory_of(Answer(str(when), when, grade) for when, grade in history)
            assert due is not None
            late = chance.choice([0, chance.randrange(3 * 10**7), chance.randrange(10**9), chance.randrange(10**10)])
            at = chance.choice([due.due + late, at + chance.randrange(2 * 10**8)])
        histories.append(history)
    steps = 0
    for history, told in zip(histories, one.page.evaluate(REMEMBER, histories), strict=True):
        for length, there in enumerate(told, 1):
            here = memory_of(Answer(str(when), when, grade) for when, grade in history[:length])
            assert here is not None
            assert (there["state"], there["due"], there["last"]) == (here.state, here.due, here.last)
            assert abs(there["stability"] / here.stability - 1) < 1e-9
            assert abs(there["difficulty"] - here.difficulty) < 1e-9
            steps += 1
    assert steps > 3000


def test_the_device_names_positions_as_the_library(table: NewTable) -> None:
    one = table()
    one.page.goto(f"{one.address}/puzzles")
    named = [(game, mistake(game).position) for game in ("toguz", "mangala", "castle", "bestemshe")]
    assert one.page.evaluate(IDS, named) == [mistake_id(*each) for each in named]


def test_a_visitor_solves_without_a_network(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path) as (one, cut):
        card = mistake("castle")
        stored(one, card)
        expect(one.page.locator("#left")).to_have_text("1 due")
        cut()
        one.page.reload()
        answer(one.page, card.right[0])
        expect(one.page.locator("#about")).to_have_text("Comes again in 2 days.")


def test_answers_of_an_account_wait_for_the_network_and_are_sent_once(table: NewTable) -> None:
    one = table(reduced_motion="reduce", expected="ERR_INTERNET_DISCONNECTED|Failed to load")
    page = one.page
    first = mistake("toguz")
    stored(one, first)
    name = f"M{random.SystemRandom().randrange(10**9)}"
    sign_up(page, one.address, name)
    page.goto(f"{one.address}/mistakes")
    expect(page.locator("#take-over-text")).to_have_text("This device has 1 mistake from before you signed in.")
    page.locator("#take").click()
    expect(page.locator("#left")).to_have_text("1 due")
    expect(page.locator("#take-over")).to_be_hidden()
    expect(page.locator("#puzzle-board[data-ready]")).to_be_visible()
    page.wait_for_function(f"() => {SENT}")
    page.context.set_offline(True)
    answer(page, first.right[0])
    expect(page.locator("#sync")).to_have_text("1 answer waits on this device for the network.")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/api/mistakes") else None)
    page.context.set_offline(False)
    expect(page.locator("#sync")).to_be_empty()
    page.wait_for_function("() => !Object.keys(localStorage).some(name => name.startsWith('korgool.mistake-answer'))")
    (memory,) = [one["memory"] for one in cards(page)]
    assert (memory["state"], sent) == (2, sent[:1])
    # Another device of the account, and a visitor's after it: nobody else sees the cards.
    page.evaluate("() => localStorage.clear()")
    page.reload()
    expect(page.locator("#nothing-title")).to_have_text("Nothing is due")
    assert [one["card"]["id"] for one in cards(page)] == [first.id]
    page.goto(f"{one.address}/account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()
    assert cards(page) == [], "signing out leaves nothing to the next one"
    page.goto(f"{one.address}/mistakes")
    expect(page.locator("#nothing-title")).to_have_text("No mistakes yet")
    page.goto(f"{one.address}/sign-in")
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{one.address}/")
    page.goto(f"{one.address}/mistakes")
    expect(page.locator("#nothing-title")).to_have_text("Nothing is due")

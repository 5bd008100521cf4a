"""The grid of results under the hands of typists: strokes and taps counted, two at once, a network that breaks."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.roles import DeskRole, Officer
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import event_of, join, round_page, sign_up
from tests.page.people import House, house
from tests.page.table import Table, expect
from tests.page.test_axe import violations
from tests.page.test_offline import keep
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Route

MOST_STROKES, MOST_TAPS = 6, 3


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("desk")) as made:
        yield made


def two_officials(table: NewTable, home: House, name: str, expected: str = "$^") -> tuple[Table, Table]:
    """Ann, and Ben who helps with results, at the first round of Ann's event; `name` makes their accounts unique."""
    ann, ben = (table(address=home.address, expected=expected) for _ in range(2))
    event = event_of(home, "Ann", sign_up(home, ann, f"Ann{name}"), 8)
    join(home, event, "Ben", sign_up(home, ben, f"Ben{name}"), DeskRole.RESULTS)
    for one in (ann, ben):
        round_page(home, one.page, event)
    return ann, ben


def stones(board: int) -> tuple[int, int]:
    """A result that differs from board to board, with two digits each."""
    winner, loser = 82 + board % 15, 40 + board % 20
    return (winner, loser) if board % 2 else (loser, winner)


def entered(home: House, event: LiveEvent) -> dict[int, tuple[int, int] | None]:
    """What stands at the boards of the first round."""
    state = home.run(event.fresh())
    return {game.board: None if game.result is None else game.result.stores for game in state.rounds[0].games}


@pytest.mark.smoke
@pytest.mark.parametrize("boards", [8, pytest.param(60, marks=pytest.mark.long)])
def test_a_typist_needs_six_strokes_a_board(table: NewTable, home: House, boards: int) -> None:
    page = (typist := table(address=home.address)).page
    event = event_of(home, "Typist", sign_up(home, typist, f"Typist{boards}"), 2 * boards)
    round_page(home, page, event)
    strokes = 0
    page.locator("#r1").focus()
    for board in range(1, boards + 1):
        white, black = stones(board)
        expect(page.locator(f"#r{board}")).to_be_focused()
        for key in (*f"{white}-{black}", "Enter" if board % 2 else "ArrowDown"):
            page.keyboard.press(key)
            strokes += 1
    expect(page.locator("[data-live=count] strong")).to_have_text(f"{boards} / {boards}")
    expect(page.locator(".board.ended")).to_have_count(boards)
    assert strokes <= MOST_STROKES * boards
    assert entered(home, event) == {board: stones(board) for board in range(1, boards + 1)}


def test_a_finger_needs_three_taps_and_the_digits(table: NewTable, home: House) -> None:
    page = (finger := table(PHONE, address=home.address)).page
    event = event_of(home, "Finger", sign_up(home, finger, "Finger"), 10)
    round_page(home, page, event)
    taps = 0

    def tap(selector: str) -> None:
        nonlocal taps
        page.locator(selector).tap()
        taps += 1

    for board in (1, 2, 3):
        white, black = stones(board)
        tap(f"#r{board}")
        assert page.locator(f"#r{board}").get_attribute("inputmode") == "numeric"
        page.keyboard.type(str(white))
        tap("[data-puts='-']")
        page.keyboard.type(str(black))
        tap("[data-enters]")
        expect(page.locator(f"#board-{board}.ended")).to_be_visible()
    assert taps <= MOST_TAPS * 3
    assert entered(home, event) == {1: stones(1), 2: stones(2), 3: stones(3), 4: None, 5: None}
    selected = "() => getSelection().toString() === document.getElementById('r3').value"
    page.locator("#r3").tap()  # what stands there is replaced by what is typed
    page.wait_for_function(selected)
    tap("#r4")
    assert violations(page) == []
    page.keyboard.type("70")
    for sign, digits in (("[data-puts='-']", "60"), ("[data-first='0-1']", ""), ("[data-first='1-0']", "")):
        page.locator(sign).tap()
        page.keyboard.type(digits)
    expect(page.locator("#r4")).to_have_value("1-0 70-60")
    tap("[data-ends='0-1 {} resignation']")
    expect(page.locator("#s4")).to_have_text("0 (70) - 1 (60) White resigned")
    tap("[data-whole='+-']")
    expect(page.locator("#s5")).to_have_text("+ - -")
    assert taps <= MOST_TAPS * 5
    # Row 3 comes from the lower edge, and the finger is below the whole grid by then.
    page.locator("#r3").evaluate("field => field.scrollIntoView({ block: 'end' })")
    page.locator("#r3").tap()
    page.wait_for_function(selected)


def test_two_officials_at_one_round(table: NewTable, home: House) -> None:
    ann, ben = two_officials(table, home, "", "409|422")
    ben.page.locator("#r2").fill("60-82")  # typed, not entered
    ben.page.locator("#r1").focus()
    ann.page.locator("#r1").fill("82-60")
    ann.page.keyboard.press("Enter")
    expect(ben.page.locator("#news")).to_have_text("Changed by Ann")  # which stands there for seconds only
    expect(ben.page.locator("#r1")).to_have_value("82-60")  # without a reload
    expect(ben.page.locator("#r1")).to_be_focused()

    ben.page.locator("#r3").press_sequentially("60-8")
    ann.page.locator("#r3").fill("82-60")
    ann.page.keyboard.press("Enter")
    expect(ben.page.locator("#board-3.behind")).to_be_visible()
    expect(ben.page.locator("#r3")).to_have_value("60-8")
    ben.page.locator("#r3").press("2")
    ben.page.keyboard.press("Enter")
    for one in (ann, ben):
        expect(one.page.locator("#board-3 .dispute li")).to_have_text(["1 (82) - 0 (60) Ann", "0 (60) - 1 (82) Ben"])
    expect(ben.page.locator("#s3")).to_have_text("1 (82) - 0 (60)")
    assert violations(ben.page) == []
    ben.page.locator("#y3").fill("the slip says so")
    ben.page.locator("#y3").press("Enter")
    expect(ben.page.locator("#s3")).to_have_text("0 (60) - 1 (82)")
    expect(ann.page.locator("#s3")).to_have_text("0 (60) - 1 (82)")
    expect(ann.page.locator("#r2")).to_have_value("60-82")


def test_others_are_named_and_oneself_is_not(table: NewTable, home: House) -> None:
    """Whatever comes first: one's own line or its answer, the page with somebody's change or the line about it."""
    ann, ben = two_officials(table, home, "2")
    pages, answers, holding = list["Route"](), list[tuple["Route", "APIResponse"]](), True

    def hold(route: Route) -> None:
        if not holding:
            route.continue_()
        elif route.request.method == "GET":
            pages.append(route)
        else:
            answers.append((route, route.fetch()))

    ben.page.route(re.compile("/desk/round/1"), hold)
    ben.page.evaluate(
        """() => {
          window.told = [];
          const news = document.getElementById("news");
          new MutationObserver(() => news.textContent && told.push(news.textContent)).observe(news, {childList: true});
        }"""
    )
    with ben.page.expect_request(lambda request: request.method == "GET" and "/desk/round/1/rows" in request.url):
        ben.page.locator("#r2").fill("60-82")
        ben.page.keyboard.press("Enter")
    ann.page.locator("#r1").fill("82-60")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#board-1.ended")).to_be_visible()
    holding = False
    for route in pages:
        route.continue_()
    expect(ben.page.locator("#r1")).to_have_value("82-60")
    ben.page.wait_for_function("() => told.length")
    assert answers
    for route, answer in answers:
        route.fulfill(response=answer)
    expect(ben.page.locator("#board-2.ended")).to_be_visible()
    assert ben.page.evaluate("told") == ["Changed by Ann"]


def test_what_is_typed_without_a_network_is_sent_later(table: NewTable, home: House) -> None:
    page = (typist := table(address=home.address, expected="ERR_INTERNET_DISCONNECTED")).page
    event = event_of(home, "Cut", sign_up(home, typist, "Cut"), 8)
    round_page(home, page, event)
    begun = event.seq
    page.context.set_offline(True)
    page.locator("#r1").fill("82-60")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_contain_text("not sent yet")
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#r2")).to_be_focused()
    page.keyboard.type("60-82")
    page.keyboard.press("Enter")
    assert entered(home, event)[1] is None
    page.context.set_offline(False)
    expect(page.locator("#s2")).to_have_text("0 (60) - 1 (82)")
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")  # what was kept is sent again in any order
    expect(page.locator("#lost")).to_be_hidden()
    assert entered(home, event) == {1: (82, 60), 2: (60, 82), 3: None, 4: None}
    assert sorted(line.text[:16] for line in home.run(event.log(begun))) == ["round 1, board 1", "round 1, board 2"]

    page.context.set_offline(True)  # and a page that is closed meanwhile sends it when it is opened again
    page.locator("#r3").fill("81-81")
    page.keyboard.press("Enter")
    expect(page.locator("#s3")).to_contain_text("not sent yet")
    page.context.set_offline(False)
    round_page(home, page, event)
    expect(page.locator("#s3")).to_have_text("½ (81) - ½ (81)")


def test_without_a_network_a_page_of_the_desk_speaks_of_results(table: NewTable, home: House) -> None:
    page = (typist := table(address=home.address, expected="ERR_INTERNET_DISCONNECTED", service_workers="allow")).page
    event = event_of(home, "Away", sign_up(home, typist, "Away"), 8)
    round_page(home, page, event)
    keep(page)
    page.context.set_offline(True)
    page.locator("#r1").fill("82-60")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_contain_text("not sent yet")
    page.goto(f"{home.address}/events/{event.id}/desk/players")
    expect(page.locator("main")).to_contain_text("are kept on this device")
    expect(page.locator("#of-games")).to_be_hidden()
    expect(page.locator("#outbox")).to_contain_text("1 result waits to be sent")
    # In a tab of its own: the page before reloads itself when it hears of a network, and that may end a way elsewhere.
    lobby = page.context.new_page()
    lobby.goto(f"{home.address}/lobby")
    expect(lobby.locator("#of-games")).to_contain_text("Games are kept there as they stood.")
    expect(lobby.locator("#of-games")).to_be_visible()
    expect(lobby.locator("#outbox")).to_be_hidden()


def test_the_screens_fit_and_pass_axe(table: NewTable, home: House) -> None:
    page = (desk := table(PHONE, address=home.address, locale="ru")).page
    account = sign_up(home, desk, "Axe")
    event = event_of(home, "Axe", account, 5)
    officer = Officer(account, "Axe", DeskRole.ORGANISER)
    at = f"{home.address}/events/{event.id}/desk"
    for path in ("", "/round/1/hands"):
        page.goto(at + path)
        page.locator("#console").wait_for()
        assert violations(page) == []
    results = [{"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2)]
    home.run(event.act(officer, event.seq, results))
    page.goto(f"{at}/pairing")
    page.locator(".work form button.primary").click()
    page.locator(".because summary").first.click()
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    for path in ("", "/pairing", "/round/1", "/round/1/hands"):
        page.goto(at + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path


def test_the_keyboard_reaches_everything(table: NewTable, home: House) -> None:
    page = (typist := table(address=home.address, expected="422")).page
    event = event_of(home, "Keys", sign_up(home, typist, "Keys"), 8)
    round_page(home, page, event)
    page.locator("#r1").focus()
    page.keyboard.type("12")
    page.keyboard.press("Escape")
    expect(page.locator("#r1")).to_have_value("")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#r2")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#r1")).to_be_focused()
    page.keyboard.type("82-60")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("60-82")  # another result: the row asks why, and proposes nothing
    page.keyboard.press("Enter")
    expect(page.locator("#y1")).to_be_focused()
    expect(page.locator("#y1")).to_have_value("")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    expect(page.locator("#y1")).to_be_focused()
    page.keyboard.type("slip")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_have_text("0 (60) - 1 (82)")
    expect(page.locator("#r1")).to_be_visible()
    assert page.locator("[data-unsent]").count() == 0


_KEPT = "Object.keys(localStorage).filter(name => name.startsWith('korgool-outbox'))"


def test_a_row_that_comes_anew_is_not_left(table: NewTable, home: House) -> None:
    """The typist stays in it: nothing is sent again by itself, which would take away the reason that is being typed."""
    page = (typist := table(address=home.address, expected="422")).page
    event = event_of(home, "Once", sign_up(home, typist, "Once"), 8)
    round_page(home, page, event)
    page.locator("#r4").fill("82-60")  # the last board: one stays there
    page.keyboard.press("Enter")
    expect(page.locator("#s4")).to_have_text("1 (82) - 0 (60)")
    expect(page.locator("#r4")).to_be_focused()
    assert page.evaluate(_KEPT) == []
    page.locator("#r4").fill("60-82")
    page.keyboard.press("Enter")
    expect(page.locator("#y4")).to_be_focused()
    assert page.evaluate(_KEPT) == []


_HOLD = """(part) => {
  const [owner, name] = part === "head" ? [window, "fetch"] : [Response.prototype, "text"];
  const whole = owner[name];
  const held = new Promise((go) => (window.release = go));
  window.holding = false;
  owner[name] = async function (...given) {
    const got = await whole.apply(this ?? window, given);
    if ((got.url ?? this.url).endsWith("/results")) {
      window.holding = true;
      await held;
    }
    return got;
  };
}"""
"""Holds the answers to what is typed: their heads, or the bodies alone, as a slow network does."""


@pytest.mark.parametrize("part", ["head", "body"])
def test_a_result_that_is_entered_anew_before_the_answer_is_not_lost(table: NewTable, home: House, part: str) -> None:
    page = (typist := table(address=home.address, expected="422")).page
    event = event_of(home, "Anew", sign_up(home, typist, f"Anew{part}"), 8)
    round_page(home, page, event)
    page.evaluate(_HOLD, part)
    page.locator("#r1").fill("82-60")
    page.keyboard.press("Enter")
    page.wait_for_function("() => holding")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("60-82")
    page.keyboard.press("Enter")
    expect(page.locator("#r2")).to_be_focused()
    page.evaluate("release()")
    expect(page.locator("#y1")).to_be_visible()
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    expect(page.locator("#r1")).to_have_value("60-82")
    expect(page.locator("#board-1 .refused")).to_have_count(0)  # it is the typist's own result that is changed
    page.locator("#y1").fill("the slip says so")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_have_text("0 (60) - 1 (82)")
    assert entered(home, event)[1] == (60, 82)


@pytest.mark.parametrize("part", ["head", "body"])
def test_a_reason_that_is_entered_before_the_answer_is_not_lost(table: NewTable, home: House, part: str) -> None:
    """A result that nobody gives a reason for is sent, and sent again with one before it is answered."""
    page = (typist := table(address=home.address, expected="422")).page
    event = event_of(home, "Why", sign_up(home, typist, f"Why{part}"), 8)
    round_page(home, page, event)
    for typed in ("82-60", "60-82"):
        page.locator("#r1").fill(typed)
        page.keyboard.press("Enter")
        expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    expect(page.locator("#y1")).to_be_focused()
    page.evaluate(_HOLD, part)
    page.locator("#y1").fill("")
    page.keyboard.press("Enter")
    page.wait_for_function("() => holding")
    page.locator("#y1").fill("the slip says so")
    page.keyboard.press("Enter")
    page.evaluate("release()")
    expect(page.locator("#s1")).to_have_text("0 (60) - 1 (82)")
    assert entered(home, event)[1] == (60, 82)


def test_the_answer_does_not_take_away_what_is_typed_meanwhile(table: NewTable, home: House) -> None:
    page = (typist := table(address=home.address, expected="422")).page
    event = event_of(home, "Quick", sign_up(home, typist, "Quick"), 8)
    round_page(home, page, event)
    page.evaluate(_HOLD, "head")
    page.locator("#r1").fill("82-60")
    page.keyboard.press("Enter")
    page.wait_for_function("() => holding")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("0-82")
    page.keyboard.press("Home")
    page.evaluate("release()")
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    expect(page.locator("#r1")).to_be_focused()
    page.keyboard.type("6")
    expect(page.locator("#r1")).to_have_value("60-82")
    page.keyboard.press("Enter")
    expect(page.locator("#y1")).to_be_focused()


@pytest.mark.parametrize("refused", [False, True])
def test_a_row_that_is_left_shows_what_others_have_entered(table: NewTable, home: House, refused: bool) -> None:
    ann, ben = two_officials(table, home, f"3{refused}", "422")
    ben.page.locator("#r2").fill("8")
    if refused:
        ben.page.keyboard.press("Enter")
        expect(ben.page.locator("#board-2.troubled")).to_be_visible()
    ann.page.locator("#r2").fill("82-60")
    ann.page.keyboard.press("Enter")
    expect(ben.page.locator("#board-2.behind")).to_be_visible()
    expect(ben.page.locator("#r2")).to_have_value("8")
    ben.page.locator("#r2").press("Escape")
    expect(ben.page.locator("#r2")).to_have_value("82-60")
    expect(ben.page.locator("#s2")).to_have_text("1 (82) - 0 (60)")
    expect(ben.page.locator("#board-2.behind")).to_have_count(0)


def test_a_slow_page_does_not_take_back_what_is_newer(table: NewTable, home: House) -> None:
    """The page that is asked for because of somebody's change comes after the answer to one's own, which it lacks."""
    ann, ben = two_officials(table, home, "4")
    page, held = ben.page, list[tuple["Route", "APIResponse"]]()
    page.route(re.compile("/desk/round/1/rows"), lambda route: held.append((route, route.fetch())), times=1)
    ann.page.locator("#r2").fill("82-60")
    ann.page.keyboard.press("Enter")
    until = time.monotonic() + PATIENCE
    while not held:
        assert time.monotonic() < until, "the page is not asked for"
        page.wait_for_timeout(20)
    page.locator("#r1").fill("60-82")
    page.keyboard.press("Enter")
    expect(page.locator("#s1")).to_have_text("0 (60) - 1 (82)")
    page.evaluate(
        """() => {
          window.shown = [];
          const note = () => shown.push(document.getElementById("s1").textContent);
          new MutationObserver(note).observe(document.getElementById("grid"), {childList: true, subtree: true});
        }"""
    )
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(page.locator("#r2")).to_have_value("82-60")
    assert set(page.evaluate("shown")) == {"0 (60) - 1 (82)"}

"""The coach of a game against the engine, and what is said after the game: every fact against an oracle in Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from korgool.rules import GAMES, Position, Rules, Side, Sowing
from tests.conftest import SEED
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.table import Table, expect
from tests.page.test_axe import violations_here

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FACTS = """
async ([game, games]) => {
  const { KernelRules } = await import("/static/js/device/kernel_rules.js");
  const { factsOf, turnsOf } = await import("/static/js/play/turn_facts.js");
  const { coachFacts } = await import("/static/js/play/coach_facts.js");
  const { overlookedBy, largestGift } = await import("/static/js/play/overlooked.js");
  const rules = await KernelRules.load(game);
  return games.map((moves) => {
    const turns = turnsOf(factsOf(rules, null, moves));
    const said = turns.map((turn, at) => {
      const you = turn[0].side === "white" ? "black" : "white";
      return coachFacts(turns.slice(Math.max(0, at - 1), at + 1), you);
    });
    const sides = ["white", "black"].map((side) => {
      return { overlooked: overlookedBy(turns, side), gift: largestGift(turns, side) };
    });
    return { said, sides, later: factsOf(rules, null, moves, 3), facts: turns.flat() };
  });
}
"""
SIDES = {"white": Side.WHITE, "black": Side.BLACK}


@pytest.fixture(scope="module")
def page(browser: Browser, server: str) -> Iterator[Page]:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(f"{server}/")
    yield page
    context.close()


def taken(before: Position, sowing: Sowing) -> dict[int, int]:
    """Stones that went from holes of the other side into the mover's store, by hole, by the boards alone."""
    after = sowing.after
    mover, other = sowing.mover, sowing.mover.other
    fallen = [0] * before.rules.holes
    for drop in sowing.drops:
        if drop.hole and drop.side is other:
            fallen[drop.hole - 1] += 1
    gone = {}
    for at, (was, now) in enumerate(zip(before.holes[other], after.holes[other], strict=True)):
        if (before.tuz[mover] or 0) != at + 1 and (stones := was + fallen[at] - now):
            gone[at + 1] = stones
    return gone


@dataclass(frozen=True)
class Turn:
    """Plies of one side, each with the position before it."""

    side: Side
    plies: list[tuple[int, Position, Sowing]]

    @property
    def best(self) -> int:
        return max(max(taken(before, sowing).values(), default=0) for _, before, sowing in self.plies)

    @property
    def made(self) -> int:
        return next((sowing.tuz or 0 for _, _, sowing in self.plies if sowing.tuz), 0)

    @property
    def after(self) -> Position:
        return self.plies[-1][2].after


def could_take(position: Position) -> dict[int, dict[int, int]]:
    """What each hole would take."""
    return {} if position.outcome() else {hole: taken(position, position.sow(hole)) for hole in position.legal_moves()}


def could_make(position: Position) -> dict[int, int]:
    """The tuz that each hole would make."""
    return (
        {} if position.outcome() else {hole: tuz for hole in position.legal_moves() if (tuz := position.sow(hole).tuz)}
    )


def largest(position: Position) -> int:
    return max((stones for one in could_take(position).values() for stones in one.values()), default=0)


def played(rules: Rules, moves: list[int]) -> list[Turn]:
    position, plies = rules.start(), list[tuple[int, Position, Sowing]]()
    for ply, move in enumerate(moves, 1):
        sowing = position.sow(move)
        plies.append((ply, position, sowing))
        position = sowing.after
    return [Turn(side, list(some)) for side, some in groupby(plies, lambda one: one[1].to_move)]


def is_so(fact: dict[str, Any], turns: list[Turn], you: Side) -> bool:
    """Whether what is said is so."""
    kind: str = fact["kind"]
    hole: int = fact["hole"]
    source: int = fact["from"]
    stones: int = fact["stones"]
    mine = next((one for one in turns if one.side is not you), None)
    yours = next((one for one in turns if one.side is you), None)
    match kind:
        case "my-tuz" | "your-tuz":
            turn = mine if kind == "my-tuz" else yours
            assert turn is not None
            ((board, three),) = [(before, sowing) for _, before, sowing in turn.plies if sowing.tuz]
            counts = board.holes[turn.side.other]
            exact = counts[hole - 1] + sum(one.hole == hole and one.side is turn.side.other for one in three.drops)
            return turn.made == hole and turn.after.tuz[turn.side] == hole and exact == 3
        case "my-missed-tuz" | "your-missed-tuz":
            turn = mine if kind == "my-missed-tuz" else yours
            assert turn is not None
            return not turn.made and any(could_make(before).get(source) == hole for _, before, _ in turn.plies)
        case "my-capture" | "your-capture":
            turn = mine if kind == "my-capture" else yours
            assert turn is not None
            one = next(s for _, before, s in turn.plies if taken(before, s).get(hole) == stones)
            last = one.drops[-1]
            even = last.side is turn.side.other and last.hole == hole and stones % 2 == 0
            return stones == turn.best and bool(fact["even"] == even)
        case "overlooked":
            assert mine is not None
            assert yours is not None
            before = yours.after
            return could_take(before)[source].get(hole) == stones == largest(before) and mine.best < stones >= 4
        case "offered":
            assert mine is not None
            assert turns[-1] is mine
            return any(one.get(hole) == stones for one in could_take(mine.after).values()) and stones >= 6
        case "offered-tuz":
            assert mine is not None
            assert turns[-1] is mine
            return hole in could_make(mine.after).values()
    return False


def expected_kinds(turns: list[Turn], you: Side) -> set[str]:
    """What must be among the facts."""
    found = set()
    for at, turn in enumerate(turns):
        who = "your" if turn.side is you else "my"
        if turn.made:
            found.add(f"{who}-tuz")
        elif any(could_make(before) for _, before, _ in turn.plies):
            found.add(f"{who}-missed-tuz")
        if turn.best and not turn.made:
            found.add(f"{who}-capture")
        left = largest(turn.after)
        if at + 1 == len(turns) and turn.side is not you:
            if could_make(turn.after):
                found.add("offered-tuz")
            elif left >= 6:
                found.add("offered")
        if turn.side is you and at + 1 < len(turns) and left >= 4:
            reply = turns[at + 1]
            if reply.best < left and not reply.made:
                found.add("overlooked")
    return found


def overlooked(turns: list[Turn], side: Side) -> tuple[int, int]:
    """Turns with a tuz that was not made, and stones that were not taken, each once while it lies in its hole."""
    tuz = stones = 0
    counted = dict[int, int]()
    for turn in turns:
        if turn.side is not side:
            for _, _, sowing in turn.plies:
                counted.pop(sowing.hole, None)
            continue
        first = turn.plies[0][1]
        tuz += not turn.made and any(could_make(before) for _, before, _ in turn.plies)
        for _, before, sowing in turn.plies:
            for hole in taken(before, sowing):
                counted.pop(hole, None)
        most = largest(first)
        if turn.made or most <= turn.best:
            continue
        hole = next(hole for one in could_take(first).values() for hole, many in one.items() if many == most)
        more = max(0, most - turn.best - counted.get(hole, 0))
        counted[hole] = counted.get(hole, 0) + more
        stones += more
    return tuz, stones


def random_game(rules: Rules, random: Random) -> list[int]:
    """A game in which every second move takes what it can, so that there is something to tell."""
    position, moves = rules.start(), list[int]()
    while not position.outcome() and (legal := position.legal_moves()) and len(moves) < 160:
        greedy = max(legal, key=lambda hole: (sum(taken(position, position.sow(hole)).values()), hole))
        moves.append(greedy if random.random() < 0.5 else random.choice(legal))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize("count", [3, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_said_that_is_not_so(page: Page, name: str, count: int) -> None:
    """Over random games, from the side of both players: each fact is so, and none is left out."""
    rules, random = GAMES[name], Random(f"coach {name} {SEED}")
    games = [random_game(rules, random) for _ in range(count)]
    kinds = set[str]()
    for moves, told in zip(games, page.evaluate(FACTS, [name, games]), strict=True):
        turns = played(rules, moves)
        assert len(told["said"]) == len(turns)
        for at, said in enumerate(told["said"]):
            last = turns[max(0, at - 1) : at + 1]
            you = turns[at].side.other
            for fact in said:
                assert is_so(fact, last, you), (moves, at, fact)
            assert {fact["kind"] for fact in said} == expected_kinds(last, you), (moves, at)
            assert [one["weight"] for one in said] == sorted((one["weight"] for one in said), reverse=True)
            kinds |= {fact["kind"] for fact in said}
        for side, found in zip(Side, told["sides"], strict=True):
            figures = found["overlooked"]
            assert (figures["tuz"], figures["stones"]) == overlooked(turns, side), moves
            if gift := found["gift"]:
                at = next(at for at, turn in enumerate(turns) if turn.plies[-1][0] == gift["ply"])
                assert turns[at].side is side
                assert any(one.get(gift["hole"]) == gift["stones"] for one in could_take(turns[at].after).values())
                reply = turns[at + 1] if at + 1 < len(turns) else None
                got = [taken(before, s).get(gift["hole"], 0) for _, before, s in reply.plies] if reply else []
                assert gift["taken"] == (max(got, default=0) >= gift["stones"])
        assert told["later"] == told["facts"][3:]
    assert {"my-capture", "your-capture", "overlooked", "offered"} <= kinds
    assert rules.tuz is False or {"your-tuz", "your-missed-tuz", "offered-tuz"} <= kinds


MAY = "async (state) => (await import('/static/js/play/coach_switch.js')).mayCoach(state)"
LINE = "#connection[data-calm]"
VOICES = """() => {
  const said = window.said = [];
  const voice = { lang: "en-GB", name: "voice", default: true, localService: true, voiceURI: "voice" };
  const synthesis = { getVoices: () => [voice], speak: (one) => said.push(one.text), cancel: () => {},
    addEventListener: () => {} };
  Object.defineProperty(window, "speechSynthesis", { value: synthesis });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
}"""
FINISH = """async (id) => {
  const token = document.querySelector('meta[name="csrf-token"]').content;
  const headers = { "content-type": "application/json", accept: "application/json", "x-csrftoken": token };
  for (;;) {
    const state = await (await fetch(`/api/games/${id}`)).json();
    if (state.outcome) return state.moves.map(({ hole }) => hole);
    const [best] = state.legal.toSorted((one, other) => state.previews[other].captures - state.previews[one].captures);
    const body = JSON.stringify({ hole: best, version: state.version });
    if (best) await fetch(`/api/games/${id}/move`, { method: "POST", headers, body });
    else await new Promise((done) => setTimeout(done, 10));
  }
}"""
KEPT = "name => localStorage.getItem(`korgool.${name}`)"


def coached(seat: Table) -> list[str]:
    """Whether the switch is there, and whether it is on."""
    box = seat.page.locator("#coach")
    return [] if not box.count() else ["on" if box.is_checked() else "off"]


def test_it_speaks_in_the_first_games_and_on_request(table: NewTable) -> None:
    """On the page, in its live region and aloud; a choice is remembered."""
    seat = table(PHONE)
    page = seat.page
    page.add_init_script(f"({VOICES})()")
    page.add_init_script("if (origin !== 'null') localStorage.setItem('korgool.aloud', 'on')")
    seat.start()
    assert coached(seat) == ["on"]
    expect(page.locator(LINE)).to_be_hidden()
    assert seat.play()
    line = page.locator(LINE)
    expect(line).to_have_text(re.compile(r"^Kulun: (You|I|My) .*hole \d"))
    said = line.text_content() or ""
    expect(page.locator("#spoken")).to_contain_text(said)
    assert page.evaluate("said") == [said.removeprefix("Kulun: ")]
    assert page.evaluate(KEPT, "coached-games") == seat.id
    # It is one of the first games still; in a later one only who wants it has it.
    page.reload()
    seat.ready()
    assert coached(seat) == ["on"]
    page.evaluate("localStorage.setItem('korgool.coached-games', 'a b c')")
    page.reload()
    seat.ready()
    assert coached(seat) == ["off"]
    assert seat.play()
    expect(page.locator(LINE)).to_be_hidden()
    page.locator("#rest").tap()
    page.locator("#game-menu #coach").tap()
    page.keyboard.press("Escape")
    for _ in range(6):
        assert seat.play()
        if page.locator(LINE).is_visible():
            break
    else:
        pytest.fail("nothing was said in six turns")
    page.reload()
    seat.ready()
    assert coached(seat) == ["on"]
    assert page.evaluate(KEPT, "coach") == "on"


@pytest.mark.parametrize("terms", [{"rated": True}, {"conduct": "competition", "clock": "10+5"}, {"to": "self"}])
def test_no_coach_elsewhere(table: NewTable, terms: dict[str, Any]) -> None:
    """Not where the game counts, not by the rules of a competition, and not for two at one device."""
    seat = table()
    page = seat.page
    page.goto(f"{seat.address}/about")
    state = {"level": None if "to" in terms else 1, "rated": False, "conduct": "friendly", "shared": "to" in terms}
    state |= {"you": "white", "rules": {}} | {key: terms[key] for key in terms if key in ("rated", "conduct")}
    may = page.evaluate(MAY, state)
    assert not may
    usual = {"level": 1, "rated": False, "conduct": "friendly", "shared": False, "you": "white", "rules": {}}
    assert page.evaluate(MAY, usual)


def test_the_last_stop_is_a_game_with_a_coach(table: NewTable) -> None:
    """Whatever was chosen for other games; it counts once the game is finished. The end says what was overlooked."""
    seat = table(DESK)
    page = seat.page
    page.add_init_script(
        "if (origin !== 'null') for (const name of ['speed', 'coach']) localStorage.setItem(`korgool.${name}`, 'off');"
    )
    page.goto(f"{seat.address}/learn/bestemshe/game")
    expect(page.locator("#lesson-game")).to_contain_text("The opponent is your coach")
    page.get_by_role("button", name="Play a first game").click()
    expect(page).to_have_url(re.compile(r"/games/\w{12}$"))
    seat.ready()
    state = seat.state()
    assert (state["level"], state["start"], state["you"], state["game"]) == (1, None, "white", "bestemshe")
    expect(page.locator("#coach")).to_be_checked()
    assert page.evaluate(KEPT, "lessons") is None
    said = set[str | None]()
    while not said:
        assert seat.play()
        if page.locator(LINE).is_visible():
            said.add(page.locator(LINE).text_content())
    assert violations_here(page) == []
    moves = page.evaluate(FINISH, seat.id)
    expect(page.locator("#lesson-done")).to_be_visible()
    assert violations_here(page) == []
    assert json.loads(page.evaluate(KEPT, "lessons")) == {"bestemshe": {"game": 3}}
    turns = played(GAMES["bestemshe"], moves)
    _, stones = overlooked(turns, Side.BLACK)
    rows = page.locator("#overlooked li")
    if stones:
        expect(rows.first).to_contain_text(re.compile(rf"did not take {stones} stones?"))
    for text in rows.all_text_contents():
        if found := re.match(r"Move (\d+), White (\d+) stones? (was|were|could)", text):
            turn = turns[2 * int(found[1]) - 2]
            assert int(found[2]) == largest(turn.after)
    if rows.count():
        href = rows.last.locator("a").get_attribute("href") or ""
        ply = int(href.partition("#ply=")[2])
        rows.last.locator("a").click()
        page.locator("korgool-board[data-ready]").wait_for()
        page.wait_for_function("ply => location.hash.endsWith(`ply=${ply}`)", arg=ply)


def test_a_game_that_was_given_up_is_no_lesson(table: NewTable) -> None:
    seat = table(DESK)
    page = seat.page
    page.goto(f"{seat.address}/learn/toguz/game")
    page.get_by_role("button", name="Play a first game").click()
    seat.ready()
    page.locator("#resign").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#outcome")).to_be_visible()
    assert page.evaluate(KEPT, "lessons") is None
    expect(page.locator("#lesson-done")).to_be_hidden()


def test_what_the_device_counts(table: NewTable) -> None:
    """The first lesson, the first game, and its first capture; shown in the settings, deleted there, and never sent."""
    seat = table(PHONE)
    page = seat.page
    sent = list[str]()
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    seat.start()
    while not page.evaluate(KEPT, "first-capture"):
        assert seat.play()
    state = seat.state()
    first = next(
        (ply, sowing)
        for turn in played(GAMES["toguz"], [move["hole"] for move in state["moves"]])
        for ply, _, sowing in turn.plies
        if turn.side is Side.WHITE and sowing.captured
    )
    stones = sum(many for _, _, many in first[1].captured)
    page.goto(f"{seat.address}/settings")
    expect(page.locator("#count-capture")).to_have_text(f"move {(first[0] + 1) // 2}, stones taken: {stones}")
    expect(page.locator("#count-lesson")).to_have_text("not yet")
    expect(page.locator("#count-game")).to_contain_text("20")
    kept = page.evaluate("() => ['game', 'capture'].map((name) => localStorage.getItem(`korgool.first-${name}`))")
    assert not [one for one in sent for value in kept if value[:19] in one]
    page.locator("#delete-count").tap()
    expect(page.locator("#count-deleted")).to_have_text("Deleted.")
    expect(page.locator("#count-game")).to_have_text("not yet")
    expect(page.locator("#delete-count")).to_be_hidden()
    left = page.evaluate("() => Object.keys(localStorage).filter((name) => /first-(lesson|game|capture)$/.test(name))")
    assert left == []

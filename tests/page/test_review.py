"""The review of a game: its definitions, its figures, and the search for the better move."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from korgool.engine import Analysis, Line
from korgool.engine.review import THRESHOLDS, ReviewedPly, move_accuracy, review, summary
from korgool.rules import GAMES, Game, Position, Side
from tests.page.analysis import SIDES, Board, after, greedy, text
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.table import PLAYABLE, Table, expect
from tests.page.test_offline import visited
from tests.patience import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOLD = """() => {
  const send = Worker.prototype.postMessage;
  const held = [];
  Worker.prototype.postMessage = function (...rest) { held.push(() => send.apply(this, rest)); };
  return () => {
    Worker.prototype.postMessage = send;
    for (const one of held) one();
  };
}"""
"""The engine hears nothing until what this returns is called."""

SEEK = """async () => {
  const {BetterMoves} = await import("/static/js/analysis/better_moves.js");
  const {showNotice} = await import("/static/js/analysis/board_state.js");
  const {buildTree} = await import("/static/js/analysis/game_tree.js");
  const {openRules} = await import("/static/js/analysis/rules_provider.js");
  const {ServerUnreachableError} = await import("/static/js/analysis/server_requests.js");
  const rules = await openRules("toguz");
  const {line} = await buildTree(rules, null, [{before: [], moves: [7, 5, 3, 2]}]);
  const byId = id => document.getElementById(id);
  const gone = () => Promise.reject(new ServerUnreachableError("gone"));
  const pause = () => new Promise(done => setTimeout(done, 20));
  const mistake = node => ({node, side: "white", judgement: {mark: "mistake"}, final: true});
  const rejected = [];
  addEventListener("unhandledrejection", ({reason}) => rejected.push(String(reason)));

  // A search for better moves by itself: the buttons are copies, which nothing else listens to.
  const seek = (nodes, judge, follow = rules.follow.bind(rules)) => {
    byId("better").replaceWith(byId("better").cloneNode(true));
    showNotice("");
    let current = line[0];
    const compare = () => ({against: [], instead: []});
    const review = {judge, moves: nodes.map(mistake)};
    const better = new BetterMoves({
      review, rules: () => ({game: "toguz", follow, compare}), current: () => current, sown: async () => {},
      show: node => { current = node; }, arrows() {}, changed() {}, branched() {},
    });
    better.start("both");
    const told = () => {
      const back = current === line[0];
      return {asking: better.asking, back, told: byId("better-told").textContent, notice: byId("notice").textContent};
    };
    return {better, review, told};
  };
  const answered = async (...how) => {
    const {better, told} = seek([line[1]], ...how);
    await better.answer(9);
    return told();
  };

  const unplayed = await answered(async () => null, gone);
  const unjudged = await answered(gone);
  const unknown = await answered(async () => null);
  const asked = seek([line[1]], gone);
  byId("better-show").click();
  await pause();
  const unrevealed = asked.told();

  let fail;
  const ended = seek([line[1]], () => new Promise((_, reject) => { fail = reject; }));
  const late = ended.better.answer(9);
  await pause();
  ended.better.end();
  fail(new Error("late"));
  await late;
  const left = ended.told();

  line[2].seen = {best: 3, pv: [3], texts: ["3"]};
  const {better, review} = seek([line[3]], gone);
  byId("better-show").click();
  await pause();
  byId("better-next").click();
  const tasks = [better.task?.ply];
  review.moves = [line[1], line[3]].map(mistake);
  better.update();
  tasks.push(better.task?.ply);
  byId("better-next").click();
  tasks.push(better.task?.ply);
  return {failed: {unplayed, unjudged, unknown, unrevealed}, left, tasks, rejected};
}"""

JUDGE = """async games => {
  const {MARKS, judgeMove, moveAccuracy, summarise} = await import("/static/js/analysis/review_values.js");
  const {searchResult, outcomeValue} = await import("/static/js/analysis/review_search.js");
  const {openRules} = await import("/static/js/analysis/rules_provider.js");
  const {buildTree} = await import("/static/js/analysis/game_tree.js");
  const told = [];
  for (const {game, moves, reports} of games) {
    const rules = await openRules(game);
    const {line} = await buildTree(rules, null, [{before: [], moves}]);
    line.forEach((node, at) => {
      node.seen = outcomeValue(node) ?? searchResult(node, {lines: reports[at]}, () => []);
    });
    const sideOf = node => node.parent.snapshot.board.turn;
    const moved = line.slice(1).map(node => ({side: sideOf(node), judgement: judgeMove(game, node)}));
    const [white, black] = ["white", "black"].map(side => summarise(moved, side));
    told.push({judged: moved.map(one => one.judgement), white, black});
  }
  return {marks: MARKS, told, accuracy: [0, 0.03, 0.1, 0.5, 1].map(moveAccuracy)};
}"""


def chances(position: Position, random: Random) -> Analysis | None:
    """An analysis of one to three lines with values by chance, some of them decided."""
    legal = position.legal_moves()
    if position.outcome() is not None or not legal:
        return None
    first = random.choice([random.random(), random.uniform(0, 0.03), random.uniform(0.97, 1)])
    lines: list[Line] = []
    for move in random.sample(legal, min(len(legal), random.randint(1, 3))):
        win = max(0.0, first - random.choice([0.0, random.uniform(0, 0.3)]) * bool(lines))
        draw = random.uniform(0, 1 - win) * 0.1
        stones = random.uniform(-1, 1) * position.rules.total
        lines.append(Line(move, stones, win, draw, 1 - win - draw, False, 7, (move,)))
    lines.sort(key=lambda line: -(line.win + line.draw / 2))
    return Analysis(tuple(lines), 1, 0.0)


SAME_MARKS = """() => ["good", "inaccuracy", "mistake", "blunder"].every(mark => {
  const counts = [...document.querySelectorAll(`#figures td.${mark}`)].map(cell => Number(cell.textContent));
  return counts[0] + counts[1] === document.querySelectorAll(`#tree .mark.${mark}`).length;
})"""
SUMMARISE = """async ({state, wait}) => {
  const {summariseGame} = await import("/static/js/analysis/review_summary.js");
  const leaving = new AbortController(), shares = [];
  const onProgress = ({share}) => {
    shares.push(share);
    if (shares.length > wait) leaving.abort();
  };
  return {summary: await summariseGame(state, {signal: leaving.signal, onProgress}), shares};
}"""


def games(count: int, random: Random) -> list[tuple[Game, list[Analysis | None]]]:
    """Games by chance, some of them to their end, each with an analysis of every position."""
    made = []
    for name in list(GAMES) * count:
        game = Game(GAMES[name])
        for _ in range(random.choice([8, 30, 400])):
            if game.outcome() is not None:
                break
            game.play(random.choice(game.position.legal_moves()))
        analyses = [chances(position, random) for position in game.positions]
        # The move of the game is often the best one.
        for at, move in enumerate(game.moves):
            found = analyses[at]
            if found is not None and random.random() < 0.5 and all(line.move != move for line in found.lines[1:]):
                best = found.lines[0]
                line = Line(move, best.evaluation, best.win, best.draw, best.loss, False, 7, (move,))
                analyses[at] = Analysis((line, *found.lines[1:]), 1, 0.0)
        made.append((game, analyses))
    return made


def lines_of(found: Analysis | None) -> list[dict[str, Any]]:
    """As the engine of a page reports them."""
    names = ("move", "evaluation", "win", "draw", "loss", "exact", "depth")
    lines = [] if found is None else found.lines
    return [{name: getattr(line, name) for name in names} | {"pv": [line.move], "certain": 0} for line in lines]


def test_the_page_and_the_program_review_alike(table: NewTable) -> None:
    made = games(4, Random("review"))
    one = table()
    one.page.goto(f"{one.address}/")
    asked = [
        {"game": game.rules.name, "moves": list(game.moves), "reports": [lines_of(found) for found in analyses]}
        for game, analyses in made
    ]
    told = one.page.evaluate(JUDGE, asked)
    assert [(mark["least"], mark["mark"], mark["sign"]) for mark in told["marks"]] == [
        (least, str(mark), mark.sign) for least, mark in THRESHOLDS
    ]
    assert told["accuracy"] == pytest.approx([move_accuracy(lost) for lost in (0, 0.03, 0.1, 0.5, 1)])
    seen: set[str] = set()
    for (game, analyses), page in zip(made, told["told"], strict=True):
        judged = review(game, analyses)
        assert [figures(one) for one in page["judged"]] == [pytest.approx(figures_here(one)) for one in judged]
        assert [(one["sign"], one["mark"]) for one in page["judged"]] == [
            (one.sign, str(one.mark) if one.mark else "good" if one.good else None) for one in judged
        ]
        seen |= {one["sign"] for one in page["judged"]}
        for side in Side:
            there, here = page[SIDES[side]], summary(judged, side)
            assert there["accuracy"] == (None if here.accuracy is None else pytest.approx(here.accuracy))
            counts = there["counts"]
            assert (counts["inaccuracy"], counts["mistake"], counts["blunder"]) == here.marks
            assert (counts["good"], there["moves"]) == (here.good, here.moves)
    assert seen == {"", "?!", "?", "??", "!"}


def figures(judgement: dict[str, Any]) -> list[float]:
    """What a page says of a move."""
    return [judgement["lost"], judgement["stones"], judgement["weight"]]


def figures_here(judged: ReviewedPly) -> list[float]:
    """The same here."""
    return [judged.lost, judged.stones, judged.weight]


def finished(game: str, moves: list[int], you: str | None) -> dict[str, Any]:
    """What the short review needs of the state of a finished game."""
    played, positions = Game(GAMES[game], moves), Game(GAMES[game], moves).positions
    return {
        "id": "AbCdEfGhIjKl",
        "game": game,
        "rules": {},
        "start": None,
        "you": you,
        "shared": False,
        "outcome": {"winner": "white"} if played.outcome() else None,
        "moves": [
            {"ply": ply, "side": SIDES[position.to_move], "hole": hole}
            for ply, (position, hole) in enumerate(zip(positions, moves, strict=False), 1)
        ],
    }


def test_the_page_of_a_finished_game_hears_of_accuracy_and_the_worst_moves(table: NewTable) -> None:
    one = table()
    one.page.goto(f"{one.address}/")
    moves = greedy("bestemshe", 400)
    told = one.page.evaluate(SUMMARISE, {"state": finished("bestemshe", moves, None), "wait": 99})
    summary = told["summary"]
    assert 5 < len(told["shares"]) < 12
    assert told["shares"] == sorted(told["shares"])
    assert summary["share"] == 1
    assert summary["white"]["moves"] + summary["black"]["moves"] == len(moves)
    assert all(0 <= summary[side]["accuracy"] < 100 for side in SIDES), "who only takes the most is no master"
    assert len(summary["worst"]) == 3
    for worst in summary["worst"]:
        assert worst["name"] == f"Move {(worst['ply'] + 1) // 2}, {worst['side'].title()}"
        assert worst["text"].startswith("lost ")
        assert worst["href"] == f"/games/AbCdEfGhIjKl/review#better={worst['ply']}"
    mine = one.page.evaluate(SUMMARISE, {"state": finished("bestemshe", moves, "black"), "wait": 99})["summary"]
    assert {worst["side"] for worst in mine["worst"]} == {"black"}
    left = one.page.evaluate(SUMMARISE, {"state": finished("bestemshe", moves, None), "wait": 2})
    assert left["summary"] is None
    assert len(left["shares"]) == 3
    refused: list[dict[str, Any]] = [{"rules": {"goal": 40}}, {"moves": []}, {"outcome": None}]
    for nothing in refused:
        state = finished("bestemshe", moves, None) | nothing
        assert one.page.evaluate(SUMMARISE, {"state": state, "wait": 99})["summary"] is None


def careless(plies: int) -> list[int]:
    """A game of toguz korgool in which White sows hole 1 wherever that is possible, and Black takes the most."""
    position, moves = GAMES["toguz"].start(), list[int]()
    while len(moves) < plies:
        legal, now = position.legal_moves(), position
        white = position.to_move is Side.WHITE and 1 in legal
        moves.append(1 if white else max(legal, key=lambda hole: now.sow(hole).taken))
        position = position.play(moves[-1])
    return moves


def told(board: Board, text: str | re.Pattern[str]) -> None:
    """Wait until the search for a better move says something."""
    expect(board.page.locator("#better-told")).to_contain_text(text)


def stands_before(board: Board, moves: list[int]) -> int:
    """The task on the board: the ply of the mistake; the board stands before it, and nothing tells what is better."""
    page = board.page
    step = re.fullmatch(r"Move (\d+), (White|Black)", page.locator("#better-title").inner_text())
    assert step is not None
    ply = 2 * int(step[1]) - (step[2] == "White")
    board.stands(after("toguz", moves[: ply - 1]))
    page.wait_for_timeout(400)
    assert board.arrows() == []
    expect(page.locator("#lines li")).to_have_count(0)
    expect(page.locator("#value")).to_be_empty()
    expect(page.locator("#verdict")).to_be_hidden()
    expect(page.locator("#graph")).to_be_hidden()
    return ply


def tries(board: Board, hole: int) -> None:
    """Answer with a move, which is no part of the game until the engine has judged it, and cannot be deleted."""
    held = board.page.evaluate_handle(HOLD)
    board.press(hole)
    told(board, "The engine looks at it…")
    for button in ("#delete", "#promote"):
        expect(board.page.locator(button)).to_have_attribute("aria-disabled", "true")
    assert f"({hole})" not in board.fragment()["moves"]
    board.page.evaluate("release => release()", held)


def test_better_moves_are_sought_one_after_the_other(table: NewTable) -> None:
    moves = careless(10)
    board = Board(table(), f"#game=toguz&moves={text(moves)}")
    page = board.page
    board.tab("review")
    page.locator("#graph[data-complete]").wait_for()
    page.locator("#better-side").select_option("white")
    count = int(page.locator("#better-left").inner_text().strip("()"))
    assert count >= 2, "to sow hole 1 five times is no good plan"
    page.locator("#better-start").click()
    expect(page.locator("#better-title")).to_be_focused()
    expect(page.locator("#better-count")).to_have_text(f"1 of {count}")
    expect(page.locator("#better-task")).to_have_text(
        re.compile(r"^\S+ was played: lost (about \d+ stones?|less than .*)\. Find a better move\.$")
    )
    first = stands_before(board, moves)
    page.locator("#better-show").click()
    told(board, re.compile(r"^Better: \d"))
    best = int((page.locator("#better-told").inner_text()).removeprefix("Better: ")[0])
    assert [arrow["from"] for arrow in board.arrows()] == [f"white-{best}"]
    expect(page.locator("#better-show")).to_be_hidden()
    page.locator("#better-end").click()
    expect(page.locator("#better-start")).to_be_focused()
    expect(page.locator("#graph")).to_be_visible()
    board.lines(3)

    page.locator("#better-start").click()
    assert stands_before(board, moves) == first
    board.press(moves[first - 1])  # the move of the game is no answer, and is taken back
    told(board, "That was played in the game.")
    told(board, "Try another move.")
    page.locator(PLAYABLE).first.wait_for(state="attached")
    board.stands(after("toguz", moves[: first - 1]))
    tries(board, best)
    # The lines beside the board may have looked farther in between.
    told(board, re.compile(r"^Yes, \S+ is (the best move|good, too)\. [A-Z].*\.$"))
    expect(page.locator("#better-next")).to_be_focused()
    expect(page.locator("#better-next")).to_have_text("Next")
    assert f"({best})" in board.fragment()["moves"]
    page.keyboard.press("Enter")
    expect(page.locator("#better-count")).to_have_text(f"2 of {count}")
    second = stands_before(board, moves)
    assert second > first
    page.keyboard.press("ArrowLeft")  # somewhere else moves are no answers
    told(board, "Another position is on the board.")
    page.locator("#better-back").click()
    assert stands_before(board, moves) == second
    for _ in range(count - 1):
        page.locator("#better-next").click()
    expect(page.locator("#better-task")).to_have_text(f"You have found 1 of {count} better moves.")
    page.locator("#better-next").click()
    expect(page.locator("#better-count")).to_have_text(f"1 of {count - 1}")
    board.tab("moves")
    # What was found stays as a branch, what was only tried does not.
    assert page.locator("#tree .branch").count() == 1


def test_a_search_for_better_moves_outlives_what_fails(analysis: Page) -> None:
    told = analysis.evaluate(SEEK)
    silent, broken = "The server does not answer. Try again.", "The engine does not work on this device."
    for name, state in told["failed"].items():
        notice = broken if name == "unknown" else silent
        assert state == {"asking": True, "back": True, "told": "", "notice": notice}, name
    # Nobody waits for an answer any more, and the move that was tried is gone from the board.
    assert (told["left"]["back"], told["left"]["notice"]) == (True, "")
    # An earlier mistake that is found after the last task is the next one; those that are settled do not come again.
    assert told["tasks"] == [None, 1, None]
    assert told["rejected"] == []


def resign(one: Table) -> None:
    """Give up the game on the page."""
    (token,) = (cookie["value"] for cookie in one.page.context.cookies() if cookie["name"] == "csrftoken")
    address, headers = f"{one.address}/api/games/{one.id}/resign", {"x-csrftoken": token}
    assert one.page.request.post(address, data={}, headers=headers).ok


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_finished_game_is_reviewed_at_once(table: NewTable, size: dict[str, Any]) -> None:
    one = table(size)
    one.start("toguz", side="black")
    assert one.wait_for_turn()
    for _ in range(4):
        assert one.play()
    assert "/review" not in one.page.request.get(f"{one.page.url}/review", max_redirects=0).headers["location"]
    game = one.id
    resign(one)
    moves = [move["hole"] for move in one.state()["moves"]]
    page = one.page
    page.goto(f"{one.address}/games/{game}/review")
    figures = page.locator("#figures")
    expect(page.locator("#tab-review")).to_have_attribute("aria-selected", "true")
    expect(figures.locator(".accuracy")).to_have_text([re.compile(r"^(100|\d?\d) %$|^–$")] * 2)
    page.locator("#graph[data-complete]").wait_for()
    expect(figures.locator("tbody th")).to_have_text(["Kulun", "You"])
    expect(page.locator("#spoken")).to_contain_text(re.compile(r"Accuracy: Kulun (\d+ %|–), You (\d+ %|–)\."))
    expect(page.locator("#review-result")).to_contain_text("Kulun wins")
    expect(page.locator("#better-side")).to_have_value("black")
    expect(page.locator("#outcome")).to_be_hidden()
    expect(page.locator("#tree .ply")).to_have_count(len(moves))
    expect(page.get_by_role("link", name="Back to the game")).to_have_attribute("href", f"/games/{game}")
    # The lines beside the board look farther, and a mark may change at any moment.
    eventually(lambda: bool(page.evaluate(SAME_MARKS)), "as many marks in the table as at the moves")
    assert not re.search(r"\bpl(y|ies)\b", page.locator("#pane-review").inner_text())
    slider = page.locator("#graph [role=slider]")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^Start: "))
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^move 1, White: "))
    page.evaluate("localStorage.setItem('korgool.engine-on', 'off')")
    page.reload()  # nothing looks farther now: marks stay
    page.locator("#graph[data-complete]").wait_for(state="attached")
    turning = page.locator("#turning button")
    for at in range(turning.count()):
        turning.nth(at).click()
        expect(turning.nth(at)).to_have_attribute("aria-current", "true")
        assert re.match(r"Move \d+, (White|Black) \?\??", " ".join(turning.nth(at).inner_text().split()))
        expect(page.locator("#verdict")).to_be_visible()
    # The address that the page writes leads to the same.
    page.reload()
    page.locator("#graph[data-complete]").wait_for(state="attached")
    expect(figures.locator("tbody th")).to_have_text(["Kulun", "You"])
    page.goto("about:blank")
    page.goto(f"{one.address}/games/{game}/review#better=2")
    expect(page.locator("#better-title")).to_have_text("Move 1, Black")
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner


def test_a_game_that_the_device_remembers_is_reviewed_without_a_server(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path) as (one, cut):
        one.start("bestemshe")
        for _ in range(3):
            assert one.play()
        game, page = one.id, one.page
        going = one.state()["moves"]
        resign(one)
        page.locator("#outcome:not([hidden])").wait_for()
        cut()
        page.goto(f"{one.address}/games/{game}/review")
        expect(page.locator("#tab-review")).to_have_attribute("aria-selected", "true")
        page.locator("#graph[data-complete]").wait_for()
        expect(page.locator("#figures tbody th")).to_have_text(["You", "Kulun"])
        expect(page.locator("#figures .accuracy")).to_have_text([re.compile(r"^(100|\d?\d) %$|^–$")] * 2)
        expect(page.locator("#tree .ply")).to_have_count(len(going))
        expect(page.locator("#better-side")).to_have_value("white")
        page.evaluate(
            """game => {
              const games = JSON.parse(localStorage.getItem("korgool.lately"));
              games.push(["AbCdEfGhIjKm", {...games.find(([id]) => id === game)[1], names: undefined, engine: "off"}]);
              localStorage.setItem("korgool.lately", JSON.stringify(games));
            }""",
            game,
        )
        page.goto(f"{one.address}/games/AbCdEfGhIjKm/review")  # one that goes on
        expect(page.locator("#tree .ply")).to_have_count(len(going))
        expect(page.locator("#engine-on")).not_to_be_checked()
        page.wait_for_timeout(500)
        expect(page.locator("#figures")).to_be_hidden()
        page.goto(f"{one.address}/games/AbCdEfGhIjKl/review")
        expect(page.locator("#notice")).to_contain_text("This device does not have the game")

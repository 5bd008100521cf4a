"""The review of a game: its definitions, its figures, and the search for the better move."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from korgool.engine import Analysis, Line
from korgool.engine.review import THRESHOLDS, ReviewedPly, move_accuracy, review, summary
from korgool.rules import GAMES, Game, Position, Side
from tests.page.analysis import SIDES, greedy
from tests.page.conftest import NewTable

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

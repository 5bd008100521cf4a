"""The words of the evaluation graph."""

from __future__ import annotations

from random import Random

import pytest

from korgool.engine.review import until_goal
from korgool.rules import GAMES, Game
from tests.page.analysis import Board, text
from tests.page.conftest import NewTable
from tests.page.table import expect


def test_nothing_is_minus_zero(table: NewTable) -> None:
    board = table()
    board.page.goto(f"{board.address}/")
    page = board.page
    said = page.evaluate(
        """async () => {
          const {positionNames} = await import("/static/js/game/move_steps.js");
          const points = [0.2, -0.4, 54.5, -0.3].map((evaluation, ply) => ({ply, evaluation}));
          const name = positionNames([{side: "white"}, {side: "black"}, {side: "white"}]);
          return (await import("/static/js/analysis/evaluation_graph.js")).graphSummary(points, name);
        }"""
    )
    assert "at least 0 (move 1, White)" in said
    assert "at most +55 (move 1, Black)" in said
    assert "the largest change: move 1, Black" in said


def test_the_scale_is_the_same_on_both_sides(table: NewTable) -> None:
    board = table()
    board.page.goto(f"{board.address}/")
    scale = board.page.evaluate(
        """async () => {
          const host = document.createElement("div");
          const points = [{ply: 0, evaluation: 0}, {ply: 1, evaluation: 54.5}];
          (await import("/static/js/analysis/evaluation_graph.js")).drawGraph(host, points, () => {}, String);
          return [...host.querySelectorAll("text")].map((text) => text.textContent);
        }"""
    )
    assert scale == ["+55", "0", "−55"]


def far_ahead() -> Game:
    """White reaches 82 far ahead: 84 to 28, and fifty stones are nobody's."""
    return Game(GAMES["toguz"], [9, 3, 5, 2, 9, 6, 6, 2, 1, 5, 9, 9, 2, 5, 5, 6, 4, 7, 6, 6, 9, 5, 9])


def test_the_graph_does_not_fall_where_eighty_two_end_the_game(table: NewTable) -> None:
    moves = far_ahead().moves
    board = Board(table(), f"#game=toguz&moves={text(list(moves))}")
    board.page.locator("#graph[data-complete] svg").wait_for(state="attached")
    curve = board.page.locator("#graph .line").get_attribute("d") or ""
    heights = [float(point.split()[1]) for point in curve[1:].split("L")]
    assert len(heights) == len(moves) + 1
    assert heights[-1] == min(heights)  # White's side is up
    highest = board.page.locator("#graph .scale").first
    expect(highest).to_have_text("+56")


def test_what_remains_at_the_goal_is_told_alike_here_and_on_the_server(table: NewTable) -> None:
    chance = Random("goal")
    cases = []
    for name in ("toguz", "bestemshe", "mangala") * 40:
        game = Game(GAMES[name])
        for _ in range(chance.randrange(60)):
            if not game.position.legal_moves():
                break
            game.play(chance.choice(game.position.legal_moves()))
        if game.outcome() is None:
            cases.append((game.position, chance.uniform(-1, 1) * game.position.rules.total))
    board = table()
    board.page.goto(f"{board.address}/")
    told = board.page.evaluate(
        """async cases => {
          const {expectedDifference} = await import("/static/js/analysis/graph_values.js");
          return cases.map(given => expectedDifference(...given));
        }""",
        [[value, position.stores, position.rules.goal, position.rules.total] for position, value in cases],
    )
    assert told == pytest.approx([until_goal(value, position) for position, value in cases])

"""The words of the evaluation graph."""

from __future__ import annotations

from tests.page.conftest import NewTable


def test_nothing_is_minus_zero(table: NewTable) -> None:
    board = table()
    board.page.goto(f"{board.address}/")
    page = board.page
    said = page.evaluate(
        """async () => (await import("/static/js/graph.js")).summary([
          {ply: 0, evaluation: 0.2}, {ply: 1, evaluation: -0.4}, {ply: 2, evaluation: 54.5}, {ply: 3, evaluation: -0.3},
        ])"""
    )
    assert "at least 0 after ply 1" in said
    assert "at most +55 after ply 2" in said


def test_the_scale_is_the_same_on_both_sides(table: NewTable) -> None:
    board = table()
    board.page.goto(f"{board.address}/")
    scale = board.page.evaluate(
        """async () => {
          const host = document.createElement("div");
          const points = [{ply: 0, evaluation: 0}, {ply: 1, evaluation: 54.5}];
          (await import("/static/js/graph.js")).drawGraph(host, points, () => {});
          return [...host.querySelectorAll("text")].map((text) => text.textContent);
        }"""
    )
    assert scale == ["+55", "0", "−55"]

"""An analysis board in a browser: what its tests do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from korgool.rules import GAMES, Game, Position, Side
from tests.page.table import PLAYABLE, Table, expect, shows

if TYPE_CHECKING:
    from playwright.sync_api import Locator

SIDES = ("white", "black")
BRIEFLY = """
const send = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  const limits = message?.order?.limits;
  if (limits?.seconds) limits.nodes ??= MOST;
  return send.call(this, message, ...rest);
};
"""
"""The search beside the board goes on for half a minute, beside all that is tested meanwhile."""


class Board:
    """One page with the board, and what stands on it.

    Args:
        table: the page.
        fragment: what the address says.
        nodes: so many are searched of a position, more than twice what its mark needs; without a number, as many as in
            the time that a visitor's device takes.
        kept: settings that the browser has kept.
    """

    def __init__(self, table: Table, fragment: str = "", nodes: str = "400_000", **kept: str) -> None:
        self.page = table.page
        self.address = f"{table.address}/analysis"
        self._opened = 0
        settings = {"speed": "off"} | kept
        if nodes:
            self.page.add_init_script(BRIEFLY.replace("MOST", nodes))
        self.page.add_init_script(
            f"if (origin !== 'null') for (const [name, value] of Object.entries({settings!r})) "
            "if (localStorage.getItem(`korgool.${name}`) === null) localStorage.setItem(`korgool.${name}`, value);"
        )
        self.open(fragment)

    def open(self, fragment: str) -> None:
        """Load the board anew with what the fragment says."""
        # With the same address the page would stay; by way of about:blank its scripts would be compiled again.
        self._opened += 1
        again = f"?{self._opened}" if self._opened > 1 else ""
        self.page.goto(self.address + again + fragment)
        self.page.locator("korgool-board[data-ready]").wait_for()

    def fragment(self) -> dict[str, str]:
        """What the address says, once it is written: the page does so with a timer that falls before this one."""
        written = self.page.evaluate("new Promise(done => setTimeout(() => done(location.hash.slice(1)), 250))")
        found = parse_qs(written)
        return {name: values[0] for name, values in found.items()}

    def stands(self, position: Position) -> None:
        """The board shows a position that is not over."""
        shows(self.page, position.holes, position.tuz)
        expect(self.page.locator(".strip[data-turn]")).to_have_attribute("data-side", SIDES[position.to_move])

    def hole(self, side: str, number: int) -> Locator:
        """The button of a hole."""
        return self.page.locator(f'.hole-button[data-side="{side}"][data-hole="{number}"]')

    def press(self, hole: int | str) -> None:
        """Play a hole by its digit, once a choice counts."""
        self.page.locator(PLAYABLE).first.wait_for(state="attached")
        self.page.keyboard.press(str(hole))

    def paste(self, text: str) -> None:
        """Paste a text and have it read."""
        self.tab("moves")
        if not self.page.locator("#pasted").is_visible():
            self.page.locator("#paste summary").click()
        self.page.locator("#pasted").fill(text)
        self.page.locator("#read").click()
        expect(self.page.locator("#read")).to_be_enabled()

    def tab(self, name: str) -> None:
        """Show one of the panes beside the board: lines, moves, review or book."""
        self.page.locator(f"#tab-{name}").click()

    def set_up(self, **fields: str) -> None:
        """Choose the game, the opponent, or the side of the opponent, in the sheet for that."""
        self.page.locator("#set-up").click()
        for name, value in fields.items():
            self.page.locator(f"#{name.replace('_', '-')}").select_option(value)
        self.page.keyboard.press("Escape")

    def lines(self, count: int) -> None:
        """Wait for so many lines of the engine."""
        expect(self.page.locator("#lines li")).to_have_count(count)

    def arrows(self) -> list[dict[str, Any]]:
        """The arrows: their places by name, and where they point to on the screen."""
        found: list[dict[str, Any]] = self.page.evaluate(
            """() => [...document.querySelectorAll(".board .arrow")].map(arrow => {
              const tip = arrow.querySelector(".point");
              const at = tip.ownerSVGElement.createSVGPoint();
              [at.x, at.y] = tip.getAttribute("d").match(/-?[\\d.]+/g).map(Number);
              const {x, y} = at.matrixTransform(tip.getScreenCTM());
              const width = Number(arrow.querySelector(".shaft").getAttribute("stroke-width"));
              return {...arrow.dataset, x, y, width};
            })"""
        )
        return sorted(found, key=lambda arrow: int(arrow["rank"]))


def after(game: str, moves: list[int]) -> Position:
    """The position after moves from the start."""
    position = GAMES[game].start()
    for move in moves:
        position = position.play(move)
    return position


def greedy(game: str, plies: int) -> list[int]:
    """A game in which both players always capture the most they can."""
    position, moves = GAMES[game].start(), list[int]()
    while len(moves) < plies and position.outcome() is None:
        now = position
        moves.append(max(now.legal_moves(), key=lambda hole: now.sow(hole).taken))
        position = now.play(moves[-1])
    return moves


def late_in(game: str, plies: int) -> Position:
    """A position with White to move, about so many plies before the end of a greedy game, or its start."""
    played = Game(GAMES[game], greedy(game, 400))
    whites = [position for position in played.positions[:-1] if position.to_move is Side.WHITE]
    return whites[max(0, len(whites) - plies // 2)]


def text(moves: list[int]) -> str:
    """Moves as the address has them."""
    return ",".join(map(str, moves))

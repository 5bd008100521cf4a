"""A page at which a game is played: what several tests do with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from korgool.app.server.core.headers import LANGUAGE_COOKIE
from korgool.rules import Side
from tests.patience import RETRIES

if TYPE_CHECKING:
    from playwright.sync_api import Error, Locator, Page, expect
else:
    # Modules that import this one are skipped, with the reason, where there is no playwright.
    api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    Error, expect = api.Error, api.expect

__all__ = ["NAMES", "PLAYABLE", "Table", "expect", "settled", "shows"]

NAMES = ("white", "black")
"""The sides, as the page names them."""

PLAYABLE = '.hole-button[aria-disabled="false"]'


def settled(button: Locator) -> Locator:
    """A button once its place has been its own for a while: until then, one that ends the game asks again."""
    expect(button).to_be_visible()
    expect(button).not_to_have_attribute("data-moved", "")
    return button


def shows(page: Page, holes: Sequence[Sequence[int]], tuz: Sequence[int | None]) -> None:
    """Wait until the board shows these stones and these tuz, White's first, in one look at all holes."""
    wanted = {
        f"{NAMES[side]} {number}": "(tuz|castle) of" if tuz[side.other] == number else f"{stones} stones?$"
        for side in Side
        for number, stones in enumerate(holes[side], 1)
    }
    try:
        page.wait_for_function(
            """wanted => Object.entries(wanted).every(([place, said]) => {
              const [side, hole] = place.split(" ");
              const buttons = document.querySelectorAll(`.hole-button[data-side="${side}"][data-hole="${hole}"]`);
              const label = buttons.length === 1 && buttons[0].getAttribute("aria-label");
              return label && new RegExp(`hole ${hole}, ${said}`).test(label);
            })""",
            arg=wanted,
        )
    except Error as error:
        labels = page.locator(".hole-button").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        raise AssertionError(f"wanted {wanted}, shown {labels}") from error


class Table:
    """One page of one visitor."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address

    def start(
        self, game: str = "toguz", side: str = "white", level: int = 1, clock: str = "none", speed: str = "off"
    ) -> None:
        """Start a game by the request that the form of the first page makes, and open its page."""
        page, request = self.page, self.page.request
        page.add_init_script(
            "if (origin !== 'null' && localStorage.getItem('korgool.speed') === null) "
            f"localStorage.setItem('korgool.speed', {speed!r});"
        )
        request.get(f"{self.address}/", max_retries=RETRIES)
        token = next(it["value"] for it in page.context.cookies(self.address) if it["name"] == "csrftoken")
        terms: dict[str, str | float | bool] = {
            "_csrf_token": token,
            "game": game,
            "side": side,
            "level": level,
            "clock": clock,
        }
        answer = request.post(f"{self.address}/games", form=terms, max_redirects=0)
        assert answer.status == 303, answer.text()
        page.goto(f"{self.address}{answer.headers['location']}")
        self.ready()

    def start_by_form(self, game: str = "toguz", side: str = "white", level: int = 1, speed: str = "off") -> None:
        """Start a game by the form for one against the engine."""
        page = self.page
        page.goto(f"{self.address}/play")
        page.evaluate("speed => localStorage.setItem('korgool.speed', speed)", speed)
        for name, value in {"game": game, "side": side, "level": level, "clock": "none"}.items():
            page.locator(f"label:has(input[name={name}][value='{value}'])").click()
        page.locator("form.new-game button").click()
        self.ready()

    def ready(self) -> None:
        """Wait until the board is alive."""
        self.page.locator("korgool-board[data-ready]").wait_for()

    def translated(self, language: str) -> None:
        """Have the pages that are opened from now on in a language, as who has chosen it: without a new context."""
        self.page.context.add_cookies([{"name": LANGUAGE_COOKIE, "value": language, "url": f"{self.address}/"}])

    @property
    def id(self) -> str:
        """The address of the game."""
        found = re.search(r"/games/(\w+)$", self.page.url)
        assert found is not None
        return found[1]

    def state(self) -> dict[str, Any]:
        """The state as the server has it for this visitor."""
        answer = self.page.request.get(f"{self.address}/api/games/{self.id}", max_retries=RETRIES)
        assert answer.ok
        state: dict[str, Any] = answer.json()
        return state

    def hole(self, number: int) -> Locator:
        """The button of one of the player's own holes, in English."""
        return self.page.get_by_role("button", name=re.compile(rf"^hole {number}, "))

    def wait_for_turn(self) -> bool:
        """Wait until the player may move; False when the game is over."""
        self.page.locator(f"{PLAYABLE}, #outcome:not([hidden])").first.wait_for(state="attached")
        return not self.page.locator("#outcome").is_visible()

    def press(self, hole: int | str) -> None:
        """Play a hole by its digit, once a choice counts."""
        self.page.locator(PLAYABLE).first.wait_for(state="attached")
        self.page.keyboard.press(str(hole))

    def play(self, hole: int | str = 0) -> bool:
        """The player's move, a sensible one if none is named, and the answer; False when the game is over then.

        A key alone is no move yet: who waits for the turn right after it may still see the turn before.
        """
        ply = self.plies()
        self.press(hole or self.best())
        self.wait_for_ply(ply + 1)
        return self.wait_for_turn()

    def wait_for_ply(self, ply: int) -> None:
        """Wait until that many plies are in the move list."""
        self.page.locator("#moves button").nth(ply - 1).wait_for()

    def plies(self) -> int:
        """Plies in the move list."""
        return self.page.locator("#moves button").count()

    def best(self) -> int:
        """A sensible hole: a tuz or the largest capture, else the one with the most stones."""
        state = self.state()
        side = state[state["you"]]
        previews = state["previews"]

        def value(hole: int) -> tuple[int, int, int]:
            preview = previews[str(hole)]
            return int(preview["tuz"]), preview["captures"], side[hole - 1]

        legal: list[int] = state["legal"]
        return max(legal, key=value)

    def matches_server(self) -> None:
        """The board shows what the server has."""
        state = self.state()
        shows(self.page, (state["white"], state["black"]), state["tuz"])
        totals = self.page.locator(".store .count").all_text_contents()
        assert sorted(map(int, totals)) == sorted(state["stores"])

"""Games under way for tests of the page, played by the commands that programs use: quicker than by the board."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from tests.patience import PATIENCE
from tests.server.support import Server, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


class Played:
    """A game in which at least that many plies have been played; it is the visitor's turn, or the game is over."""

    def __init__(self, address: str, game: str, side: str = "white", plies: int = 0, **terms: Any) -> None:
        self.visitor = Visitor(cast(Server, SimpleNamespace(url=address)))
        self.id = self.visitor.new_game(game, side, **terms)
        self.url = f"{address}/games/{self.id}"
        self.state = self._turn()
        while len(self.state["moves"]) < plies and not self.state["outcome"]:
            previews = self.state["previews"]
            best = max(
                self.state["legal"], key=lambda hole: (previews[str(hole)]["tuz"], previews[str(hole)]["captures"])
            )
            self.visitor.send(self.id, "move", hole=best, version=self.state["version"]).raise_for_status()
            self.state = self._turn()

    def _turn(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while True:
            state = self.visitor.state(self.id)
            if state["outcome"] or state["legal"]:
                return state
            assert time.monotonic() < until, "the engine does not move"
            time.sleep(0.05)

    def sit(self, context: BrowserContext) -> None:
        """Make a browser the player's."""
        cookies = self.visitor.client.cookies.jar
        context.add_cookies([{"name": one.name, "value": one.value or "", "url": self.url} for one in cookies])

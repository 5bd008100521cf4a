"""The engine on the visitor's device: how a test opens one, and games to ask it about."""

from __future__ import annotations

from random import Random
from typing import Any

from korgool.rules import GAMES, Game
from tests.page.test_device_rules import board

OPEN = """
async ([game, options]) => {
  const { EngineWorkers } = await import("/static/js/device/device_engine.js");
  try {
    globalThis.device?.close();
    globalThis.device = await EngineWorkers.open(game, options);
    return null;
  } catch (error) {
    return error.message;
  }
}
"""
"""Opens one for the tests of a page; answers why it does not open, or null."""


def game_of(name: str, plies: int) -> Game:
    """A random game of so many plies, the same each time."""
    game, random = Game(GAMES[name]), Random(name)
    while len(game.moves) < plies:
        game.play(random.choice(game.position.legal_moves()))
    return game


def boards_of(game: Game) -> list[dict[str, Any]]:
    """The positions of a game as the page tells them."""
    return [board(position) for position in game.positions]

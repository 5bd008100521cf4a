"""How slow games hear of the vacations of their players.

The row of a vacation is written first (`vacation_desk`), and the games follow it. `heed` compares a game with the rows
and can be called at any time: when somebody takes or ends a vacation, when a game begins, and whenever a game is
loaded, before its time decides anything. So a server that is killed between the row and a game has lost nothing, and
no day counts twice.
"""

from __future__ import annotations

import asyncio

from korgool.app.server.games.running_game import RunningGame
from korgool.app.server.now import now_ms
from korgool.app.server.storage.database import Storage
from korgool.rules import Side


async def heed(storage: Storage, running: RunningGame) -> None:
    """Let a game know what the rows say about the vacations of its players."""
    terms = running.game.terms
    if running.game.over or not (terms.slow and terms.between_people):
        return
    people = [seat.who for seat in terms.seats]
    until = await asyncio.to_thread(storage.vacations.until, people, now_ms())
    for side in Side:
        await running.be_away(side, until.get(people[side], 0))

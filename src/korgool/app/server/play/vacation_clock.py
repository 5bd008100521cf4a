"""How slow games hear of the vacations of their players.

The row of a vacation is written first (`vacations.service`), and the games follow it. `apply_vacations` compares a game
with the rows and can be called at any time: when somebody takes or ends a vacation, when a game begins, and whenever a
game is loaded, before its time decides anything. So a server that is killed between the row and a game has lost
nothing, and no day counts twice.
"""

from __future__ import annotations

import asyncio

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.storage.database import Storage
from korgool.rules import Side


async def apply_vacations(storage: Storage, running: LiveSession) -> None:
    """Let a game know what the rows say about the vacations of its players."""
    terms = running.game.terms
    if running.game.over or not (terms.slow and terms.between_people):
        return
    people = [seat.who for seat in terms.seats]
    until = await asyncio.to_thread(storage.vacations.until, people, now_ms())
    for side in Side:
        await running.be_away(side, until.get(people[side], 0))

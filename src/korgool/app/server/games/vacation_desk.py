"""Where somebody takes a vacation and comes back, and their slow games are told."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from korgool.app.server.games.running_game import refusal
from korgool.app.server.games.running_games import Hall
from korgool.app.server.games.shared_game import OvertakenError
from korgool.app.server.games.vacations import heed
from korgool.app.server.messages import RefusedError
from korgool.app.server.now import now_ms
from korgool.app.server.storage.database import Storage
from korgool.live import Refused
from korgool.live.vacations import days_left, present

_LOG = logging.getLogger(__name__)


class VacationState(msgspec.Struct, frozen=True):
    """What a person knows of their vacation.

    Attributes:
        until: until when they are away, in milliseconds since 1970; None for not away.
        left: the longest vacation that could begin now, or after the present one ends now, in days.
    """

    until: int | None
    left: int


async def state_of(storage: Storage, who: str) -> VacationState:
    """The vacation of a person as it stands."""
    return await asyncio.to_thread(_read, storage, who)


def _read(storage: Storage, who: str) -> VacationState:
    at = now_ms()
    taken = storage.vacations.taken(who, at)
    away = present(taken, at)
    return VacationState(None if away is None else away.until, days_left(taken, at))


async def card(storage: Storage, who: str) -> VacationState | None:
    """What a page shows of a vacation: something to whoever is away or has a slow game."""

    def read() -> VacationState | None:
        state = _read(storage, who)
        return state if state.until is not None or storage.vacations.slow_games(who) else None

    return await asyncio.to_thread(read)


async def take(hall: Hall, who: str, days: int) -> VacationState:
    """Let a person be away for so many days, in all their slow games.

    Raises:
        RefusedError: 409 where they are away already, 422 where they have not so many days left.
    """

    async def run() -> VacationState:
        answer = await asyncio.to_thread(hall.storage.vacations.take, who, days, now_ms())
        if isinstance(answer, Refused):
            raise refusal(answer)
        await _spread(hall, who)
        return await state_of(hall.storage, who)

    return await hall.finish(run())


async def end(hall: Hall, who: str) -> VacationState:
    """A person is back; whoever is not away is back already."""

    async def run() -> VacationState:
        await asyncio.to_thread(hall.storage.vacations.end, who, now_ms())
        await _spread(hall, who)
        return await state_of(hall.storage, who)

    return await hall.finish(run())


async def _spread(hall: Hall, who: str) -> None:
    for game in await asyncio.to_thread(hall.storage.vacations.slow_games, who):
        try:
            await heed(hall.storage, await hall.find(game))
        except OvertakenError:  # whoever was quicker has read of the vacation, or it is loaded again
            continue
        except RefusedError as problem:
            _LOG.warning("game %s hears of a vacation when it is loaded again: %s", game, problem)

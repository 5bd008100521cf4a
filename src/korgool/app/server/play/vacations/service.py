"""Vacations: taken and ended in the database, and then in the slow games of the person."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.commands import refusal
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.game_services import OvertakenError
from korgool.app.server.play.vacation_repository import VacationRepository
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


async def state_of(vacations: VacationRepository, who: str) -> VacationState:
    """The vacation of a person as it stands."""
    return await asyncio.to_thread(_read, vacations, who)


def _read(vacations: VacationRepository, who: str) -> VacationState:
    at = now_ms()
    taken = vacations.taken(who, at)
    away = present(taken, at)
    return VacationState(None if away is None else away.until, days_left(taken, at))


async def card(vacations: VacationRepository, who: str) -> VacationState | None:
    """Return what a page shows of a vacation; None to a person who is not away and has no slow game."""

    def read() -> VacationState | None:
        state = _read(vacations, who)
        return state if state.until is not None or vacations.slow_games(who) else None

    return await asyncio.to_thread(read)


async def take(game_registry: GameRegistry, who: str, days: int) -> VacationState:
    """Let a person be away for so many days, in all their slow games.

    Raises:
        ApiError: 409 where they are away already, 422 where they have not so many days left.
    """

    async def run() -> VacationState:
        answer = await asyncio.to_thread(game_registry.vacations.take, who, days, now_ms())
        if isinstance(answer, Refused):
            raise refusal(answer)
        await _spread(game_registry, who)
        return await state_of(game_registry.vacations, who)

    return await game_registry.finish(run())


async def end(game_registry: GameRegistry, who: str) -> VacationState:
    """A person is back; whoever is not away is back already."""

    async def run() -> VacationState:
        await asyncio.to_thread(game_registry.vacations.end, who, now_ms())
        await _spread(game_registry, who)
        return await state_of(game_registry.vacations, who)

    return await game_registry.finish(run())


async def _spread(game_registry: GameRegistry, who: str) -> None:
    for game in await asyncio.to_thread(game_registry.vacations.slow_games, who):
        try:
            await (await game_registry.find(game)).clockwork.apply_vacations()
        except OvertakenError:  # whoever was quicker has read of the vacation, or it is loaded again
            continue
        except ApiError as problem:
            _LOG.warning("game %s hears of a vacation when it is loaded again: %s", game, problem)

"""Vacations over HTTP: for programs, and as forms of the home page that need no scripts."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Router, delete, get, post
from litestar.params import JSONBody
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import Form, TheVisitor, check_body
from korgool.app.server.http.openapi import GUEST, refusals
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.vacations import service as vacation_desk
from korgool.app.server.play.vacations.service import VacationState
from korgool.live.vacations import MOST_VACATION_DAYS


class VacationWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vacation from now on.

    Attributes:
        days: whole days, 1 to 14.
    """

    days: int


@get("/", action=Action.WATCH, responses=refusals(), summary="Your vacation")
async def read_vacation(game_registry: TheGameRegistry, visitor: TheVisitor) -> VacationState:
    """Until when you are away in slow games, and the days that you could take now: 14 in any 365."""
    if visitor is None:
        return VacationState(None, MOST_VACATION_DAYS)
    return await vacation_desk.state_of(game_registry.vacations, visitor)


@post(
    "/",
    action=Action.PLAY,
    status_code=200,
    responses=refusals(
        {409: "you are away already", 422: "not 1 to 14 days, more than you have left, or you have no such game"},
        command=True,
    ),
    security=GUEST,
    summary="Take a vacation",
)
async def take_vacation(
    data: JSONBody[VacationWish], game_registry: TheGameRegistry, visitor: TheVisitor
) -> VacationState:
    """Be away from now on: in all your games with days for each turn, your days stand still."""
    return await _take(game_registry, visitor, data.days)


@delete(
    "/",
    action=Action.PLAY,
    status_code=200,
    responses=refusals(command=True),
    security=GUEST,
    summary="End your vacation",
)
async def end_vacation(game_registry: TheGameRegistry, visitor: TheVisitor) -> VacationState:
    """Be back; the days that have not begun are given back. Whoever is not away is back already."""
    return await vacation_desk.end(game_registry, _known(visitor))


@post("/vacation", action=Action.PLAY, include_in_schema=False)
async def take_by_form(data: Form, game_registry: TheGameRegistry, visitor: TheVisitor) -> Redirect:
    """The same from the home page."""
    days = data.get("days", "")
    await _take(game_registry, visitor, int(days) if days.isascii() and days.isdigit() and len(days) < 4 else 0)
    return Redirect("/games", status_code=303)


@post("/vacation/end", action=Action.PLAY, include_in_schema=False)
async def end_by_form(game_registry: TheGameRegistry, visitor: TheVisitor) -> Redirect:
    """The same from the home page."""
    await vacation_desk.end(game_registry, _known(visitor))
    return Redirect("/games", status_code=303)


async def _take(game_registry: GameRegistry, visitor: str | None, days: int) -> VacationState:
    who = _known(visitor)
    if not await asyncio.to_thread(game_registry.vacations.slow_games, who):
        raise ApiError(422, errors.NO_SLOW_GAMES)
    return await vacation_desk.take(game_registry, who, days)


def _known(visitor: str | None) -> str:
    if visitor is None:
        raise ApiError(403, errors.FORM_TOO_OLD)
    return visitor


router = Router(
    "/api/vacation",
    before_request=check_body,
    route_handlers=[read_vacation, take_vacation, end_vacation],
    tags=["people"],
)
handlers = [take_by_form, end_by_form]

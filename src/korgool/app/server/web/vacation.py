"""Vacations over HTTP: for programs, and as forms of the home page that need no scripts."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Router, delete, get, post
from litestar.params import JSONBody
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server import messages
from korgool.app.server.games import vacation_desk
from korgool.app.server.games.running_games import Hall
from korgool.app.server.games.vacation_desk import VacationState
from korgool.app.server.messages import RefusedError
from korgool.app.server.web.api import check_body
from korgool.app.server.web.description import GUEST, refusals
from korgool.app.server.web.given import Form, TheHall, TheVisitor
from korgool.live.vacations import MOST_VACATION_DAYS


class VacationWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vacation from now on.

    Attributes:
        days: whole days, 1 to 14.
    """

    days: int


@get("/", action=Action.WATCH, responses=refusals(), summary="Your vacation")
async def read_vacation(hall: TheHall, visitor: TheVisitor) -> VacationState:
    """Until when you are away in slow games, and the days that you could take now: 14 in any 365."""
    if visitor is None:
        return VacationState(None, MOST_VACATION_DAYS)
    return await vacation_desk.state_of(hall.storage, visitor)


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
async def take_vacation(data: JSONBody[VacationWish], hall: TheHall, visitor: TheVisitor) -> VacationState:
    """Be away from now on: in all your games with days for each turn, your days stand still."""
    return await _take(hall, visitor, data.days)


@delete(
    "/",
    action=Action.PLAY,
    status_code=200,
    responses=refusals(command=True),
    security=GUEST,
    summary="End your vacation",
)
async def end_vacation(hall: TheHall, visitor: TheVisitor) -> VacationState:
    """Be back; the days that have not begun are given back. Whoever is not away is back already."""
    return await vacation_desk.end(hall, _known(visitor))


@post("/vacation", action=Action.PLAY, include_in_schema=False)
async def take_by_form(data: Form, hall: TheHall, visitor: TheVisitor) -> Redirect:
    """The same from the home page."""
    days = data.get("days", "")
    await _take(hall, visitor, int(days) if days.isascii() and days.isdigit() and len(days) < 4 else 0)
    return Redirect("/", status_code=303)


@post("/vacation/end", action=Action.PLAY, include_in_schema=False)
async def end_by_form(hall: TheHall, visitor: TheVisitor) -> Redirect:
    """The same from the home page."""
    await vacation_desk.end(hall, _known(visitor))
    return Redirect("/", status_code=303)


async def _take(hall: Hall, visitor: str | None, days: int) -> VacationState:
    who = _known(visitor)
    if not await asyncio.to_thread(hall.storage.vacations.slow_games, who):
        raise RefusedError(422, messages.NO_SLOW_GAMES)
    return await vacation_desk.take(hall, who, days)


def _known(visitor: str | None) -> str:
    if visitor is None:
        raise RefusedError(403, messages.FORM_TOO_OLD)
    return visitor


router = Router(
    "/api/vacation",
    before_request=check_body,
    route_handlers=[read_vacation, take_vacation, end_vacation],
    tags=["people"],
)
handlers = [take_by_form, end_by_form]

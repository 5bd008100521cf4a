"""Helpers of an event at its desk: roles for accounts, or by a link and a code, and ending them; and its officials."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.desk.forms import Answer
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.helpers.api import TheHelperRoles, link_of
from korgool.app.server.events.helpers.service import LONGEST_DAYS, Invitation, NewHelper, usual_end_ms
from korgool.app.server.http.dependencies import Form, TheCaller
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.server.http.template_texts import qr_svg
from korgool.app.words.desk_texts import ROLE_NAMES
from korgool.app.words.event_words import event_words
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Role
from korgool.competition.roles import DeskRole
from korgool.languages import N_

ROLE_RIGHTS: Final[Mapping[DeskRole, str]] = {
    DeskRole.ORGANISER: N_("everything; needs an account"),
    DeskRole.CHIEF: N_("everything"),
    DeskRole.DEPUTY: N_("everything but regulations, exclusions, officials and the removal of data"),
    DeskRole.SECTOR: N_("results and warnings of some boards, in the last round"),
    DeskRole.RESULTS: N_("results of the last round"),
    DeskRole.CHECK_IN: N_("who is there and who is not"),
    DeskRole.SPECTATOR: N_("sees the desk and changes nothing"),
}
"""The rights of each role, as messages."""


@get("/helpers", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def helpers_page(request: AnyRequest, place: ThePlace, helper_roles: TheHelperRoles) -> Response[str]:
    """The roles at the event, and the form that gives one."""
    place.permit_helpers()
    return await _page(request, place, helper_roles, {})


@post("/helpers", action=Action.OFFICIATE)
async def give_role(
    request: AnyRequest,
    place: ThePlace,
    data: Form,
    helper_roles: TheHelperRoles,
    caller: TheCaller,
) -> Answer:
    """Give a role; the link, its code and its picture are on the answer, and never again."""
    place.permit_helpers()
    try:
        made = await helper_roles.give(caller, place.event, place.officer, _new_helper(data))
    except RateLimitError:
        raise
    except CompetitionError as error:
        return await _page(request, place, helper_roles, data, error.said(language_of(request)), 422)
    except ApiError as error:
        return await _page(request, place, helper_roles, data, error.said(language_of(request)), error.status)
    if not made.token:
        return see(f"/events/{place.event.id}/desk/helpers?done")
    return await _page(request, place, helper_roles, {}, made=made)


@post("/helpers/{helper_id:str}/end", action=Action.OFFICIATE)
async def end_role(place: ThePlace, helper_id: FromPath[str], helper_roles: TheHelperRoles) -> Redirect:
    """End a role at once."""
    place.permit_helpers()
    await helper_roles.end(place.event.event_id, place.officer, helper_id)
    return see(f"/events/{place.event.id}/desk/helpers?done")


@get("/officials", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def officials_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The officials whom papers name, and the forms that appoint and dismiss them."""
    return desk_page(
        request,
        place,
        "officials",
        "officials.html",
        w=event_words(language_of(request)),
        roles=[one.value for one in Role],
        may_appoint=do.Appoint in place.allowed,
    )


def _new_helper(data: Mapping[str, str]) -> NewHelper:
    """The role that a form asks for.

    Raises:
        CompetitionError: a field cannot be read.
    """
    try:
        role = DeskRole(data.get("role", ""))
    except ValueError:
        raise CompetitionError(N_("choose a role")) from None
    first, last, days = (data.get(name, "").strip() for name in ("first", "last", "days"))
    numbers = [int(one) for one in (first, last, days) if one.isascii() and one.isdecimal() and len(one) < 5]
    if len(numbers) != sum(map(bool, (first, last, days))):
        raise CompetitionError(N_("boards and days are whole numbers"))
    boards = None
    if first or last:
        boards = (int(first or last), int(last or first))
    until = datetime.now(UTC) + timedelta(days=int(days), seconds=-60) if days else None
    return NewHelper(
        role=role,
        boards=boards,
        until=None if until is None else until.isoformat(timespec="seconds"),
        name=data.get("name", "").strip(),
        account=data.get("account", "").strip() or None,
    )


async def _page(
    request: AnyRequest,
    place: DeskPlace,
    helper_roles: TheHelperRoles,
    typed: Mapping[str, str],
    problem: str = "",
    status: int = 200,
    made: Invitation | None = None,
) -> Response[str]:
    event = place.event
    roles = await helper_roles.roles(event.event_id)
    url = link_of(request, event, made) if made else ""
    own = place.officer.role is DeskRole.ORGANISER
    return desk_page(
        request,
        place,
        "helpers",
        "helpers.html",
        status,
        going=[one for one in roles if one.going],
        ended=[one for one in roles if not one.going],
        names=ROLE_NAMES,
        what=[(role, text) for role, text in ROLE_RIGHTS.items() if own or role is not DeskRole.ORGANISER],
        typed=typed,
        problem=problem,
        made=made,
        url=url,
        qr=qr_svg(url) if url else "",
        usual=usual_end_ms(place.state.event, now_ms()),
        longest=LONGEST_DAYS,
    )


handlers = [helpers_page, give_role, end_role, officials_page]

"""The pages by which a helper comes to an event: with a link, or with a code."""

from __future__ import annotations

import re
from typing import Any

from litestar import MediaType, Response, Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.api import refused
from korgool.app.server.events.event_registry import EventRegistry, is_id
from korgool.app.server.events.event_repository import GivenRole
from korgool.app.server.events.helpers.api import TheHelperRoles
from korgool.app.server.events.helpers.service import HelperRoles, tidy_name
from korgool.app.server.events.official_access import EventId, TheEventRegistry
from korgool.app.server.http.dependencies import Form, TheCaller
from korgool.app.server.http.forms import EMPTY, FieldError, needed, shown_again
from korgool.app.server.http.responses import AnyRequest, page, visitors_of
from korgool.app.server.http.rights import ANYBODY
from korgool.app.words.desk_texts import ROLE_NAMES
from korgool.competition.errors import CompetitionError
from korgool.competition.text_cleaning import clean


@get("/{event_id:str}/join/{token:str}", action=ANYBODY, media_type=MediaType.HTML)
async def join_page(
    request: AnyRequest,
    event_id: EventId,
    token: FromPath[str],
    event_registry: TheEventRegistry,
    helper_roles: TheHelperRoles,
) -> Response[str]:
    """The page of a link: the event, the role, and the form that accepts it. Looking uses nothing up."""
    given = await _find_role(helper_roles, event_id, token)
    return page(request, "join_event.html", form=EMPTY, **await _context(event_registry, event_id, given, token))


@post("/{event_id:str}/join/{token:str}", action=ANYBODY)
async def join(
    request: AnyRequest,
    event_id: EventId,
    token: FromPath[str],
    data: Form,
    event_registry: TheEventRegistry,
    helper_roles: TheHelperRoles,
) -> Response[str] | Redirect:
    """Come by a link."""
    given = await _find_role(helper_roles, event_id, token)
    try:
        return await _enter_desk(request, event_registry, event_id, given, data.get("name", ""))
    except ApiError as problem:
        context = await _context(event_registry, event_id, given, token)
        return shown_again(request, "join_event.html", problem, data, "name", **context)


@get("/join", action=ANYBODY, media_type=MediaType.HTML)
async def code_page(request: AnyRequest) -> Response[str]:
    """The form for a code; an address may name the event."""
    event = request.query_params.get("event", "")
    return page(request, "join_event.html", form=EMPTY, event=event if is_id(event) else "", token="")


@post("/join", action=ANYBODY)
async def join_by_code(
    request: AnyRequest,
    data: Form,
    event_registry: TheEventRegistry,
    helper_roles: TheHelperRoles,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Come by a code."""
    try:
        event, code = needed(data, "event", "code")
        id_ = _event_id(event)
        given = await helper_roles.by_code(id_, code, caller.address) if is_id(id_) else None
        if given is None:
            raise FieldError(errors.NO_INVITATION, "code", 404)
        return await _enter_desk(request, event_registry, id_, given, data.get("name", ""))
    except ApiError as problem:
        return shown_again(request, "join_event.html", problem, data, event="", token="")


def _event_id(text: str) -> str:
    """The id in what somebody types or pastes: the id, or the address of any page of the event."""
    typed = clean(text).lower()
    found = re.search(r"/events/([^/?#\s]+)", typed)
    return found[1] if found else typed.strip("/")


async def _find_role(helper_roles: HelperRoles, id_: str, token: str) -> GivenRole:
    given = await helper_roles.by_link(id_, token) if is_id(id_) else None
    if given is None:
        raise ApiError(404, errors.NO_INVITATION)
    return given


async def _context(event_registry: EventRegistry, id_: str, given: GivenRole, token: str) -> dict[str, Any]:
    listed, officer = await event_registry.listed(id_), given.officer
    return {"event": id_, "token": token, "title": listed.name, "role": ROLE_NAMES[officer.role], "officer": officer}


async def _enter_desk(
    request: AnyRequest, event_registry: EventRegistry, id_: str, given: GivenRole, name: str
) -> Redirect:
    """Go on to the desk as an official.

    Raises:
        FieldError: nobody has said their name.
    """
    try:
        called = given.officer.name or tidy_name(name)
    except CompetitionError as error:
        raise refused(error) from None
    if not called:
        raise FieldError(errors.NAME_YOURSELF, "name")
    key = await event_registry.secret(id_)
    cookie = visitors_of(request).helper_cookie(request, id_, key, given.id, called, given.until_ms or 0)
    return Redirect(f"/events/{id_}/desk", status_code=303, cookies=[cookie])


router = Router("/events", route_handlers=[join_page, join, code_page, join_by_code], include_in_schema=False)

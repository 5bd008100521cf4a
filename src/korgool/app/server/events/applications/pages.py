"""The public form for entries, and the private page on which somebody sees what has become of theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from litestar import MediaType, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.applications.form import BODY, SentForm, applicants, read_form
from korgool.app.server.events.applications.model import OPEN
from korgool.app.server.events.applications.service import CLOSED, Applications, OpenGroup, once
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEventRegistry, readable
from korgool.app.server.http.dependencies import Form, TheCaller
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.template_texts import qr_svg
from korgool.app.words.regulations import regulations
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

TheApplications = NamedDependency[Applications]
_CONDITIONS: Final = ("sex", "born")
_CHOOSE: Final = N_("Choose one group or two.")


@get("/{event_id:str}/enter", action=ANYBODY, media_type=MediaType.HTML)
async def form_page(
    request: AnyRequest, event_id: FromPath[str], event_registry: TheEventRegistry, applications: TheApplications
) -> Response[str]:
    """The form, with the groups that are open and how many players they have; nobody is named."""
    event = await event_registry.find(event_id)
    await _may_be_told(request, event_id, await applications.groups(event))
    return await _form(request, event, applications)


@post("/{event_id:str}/enter", action=ANYBODY, request_max_body_size=BODY)
async def apply(
    request: AnyRequest,
    event_id: FromPath[str],
    event_registry: TheEventRegistry,
    applications: TheApplications,
    caller: TheCaller,
) -> Response[str]:
    """Apply; the answer shows the private link, this once only."""
    event = await event_registry.find(event_id)
    sent = await read_form(request)
    if sent.values.get("website"):  # a field that nobody sees, and programs fill in
        raise ApiError(422, errors.NOT_UNDERSTOOD)
    groups = await applications.groups(event)
    await _may_be_told(request, event_id, groups)
    by_id = {one.id: one for one in groups}
    chosen = sent.groups or ((groups[0].id,) if len(groups) == 1 else ())
    try:
        if not chosen or chosen[0] not in by_id:
            raise CompetitionError(Message(CLOSED) if not any(one.open for one in groups) else Message(_CHOOSE))
        sent = SentForm(sent.values, chosen, sent.listed, sent.paper)
        window = by_id[chosen[0]].window
        if window is None or not window.is_open(now_ms(), begun=True):  # before any file is opened
            raise CompetitionError(Message(CLOSED))
        state, today = by_id[chosen[0]].event.state, datetime.now(UTC).strftime("%Y-%m-%d")
        people, paper = await applicants(sent, state, event_registry.sandbox, caller, today)
        token = await applications.apply(caller, event, sent.values.get("once", "")[:40], people, paper)
    except RateLimitError:
        raise
    except CompetitionError as error:
        return await _form(request, event, applications, sent, error.said(language_of(request)), 422)
    url = f"{origin_of(request)}/events/{event.event_id}/enter/{token}"
    return _private(page(request, "applied.html", event=event.state, count=len(people), url=url, qr=qr_svg(url)))


@get("/{event_id:str}/enter/{token:str}", action=ANYBODY, media_type=MediaType.HTML)
async def own_page(
    request: AnyRequest,
    event_id: FromPath[str],
    token: FromPath[str],
    event_registry: TheEventRegistry,
    applications: TheApplications,
) -> Response[str]:
    """The applications of a link, and what has become of each."""
    event = await event_registry.find(event_id)
    return await _own(request, event, applications, token)


@post("/{event_id:str}/enter/{token:str}", action=ANYBODY)
async def change_own(
    request: AnyRequest,
    event_id: FromPath[str],
    token: FromPath[str],
    data: Form,
    event_registry: TheEventRegistry,
    applications: TheApplications,
) -> Response[str] | Redirect:
    """Withdraw an application, or answer the organiser."""
    event = await event_registry.find(event_id)
    try:
        if data.get("what") == "withdraw":
            await applications.withdraw(event, token, data.get("id", ""))
        else:
            await applications.answer(event, token, data.get("id", ""), data.get("answer", ""))
    except CompetitionError as error:
        return await _own(request, event, applications, token, error.said(language_of(request)), 422)
    return see(f"/events/{event.id}/enter/{token}")


async def _own(
    request: AnyRequest, event: LiveEvent, applications: Applications, token: str, problem: str = "", status: int = 200
) -> Response[str]:
    found = await applications.by_token(event, token)
    names = {one.id: one.name for one in await applications.groups(event)}
    answer = page(
        request,
        "application.html",
        status,
        event=event.state,
        event_id=event.id,
        token=token,
        found=found,
        groups=names,
        open_states=OPEN,
        problem=problem,
    )
    return _private(answer)


def _private(answer: Response[str]) -> Response[str]:
    """A page that nobody keeps and no search finds."""
    answer.headers |= {"cache-control": "no-store", "x-robots-tag": "noindex", "referrer-policy": "no-referrer"}
    return answer


async def _may_be_told(request: AnyRequest, event_id: str, groups: Sequence[OpenGroup]) -> None:
    """Raise what `readable` raises before an event takes entries: one that is not public is told to nobody then."""
    if not any(one.window for one in groups):
        await readable(request, event_id)


async def _form(
    request: AnyRequest,
    event: LiveEvent,
    applications: Applications,
    sent: SentForm | None = None,
    problem: str = "",
    status: int = 200,
) -> Response[str]:
    groups, language = await applications.groups(event), language_of(request)
    values: Mapping[str, str] = {} if sent is None else {k: v[:20_000] for k, v in sent.values.items()}
    late = [one for one in groups if one.window is not None and one.window.is_open(now_ms(), begun=True)]
    open_ = [one for one in groups if one.open] or (late if sent is not None else [])
    answer = page(
        request,
        "apply.html",
        status,
        event=event.state,
        event_id=event.event_id,
        title=event.state.title or event.state.event.name,
        groups=groups,
        open=open_,
        conditions={one.id: _conditions(one, language) for one in groups},
        waiting=await applications.waiting(event),
        doctor=any("doctor" in one.event.state.event.personal for one in open_),
        values=values,
        chosen=() if sent is None else sent.groups,
        once=values.get("once") or once(),
        problem=problem,
    )
    answer.headers["cache-control"] = "no-store"
    return answer


def _conditions(one: OpenGroup, language: str) -> Sequence[str]:
    found: Any = regulations(one.event.state.event, language)
    return [line.text for line in found if line.about in _CONDITIONS]


router = Router("/events", route_handlers=[form_page, apply, own_page, change_own], include_in_schema=False)

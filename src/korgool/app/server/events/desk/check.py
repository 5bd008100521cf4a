"""The check of an event at the desk: what `korgool event check` says, said here too."""

from __future__ import annotations

from collections.abc import Iterator

from litestar import MediaType, Response, get, post

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.dependencies import TheEventRegistry
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.http.dependencies import TheCaller, TheRateLimiter
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.people.checks import count_change
from korgool.competition.audit import LogSnapshot, checking, snapshot

_LINES_AT_ONCE = 200
"""Lines of a log that are checked in one turn of a thread, unless one of them has something to say or is a round."""


async def everything(competitions: EventRegistry, place: DeskPlace, held: LogSnapshot) -> list[str]:
    """The faults of an event. Nobody waits for the check: its lines are checked in turns between other work."""
    going, faults = checking(held, engine=place.competition.engine), list[str]()
    while (found := await competitions.in_thread(lambda: _turn(going))) is not None:
        faults += found
    return faults


def _turn(going: Iterator[tuple[str, ...]]) -> list[str] | None:
    """The faults of the next lines, None at the end."""
    found: list[str] = []
    for at in range(_LINES_AT_ONCE):
        faults = next(going, None)
        if faults is None:
            return found if at else None
        found += faults
    return found


@get("/check", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def check_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """What is remarked on, and the button that checks everything."""
    held = await place.competition.with_book(snapshot)
    return _page(request, place, held, None)


@post("/check", action=Action.OFFICIATE, status_code=200)
async def check_event(
    request: AnyRequest,
    place: ThePlace,
    event_registry: TheEventRegistry,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> Response[str]:
    """Pair every round again, compute every published table again, and say what differs.

    Raises:
        ApiError: 403, the role does not have it.
    """
    if do.Pair not in place.allowed:
        raise ApiError(403, errors.NO_ROLE)
    count_change(rate_limiter, caller)
    held = await place.competition.with_book(snapshot)
    return _page(request, place, held, await everything(event_registry, place, held))


def _page(request: AnyRequest, place: DeskPlace, held: LogSnapshot, faults: list[str] | None) -> Response[str]:
    rounds, lines = len(held.state.rounds), len(held.lines)
    return desk_page(
        request, place, "log", "check.html", faults=faults, remarks=held.remarks, rounds=rounds,
        lines=lines, may_check=do.Pair in place.allowed,
    )  # fmt: skip


handlers = [check_page, check_event]

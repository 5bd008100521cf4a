"""The check of an event at the desk: what `korgool event check` says, said here too."""

from __future__ import annotations

from collections.abc import Iterator

from litestar import MediaType, Response, get, post

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server import messages
from korgool.app.server.competitions.competitions import Competitions
from korgool.app.server.messages import RefusedError
from korgool.app.server.web.accounts import count_change
from korgool.app.server.web.answers import AnyRequest
from korgool.app.server.web.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.web.given import TheCaller, TheCompetitions, TheHall
from korgool.competition.audit import LogSnapshot, checking, snapshot

_LINES_AT_ONCE = 200
"""Lines of a log that are checked in one turn of a thread, unless one of them has something to say or is a round."""


async def everything(competitions: Competitions, place: DeskPlace, held: LogSnapshot) -> list[str]:
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
    request: AnyRequest, place: ThePlace, competitions: TheCompetitions, caller: TheCaller, hall: TheHall
) -> Response[str]:
    """Pair every round again, compute every published table again, and say what differs.

    Raises:
        RefusedError: 403, the role does not have it.
    """
    if do.Pair not in place.allowed:
        raise RefusedError(403, messages.NO_ROLE)
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    held = await place.competition.with_book(snapshot)
    return _page(request, place, held, await everything(competitions, place, held))


def _page(request: AnyRequest, place: DeskPlace, held: LogSnapshot, faults: list[str] | None) -> Response[str]:
    rounds, lines = len(held.state.rounds), len(held.lines)
    return desk_page(
        request, place, "log", "check.html", faults=faults, remarks=held.remarks, rounds=rounds,
        lines=lines, may_check=do.Pair in place.allowed,
    )  # fmt: skip


handlers = [check_page, check_event]

"""What the application gives to handlers by name, and forms as handlers read them."""

from __future__ import annotations

from typing import Annotated, Any

from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.params import PathParameter, URLEncodedBody

from korgool.app.server.competitions.competition import Competition
from korgool.app.server.competitions.competitions import Competitions
from korgool.app.server.competitions.following import Following
from korgool.app.server.competitions.public_pages import PublicPages
from korgool.app.server.games.challenge_desk import Desk
from korgool.app.server.games.running_games import Hall
from korgool.app.server.limits import Caller, address_key
from korgool.app.server.notices.notices import Notices
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.web.officials import found_event, found_officer
from korgool.app.server.web.site import Site
from korgool.app.server.web.who import Who, who_of
from korgool.competition.roles import Officer

EventId = Annotated[
    str,
    PathParameter(
        description="id of the event, 8 letters and digits",
        max_length=40,
        schema_extra={"pattern": "^[a-z0-9]{8}$"},
    ),
]
TheHall = NamedDependency[Hall]
TheDesk = NamedDependency[Desk]
TheCompetitions = NamedDependency[Competitions]
TheEvent = NamedDependency[Competition]
"""The event in the address of a door for its officials."""
TheOfficer = NamedDependency[Officer]
"""Who asks there."""
TheFollowing = NamedDependency[Following]
ThePublicPages = NamedDependency[PublicPages]
TheNotices = NamedDependency[Notices]
TheKeeper = NamedDependency[Doorkeeper]
TheWho = NamedDependency[Who]
TheSite = NamedDependency[Site]
TheCaller = NamedDependency[Caller]
TheVisitor = NamedDependency[str | None]
"""Who asks: the identity, or None for nobody known."""
KnownVisitor = NamedDependency[str]
"""The same where a form with a valid token implies somebody."""
Form = URLEncodedBody[dict[str, str]]


def _of_state(name: str) -> Provide:
    """Something that the application holds."""

    async def give(request: ASGIConnection[Any, Any, Any, Any]) -> Any:
        return request.app.state[name]

    return Provide(give)


async def _who(request: ASGIConnection[Any, Any, Any, Any]) -> Who:
    return who_of(request)


async def _event(request: ASGIConnection[Any, Any, Any, Any], event_id: EventId) -> Competition:
    return found_event(request)


async def _officer(request: ASGIConnection[Any, Any, Any, Any]) -> Officer:
    return found_officer(request)


async def _visitor(request: ASGIConnection[Any, Any, Any, Any], hall: TheHall) -> str | None:
    # Litestar resolves a chain of dependencies in sequence, but independent ones in tasks, which cost more than the
    # work.
    return who_of(request).identity


async def _caller(request: ASGIConnection[Any, Any, Any, Any], visitor: TheVisitor) -> Caller:
    client = request.scope.get("client")
    return Caller(address_key(client[0]) if client else "", visitor)


_HELD = ("hall", "desk", "competitions", "following", "public_pages", "notices", "site", "keeper")
GIVEN = {name: _of_state(name) for name in _HELD} | {
    "who": Provide(_who),
    "event": Provide(_event),
    "officer": Provide(_officer),
    "visitor": Provide(_visitor),
    "caller": Provide(_caller),
}
"""The dependencies of all handlers."""

"""The services of events and the routes of events: the application takes both from here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar.types import ControllerRouterHandler

from korgool.app.server.cluster.bus import News
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events import api, file_api
from korgool.app.server.events.applications import pages as application_pages
from korgool.app.server.events.applications.service import Applications
from korgool.app.server.events.boards import api as board_api
from korgool.app.server.events.boards import pages as board_pages
from korgool.app.server.events.boards import seat_doors
from korgool.app.server.events.boards.service import LiveBoards
from korgool.app.server.events.copies.service import EventCopies
from korgool.app.server.events.desk.router import router as desk_router
from korgool.app.server.events.desk.settings import making
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.following import pages as following_pages
from korgool.app.server.events.following.service import FollowedEvents
from korgool.app.server.events.helpers import api as helper_api
from korgool.app.server.events.helpers import pages as helper_pages
from korgool.app.server.events.helpers.service import HelperRoles
from korgool.app.server.events.official_access import EVENT_DEPENDENCIES
from korgool.app.server.events.public import groups, list_pages
from korgool.app.server.events.public import pages as public_pages
from korgool.app.server.events.public.event_list import EventList
from korgool.app.server.events.public.page_cache import PublicPages
from korgool.app.server.events.stand_by import api as stand_by_api
from korgool.app.server.events.stand_by import keeper_page
from korgool.app.server.events.stand_by.leadership import Leadership
from korgool.app.server.events.stand_by.service import StandBys
from korgool.app.server.events.tables import pages as table_pages
from korgool.app.server.events.tables.service import TablePhones
from korgool.app.server.events.uploads import pages as upload_pages
from korgool.app.server.events.uploads.service import EventUploads
from korgool.app.server.http.dependencies import from_state
from korgool.app.server.http.release import release
from korgool.app.server.limits import RateLimiter
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.storage.database import Storage

EVENT_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    desk_router,
    *list_pages.handlers,
    *public_pages.handlers,
    public_pages.router,
    groups.router,
    groups.medals_router,
    making,
    following_pages.router,
    following_pages.follow_for_programs,
    api.router,
    board_api.router,
    board_pages.router,
    seat_doors.pages,
    seat_doors.doors,
    file_api.router,
    helper_api.router,
    helper_pages.router,
    stand_by_api.router,
    *keeper_page.handlers,
    table_pages.router,
    upload_pages.router,
    application_pages.router,
)
"""All routes of events; a feature adds its own here."""
_NAMES = (
    "event_registry",
    "helper_roles",
    "followed_events",
    "public_pages",
    "event_list",
    "stand_bys",
    "leadership",
    "table_phones",
    "event_uploads",
    "live_boards",
    "event_copies",
    "applications",
)
EVENTS_DEPENDENCIES = EVENT_DEPENDENCIES | {name: from_state(name) for name in _NAMES}
"""All that handlers of events, and of other features, are given by name."""


class EventServices:
    """The services of events of one process.

    Attributes:
        state: they as members of the application's state.
    """

    def __init__(
        self,
        storage: Storage,
        news: News,
        settings: ServerSettings,
        directory: AccountRepository,
        rate_limiter: RateLimiter,
    ) -> None:
        self._registry = registry = EventRegistry(storage, news)
        self._followed = followed = FollowedEvents(storage, registry.sandbox, rate_limiter, settings.follow_networks)
        self._stand_bys = StandBys(storage, registry, registry.leads)
        self._boards = LiveBoards(storage, registry, news, rate_limiter)
        url = settings.url()
        home = Path(url.database).parent if url.get_backend_name() == "sqlite" and url.database else None
        self._copies = EventCopies(
            registry,
            registry.new_book,
            settings.copies,
            home,
            lambda event: self._stand_bys.snapshot(event, settings.base_url or ""),
        )
        self._leadership = Leadership(storage, registry, settings)
        self._applications = Applications(storage, registry, rate_limiter)
        self._tables = TablePhones(storage, registry, rate_limiter)
        self.state: dict[str, Any] = {
            "event_copies": self._copies,
            "event_registry": registry,
            "helper_roles": HelperRoles(storage, registry, directory, rate_limiter, settings.limits),
            "followed_events": followed,
            "event_list": EventList(registry, followed),
            "public_pages": PublicPages(registry, lambda: (release().tag, release().root)),
            "stand_bys": self._stand_bys,
            "event_uploads": EventUploads(registry, storage, hall=settings.base_url is None),
            "live_boards": self._boards,
            "leadership": self._leadership,
            "applications": self._applications,
            "table_phones": self._tables,
        }

    async def open(self) -> None:
        """Begin."""
        self._registry.open()
        self._copies.open()
        self._stand_bys.open()
        self._boards.open()
        await self._leadership.open()
        self._applications.open()
        self._tables.open()

    async def close(self) -> None:
        """End; what is being written is finished."""
        self._copies.close()
        self._stand_bys.close()
        await self._boards.close()
        await self._leadership.close()
        await self._followed.close()
        self._registry.close()

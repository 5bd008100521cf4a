"""The web platform: pages, commands and live events of games against the engine.

`create_app` makes the application for any ASGI server, `run.serve` runs it by itself.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from typing import Any

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers.base import BaseRouteHandler
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server import messages
from korgool.app.server.competitions.competitions import Competitions
from korgool.app.server.competitions.following import Following
from korgool.app.server.competitions.public_pages import PublicPages
from korgool.app.server.games.challenge_desk import Desk
from korgool.app.server.games.running_games import Hall
from korgool.app.server.games.work_desk import WorkDesk
from korgool.app.server.limits.pool import Pool, watch_pools
from korgool.app.server.messages import RefusedError
from korgool.app.server.notices.kept import Kept
from korgool.app.server.notices.mail import Mailer
from korgool.app.server.notices.notices import Notices
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.people.ledger import Ledger
from korgool.app.server.settings import ServerSettings, check_notices
from korgool.app.server.storage.chosen_bus import news_of
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.statistics import renew_statistics
from korgool.app.server.waiting import outcome_of
from korgool.app.server.web import (
    account_keys,
    account_pages,
    accounts,
    analysis,
    api,
    blocks,
    challenge_pages,
    challenges,
    children,
    event_files,
    event_following,
    event_helpers,
    event_pages,
    events_api,
    export,
    guests,
    help_pages,
    notices_api,
    offline,
    pages,
    passkey_api,
    pictures,
    player_pages,
    players,
    report_pages,
    reports,
    seat_pages,
    vacation,
    watching,
    wishes,
)
from korgool.app.server.web.answers import add_headers, answer_refusal, for_programs, prepare, rest_of_work
from korgool.app.server.web.description import StructSchemas, openapi_config
from korgool.app.server.web.desk.pages import router as desk_router
from korgool.app.server.web.desk.regulations import making as event_making
from korgool.app.server.web.given import GIVEN
from korgool.app.server.web.middleware import front
from korgool.app.server.web.release import release, static_file
from korgool.app.server.web.rights import check_rights
from korgool.app.server.web.site import Site
from korgool.app.server.web.visitors import Visitors

__all__ = ["ServerSettings", "create_app"]

_BODY_LIMIT = 64 * 1024
_OTHER_THREADS = min(32, (os.cpu_count() or 1) + 4)
"""Threads for all that has none of its own, most of it short questions to the database: as many as asyncio takes."""
_OTHER_SECONDS = 120.0
_LATER_SECONDS = 2.0
_COUNT_SECONDS = 3600.0
_LOG = logging.getLogger(__name__)


def create_app(settings: ServerSettings) -> Litestar:
    """Return the application over an open database. When it starts, it resumes the games whose clocks are running.

    Raises:
        StorageError: the database cannot be used.
        SettingsError: the settings name no database, or an invalid host name or base URL.
    """
    site = Site(settings)
    check_notices(settings)
    if settings.push is not None:
        import_module("korgool.app.server.notices.web_push")  # what is not installed is said before anything begins
    check_work(settings)
    storage = Storage.open(settings)
    visitors = Visitors(storage.secret(), site)
    keeper = Doorkeeper(Ledger(storage.engine), settings.limits)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(Pool("other", _OTHER_THREADS, _OTHER_SECONDS))
        watching_pools = asyncio.create_task(watch_pools())
        notices = app.state.notices = _notices(settings, storage, site)
        notices.open()
        hall = app.state.hall = Hall(storage, settings, news_of(storage, settings), keeper.people)
        hall.notices = notices
        hall.work = await _work_desk(settings, storage)
        desk = app.state.desk = Desk(hall)
        competitions = app.state.competitions = Competitions(storage, hall.news, settings.limits)
        following = app.state.following = Following(storage, competitions.sandbox, settings.follow_networks)
        app.state.public_pages = PublicPages(competitions, lambda: (release().tag, release().root))
        app.state.released = asyncio.create_task(asyncio.to_thread(prepare))
        later = asyncio.create_task(_do_the_rest(app.state.released, storage))
        try:
            keeper.open()
            await hall.open()
            desk.open()
            competitions.open()
            yield
        finally:
            desk.close()
            await following.close()
            await keeper.close()
            competitions.close()
            later.cancel()
            await asyncio.wait([later], timeout=_LATER_SECONDS)
            await hall.close()
            await notices.close()
            storage.close()
            watching_pools.cancel()

    state = State({"visitors": visitors, "site": site, "keeper": keeper, "register": keeper.people})
    app = with_doors(running, state)
    app.asgi_handler = front(app.asgi_handler)
    return app


def with_doors(life: Callable[[Litestar], AbstractAsyncContextManager[None]], state: State) -> Litestar:
    """Return an application with all doors. These do not depend on the settings; what does is in `life` and `state`."""
    return Litestar(
        route_handlers=[
            *pages.handlers,
            report_pages.router,
            *help_pages.handlers,
            *challenge_pages.handlers,
            *pictures.handlers,
            *player_pages.handlers,
            *offline.handlers,
            *notices_api.handlers,
            *seat_pages.handlers,
            api.router,
            vacation.router,
            *vacation.handlers,
            guests.router,
            accounts.router,
            account_keys.router,
            children.router,
            passkey_api.router,
            export.router,
            blocks.router,
            reports.router,
            *account_pages.routers,
            *wishes.handlers,
            desk_router,
            *event_pages.handlers,
            event_pages.router,
            event_making,
            event_following.pages,
            event_following.follow_for_programs,
            challenges.router,
            players.router,
            events_api.router,
            event_files.router,
            event_helpers.api,
            event_helpers.pages,
            watching.watch_page,
            watching.router,
            analysis.analysis_page,
            analysis.router,
            api.health,
            static_file,
        ],
        lifespan=[life],
        dependencies=GIVEN,
        guards=[_findable, _at_home, _released, _identified, _meant, check_rights],
        state=state,
        request_max_body_size=_BODY_LIMIT,
        multipart_form_part_limit=20,
        before_send=[add_headers],
        exception_handlers={Exception: answer_refusal},
        openapi_config=openapi_config(),
        plugins=[StructSchemas()],
        logging_config=None,
        debug=False,
    )


async def _do_the_rest(released: asyncio.Task[None], storage: Storage) -> None:
    """Do what can wait, when the pages have been read: the first visitors need those sooner. Afterwards renew the
    statistics of a database that has grown, then and every hour."""
    await asyncio.wait([released])
    for work in rest_of_work():
        await asyncio.to_thread(work)
    while True:
        try:
            await asyncio.to_thread(renew_statistics, storage.engine)
        except SQLAlchemyError as error:
            _LOG.warning("the statistics of the database were not renewed: %s", " ".join(str(error).split())[:200])
        await asyncio.sleep(_COUNT_SECONDS)


async def _findable(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse an address with a NUL: nothing is called so, and PostgreSQL cannot even look for it.

    Raises:
        RefusedError: 404.
    """
    if "\0" in connection.scope["path"] and isinstance(connection, Request):
        raise RefusedError(404, messages.NO_PAGE)


async def _at_home(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse unknown hosts and requests of other sites (`Site.check`)."""
    await connection.app.state.site.check(connection, handler)


async def _identified(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Find out who asks (`Visitors.identify`)."""
    await connection.app.state.visitors.identify(connection, handler)


async def _meant(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse a command that the browser's page did not send (`Visitors.check`)."""
    await connection.app.state.visitors.check(connection, handler)


async def _released(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Make the first requests for pages wait until these have been read, without blocking each other; a move need not
    wait for a template."""
    task: asyncio.Task[object] = connection.app.state.released
    if not task.done() and not for_programs(connection.scope["path"]):
        await outcome_of(task)


def check_work(settings: ServerSettings) -> None:
    """Check that the queue of the engine's work can be used, before anything is opened.

    Raises:
        QueueError: the database is not PostgreSQL.
        ImportError: the part is not installed.
    """
    if settings.engine_queue:
        from korgool.app.server.work.tables import check

        check(settings.url())


async def _work_desk(settings: ServerSettings, storage: Storage) -> WorkDesk:
    """Where the engine's work is done."""
    if not settings.engine_queue:
        return WorkDesk()
    from korgool.app.server.work.queue import WorkQueue

    queue = WorkQueue(settings.url(), storage.secret())
    await queue.open()
    return WorkDesk(queue)


def _notices(settings: ServerSettings, storage: Storage, site: Site) -> Notices:
    """What tells people that it is their turn, by the ways that are switched on."""
    kept, push = Kept(storage.engine), None
    if settings.push is not None:
        from korgool.app.server.notices.web_push import WebPush

        push = WebPush(kept.push_key(), settings.push, settings.push_networks)
    mailer = None if settings.smtp is None else Mailer(settings.smtp)
    return Notices(kept, push, mailer, site.base or "")

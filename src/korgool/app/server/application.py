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

from litestar import Litestar, MediaType, Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from sqlalchemy.exc import SQLAlchemyError

from korgool.accounts import Action
from korgool.app.server.analysis import api as analysis
from korgool.app.server.analysis import played_api
from korgool.app.server.analysis.played_games import PlayedGames
from korgool.app.server.cluster.bus_choice import news_of
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.settings import ServerSettings, check_notices
from korgool.app.server.core.shielding import outcome_of
from korgool.app.server.engines.search_dispatch import SearchDispatch
from korgool.app.server.events.official_access import officiate
from korgool.app.server.events.openapi_schemas import RecordComponents
from korgool.app.server.events.wiring import EVENT_HANDLERS, EVENTS_DEPENDENCIES, EventServices
from korgool.app.server.http.dependencies import DEPENDENCIES, caller_of, from_state
from korgool.app.server.http.middleware import wrap_application
from korgool.app.server.http.openapi import StructSchemas, openapi_config
from korgool.app.server.http.page_variables import remember_variables
from korgool.app.server.http.release import static_file
from korgool.app.server.http.responses import add_headers, error_response, is_api_path, prepare, warm_up_tasks
from korgool.app.server.http.rights import check_rights
from korgool.app.server.http.site_names import Site
from korgool.app.server.http.visitors import Visitors, principal_of
from korgool.app.server.limits.deadline_pool import DeadlinePool, watch_pools
from korgool.app.server.notices import api as notices_api
from korgool.app.server.notices.mail import Mailer
from korgool.app.server.notices.notice_repository import NoticeRepository
from korgool.app.server.notices.notices import Notices
from korgool.app.server.people.checks import count_change
from korgool.app.server.people.profiles import api as profiles
from korgool.app.server.people.sign_in.identification import identify
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.people.wiring import PEOPLE_DEPENDENCIES, PEOPLE_HANDLERS, authentication_of, people_services
from korgool.app.server.play import api, link_pictures, pages, waiting_api, watching
from korgool.app.server.play.challenges import api as challenges
from korgool.app.server.play.challenges import lobby
from korgool.app.server.play.challenges import pages as challenge_pages
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.vacations import api as vacation
from korgool.app.server.play.waiting_games import WaitingGames
from korgool.app.server.school.classes.repository import ClassRepository
from korgool.app.server.school.wiring import SCHOOL_DEPENDENCIES, SCHOOL_HANDLERS, school_services
from korgool.app.server.site import home, resumed_forms, watch_page
from korgool.app.server.site import pages as site_pages
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.planner_statistics import renew_statistics

__all__ = ["ServerSettings", "create_app"]

_STATE_NAMES = ("game_registry", "challenge_service", "notices", "waiting_games", "played_games")
"""Members of the state that handlers of the other features are given by name."""
_BODY_LIMIT = 64 * 1024
_OTHER_THREADS = min(32, (os.cpu_count() or 1) + 4)
"""Threads for all that has none of its own, most of it short questions to the database: as many as asyncio takes."""
_OTHER_SECONDS = 120.0
_WARM_UP_SECONDS = 2.0
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
    check_engine_queue(settings)
    storage = Storage.open(settings)
    visitors = Visitors(storage.secret(), site)
    authentication = authentication_of(PeopleTransactions(storage.engine), settings.limits, ClassRepository)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(DeadlinePool("other", _OTHER_THREADS, _OTHER_SECONDS))
        watching_pools = asyncio.create_task(watch_pools())
        notices = app.state.notices = _notices(settings, storage, site)
        notices.open()
        game_registry = app.state.game_registry = GameRegistry(
            storage, settings, news_of(storage, settings), authentication.people
        )
        app.state.rate_limiter = game_registry.rate_limiter
        game_registry.notices = notices
        game_registry.work = await _search_dispatch(settings, storage)
        challenge_service = app.state.challenge_service = ChallengeService(game_registry)
        app.state.update(
            people_services(authentication, game_registry, challenge_service)
            | school_services(authentication, game_registry, settings.limits)
        )
        event_services = EventServices(
            storage, game_registry.news, settings, authentication.directory, game_registry.rate_limiter
        )
        app.state.update(
            event_services.state
            | {"waiting_games": WaitingGames(game_registry), "played_games": PlayedGames(storage.engine)}
        )
        app.state.released = asyncio.create_task(asyncio.to_thread(prepare))
        warming_up = asyncio.create_task(_warm_up(app.state.released, storage))
        try:
            authentication.open()
            await game_registry.open()
            challenge_service.open()
            await event_services.open()
            yield
        finally:
            challenge_service.close()
            await event_services.close()
            await authentication.close()
            warming_up.cancel()
            await asyncio.wait([warming_up], timeout=_WARM_UP_SECONDS)
            await game_registry.close()
            app.state.played_games.close()
            await notices.close()
            storage.close()
            watching_pools.cancel()

    state = State({"visitors": visitors, "site": site, "officiate": officiate, "authentication": authentication})
    state.contact = settings.push
    state.people_lookup, state.session_connections = authentication.people, authentication.connections
    app = build_application(running, state)
    app.asgi_handler = wrap_application(app.asgi_handler)
    return app


def build_application(life: Callable[[Litestar], AbstractAsyncContextManager[None]], state: State) -> Litestar:
    """Return an application with all doors. These do not depend on the settings; what does is in `life` and `state`."""
    return Litestar(
        route_handlers=[
            *pages.handlers,
            *home.handlers,
            *site_pages.handlers,
            *SCHOOL_HANDLERS,
            *challenge_pages.handlers,
            *lobby.handlers,
            *link_pictures.handlers,
            *notices_api.handlers,
            api.router,
            waiting_api.router,
            *waiting_api.handlers,
            vacation.router,
            *vacation.handlers,
            *PEOPLE_HANDLERS,
            *resumed_forms.handlers,
            *EVENT_HANDLERS,
            challenges.router,
            profiles.router,
            *watch_page.handlers,
            watching.router,
            analysis.analysis_page,
            analysis.review_page,
            analysis.boards_page,
            analysis.router,
            played_api.router,
            api.health,
            static_file,
        ],
        lifespan=[life],
        dependencies=DEPENDENCIES
        | PEOPLE_DEPENDENCIES
        | EVENTS_DEPENDENCIES
        | SCHOOL_DEPENDENCIES
        | {name: from_state(name) for name in _STATE_NAMES},
        guards=[
            *(_check_path, _check_site, _await_templates, _identify, _count_large, _check_form_token, check_rights),
            _look_what_waits,
        ],
        state=state,
        request_max_body_size=_BODY_LIMIT,
        multipart_form_part_limit=20,
        before_send=[add_headers],
        exception_handlers={Exception: error_response},
        openapi_config=openapi_config(RecordComponents),
        plugins=[StructSchemas()],
        logging_config=None,
        debug=False,
    )


async def _warm_up(released: asyncio.Task[None], storage: Storage) -> None:
    """Do what can wait, when the pages have been read: the first visitors need those sooner. Afterwards renew the
    statistics of a database that has grown, then and every hour."""
    await asyncio.wait([released])
    for work in warm_up_tasks():
        await asyncio.to_thread(work)
    while True:
        try:
            await asyncio.to_thread(renew_statistics, storage.engine)
        except SQLAlchemyError as error:
            _LOG.warning("the statistics of the database were not renewed: %s", " ".join(str(error).split())[:200])
        await asyncio.sleep(_COUNT_SECONDS)


async def _check_path(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse an address with a NUL: nothing is called so, and PostgreSQL cannot even look for it.

    Raises:
        ApiError: 404.
    """
    if "\0" in connection.scope["path"] and isinstance(connection, Request):
        raise ApiError(404, errors.NO_PAGE)


async def _check_site(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse unknown hosts and requests of other sites (`Site.check`)."""
    await connection.app.state.site.check(connection, handler)


async def _identify(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Identify the principal."""
    await identify(connection, handler)


async def _count_large(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Count a command whose body is `large` as a change before any of it is read.

    Raises:
        RateLimitError: the session or the address has made too many.
    """
    if handler.opt.get("large"):
        count_change(connection.app.state.rate_limiter, caller_of(connection, principal_of(connection).identity))


async def _check_form_token(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse a command that the browser's page did not send (`Visitors.check`)."""
    await connection.app.state.visitors.check(connection, handler)


async def _look_what_waits(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Read what waits for the reader of a page, for its badge. Strangers, officials' desks, and routes that are only a
    part of a page (`counts=False`) go without."""
    if not isinstance(handler, HTTPRouteHandler) or handler.media_type != MediaType.HTML:
        return
    wanted = handler.opt.get("counts", True) and handler.opt.get("action") is not Action.OFFICIATE
    principal = principal_of(connection)
    if wanted and connection.scope.get("method") == HttpMethod.GET and principal.identity is not None:
        remember_variables(connection, await connection.app.state.waiting_games.page_variables(principal))


async def _await_templates(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Make the first requests for pages wait until these have been read, without blocking each other; a move need not
    wait for a template."""
    task: asyncio.Task[object] = connection.app.state.released
    if not task.done() and not is_api_path(connection.scope["path"]):
        await outcome_of(task)


def check_engine_queue(settings: ServerSettings) -> None:
    """Check that the queue of the engine's work can be used, before anything is opened.

    Raises:
        QueueError: the database is not PostgreSQL.
        ImportError: the part is not installed.
    """
    if settings.engine_queue:
        from korgool.app.server.engines.queue_tables import check

        check(settings.url())


async def _search_dispatch(settings: ServerSettings, storage: Storage) -> SearchDispatch:
    """The dispatch of the engine's work, with its queue if there is one."""
    if not settings.engine_queue:
        return SearchDispatch()
    from korgool.app.server.engines.job_queue import WorkQueue

    queue = WorkQueue(settings.url(), storage.secret())
    await queue.open()
    return SearchDispatch(queue)


def _notices(settings: ServerSettings, storage: Storage, site: Site) -> Notices:
    """The notices of turns, by the ways that are switched on."""
    repository, push = NoticeRepository(storage.engine), None
    if settings.push is not None:
        from korgool.app.server.notices.web_push import WebPush

        push = WebPush(repository.push_key(), settings.push, settings.push_networks)
    mailer = None if settings.smtp is None else Mailer(settings.smtp)
    return Notices(repository, push, mailer, site.base or "")

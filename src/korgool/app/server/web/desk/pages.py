"""All pages of the console as one router; a screen adds its views here."""

from __future__ import annotations

from litestar import Router

from korgool.app.server.web.desk import acting, grid, news, overview
from korgool.app.server.web.desk.frame import PLACE, lead_in
from korgool.app.server.web.own_pages import SignedOutError

router = Router(
    "/events/{event_id:str}/desk",
    route_handlers=[overview.overview, *grid.handlers, acting.act, news.news],
    dependencies=PLACE,
    exception_handlers={SignedOutError: lead_in},
    include_in_schema=False,
)

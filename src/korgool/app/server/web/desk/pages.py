"""All pages of the console as one router; a screen adds its views here."""

from __future__ import annotations

from litestar import Router

from korgool.app.server.web.desk import (
    acting,
    check,
    check_in,
    entries,
    grid,
    hands,
    helpers,
    import_list,
    log,
    overview,
    pairing,
    papers,
    photos,
    prizes,
    regulations,
    standings,
    teams,
    warnings,
)
from korgool.app.server.web.desk.frame import PLACE

router = Router(
    "/events/{event_id:str}/desk",
    route_handlers=[
        *(overview.overview, *grid.handlers, *hands.handlers, *pairing.handlers, acting.act),
        *(*entries.handlers, *import_list.handlers, *check_in.handlers, *teams.handlers, *regulations.handlers),
        *(*standings.handlers, prizes.prizes_page, *warnings.handlers, *log.handlers, *check.handlers),
        *(*helpers.handlers, *papers.handlers, *photos.handlers),
    ],
    dependencies=PLACE,
    include_in_schema=False,
)

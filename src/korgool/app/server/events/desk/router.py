"""All pages of the console as one router; a screen adds its views here."""

from __future__ import annotations

from litestar import Router

from korgool.app.server.events.desk import (
    action_forms,
    check,
    check_in,
    entries,
    grid,
    helpers,
    import_list,
    log,
    manual_pairing,
    overview,
    pairing,
    papers,
    photos,
    prizes,
    standings,
    teams,
    warnings,
)
from korgool.app.server.events.desk import (
    settings as regulations,
)
from korgool.app.server.events.desk.frame import PLACE

router = Router(
    "/events/{event_id:str}/desk",
    route_handlers=[
        *(overview.overview, *grid.handlers, *manual_pairing.handlers, *pairing.handlers, action_forms.act),
        *(*entries.handlers, *import_list.handlers, *check_in.handlers, *teams.handlers, *regulations.handlers),
        *(*standings.handlers, prizes.prizes_page, *warnings.handlers, *log.handlers, *check.handlers),
        *(*helpers.handlers, *papers.handlers, *photos.handlers),
    ],
    dependencies=PLACE,
    include_in_schema=False,
)

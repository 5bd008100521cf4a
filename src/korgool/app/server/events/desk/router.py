"""Router of the console; a screen adds its handlers here."""

from __future__ import annotations

from litestar import Router

from korgool.app.server.events.desk import (
    applications,
    check_in,
    check_in_groups,
    copies,
    emblem,
    entries,
    forms,
    helpers,
    import_list,
    log,
    manual_pairing,
    overview,
    pairing,
    papers,
    photos,
    results,
    second_machine,
    settings,
    sheet_photos,
    standings,
    start_list,
    wall,
    warnings,
)
from korgool.app.server.events.desk.frame import PLACE

router = Router(
    "/events/{event_id:str}/desk",
    route_handlers=[
        *(overview.overview, *results.handlers, *manual_pairing.handlers, *pairing.handlers, forms.act),
        *(*entries.handlers, *start_list.handlers, *applications.handlers),
        *(*import_list.handlers, *check_in.handlers),
        *(*check_in_groups.handlers, *settings.handlers),
        *(*standings.handlers, *warnings.handlers, *log.handlers),
        *(*wall.handlers, *helpers.handlers, *papers.handlers, *emblem.handlers, *photos.handlers),
        *copies.handlers,
        *sheet_photos.handlers,
        *second_machine.handlers,
    ],
    dependencies=PLACE,
    include_in_schema=False,
)

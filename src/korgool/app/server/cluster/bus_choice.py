"""The bus that carries the news of a site, chosen by the settings."""

from __future__ import annotations

from korgool.app.server.cluster.bus import News, PostgresBus
from korgool.app.server.core.settings import NO_BUS, ServerSettings
from korgool.app.server.storage.database import Storage


def news_of(storage: Storage, settings: ServerSettings) -> News:
    """The news between the processes of a database: by NOTIFY of PostgreSQL, if no other way is given."""
    if storage.processes is None or settings.bus == NO_BUS:
        return News()
    if settings.bus is None:
        return News(storage.processes.id, PostgresBus(settings.url()))
    from korgool.app.server.cluster.nats_bus import NatsBus

    return News(storage.processes.id, NatsBus(settings.bus))

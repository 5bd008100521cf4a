"""The public pages of an event: made from its state alone, for a server and for a folder of files."""

from korgool.app.publishing.event_data import (
    MOST_BYTES,
    LogMark,
    SnapshotError,
    games_text,
    read_snapshot,
    round_data,
    snapshot_data,
    snapshot_log,
    standings_data,
)
from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.folder import FolderError, WrittenFolder, write_folder
from korgool.app.publishing.group_pages import MEDALS_PAGE
from korgool.app.publishing.live_pages import LIVE_PAGE, live_fields
from korgool.app.publishing.page_table import PUBLIC_PAGES
from korgool.app.publishing.places import FolderPlace, GroupLink, Place, SitePlace
from korgool.app.publishing.privacy import public_event
from korgool.app.publishing.rendering import Circumstances, NoPageError, page_names, render_page

__all__ = [
    "LIVE_PAGE",
    "MEDALS_PAGE",
    "MOST_BYTES",
    "PUBLIC_PAGES",
    "Circumstances",
    "EventFigures",
    "FolderError",
    "FolderPlace",
    "GroupLink",
    "LogMark",
    "NoPageError",
    "Place",
    "SitePlace",
    "SnapshotError",
    "WrittenFolder",
    "games_text",
    "live_fields",
    "page_names",
    "public_event",
    "read_snapshot",
    "render_page",
    "round_data",
    "snapshot_data",
    "snapshot_log",
    "standings_data",
    "write_folder",
]

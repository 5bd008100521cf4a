"""Dependencies of handlers that are about notices."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.app.server.notices.notices import Notices

TheNotices = NamedDependency[Notices]

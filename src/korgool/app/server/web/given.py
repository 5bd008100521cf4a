"""What the application gives to handlers by name, and forms as handlers read them."""

from __future__ import annotations

from litestar.di import NamedDependency
from litestar.params import URLEncodedBody

from korgool.app.server.games.challenge_desk import Desk
from korgool.app.server.games.running_games import Hall
from korgool.app.server.limits import Caller
from korgool.app.server.notices.notices import Notices
from korgool.app.server.web.site import Site

TheHall = NamedDependency[Hall]
TheDesk = NamedDependency[Desk]
TheNotices = NamedDependency[Notices]
TheSite = NamedDependency[Site]
TheCaller = NamedDependency[Caller]
TheVisitor = NamedDependency[str | None]
"""Who asks: the identity, or None for nobody known."""
KnownVisitor = NamedDependency[str]
"""The same where a form with a valid token implies somebody."""
Form = URLEncodedBody[dict[str, str]]

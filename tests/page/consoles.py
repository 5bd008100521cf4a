"""What a page says in its console, and which of that is a fault: by what it is about, not by which browser said it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page

NOT_OF_THE_PAGE = (
    # A page was left, or gave up a silent line, while it was connecting: what the server and the page have to do then,
    # they do. Whether a socket is open by then depends on how long the browser takes.
    r"WebSocket connection to '.*' failed: WebSocket is closed before the connection is established",
    # A newer browser's advice to developers, which an older one does not give.
    r"\[(?:Deprecation|Intervention|Violation)\] ",
    # The machine's graphics.
    r"\[\.WebGL-|\[GroupMarkerNotSet|.*GL Driver Message",
)
"""Beginnings of what a browser says by itself, which tell of the moment, of the browser or of the machine."""
_NOT_OF_THE_PAGE = re.compile("|".join(NOT_OF_THE_PAGE))
_OF_THE_TESTS = "Service Worker registration blocked by Playwright"
"""What a script of Playwright's prints in every page that may have no service worker."""


def is_fault(said: ConsoleMessage) -> bool:
    """Whether a message is an error or a warning about the page: all of a script's own, most of a browser's."""
    if said.type not in ("error", "warning") or said.text == _OF_THE_TESTS:
        return False
    # What a script prints has values; what the browser says by itself has a text alone.
    return bool(said.args) or not _NOT_OF_THE_PAGE.match(said.text)


def watch(page: Page, complain: Callable[[str], None]) -> None:
    """Have complaints about what goes wrong in a page from now on: faults in its console, and uncaught exceptions."""
    page.on("console", lambda said: complain(said.text) if is_fault(said) else None)
    page.on("pageerror", lambda error: complain(str(error)))

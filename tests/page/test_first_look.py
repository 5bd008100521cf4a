"""What a new visitor waits for: the requests until a board takes a move, and how far things move meanwhile."""

from __future__ import annotations

import pytest

from tests.page.conftest import PHONE, NewTable
from tests.page.table import PLAYABLE

MOST_REQUESTS, MOST_SHIFT = 15, 0.02
_WATCH = """
  window.look = { shift: 0, asked: [], ready: 0, live: 0 };
  const watch = (type, each) => {
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  };
  watch("layout-shift", (one) => { if (!one.hadRecentInput) look.shift += one.value; });
  watch("resource", (one) => look.asked.push([one.name, one.startTime]));
  new MutationObserver(() => {
    if (!look.ready && document.querySelector('READY')) look.ready = performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      look.asked.push([address, performance.now()]);
    }
  };
"""


@pytest.mark.parametrize("place", ["home", "game", "analysis"])
def test_a_page_can_soon_be_used(table: NewTable, place: str) -> None:
    """On a phone with an empty cache."""
    board = table(PHONE)
    page = board.page
    path = {"home": "/", "analysis": "/analysis"}.get(place)
    if path is None:
        page.goto(f"{board.address}/about")
        form: dict[str, str | float | bool] = {"game": "toguz", "side": "white", "level": "1", "clock": "none"}
        form["_csrf_token"] = page.locator("meta[name=csrf-token]").get_attribute("content") or ""
        path = page.request.post(f"{board.address}/games", form=form, max_redirects=0).headers["location"]
    page.add_init_script(_WATCH.replace("READY", "body" if place == "home" else PLAYABLE))
    page.goto(f"{board.address}{path}")
    page.wait_for_function("() => look.ready")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    told = page.evaluate("() => look")
    asked = [name for name, at in told["asked"] if at <= told["ready"] or place == "home"]
    assert 3 < len(asked) < MOST_REQUESTS, asked  # beside the page itself
    assert told["shift"] <= MOST_SHIFT

"""What the first look at a page costs a new visitor: on a cheap phone, with an empty cache, over a slow line.

    python benchmarks/first_look.py [--runs N] [--pages home game …] [--proxy caddy] [--json FILE] [--before FILE]

Every run opens a page in a new browser context. Its line is a proxy (`phones.py`), which delays everything by the
latency and lets so many kilobits a second through, also live connections and the opening of connections; Chromium slows
the processor down. A page is ready when its board takes a move, or, where it has none, when its scripts have run and
something is painted. For each page the program prints the medians of

- the milliseconds until the first picture, the largest one, and until the page is ready, with their least and most;
- the requests and kilobytes until then, how many requests wait for each other in a row at most, and all kilobytes;
- the sum of layout shifts;
- the milliseconds for which tasks block the page, as Chromium tells of them (`blocked`): what each takes beyond 50 ms.

Two figures do not depend on what else the machine does. They come from traces without the bounds, which have the
processor time of each task: `computed`, that of the page's own thread, and `blocks`, what tasks after the first picture
take beyond 50 ms; both as many times longer as the phone is slower, and those of the best of three traces. `--json`
writes all of it, `--before` prints such a file next to what is measured now, and `--proxy caddy` puts Caddy with TLS
and HTTP/2 before the server.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from phones import CHROMIUM, PHONE, Line
from playwright.sync_api import Browser, BrowserContext, sync_playwright

MOST_READY = {"home": 2000, "engine": 3000, "friend": 3000}
MOST_BLOCKED, MOST_SHIFT, MOST_REQUESTS = 300, 0.02, 15
BOARD = '.hole-button[aria-disabled="false"]'
_SETTLED = 3000
"""Milliseconds after which a page that is ready has also done what it does afterwards."""
_PATIENCE = 120_000
_WATCH = """(ready) => {
  const look = window.look = { shift: 0, blocked: [], largest: 0, ready: 0 };
  const watch = (type, each) => {
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  };
  watch("layout-shift", (one) => { if (!one.hadRecentInput) look.shift += one.value; });
  watch("longtask", (one) => look.blocked.push([one.startTime, one.duration]));
  watch("largest-contentful-paint", (one) => { look.largest = one.startTime; });
  const now = () => {
    if (!look.ready && ready && document.querySelector(ready)) look.ready = performance.now();
  };
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-disabled"] };
  new MutationObserver(now).observe(document, changes);
}"""
_TOLD = """() => {
  const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  const [page] = performance.getEntriesByType("navigation");
  return { ...window.look, painted, loaded: page.domContentLoadedEventEnd, ended: page.loadEventEnd };
}"""


@dataclass(frozen=True)
class Look:
    """One first look; times in milliseconds, sizes in bytes. `computed` and `blocks` are 0 until a trace gives them."""

    painted: float
    largest: float
    ready: float
    requests: int
    row: int
    early: int
    bytes: int
    shift: float
    blocked: float
    computed: float = 0
    blocks: float = 0


class Wire:
    """What a page asks for, from Chromium's own messages."""

    def __init__(self, context: BrowserContext, asks: bool = True) -> None:
        """Open a page; where `asks` is off nothing is counted, which costs the page processor time for each request."""
        self.page = context.new_page()
        self.page.set_default_timeout(_PATIENCE)
        self.tools = context.new_cdp_session(self.page)
        self._began: dict[str, tuple[str, float, str]] = {}
        self._sizes: list[tuple[float, int]] = []
        if asks:
            self.tools.send("Network.enable")
        self.tools.on("Network.requestWillBeSent", self._asked)
        self.tools.on("Network.webSocketCreated", self._live)
        self.tools.on("Network.loadingFinished", self._done)

    def _asked(self, told: dict[str, Any]) -> None:
        url = told["request"]["url"]
        if url.startswith("http"):
            self._began[told["requestId"]] = (url, told["timestamp"], _cause(told["initiator"]))

    def _live(self, told: dict[str, Any]) -> None:
        last = max((at for _, at, _ in self._began.values()), default=0)
        self._began[told["requestId"]] = (told["url"], last, _cause(told.get("initiator", {})))

    def _done(self, told: dict[str, Any]) -> None:
        self._sizes.append((told["timestamp"], int(told["encodedDataLength"])))

    def wait(self, ready: str | None) -> None:
        """Until a selector matches, and a while. Playwright's own ways would put a script of theirs into the page."""
        if ready:
            found = (
                f"new Promise((found) => setInterval(() => document.querySelector({json.dumps(ready)}) && found(), 50))"
            )
            self.tools.send("Runtime.evaluate", {"expression": found, "awaitPromise": True})
        self.page.wait_for_timeout(_SETTLED)

    def counts(self, ready: float) -> tuple[int, int, int, int]:
        """Requests, the longest row of them, and bytes until a moment; and all bytes."""
        zero = min(at for _, at, _ in self._began.values())
        until = zero + ready / 1000
        early = {url: cause for url, at, cause in self._began.values() if at <= until}
        number = sum(at <= until for _, at, _ in self._began.values())
        return (
            number,
            max(_row(url, early) for url in early),
            sum(size for at, size in self._sizes if at <= until),
            sum(size for _, size in self._sizes),
        )


def _cause(initiator: dict[str, Any]) -> str:
    """The address of what made the browser ask: a page, a script or a style sheet."""
    frames = initiator.get("stack", {}).get("callFrames", [])
    return str(initiator.get("url") or (frames[0]["url"] if frames else ""))


def _row(url: str, causes: dict[str, str]) -> int:
    found = 0
    while url in causes and found <= len(causes):
        url, found = causes[url], found + 1
    return found


HEAD = "page               first  large  ready       range asked  row     kB    all   shift blocked computed blocks"
TRACED = ["toplevel", "loading", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"]
Opens = Callable[[BrowserContext, str], str]


def _token(context: BrowserContext, url: str) -> str:
    found = re.search(r'name="csrf-token" content="([^"]*)"', context.request.get(url).text())
    assert found
    return html.unescape(found[1])


def _post(context: BrowserContext, address: str, path: str, form: dict[str, str | float | bool]) -> str:
    """Send a form of the site; the path to which it leads. Nothing of it reaches the browser's cache."""
    form = form | {"_csrf_token": _token(context, f"{address}/about")}
    answer = context.request.post(f"{address}{path}", form=form, max_redirects=0, headers={"origin": address})
    assert answer.status in {302, 303}, (answer.status, answer.text()[:300])
    return answer.headers["location"]


def _engine(context: BrowserContext, address: str) -> str:
    wanted: dict[str, str | float | bool] = {"game": "toguz", "side": "white", "level": "2", "clock": "none"}
    return _post(context, address, "/games", wanted)


def _invitation(context: BrowserContext, address: str) -> str:
    wanted: dict[str, str | float | bool] = {"game": "toguz", "side": "black", "clock": "none", "to": "link"}
    return _post(context, address, "/challenges", wanted | {"conduct": "friendly", "handicap": "none"})


def _invited(context: BrowserContext, address: str) -> str:
    assert context.browser
    with _context(context.browser) as other:
        return _invitation(other, address)


def _friend(context: BrowserContext, address: str) -> str:
    return _post(context, address, f"{_invited(context, address)}/accept", {})


def _json(context: BrowserContext, address: str, path: str, body: object, method: str = "POST") -> Any:
    headers = {"x-csrftoken": _token(context, f"{address}/about"), "origin": address}
    answer = context.request.fetch(f"{address}{path}", method=method, data=body, headers=headers)
    assert answer.ok, (answer.status, answer.text()[:300])
    return answer.json()


def _event(context: BrowserContext, address: str) -> str:
    """An event of forty players with its first round, which anybody may read."""
    name = f"Look{time.time_ns() % 10**9}"
    _json(context, address, "/api/account", {"name": name, "password": "eleven green apples"})
    made = _json(context, address, "/api/events", {"name": "Cup of Osh", "rounds": 5})["id"]
    entries = [{"do": "enter", "entry": {"family": f"Player{at:02}", "rating": 2400 - at}} for at in range(40)]
    seq = _json(context, address, f"/api/events/{made}/actions", {"after": 1, "actions": entries})["seq"]
    pair = {"after": seq, "actions": [{"do": "pair", "round": 1, "lot": "a"}]}
    _json(context, address, f"/api/events/{made}/actions", pair)
    _json(context, address, f"/api/events/{made}", {"public": True}, "PUT")
    return f"/events/{made}"


PAGES: dict[str, tuple[Opens, str | None]] = {
    "home": (lambda context, address: "/", None),
    "lobby": (lambda context, address: "/lobby", None),
    "invited": (_invited, None),
    "engine": (_engine, BOARD),
    "friend": (_friend, BOARD),
    "analysis": (lambda context, address: "/analysis", BOARD),
    "event": (_event, None),
    "round": (lambda context, address: f"{_event(context, address)}/rounds/1", None),
    "desk": (lambda context, address: f"{_event(context, address)}/desk", None),
}
"""How a visitor comes to each page, and what is there when it can be used: home holds the form for a new game."""


@contextmanager
def _context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(**PHONE, locale="en", ignore_https_errors=True)
    yield context
    context.close()


def look(browser: Browser, address: str, name: str, options: argparse.Namespace) -> Look:
    """One first look over the slow line, on the slow processor."""
    opens, ready = PAGES[name]
    with _context(browser) as context:
        path = opens(context, address)
        line = Line(address, (options.kbit, options.latency)).url
        where = line.replace("http:", "https:") if address.startswith("https") else line
        # Cookies belong to a host and not to its port: the visitor is the same over the line.
        wire = Wire(context)
        wire.page.add_init_script(f"({_WATCH})({json.dumps(ready)})")
        wire.tools.send("Emulation.setCPUThrottlingRate", {"rate": options.slow})
        wire.page.goto(where + path, wait_until="load")
        wire.wait(ready)
        told = wire.page.evaluate(_TOLD)
        at = max(told["painted"], told["ready"] or told["loaded"])
        requests, row, early, size = wire.counts(at)
        tasks = [one - 50 for began, one in told["blocked"] if began + one > told["painted"]]
        times = told["painted"], told["largest"], at
        return Look(*times, requests, row, early, size, told["shift"], sum(tasks))


def traced(browser: Browser, address: str, name: str, slow: float) -> tuple[float, float]:
    """Processor time of the page's own thread, and what its tasks after the first picture take beyond 50 ms."""
    opens, ready = PAGES[name]
    with _context(browser) as context:
        path = opens(context, address)
        wire = Wire(context, asks=False)
        browser.start_tracing(page=wire.page, categories=TRACED)
        wire.page.goto(address + path, wait_until="load")
        wire.wait(ready)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {(one["pid"], one["tid"]) for one in events if one.get("args", {}).get("name") == "CrRendererMain"}
    painted = {(one["pid"], one["tid"]): one["ts"] for one in events if one["name"] == "firstContentfulPaint"}
    by_thread: dict[tuple[int, int], list[tuple[float, bool]]] = {}
    for one in events:
        at = one["pid"], one.get("tid", 0)
        if one["name"] == "RunTask" and at in main & painted.keys():
            late = one["ts"] + one.get("dur", 0) > painted[at]
            by_thread.setdefault(at, []).append((slow * one.get("tdur", 0) / 1000, late))
    tasks = max(by_thread.values(), key=len)  # that of this page; others are those of blank ones
    return sum(time for time, _ in tasks), sum(max(0.0, time - 50) for time, late in tasks if late)


@contextmanager
def served(proxy: str | None) -> Iterator[str]:
    """A server of its own, its address."""
    with tempfile.TemporaryDirectory() as data:
        front = [f"127.0.0.1:{_free_port()}", f"127.0.0.1:{_free_port()}"]
        command = [sys.executable, "-m", "korgool", "serve", "--port", front[0].rsplit(":", 1)[1], "--limits", "off"]
        command += ["--data", data]
        started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)]
        try:
            assert started[0].stdout is not None
            address = started[0].stdout.readline().strip().rstrip("/")
            if proxy:
                file = Path(data) / "Caddyfile"
                site = f"https://{front[1]} {{\n  tls internal\n  encode zstd gzip\n  reverse_proxy {front[0]}\n}}\n"
                file.write_text(
                    f"{{\n  admin off\n  skip_install_trust\n  storage file_system {data}/caddy\n"
                    f"  auto_https disable_redirects\n}}\n{site}"
                )
                caddy = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
                started.append(subprocess.Popen(caddy, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
                address = f"https://{front[1]}"
                _wait_for(front[1])
            yield address
        finally:
            for one in reversed(started):
                one.terminate()
                one.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _wait_for(front: str) -> None:
    """Until the proxy has made its certificate."""
    host, port = front.split(":")
    trusting = ssl._create_unverified_context()
    for _ in range(200):
        try:
            with (
                socket.create_connection((host, int(port))) as plain,
                trusting.wrap_socket(plain, server_hostname=host),
            ):
                return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the proxy does not start")


def median(looks: list[Look]) -> Look:
    """The median of every figure."""
    values = [statistics.median(getattr(one, name) for one in looks) for name in Look.__dataclass_fields__]
    return Look(*values)


def row_of(name: str, looks: list[Look], note: str = "") -> str:
    """A line of the table."""
    one, ready = median(looks), [each.ready for each in looks]
    times = f"{one.painted:6.0f} {one.largest:6.0f} {one.ready:6.0f} {f'{min(ready):.0f}–{max(ready):.0f}':>11}"
    sizes = f"{one.requests:5.0f} {one.row:4.0f} {one.early / 1000:6.0f} {one.bytes / 1000:6.0f}"
    return (
        f"{name + note:<17} {times} {sizes} {one.shift:7.3f} {one.blocked:7.0f} {one.computed:8.0f} {one.blocks:6.0f}"
    )


def misses(name: str, one: Look) -> list[str]:
    """What of a page is beyond the limits."""
    found = [f"ready after {one.ready:.0f} ms"] if one.ready > MOST_READY.get(name, 10**9) else []
    found += [f"{one.requests} requests"] if one.requests > MOST_REQUESTS else []
    found += [f"a shift of {one.shift:.3f}"] if one.shift > MOST_SHIFT else []
    return found + ([f"{one.blocks:.0f} ms blocked"] if one.blocks > MOST_BLOCKED else [])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pages", nargs="+", choices=PAGES, default=list(PAGES))
    parser.add_argument("--slow", type=float, default=6, help="how many times slower the phone's processor is")
    parser.add_argument("--kbit", type=int, default=1600, help="kilobits a second, in each direction")
    parser.add_argument("--latency", type=int, default=150, help="milliseconds there and back")
    parser.add_argument("--proxy", choices=["caddy"])
    parser.add_argument("--json", type=Path, help="write all runs to this file")
    parser.add_argument("--before", type=Path, help="a file of an earlier measurement, printed beside this one")
    options = parser.parse_args()
    before = json.loads(options.before.read_text()) if options.before else {}
    found: dict[str, list[Look]] = {}
    with served(options.proxy) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        print(HEAD)
        for name in options.pages:
            traced(browser, address, name, options.slow)  # the server reads its templates and files once
            computed, blocks = min(traced(browser, address, name, options.slow) for _ in range(3))
            looks = [look(browser, address, name, options) for _ in range(options.runs)]
            found[name] = [Look(**asdict(one) | {"computed": computed, "blocks": blocks}) for one in looks]
            if name in before:
                print(row_of(name, [Look(**one) for one in before[name]], " before"))
            print(row_of(name, found[name]), flush=True)
        browser.close()
    for name, looks in found.items():
        if missed := misses(name, median(looks)):
            print(f"beyond the limits: {name}, {', '.join(missed)}")
    if options.json:
        options.json.write_text(json.dumps({name: [asdict(one) for one in looks] for name, looks in found.items()}))


if __name__ == "__main__":
    main()

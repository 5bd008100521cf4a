"""How long two phones without accounts take from opening a link to the first move on disk, over a slow network.

    python benchmarks/phones.py [--runs N] [--kbit 400] [--latency 400] [--line]

One phone makes an invitation by the form of the first page; the other opens its link with an empty cache, accepts with
a tap and makes the first move with another one. Measured is the second phone: from opening the link until the server
has acknowledged the move.

Both phones have the same network: Chromium delays each answer by the latency in milliseconds and lets so
many kilobits a second through. Chromium does so for pages and their files. With `--line` a proxy does it instead for
everything that passes: also for live connections, for what the service worker fetches at the same time, and for opening
connections. Every run is repeated without these bounds, and the ratio is what a slow network costs. Needs Playwright
with Chromium.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, sync_playwright

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
GAME = re.compile(r"/games/\w{12}$")
SLOWEST = 10.0
MOST_TAPS = 2
_PATIENCE = 120_000.0
_PACKET = 1460


class Line:
    """A proxy in front of the server, the line of one phone: a rate for all connections, and half the latency each way.

    Attributes:
        url: the server's address over this line.
    """

    def __init__(self, address: str, network: tuple[int, int]) -> None:
        self._server = urlsplit(address)
        self._rate, self._way = network[0] * 125, network[1] / 2000
        self._free = [0.0, 0.0]
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.url = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()

    async def _start(self) -> str:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(2 * self._way)  # a handshake
        there, back = await asyncio.open_connection(self._server.hostname, self._server.port)
        await asyncio.gather(self._pump(reader, back, 0), self._pump(there, writer, 1))

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, way: int) -> None:
        with suppress(OSError):
            while data := await source.read(_PACKET):
                now = self._loop.time()
                sent = self._free[way] = max(now, self._free[way]) + len(data) / self._rate
                self._loop.call_at(sent + self._way, _write, sink, data)
                await asyncio.sleep(sent - now)
        self._loop.call_later(self._way + 0.01, sink.close)


def _write(sink: asyncio.StreamWriter, data: bytes) -> None:
    if not sink.is_closing():
        sink.write(data)


class Phone:
    """A page on a phone with an empty cache.

    Attributes:
        taps: how often it was touched.
        bytes: what it has received.
        acknowledged: how many commands the server has acknowledged on its live connections.
        address: that of the server, as this phone reaches it.
    """

    def __init__(self, browser: Browser, address: str, network: tuple[int, int] | None, *, line: bool) -> None:
        self.context: BrowserContext = browser.new_context(**PHONE)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(_PATIENCE)
        self.taps = self.bytes = self.acknowledged = 0
        tools = self.context.new_cdp_session(self.page)
        tools.send("Network.enable")
        self.address = Line(address, network).url if network and line else address
        if network and not line:
            rate, latency = network[0] * 1000 / 8, network[1]
            bounds = {"offline": False, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate}
            tools.send("Network.emulateNetworkConditions", bounds)
        tools.on("Network.loadingFinished", self._loaded)
        self.page.on("websocket", self._live)

    def _loaded(self, told: dict[str, Any]) -> None:
        self.bytes += int(told["encodedDataLength"])

    def _live(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)

    def _heard(self, payload: str | bytes) -> None:
        text = payload if isinstance(payload, str) else payload.decode()
        self.bytes += len(text)
        self.acknowledged += '"ack":' in text

    def tap(self, what: str) -> None:
        """Touch the first of these as soon as it can be touched."""
        self.page.locator(what).first.tap()
        self.taps += 1


def invite(phone: Phone, clock: str) -> str:
    """Make an invitation for somebody who shall begin; the path of its link."""
    page = phone.page
    page.goto(f"{phone.address}/friend")
    form = page.locator("#friend")
    form.locator("summary").click()
    form.locator("select[name=side]").select_option("black")
    form.locator("select[name=clock]").select_option(clock)
    form.locator("button[value=link]").click()
    page.wait_for_url(re.compile(r"/c/\w{12}$"))
    page.locator(".waiting").wait_for()
    return urlsplit(page.url).path


def first_move(ann: Phone, bob: Phone, clock: str) -> tuple[float, int]:
    """Seconds until the move is on disk, and taps."""
    link = invite(ann, clock)
    began = time.perf_counter()
    bob.page.goto(bob.address + link, wait_until="commit")
    bob.tap(".invitation .start button")
    tapped = time.perf_counter() - began
    bob.page.wait_for_url(GAME, wait_until="commit")
    bob.page.locator("korgool-board[data-ready]").wait_for()
    ready = time.perf_counter() - began
    bob.tap('.hole-button[aria-disabled="false"]')
    while not bob.acknowledged:
        bob.page.wait_for_timeout(5)
    spent = time.perf_counter() - began
    (told,) = bob.page.request.get(bob.page.url.replace("/games/", "/api/games/")).json()["moves"]
    assert told["side"] == "white"
    print(
        f"    first tap {tapped:.2f} s, board {ready:.2f} s, move {spent:.2f} s; {bob.bytes / 1000:.0f} kB", flush=True
    )
    for phone in (ann, bob):
        phone.context.close()
    return spent, bob.taps


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kbit", type=int, default=400, help="kilobits a second, in each direction")
    parser.add_argument("--latency", type=int, default=400, help="milliseconds")
    parser.add_argument("--line", action="store_true", help="let a proxy be the network")
    parser.add_argument("--clock", default="10+5")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--limits", "off", "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout is not None
            measure(server.stdout.readline().strip().rstrip("/"), options)
        finally:
            server.terminate()
            server.wait()


def measure(address: str, options: argparse.Namespace) -> None:
    """Print what both networks take."""
    slow = options.kbit, options.latency
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

        def run(network: tuple[int, int] | None) -> tuple[float, int]:
            ann, bob = (Phone(browser, address, network, line=options.line) for _ in range(2))
            return first_move(ann, bob, options.clock)

        run(None)  # the server reads its templates and files once
        found = [(run(slow), run(None)) for _ in range(options.runs)]
        browser.close()
    bounded, free = ([runs[index][0] for runs in found] for index in range(2))
    taps = max(taps for runs in found for _, taps in runs)
    for words, times in ((f"{slow[0]} kbit/s and {slow[1]} ms", bounded), ("no bounds", free)):
        print(f"{words}: {statistics.median(times):.1f} s in the median, {max(times):.1f} s at most, {taps} taps")
    met = max(bounded) < SLOWEST and taps <= MOST_TAPS
    ratio = statistics.median(bounded) / statistics.median(free)
    print(f"ratio {ratio:.1f}; the goal of {SLOWEST:.0f} s and {MOST_TAPS} taps is {'met' if met else 'missed'}")


if __name__ == "__main__":
    main()

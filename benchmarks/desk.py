"""What a result costs the server, in processor time: by the API, and by the grid with what its page asks afterwards.

An event of so many players, some rounds played, in a server of this process. Results are entered in each way at an
event of its own, over HTTP; printed are milliseconds of processor time a result, of the whole process. The
page of the grid asks for the log afterwards; other pages that are open at this round ask for the row too, and no page
for all of itself (the third line) unless more has changed than results.

    python benchmarks/desk.py [--players 200] [--round 5] [--results 40]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import http.client
import json
import re
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn

from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings

_PASSWORD = "eleven green apples"


class Browser:
    """An organiser who is signed in, and their event."""

    def __init__(self, port: int, players: int, rounds: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._cookies: dict[str, str] = {}
        self.page("/about")
        token = self._cookies["csrftoken"]
        self.api("POST", "/api/account", {"name": f"Olga{uuid.uuid4().hex[:6]}", "password": _PASSWORD}, token)
        self.event: str = self.api("POST", "/api/events", {"name": "Cup", "rounds": 9})["id"]
        entries = [
            {"do": "enter", "entry": {"family": f"Player{at:03}", "given": "Aibek", "rating": 2400 - at}}
            for at in range(players)
        ]
        self.round, self.boards = rounds, players // 2
        self.seq: int = self.act(1, entries)
        for number in range(1, rounds + 1):
            self.seq = self.act(self.seq, [{"do": "pair", "round": number, "lot": "a"}])
            if number < rounds:
                played = [
                    {"do": "result", "round": number, "board": board, "result": "82-60" if board % 3 else "60-82"}
                    for board in range(1, self.boards + 1)
                ]
                self.seq = self.act(self.seq, played)

    def act(self, after: int, actions: list[dict[str, Any]]) -> int:
        seq: int = self.api("POST", f"/api/events/{self.event}/actions", {"after": after, "actions": actions})["seq"]
        return seq

    def api(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        headers = {"content-type": "application/json", "x-csrftoken": token or self._cookies["csrftoken"]}
        return json.loads(self.ask(method, path, json.dumps(body).encode(), headers))

    def page(self, path: str) -> str:
        return self.ask("GET", path, None, {"accept": "text/html"}).decode()

    def form(self, path: str, **fields: object) -> str:
        told = urlencode({"_csrf_token": self._cookies["csrftoken"], **fields}).encode()
        headers = {"accept": "text/html", "content-type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, told, headers).decode()

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        self._connection.request(method, path, body, headers | {"cookie": cookie, "accept-encoding": "gzip"})
        answer = self._connection.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        told = answer.read()
        if answer.status >= 400:
            raise SystemExit(f"{method} {path}: {answer.status} {told[:300]!r}")
        return gzip.decompress(told) if answer.getheader("content-encoding") == "gzip" else told


def by_api(browser: Browser, board: int) -> None:
    """As a program enters a result."""
    browser.seq = browser.act(
        browser.seq, [{"do": "result", "round": browser.round, "board": board, "result": "82-60"}]
    )


def by_grid(browser: Browser, board: int) -> None:
    """As the page of the grid enters a result."""
    told = browser.form(
        f"/events/{browser.event}/desk/round/{browser.round}/results",
        rows=1, after=browser.seq, id=uuid.uuid4().hex, **{f"r{board}": "82-60", f"w{board}": "", f"y{board}": ""},
    )  # fmt: skip
    found = re.search(r'data-seq="(\d+)"', told)
    assert found is not None
    assert "0 (60)" in told
    browser.seq = int(found[1])


def the_page(browser: Browser, board: int) -> None:
    """What an open page asks for when there is something new: the log and itself."""
    browser.api("GET", f"/api/events/{browser.event}/log?after={browser.seq - 1}")
    browser.page(f"/events/{browser.event}/desk/round/{browser.round}")


def the_rows(browser: Browser, board: int) -> None:
    """What an open page asks for when others have entered a result: the log and that row."""
    browser.api("GET", f"/api/events/{browser.event}/log?after={browser.seq - 1}")
    browser.page(f"/events/{browser.event}/desk/round/{browser.round}/rows?boards={board}")


def cost(work: Callable[[Browser, int], None], browser: Browser, results: int) -> float:
    """Milliseconds of processor time for one result; the first ones warm up. What only follows has one to follow."""
    spent = 0.0
    for board in range(1, 6 + results):
        if work in (the_page, the_rows):
            by_api(browser, board)
        begun = time.process_time()
        work(browser, board)
        spent += time.process_time() - begun if board > 5 else 0
    return spent / results * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--round", type=int, default=5, help="the round at which results are entered")
    parser.add_argument("--results", type=int, default=40)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(ServerSettings(data=Path(folder)))
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve()))
        thread.start()
        while not server.started:
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        ways = {"by the API": by_api, "by the grid": by_grid, "all of the page": the_page, "the row": the_rows}
        try:
            for name, work in ways.items():
                browser = Browser(port, asked.players, asked.round)
                print(f"{name:28}{cost(work, browser, asked.results):8.1f} ms", flush=True)
        finally:
            server.should_exit = True
            thread.join()


if __name__ == "__main__":
    main()

"""The hall of a championship: the chief arbiter, the officials at the desk, the phones at the tables, the laptops."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.championship.cast import Group, outcome, people
from tests.championship.twins import LOT
from tests.page.conftest import DESK, PHONE
from tests.page.table import expect
from tests.patience import PATIENCE, eventually
from tests.ports import free_ports
from tests.server.guests import Address, Guest
from tests.server.processes import Program
from tests.server.support import Json, Server
from tests.server.test_take_over import joined

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CARELESS = 0.1


class Chief:
    """The chief arbiter, who makes the event and its groups, enters everybody and pairs the rounds, by requests."""

    def __init__(self, origin: str) -> None:
        member = Guest(Address(origin))
        member.sign_up("Asel")
        self.origin, self.client = origin, member.client
        self.client.base_url = httpx.URL(origin)
        self.event = ""
        self.players: dict[Group, list[int]] = {}

    def told(self, method: str, path: str, body: object = None) -> Any:
        """The answer of the API to what is allowed."""
        answer = self.client.request(method, f"/api{path}", json=body)
        assert answer.is_success, (path, answer.status_code, answer.text)
        return answer.json()

    @property
    def seq(self) -> int:
        """The last line of the log."""
        return int(self.told("GET", f"/events/{self.event}/log?after=1000000")["seq"])

    def act(self, *actions: Json) -> None:
        """Actions after the last line of the log."""
        self.told("POST", f"/events/{self.event}/actions", {"after": self.seq, "actions": actions})

    def begin(self, groups: Sequence[Group], *, phones: bool = False) -> None:
        """Make the event, its groups, and enter everybody."""
        self.event = str(self.told("POST", "/events", {"name": "Championship", "place": "Naryn"})["id"])
        self.told("PUT", f"/events/{self.event}", {"public": True})
        for group in groups:
            settings = {"place": "Naryn", **group.settings, "phones": phones}
            self.act({"do": "group", "name": group.name, "settings": settings})
        entered = 0
        for at, group in enumerate(groups):
            self.act(*({"do": "enter", "group": group.name, "entry": one} for one in people(group, at)))
            self.players[group] = list(range(entered + 1, entered + group.players + 1))
            entered += group.players

    def pair(self, groups: Sequence[Group], number: int) -> None:
        """Check everybody in and pair a round of all groups, in one request."""
        actions: list[Json] = []
        for group in groups:
            actions.append({"do": "present", "round": number, "players": self.players[group], "group": group.name})
            lot = {"lot": LOT} if number == 1 else {}
            actions.append({"do": "pair", "round": number, "group": group.name, **lot})
        self.act(*actions)

    def boards(self, group: Group, number: int) -> list[Json]:
        """The boards of a round, as the public sees them."""
        found = self.told("GET", f"/events/{self.event}/groups/{group.name}/rounds/{number}")
        return [one for one in found if one["board"]]

    def address_of(self, group: Group) -> str:
        """The address of a group."""
        groups = self.told("GET", f"/events/{self.event}/groups")
        return str(next(one["id"] for one in groups if one["name"] == group.name))

    def link(self, role: str) -> str:
        """A link for a helper."""
        return str(self.told("POST", f"/events/{self.event}/helpers", {"role": role})["url"])

    def cards(self, group: Group, boards: int) -> list[str]:
        """What the codes say that are printed on the cards of the first boards of a group."""
        pdfium = pytest.importorskip("pypdfium2", reason="no reader of PDF (pypdfium2) is installed")
        scanner = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
        asked = f"what=table-cards&language=en&first=1&last={boards}"
        answer = self.client.get(f"/events/{self.address_of(group)}/desk/papers/print?{asked}")
        assert answer.headers["content-type"] == "application/pdf", answer.text
        pages = pdfium.PdfDocument(io.BytesIO(answer.content))
        codes = [code.text for page in pages for code in scanner.read_barcodes(page.render(scale=2.5).to_pil())]
        return [one for one in codes if "/table/" in one]

    def download(self, path: Path) -> None:
        """The whole event as a file."""
        answer = self.client.get(f"/api/events/{self.event}/file")
        assert answer.status_code == 200, answer.text
        path.write_bytes(answer.content)

    def go_on(self, code: str) -> None:
        """Come to the desk of the machine that has taken over, with the code that it has shown."""
        self.client = joined(self.origin, self.event, code)
        self.client.get(f"/events/{self.event}/desk").raise_for_status()
        self.client.headers["x-csrftoken"] = self.client.cookies["csrftoken"]


class Official:
    """Somebody at the desk with a browser, who came by a link."""

    def __init__(self, browser: Browser, link: str, name: str) -> None:
        self.context: BrowserContext = browser.new_context(locale="en", service_workers="block", **DESK)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = self.context.new_page()
        self.page.goto(link)
        self.page.locator("form.card input[name=name]").fill(name)
        self.page.locator("form.card button").click()
        self.page.wait_for_url("**/desk**")

    def opens(self, address: str, number: int) -> None:
        """Open the grid of a round."""
        self.page.goto(f"{address}/desk/round/{number}")
        self.page.locator("#grid[data-ready]").wait_for(state="attached")

    def types(self, results: dict[int, str]) -> None:
        """Type results into the grid, each with a key after it."""
        for board, text in results.items():
            self.page.locator(f"#r{board}").focus()
            for key in (*text, "Enter"):
                self.page.keyboard.press(key)

    def sees(self, results: dict[int, str]) -> None:
        """Wait until results stand in the grid."""
        for board in results:
            expect(self.page.locator(f"#board-{board}.ended")).to_be_attached()


class Phone:
    """A phone at a table; a careless hand says the opposite, or nothing."""

    def __init__(self, browser: Browser) -> None:
        self.context: BrowserContext = browser.new_context(locale="en", service_workers="block", **PHONE)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = self.context.new_page()

    def sits(self, code: str) -> tuple[int, str]:
        """Open the page of a seat by the code on its card: its board and side."""
        self.page.goto(code)
        self.page.locator("#table-part[data-ready]").wait_for(state="attached")
        own = self.page.locator(".winner:has-text('you') input").get_attribute("value")
        board = re.search(r"board (\d+)", self.page.locator("main").inner_text())
        assert board is not None
        return int(board[1]), str(own)

    def reports(self, group: Group, number: int, *, wrong: bool = False) -> None:
        """Two taps and the digits."""
        page = self.page
        white, black = (one.split("\n")[-1] for one in page.locator(".winner:not(.draw) .name").all_inner_texts())
        stones = outcome(group, number, white, black)
        stones = stones[::-1] if wrong else stones
        won = "draw" if stones[0] == stones[1] else "white" if stones[0] > stones[1] else "black"
        page.locator(f".winner:has(input[value={won}])").tap()
        if won != "draw":
            page.keyboard.type("".join(map(str, sorted(stones, reverse=True)[: 2 if group.game == "toguz" else 1])))
        page.get_by_role("button", name="Report the result").tap()


class Laptops:
    """The laptop that leads, the one that stands by, and what takes over.

    Attributes:
        origin: the address on all printed codes.
        kept: the last line that the second laptop holds, as it says.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, (port,) = folder, free_ports(1)
        options = ("--limits", "off", "--host", "127.0.0.1", "--port", str(port))
        self.first = Server(folder / "first", None, *options)
        self.origin = self.first.url
        self.running: list[Program] = [self.first.process]
        self.kept = 0

    def stand_by(self, chief: Chief) -> None:
        """The second laptop begins to keep the event."""
        token = chief.told("POST", f"/events/{chief.event}/stand-by", {"name": "Second"})["token"]
        words = ["event", "stand-by", f"{self.origin}/events/{chief.event}", "--token", token, "--json"]
        self.second = Program([*words, "--data", str(self.folder / "copy")])
        self.running.append(self.second)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for text in self.second.stdout:
            self.kept = json.loads(text)["line"]

    def dies(self, chief: Chief) -> float:
        """The first laptop is gone with its disk, and the second takes over; the seconds until its desk answers."""
        eventually(lambda: self.kept >= chief.seq, "the second laptop holds every line")
        self.first.process.kill()
        shutil.rmtree(self.folder / "first")
        began = time.monotonic()
        self.second.kill()
        leader = Program(["event", "take-over", str(self.folder / "copy"), "--json", "--by", "Deputy"])
        self.running.append(leader)
        told = json.loads(leader.stdout.readline())
        assert told["address"] == f"{self.origin}/events/{chief.event}"
        chief.go_on(told["code"])
        return time.monotonic() - began

    def end(self) -> None:
        """Everything ends."""
        for program in self.running:
            if program.poll() is None:
                program.kill()


def careless(group: Group, number: int, board: int) -> tuple[str, int]:
    """What goes wrong at a board: `wrong` or `silent` and by which seat, or nothing."""
    chance = random.Random(f"careless {group.name} {number} {board}")
    if chance.random() < 1 - (1 - CARELESS) ** 2:
        return chance.choice(("wrong", "silent")), chance.randrange(2)
    return "", 0

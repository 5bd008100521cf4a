"""The hall of a championship: its laptops, its officials at the desk, and the browsers of everybody."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.championship.cast import Group, people
from tests.championship.twins import LOT
from tests.page.conftest import DESK
from tests.page.table import expect
from tests.patience import PATIENCE
from tests.server.guests import Address, Guest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

Board = dict[str, Any]


class Organiser:
    """The chief arbiter, by programs: makes the event and its groups, enters everybody, pairs the rounds."""

    def __init__(self, address: str) -> None:
        member = Guest(Address(address))
        member.sign_up("Asel")
        scopes = {"label": "championship", "scopes": ["event", "read"]}
        self.token = str(member.client.post("/account/tokens", json=scopes).raise_for_status().json()["token"])
        member.client.headers = {"authorization": f"Bearer {self.token}"}
        self.client = member.client
        self.event = ""
        self.players: dict[Group, list[int]] = {}

    def told(self, method: str, path: str, body: object = None) -> Any:
        """The answer to what is allowed."""
        answer = self.client.request(method, path, json=body)
        assert answer.is_success, (path, answer.status_code, answer.text)
        return answer.json()

    def act(self, *actions: dict[str, Any]) -> None:
        """Actions after the last line of the log."""
        seq = self.told("GET", f"/events/{self.event}/log")["seq"]
        self.told("POST", f"/events/{self.event}/actions", {"after": seq, "actions": actions})

    def begin(self, groups: Sequence[Group]) -> None:
        """Make the event, its groups, and enter everybody."""
        self.event = str(self.told("POST", "/events", {"name": "Championship", "place": "Naryn"})["id"])
        self.told("PUT", f"/events/{self.event}", {"public": True})
        for group in groups:
            self.act({"do": "group", "name": group.name, "settings": {"place": "Naryn", **group.settings}})
        entered = 0
        for at, group in enumerate(groups):
            self.act(*({"do": "enter", "group": group.name, "entry": one} for one in people(group, at)))
            self.players[group] = list(range(entered + 1, entered + group.players + 1))
            entered += group.players

    def pair(self, group: Group, number: int) -> list[Board]:
        """Check everybody in, pair a round of a group; its boards."""
        self.act({"do": "present", "round": number, "players": self.players[group], "group": group.name})
        lot = {"lot": LOT} if number == 1 else {}
        self.act({"do": "pair", "round": number, "group": group.name, **lot})
        return self.boards(group, number)

    def boards(self, group: Group, number: int) -> list[Board]:
        """The boards of a round, as the public sees them."""
        found = self.told("GET", f"/events/{self.event}/groups/{group.name}/rounds/{number}")
        return [one for one in found if one["board"]]

    def address_of(self, group: Group) -> str:
        """The address of a group."""
        return str(
            next(one["id"] for one in self.told("GET", f"/events/{self.event}/groups") if one["name"] == group.name)
        )

    def invited(self, role: str) -> str:
        """A link for a helper."""
        return str(self.told("POST", f"/events/{self.event}/helpers", {"role": role})["url"])

    def download(self, path: Path) -> None:
        """The whole event as a file."""
        answer = self.client.get(f"/events/{self.event}/file")
        assert answer.status_code == 200, answer.text
        path.write_bytes(answer.content)


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

    def types(self, address: str, number: int, results: dict[int, str]) -> None:
        """Type results of a round into the grid, each with a key after it, and wait until all are in."""
        page = self.page
        page.goto(f"{address}/desk/round/{number}")
        page.locator("#grid[data-ready]").wait_for(state="attached")
        for board, text in results.items():
            page.locator(f"#r{board}").focus()
            for key in (*text, "Enter"):
                page.keyboard.press(key)
        for board in results:
            expect(page.locator(f"#board-{board}.ended")).to_be_attached()

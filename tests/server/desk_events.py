"""Events at whose desk somebody with an account sits."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

import httpx

from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.model import Entry, Settings
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.roles import DeskRole, Officer

from .members import Browser, Site
from .support import Json

READING = {"accept": "text/html", "accept-language": "en"}
RESULTS = ("82-60", "100-62", "60-102", "81-81", "1-0 70-60 resignation", "0-1 40-50 time", "+-", "-+")
"""Results of every kind, as an official types them."""


def entries(count: int) -> list[Entry]:
    """Players of two sexes, four federations and teams of four, the strongest first."""
    return [
        Entry(
            family=f"Player{at:03}",
            sex="f" if at % 3 == 0 else "m",
            rating=2400 - 5 * at,
            federation=("KGZ", "KAZ", "TUR", "MGL")[at % 4],
            team=f"Team {at // 4 + 1}",
        )
        for at in range(count)
    ]


def competitions_of(site: Site) -> EventRegistry:
    found: EventRegistry = site.app.state.event_registry
    return found


class AtDesk:
    """A browser at the desk of an event."""

    def __init__(self, browser: Browser, competition: LiveEvent, officer: Officer) -> None:
        self.browser, self.competition, self.officer = browser, competition, officer
        self.path = f"/events/{competition.id}/desk"

    async def look(self, path: str = "", status: int = 200, language: str = "en") -> str:
        """A page as its reader sees it."""
        answer = await self.browser.client.get(self.path + path, headers=READING | {"accept-language": language})
        assert answer.status_code == status, (path, answer.status_code, answer.text)
        return html.unescape(answer.text)

    async def send(self, path: str, fields: Mapping[str, str | Sequence[str]], **headers: str) -> httpx.Response:
        """A form; without `after`, from a page that is up to date."""
        data = {"_csrf_token": self.browser.csrf["x-csrftoken"], "after": str(self.competition.seq), **fields}
        return await self.browser.client.post(self.path + path, data=data, headers=READING | headers)

    async def act(self, do: str, **fields: str) -> httpx.Response:
        """An action by the form of a screen."""
        return await self.send("/act", {"do": do, "back": f"{self.path}/round/1#r1", **fields})

    async def do(self, *actions: Json) -> int:
        """Actions without a page."""
        return await self.competition.act(self.officer, self.competition.seq, actions)


async def at_desk(site: Site, name: str, settings: Settings, *players: str) -> AtDesk:
    """Somebody with an account, who is the organiser of a new event with these players, the strongest first."""
    browser = await site.browser().visit()
    await browser.sign_up(name)
    officer = Officer(account_of(site, name), name, DeskRole.ORGANISER)
    competitions = competitions_of(site)
    competitions._engine = GacruxHere()  # in this process
    desk = AtDesk(browser, await competitions.make(officer, settings), officer)
    entries: list[Json] = [
        {"do": "enter", "entry": {"family": one, "rating": 2000 - at}} for at, one in enumerate(players)
    ]
    if entries:
        await desk.do(*entries)
    return desk


def account_of(site: Site, name: str) -> str:
    """The identity behind a name."""
    found = site.keeper.directory.by_name(name)
    assert found is not None
    return found.id


def said(text: str) -> str:
    """What a page says of a refusal."""
    found = re.search(r'role="alert">([^<]*)<', text)
    assert found is not None, text
    return html.unescape(found[1])

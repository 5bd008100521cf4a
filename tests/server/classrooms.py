"""Classes for tests: a trainer, children who join by its code, and what they report."""

from __future__ import annotations

import re

import httpx

from .members import Browser, Site


class Room:
    """A class of a trainer.

    Attributes:
        trainer: the browser of its trainer.
        id: the id of the class.
    """

    def __init__(self, site: Site, trainer: Browser, id_: str) -> None:
        self.site, self.trainer, self.id = site, trainer, id_

    async def act(self, do: str, by: Browser | None = None, **data: object) -> httpx.Response:
        """An action of the trainer, or of somebody else who tries."""
        return await form(by or self.trainer, f"/classes/{self.id}/act", do=do, **data)

    async def code(self) -> str:
        """The code on the trainer's page; empty while nobody can join."""
        found = re.search(r'class="code">([\d ]+)<', (await self.trainer.client.get(f"/classes/{self.id}")).text)
        return found[1] if found else ""

    async def child(self, name: str) -> Browser:
        """A device on which a child joins with a nickname."""
        browser = await self.site.browser().visit()
        answer = await form(browser, "/class", digits=await self.code(), name=name)
        assert answer.headers.get("location") == f"/class/{self.id}", (answer.status_code, answer.text[:2000])
        return browser

    async def report(self, child: Browser, member: int, *reports: dict[str, object]) -> httpx.Response:
        """What the device of a child sends."""
        return await child.ask("POST", f"/api/class/{self.id}/results", {"member": member, "reports": list(reports)})

    async def told(self, child: Browser) -> list[str]:
        """What the page of a child says of each task."""
        page = (await child.client.get(f"/class/{self.id}")).raise_for_status().text
        return re.findall(r'class="told">(.*?)</span>', page)


async def form(browser: Browser, path: str, **data: object) -> httpx.Response:
    """A form that is sent."""
    fields = {"_csrf_token": browser.client.cookies.get("csrftoken") or "", **{k: str(v) for k, v in data.items()}}
    return await browser.client.post(path, data=fields, headers={"accept": "text/html"})


async def make_room(site: Site, trainer: str = "Trainer", game: str = "toguz", **more: object) -> Room:
    """A class of a new trainer."""
    browser = site.browser()
    await browser.sign_up(trainer)
    answer = await form(browser, "/classes", **{"name": "4b", "game": game, "language": "en", **more})
    assert answer.status_code == 303, answer.text[-3000:]
    return Room(site, browser, answer.headers["location"].rpartition("/")[2])

"""A site on the internet follows an event whose machine dies: its pages go on with the second one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE
from tests.ports import free_ports

from .guests import Guest
from .support import Json, Server
from .test_take_over import Hall, hall, joined, result

__all__ = ["hall"]
OPTIONS = ("--limits", "off", "--follow-network", "127.0.0.0/8")


@dataclass
class Site:
    """A site with an organiser, at which an event is followed."""

    server: Server
    owner: Guest

    def follow(self, address: str) -> httpx.Response:
        english = {"accept-language": "en"}
        return self.owner.client.post("/events/follow", json={"address": address}, headers=english)

    def followed(self, address: str) -> str:
        answer = self.follow(address)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def round(self, id_: str) -> list[Json]:
        found: list[Json] = httpx.get(f"{self.server.url}/api/events/{id_}/rounds/1").raise_for_status().json()
        return found

    def shows(self, id_: str, board: int, expected: str | None) -> None:
        """Wait until the site shows a result."""
        until = time.monotonic() + PATIENCE
        while (shown := self.round(id_)[board - 1].get("result")) != expected:
            assert time.monotonic() < until, shown
            time.sleep(0.1)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    server = Server(tmp_path / "site", None, *OPTIONS)
    owner = Guest(server)
    owner.sign_up("Olga")
    yield Site(server, owner)
    server.kill()


def test_the_site_goes_on_with_the_second_machine(hall: Hall, site: Site) -> None:
    """Under the same name and port by itself, also where the first one had a line that the second never got."""
    id_, origin = hall.id, hall.first.url
    copy = site.followed(f"{origin}/events/{id_}")
    second = hall.stand_by()
    hall.holds(second, hall.seq)
    second.kill()
    hall.act({"do": "result", "round": 1, "board": 1, "result": "82-60"})
    site.shows(copy, 1, "1-0")
    hall.first.kill()
    leader, told = hall.take_over()
    try:
        site.shows(copy, 1, None)  # the line of the take-over has the number of the one that is lost
        chief = joined(origin, id_, told["code"])
        assert result(chief, id_, 2, told["line"]).is_success
        site.shows(copy, 2, "1-0")
        assert httpx.get(f"{site.server.url}/events/{copy}").status_code == 200
    finally:
        leader.kill()


def test_the_site_is_told_the_new_address_of_the_event(hall: Hall, site: Site) -> None:
    id_, origin = hall.id, hall.first.url
    copy = site.followed(f"{origin}/events/{id_}")
    (port,) = free_ports(1)
    second = hall.stand_by("--port", str(port))
    hall.holds(second, hall.seq)
    second.kill()
    hall.act({"do": "result", "round": 1, "board": 1, "result": "82-60"})
    site.shows(copy, 1, "1-0")
    hall.first.kill()
    leader, told = hall.take_over("--port", str(port))
    back = Server(hall.folder / "first", None, "--limits", "off")
    try:
        assert site.followed(f"{told['address']}/standings") == copy
        site.shows(copy, 1, None)
        chief = joined(f"http://127.0.0.1:{port}", id_, told["code"])
        assert result(chief, id_, 2, told["line"]).is_success
        site.shows(copy, 2, "1-0")
        assert told["address"] in site.owner.client.get(f"{site.server.url}/events/follow").text

        refused = site.follow(f"{back.url}/events/{id_}")  # the first one is there again, and leads no more
        assert (refused.status_code, "leads the event no more" in refused.text) == (422, True), refused.text
        site.shows(copy, 2, "1-0")
    finally:
        leader.kill()
        back.kill()

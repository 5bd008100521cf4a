"""Photographs of players: sent at the desk, shown on cards where the regulations say so, gone when removed."""

from __future__ import annotations

import html
import re
import struct
import zlib
from base64 import b64encode
from pathlib import Path

import httpx
import pytest

from korgool.app.server.events.photo_conversion import MOST_PIXELS, MOST_SENT, small_photo
from korgool.app.server.limits import ServiceLimits
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole
from tests.photos import SECRET, sent

from .desk_events import READING, AtDesk, at_desk, competitions_of, said
from .members import Site, on_site
from .test_desk_people import helping

SHOWN = Settings(name="Cup", rounds=3, shown=("photo",))


async def give(ann: AtDesk, data: bytes, player: int = 1, **fields: str) -> httpx.Response:
    """Send a picture by the form of a player's page."""
    form = {"_csrf_token": ann.browser.csrf["x-csrftoken"], "after": str(ann.competition.seq), **fields}
    files = {"picture": ("me.jpg", data)} if data else None
    return await ann.browser.client.post(f"{ann.path}/players/{player}", data=form, files=files, headers=READING)


def hollow(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says of itself that it has this size."""

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(b"")) + part(b"IEND", b"")


def shown_address(page: str) -> str:
    """Where the photograph of a card lies; empty if it shows none."""
    found = re.search(r'<img class="photo" src="([^"]*)" width="120" height="160" alt="([^"]*)"', page)
    assert found is None or html.unescape(found[2]) == "Photo: Asanova"
    return found[1] if found else ""


@pytest.mark.parametrize(("size", "why"), [((30_000, 1001), "more than 30,000,000"), ((30_000, 1000), "is damaged")])
def test_as_many_pixels_as_are_read(size: tuple[int, int], why: str) -> None:
    with pytest.raises(CompetitionError, match=why):
        small_photo(hollow(*size))


def test_a_photo_is_given_shown_replaced_and_removed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", SHOWN, "Asanova", "B")
        root, reader = f"/events/{ann.competition.id}", site.browser().client
        page = await ann.look("/players/1")
        assert 'enctype="multipart/form-data"' in page
        assert "must have agreed" in page
        picture = sent(size=(1200, 900), noise=80)
        answer = await give(ann, picture)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ann.path}/players/1?done#photo")
        own = await ann.browser.client.get(f"{ann.path}/players/1/photo")
        assert own.content == small_photo(picture)
        assert SECRET not in own.content
        assert (own.headers["content-type"], own.headers["cache-control"]) == ("image/jpeg", "no-store")
        assert "1 Asanova: photo stored" in await ann.look("/log")

        address = shown_address((await ann.browser.client.get(f"{root}/players/1")).text)
        assert (await ann.browser.client.get(address)).headers["cache-control"] == "no-store"
        assert (await reader.get(address)).status_code == 404  # nobody else sees the event yet
        await competitions_of(site).show(ann.competition, public=True)
        card = await reader.get(f"{root}/players/1")
        assert len(card.content) < 60_000
        assert shown_address(card.text) == address
        assert shown_address((await reader.get(f"{root}/players/2")).text) == ""
        public = await reader.get(address)
        assert public.content == own.content
        assert (public.headers["content-type"], public.headers["cache-control"]) == ("image/jpeg", "no-cache")
        again = await reader.get(address, headers={"if-none-match": public.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        for wrong in ("1-0000000000000000.jpg", "2" + address.rpartition("/")[2][1:], "x", "1", "9-x", "-1-x"):
            assert (await reader.get(f"/api{root}/photos/{wrong}")).status_code == 404, wrong
        assert "photo" not in (await reader.get(f"/api{root}/public")).text.replace('"shown":["photo"]', "")

        await give(ann, sent("WEBP", size=(300, 300), noise=80))
        other = shown_address((await reader.get(f"{root}/players/1")).text)
        assert other not in ("", address)
        assert [(await reader.get(one)).status_code for one in (address, other)] == [404, 200]

    on_site(tmp_path, test)


def test_a_photo_is_hidden_with_the_regulations_and_gone_with_the_player(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", SHOWN, "Asanova", "B")
        root, reader = f"/events/{ann.competition.id}", site.browser().client
        await competitions_of(site).show(ann.competition, public=True)
        await give(ann, sent(size=(300, 300), noise=80))
        other = shown_address((await reader.get(f"{root}/players/1")).text)
        for shown, status in (([], 404), (["photo"], 200)):
            await ann.do({"do": "change", "settings": {"name": "Cup", "rounds": 3, "shown": shown}})
            assert bool(shown_address((await reader.get(f"{root}/players/1")).text)) is (status == 200)
            assert (await reader.get(other)).status_code == status
        await ann.do({"do": "amend", "player": 1, "entry": {"family": "Asanova", "short": "A."}})
        assert shown_address((await reader.get(f"{root}/players/1")).text) == ""
        assert (await reader.get(other)).status_code == 404
        await ann.do({"do": "amend", "player": 1, "entry": {"family": "Asanova"}})

        file = (await ann.browser.client.get(f"/api{root}/file")).content
        held = b64encode((await reader.get(other)).content)[-200:-120]
        assert held in file
        made = await ann.browser.client.post("/api/events/file", content=file, headers=ann.browser.csrf)
        copy = (await ann.browser.client.get(f"/events/{made.json()['id']}/players/1")).text
        assert (await ann.browser.client.get(shown_address(copy))).status_code == 200
        answer = await ann.act("photo", player="1")
        assert answer.status_code == 303
        assert (await reader.get(other)).status_code == 404
        assert (await ann.browser.client.get(f"{ann.path}/players/1/photo")).status_code == 404
        assert "1 Asanova: photo removed" in await ann.look("/log")
        copied = competitions_of(site)
        await (await copied.find(made.json()["id"])).with_book(lambda book: book.forget(1, by="Ann"))
        for path in tmp_path.glob("korgool.sqlite*"):
            assert held not in path.read_bytes(), path.name

    on_site(tmp_path, test)


def test_what_is_no_photo_is_told_at_its_place_and_nothing_is_stored(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", SHOWN, "Asanova")
        await ann.do({"do": "enter", "entry": {"family": "B", "short": "B."}})
        good, seq = sent(size=(400, 400), noise=200), ann.competition.seq
        refused = {
            b"": "Choose a picture.",
            b"GIF89a" + bytes(100): "the file is no picture as JPEG, PNG or WebP",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>": "the file is no picture as JPEG, PNG or WebP",
            good[: len(good) // 2]: "the picture is damaged",
            hollow(MOST_PIXELS // 1000, 1001): "the picture has more than 30,000,000 pixels",
            good[:-2] + b"\xff\xda" * 101 + good[-2:]: "the picture is damaged",
            bytes(MOST_SENT + 1): "bytes, at most 8,388,608 are read",
        }
        for data, why in refused.items():
            answer = await give(ann, data)
            assert answer.status_code == 422, why
            assert why in said(answer.text)
            assert 'id="picture"' in answer.text
        answer = await give(ann, good, 2)
        assert answer.status_code == 422
        assert "a player with a short or removed name has no photo" in said(answer.text)
        assert (await give(ann, good, 9)).status_code == 404
        for text, why in (("x", "not a photo of the kind"), (b64encode(good).decode(), "not a photo of")):
            body = {"after": seq, "actions": [{"do": "photo", "player": 1, "picture": text}]}
            answer = await ann.browser.ask("POST", f"/api/events/{ann.competition.id}/actions", body)
            assert (answer.status_code, why in answer.text) == (422, True)
        body = {"after": seq, "actions": [{"do": "photo", "player": 1, "digest": "0" * 64}]}
        assert (await ann.browser.ask("POST", f"/api/events/{ann.competition.id}/actions", body)).status_code == 400
        assert ann.competition.seq == seq
        await ann.do({"do": "amend", "player": 1, "entry": {"family": "Asanova", "rating": 1}})
        answer = await give(ann, good, after=str(seq))
        assert (answer.status_code, "Look at it again." in said(answer.text)) == (409, True)
        bob = await helping(site, ann, DeskRole.SECTOR)
        assert (await give(bob, good)).status_code == 404
        await give(ann, good)
        assert (await bob.browser.client.get(f"{ann.path}/players/1/photo")).status_code == 404
        assert 'id="photo"' not in await bob.look("/players/1")

    on_site(tmp_path, test)


def test_a_large_picture_is_within_the_limits_and_the_event_shows_none_unless_it_says_so(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup"), "Asanova")
        assert 'id="photo"' not in await ann.look("/players/1")
        answer = await give(ann, sent(noise=20) + bytes(4_000_000))
        assert answer.status_code == 422
        await ann.do({"do": "change", "settings": {"name": "Cup", "rounds": 7, "shown": ["photo"]}})
        for _ in range(3):
            assert (await give(ann, sent(noise=20) + bytes(4_000_000))).status_code == 303

    on_site(tmp_path, test, limits=ServiceLimits())

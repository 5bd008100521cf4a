"""An event of another site, followed: as it goes on, and with all that another site may answer."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from korgool.app.cli import event_publish, main
from korgool.app.publishing import snapshot_data, write_folder
from korgool.app.server.events.following import remote_fetch, service
from korgool.app.server.events.following.remote_fetch import FetchedCopy, FetchError, fetch, source_of
from korgool.app.server.events.following.service import FollowedEvents
from korgool.app.server.limits import parse_network
from tests.patience import in_time
from tests.printing.events import swiss

from .desk_events import READING, at_desk, said
from .members import Site, on_site
from .support import run_async
from .test_event_pages import public_cup

HERE = (parse_network("127.0.0.0/8"),)
MOST = 100_000


@dataclass
class Elsewhere:
    """Another site: what it answers, and what it was asked."""

    answer: bytes = b""
    tag: str = ""
    raw: bytes | None = None
    answers: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/cup/"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.asked.append(head)
            if self.raw is not None:
                writer.write(self.raw)
                await writer.drain()
                if not self.raw:
                    await reader.read()  # says nothing for ever
                return
            status = "304 Not Modified" if self.tag and f'"{self.tag}"' in head else "200 OK"
            body = b"" if status.startswith("304") else self.answer
            body = next((one for part, one in self.answers.items() if part in head), body)
            writer.write(
                f'HTTP/1.1 {status}\r\netag: "{self.tag}"\r\ncontent-length: {len(body)}\r\n\r\n'.encode() + body
            )
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def elsewhere(**answers: Any) -> AsyncIterator[Elsewhere]:
    other = Elsewhere(**answers)
    server = await asyncio.start_server(other.serve, "127.0.0.1", 0)
    other.port = server.sockets[0].getsockname()[1]
    async with server:
        yield other


def following_site(folder: Path, test: Callable[[Site], Awaitable[None]]) -> None:
    on_site(folder, test, follow_networks=HERE)


async def now_due(site: Site, id_: str) -> None:
    """Let the time pass after which the other site is asked again, and wait until it has answered."""
    held: FollowedEvents = site.app.state.followed_events
    held._repository._write(id_, asked_ms=0)
    held._cache.clear()
    await held.find(id_)
    while held._requests:
        await asyncio.wait(held._requests.values())
        await asyncio.sleep(0)


def test_where_the_snapshot_of_an_address_lies() -> None:
    site, folder = "https://a.example/api/events/abcdefgh/public", "https://a.example/x/cup/event.json"
    for address, source in {
        "https://a.example/events/abcdefgh": site,
        " https://a.example/events/abcdefgh/rounds/3?language=ky#b2 ": site,
        "https://a.example/api/events/abcdefgh/standings": site,
        "https://a.example/x/cup": folder,
        "https://a.example/x/cup/": folder,
        "https://a.example/x/cup/index.html": folder,
        "https://a.example/x/cup/ky/rounds/3.html": folder,
        "https://a.example": "https://a.example/event.json",
        "http://[::1]:80/ky/": "http://[::1]:80/event.json",
    }.items():
        assert source_of(address) == source
    for wrong in ("", "cup", "ftp://a.example/", "javascript:alert(1)", "https://", "https://[", "file:///etc/passwd"):
        with pytest.raises(FetchError, match="place"):
            source_of(wrong)


def test_a_followed_event_goes_on_with_the_other_one(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        root = f"/events/{desk.competition.id}"
        source = await desk.browser.client.get(f"/api{root}/public")
        async with elsewhere(answer=source.content, tag="one") as other:
            made = await desk.send("/../../follow", {"address": other.address})
            copy = made.headers["location"]
            reader = site.browser()
            page = await reader.client.get(copy, headers=READING)
            assert "Cup of Osh" in page.text
            assert f'Followed from <a class="source" href="{other.address}"' in page.text
            assert "Followed from" not in (await reader.client.get(root, headers=READING)).text
            assert "127.0.0.1" in (await reader.client.get("/events", headers=READING)).text
            for path in ("/standings", "/rounds/1", "/games.pgn"):
                ours = await reader.client.get(f"/api{root}{path}")
                assert (await reader.client.get(f"/api{copy}{path}")).content == ours.content
            assert (await reader.client.get(f"/api{copy}/public")).status_code == 404  # a copy of a copy
            assert (await desk.browser.client.get(f"{copy}/desk")).status_code == 404

            asked = len(other.asked)
            for _ in range(5):
                assert (await reader.client.get(f"{copy}/rounds/1")).status_code == 200
            assert len(other.asked) == asked  # so soon nobody asks again
            await now_due(site, copy.rpartition("/")[2])
            assert 'if-none-match: "one"' in other.asked[-1]
            tag = (await reader.client.get(f"{copy}/rounds/1")).headers["etag"]
            unchanged = await reader.client.get(f"{copy}/rounds/1", headers={"if-none-match": tag})
            assert unchanged.status_code == 304

            await desk.do({"do": "result", "round": 1, "board": 1, "result": "100-62"})
            other.answer, other.tag = (await desk.browser.client.get(f"/api{root}/public")).content, "two"
            await now_due(site, copy.rpartition("/")[2])
            assert "100–62" in (await reader.client.get(f"{copy}/rounds/1")).text

            stopped = await desk.send("/../../unfollow", {"id": copy.rpartition("/")[2]})
            assert stopped.headers["location"] == "/events/follow"
            assert (await reader.client.get(copy)).status_code == 404

    following_site(tmp_path, test)


def test_another_log_never_takes_the_place_of_one_that_is_followed(tmp_path: Path) -> None:
    """The same event at another address keeps its address here; one that only has its id is refused with a sentence."""

    async def test(site: Site) -> None:
        desk = await public_cup(site)
        root = f"/events/{desk.competition.id}"
        whole = (await desk.browser.client.get(f"/api{root}/public")).content
        mark = json.loads(whole)["log"]
        async with elsewhere(answer=whole) as first, elsewhere() as other:
            address, new = (f"http://127.0.0.1:{one.port}{root}" for one in (first, other))
            made = await desk.browser.told("POST", "/api/events/follow", {"address": address})
            page = f"/events/{made['id']}/rounds/1"
            good = (await site.browser().client.get(page)).text

            leader: dict[str, object] = {"leads": True, "at16": mark["head"], "moved": []}
            foreign = json.loads(whole) | {"log": mark | {"origin": "0" * 16}}
            for body, told in (
                (foreign, leader),
                (json.loads(whole), leader | {"at16": "0" * 16}),
                (json.loads(whole), leader | {"at16": "", "moved": [mark["line"] + 1]}),
                (json.loads(whole), {}),
                ({k: v for k, v in json.loads(whole).items() if k != "log"}, leader),
            ):
                other.answer, other.answers = json.dumps(body).encode(), {"/leader?": json.dumps(told).encode()}
                answer = await desk.send("/../../follow", {"address": new})
                assert (answer.status_code, "its log is another one" in answer.text) == (422, True), told
            assert (await site.browser().client.get(page)).text == good

            other.answers = {"/leader?": json.dumps(leader | {"leads": False}).encode()}
            other.answer = whole
            assert "leads the event no more" in (await desk.send("/../../follow", {"address": new})).text
            other.answers = {"/leader?": json.dumps(leader).encode()}
            moved = await desk.send("/../../follow", {"address": f"{new}/rounds/1"})
            assert moved.headers["location"] == f"/events/{made['id']}"
            assert f'href="{new}/rounds/1"' in (await site.browser().client.get(f"/events/{made['id']}")).text
            bob = await site.browser().visit()
            await bob.sign_up("Bob")
            assert (await bob.told("POST", "/api/events/follow", {"address": new}))["id"] != made["id"]

    following_site(tmp_path, test)


def test_the_last_good_copy_stays_whatever_the_other_site_answers(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", (swiss(8, 3, 1)).event)
        async with elsewhere(answer=snapshot_data(swiss(8, 3, 3))) as other:
            made = await desk.browser.told("POST", "/api/events/follow", {"address": other.address})
            page = f"/events/{made['id']}/rounds/1"
            good = (await site.browser().client.get(page)).text
            for raw, told in {
                b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n<htm>": "is no event of Korgool",
                b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n": "leads to another one",
                b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n": "answers with 500",
                b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{": "does not answer",
                b"\x00\x01\x02": "does not answer",
            }.items():
                other.raw = raw
                await now_due(site, made["id"])
                assert (await site.browser().client.get(page)).text == good
                told_page = (await desk.browser.client.get("/events/follow", headers=READING)).text
                assert told in told_page, raw
            other.raw = None
            await now_due(site, made["id"])
            assert 'class="refused"' not in (await desk.browser.client.get("/events/follow", headers=READING)).text

    following_site(tmp_path, test)


def test_who_may_follow_and_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", (swiss(8, 3, 1)).event)
        stranger = await site.browser().visit()
        assert (await stranger.ask("POST", "/api/events/follow", {"address": "https://x.example/"})).status_code == 403
        bob = await site.browser().visit()
        await bob.sign_up("Bob")
        async with elsewhere(answer=snapshot_data(swiss(8, 3, 3))) as other:
            made = await desk.browser.told("POST", "/api/events/follow", {"address": other.address})
            form = {"_csrf_token": bob.csrf["x-csrftoken"], "id": made["id"]}
            assert (await bob.client.post("/events/unfollow", data=form)).status_code == 404
            monkeypatch.setattr(service, "MOST_FOLLOWED", 1)
            answer = await desk.send("/../../follow", {"address": other.address})
            assert (answer.status_code, said(answer.text)) == (422, "An account follows at most 1 events.")
            monkeypatch.undo()
            for address in ("cup", "https://10.0.0.1/cup/", "http://192.0.2.1/cup/", f"http://[::1]:{other.port}/"):
                answer = await desk.send("/../../follow", {"address": address})
                assert answer.status_code == 422
                assert "This is no address of a public site." in answer.text
            assert len(other.asked) == 1

    following_site(tmp_path, test)


def test_a_folder_of_published_pages_is_followed(tmp_path: Path) -> None:
    written = tmp_path / "folder"
    write_folder(swiss(8, 3, 3), written, languages=("en",), changed="2026-09-14T10:05:00Z")
    assert (written / "event.json").read_bytes() == snapshot_data(swiss(8, 3, 3), "2026-09-14T10:05:00Z")


def test_the_command_line_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def ask(*given: object) -> bytes:
        asked.append(given)
        return b'{"id":"abcdefgh","name":"Cup"}'

    monkeypatch.setattr(event_publish, "_ask", ask)
    place = "--server", "https://a.example/", "--token", "T"
    done = CliRunner().invoke(main, ["event", "follow", "https://b.example/cup/", *place])
    assert done.output == "https://a.example/events/abcdefgh\n"
    assert asked == [
        ("https://a.example/", "POST", "/api/events/follow", "T", b'{"address": "https://b.example/cup/"}')
    ]


def test_no_address_inside_the_network_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not by a name that points there, at first or a moment after it was checked."""
    resolved: list[str] = []

    async def resolve(self: object, host: str, port: int, **_: object) -> list[Any]:
        resolved.append(host)
        address = "127.0.0.1" if host == "inside.example" or len(resolved) > 1 else "93.184.216.34"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    async def connect(address: str, port: int, **_: object) -> Any:
        connected.append(address)
        raise ConnectionRefusedError

    connected: list[str] = []
    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolve)
    monkeypatch.setattr(asyncio, "open_connection", connect)

    async def test() -> None:
        with pytest.raises(FetchError, match="silent"):
            await fetch("https://rebinding.example/event.json", most=MOST)
        assert (resolved, connected) == (["rebinding.example"], ["93.184.216.34"])  # the address that was checked
        for source in (
            "https://inside.example/event.json",
            "https://rebinding.example/event.json",  # points inside by now
            "http://93.184.216.34/event.json",  # without TLS only where the operator says so
            "https://rebinding.example:22/event.json",
            "https://user@rebinding.example/event.json",
        ):
            with pytest.raises(FetchError, match="place"):
                await fetch(source, most=MOST)
        assert len(connected) == 1

    run_async(test())


def test_an_answer_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with elsewhere() as other:
            source = source_of(other.address)
            other.raw = (
                b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + (b"10000\r\n" + b"x" * 65_536 + b"\r\n") * 3
            )
            with pytest.raises(FetchError, match="long"):
                await fetch(source, allowed=HERE, most=MOST)
            other.raw = b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 10_000
            with pytest.raises(FetchError, match="silent"):
                await fetch(source, allowed=HERE, most=MOST)
            other.raw, other.tag = None, "x" * 500
            assert await fetch(source, allowed=HERE, most=MOST) == FetchedCopy(b"")
            monkeypatch.setattr(remote_fetch, "_SECONDS", 0.05)
            other.raw = b""
            with pytest.raises(FetchError, match="silent"):
                await in_time(fetch(source, allowed=HERE, most=MOST))

    run_async(test())

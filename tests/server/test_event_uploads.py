"""An event comes from a file by its page: it says what the file holds, and where a hostile or damaged one fails."""

from __future__ import annotations

import asyncio
import html
import json
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from korgool.app.cli.group import InputError
from korgool.app.cli.stand_by_copy import StandByCopy
from korgool.app.server.events.copies.service import EventCopies
from korgool.app.server.events.helpers.service import HelperRoles
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.uploads.beside import beside_of
from korgool.app.server.limits import OFF, Rate
from korgool.competition import EventFile, commands
from korgool.competition.actions import AddGroup
from korgool.competition.model import Entry, Personal, Settings, System
from korgool.languages import LANGUAGES
from tests.patience import PATIENCE

from .desk_events import READING, at_desk, competitions_of
from .members import Browser, Site, on_site
from .support import Json

BY = "Judge"


def cup(path: Path) -> Path:
    """An event of two groups, the first of which has played a round."""
    settings = Settings(name="Cup of Osh", rounds=3, system=System.ROUND_ROBIN, personal=("born",))
    with EventFile.create(path, settings, by=BY) as file:
        for at, family in enumerate(("Асанов", "Bekova", "C", "D")):
            commands.enter(file, Entry(family=family, given="Ю", rating=2000 - at), Personal(born="2001-05-31"), by=BY)
        commands.pair(file, by=BY, lot="a")
        commands.record_list(file, 1, "1 82-60\n2 =", by=BY)
    return path


def changed(whole: Path, name: str, *statements: str) -> bytes:
    path = whole.with_name(name)
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
    return path.read_bytes()


async def send(browser: Browser, data: bytes, language: str = "en", **fields: str) -> httpx.Response:
    sent = {"_csrf_token": browser.csrf["x-csrftoken"], **fields}
    headers = READING | {"accept-language": language}
    return await browser.client.post("/events/upload", data=sent, files={"file": ("cup", data)}, headers=headers)


def told(answer: httpx.Response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html.unescape(answer.text)).split())


def hidden(answer: httpx.Response) -> dict[str, str]:
    return dict(re.findall(r'name="(digest|saving)" value="([^"]*)"', answer.text))


def test_a_file_is_shown_and_then_taken_with_its_address(tmp_path: Path) -> None:
    whole = cup(tmp_path / "cup.korgool")
    with EventFile.open(whole) as file:
        file.carry({"id": "abcdefgh"})
        head, lines = str(file.head()), file.state.actions
        file_lines = list(file.lines())

    async def test(site: Site) -> None:
        nobody = await site.browser().visit()
        assert (await nobody.client.get("/events/upload", headers=READING)).headers["location"].startswith("/sign-in")
        ann = (await at_desk(site, "Ann", Settings(name="Other"))).browser
        officials = (await ann.client.get("/events/officials", headers=READING)).text
        assert 'href="/events/upload"' in officials
        looked = await send(ann, whole.read_bytes())
        page = told(looked)
        assert "Cup of Osh" in page
        assert f"Its head is {head}, as papers show it" in page
        assert "1 / 3" in page
        assert "The event keeps its address, /events/abcdefgh" in page
        assert (
            await competitions_of(site).in_thread(lambda: competitions_of(site).repository.find("abcdefgh"))
        ) is None
        other = await send(ann, whole.read_bytes() + b"x", take="on", **hidden(looked))
        assert (other.status_code, "This is another file" in told(other)) == (409, True)
        taken = await send(ann, whole.read_bytes(), take="on", **hidden(looked))
        assert (taken.status_code, taken.headers["location"]) == (303, "/events/abcdefgh/desk")
        event = await competitions_of(site).find("abcdefgh")
        assert not event.public
        assert list(await event.with_book(lambda book: book.lines())) == file_lines
        assert (await event.with_book(lambda book: book.personal(1))) == Personal(born="2001-05-31")
        # Whoever has a role there is told that it is here already; somebody else only that the address is taken.
        again = told(await send(ann, whole.read_bytes()))
        assert "This event is here already, with at least these lines." in again
        with EventFile.open(whole) as file:
            commands.undo(file, lines, by=BY, reason="elsewhere")
            forked = whole.read_bytes()
        assert "or to one that went on otherwise" in told(await send(ann, forked))
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        strange = await send(ben, forked)
        assert "The address abcdefgh of this file is taken on this server" in told(strange)
        assert "/events/abcdefgh/desk" not in strange.text
        made = (await send(ben, forked, take="on", **hidden(strange))).headers["location"]
        assert re.fullmatch("/events/[a-z2-9]{8}/desk", made)
        assert made != "/events/abcdefgh/desk"

    on_site(tmp_path, test)


def test_groups_are_named_and_an_event_as_json_is_shown_too(tmp_path: Path) -> None:
    whole = cup(tmp_path / "cup.korgool")
    with EventFile.open(whole) as file:
        file.do(AddGroup("U10", Settings(name="U10", rounds=3), first="Men"), by=BY)
        file.do(AddGroup("Women", Settings(name="Women", rounds=5)), by=BY)

    async def test(site: Site) -> None:
        ann = (await at_desk(site, "Ann", Settings(name="Other"))).browser
        page = told(await send(ann, whole.read_bytes()))
        assert "Women 0 0 / 5" in page
        assert "Groups 3" in page
        assert "The file carries no address" in page
        location = (await send(ann, whole.read_bytes(), take="on")).headers["location"]
        id_ = location.split("/")[2]
        as_json = (await ann.client.get(f"/api/events/{id_}/file?form=json")).content
        assert "Women 0 0 / 5" in told(await send(ann, as_json))

    on_site(tmp_path, test)


def test_a_damaged_log_is_shown_with_its_break_and_saved_up_to_it(tmp_path: Path) -> None:
    whole = cup(tmp_path / "cup.korgool")
    broken = changed(whole, "broken", "UPDATE log SET by = 'Nobody' WHERE at = 6", "DELETE FROM log WHERE at = 7")

    async def test(site: Site) -> None:
        ann = (await at_desk(site, "Ann", Settings(name="Other"))).browser
        looked = await send(ann, broken)
        page = told(looked)
        assert "breaks: line 6 of the log is damaged, or was changed after it was written." in page
        assert "Lines 1 to 5 are proven and can be taken." in page
        assert "which nothing proves: 3. They stay out." in page  # the changed one and what comes after the gap
        assert "Lines after that which cannot be read: 1." in page
        for language in LANGUAGES:
            assert (await send(ann, broken, language)).status_code == 200
        assert "строка 6 журнала повреждена" in told(await send(ann, broken, "ru"))
        refused = await send(ann, broken, take="on", digest=hidden(looked)["digest"])
        assert (refused.status_code, "line 7 of the log cannot stand there" in told(refused)) == (422, True)
        taken = await send(ann, broken, take="on", **hidden(looked))
        event = await competitions_of(site).find(taken.headers["location"].split("/")[2])
        assert event.seq == 5

    on_site(tmp_path, test)


def test_hostile_files_are_refused_with_the_place_and_leave_nothing(tmp_path: Path) -> None:
    whole = cup(tmp_path / "cup.korgool")
    good = whole.read_bytes()
    cases = {
        "newer": (changed(whole, "b", "PRAGMA user_version=99"), "was made by a newer version of korgool (99"),
        "empty log": (changed(whole, "g", "DELETE FROM log"), "its log is empty"),
        "text": (b"hello", "this is no event as JSON"),
        "nothing": (b"", "this is no event as JSON"),
        "noise": (b"SQLite format 3\0" + b"\xff" * 9000, "damaged"),
        "deep": (b"[" * 200_000, "this is no event as JSON"),
    }

    async def test(site: Site) -> None:
        ann = (await at_desk(site, "Ann", Settings(name="Other"))).browser
        repository = competitions_of(site).repository
        account = await competitions_of(site).of(site.keeper.directory.by_name("Ann").id)  # type: ignore[union-attr]
        before = len(account)
        for name, (data, why) in cases.items():
            for fields in ({}, {"take": "on"}, {"take": "on", "saving": "on"}):
                answer = await send(ann, data, **fields)
                assert answer.status_code == 422, (name, fields)
                assert fields.get("saving") or why in told(answer), (name, told(answer))
                assert "/tmp" not in answer.text
                assert "korgool-" not in answer.text
        # Code and foreign tables are never run; what is a log among them is read from the pages alone.
        trap = changed(whole, "d", "CREATE TRIGGER t AFTER DELETE ON log BEGIN SELECT 1; END")
        assert "its tables are not those that korgool makes" in told(await send(ann, trap))
        assert (await send(ann, trap, take="on")).status_code == 422
        assert (await send(ann, good[: len(good) // 2])).status_code in (200, 422)
        empty = await ann.client.post("/events/upload", data={"_csrf_token": ann.csrf["x-csrftoken"]}, headers=READING)
        assert (empty.status_code, "Choose a file." in told(empty)) == (422, True)
        forged = await ann.client.post("/events/upload", files={"file": ("cup", good)}, headers=READING)
        assert forged.status_code == 403
        large = await send(ann, b"x" * (33 << 20))
        assert large.status_code == 413
        assert len(await competitions_of(site).of(site.keeper.directory.by_name("Ann").id)) == before  # type: ignore[union-attr]
        assert repository.is_free("abcdefgh")

    on_site(tmp_path, test)


async def kept_log(site: Site, event: LiveEvent) -> bytes:
    """What a browser that stands by saves as a file."""
    lines = list(await event.with_book(lambda book: book.lines()))
    snapshot = await site.app.state.stand_bys.snapshot(event.id, "http://127.0.0.1:8000")
    head = {"kind": "head", "format": 1, "event": event.id, "release": "0", "seq": len(lines), "chain": lines[-1].chain}
    rows = [head, *({"kind": "line", **line._asdict()} for line in lines), {"kind": "snapshot", **snapshot}]
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows).encode()


def test_links_codes_and_roles_go_on_where_a_kept_log_is_taken(tmp_path: Path) -> None:
    given: dict[str, Any] = {}

    async def first(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup of Osh", rounds=3), "A", "B", "C", "D")
        path = f"/api/events/{ann.competition.id}/helpers"
        given["helper"] = await ann.browser.told("POST", path, {"role": "results", "name": "Helper"})
        given["ended"] = await ann.browser.told("POST", path, {"role": "spectator", "name": "Gone"})
        gone = next(one for one in (await ann.browser.told("GET", path)) if one["name"] == "Gone")
        await ann.browser.told("DELETE", f"{path}/{gone['id']}")
        given["id"], given["file"] = ann.competition.id, await kept_log(site, ann.competition)
        given["seq"] = ann.competition.seq

    async def second(site: Site) -> None:
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        looked = await send(ben, given["file"])
        page = told(looked)
        assert "The chain of the log is whole." in page
        assert "Links, codes and roles of helpers go on: 1." in page
        taken = await send(ben, given["file"], take="on", **hidden(looked))
        assert taken.headers["location"] == f"/events/{given['id']}/desk"
        event = await competitions_of(site).find(given["id"])
        assert event.seq == given["seq"] + 1  # the log says who leads from here
        assert (await ben.client.get(f"/events/{given['id']}/desk/helpers", headers=READING)).status_code == 200
        roles: HelperRoles = site.app.state.helper_roles
        by_code = await roles.by_code(given["id"], given["helper"]["code"], "")
        assert by_code is not None
        assert by_code.officer.name == "Helper"
        assert await roles.by_link(given["id"], given["helper"]["token"]) is not None
        assert await roles.by_link(given["id"], given["ended"]["token"]) is None
        # Here it is taken now: a second time it comes as another event, and nobody's code opens that.
        again = await send(ben, given["file"], take="on")
        other = again.headers["location"].split("/")[2]
        assert other != given["id"]
        assert await roles.by_code(other, given["helper"]["code"], "") is None

    async def by_program(site: Site) -> None:
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        sent = await ben.client.post("/api/events/file", content=given["file"], headers=ben.csrf)
        event = await competitions_of(site).find(given["id"])
        head = str(await event.with_book(lambda book: book.head()))
        assert sent.json() == {"id": given["id"], "seq": given["seq"] + 1, "carried": given["id"], "head": head}
        assert head.startswith(f"{given['seq'] + 1}-")
        roles: HelperRoles = site.app.state.helper_roles
        assert await roles.by_code(given["id"], given["helper"]["code"], "") is not None
        assert await roles.by_link(given["id"], given["helper"]["token"]) is not None
        again = await ben.client.post("/api/events/file", content=given["file"], headers=ben.csrf)
        assert (again.json()["id"] != given["id"], again.json()["carried"]) == (True, given["id"])

    for name, test in (("one", first), ("two", second), ("three", by_program)):
        (tmp_path / name).mkdir()
        on_site(tmp_path / name, test)


def test_a_file_makes_nothing_public_and_gives_no_account_a_role(tmp_path: Path) -> None:
    given: dict[str, Any] = {}

    async def first(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup of Osh", rounds=3), "A", "B")
        given["id"] = ann.competition.id
        await ann.browser.told("PUT", f"/api/events/{given['id']}", {"public": True})
        await ann.browser.told("POST", f"/api/events/{given['id']}/helpers", {"role": "results", "name": "Helper"})
        given["file"] = await kept_log(site, ann.competition)

    async def second(site: Site) -> None:
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        assert (await ben.client.post("/api/events/file", content=given["file"], headers=ben.csrf)).status_code == 201
        stranger = await site.browser().visit()
        assert (await stranger.client.get(f"/events/{given['id']}", headers=READING)).status_code == 404
        held = await ben.told("GET", f"/api/events/{given['id']}/helpers")
        assert {(one["name"], one["account"]) for one in held} == {("Helper", False), ("Ben", True)}
        other = given["file"].replace(given["id"].encode(), b"k3m8x2pa")
        refused = await ben.client.post("/api/events/file", content=other, headers=ben.csrf)
        assert refused.status_code == 422
        assert "links or codes that this copy holds belong to another event here" in refused.json()["detail"]

    for name, test in (("one", first), ("two", second)):
        (tmp_path / name).mkdir()
        on_site(tmp_path / name, test)


def test_what_stands_beside_a_log_is_believed_in_nothing(tmp_path: Path) -> None:
    """Roles that cannot be, keys that are none and odd addresses are left out; a cut log stands as far as it goes."""
    role: Json = {"id": "x", "role": "chief", "name": "X", "made_ms": 1, "link": "a" * 64, "code": None}
    good: Json = {"secret": "ab" * 32, "parts": {"roles": [role]}, "public": True, "address": "http://desk.local:8000"}
    beside = partial(beside_of, origin="http://here", hall=True)
    assert beside(good)["parts"]["roles"][0]["name"] == "X"
    assert beside(good)["peers"] == ["http://desk.local:8000"]
    assert beside_of(good, origin="https://here", hall=False)["address"] == ""
    for name, value in (
        ("role", "king"),
        ("name", "x" * 61),
        ("name", None),
        ("made_ms", "1"),
        ("made_ms", -1),
        ("name", "\ud800"),
        ("first_board", True),
        ("first_board", 9),
        ("last_board", 2),
        ("until_ms", 2**53 - 1),
        ("link", 3),
        ("link", "a" * 63 + "\0"),
        ("id", "x\0"),
        ("role", ["chief"]),
        ("account", "somebody"),
    ):
        assert beside(good | {"parts": {"roles": [role | {name: value}]}})["parts"]["roles"] == [], (name, value)
    others: list[Json] = [{"secret": "zz"}, {"secret": 3}, {"parts": []}, {"parts": None}]
    for other in others:
        assert beside(good | other) == {}
    assert beside(None) == beside([1]) == {}
    assert beside(good | {"address": "http://x/y?z"})["address"] == ""
    assert beside(good | {"address": "http://x\0y"})["address"] == ""
    assert "tables" not in beside(good | {"parts": {"tables": "a\0b"}})["parts"]
    many = [role | {"id": f"r{at}", "link": f"{at:064x}", "ended_ms": 2 if at < 400 else None} for at in range(500)]
    held = beside(good | {"parts": {"roles": many, "tables": 7}})["parts"]["roles"]
    assert [one["ended_ms"] for one in held] == [None] * 100 + [2] * 100
    boards: Json = {"first_board": 2, "last_board": 9}
    sector = role | boards | {"id": "y", "link": None, "code": "b" * 64, "role": "sector"}
    doubles = [role | {"id": "z"}, role | {"link": "c" * 64}, sector | {"id": "w"}]
    rows = beside(good | {"parts": {"roles": [role, sector, *doubles]}})["parts"]["roles"]
    assert [one["id"] for one in rows] == ["x", "y"]

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup of Osh", rounds=3), "A", "B", "C", "D")
        file = await kept_log(site, ann.competition)
        cut = file[: file.index(b'"at":4')]
        looked = await send(ann.browser, cut)
        assert "Lines 1 to 3 are proven and can be taken." in told(looked)
        assert "line 4 of the log cannot be read" in told(looked)
        taken = await send(ann.browser, cut, take="on", **hidden(looked))
        assert (await competitions_of(site).find(taken.headers["location"].split("/")[2])).seq == 3
        forged = file.replace(b'"by":"Ann"', b'"by":"Eve"', 1)
        assert (await send(ann.browser, forged)).status_code == 422
        newer = file.replace(b'"format":1', b'"format":9', 1)
        assert "another version of korgool has made this file" in told(await send(ann.browser, newer))

    on_site(tmp_path, test)


def test_the_limit_is_asked_before_a_file_is_received(tmp_path: Path) -> None:
    received = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal received
        for _ in range(8):
            received += 1
            yield b"x" * (1 << 20)

    async def test(site: Site) -> None:
        nonlocal received
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        assert (await ben.client.post("/api/events/file", content=b"x", headers=ben.csrf)).status_code == 422
        form = {"content-type": "multipart/form-data; boundary=b"}
        for path, headers in (("/api/events/file", ben.csrf), ("/events/upload", form | READING)):
            received = 0
            answer = await ben.client.post(path, content=body(), headers=headers)
            assert (path, answer.status_code, received <= 1) == (path, 429, True)

    limits = replace(OFF, session_changes=Rate(1, "min", 1), address_changes=Rate(1, "min", 1))
    on_site(tmp_path, test, limits=limits)


def test_take_over_opens_the_file_of_a_phone_or_of_a_stick(tmp_path: Path) -> None:
    made: dict[str, Any] = {}

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup of Osh", rounds=3), "A", "B", "C", "D")
        made["id"], made["seq"] = ann.competition.id, ann.competition.seq
        (tmp_path / "phone.korgool.jsonl").write_bytes(await kept_log(site, ann.competition))
        copies: EventCopies = site.app.state.event_copies
        copies.ask(ann.competition.id)
        async with asyncio.timeout(PATIENCE):
            while copies.state(ann.competition.id).made is None:
                await asyncio.sleep(0.02)

    on_site(tmp_path, test, copies=tmp_path)
    for file in (tmp_path / "phone.korgool.jsonl", tmp_path / f"{made['id']}.korgool"):
        for _ in range(2):  # the second time it goes on with what is there
            copy = StandByCopy.unpack(file)
            assert (copy.source.event, copy.line) == (made["id"], made["seq"])
            assert [one["role"] for one in copy.snapshot()["parts"]["roles"]] == ["organiser"]
            copy.close()
    for name, data in (("none", b"hello"), ("cut", (tmp_path / "phone.korgool.jsonl").read_bytes()[:-9000])):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError):
            StandByCopy.unpack(tmp_path / name)

"""Applications for an event: the public form, the private link, the desk's answers, and what is left of whom."""

from __future__ import annotations

import asyncio
import html
import io
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from PIL import Image
from sqlalchemy import text as sql

from korgool.app.server.events.applications.model import alike
from korgool.app.server.events.applications.service import Applications
from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.model import Entry, Settings
from korgool.competition.roles import DeskRole

from .desk_events import READING, AtDesk, at_desk
from .members import Browser, Site, on_site
from .support import Json
from .test_event_doors import act, seq_of, somebody
from .test_event_groups import MEN, WOMEN

CUP = Settings(name="Cup", rounds=3)
AIDA = {
    "family": "Asanova",
    "given": "Aida",
    "born": "1990",
    "sex": "f",
    "federation": "KGZ",
    "contact": "+996 555 123456",
    "consent": "on",
    "once": "form-1",
}


def picture(side: int = 2400) -> bytes:
    """A photograph with a place in its metadata."""
    made, data = Image.new("RGB", (side, side // 2), "white"), Image.Exif()
    data[0x010E] = "SECRET PLACE"
    file = io.BytesIO()
    made.save(file, "JPEG", exif=data)
    return file.getvalue()


async def opened(desk: AtDesk, **fields: str) -> httpx.Response:
    """Entries are open for years; `fields` say it otherwise."""
    times = {"opens-1": "2020-01-01T10:00", "closes-1": "2096-01-01T10:00", "most-1": ""} | fields
    return await desk.send("/applications/windows", times)


async def send(browser: Browser, address: str, fields: Mapping[str, object], **files: bytes) -> httpx.Response:
    """The public form, as a browser sends it."""
    data = {"_csrf_token": browser.csrf["x-csrftoken"], **fields}
    parts = {name: (f"{name}.bin", body) for name, body in files.items()} or {"paper": ("", b"")}
    return await browser.client.post(f"/events/{address}/enter", data=data, files=parts, headers=READING)


def link_in(answer: httpx.Response) -> str:
    found = re.search(r'class="link" href="[^"]*(/events/[^"]*)"', answer.text)
    assert found is not None, answer.text
    return found[1]


async def look(browser: Browser, path: str, status: int = 200) -> str:
    answer = await browser.client.get(path, headers=READING)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def everything(site: Site) -> str:
    """All that lies in the tables of events."""
    with site.app.state.applications.repository._engine.begin() as connection:
        return "\n".join(
            str(tuple(row))
            for name in ("competition_applications", "competition_log", "competition_personal")
            for row in connection.execute(sql(f"SELECT * FROM {name}"))
        )


def ids(page: str) -> list[str]:
    return re.findall(r'name="id" value="([^"]+)"', page)


def test_a_player_applies_and_is_entered(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", CUP, "Ann", "Bek")
        id_, reader = desk.competition.id, await site.browser().visit()
        await look(reader, f"/events/{id_}/enter", 404)  # not public, and nobody has opened the entries
        assert (await send(reader, id_, dict(AIDA))).status_code == 404
        assert (await opened(desk)).status_code == 303
        form = await look(reader, f"/events/{id_}/enter")
        assert 'name="family"' in form
        assert "players: 2" in form
        assert "Ann" not in form, "the form names nobody"
        links = {link_in(await send(reader, id_, dict(AIDA))) for _ in range(3)}
        assert len(links) == 1, "a form that is sent twice counts once"
        link = links.pop()
        other = await send(reader, id_, dict(AIDA) | {"given": "Aigul"})  # the same page, and somebody else
        assert link_in(other) != link
        assert "Applications that wait: 2" in await look(reader, f"/events/{id_}/enter")
        answer = await reader.client.get(link, headers=READING)
        assert answer.headers["cache-control"] == "no-store"
        assert "noindex" in answer.headers["x-robots-tag"]
        assert "has not answered yet" in answer.text
        assert "Asanova" not in await look(
            reader, f"/events/{id_}/entries", 404 if not desk.competition.public else 200
        )
        page = await desk.look("/applications")
        assert "Asanova, Aida" in page
        assert "+996 555 123456" in page
        (aida, aigul) = ids(page)
        assert (await desk.send("/applications/decide", {"id": aida, "what": "yes"})).status_code == 303
        assert (await desk.send("/applications/decide", {"id": aida, "what": "yes"})).status_code == 422, (
            "decided already"
        )
        assert [one.entry.name for one in desk.competition.state.players.values()][-1] == "Asanova, Aida"
        assert "Entered. Welcome!" in await look(reader, link)
        refused = await desk.send("/applications/decide", {"id": aigul, "what": "no", "words": ""})
        assert refused.status_code == 422
        refused = await desk.send("/applications/decide", {"id": aigul, "what": "no", "words": "No places left"})
        assert refused.status_code == 303
        page = await look(reader, link_in(other))
        assert "No places left" in page
        assert "Aigul" not in page + everything(site), "of somebody refused nothing is left"

    on_site(tmp_path, test)


def test_questions_answers_and_withdrawals(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", CUP)
        await opened(desk)
        reader, id_ = await site.browser().visit(), desk.competition.id
        link = link_in(await send(reader, id_, dict(AIDA)))
        (aida,) = ids(await desk.look("/applications"))
        await desk.send("/applications/decide", {"id": aida, "what": "ask", "words": "Which <b>school</b>?"})
        page = (await reader.client.get(link, headers=READING)).text
        assert "Which &lt;b&gt;school" in page
        csrf = reader.csrf["x-csrftoken"]
        empty = await reader.client.post(link, data={"_csrf_token": csrf, "id": aida, "what": "answer", "answer": " "})
        assert empty.status_code == 422
        said = {"_csrf_token": csrf, "id": aida, "what": "answer", "answer": "Number 5"}
        assert (await reader.client.post(link, data=said)).status_code == 303
        assert "Number 5" in await desk.look("/applications")
        leaving = {"_csrf_token": csrf, "id": aida, "what": "withdraw"}
        for wrong in (link[:-1] + ("0" if link[-1] != "0" else "1"), f"/events/{id_}/enter/x"):
            assert (await reader.client.get(wrong)).status_code == 404
            assert (await reader.client.post(wrong, data=leaving)).status_code == 404
        gone = await reader.client.post(link, data=leaving)
        assert gone.status_code == 303
        assert "Withdrawn" in await look(reader, link)
        assert not re.search("Asanova|555 123456|Number 5|school", everything(site))
        assert (await desk.send("/applications/decide", {"id": aida, "what": "yes"})).status_code == 422

    on_site(tmp_path, test)


def test_a_coach_applies_for_many_and_a_wrong_list_stores_nothing(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", CUP)
        await opened(desk)
        reader, id_ = await site.browser().visit(), desk.competition.id
        several = dict(AIDA) | {"family": "", "given": "", "guardian": "Coach Bolot"}
        names = "Name;Sex;Year of birth;Federation\nAsan uulu Bek;m;2015;KGZ\nCholponova Dana;f;1999;KAZ\n"
        bad = await send(reader, id_, several | {"lines": "Name;Year of birth\n;\nBek;x9\n"})
        assert bad.status_code in {200, 422}
        before = await desk.look("/applications")
        sent = await send(reader, id_, several | {"lines": names})
        assert sent.status_code == 200, sent.text
        assert "answer: 2" in sent.text
        link = link_in(sent)
        page = await desk.look("/applications")
        assert len(ids(page)) == len(ids(before)) + 2
        assert "consent: Coach Bolot" in page
        by_file = await send(reader, id_, several | {"once": "2"}, listed=names.replace("Bek", "Emil").encode())
        assert "answer: 2" in by_file.text
        hostile = await send(reader, id_, several | {"once": "3"}, listed=b"PK\x03\x04" + b"\x00" * 2000)
        assert hostile.status_code == 422
        everybody = await desk.send("/applications/decide", {"what": "all"})
        assert everybody.status_code == 303, everybody.text
        entered = {one.entry.name for one in desk.competition.state.players.values()}
        assert entered == {"Asan uulu, Bek", "Asan uulu, Emil"}, "who is in both lists waits for a look"
        assert "Cholponova" in await look(reader, link)

    on_site(tmp_path, test)


def test_the_doctors_paper_is_made_anew_and_deleted(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", replace(CUP, rounds=1, personal=("doctor",)))
        await opened(desk)
        reader, id_ = await site.browser().visit(), desk.competition.id
        assert "doctor" in (await send(reader, id_, dict(AIDA))).text
        for bad in (b"GIF89a", b"\xff\xd8\xff" + b"x" * 100, b"<svg onload=alert(1)>"):
            assert (await send(reader, id_, dict(AIDA), paper=bad)).status_code == 422
        assert (await send(reader, id_, dict(AIDA), paper=picture())).status_code == 200
        (aida,) = ids(await desk.look("/applications"))
        path = f"{desk.path}/applications/{aida}/paper"
        shown = await desk.browser.client.get(path)
        assert shown.headers["cache-control"] == "no-store"
        with Image.open(io.BytesIO(shown.content)) as made:
            assert (made.format, made.size) == ("JPEG", (1600, 800))
        assert b"SECRET" not in shown.content
        assert (await reader.client.get(path)).status_code in {401, 403}
        again = {**AIDA, "once": "x", "given": "Bermet"}
        await send(reader, id_, dict(again), paper=picture())
        bermet = next(one for one in ids(await desk.look("/applications")) if one != aida)
        await desk.send("/applications/decide", {"id": bermet, "what": "no", "words": "sorry"})
        assert (await desk.browser.client.get(f"{desk.path}/applications/{bermet}/paper")).status_code == 404
        await desk.send("/applications/decide", {"id": aida, "what": "yes"})
        assert (await desk.browser.client.get(path)).status_code == 200
        await desk.do({"do": "enter", "entry": {"family": "Second"}})
        await desk.do({"do": "pair", "round": 1, "lot": "x"})
        await desk.do({"do": "result", "round": 1, "board": 1, "result": "82-60"})
        applications: Applications = site.app.state.applications
        await asyncio.gather(*applications._tasks)
        assert (await desk.browser.client.get(path)).status_code == 404, "after the event nothing is left"

    on_site(tmp_path, test)


def test_what_is_refused_at_the_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(site: Site) -> None:
        settings = replace(CUP, sex="women", from_year=1985, to_year=2010)
        desk = await at_desk(site, "Asel", settings)
        await opened(desk, **{"most-1": "1"})
        reader, id_ = await site.browser().visit(), desk.competition.id
        for fields, why in (
            ({"consent": None}, "Tick that you agree"),
            ({"family": " "}, "Write the family name"),
            ({"contact": ""}, "how the organiser reaches you"),
            ({"born": "90"}, "1900|four digits"),
            ({"born": "abcd"}, "four digits"),
            ({"rating": "-1"}, "whole number"),
            ({"sex": "m"}, "women"),
            ({"born": "1970"}, "1985"),
            ({"born": "2010"}, "name of the parent"),
            ({"group": "7"}, "group"),
            ({"family": "x" * 61}, "at most 60"),
            ({"website": "http://spam"}, ""),
        ):
            given = {name: value for name, value in (dict(AIDA) | fields).items() if value is not None}
            answer = await send(reader, id_, given)
            assert answer.status_code == 422, (fields, answer.status_code)
            assert re.search(why, html.unescape(answer.text)), fields
        kept = await send(reader, id_, dict(AIDA) | {"born": "1970"})
        assert 'value="Asanova"' in kept.text, "what was typed is still there"
        assert "Asanova" not in everything(site)
        child = dict(AIDA) | {"born": "2010", "guardian": "Asanova Gul", "family": "<script>alert(1)</script>"}
        assert (await send(reader, id_, child)).status_code == 200
        raw = (await desk.browser.client.get(f"{desk.path}/applications", headers=READING)).text
        assert "<script>alert" not in raw
        assert "consent: Asanova Gul" in raw
        (one,) = ids(raw)
        assert (await desk.send("/applications/decide", {"id": one, "what": "yes"})).status_code == 303
        assert "full" in (await send(reader, id_, dict(AIDA) | {"once": "z"})).text
        for fields in ({"opens-1": "x"}, {"closes-1": "2019-01-01T10:00"}, {"most-1": "-3"}, {"closes-1": ""}):
            assert (await opened(desk, **fields)).status_code == 422
        # It closes while somebody writes: what they send within a quarter of an hour still counts.
        await opened(desk)
        moment = round(datetime(2096, 1, 1, 10, tzinfo=UTC).timestamp() * 1000)
        monkeypatch.setattr("korgool.app.server.events.applications.service.now_ms", lambda: moment + 60_000)
        monkeypatch.setattr("korgool.app.server.events.applications.pages.now_ms", lambda: moment + 60_000)
        assert "Nobody can apply now" in await look(reader, f"/events/{id_}/enter")
        assert (await send(reader, id_, dict(AIDA) | {"once": "late"})).status_code == 200
        monkeypatch.setattr("korgool.app.server.events.applications.service.now_ms", lambda: moment + 16 * 60_000)
        monkeypatch.setattr("korgool.app.server.events.applications.pages.now_ms", lambda: moment + 16 * 60_000)
        late = await send(reader, id_, dict(AIDA) | {"once": "later"})
        assert late.status_code == 422
        assert "Nobody can apply" in late.text

    on_site(tmp_path, test)


def test_doubles_are_noticed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        first = await at_desk(site, "Asel", replace(CUP, name="Last year"), "Ann")
        await first.do({"do": "enter", "entry": {"family": "Old", "given": "Friend", "born": 1990}})
        officer = first.officer
        event: LiveEvent = await site.app.state.event_registry.make(officer, CUP)
        desk = AtDesk(first.browser, event, officer)
        await desk.do({"do": "enter", "entry": {"family": "Asanova", "given": "Aida", "born": 1990}})
        await opened(desk)
        reader = await site.browser().visit()
        for at, (family, given) in enumerate(
            (("Asanova", "Aida"), ("Asanowa", "Aida"), ("Old", "Friend"), ("New", "Face"))
        ):
            await send(reader, event.id, dict(AIDA) | {"family": family, "given": given, "once": str(at)})
        page = await desk.look("/applications")
        assert "Entered already: Asanova, Aida" in page
        assert "Like somebody who is entered: Asanova, Aida" in page
        assert "Took part before: Old, Friend" in page
        assert (await desk.send("/applications/decide", {"what": "all"})).status_code == 303
        assert {one.entry.family for one in event.state.players.values()} == {"Asanova", "Old", "New"}
        double = ids(await desk.look("/applications"))[0]
        assert (await desk.send("/applications/decide", {"id": double, "what": "yes"})).status_code == 422
        namesake = {"id": double, "what": "yes", "namesake": "on"}
        assert (await desk.send("/applications/decide", namesake)).status_code == 303
        last = await desk.look(f"/applications/last?event={first.competition.id}")
        assert "Ann" in last
        assert "Old" not in last.partition("Who takes part again")[2], "who is entered is not offered"
        took = await desk.send("/applications/last", {"event": first.competition.id, "all": "on"})
        assert took.status_code == 303
        assert "Ann" in {one.entry.family for one in event.state.players.values()}
        assert (await desk.send("/applications/last", {"event": "zzzzzzzz", "all": "on"})).status_code == 422

    on_site(tmp_path, test)


def test_names_that_may_be_of_one_person() -> None:
    def named(family: str, given: str = "", born: int = 0) -> Entry:
        return Entry(family=family, given=given, born=born)

    same = (
        (("Asanova", "Aida"), ("Aida", "Asanova")),
        (("Асанова", "Айда"), ("Асанова", "Аида")),
        (("Bek", "Asan uulu"), ("Bek", "Asan")),
    )
    for one, other in same:
        assert alike(named(*one), named(*other)), (one, other)
    for one, other in ((("Bek", "A"), ("Bak", "B")), (("Asanova", "Aida"), ("Asanova", "Bermet"))):
        assert not alike(named(*one), named(*other)), (one, other)
    assert not alike(named("Asanova", "Aida", 1990), named("Asanowa", "Aida", 2010))


def test_two_groups_and_roles(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = str((await asel.told("POST", "/api/events", {"name": "Championship"}))["id"])
        open_: Json = {"do": "group", "name": "Open", "settings": {"name": "Open", "rounds": 3}}
        await act(asel, id_, 1, MEN, WOMEN, open_)
        event = await site.app.state.event_registry.find(id_)
        desk = AtDesk(asel, event, None)  # type: ignore[arg-type]
        groups = {name: one for one, name in event.state.groups.items()}
        times = {
            f"{name}-{groups[group]}": text
            for group in ("Women", "Open")
            for name, text in (("opens", "2020-01-01T10:00"), ("closes", "2096-01-01T10:00"))
        }
        assert (await desk.send("/applications/windows", times)).status_code == 303
        reader = await site.browser().visit()
        form = await look(reader, f"/events/{id_}/enter")
        assert "Only women take part." in form
        both = dict(AIDA) | {"group": [str(groups["Women"]), str(groups["Open"])]}
        assert (await send(reader, id_, both)).status_code == 200
        closed = dict(AIDA) | {"group": str(groups["Men"]), "once": "m"}
        assert (await send(reader, id_, closed)).status_code == 422
        (one,) = ids(await desk.look("/applications"))
        assert (await desk.send("/applications/decide", {"id": one, "what": "yes"})).status_code == 303
        for name in ("Women", "Open"):
            group = await site.app.state.event_registry.group(event, name)
            assert [player.entry.name for player in group.state.players.values()] == ["Asanova, Aida"]
        assert await seq_of(asel, id_)
        for role in (DeskRole.SECTOR, DeskRole.RESULTS, DeskRole.CHECK_IN, DeskRole.SPECTATOR):
            browser = await somebody(site, f"Role{role.value.replace('-', '')}")
            given: Json = {
                "role": role,
                "account": f"Role{role.value.replace('-', '')}",
                "boards": [1, 1] if role is DeskRole.SECTOR else None,
            }
            await asel.told("POST", f"/api/events/{id_}/helpers", given)
            helper = AtDesk(browser, event, None)  # type: ignore[arg-type]
            await helper.look("/applications", 404)
            await helper.look("/applications/last", 404)
            assert (await helper.send("/applications/windows", times)).status_code == 403
            assert (await helper.send("/applications/decide", {"what": "all"})).status_code == 403
            assert (await helper.send("/applications/last", {"event": id_, "all": "on"})).status_code == 403
            assert (await browser.client.get(f"{desk.path}/applications/{one}/paper")).status_code == 404

    on_site(tmp_path, test)

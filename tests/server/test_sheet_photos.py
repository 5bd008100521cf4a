"""Photographs of scoresheets: players send them from their tables, officials of the board see them, nobody else."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import httpx
from PIL import Image
from sqlalchemy import update

from korgool.app.server.events.event_repository import give_role
from korgool.app.server.events.tables.sheet_photos import KEPT_MS
from korgool.app.server.storage.event_tables import sheet_photos
from korgool.competition.roles import Boards, DeskRole, Officer

from .desk_events import READING, AtDesk, account_of, competitions_of
from .members import Browser, Site, on_site
from .test_applications import picture
from .test_tables import codes_at, hall, look, tables_of

SHEETS = re.compile(r'href="[^"]*/desk(/round/1/sheets/[^"]*)"')


async def send(browser: Browser, desk: AtDesk, code: str, data: bytes, **fields: str) -> httpx.Response:
    await look(browser, desk, code)
    path = f"/events/{desk.competition.event_id}/table/{code}/photo"
    more = {"_csrf_token": browser.csrf["x-csrftoken"], **fields}
    return await browser.client.post(path, data=more, files={"photo": ("IMG.jpg", data)}, headers=READING)


async def at_board(site: Site, desk: AtDesk, name: str, role: DeskRole, boards: Boards | None = None) -> AtDesk:
    """Somebody else at the desk, confined to boards."""
    browser = await site.browser().visit()
    await browser.sign_up(name)
    officer = Officer(account_of(site, name), name, role, boards)
    with competitions_of(site).repository._engine.begin() as connection:
        give_role(connection, desk.competition.id, officer, account=officer.who)
    return AtDesk(browser, desk.competition, officer)


async def jpeg(browser: Browser, address: str) -> httpx.Response:
    return await browser.client.get(address, headers=READING)


def test_a_photo_goes_to_the_officials_of_the_board_alone(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, black), one, two = await codes_at(site, desk), site.browser(), site.browser()
        assert "Photo of the scoresheet" in (await look(one, desk, white)).text
        assert not SHEETS.findall(await desk.look("/round/1"))
        before = desk.competition.seq
        sent = await send(one, desk, white, picture())
        assert (sent.status_code, sent.headers["location"].endswith(f"/table/{white}#table-photo")) == (303, True)
        answer = await send(two, desk, black, picture(300), part="1")
        assert (answer.status_code, "The officials have a photo" in answer.text) == (200, True)
        assert "<html" not in answer.text
        assert desk.competition.seq == before, "the log has nothing of it"
        assert not desk.competition.state.reports
        links = SHEETS.findall(await desk.look("/round/1"))
        assert links == ["/round/1/sheets/1/photo", "/round/1/sheets/1/photo?side=black"]
        own = await jpeg(desk.browser, desk.path + links[0])
        assert (own.headers["content-type"], own.headers["cache-control"]) == ("image/jpeg", "no-store")
        with Image.open(BytesIO(own.content)) as kept:
            assert max(kept.size) == 1600
            assert not kept.getexif()
        await send(two, desk, black, picture(200))
        with Image.open(BytesIO((await jpeg(desk.browser, desk.path + links[1])).content)) as kept:
            assert max(kept.size) == 200, "a later one takes the place of the first"
        assert (await jpeg(desk.browser, desk.path + "/round/1/sheets/2/photo")).status_code == 404
        assert (await jpeg(desk.browser, desk.path + "/round/1/sheets/x/photo")).status_code == 404
        # Officials of other boards, those who enter no results, players and readers do not see it.
        sector = await at_board(site, desk, "Bob", DeskRole.SECTOR, Boards(1, 1))
        assert SHEETS.findall(await sector.look("/round/1")) == links
        assert (await jpeg(sector.browser, desk.path + links[0])).status_code == 200
        for at, (role, boards) in enumerate(((DeskRole.SECTOR, Boards(2, 2)), (DeskRole.CHECK_IN, None))):
            other = await at_board(site, desk, f"Cem{at}", role, boards)
            assert not SHEETS.findall(await other.look("/round/1"))
            assert (await jpeg(other.browser, desk.path + links[0])).status_code == 404
        assert "/sign-in" in (await jpeg(one, desk.path + links[0])).headers["location"]

    on_site(tmp_path, test)


def test_what_is_no_photo_is_refused_and_the_report_does_not_mind(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, _), phone = await codes_at(site, desk), site.browser()
        bomb = BytesIO()
        Image.new("1", (30_000, 30_000)).save(bomb, "PNG")
        script = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
        for data, why in (
            (b"", "Choose a picture."),
            (script, "the file is no picture"),
            (b"\xff\xd8\xff\xe0" + b"x" * 500, "the picture is damaged"),
            (picture()[:5_000], "the picture is damaged"),
            (bomb.getvalue(), "pixels"),
            (b"\0" * (8 * 1024 * 1024 + 1), "bytes"),
        ):
            for part in ({}, {"part": "1"}):
                answer = await send(phone, desk, white, data, **part)
                assert (answer.status_code, why in answer.text) == (422, True), (
                    why,
                    re.findall(r"refused\".*?</p>", answer.text),
                )
        assert (await send(phone, desk, white, b"\0" * (8 * 1024 * 1024 + 200_000))).status_code == 413
        assert (await send(phone, desk, "aaaaaaaa", picture(100))).status_code == 404
        assert not SHEETS.findall(await desk.look("/round/1"))
        assert 'name="won1"' in (await look(phone, desk, white)).text

    on_site(tmp_path, test)


def test_photos_end_with_their_time_their_pairing_and_the_personal_data(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, black), phone = await codes_at(site, desk), site.browser()
        photos, id_ = tables_of(site).photos, desk.competition.event_id
        await send(phone, desk, white, picture(100))
        await send(phone, desk, black, picture(100))
        with photos._engine.begin() as connection:
            old = update(sheet_photos).where(sheet_photos.c.side == "white")
            connection.execute(old.values(taken_ms=sheet_photos.c.taken_ms - KEPT_MS - 1))
        assert SHEETS.findall(await desk.look("/round/1")) == ["/round/1/sheets/1/photo?side=black"]
        assert (await jpeg(desk.browser, f"{desk.path}/round/1/sheets/1/photo")).status_code == 404
        photos.clear_old()
        with photos._engine.begin() as connection:
            assert [row.side for row in connection.execute(sheet_photos.select())] == ["black"]
        # Somebody else who sits there has not sent it.
        game = desk.competition.state.rounds[0].game(1)
        await desk.do({"do": "unpair", "round": 1, "reason": "late"})
        await desk.do({"do": "miss", "player": game.black, "absence": {"round": 1, "kind": "Z"}})
        await desk.do({"do": "pair", "round": 1})
        assert not SHEETS.findall(await desk.look("/round/1"))
        (white, _) = await codes_at(site, desk)
        await send(phone, desk, white, picture(100))
        assert (await desk.send("/settings/forget", {"reason": "over"})).status_code == 303
        assert not photos.of_round(id_, 1, 1)

    on_site(tmp_path, test)

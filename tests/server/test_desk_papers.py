"""Helpers, officials, papers and files at the desk of an event."""

from __future__ import annotations

import re
from pathlib import Path

from korgool.app.printing import EVENT_PAPERS
from korgool.app.server.events.desk.papers import FILES, STAGES
from korgool.competition.csv_export import TABLES
from korgool.competition.roles import DeskRole

from .desk_events import READING
from .members import Site, on_site
from .test_desk_tables import looking, played


def test_a_role_is_given_by_link_and_code_and_ended(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await played(site)
        page = await ann.look("/helpers")
        assert "Ann</strong>" in page
        answer = await ann.send("/helpers", {"role": "sector", "first": "1", "last": "2", "name": "Ben", "days": "2"})
        assert answer.status_code == 200
        assert "<svg" in answer.text
        (path,) = set(re.findall(r'href="http://[^"/]+(/events/\w+/join/[\w-]+)"', answer.text))
        (code,) = re.findall(r'code-text">([\d ]+)<', answer.text)
        assert len(code.replace(" ", "")) == 8
        assert path not in await ann.look("/helpers"), "it is shown once"
        ben = site.browser()
        joining = await ben.client.get(path, headers=READING)
        token = re.search(r'name="_csrf_token" value="(\w+)"', joining.text)
        assert token
        came = await ben.client.post(path, data={"_csrf_token": token[1]})
        assert came.headers["location"] == ann.path
        assert (await ben.client.get(ann.path, headers=READING)).status_code == 200
        assert (await ben.client.get(f"{ann.path}/helpers", headers=READING)).status_code == 403

        page = await ann.look("/helpers")
        ends = re.findall(r'action="[^"]+/helpers/([\w-]+)/end"', page)
        assert len(ends) == 2
        assert (await ann.send(f"/helpers/{ends[1]}/end", {})).status_code == 303
        assert "Ended (1)" in await ann.look("/helpers")
        assert (await ben.client.get(ann.path, headers=READING)).status_code in {303, 403}
        assert (await ann.send(f"/helpers/{ends[0]}/end", {})).status_code == 403, "the last organiser"

        eve = await looking(site, ann, "Eve", DeskRole.SPECTATOR)
        assert (await eve.send("/helpers", {"role": "results"})).status_code == 403
        assert (await ann.send("/helpers", {"role": "results", "account": "Eve"})).status_code == 303
        for fields, status, why in (
            ({"role": "king"}, 422, "choose a role"),
            ({"role": "sector", "name": "<Ben>"}, 422, "a range of boards"),
            ({"role": "results", "days": "x"}, 422, "whole numbers"),
            ({"role": "results", "days": "99"}, 422, "within 60 days"),
            ({"role": "results", "account": "Nobody"}, 404, "no player of that name"),
        ):
            answer = await ann.send("/helpers", fields)
            assert answer.status_code == status
            assert why in answer.text
            assert ("&lt;Ben&gt;" in answer.text) == ("name" in fields)

    on_site(tmp_path, test)


def test_officials_are_appointed_and_dismissed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await played(site)
        answer = await ann.act("appoint", name="Bolot", role="chief-referee", category="I", federation="KGZ")
        assert answer.status_code == 303
        page = await ann.look("/officials")
        assert "Bolot</strong>" in page
        assert "Chief referee · I · KGZ" in page
        assert (await ann.act("dismiss", official="1", reason="bias")).status_code == 303
        page = await ann.look("/officials")
        assert "excluded: bias" in page
        assert 'value="dismiss"' not in page

    on_site(tmp_path, test)


def test_papers_and_files_come_from_the_desk(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await played(site)
        assert sorted(name for _, names in STAGES for name in names) == sorted(EVENT_PAPERS)
        page = await ann.look("/papers")
        named = set(re.findall(r'name="what" value="([\w-]+)"', page))
        assert named == set(EVENT_PAPERS) - {"team-sheets", "match-protocols", "bracket"}

        async def get(path: str) -> tuple[int, str, bytes]:
            answer = await ann.browser.client.get(f"{ann.path}/papers{path}", headers=READING)
            return answer.status_code, answer.headers["content-type"], answer.content

        slips = "result-slips&first=1&last=1"
        for asked in ("standings&language=ky&round=1", slips, "table-cards&paper=a5", "standings&paper=a3"):
            status, kind, made = await get(f"/print?what={asked}")
            assert (status, kind, made[:5]) == (200, "application/pdf", b"%PDF-")
        for asked, status, why in (
            ("nothing", 404, ""),
            ("standings&round=9", 422, "round 9 is not paired"),
            ("standings&round=x", 422, "x is no whole number"),
            ("standings&language=xx", 422, "xx"),
            ("standings&paper=a9", 422, "a9"),
            ("badges&paper=a3", 422, "badges has no sheets for the wall, on A3"),
            ("bracket", 422, "a bracket belongs to knock-out events"),
        ):
            found, _, text = await get(f"/print?what={asked}")
            assert found == status
            assert why in text.decode()
        answer = await ann.send("/papers/text", {"what": "diplomas", "template": "# {title}\n{name}", "language": "ru"})
        assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")
        answer = await ann.send("/papers/text", {"what": "diplomas", "template": "# {titel}", "paper": "a5"})
        assert answer.status_code == 422
        assert "# {titel}</textarea>" in answer.text
        assert '<option value="a5" selected' in answer.text

        for what, (kind, end, _) in FILES.items():
            answer = await ann.browser.client.get(f"{ann.path}/papers/file?what={what}", headers=READING)
            told = kind if end == "xlsx" else f"{kind}; charset=utf-8"
            assert (answer.status_code, answer.headers["content-type"]) == (200, told)
            assert f'-{what}.{end}"' in answer.headers["content-disposition"]
        for language in ("en", "ky", "kk", "ru", "tr"):
            local = language != "en"
            for what in TABLES:
                headers = READING | {"accept-language": language}
                answer = await ann.browser.client.get(f"{ann.path}/papers/file?what={what}", headers=headers)
                assert answer.content.startswith(b"\xef\xbb\xbf") is local, (language, what)
                first = answer.content.decode("utf-8-sig").partition("\r\n")[0]
                assert (";" in first, "," in first) == (local, not local)
        page = await ann.look("/papers")
        links = dict(re.findall(r'file\?what=([\w-]+)">([^<]*)<', page))
        assert set(links) == set(FILES)
        assert all(text.strip() for text in links.values())
        assert (await get("/file?what=x"))[0] == 404
        eve = await looking(site, ann, "Eve", DeskRole.SPECTATOR)
        for path in ("/papers", "/papers/print?what=standings", "/papers/file?what=trf"):
            await eve.look(path, 403)

    on_site(tmp_path, test)

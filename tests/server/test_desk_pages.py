"""The console of an event as pages and forms without scripts."""

from __future__ import annotations

import html
from pathlib import Path

from korgool.competition.model import Settings
from korgool.languages import LANGUAGES, translations

from .desk_events import READING, at_desk, said
from .members import Site, on_site

CUP = Settings(name="Cup <of> Osh", rounds=3)


def test_the_console_is_for_the_officials_of_its_event(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B")
        eve = await at_desk(site, "Eve", CUP)
        nobody = await site.browser().visit()
        answer = await nobody.client.get(ann.path, headers=READING)
        assert (answer.status_code, answer.headers["location"]) == (
            303,
            f"/sign-in?next=%2Fevents%2F{ann.competition.id}%2Fdesk",
        )
        for path in ("", "/act"):
            answer = await eve.browser.client.request(
                "POST" if path else "GET", f"{ann.path}{path}", headers=READING | eve.browser.csrf
            )
            assert answer.status_code == 404
        assert (await eve.browser.client.get("/events/abcdefgh/desk", headers=READING)).status_code == 404
        for language in LANGUAGES:
            page = await ann.look(language=language)
            gettext = translations(language).gettext
            assert f'<html lang="{language}"' in page
            assert gettext("Pair round %(round)s") % {"round": 1} in page
            assert "<h1>Cup &lt;of&gt; Osh</h1>" in (await ann.browser.client.get(ann.path, headers=READING)).text

    on_site(tmp_path, test)


def test_an_action_is_done_or_refused_with_what_was_typed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B", "C")
        answer = await ann.act("pair", round="1", lot="a")
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ann.path}/round/1?done#r1")
        assert "The change is stored." in await ann.look("?done")
        page = await ann.look()
        assert "results still missing: 1" in page
        seq = ann.competition.seq

        for fields, status, told in (
            ({"do": "result", "round": "1", "board": "1", "result": '"><b>'}, 422, "is no result"),
            ({"do": "result", "round": "one", "board": "1", "result": "82-60"}, 422, "round: a whole number is needed"),
            ({"do": "unpair", "round": "1"}, 422, "reason"),
            ({"do": "penalise", "player": "99", "half_points": "1", "reason": "late"}, 422, "no player"),
        ):
            answer = await ann.send("/act", fields)
            assert answer.status_code == status, answer.text
            assert told in said(answer.text)
            for name, value in fields.items():
                assert f'name="{name}" value="{html.escape(value)}"'.replace("&quot;", "&#34;") in answer.text
        assert (await ann.act("dance")).status_code == 422
        assert ann.competition.seq == seq

        await ann.do({"do": "result", "round": 1, "board": 1, "result": "82-60"})
        answer = await ann.act("result", round="1", board="1", result="60-82", after=str(seq))
        assert answer.status_code == 409
        assert "What has happened since" in answer.text
        assert "UTC, Ann: round 1, board 1: 1 (82) - 0 (60)" in answer.text
        assert f'name="after" value="{ann.competition.seq}"' in answer.text
        assert 'value="60-82"' in answer.text
        assert "Do it all the same" in answer.text

        answer = await ann.send("/act", {"do": "withdraw", "player": "3", "back": "//evil.example"})
        assert answer.headers["location"] == f"{ann.path}?done"

    on_site(tmp_path, test)

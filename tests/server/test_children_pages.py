"""The pages of children's accounts as forms without scripts: what they do, what they refuse and where they say it."""

from __future__ import annotations

import re
from pathlib import Path

from korgool.app.words.people import CONSENT, WORDING
from korgool.languages import LANGUAGES, translations

from .members import PASSWORD, Browser, Site, on_site
from .test_account_pages import READING, beside, look, opened, send, stale

HERE = "/account/children"


async def opens(adult: Browser, name: str, **more: str) -> str:
    """Open an account for a child; the path of its page."""
    answer = await send(adult, HERE, name=name, password=PASSWORD, wording=WORDING, **more)
    assert answer.status_code == 303, answer.text
    path, done = answer.headers["location"].split("?")
    assert done == "done=child"
    return str(path)


def test_an_adult_opens_and_looks_after_an_account(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, kid = await opened(site, "Ann"), await site.browser().visit()
        page = await look(ann, HERE)
        assert all(sentence in page for sentence in CONSENT)
        good = {"name": "Timur", "password": PASSWORD, "wording": WORDING}
        for change, field, status, said in (
            ({"name": "ann"}, "name", 409, "taken"),
            ({"name": "1x"}, "name", 422, "begins with a letter"),
            ({"password": "timur"}, "password", 422, "at least 8"),
            ({"short": "Tim7"}, "short", 422, "no digits"),
            ({"short": "x" * 30}, "short", 422, "2 to 20"),
            ({"wording": ""}, "wording", 422, "consent"),
        ):
            answer = await send(ann, HERE, **{**good, **change})
            assert answer.status_code == status
            assert said in beside(answer.text, field)
            assert PASSWORD not in answer.text
        here = await opens(ann, "Timur", short="Bolo")
        page = await look(ann, f"{here}?done=child")
        assert "The child can sign in now." in page
        assert "Strangers read “Bolo.”" in page
        assert (await send(kid, "/sign-in", name="Timur", password=PASSWORD)).status_code == 303
        assert "Strangers read “Bolo.” instead of your name." in await look(kid, "/account")
        assert not {HERE, "/account/tokens", "/account/bots"} & set(
            re.findall('href="([^"]*)"', await look(kid, "/account"))
        )
        assert 'name="wording"' not in await look(kid, HERE)

        answer = await send(ann, f"{here}/short", short="Timurchik")
        assert "says less" in beside(answer.text, "short")
        assert (await send(ann, f"{here}/short", short="")).headers["location"] == f"{here}?done=changed"
        assert "Strangers read “Ti.”" in await look(ann, here)
        answer = await send(ann, f"{here}/know", who="Nobody7")
        assert (answer.status_code, beside(answer.text, "who")) == (404, "There is no player of that name.")
        await opened(site, "Coach")
        await send(ann, f"{here}/know", who="coach")
        assert 'name="who" value="Coach"' in await look(ann, here)
        assert (await kid.client.get("/player/Coach", headers=READING)).status_code == 200
        await send(ann, f"{here}/forget", who="Coach")
        assert 'name="who" value="Coach"' not in await look(ann, here)
        assert (await kid.client.get("/player/Coach", headers=READING)).status_code == 404

        assert "in 1 browser" in await look(ann, here)
        await send(ann, f"{here}/out")
        assert (await kid.client.get("/account", headers=READING)).status_code == 303
        codes = await send(ann, f"{here}/codes")
        assert len(re.findall("<li><code>", codes.text)) == 8
        assert f'href="{here}"' in codes.text
        answer = await send(ann, f"{here}/password", password="timur123")
        assert beside(answer.text, "password")
        await send(ann, f"{here}/password", password="nine blue plums")
        await look(kid, "/sign-in")
        assert (await send(kid, "/sign-in", name="Timur", password="nine blue plums")).status_code == 303

        assert "Your children's accounts are deleted with it: Timur." in await look(ann, "/account/data")
        answer = await send(ann, f"{here}/delete", name="Ann")
        assert (answer.status_code, beside(answer.text, "name")) == (422, "This is not the name of this account.")
        answer = await send(ann, f"{here}/delete", name="timur")
        assert answer.headers["location"] == f"{HERE}?done=deleted"
        assert "The account is deleted." in await look(ann, f"{HERE}?done=deleted")
        assert "are deleted with it" not in await look(ann, "/account/data")
        await look(ann, here, 404)

    on_site(tmp_path, test)


def test_a_childs_page_is_its_guardians_and_asks_for_the_password(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, eve, kid = await opened(site, "Ann"), await opened(site, "Eve"), await site.browser().visit()
        here = await opens(ann, "Timur")
        await send(kid, "/sign-in", name="Timur", password=PASSWORD)
        forms = {"short": {"short": "Bo"}, "know": {"who": "Eve"}, "forget": {"who": "Eve"}, "out": {}, "codes": {}}
        forms |= {"password": {"password": PASSWORD}, "delete": {"name": "Timur"}}
        for stranger in (eve, kid):
            await look(stranger, here, 404)
            for form, fields in forms.items():
                assert (await send(stranger, f"{here}/{form}", **fields)).status_code == 404
        answer = await send(kid, HERE, name="Sibling", password=PASSWORD, wording=WORDING)
        assert "An adult does this for a child" in answer.text.replace("&#39;", "'")
        await stale(site)
        page = await look(ann, here)
        assert f'name="next" value="{here}"' in page
        assert "/password" not in page.replace("/account/proof", "")
        for form in ("know", "codes", "password", "delete"):
            answer = await send(ann, f"{here}/{form}", **forms[form])
            assert answer.status_code == 403
            assert 'action="/account/proof"' in answer.text
        answer = await send(ann, HERE, name="Sibling", password=PASSWORD, wording=WORDING)
        assert 'action="/account/proof"' in answer.text
        for form in ("short", "forget", "out"):
            assert (await send(ann, f"{here}/{form}", **forms[form])).status_code == 303
        for language in LANGUAGES:
            page = await look(ann, here, language=language)
            assert f'<html lang="{language}"' in page
            assert translations(language).gettext("Whom the child may know") in page

    on_site(tmp_path, test)

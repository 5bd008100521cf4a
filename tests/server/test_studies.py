"""Studies on the server: read by link, changed by who made them, and nothing lost or half-written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, event
from sqlalchemy.pool import StaticPool

from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.school.studies.repository import MOST_RECORDS, MOST_STUDIES, StudyRepository
from korgool.app.server.storage.schema import metadata
from korgool.app.words.people import WORDING
from korgool.training.study import (
    LONGEST_CHAPTER,
    LONGEST_STUDY,
    LONGEST_TITLE,
    MOST_CHAPTERS,
    Chapter,
    Study,
    read_study,
)

from .members import PASSWORD, Browser, Site, on_site
from .support import Json, postgresql_database

FILE = """[Event "x"]
[StudyName "Биринчи жүрүш"]
[ChapterName "Тутуу"]

{Look} 1. 76(10) $1 {[%cal Gf1e2] good} (1. 65(10)) 1... 55(10) *

[White "Aibek"]
[Black "Elena"]
[FEN "1S,8/2S,8 80 79 S 40"]
[ChapterMode "conceal"]

{Who reaches 82?} *

"""
ONE = '[White "A"]\n\n1. 76(10) {better} *\n'


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The URL of an empty database, or None for a file."""
    if request.param == "sqlite":
        yield None
        return
    with postgresql_database() as url:
        yield url


async def refusal(browser: Browser, method: str, path: str, body: object = None) -> tuple[int, str]:
    answer = await browser.ask(method, path, body)
    return answer.status_code, answer.json().get("detail", "")


async def made(browser: Browser, text: str = FILE) -> str:
    url: str = (await browser.told("POST", "/api/studies", {"text": text}))["url"]
    return f"/api{url}"


def saved(chapter: Json, record: str = ONE, **more: object) -> Json:
    """The command that saves a chapter."""
    return {"version": chapter["version"], "title": chapter["title"], "concealed": False, "record": record, **more}


def test_a_study_is_made_of_a_file_and_read_by_link(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        author, reader = site.browser(), site.browser()
        await author.sign_up("Aibek")
        study = await made(author)
        found = await reader.told("GET", study)
        assert (found["title"], found["author"], found["own"]) == ("Биринчи жүрүш", "Aibek", False)
        assert [one["title"] for one in found["chapters"]] == ["Тутуу", "Aibek – Elena"]
        assert [one["concealed"] for one in found["chapters"]] == [False, True]
        assert "StudyName" not in found["chapters"][0]["record"]
        file = await reader.client.get(f"{study.removeprefix('/api')}/study.pgn")
        assert "%D0%91%D0%B8" in file.headers["content-disposition"]
        again = read_study(file.text)
        assert (again.title, again.author, len(again.chapters)) == ("Биринчи жүрүш", "Aibek", 2)
        assert [one.text for one in again.chapters] == [one["record"] for one in found["chapters"]]
        assert [one["chapters"] for one in await author.told("GET", "/api/studies")] == [2]
        listed = await author.client.get("/studies", headers={"accept": "text/html"})
        assert "Биринчи жүрүш" in listed.text
        assert ">2 chapters<" in listed.text
        page = await reader.client.get(study.removeprefix("/api"), headers={"accept": "text/html"})
        assert page.status_code == 200
        assert '<meta name="robots" content="noindex">' in page.text, "an address that is given on is no secret to all"
        assert "Тутуу" in page.text

    on_site(tmp_path, test, database)


def test_chapters_are_saved_moved_added_and_deleted(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        author = site.browser()
        await author.sign_up("Aibek")
        study = await made(author)
        first, second = (await author.told("GET", study))["chapters"]
        version = (await author.told("PUT", f"{study}/chapters/1", saved(first, title="New")))["version"]
        added = await author.told("POST", f"{study}/chapters", {"text": ONE, "title": "Third"})
        assert added == {"chapters": [3]}
        now = await author.told("GET", study)
        head: Json = {key: now[key] for key in ("version", "author", "language")}
        await author.told("PUT", study, {**head, "title": "Other", "language": "ky", "chapters": [3, 1, 2]})
        now = await author.told("GET", study)
        assert (now["title"], now["language"]) == ("Other", "ky")
        assert [(one["number"], one["title"]) for one in now["chapters"]] == [
            (3, "Third"), (1, "New"), (2, second["title"])
        ]  # fmt: skip
        await author.told("DELETE", f"{study}/chapters/1?version={version}")
        await author.told("DELETE", f"{study}/chapters/1?version={version}")
        added = await author.told("POST", f"{study}/chapters", {"text": ONE + "\n" + ONE})
        assert added == {"chapters": [4, 5]}, "a number is not given twice"
        await author.told("DELETE", study)
        assert (await refusal(author, "GET", study))[0] == 404
        assert await author.told("GET", "/api/studies") == []

    on_site(tmp_path, test, database)


def test_two_tabs_do_not_overwrite_each_other(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        author = site.browser()
        await author.sign_up("Aibek")
        study = await made(author)
        found = await author.told("GET", study)
        first = found["chapters"][0]
        await author.told("PUT", f"{study}/chapters/1", saved(first, "1. 65 {of the first tab} *"))
        status, reason = await refusal(author, "PUT", f"{study}/chapters/1", saved(first, "1. 54 *"))
        assert (status, "another tab" in reason) == (409, True)
        assert (await refusal(author, "DELETE", f"{study}/chapters/1?version=1"))[0] == 409
        head = {"title": "t", "author": "", "language": "", "version": found["version"]}
        await author.told("PUT", study, {**head, "chapters": [2, 1]})
        assert (await refusal(author, "PUT", study, {**head, "chapters": [1, 2]}))[0] == 409
        assert (await refusal(author, "PUT", study, {**head, "version": 3, "chapters": [1]}))[0] == 409
        now = (await author.told("GET", study))["version"]
        beyond = f"{study}/chapters/{10**20}"  # which no database holds
        assert (await refusal(author, "PUT", beyond, saved(first)))[0] == 400
        assert (await refusal(author, "DELETE", f"{beyond}?version=1"))[0] == 400
        for order in ([1], [1, 1], [1, 2, 3]):
            assert (await refusal(author, "PUT", study, {**head, "version": now, "chapters": order}))[0] == 422
        await author.told("DELETE", f"{study}/chapters/2?version=1")
        assert (await refusal(author, "PUT", f"{study}/chapters/2", saved({"version": 1, "title": ""})))[0] == 409
        (left,) = (await author.told("GET", study))["chapters"]
        assert "of the first tab" in left["record"]

    on_site(tmp_path, test, database)


def test_only_who_made_it_changes_a_study(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        author, other, guest = site.browser(), site.browser(), await site.browser().visit()
        await author.sign_up("Aibek")
        await other.sign_up("Elena")
        study = await made(author)
        found = await author.told("GET", study)
        head = {"version": found["version"], "title": "mine", "author": "", "language": "", "chapters": [2, 1]}
        for method, path, body in (
            ("PUT", study, head),
            ("POST", f"{study}/chapters", {"text": ONE}),
            ("PUT", f"{study}/chapters/1", saved(found["chapters"][0])),
            ("DELETE", f"{study}/chapters/1?version=1", None),
            ("DELETE", study, None),
        ):
            for stranger in (other, guest):
                assert (await refusal(stranger, method, path, body))[0] == 403, (method, path)
        assert (await refusal(guest, "POST", "/api/studies", {"title": "t"}))[0] == 403
        assert await author.told("GET", study) == found
        assert await other.told("GET", "/api/studies") == []

    on_site(tmp_path, test)


def test_a_childs_study_is_for_the_child_and_its_guardian(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        mother, kid, stranger = site.browser(), site.browser(), site.browser()
        await mother.sign_up("Gulnara")
        await stranger.sign_up("Elena")
        body = {"name": "Aizada2014", "password": PASSWORD, "wording": WORDING}
        await mother.told("POST", "/api/account/children", body)
        await kid.sign_in("Aizada2014")
        study = await made(kid, ONE)
        assert (await kid.told("GET", study))["author"] == ""
        assert (await mother.told("GET", study))["own"] is False
        for reader in (stranger, site.browser()):
            assert (await refusal(reader, "GET", study))[0] == 404
            assert (await reader.client.get(f"{study.removeprefix('/api')}/study.pgn")).status_code == 404
        assert (await refusal(stranger, "DELETE", study))[0] == 404

    on_site(tmp_path, test)


def test_what_is_no_study_leaves_nothing_behind(tmp_path: Path) -> None:
    """Files of 10 MB, 10,000 chapters, a broken chapter in the middle, letters that no text has."""

    async def test(site: Site) -> None:
        author = site.browser()
        await author.sign_up("Aibek")
        study = await made(author)
        before = await author.told("GET", study)
        many = "1. 76(10) *\n" * (MOST_CHAPTERS + 1)
        for text, told in (
            (many, f"chapter {MOST_CHAPTERS + 1}"),
            (ONE * 10_000, f"chapter {MOST_CHAPTERS + 1}, line"),
            (FILE + '[Event "bad"]\n\n1. 76(11) *\n', "chapter 3, line 16"),
            ("a letter", "chapter 1, line 1"),
            (f"1. 76(10) {{{'x' * LONGEST_CHAPTER}}} *", "at most 100,000 bytes"),
            ("1. 76(10) {\0} *", "NUL"),
            ('[FEN "9S/9S 0 0 S 1"]\n\n*', "chapter 1"),
        ):
            for path, body in (("/api/studies", {"text": text}), (f"{study}/chapters", {"text": text})):
                status, reason = await refusal(author, "POST", path, body)
                assert (status, told in reason) == (422, True), (text[:40], status, reason)
        for record in ("", ONE + "\n" + ONE, "x" * 200_000, "1. 76(11) *"):
            command = saved(before["chapters"][0], record)
            assert (await refusal(author, "PUT", f"{study}/chapters/1", command))[0] == 422
        for text in ("x" * 10_000_000, "\\ud800"):
            sent = f'{{"text": "{text}"}}'.encode()
            headers = {**author.csrf, "content-type": "application/json"}
            answer = await author.client.post("/api/studies", content=sent, headers=headers)
            assert answer.status_code in {400, 413, 422}, text[:20]
        for title in ("x" * 101, "a\0b", "x" * 401):
            assert (await refusal(author, "POST", "/api/studies", {"title": title, "text": ONE}))[0] in {400, 422}
        assert (await refusal(author, "POST", "/api/studies", {"language": "xx"}))[0] == 422
        assert await author.told("GET", study) == before
        assert len(await author.told("GET", "/api/studies")) == 1

    on_site(tmp_path, test)


def test_an_account_has_a_bounded_number_of_studies(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        author = site.browser()
        await author.sign_up("Aibek")
        for _ in range(MOST_STUDIES):
            await author.told("POST", "/api/studies", {"title": "t"})
        assert (await refusal(author, "POST", "/api/studies", {"title": "t"}))[0] == 422
        study = f"/api/studies/{(await author.told('GET', '/api/studies'))[0]['id']}"
        await author.told("POST", f"{study}/chapters", {"text": "1. 76(10) *\n" * MOST_CHAPTERS})
        status, reason = await refusal(author, "POST", f"{study}/chapters", {"text": ONE})
        assert (status, str(MOST_CHAPTERS) in reason) == (422, True)

    on_site(tmp_path, test)


def test_a_study_is_printed_on_the_server_and_from_the_device(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        author, guest = site.browser(), await site.browser().visit()
        await author.sign_up("Aibek")
        study = (await made(author)).removeprefix("/api")
        for paper in ("a4", "a5"):
            answer = await guest.client.get(f"{study}/booklet.pdf?paper={paper}")
            assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")
        assert (await guest.client.get(f"{study}/booklet.pdf?paper=a3")).status_code == 422
        assert (await guest.client.get("/studies/none/booklet.pdf")).status_code == 404
        token = {"_csrf_token": guest.csrf["x-csrftoken"]}
        for text, status in ((FILE, 200), ("", 422), (ONE * 70, 422), ("x" * 4_000_000, 413)):
            answer = await guest.client.post("/studies/booklet.pdf", data={"text": text, "paper": "a5"} | token)
            assert answer.status_code == status, text[:20]

    on_site(tmp_path, test)


def test_scripts_in_a_study_stay_words(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        author = site.browser()
        await author.sign_up("Aibek")
        evil = "</script><script>alert(1)</script>"
        text = f'[StudyName "{evil}"]\n[ChapterName "{evil}"]\n\n1. 76(10) {{{evil}}} *\n'
        study = await made(author, text)
        for path in (study.removeprefix("/api"), "/studies"):
            answer: httpx.Response = await author.client.get(path, headers={"accept": "text/html"})
            assert "alert(1)" in answer.text
            assert "<script>alert" not in answer.text

    on_site(tmp_path, test)


def test_studies_go_with_their_account(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        author = site.browser()
        await author.sign_up("Aibek")
        study = await made(author, "1. 76(10) {Vanishingword} *")
        tables = (await author.ask("GET", "/api/account/export")).json()["tables"]
        assert [one["id"] for one in tables["studies"]] == [study.rpartition("/")[2]]
        assert "Vanishingword" in tables["study_chapters"][0]["record"]
        await author.told("DELETE", "/api/account")
        assert (await refusal(site.browser(), "GET", study))[0] == 404
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        assert b"Vanishingword" not in stored

    on_site(tmp_path, test)


def test_the_longest_study_with_the_longest_titles_has_a_file(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        author = site.browser()
        await author.sign_up("Aibek")
        title = "\U0001f40e" * LONGEST_TITLE
        head = "".join(f'[{tag} "{title}"]\n' for tag in ("StudyName", "Annotator", "ChapterName"))
        longest = MOST_RECORDS // MOST_CHAPTERS - 60
        study = await made(author, f"{head}\n{{{'x' * longest}}} 1. 76(10) *\n\n" * (MOST_CHAPTERS - 1))
        while (await author.ask("POST", f"{study}/chapters", {"text": ONE, "title": title})).status_code == 201:
            pass
        file = (await author.client.get(f"{study.removeprefix('/api')}/study.pgn")).raise_for_status()
        assert MOST_RECORDS < len(file.content) <= LONGEST_STUDY

    on_site(tmp_path, test)


def test_records_are_written_before_others_have_to_wait() -> None:
    steps: list[str] = []

    class Noted(Chapter):
        """A chapter that notes when its record is written."""

        @property
        def text(self) -> str:
            steps.append("written")
            return ONE

    engine = create_engine("sqlite://", poolclass=StaticPool)
    metadata.create_all(engine)
    event.listen(engine, "begin", lambda connection: steps.append("begun"))
    chapter = read_study(ONE).chapters[0]
    StudyRepository(PeopleTransactions(engine)).add("a", Study(chapters=(Noted(chapter.record),)), 0)
    assert steps == ["written", "begun"]

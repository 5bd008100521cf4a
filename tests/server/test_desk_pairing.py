"""The next round at the desk: shown with its reasons before it is published, and published as it was shown."""

from __future__ import annotations

import html
import re
from pathlib import Path

from korgool.app.server.events.event_repository import give_role
from korgool.app.words.event_words import PAIRING_SENTENCES
from korgool.competition.model import Settings, System
from korgool.competition.pairing.explanation import SENTENCES
from korgool.competition.roles import DeskRole, Officer
from korgool.languages import LANGUAGES, translations

from .desk_events import READING, AtDesk, account_of, at_desk, competitions_of, said
from .members import Site, on_site

CUP = Settings(name="Cup", rounds=3)


def hidden(page: str, *names: str) -> dict[str, str]:
    """The hidden fields of the last form of a page."""
    form = page[page.rindex("<form") :]
    found = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    return {name: found[name] for name in names}


async def shown(desk: AtDesk, language: str = "en", **fields: str) -> str:
    answer = await desk.send("/pairing", fields, **{"accept-language": language})
    assert answer.status_code == 200, answer.text
    return html.unescape(answer.text)


async def publish(desk: AtDesk, page: str) -> tuple[int, str]:
    """Send the form below a pairing; the status, and where it leads or what it says."""
    answer = await desk.send("/pairing/publish", hidden(page[: page.rindex("</form>")], "lot", "digest", "after"))
    return answer.status_code, answer.headers.get("location", html.unescape(answer.text))


def pairs(page: str) -> list[str]:
    return re.findall(r'class="who">([^<]*)<', page)


def test_the_sentences_are_those_of_the_explanation() -> None:
    assert PAIRING_SENTENCES == SENTENCES
    for language in LANGUAGES:
        gettext = translations(language).gettext
        for text in SENTENCES.values():
            assert sorted(re.findall(r"{\w+}", gettext(text))) == sorted(re.findall(r"{\w+}", text))


def test_a_round_is_shown_and_published_as_shown(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, *"ABCDEFG")
        begun = ann.competition.seq
        assert "Show the pairing" in await ann.look("/pairing")
        page = await shown(ann)
        assert "The lot for the first round decides" in page
        assert "gets the pairing-allocated bye" in page
        assert ann.competition.seq == begun
        lot = hidden(page, "lot")["lot"]
        assert pairs(await shown(ann, lot=lot)) == pairs(page), "the same lot draws the same"
        for language in LANGUAGES:
            text = translations(language).gettext("Nobody with fewer points may get it.")
            assert text in await shown(ann, language, lot=lot)
        status, where = await publish(ann, page)
        assert (status, where) == (303, f"{ann.path}/round/1?done")
        assert pairs(await ann.look("/round/1")) == pairs(page)

        page = await ann.look("/pairing")
        assert "Results are missing" in page
        assert 'href="' + ann.path + '/round/1#r3"' in page
        answer = await ann.send("/pairing", {})
        assert (answer.status_code, said(answer.text)) == (422, "round 1 lacks the results of boards 1, 2, 3")
        await ann.do(*({"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2, 3)))
        page = await shown(ann)
        assert "Both have 1." in page
        assert "is due" in page

        await ann.do({"do": "withdraw", "player": 2})  # what it rests on changes before it is published
        status, text = await publish(ann, page)
        assert status == 409
        assert "The pairing is another one now" in text
        assert len(ann.competition.state.rounds) == 1
        assert (await publish(ann, text))[0] == 303

    on_site(tmp_path, test)


def test_what_cannot_be_paired_is_said(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B")
        answer = await ann.send("/pairing", {})
        assert answer.status_code == 422
        assert "2 players can play" in said(answer.text)
        answer = await ann.send("/pairing/publish", {"lot": "x", "digest": "y"})
        assert answer.status_code == 422
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        officer = Officer(account_of(site, "Ben"), "Ben", DeskRole.RESULTS)
        with competitions_of(site).repository._engine.begin() as connection:
            give_role(connection, ann.competition.id, officer, account=officer.who)
        desk = AtDesk(ben, ann.competition, officer)
        assert (await desk.send("/pairing", {})).status_code == 403
        assert "/pairing" not in (await ben.client.get(f"{desk.path}/round", headers=READING)).text
        berger = await at_desk(site, "Cleo", Settings(name="B", system=System.ROUND_ROBIN, rounds=3), *"ABCD")
        page = await shown(berger)
        assert len(pairs(page)) == 4
        assert (await publish(berger, page))[0] == 303

    on_site(tmp_path, test)


def questions(page: str) -> dict[str, list[str]]:
    """Who is asked about, with what is said of them and the buttons."""
    part = page.partition('data-live="absentees"')[2].partition("</section>")[0]
    found = {}
    for line in part.split('<li><div class="what">')[1:]:
        name = re.findall("<strong>([^<]*)", line)[0]
        about = re.sub(r"\s+", " ", re.findall(r'<span class="quiet">(.*?)</span>', line, re.S)[0]).strip()
        found[name] = [about, *re.findall(r'aria-label="([^"]*): [^"]*">', line)]
    return found


def test_who_may_not_come_is_asked_about_before_a_round_is_published(tmp_path: Path) -> None:
    """Each by a button, or all at once; and whoever is missed meanwhile is asked about too."""

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, *"ABCDEFGH")
        assert questions(await ann.look("/pairing")) == {}, "without a check-in nobody is asked about"
        await ann.do({"do": "present", "round": 1, "players": [1, 2, 3, 4, 5, 6]})
        page = await shown(ann)
        missing = ["not checked in", "Plays", "Misses the round"]
        assert questions(page) == {"G": missing, "H": missing}
        status, text = await publish(ann, page)
        assert (status, said(text)) == (422, "Say first of these players whether they play.")
        assert pairs(text) == pairs(page)
        await ann.act("miss", player="7", **{"absence.round": "1", "absence.kind": "Z"})
        await ann.act("present", round="1", players="8", here="on")
        page = await shown(ann)
        assert questions(page) == {}
        assert (await publish(ann, page))[0] == 303
        first = ann.competition.state.rounds[0]
        assert [bye.player for bye in first.byes if bye.kind.value == "Z"] == [7]

        results = ("82-60", "+-", "--")
        await ann.do(*({"do": "present", "round": 1, "players": [id_], "here": False} for id_ in (1, 2, 3, 4, 5, 6, 8)))
        await ann.do(*({"do": "result", "round": 1, "board": at, "result": one} for at, one in enumerate(results, 1)))
        names = {id_: one.name for id_, one in ann.competition.state.players.items()}
        away = {first.games[1].black, first.games[2].white, first.games[2].black, 7}
        page = await shown(ann)
        stayed = ["did not come to round 1", "Plays", "Misses the round", "Leaves the event"]
        assert questions(page) == {names[id_]: stayed for id_ in sorted(away)}
        white, black = first.games[2].white, first.games[2].black
        await ann.act("withdraw", player=str(white))
        await ann.act("present", round="2", players=str(black), here="on")
        page = await shown(ann)
        assert set(questions(page)) == {names[id_] for id_ in away - {white, black}}, "it is no check-in of everybody"

        fields = hidden(page[: page.rindex("</form>")], "lot", "digest", "after")
        asked = re.findall(r'name="asked" value="(\d+)"', page)
        assert {int(one) for one in asked} == away - {white, black}
        answer = await ann.send("/pairing/publish", fields | {"asked": asked})
        assert answer.status_code == 422, "the tick is missing"
        answer = await ann.send("/pairing/publish", fields | {"asked": asked[1:], "all_the_same": "on"})
        assert answer.status_code == 422, "one of them was never asked about"
        answer = await ann.send("/pairing/publish", fields | {"asked": asked, "all_the_same": "on"})
        assert answer.status_code == 303
        assert len(ann.competition.state.rounds) == 2

    on_site(tmp_path, test)

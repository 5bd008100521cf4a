"""Entries, lists, check-in, players, teams and regulations at the desk, as pages and forms without scripts."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import httpx
import openpyxl
import pytest
from babel.dates import format_datetime

from korgool.app.server.events.event_repository import give_role
from korgool.app.server.events.helpers.service import usual_end_ms
from korgool.app.words.desk_texts import FIELD_NAMES
from korgool.competition.entry_lists.column_headings import FIELDS
from korgool.competition.model import Consent, Personal, Settings, System
from korgool.competition.prize_fund import fund_text
from korgool.competition.roles import DeskRole, Officer
from korgool.competition.timetable import PlannedRound
from korgool.languages import LANGUAGES

from .desk_events import READING, AtDesk, account_of, at_desk, competitions_of, said
from .members import Site, on_site
from .support import Json

CUP = Settings(name="Cup", rounds=3, personal=("born", "passport"))
LIST = (
    "Фамилия;Имя;Дата рождения;Пол;Паспорт\n"
    "Асанов;Бек;31.05.2001;м;AN 123\n"
    "?м?рбеков;Үсөн;2000;м;\n"
    "A;;;;\n"
    "Ли;Ян;1999;щ;\n"
    "Исаева;Айгуль;2010;ж;\n"
)


def hidden(page: str, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found is not None, name
    return html.unescape(found[1])


def ticked(page: str) -> list[str]:
    """The lines that are chosen on a preview."""
    return re.findall(r'name="line" value="(\d+)" checked', page)


async def upload(ann: AtDesk, data: bytes, **fields: str) -> httpx.Response:
    """Send a file to be shown."""
    sent = {"_csrf_token": ann.browser.csrf["x-csrftoken"], **fields}
    path = f"{ann.path}/players/list"
    return await ann.browser.client.post(path, data=sent, files={"file": ("l", data)}, headers=READING)


async def helping(site: Site, ann: AtDesk, role: DeskRole) -> AtDesk:
    """Somebody else at the same desk."""
    browser = await site.browser().visit()
    await browser.sign_up("Bob")
    officer = Officer(account_of(site, "Bob"), "Bob", role)
    with competitions_of(site).repository._engine.begin() as connection:
        give_role(connection, ann.competition.id, officer, account=officer.who)
    return AtDesk(browser, ann.competition, officer)


async def confirm(ann: AtDesk, page: str, lines: Sequence[str], **changed: str) -> httpx.Response:
    """Confirm what a page shows."""
    columns = re.findall(r'<select name="(column-\d+)".*?</select>', page, re.S)
    chosen = {
        name: re.findall(rf'<select name="{name}".*?<option value="([^"]*)" selected', page, re.S) for name in columns
    }
    held = {name: (found or ["-"])[0] if f'"{name}"' in page else "" for name, found in chosen.items()}
    held |= {name: hidden(page, name) for name in ("list", "digest")} | {"headed": "yes", "line": list(lines)}
    return await ann.send("/players/list/enter", held | changed)


def test_a_list_is_shown_before_anybody_is_entered(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A")
        seq = ann.competition.seq
        answer = await upload(ann, LIST.encode("utf-8"))
        assert answer.status_code == 200
        page = html.unescape(answer.text)
        for sentence in (
            "2 lines can be entered.", "2 lines are doubtful.", "1 line cannot be entered.",
            "Фамилия: Letters seem to be lost: ?м?рбеков", "This name is entered already, with number 1.",
            "Пол: щ is no sex; write m or f.", "2001-05-31", "Passport, series and number",
        ):  # fmt: skip
            assert sentence in page, sentence
        assert ticked(page) == ["2", "6"]
        assert ann.competition.seq == seq

        answer = await confirm(ann, answer.text, [])
        assert answer.status_code == 422
        assert "No line is chosen." in answer.text
        assert ticked(answer.text) == []
        answer = await confirm(ann, answer.text, ["2", "4", "5", "99"], digest="0" * 64)
        assert (answer.status_code, ann.competition.seq) == (409, seq)
        await ann.do({"do": "enter", "entry": {"family": "Асанов", "given": "Бек"}})
        answer = await confirm(ann, page, ["2", "4", "5"])
        assert answer.status_code == 409
        assert "The event has changed since the list was shown." in answer.text
        assert "with number 2" in answer.text
        assert len(ann.competition.state.players) == 2

        answer = await confirm(ann, answer.text, ["4", "5", "6"])
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ann.path}/players?done")
        names = [one.entry.name for one in ann.competition.state.players.values()]
        assert names == ["A", "Асанов, Бек", "A", "Исаева, Айгуль"]
        assert [action.namesake for action, _ in ann.competition.state.done[-2:]] == [True, False]  # type: ignore[union-attr]

    on_site(tmp_path, test)


def test_a_workbook_a_paste_and_what_is_no_list(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("Surname", "First name", "Born", "Passport"), ("Çelik", "Deniz", "2004-02-01", "AB 7")):
        book.active.append(row)
    into = io.BytesIO()
    book.save(into)

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP)
        answer = await upload(ann, into.getvalue())
        assert (await confirm(ann, answer.text, ticked(answer.text))).status_code == 303
        (player,) = ann.competition.state.players.values()
        personal = await ann.competition.with_book(lambda book: book.personal(player.id))
        assert personal == Personal(born="2004-02-01", passport_series="AB", passport_number="7")
        seq = ann.competition.seq
        for data, fields, told in (
            (b"", {"pasted": "  "}, "Paste a list, or choose a file."),
            (b"\xd0\xcf\x11\xe0 old", {}, "of the old kind"),
            (b"PK\x03\x04 x", {}, "cannot be unpacked"),
            ("Асанов;Бек\n".encode() * 10_000, {}, "more than 2,000 lines"),
            (into.getvalue(), {"sheet": "Nope"}, "no sheet"),
        ):
            answer = await upload(ann, data, **fields)
            assert answer.status_code == 422
            assert told in html.unescape(answer.text)
        assert (await upload(ann, b"x" * 2_500_000)).status_code == 413
        answer = await ann.send("/players/list/enter", {"list": "nonsense", "digest": "", "line": "1"})
        assert "did not come back" in html.unescape(answer.text)
        answer = await upload(ann, b"", pasted="1. Asanov Bek\n2. Li Jan\n")
        shown = await ann.send(
            "/players/list",
            {"list": hidden(answer.text, "list"), "headed": "no", "column-0": "family", "group": "U16"},
        )
        assert "Asanov Bek</strong>" in shown.text
        assert "U16" in shown.text
        assert ann.competition.seq == seq

    on_site(tmp_path, test)


def test_every_field_has_a_name() -> None:
    assert set(FIELD_NAMES) == set(FIELDS)


def test_entries_are_searched_made_and_changed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "Ёлкин", "Bek")
        page = await ann.look("/players?q=елкин")
        assert "Ёлкин" in page
        assert "Bek" not in page.split('id="entries"')[1]
        fields = {"entry.family": "Asanova", "entry.given": "Aida", "entry.sex": "f", "entry.rating": "1900"}
        back = f"{ann.path}/players"
        answer = await ann.act("enter", back=back, **fields, **{"entry.groups": "U16\r\n U18 ", "entry.born": ""})
        assert answer.headers["location"] == f"{back}?done"
        entry = ann.competition.state.players[3].entry
        assert (entry.name, entry.sex, entry.rating, entry.groups) == ("Asanova, Aida", "f", 1900, ("U16", "U18"))
        answer = await ann.act("enter", **fields)
        assert answer.status_code == 422
        assert "entered already" in said(answer.text)
        assert (await ann.act("enter", **fields, namesake="on")).status_code == 303

        page = await ann.look("/players/3")
        assert 'value="Asanova"' in page
        form = fields | {"entry.rating": "1950", "personal.passport_number": "42", "reason": "new list"}
        empty = {f"entry.consent.{name}": "" for name in ("guardian", "day", "how")}
        await ann.act("amend", player="3", **form, **empty)
        entry = ann.competition.state.players[3].entry
        assert (entry.rating, entry.consent) == (1950, None)
        assert 'value="42"' in await ann.look("/players/3")
        await ann.act("amend", player="3", **form, **empty | {"entry.consent.guardian": "Mother"})
        assert ann.competition.state.players[3].entry.consent == Consent(guardian="Mother")
        cleared = form | {"personal.passport_number": "", "personal.asked": "on"}
        await ann.act("amend", player="3", **cleared)
        assert 'value="42"' not in await ann.look("/players/3")
        await ann.act("amend", player="3", **form)
        await ann.look("/players/99", status=404)
        for action, more in (
            ("miss", {"absence.round": "2", "absence.kind": "H"}),
            ("warn", {"reason": "talks"}),
            ("withdraw", {}),
        ):
            assert (await ann.act(action, player="3", **more)).status_code == 303
        page = await ann.look("/players/3")
        assert "Warning 1: talks" in page
        assert "withdrawn" in page
        assert "Comes back" in page
        await ann.act("readmit", player="3")
        await ann.act("warn", player="3", reason="again")
        assert "The third warning costs a point at once." in await ann.look("/players/3")
        await ann.act("forget", player="3", reason="asked for")
        assert 'value="42"' not in await ann.look("/players/3")
        await ann.act("forget", player="3", names="on", reason="asked for")
        page = await ann.look("/players/3")
        assert "<h1>№ 3</h1>" in page
        assert "Asanova" not in page
        for language in LANGUAGES:
            for path in ("/players", "/players/3", "/players/list", "/check-in", "/settings", "/teams"):
                await ann.look(path, language=language)

    on_site(tmp_path, test)


def test_slips_are_put_right_at_the_desk_after_a_round_rests_on_them(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "Asanov", "Isaev", "Kim", "Li", "Omurov")
        await ann.act("exclude", player="1", reason="phone")
        for reason in ("a", "b", "c", "d"):
            await ann.act("warn", player="2", reason=reason)
        await ann.do({"do": "pair", "round": 1}, {"do": "result", "round": 1, "board": 1, "result": "82-60"})
        for page in ("/players/1", "/warnings/1"):
            assert "Excluded by mistake" in await ann.look(page)
        for page in ("/players/2", "/warnings/2"):
            assert "Warned by mistake" in await ann.look(page)
        assert "give the reason" in said((await ann.act("reinstate", player="1")).text)
        assert (await ann.act("reinstate", player="1", reason="another player")).status_code == 303
        assert (await ann.act("unwarn", player="2", warning="1", reason="another player")).status_code == 303
        assert (await ann.act("bye", player="1", round="1", kind="H", reason="was kept out")).status_code == 303
        players = ann.competition.state.players
        assert [(players[id_].excluded, len(players[id_].warnings)) for id_ in (1, 2)] == [(False, 0), (False, 3)]
        assert "Half-point bye" in await ann.look("/players/1")
        await ann.do({"do": "pair", "round": 2})
        paired = ann.competition.state.rounds[1]
        there = {id_ for game in paired.games for id_ in (game.white, game.black)}
        assert {1, 2} <= there | {bye.player for bye in paired.byes}
        bob = await helping(site, ann, DeskRole.DEPUTY)
        await ann.act("exclude", player="1", reason="phone")
        assert "Excluded by mistake" not in await bob.look("/players/1")
        assert (await bob.act("reinstate", player="1", reason="mine")).status_code == 403
        for language in LANGUAGES:
            for path in ("/players/1", "/players/2", "/warnings/1", "/warnings/2", "/round/1/hands", "/settings"):
                await ann.look(path, language=language)

    on_site(tmp_path, test)


def test_a_board_that_a_team_left_empty_is_filled_at_the_desk(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", Settings(name="Cup", rounds=2, system=System.TEAM_SWISS, boards=2))
        entries: list[Json] = [
            {"family": name, "team": "NSW"[at // 2], "rating": 2000 - at} for at, name in enumerate("ABCDEF")
        ]
        await ann.do(*({"do": "enter", "entry": entry} for entry in entries))
        absent = 2
        await ann.do({"do": "miss", "player": absent, "absence": {"round": 1, "kind": "Z"}})
        await ann.do({"do": "pair", "round": 1})
        page = await ann.look("/round/1/hands")
        assert "A player for an empty board" in page
        assert "Correct a bye" in page
        one = ann.competition.state.rounds[0]
        (empty,) = (game for game in one.games if not (game.white and game.black))
        there = empty.white or empty.black
        answer = await ann.act("fill", round="1", board=str(empty.board), player=str(absent), reason="was there")
        assert answer.status_code == 303
        filled = ann.competition.state.rounds[0].game(empty.board)
        assert {filled.white, filled.black} == {there, absent}
        await ann.act("bye", round="1", player=str(one.byes[0].player), kind="F", reason="the regulations")
        assert [bye.kind.value for bye in ann.competition.state.rounds[0].byes] == ["F"]

    on_site(tmp_path, test)


TIMES = (PlannedRound(1, "2026-09-14T10:00"), PlannedRound(2, "2026-09-15T10:00"))


@pytest.mark.parametrize(
    ("given", "over"),
    [
        ({"ends": "2026-09-16", "zone": "Asia/Bishkek"}, "2026-09-16T18:00:00+00:00"),
        ({"begins": "2026-09-14", "ends": "2026-09-16"}, "2026-09-17T12:00:00+00:00"),
        ({"ends": "2026-09-16", "zone": "Nowhere/Else"}, "2026-09-17T12:00:00+00:00"),
        ({"begins": "2026-09-14", "timetable": TIMES, "zone": "Europe/Istanbul"}, "2026-09-15T21:00:00+00:00"),
        ({"begins": "2026-09-14", "zone": "UTC"}, "2026-09-15T00:00:00+00:00"),
        ({"ends": "9999-12-31"}, "2026-11-09T00:00:00+00:00"),
        ({"ends": "2026-09-08"}, "2026-09-13T00:00:00+00:00"),
        ({"ends": "in autumn"}, "2026-09-13T00:00:00+00:00"),
        ({}, "2026-09-13T00:00:00+00:00"),
    ],
)  # fmt: skip
def test_a_link_ends_with_the_last_day_of_its_event(given: Json, over: str) -> None:
    now = datetime(2026, 9, 10, tzinfo=UTC)
    ends = usual_end_ms(Settings(name="Cup", **given), round(now.timestamp() * 1000))
    assert datetime.fromtimestamp(ends / 1000, UTC).isoformat() == over


def test_the_desk_says_when_a_link_ends(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        day = (datetime.now(UTC) + timedelta(days=9)).date()
        ann = await at_desk(site, "Ann", replace(CUP, ends=day.isoformat(), zone="UTC"))
        over = format_datetime(datetime.combine(day + timedelta(days=1), time()), "d MMMM y, HH:mm", locale="en")
        assert f"If it is empty, until {over} UTC" in strip(await ann.look("/helpers"))
        page = strip(html.unescape((await ann.send("/helpers", {"role": "results", "days": ""})).text))
        assert f"Link and code hold until {over} UTC" in page
        assert f"until {over} UTC" in page.split("Who may do what now")[1]
        program = await ann.browser.told("POST", f"/api/events/{ann.competition.id}/helpers", {"role": "results"})
        assert program["until"] == f"{day + timedelta(days=1)}T00:00:00Z"

    on_site(tmp_path, test)


def strip(page: str) -> str:
    """A page without its elements."""
    return re.sub("<[^>]*>", "", page)


def test_players_of_earlier_events_are_offered(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, eve = await at_desk(site, "Ann", CUP, "Asanov", "Isaev"), await at_desk(site, "Eve", CUP, "Asanova")
        entry = {"family": "Asanova", "given": "Aida", "rating": 2100, "team": "North", "born": 2001}
        await ann.do({"do": "enter", "entry": entry})
        made = await competitions_of(site).make(ann.officer, Settings(name="Next"))
        after = AtDesk(ann.browser, made, ann.officer)
        await after.do({"do": "enter", "entry": {"family": "Asanov"}})
        page = await after.look("/players?known=asan")
        assert re.findall(r"<strong>([^<]*)</strong>", page.split('id="known-players"')[1].split("</ul>")[0]) == [
            "Asanova, Aida"
        ]
        path = f"?from={ann.competition.id}-3"
        assert f'href="{path}#enter"' in page
        page = await after.look(f"/players{path}")
        assert 'name="entry.family" value="Asanova"' in page
        assert 'name="entry.born" value="2001"' in page
        assert 'name="entry.team" value=""' in page
        page = await after.look(f"/players?from={eve.competition.id}-1")
        assert 'name="entry.family" value=""' in page
        assert "Nobody was found." in await after.look("/players?known=nobody")
        await after.look("/players?from=x")
        await ann.do({"do": "enter", "entry": {"family": "Number", "external": "PRACTICE-1"}})
        assert "Nobody was found." in await after.look("/players?known=asan")

    on_site(tmp_path, test)


def test_teams_and_regulations_by_forms(tmp_path: Path) -> None:
    settings = Settings(name="Teams", rounds=3, system=System.TEAM_SWISS, boards=2, tiebreaks=("MPVGP",))

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", settings, "A", "B", "C")
        team = {"team.id": "0", "team.number": "0", "team.name": "North", "team.players": ["2", "", "1"]}
        assert (await ann.act("team", **team)).status_code == 303  # type: ignore[arg-type]
        assert ann.competition.state.teams[1].players == (2, 1)
        page = await ann.look("/teams")
        assert '<option value="3">' in page
        assert '<option value="2" selected>' in page
        page = await ann.look("/settings")
        form = dict(re.findall(r'<input id="(settings\.[a-z_]+)" name="[^"]*" value="([^"]*)"', page))
        form |= {"settings.system": "team-swiss", "settings.game": "toguz", "settings.bye_points": "2"}
        form |= {"settings.sex": "open", "settings.tiebreaks": "BC", "settings.rounds": "5"}
        form |= {"settings.personal": "born"}
        answer = await ann.act("change", **form)
        assert answer.status_code == 303, html.unescape(answer.text)
        now = ann.competition.state.event
        assert (now.rounds, now.tiebreaks, now.personal, now.boards, now.name) == (5, ("BC",), ("born",), 2, "Teams")

        times = {f"settings.timetable.{at}.{name}": "" for at in (1, 2) for name in ("round", "begins")}
        times |= {"settings.timetable.1.round": "1", "settings.timetable.2.round": "2"}
        times |= {"settings.timetable.2.begins": "2026-09-14T14:30", "settings.zone": "Asia/Bishkek"}
        whole = {"do": "change", "prizes": "1=300 KGS; women 1=cup", **form, **times}
        answer = await ann.send("/settings", whole)
        assert answer.status_code == 303, html.unescape(answer.text)
        now = ann.competition.state.event
        assert (now.timetable, now.zone) == ((PlannedRound(2, "2026-09-14T14:30"),), "Asia/Bishkek")
        assert fund_text(now.fund) == "1=300 KGS; women 1=cup"
        page = await ann.look("/settings")
        assert 'value="2026-09-14T14:30"' in page
        assert 'value="1=300 KGS; women 1=cup"' in page
        answer = await ann.send("/settings", {"do": "change", **form})  # a page from before there were prizes
        assert fund_text(ann.competition.state.event.fund) == "1=300 KGS; women 1=cup"
        for wrong in ({"prizes": "first a cup"}, {"settings.timetable.2.begins": "soon"}, {"settings.zone": "?"}):
            assert (await ann.send("/settings", {**whole, **wrong})).status_code == 422

    on_site(tmp_path, test)


def test_an_event_is_opened_to_all_and_its_data_are_removed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "Asanov", "Isaev")
        ben = await helping(site, ann, DeskRole.DEPUTY)
        assert "Only officials can read this event." in await ann.look("/settings")
        for path in ("/settings/public", "/settings/forget"):
            assert (await ben.send(path, {"public": "on", "names": "on"})).status_code == 403
        assert not ann.competition.public
        assert (await ann.send("/settings/public", {"public": "on"})).status_code == 303
        assert ann.competition.public
        assert "Anybody can read this event." in await ann.look("/settings")
        await ann.send("/settings/public", {"public": "off"})
        assert not ann.competition.public
        await ann.do({"do": "amend", "player": 1, "entry": {"family": "Asanov"}, "personal": {"passport_number": "42"}})
        await ann.send("/settings/forget", {"reason": "it is over"})
        assert await ann.competition.with_book(lambda book: book.personal(1)) is None
        assert "Asanov" in await ann.look("/players")
        await ann.send("/settings/forget", {"names": "on"})
        page = await ann.look("/players")
        assert "Asanov" not in page
        assert "№ 1" in page
        assert [line.by for line in await ann.competition.log(ann.competition.seq - 1)] == ["Ann"]

    on_site(tmp_path, test)


def test_an_event_is_made_by_a_preset_or_to_practise(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        nobody = await site.browser().visit()
        assert (await nobody.client.get("/events/new", headers=READING)).headers[
            "location"
        ] == "/sign-in?next=%2Fevents%2Fnew&asked="
        ann = await at_desk(site, "Ann", CUP)
        client = ann.browser.client

        async def make(**data: str) -> httpx.Response:
            sent = {"_csrf_token": ann.browser.csrf["x-csrftoken"], **data}
            return await client.post("/events/new", data=sent, headers=READING)

        page = html.unescape((await client.get("/events/new", headers=READING)).text)
        assert "World Nomad Games: Mangala, Women" in page
        for data, told in (
            ({"name": " ", "preset": "fide-swiss", "rounds": "5"}, "an event needs a name"),
            ({"name": "Kept", "preset": "nonsense", "rounds": "5"}, "there is no preset"),
            ({"name": "Kept", "preset": "fide-swiss", "rounds": "many"}, "1 to 99 rounds"),
        ):
            answer = await make(**data)
            assert answer.status_code == 422
            assert told in html.unescape(answer.text)
        assert 'value="Kept"' in answer.text
        made = await make(name="Open", preset="wng-mangala-women", rounds="5", place="Osh")
        desk = made.headers["location"]
        page = html.unescape((await client.get(desk, headers=READING)).text)
        assert "Only women take part." in page
        assert "[WNG-M §II:1]" in page
        practice = (await make(practice="on")).headers["location"]
        assert "<strong>" in (await client.get(f"{practice}/players", headers=READING)).text

    on_site(tmp_path, test)

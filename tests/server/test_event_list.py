"""The public list of events: live, next and past, filtered, as a calendar file; officials have one quiet link."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from korgool.app.server.events.public.calendar import calendar, escaped, folded
from korgool.app.server.events.public.event_list import EventFilter, EventSummary, EventTime, Leader, grouped
from korgool.app.server.events.public.list_pages import read_filter
from korgool.competition.model import Settings
from korgool.languages import LANGUAGES

from .desk_events import AtDesk, at_desk, competitions_of
from .members import Site, on_site

TODAY = datetime.now(UTC).date()
PLAYERS = ("Asanov", "Bekov", "Chen", "Demir")
CARD = EventSummary(
    *("abcdefgh", "Cup; of \\Osh, 1", "toguz", "Osh", "KGZ", "2026-09-08", "2026-09-10"),
    *(False, (), 4, False, 0, 3, False, (), False, "", 1_790_000_000_000),  # type: ignore[arg-type]
)


def parsed(text: str) -> list[dict[str, str]]:
    """The events of a calendar file, read as RFC 5545 says: unfolded, split and unescaped."""
    assert text.endswith("\r\n")
    lines = text[:-2].split("\r\n")
    assert all(len(line.encode()) <= 75 for line in lines)
    lines = re.sub(r"\r\n[ \t]", "", text[:-2]).split("\r\n")
    assert (lines[0], lines[1], lines[-1]) == ("BEGIN:VCALENDAR", "VERSION:2.0", "END:VCALENDAR")
    events: list[dict[str, str]] = []
    for line in lines:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            events.append({})
        elif events:
            events[-1][name] = re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), value)
    return events


async def public(site: Site, name: str, *players: str, **settings: object) -> AtDesk:
    desk = await at_desk(site, f"Ann{len(name)}{name[0]}", Settings(name=name, **settings), *players)  # type: ignore[arg-type]
    await competitions_of(site).show(desk.competition, public=True)
    return desk


def names(page: str, group: str) -> list[str]:
    part = page.partition(f'aria-labelledby="{group}"')[2].partition("</section>")[0]
    return re.findall(r'<h3><a href="/events/\w+">([^<]*)</a>', part)


def test_events_stand_where_their_course_puts_them(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        reader = site.browser()
        empty = (await reader.client.get("/events")).text
        assert 'class="empty"' in empty
        assert all(f'href="{way}"' in empty for way in ("/lobby", "/watch", "/events/new", "/events/officials"))
        day = {name: (TODAY + timedelta(days)).isoformat() for name, days in (("gone", -9), ("soon", 7), ("far", 40))}
        await public(site, "Far", game="mangala", begins=day["far"], place="Ankara", federation="TUR", sex="women")
        await public(site, "Soon", begins=day["soon"], ends=day["far"], place="Osh", federation="KGZ")
        await public(site, "Gone", begins=day["gone"], ends=day["gone"])
        live = await public(site, "Played", *PLAYERS, rounds=2, begins=day["soon"])
        hidden = await at_desk(site, "Eve", Settings(name="Hidden"))
        await live.do(
            {"do": "pair", "round": 1, "lot": "a"}, {"do": "result", "round": 1, "board": 1, "result": "82-60"}
        )
        page = (await reader.client.get("/events")).text
        assert {group: names(page, group) for group in EventTime} == {
            "live": ["Played"],
            "next": ["Soon", "Far"],
            "past": ["Gone"],
        }
        assert "Hidden" not in page
        assert "Round 1 of 2" in page
        home = (await reader.client.get("/")).text
        card = home[home.index('aria-labelledby="events"') :]
        assert re.findall(r"<strong>(\w+)</strong>", card)[:3] == ["Played", "Soon", "Far"]
        assert "Round 1 of 2" in card
        assert "Osh" in card
        assert "Gone" not in home
        assert len(re.findall(r"<ol class=\"leaders\">", page)) == 1
        assert page.count("/standings") == 1
        assert "Women only" in page
        assert page.count('href="/events/officials"') == 1
        assert "/events/join" not in page
        # The state of the card follows the log, and the end names the winner.
        await live.do({"do": "result", "round": 1, "board": 2, "result": "82-60"}, {"do": "pair", "round": 2})
        await live.do(*({"do": "result", "round": 2, "board": board, "result": "82-60"} for board in (1, 2)))
        page = (await reader.client.get("/events")).text
        assert names(page, "past") == ["Played", "Gone"]
        assert page.count('class="winner"') == 1
        # By game, by country and by year, alone and together.
        for query, left in (
            ("game=mangala", ["Far"]),
            ("country=KGZ", ["Soon"]),
            ("country=KGZ&game=mangala", []),
            (f"year={day['far'][:4]}&country=TUR", ["Far"]),
            ("game=chess&year=soon", ["Played", "Gone", "Soon", "Far"]),
        ):
            page = (await reader.client.get(f"/events?{query}")).text
            assert sorted(name for group in EventTime for name in names(page, group)) == sorted(left), query
            assert ("Show all events" in page) == (not left)
            told = parsed((await reader.client.get(f"/events/calendar.ics?{query}")).text)
            assert sorted(one["SUMMARY"] for one in told) == sorted(left), query
        one = await reader.client.get(f"/events/calendar.ics?only={live.competition.id}")
        assert one.headers["content-type"] == "text/calendar; charset=utf-8"
        assert [event["URL"].rpartition("/")[2] for event in parsed(one.text)] == [live.competition.id]
        assert hidden.competition.id not in (await reader.client.get("/events/calendar.ics")).text
        for language in LANGUAGES:
            page = (await reader.client.get("/events", headers={"accept-language": language})).text
            assert names(page, "next") == ["Soon", "Far"]

    on_site(tmp_path, test)


def test_officials_find_their_desks_and_the_ways_to_one(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", Settings(name="Cup of Osh"))
        for browser, own in ((desk.browser, True), (site.browser(), False)):
            page = (await browser.client.get("/events/officials")).text
            assert all(f'href="{way}"' in page for way in ("/events/new", "/events/join", "/events/follow"))
            assert (f'href="/events/{desk.competition.id}/desk"' in page) is own

    on_site(tmp_path, test)


def test_a_calendar_is_read_back() -> None:
    told = parsed(calendar([CARD], "https://site.example", "Korgool"))
    assert told == [
        {
            "UID": "abcdefgh@site.example",
            "DTSTAMP": "20260921T141320Z",
            "DTSTART;VALUE=DATE": "20260908",
            "DTEND;VALUE=DATE": "20260911",
            "SUMMARY": CARD.name,
            "LOCATION": "Osh, KGZ",
            "URL": "https://site.example/events/abcdefgh",
            "END": told[0]["END"],
        }
    ]


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))))
def test_every_text_survives_a_calendar(text: str) -> None:
    line = folded(f"SUMMARY:{escaped(text)}")
    assert all(len(part.encode()) <= 75 for part in line.split("\r\n"))
    back = line.replace("\r\n ", "").removeprefix("SUMMARY:")
    assert re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), back) == text


def test_lines_of_a_text_stay_in_its_property() -> None:
    assert escaped("a\r\nEND:VEVENT\nb\u2028c") == "a\\nEND:VEVENT\\nb\\nc"


def test_what_was_played_counts_more_than_what_was_planned() -> None:
    from dataclasses import replace

    day, before, after = date(2026, 9, 9), date(2026, 9, 7), date(2026, 9, 11)
    assert [CARD.time(one) for one in (before, day, after)] == [EventTime.NEXT, EventTime.LIVE, EventTime.PAST]
    assert replace(CARD, round=1).time(before) is EventTime.LIVE
    assert replace(CARD, over=True).time(before) is EventTime.PAST
    undated = replace(CARD, begins="autumn", ends="")
    assert (undated.time(day), undated.first_day, undated.year) == (EventTime.NEXT, None, 2026)
    assert parsed(calendar([undated], "https://site.example", "Korgool")) == []
    assert [one.begins for one in grouped([undated, CARD], before)[EventTime.NEXT]] == [CARD.begins, "autumn"]
    led = replace(CARD, leaders=(Leader("Kim", "KOR", 3),), round=2)
    assert led.leaders[0].points == 3


def test_a_filter_is_an_address() -> None:
    wanted = read_filter("toguz", " KGZ ", "2026")
    assert wanted == EventFilter("toguz", "KGZ", 2026)
    assert wanted.query == "?game=toguz&country=KGZ&year=2026"
    assert wanted.changed(country="KGZ", year=2025) == "?game=toguz&year=2025"
    assert EventFilter(country="A&B").query == "?country=A%26B"
    assert read_filter("chess", "", "x" * 4) == EventFilter()
    assert EventFilter(game="toguz").changed(game="toguz") == ""

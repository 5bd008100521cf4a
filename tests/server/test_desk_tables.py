"""Standings, prizes and rating changes at the desk of an event."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from korgool.app.server.events.event_repository import give_role
from korgool.app.server.limits import ServiceLimits
from korgool.competition.codec import plain
from korgool.competition.model import Settings, System
from korgool.competition.prize_fund import Sharing, read_fund
from korgool.competition.roles import DeskRole, Officer
from korgool.languages import LANGUAGES, translations

from .desk_events import AtDesk, account_of, at_desk, competitions_of
from .members import Site, on_site
from .support import Json

CUP = Settings(name="Cup of Osh", rounds=2, begins="2026-09-08")


def results(number: int, boards: int, text: str = "82-60") -> list[Json]:
    """The results of a round, White winning."""
    return [{"do": "result", "round": number, "board": board, "result": text} for board in range(1, boards + 1)]


async def played(site: Site, settings: Settings = CUP, players: str = "ABCDEF") -> AtDesk:
    """An event whose first round is played and whose second is paired."""
    ann = await at_desk(site, "Ann", settings, *players)
    await ann.do({"do": "pair", "round": 1, "lot": "a"})
    await ann.do(*results(1, len(players) // 2))
    await ann.do({"do": "pair", "round": 2})
    return ann


async def looking(site: Site, ann: AtDesk, name: str, role: DeskRole) -> AtDesk:
    """Somebody with another role at the same desk."""
    browser = await site.browser().visit()
    await browser.sign_up(name)
    officer = Officer(account_of(site, name), name, role)
    with competitions_of(site).repository._engine.begin() as connection:
        give_role(connection, ann.competition.id, officer, account=officer.who)
    return AtDesk(browser, ann.competition, officer)


def test_standings_are_worked_out_compared_and_published(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await played(site)
        page = await ann.look("/standings")
        assert "results still missing: 3" in page
        assert 'name="do" value="publish"' in page, "the first round is complete"
        assert "Publish the standings after round 1" in page
        state = ann.competition.state
        first = state.rounds[0].games[0]
        number = state.players[first.white].number
        page = await ann.look(f"/standings/of/{number}?after=1")
        assert "How the place came about" in page
        assert "Buchholz" in page
        assert "The sum of the points of all opponents." in page
        beaten = state.players[first.black]
        page = await ann.look(f"/standings/of/{number}?after=1&with={beaten.number}")
        assert f"{state.players[first.white].name} stands above {beaten.name}." in page
        assert "Points: 1 against 0." in page.replace(".0", "")
        await ann.look("/standings/of/99", 404)
        for odd in ("?after=x", "?after=99", "?group=nobody", "/cross?after=1", "/teams", "/players"):
            await ann.look(f"/standings{odd}")
        page = await ann.look("/standings/cross?after=1")
        assert f"{beaten.number}○ <b>1</b>" in page

        watching = await looking(site, ann, "Ben", DeskRole.SPECTATOR)
        assert 'value="publish"' not in await watching.look("/standings")
        assert (await ann.act("publish")).status_code == 303
        page = await ann.look("/standings")
        assert "The standings are published as they are now." in page
        await ann.do({"do": "correct", "round": 1, "board": 1, "result": "81-81", "reason": "wrong slip"})
        page = await ann.look("/standings")
        assert "The standings published after round 1 are others now" in page
        assert 'value="publish"' in page
        for language in LANGUAGES:
            page = await ann.look("/standings/of/1", language=language)
            assert translations(language).gettext("How the place came about") in page

    on_site(tmp_path, test)


def test_prizes_say_who_shares_what_and_ratings_what_changes(tmp_path: Path) -> None:
    fund = read_fund("1=30000 KGS; 2=10000 KGS; women 1=cup; U16 1=500 KGS", sharing=Sharing.EQUAL)

    async def test(site: Site) -> None:
        ann = await played(site, replace(CUP, fund=fund))
        page = (await ann.look("/prizes")).replace("\u00a0", " ")
        assert "1: 30 000 KGS; 2: 10 000 KGS; Women, 1: cup; U16, 1: 500 KGS" in page
        assert "Those with equal points share the money of their places evenly." in page
        assert "provisional" in page
        assert "40 000 KGS shared evenly by 3" in page
        assert "13 333 KGS" in page
        assert "Nobody gets: U16, 1: 500 KGS; Women, 1: cup" in page
        assert "Left over from rounding: 1 KGS" in page
        assert "+2" in page
        assert "New rating" in page
        await ann.do({"do": "enter", "entry": {"family": "Young", "born": 2012}})
        settings = plain(replace(ann.competition.state.event, begins="", fund=fund))
        await ann.do({"do": "change", "settings": settings})
        assert 'role="alert">the event needs a date' in await ann.look("/prizes")
        nothing = await at_desk(site, "Ben", CUP)
        assert "The regulations name no prizes." in await nothing.look("/prizes")

    on_site(tmp_path, test)


def test_tables_of_teams(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        settings = Settings(name="Teams", system=System.TEAM_SWISS, boards=1, rounds=1, tiebreaks=("MPVGP", "EDE"))
        ann = await at_desk(site, "Ann", settings, *"ABCD")
        teams: list[Json] = [
            {"do": "team", "team": {"id": 0, "number": 0, "name": f"Team {at}", "players": [at]}} for at in range(1, 5)
        ]
        await ann.do(*teams)
        await ann.do({"do": "pair", "round": 1, "lot": "a"})
        await ann.do(*results(1, 2))
        for path in ("", "/cross", "/teams", "/players"):
            page = await ann.look(f"/standings{path}")
            assert ("Team 1" in page) == (path in ("", "/cross"))
        assert "MPVGP" in await ann.look("/standings/of/1")
        assert "MPVGP" not in await ann.look("/standings/of/1?players")

    on_site(tmp_path, test)


def test_who_may_not_change_entries_sees_no_years_of_birth_in_the_log(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP)
        entry = {"family": "Young", "born": 2012, "external": "77001", "consent": {"guardian": "Old One"}}
        await ann.do({"do": "enter", "entry": entry})
        watching = await looking(site, ann, "Ben", DeskRole.SPECTATOR)
        for desk, sees in ((ann, True), (watching, False)):
            text = (await desk.browser.client.get(f"/api/events/{ann.competition.id}/log")).text
            assert "Young" in text
            assert [secret in text for secret in ("2012", "77001", "Old One")] == [sees] * 3

    on_site(tmp_path, test)


def test_what_officials_send_is_counted_by_its_length(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP)
        long = {"do": "withdraw", "player": "1", "reason": "x" * 40_000}
        site.app.state.game_registry.rate_limiter.limits = ServiceLimits()
        assert (await ann.send("/act", long)).status_code == 422
        assert 429 in [(await ann.send("/act", long)).status_code for _ in range(99)]
        assert (await ann.browser.client.get(ann.path)).status_code == 200, "looking is not counted here"

    on_site(tmp_path, test)

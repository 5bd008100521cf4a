"""A whole event through browsers: the same event by the commands of the terminal has the same answers.

An organiser at a laptop, a deputy at a tablet and a helper at the check-in with a phone. Everything that they do goes
through the screens of the desk, by keys, mouse and touch.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from korgool.app.server.events.live_event import LiveEvent
from korgool.competition import EventFile, commands
from korgool.competition.actions import Present
from korgool.competition.audit import check
from korgool.competition.event_fields import standings_fields
from korgool.competition.event_state import EventState
from korgool.competition.json_export import facts
from korgool.competition.model import Entry
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.trf import write_trf
from tests.competition.third_engine import assert_confirmed
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import competitions_of, round_page, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.patience import RETRIES
from tests.server.desk_events import RESULTS, entries

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLET: dict[str, Any] = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
REASON = "seen by the referee"
WARNED, ILL = "Player005", "Player007"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path / "data") as made:
        yield made


def pressed(page: Page, name: str) -> None:
    """Press a button that leads to another page."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


class Event:
    """The event at the desk and in a file: what is done on a screen is done by a command too."""

    def __init__(self, home: House, ann: Page, dan: Page, cleo: Page, event: LiveEvent, file: EventFile) -> None:
        self.home, self.event, self.file = home, event, file
        self.ann, self.dan, self.cleo = ann, dan, cleo
        self.desk = f"{home.address}/events/{event.id}/desk"
        self.random = random.Random(len(file.state.players))

    @property
    def state(self) -> EventState:
        return self.file.refresh()

    def number(self, name: str) -> int:
        return next(one.number for one in self.state.players.values() if one.name == name)

    def check_in(self, number: int) -> None:
        """Two players are looked for by name and noted by a finger; the others come together."""
        page = self.cleo
        page.goto(f"{self.desk}/check-in?round={number}")
        coming = [one for one in self.state.players.values() if one.until is None and not one.excluded]
        for player in coming[:2]:
            page.locator("#q").fill(player.name)
            row = page.locator("#people > li:visible")
            expect(row).to_have_count(1)
            row.get_by_role("button", name=re.compile("^Is there")).tap()
            expect(row).to_have_class("there")
        page.locator("details.more summary").tap()
        with page.expect_navigation():
            page.get_by_role("button", name="All of them are there").tap()
        expect(page.locator("#people > .missing")).to_have_count(0)
        self.file.do(Present(number, tuple(one.id for one in coming)), by="Cleo")

    def pair(self) -> None:
        """The pairing is shown with its reasons, looked at, and published."""
        page = self.ann
        page.goto(f"{self.desk}/pairing")
        pressed(page, "Show the pairing")
        page.locator(".because summary").first.click()
        lot = page.locator("form.save input[name=lot]").input_value()
        number = len(self.state.rounds) + 1
        pressed(page, f"Publish round {number}")
        commands.pair(self.file, by="Ann", lot=lot, engine=GacruxHere())

    def results(self) -> None:
        """Two officials type at once: one the odd boards by keys, one the even boards with a finger."""
        one = self.state.rounds[-1]
        chosen = {game.board: self.random.choice(RESULTS) for game in one.games}
        for page in (self.ann, self.dan):
            round_page(self.home, page, self.event, one.number)
        for board, text in chosen.items():
            page = (self.dan, self.ann)[board % 2]
            field = page.locator(f"#r{board}")
            if page is self.ann:
                field.focus()
                page.keyboard.type(text)
                page.keyboard.press("Enter")
            else:
                field.tap()
                page.keyboard.type(text)
                page.locator("[data-enters]").tap()
        for page in (self.ann, self.dan):  # each has the boards of the other without a reload
            expect(page.locator(".board.ended")).to_have_count(len(chosen))
            expect(page.locator("[data-unsent]")).to_have_count(0)
        lines = "\n".join(f"{board} {text}" for board, text in chosen.items())
        commands.record_list(self.file, one.number, lines, by="Ann")

    def exchange_colours(self, board: int) -> None:
        page, game = self.ann, self.state.rounds[-1].game(board)
        number = len(self.state.rounds)
        page.goto(f"{self.desk}/round/{number}/hands")
        page.locator("#pair-of").select_option(f"{game.white} {game.black}")
        page.locator("#reason-colours").fill(REASON)
        with page.expect_navigation():
            page.locator("section[aria-labelledby=colours] button").click()
        ids = [self.state.players[id_].number for id_ in (game.white, game.black)]
        commands.swap(self.file, *ids, by="Ann", reason=REASON, number=number)

    def enter_late(self, at: int) -> None:
        page = self.ann
        page.goto(f"{self.desk}/players")
        if page.locator("#enter:not([open])").count():
            page.locator("#enter > summary").click()
        page.locator("[id='entry.family']").fill(f"Late{at}")
        page.locator("[id='entry.rating']").fill(str(1500 + at))
        page.locator("[id='entry.federation']").fill("UZB")
        pressed(page, "Enter the player")
        commands.enter(self.file, Entry(family=f"Late{at}", rating=1500 + at, federation="UZB"), by="Ann")

    def withdraw(self, name: str) -> None:
        page = self.dan
        page.goto(f"{self.desk}/players")
        page.locator("#q").fill(name)
        page.get_by_role("link", name=name).tap()
        page.get_by_text("Leaves the event").tap()
        page.locator("#why-withdraw").fill("ill")
        pressed(page, "Withdraw the player")
        commands.withdraw(self.file, self.number(name), by="Dan", reason="ill")

    def warn(self, name: str) -> None:
        page, number = self.dan, self.number(name)
        page.goto(f"{self.desk}/warnings")
        page.locator("select[name=player]").select_option(str(number))
        pressed(page, "Continue")
        page.locator("#warn-reason").fill(REASON)
        with page.expect_navigation():
            page.get_by_role("button", name=re.compile("^Give warning")).tap()
        commands.warn(self.file, number, by="Dan", reason=REASON)

    def correct(self, number: int, board: int) -> None:
        """A result of an earlier round was wrong; the row says what it touches and asks why."""
        page, result = self.ann, self.state.round(number).game(board).result
        text = "60-102" if result is None or result.white else "102-60"
        round_page(self.home, page, self.event, number)
        page.locator(f"#r{board}").click()  # which selects what stands there
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.locator(f"#board-{board} .trouble")).to_contain_text("Paired with this result")
        page.locator(f"#y{board}").fill("wrong slip")
        page.keyboard.press("Enter")
        expect(page.locator("[data-unsent]")).to_have_count(0)
        commands.record_list(self.file, number, f"{board} {text}", by="Ann", correct=True, reason="wrong slip")

    def publish(self) -> None:
        page = self.ann
        page.goto(f"{self.desk}/standings")
        with page.expect_navigation():
            page.get_by_role("button", name=re.compile("^Publish the standings after round")).click()
        commands.publish(self.file, by="Ann")


def make(home: House, page: Page, rounds: int) -> LiveEvent:
    """The organiser makes the event by a preset of the World Nomad Games."""
    page.goto(f"{home.address}/events/new")
    page.get_by_label("Name of the event").fill("World Nomad Games")
    page.get_by_label("Regulations").select_option("wng-toguz-men")
    page.get_by_label("Rounds").fill(str(rounds))
    page.get_by_label("First day").fill("2026-09-14")
    pressed(page, "Make the event")
    found = re.search(r"/events/(\w+)", page.url)
    assert found is not None
    return home.run(competitions_of(home).find(found[1]))


def enter_list(desk: str, page: Page, people: list[Entry]) -> None:
    """The list is pasted as a spreadsheet copies it, looked at and entered."""
    rows = [("Family name", "Sex", "Rating", "Federation", "Team")]
    rows += [(one.family, one.sex, str(one.rating), one.federation, one.team) for one in people]
    page.goto(f"{desk}/players/list")
    page.get_by_label("Paste the list").fill("\n".join("\t".join(row) for row in rows))
    pressed(page, "Show what would be entered")
    expect(page.locator("input[name=line]:checked")).to_have_count(len(people))
    pressed(page, "Enter the chosen lines")


def help_with(desk: str, page: Page, role: str, account: str = "") -> str:
    """Give a role on the screen of helpers; the link, if it is for somebody without an account."""
    page.goto(f"{desk}/helpers")
    page.locator(f"input[name=role][value={role}]").check()
    page.get_by_label("Name of an account of this site").fill(account)
    pressed(page, "Give the role")
    return "" if account else page.locator("section.given a.link").inner_text()


@pytest.mark.long
@pytest.mark.parametrize(("players", "rounds", "late"), [(16, 5, 1), (120, 9, 3)])
def test_the_games_through_browsers_are_the_same_as_by_commands(
    home: House, table: NewTable, tmp_path: Path, players: int, rounds: int, late: int
) -> None:
    ann, dan, cleo = (table(size, address=home.address, expected="status of 422") for size in ({}, TABLET, PHONE))
    sign_up(home, ann, "Ann")
    sign_up(home, dan, "Dan")
    event = make(home, ann.page, rounds)
    desk = f"{home.address}/events/{event.id}/desk"
    people = entries(players)
    enter_list(desk, ann.page, people)
    help_with(desk, ann.page, "deputy", account="Dan")
    cleo.page.goto(help_with(desk, ann.page, "check-in"))
    cleo.page.get_by_label("Your name").fill("Cleo")
    with cleo.page.expect_navigation():
        cleo.page.get_by_role("button", name="Continue").tap()

    with EventFile.create(tmp_path / "games.korgool", home.run(event.fresh()).event, by="Ann") as file:
        commands.enter_all(file, [(one, None) for one in people], by="Ann")
        both = Event(home, ann.page, dan.page, cleo.page, event, file)
        for number in range(1, rounds + 1):
            both.check_in(number)
            both.pair()
            both.results()
            if number == 1:
                both.exchange_colours(1)
            if number == 2:
                for at in range(late):
                    both.enter_late(at)
                both.withdraw(ILL)
            if number in (1, 2, 3):  # four warnings to one player: the third takes a point, the fourth excludes
                for _ in range(2 if number == 3 else 1):
                    both.warn(WARNED)
            if number == 4:
                both.correct(2, board=3)
            both.publish()
        here, there = home.run(event.fresh()), file.refresh()
        assert there.players[both.number(WARNED)].excluded
        assert facts(here) == facts(there)
        assert here.present == there.present
        assert standings_fields(here) == standings_fields(there)
        assert write_trf(here) == write_trf(there)
        assert check(file, engine=GacruxHere()) == ()
        assert assert_confirmed(here, largest=players + late) == rounds
    downloaded = ann.page.request.get(f"{home.address}/api/events/{event.id}/file", max_retries=RETRIES)
    assert downloaded.ok
    (tmp_path / "down.korgool").write_bytes(downloaded.body())
    with EventFile.open(tmp_path / "down.korgool") as file:
        assert check(file, engine=GacruxHere()) == ()
        assert facts(file.state) == facts(here)

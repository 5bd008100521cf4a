"""Results that a device could not send yet: every page of the event sends them, once, and says that they wait."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest

from korgool.app.server.events.helpers.service import NewHelper
from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.roles import DeskRole, Officer
from tests.page.conftest import NewTable
from tests.page.desk import competitions_of, event_of, invite, join, round_page, sign_up
from tests.page.people import House, house
from tests.page.table import Table, expect
from tests.page.test_axe import violations
from tests.patience import eventually

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

_RESULTS = re.compile("/results$")
_CUT = "ERR_FAILED|ERR_CONNECTION|403|409|422"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("outbox")) as made:
        yield made


class Owner:
    """An organiser who comes with one account to every table: a host opens few accounts an hour."""

    def __init__(self, home: House, table: NewTable, kept: dict[str, Any]) -> None:
        self.home, self.table, self.kept = home, table, kept

    def at_desk(self, players: int = 8, **options: object) -> tuple[Table, LiveEvent]:
        """The organiser at the first round of a new event."""
        desk = self.table(address=self.home.address, expected=_CUT, **options)
        if not self.kept:
            self.kept["account"] = sign_up(self.home, desk, "Olga")
            self.kept["cookies"] = desk.page.context.cookies()
        desk.page.context.add_cookies(self.kept["cookies"])
        event = event_of(self.home, "Olga", self.kept["account"], players)
        round_page(self.home, desk.page, event)
        return desk, event

    @property
    def officer(self) -> Officer:
        return Officer(self.kept["account"], "Olga", DeskRole.ORGANISER)


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return {}


@pytest.fixture
def owner(home: House, table: NewTable, kept: dict[str, Any]) -> Owner:
    return Owner(home, table, kept)


def type_result(page: Page, board: int, text: str) -> None:
    page.locator(f"#r{board}").fill(text)
    page.keyboard.press("Enter")


def stands(home: House, event: LiveEvent) -> dict[int, str]:
    state = home.run(event.fresh())
    return {one.board: one.result.text for one in state.rounds[0].games if one.result is not None}


def lines(home: House, event: LiveEvent) -> list[str]:
    """The log's lines of results: the official and the board."""
    found = home.run(event.log())
    return [f"{one.by}: {one.text.partition(':')[0]}" for one in found if one.text.startswith("round 1, board")]


class Cut:
    """Results do not come through until it is mended; everything else does."""

    def __init__(self, context: BrowserContext) -> None:
        self.mended = False
        context.route(_RESULTS, lambda route: route.continue_() if self.mended else route.abort())


class Sent:
    """What a context has sent of results, by the ids of the commands."""

    def __init__(self, context: BrowserContext) -> None:
        self.ids: list[str] = []
        context.on("request", lambda one: self.ids.append(parse_qs(one.post_data or "").get("id", [""])[0])
                   if _RESULTS.search(one.url) else None)  # fmt: skip


@pytest.mark.parametrize("path", ["/desk/players", "/desk/standings", "", "/rounds/1"])
def test_another_page_of_the_event_sends_what_waits(owner: Owner, home: House, path: str) -> None:
    desk, event = owner.at_desk()
    home.run(competitions_of(home).show(event, public=True))
    page, context = desk.page, desk.page.context
    line = Cut(context)
    type_result(page, 1, "82-60")
    type_result(page, 2, "60-82")
    expect(page.locator("#outbox")).to_contain_text("2 results wait to be sent")
    page.goto(f"{home.address}/events/{event.id}{path}")
    expect(page.locator("#outbox")).to_contain_text("2 results wait to be sent")
    expect(page.locator("#outbox li")).to_contain_text(["Round 1, board 1", "60-82"])
    assert violations(page) == []
    page.reload()
    expect(page.locator("#outbox")).to_contain_text("2 results wait to be sent")
    line.mended = True
    expect(page.locator("#outbox")).to_be_hidden()
    assert stands(home, event) == {1: "1 (82) - 0 (60)", 2: "0 (60) - 1 (82)"}
    assert len(lines(home, event)) == 2
    assert page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('korgool-'))") == []


def test_a_closed_tab_and_the_grid_of_another_round(owner: Owner, home: House) -> None:
    desk, event = owner.at_desk()
    officer, context = owner.officer, desk.page.context
    results = [{"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2, 3)]
    home.run(event.act(officer, event.seq, results))
    line = Cut(context)
    type_result(desk.page, 4, "81-81")
    expect(desk.page.locator("#s4")).to_contain_text("not sent yet")
    desk.page.close()
    page = context.new_page()
    page.goto(f"{home.address}/events/{event.id}/desk/log")
    expect(page.locator("#outbox")).to_contain_text("1 result waits to be sent")
    home.run(event.act(officer, event.seq, [{"do": "result", "round": 1, "board": 4, "result": "90-72"}]))
    home.run(event.act(officer, event.seq, [{"do": "pair", "round": 2, "lot": "b"}]))
    line.mended = True
    round_page(home, page, event, 2)
    # Somebody was quicker: nothing is entered over it, and nothing is forgotten.
    expect(page.locator(".disputes")).to_have_text("Disputed results: Round 1, board 4")
    expect(page.locator("#outbox")).to_be_hidden()
    page.locator(".disputes a").click()
    expect(page.locator("#board-4 .said")).to_have_text(["1 (90) - 0 (72)", "½ (81) - ½ (81)"])
    page.locator("#board-4 [name=stays]").click()
    expect(page.locator("#board-4.disputed")).to_have_count(0)
    expect(page.locator("#r4")).to_have_value("90-72")


def test_a_network_that_goes_silent(owner: Owner, home: House) -> None:
    """Bytes vanish, here those of the answer: it is given up and sent again with the same id, and happens once."""
    desk, event = owner.at_desk()
    page = desk.page
    held = list["Route"]()

    def swallow(route: Route) -> None:
        route.fetch()
        held.append(route)

    sent = Sent(page.context)
    page.clock.install()
    page.route(_RESULTS, swallow, times=2)
    type_result(page, 1, "82-60")
    page.wait_for_function("() => document.getElementById('board-1').dataset.unsent === 'sent'")
    page.clock.fast_forward(2000)
    expect(page.locator("#outbox")).to_contain_text("1 result waits to be sent")
    expect(page.locator("#s1")).to_contain_text("not sent yet")
    page.clock.fast_forward(4000)
    expect(page.locator("#lost")).to_be_visible()
    for _ in range(3):
        page.clock.fast_forward(20_000)
        page.wait_for_timeout(200)
    expect(page.locator("#s1")).to_have_text("1 (82) - 0 (60)")
    expect(page.locator("#outbox")).to_be_hidden()
    expect(page.locator("#lost")).to_be_hidden()
    assert len(held) == 2
    assert len(sent.ids) >= 3
    assert len(set(sent.ids)) == 1
    assert len(lines(home, event)) == 1


def test_two_tabs_send_each_result_once(owner: Owner, home: House) -> None:
    """Both have a queue in the same storage, and neither overwrites the other's."""
    desk, event = owner.at_desk()
    one, context = desk.page, desk.page.context
    two = context.new_page()
    round_page(home, two, event)
    line = Cut(context)
    type_result(one, 1, "82-60")
    type_result(two, 2, "60-82")
    type_result(one, 3, "90-72")
    for page in (one, two):
        expect(page.locator("#outbox")).to_contain_text("3 results wait to be sent")
    sent = Sent(context)
    line.mended = True
    for page in (one, two):
        expect(page.locator(".board.ended")).to_have_count(3)
        expect(page.locator("#outbox")).to_be_hidden()
        assert page.locator("[data-unsent]").count() == 0
    assert len(sent.ids) - sum(one == "" for one in sent.ids) == len(set(sent.ids))
    assert len(lines(home, event)) == 3


def test_a_role_that_has_ended(owner: Owner, table: NewTable, home: House) -> None:
    """The page says so and keeps the results in view, also where one is asked to sign in; a new link sends them."""
    _, event = owner.at_desk()

    def invited() -> tuple[str, str]:
        made = invite(home, event, NewHelper(DeskRole.RESULTS, name="Ben"))
        return made.given.id, f"{home.address}/events/{event.id}/join/{made.token}"

    ben = table(address=home.address, expected=_CUT).page
    role, link = invited()
    ben.goto(link)
    ben.locator("form button.primary").click()
    round_page(home, ben, event)
    assert home.run(home.app.state.helper_roles.end(event.id, owner.officer, role))
    type_result(ben, 1, "82-60")
    expect(ben.locator("#outbox")).to_contain_text("You may not enter results here any more.")
    expect(ben.locator("#lost")).to_contain_text("You may not work at this desk any more.")
    expect(ben.locator("#r1")).to_have_value("82-60")
    ben.reload()
    assert "/sign-in" in ben.url
    expect(ben.locator("#outbox li")).to_contain_text(["82-60"])
    _, link = invited()
    ben.goto(link)
    expect(ben.locator("#outbox li")).to_contain_text(["82-60"])
    ben.locator("form button.primary").click()
    expect(ben.locator("#console")).to_be_visible()
    expect(ben.locator("#outbox")).to_be_hidden()
    assert lines(home, event) == ["Ben: round 1, board 1"]


def test_what_another_official_has_typed_waits_for_hands(owner: Owner, table: NewTable, home: House) -> None:
    desk, event = owner.at_desk()
    page = desk.page
    line = Cut(page.context)
    type_result(page, 1, "82-60")
    type_result(page, 2, "60-82")
    expect(page.locator("#outbox")).to_contain_text("2 results wait to be sent")
    page.context.clear_cookies()
    join(home, event, "Second", sign_up(home, desk, "Second"), DeskRole.RESULTS)
    line.mended = True
    page.goto(f"{home.address}/events/{event.id}/desk")
    expect(page.locator("#outbox li")).to_contain_text(
        ["Olga has typed this, and now Second is at the desk.", "Olga has typed this"]
    )
    page.locator("#outbox li").first.get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Send as Second").click()
    eventually(lambda: lines(home, event) == ["Second: round 1, board 2"], "what is sent in one's own name")
    expect(page.locator("#outbox")).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ru", ("Ждёт отправки 1 результат", "Ждут отправки 2 результата", "Ждут отправки 5 результатов")),
        ("tr", ("1 sonuç gönderilmeyi bekliyor", "2 sonuç gönderilmeyi bekliyor", "5 sonuç gönderilmeyi bekliyor")),
        ("ky", ("1 жыйынтык", "2 жыйынтык", "5 жыйынтык")),
        ("kk", ("1 нәтиже", "2 нәтиже", "5 нәтиже")),
    ],
)
def test_plural_forms(owner: Owner, home: House, language: str, said: tuple[str, ...]) -> None:
    desk, _ = owner.at_desk(10, locale=language)
    Cut(desk.page.context)
    for board in range(1, 6):
        type_result(desk.page, board, "82-60")
        if board in (1, 2, 5):
            expect(desk.page.locator("#outbox")).to_contain_text(said[(1, 2, 5).index(board)])


@pytest.mark.parametrize("path", ["/desk/players", "/rounds/1", "/desk/round/1"])
def test_what_waits_from_before_the_upgrade_is_sent(owner: Owner, home: House, path: str) -> None:
    """As grids kept it before there was an outbox: a list a round, without names and officials."""
    desk, event = owner.at_desk()
    home.run(competitions_of(home).show(event, public=True))
    page, seq = desk.page, home.run(event.fresh()).actions
    page.goto(f"{home.address}/about")
    waits = [
        {"board": str(board), "text": text, "was": "", "reason": "", "after": seq, "id": f"old-{board}"}
        for board, text in ((1, "82-60"), (3, "0-1 70-60 resignation"), (9, "82-60"))
    ]
    put = "([place, text]) => localStorage.setItem(place, text)"
    old = f"korgool-desk /events/{event.id}/desk/round"
    page.evaluate(put, [f"{old}/1/results", json.dumps(waits)])
    page.evaluate(put, [f"{old}/2/results", "[{"])
    page.goto(f"{home.address}/events/{event.id}{path}")
    expect(page.locator("#outbox")).to_contain_text("1 result waits to be sent")  # there is no board 9
    expect(page.locator("#outbox li")).to_contain_text(["Round 1, board 9 · 82-60"])
    assert stands(home, event) == {1: "1 (82) - 0 (60)", 3: "0 (70) - 1 (60)"}
    assert len(lines(home, event)) == 2
    names = "Object.keys(localStorage).filter(name => name.startsWith('korgool-'))"
    assert page.evaluate(names) == [f"korgool-outbox {event.id} 1 9"]


def test_what_contradicts_is_told_on_a_page_that_is_none_of_the_desk(owner: Owner, home: House) -> None:
    """The log holds it by then; the row of the grid shows it, and nothing waits any longer."""
    desk, event = owner.at_desk()
    home.run(competitions_of(home).show(event, public=True))
    other = Officer("b" * 22, "Bakyt", DeskRole.RESULTS)
    line = Cut(desk.page.context)
    type_result(desk.page, 1, "60-82")
    expect(desk.page.locator("#s1")).to_contain_text("not sent yet")
    home.run(event.act(other, event.seq, [{"do": "result", "round": 1, "board": 1, "result": "82-60"}]))
    desk.page.goto(f"{home.address}/events/{event.id}")
    line.mended = True
    told = "Not entered: 1 (82) - 0 (60) Bakyt; 0 (60) - 1 (82) Olga"
    expect(desk.page.locator("#outbox li")).to_contain_text(told)
    desk.page.locator("#outbox a").click()
    expect(desk.page.locator("#board-1 .said")).to_have_text(["1 (82) - 0 (60)", "0 (60) - 1 (82)"])
    expect(desk.page.locator("#outbox")).to_be_hidden()
    assert lines(home, event) == ["Bakyt: round 1, board 1", "Olga: round 1, board 1 disputed"]


def test_what_waits_of_one_group_is_sent_from_the_pages_of_another(owner: Owner, home: House) -> None:
    """One device, one outbox for the whole event; two groups have a board 1 in round 1 each."""
    desk, event = owner.at_desk()
    girls = {"do": "group", "name": "Girls", "settings": {"name": "Girls", "rounds": 1}}
    home.run(event.act(owner.officer, event.seq, [girls]))
    _, group = home.run(competitions_of(home).groups(event))
    entries = [{"do": "enter", "entry": {"family": name}} for name in ("Aida", "Begimai")]
    home.run(group.act(owner.officer, group.seq, entries))
    home.run(group.act(owner.officer, group.seq, [{"do": "pair", "round": 1, "lot": "a"}]))
    page = desk.page
    line = Cut(page.context)
    for address, text in ((group.id, "60-102"), (event.id, "82-80")):
        page.goto(f"{home.address}/events/{address}/desk/round/1")
        page.locator("#grid[data-ready]").wait_for(state="attached")
        type_result(page, 1, text)
        expect(page.locator("#s1")).to_contain_text("not sent yet")
    expect(page.locator("#outbox")).to_contain_text("2 results wait")
    line.mended = True
    expect(page.locator("#outbox")).to_be_hidden()
    assert stands(home, event)[1] == "1 (82) - 0 (80)"
    assert stands(home, group)[1] == "0 (60) - 1 (102)"

"""The desk of an event in browsers: an event in a server of this process, and officials who are signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.event_repository import give_role
from korgool.app.server.events.helpers.service import HelperRoles, Invitation, NewHelper
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.limits import Caller
from korgool.competition.model import Settings
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.roles import Boards, DeskRole, Officer
from tests.page.people import House
from tests.page.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SIGN_UP = """(name) => fetch("/api/account", {
    method: "POST", body: JSON.stringify({name, password: "eleven green apples"}),
    headers: {
        "content-type": "application/json", "x-csrftoken": document.querySelector("meta[name=csrf-token]").content,
    },
}).then((answer) => answer.status)"""


def competitions_of(home: House) -> EventRegistry:
    found: EventRegistry = home.app.state.event_registry
    found._engine = GacruxHere()  # in this process
    return found


def sign_up(home: House, table: Table, name: str) -> str:
    """Open an account in a browser; its identity."""
    table.page.goto(f"{home.address}/about")
    assert table.page.evaluate(_SIGN_UP, name) == 201
    account = home.app.state.authentication.directory.by_name(name)
    return str(account.id)


def event_of(home: House, name: str, account: str, players: int, settings: Settings | None = None) -> LiveEvent:
    """An event of somebody, its first round paired."""
    officer = Officer(account, name, DeskRole.ORGANISER)
    made = home.run(competitions_of(home).make(officer, settings or Settings(name="Cup of Osh", rounds=5)))
    entries = [
        {"do": "enter", "entry": {"family": f"Player{at:03}", "given": "Aibek", "rating": 2400 - at}}
        for at in range(players)
    ]
    home.run(made.act(officer, 1, entries))
    home.run(made.act(officer, made.seq, [{"do": "pair", "round": 1, "lot": "a"}]))
    return made


def join(home: House, event: LiveEvent, name: str, account: str, role: DeskRole, boards: Boards | None = None) -> None:
    """Give somebody a role at an event."""
    with competitions_of(home).repository._engine.begin() as connection:
        give_role(connection, event.id, Officer(account, name, role, boards), account=account)


def invite(home: House, event: LiveEvent, new: NewHelper) -> Invitation:
    """A role for somebody who comes by a link."""
    roles: HelperRoles = home.app.state.helper_roles
    organiser = home.run(roles.roles(event.id))[0].officer
    return home.run(roles.give(Caller(""), event, organiser, new))


def round_page(home: House, page: Page, event: LiveEvent, number: int = 1) -> None:
    """Open the grid of a round; its scripts are there when a field says which keys it wants."""
    page.goto(f"{home.address}/events/{event.id}/desk/round/{number}")
    page.locator("#grid[data-ready]").wait_for(state="attached")

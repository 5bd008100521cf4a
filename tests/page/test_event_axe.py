"""Every page of an event, public or of the desk, passes axe: five languages, phone and desk, by day and by night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.model import Settings, System
from korgool.competition.prize_fund import read_fund
from korgool.competition.roles import DeskRole, Officer
from korgool.languages import LANGUAGES
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.desk import competitions_of, sign_up
from tests.page.people import House, house
from tests.page.test_axe import violations_here

PLAYERS = 8
OTHERS = {
    "/events/{event_id:str}/join/{token:str}": "test_join_event.py looks at it",
    "/events/{event_id:str}/table": "leads to a table, which test_tables.py looks at",
    "/events/{event_id:str}/table/{code:str}": "test_tables.py looks at it",
    "/events/{event_id:str}/table/{code:str}/part": "test_tables.py looks at it",
    "/events/{event_id:str}/desk/papers/print": "answers a PDF",
    "/events/{event_id:str}/desk/papers/file": "answers a file",
    "/events/{event_id:str}/desk/players/{player_id:str}/photo": "answers a picture",
}
"""Pages that are not looked at here, with the reason."""
PLACES = {"order": "name", "screen": "1", "board": "1", "number": "1", "player_id": "1"}


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("axe")) as made:
        yield made


def played(home: House, account: str, settings: Settings) -> LiveEvent:
    """A public event after a round and in the next, with a warning, teams, a group, an official and a minor."""
    officer = Officer(account, "Ann", DeskRole.ORGANISER)
    competitions = competitions_of(home)
    event = home.run(competitions.make(officer, settings, public=True))

    def do(*actions: dict[str, Any]) -> None:
        home.run(event.act(officer, event.seq, list(actions)))

    people = [
        {"family": f"Асанов{at}", "given": "Үсөн", "sex": "fm"[at % 2], "rating": 2000 - at, "team": f"Ош {at % 4}"}
        for at in range(1, PLAYERS + 1)
    ]
    people[0] |= {"groups": ["U16"], "short": "А. Ү.", "consent": {"guardian": "Бакыт", "day": "2026-09-01"}}
    do(*({"do": "enter", "entry": entry} for entry in people))
    do({"do": "appoint", "name": "Бакыт", "role": "referee"}, {"do": "warn", "player": 2, "reason": "late"})
    for number in (1, 2):
        do({"do": "pair", "round": number, "lot": "a"})
        boards = range(1, PLAYERS // 2 + 1) if number == 1 else (1,)
        do(*({"do": "result", "round": number, "board": board, "result": "82-60"} for board in boards))
    do({"do": "attach", "round": 1, "board": 1, "records": ["1. 76(10)"]})
    return event


def paths(home: House, event: LiveEvent) -> list[str]:
    """All pages under `/events`, with the first of everything in their places."""
    place = {**PLACES, "event_id": event.id}
    templates = [route.path for route in home.app.routes if "GET" in getattr(route, "methods", ())]
    pages = sorted(one for one in templates if one.startswith("/events") and one not in OTHERS)
    return [re.sub(r"{(\w+):str}", lambda named: place[named[1]], one) for one in pages]


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_an_event_passes_axe(home: House, table: NewTable, language: str) -> None:
    swiss = Settings(name="Кубок", rounds=5, team_best=2, fund=read_fund("1=30000 KGS; women 1=cup"))
    teams = Settings(name="Командалар", rounds=3, system=System.TEAM_SWISS, boards=2)
    page = (ann := table(address=home.address, locale=language, expected="status of 404")).page
    account = sign_up(home, ann, "Ann")
    missing, found = [], []
    events = [played(home, account, settings) for settings in (swiss, teams)]
    for pair in zip(*(paths(home, event) for event in events), strict=True):
        seen = 0
        for path in dict.fromkeys(pair):
            for size in (DESK, PHONE):
                page.set_viewport_size(size["viewport"])
                answer = page.goto(home.address + path)
                assert answer is not None
                assert answer.status in (200, 404), path
                if answer.status == 404:
                    break
                seen += 1
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    look = f"{path} {size['viewport']['width']} {scheme}"
                    found += [f"{look}: {one}" for one in violations_here(page)]
                wide = page.evaluate("document.documentElement.scrollWidth")
                found += [f"{path} is {wide} wide"] * (wide > size["viewport"]["width"])
        missing += [] if seen else [pair[0]]
    assert found == []
    assert missing == []

"""Every public page of a few events, as it was recorded: each figure, name, order and link of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from korgool.app.publishing import Circumstances, EventFigures, SitePlace, page_names, render_page
from korgool.competition.event_state import EventState
from korgool.competition.prize_fund import read_fund
from korgool.competition.timetable import read_timetable
from tests.printing.events import mangala, swiss, team_event
from tests.recorded import check_recorded, page_lines

RECORDED = Path(__file__).with_name("recorded")
PLACE = SitePlace("/e", "/api/events/e", "/static/tag/", "https://example.org", "/picture.png")


def furnished(state: EventState) -> EventState:
    """With all that pages may show or hide: prizes for groups, a timetable, a photograph, a minor, a removed player."""
    players = {
        id_: replace(
            one,
            entry=replace(one.entry, sex="f" if id_ % 2 else "m", born=1999 + id_ * 2, external=f"88002{id_:02}"),
            photo="0123456789abcdef" * 4 if id_ == 1 else "",
        )
        for id_, one in state.players.items()
    }
    players[2] = replace(players[2], entry=replace(players[2].entry, short="Aida A."))
    players[4] = replace(players[4], entry=players[4].entry.public)
    times = read_timetable("1 2026-09-11 10:00; 4 2026-09-12 14:00")
    fund = read_fund("1=300 KGS; 2=100 KGS; women 1=50 KGS; U16 1=cup")
    settings = replace(state.event, fund=fund, timetable=times, zone="Asia/Bishkek", shown=("born", "photo"))
    return replace(state, settings=settings, players=MappingProxyType(players))


EVENTS: dict[str, Callable[[], EventState]] = {
    "not_paired": lambda: swiss(4, 3, 0),
    "under_way": lambda: furnished(swiss(9, 4, 3, pending=2)),
    "over": lambda: swiss(7, 3, 3, teams=False),
    "teams": lambda: furnished(team_event(4, 2)),
    "matches": lambda: mangala(5, 3),
}


@pytest.mark.parametrize("name", EVENTS)
def test_every_page_says_what_was_recorded(name: str) -> None:
    figures = EventFigures(EVENTS[name]())
    made = []
    for page in page_names(figures):
        circumstances = Circumstances(
            language="en", place=PLACE, changed="2026-09-12T10:05:00Z", refresh=30, pictured=bool
        )
        whole = render_page(figures, page, circumstances).decode()
        made.append(f"== {page or 'overview'}\n{page_lines(whole, 'body' if not page else 'main')}\n")
    check_recorded(RECORDED / f"{name}.txt", "\n".join(made))

"""Sheets for the wall: legible from two metres, joined without a gap, and the brackets of knock-outs."""

from __future__ import annotations

import re
from itertools import pairwise

import pypdfium2
import pytest

from korgool.app.printing import PaperContext, event_paper
from korgool.app.printing.event_bracket import knockout_bracket
from korgool.app.printing.wall_pages import LEAST
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.standings import standings
from korgool.languages import LANGUAGES
from tests.printing.events import knockout, mangala, swiss, team_event
from tests.printing.reading import pages, sizes, squeezed

A3 = (1191, 842)
LISTS = ("start-list", "pairings", "pairings-by-name", "standings", "cross-table", "wall-chart", "team-standings")


def sixty() -> EventState:
    return swiss(60, 9, 7)


@pytest.mark.parametrize("what", LISTS)
def test_a_list_of_sixty_stands_on_sheets_that_join(what: str) -> None:
    state = sixty()
    pdf = event_paper(state, what, paper="a3", language="ky")
    assert set(sizes(pdf)) == {A3}
    assert len(sizes(pdf)) <= 5
    text = squeezed(pdf).replace("-", "")  # a reader drops it where it ends a line
    for one in state.players.values():
        name = squeezed(f"{one.entry.family}, {one.entry.given}").replace("-", "")
        assert name in text or (what.startswith(("pairings", "team")) and (one.until or what == "team-standings"))
    with pypdfium2.PdfDocument(pdf) as document:
        rows = []
        for page in document:
            text = page.get_textpage()
            boxes = [text.get_charbox(at) for at in range(text.count_chars())]
            # Digits of the table begin at one height on each sheet, and no line of it is in small type.
            objects = [one for one in boxes if one[3] - one[1] > 4 and 40 < one[1] < 700]
            rows.append(round(max(one[3] for one in objects)))
        assert max(rows) - min(rows) <= 3


def test_rows_are_divided_evenly_and_named() -> None:
    found = pages(event_paper(sixty(), "standings", paper="a3"))
    spans = [re.search(r"(\d+)–(\d+) / 60", page) for page in found]
    bounds = [(int(span[1]), int(span[2])) for span in spans if span]
    assert len(bounds) == len(found)
    assert bounds[0][0] == 1
    assert bounds[-1][1] == 60
    assert all(later[0] == before[1] + 1 for before, later in pairwise(bounds))
    many = [last - first + 1 for first, last in bounds]
    assert max(many) - min(many) < len(bounds)
    ranked = [one.competitor for one in standings(sixty())]
    state = sixty()
    for (first, last), page in zip(bounds, found, strict=True):
        assert all(state.players[id_].entry.family in page for id_ in ranked[first - 1 : last])


@pytest.mark.parametrize(("make", "what"), [(lambda: mangala(16, 3), "cross-table"), (team_event, "cross-table"),
                                             (team_event, "pairings")])  # fmt: skip
def test_other_events_have_sheets_too(make: object, what: str) -> None:
    assert callable(make)
    assert set(sizes(event_paper(make(), what, paper="a3"))) == {A3}


def test_a_table_keeps_the_least_type() -> None:
    from korgool.app.printing.event_papers import _PAPERS, _data

    for what in LISTS:
        data = _data(PaperContext(sixty(), "kk", "a3"), _PAPERS[what])
        tables = [block for block in data["blocks"] if block["kind"] == "wall"]
        assert tables
        assert min(block["size"] for block in tables) >= LEAST
        assert data["strip"].startswith("<svg")


def test_what_does_not_hang_on_walls_says_so() -> None:
    with pytest.raises(CompetitionError, match=r"badges has no sheets for the wall, on A3; these have: start-list, "):
        event_paper(sixty(), "badges", paper="a3")
    with pytest.raises(ValueError, match="there is no size 'a2'; there are a4, a5, a3"):
        event_paper(sixty(), "standings", paper="a2")


@pytest.mark.parametrize(("players", "played", "sheets"), [(2, 1, 1), (5, 1, 1), (13, 2, 1), (16, 4, 1), (60, 4, 5)])
def test_a_bracket_shows_who_went_through(players: int, played: int, sheets: int) -> None:
    state = knockout(players, played)
    for paper in ("a3", "a4"):
        pdf = event_paper(state, "bracket", paper=paper, language="kk")
        assert len(sizes(pdf)) == sheets
        text = squeezed(pdf)
        for one in state.players.values():
            assert squeezed(one.entry.family) in text
    rounds = [
        block["columns"] for block in knockout_bracket(PaperContext(state, "en", "a3")) if block["kind"] == "bracket"
    ]
    first = [place["name"] for columns in rounds for place in columns[0]]
    assert len([name for name in first if name not in ("", "–")]) >= players
    if state.over or (played == 4 and players == 16):
        (winner,) = rounds[-1][-1]
        assert winner["name"]
        assert winner["name"] in [place["name"] for place in rounds[-1][-2] if place["through"]]


def test_a_bracket_before_the_first_round_is_blank_and_belongs_to_knock_outs() -> None:
    text = " ".join(pages(event_paper(knockout(8, 0), "bracket", paper="a3")))
    assert "Round 1" in text
    with pytest.raises(CompetitionError, match="a bracket belongs to knock-out events"):
        event_paper(sixty(), "bracket")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bracket_speaks_every_language(language: str) -> None:
    from korgool.app.words.event_words import event_words

    assert event_words(language)["title bracket"] in pages(event_paper(knockout(), "bracket", language=language))[0]

"""Tables of events on paper: what stands in their cells, and how they are laid out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.app.printing import event_paper
from korgool.app.printing.table_layout import ROOM, Column, arrange, table, text_width
from korgool.app.words.event_texts import half, halves_said, number_text
from korgool.app.words.event_words import event_words
from korgool.competition.round_history import history
from korgool.competition.standings import rank
from tests.printing.events import mangala, swiss, team_event
from tests.printing.reading import counts, pages, sizes, squeezed


def test_standings_are_the_table_in_its_order() -> None:
    state = swiss()
    pdf = event_paper(state, "standings")
    text, place = squeezed(pdf), 0
    for row in rank(state).rows():
        name = squeezed(state.players[row.competitor].entry.name)
        place = text.index(name, place)
        values = "".join(map(number_text, row.values))
        points = half(row.points)
        assert re.match(rf"{re.escape(name)}.{{0,45}}?{re.escape(points + values)}", text[place:]), name
    assert "Final standings" in pages(pdf)[0]
    for code, name in (("PS", "Progress"), ("BH", "Buchholz"), ("DE", "Personal meetings"), ("KL", "Stones in lost")):
        assert f"{code} {name}" in pages(pdf)[-1]


def test_standings_of_an_earlier_round_and_of_a_group() -> None:
    state = swiss()
    early = pages(event_paper(state, "standings", round=2))[0]
    assert "Standings, after round 2" in early
    team = next(one.entry.team for one in state.players.values())
    pdf = event_paper(state, "standings", group=f"team:{team}")
    members = {one.entry.name for one in state.players.values() if one.entry.team == team}
    assert set(counts(pdf, members).values()) == {1}
    others = {one.entry.name for one in state.players.values()} - members
    assert not any(counts(pdf, others | members)[name] for name in others)


def test_penalties_and_exclusions_show_in_the_standings() -> None:
    state = swiss()
    (excluded,) = (one for one in state.players.values() if one.excluded)
    text = " ".join(pages(event_paper(state, "standings")))
    assert squeezed(excluded.entry.name + " · excluded") in squeezed(text)
    assert "−1" in text
    assert "Penalty" in text


def test_the_cross_table_of_a_swiss_event_names_opponents_by_place() -> None:
    state = swiss()
    ranks = {row.competitor: row.rank for row in rank(state).rows()}
    assert len(set(ranks.values())) == len(ranks)
    text = " ".join(pages(event_paper(state, "cross-table")))
    met = history(state)
    for id_, meetings in met.items():
        cells = [f"{ranks[one.opponent]} {'○' if one.white else '●'}" for one in meetings if one.opponent is not None]
        for cell in cells:
            assert cell in text, (id_, cell)


def test_where_all_meet_the_cross_table_is_a_square() -> None:
    state = mangala(10)
    text = " ".join(pages(event_paper(state, "cross-table")))
    assert "1 2 3 4 5 6 7 8 9 10" in text
    assert text.count("×") == 10
    rows = rank(state, rounds=8).rows()
    by_opponent = {one.opponent: one for one in history(state, rounds=8)[rows[0].competitor]}
    cells = [by_opponent.get(row.competitor) for row in rows[1:]]
    expected = " ".join(half(one.points) if one.result and one.result.played else "+−" for one in cells if one)
    assert expected in text


def test_a_wide_square_is_divided_with_the_names_repeated() -> None:
    state = mangala(44, 1, 3)
    pdf = event_paper(state, "cross-table", paper="a5", round=3)
    names = counts(pdf, (one.entry.name for one in state.players.values()))
    assert len(set(names.values())) == 1
    assert max(names.values()) >= 2
    assert sizes(pdf)[0][0] > sizes(pdf)[0][1]


def test_the_wall_chart_leaves_later_rounds_for_the_pen() -> None:
    state = swiss(64, 7, 3)
    text = " ".join(pages(event_paper(state, "wall-chart", language="ky")))
    assert "1 2 3 4 5 6 7" in text
    assert event_words("ky")["after_round"] % {"round": 3} in text
    numbers = {one.id: one.number for one in state.players.values()}
    for meetings in history(state).values():
        for one in meetings:
            if one.opponent is not None:
                assert f"{numbers[one.opponent]} {'○' if one.white else '●'}" in text


# --- teams


def test_team_standings_of_an_event_of_single_players() -> None:
    state = swiss()
    text = squeezed(event_paper(state, "team-standings"))
    for team in {one.entry.team for one in state.players.values()}:
        assert text.count(squeezed(team)) == 1


def test_a_team_event_on_paper() -> None:
    state = team_event()
    table_ = " ".join(pages(event_paper(state, "standings")))
    assert "MPVGP Board points" in table_
    protocols = event_paper(state, "match-protocols", round=2)
    text = squeezed(protocols)
    for match in state.round(2).matches:
        home, away = state.teams[match.home], state.teams[match.away]
        assert squeezed(f"Table {match.table}: {home.name} – {away.name}") in text
        for board in match.boards:
            game = state.round(2).game(board)
            assert game.result is not None
            assert squeezed(halves_said(game.result.text).replace("-", "–")) in text.replace("−", "–")
    sheets = event_paper(state, "team-sheets", round=4)
    assert len(pages(sheets)) == len(state.teams)
    assert all("Line-up, Round 4" in page for page in pages(sheets))
    everybody = {one.entry.name for one in state.players.values()}
    assert set(counts(sheets, everybody).values()) == {1}


def test_home_and_away_points_add_up_on_match_protocols() -> None:
    state = team_event()
    text = " ".join(pages(event_paper(state, "match-protocols", round=1)))
    totals = re.findall(r"Total (\d*½?) (\d*½?)", text)
    assert len(totals) == len(state.round(1).matches)
    for home, away in totals:
        assert value(home) + value(away) <= state.event.boards


def value(text: str) -> float:
    return float(text.replace("½", "") or 0) + 0.5 * ("½" in text)


# --- the protocol


@pytest.mark.parametrize("language", ["en", "ky"])
def test_the_protocol_tells_everything(language: str) -> None:
    state, words = swiss(), event_words(language)
    pdf = event_paper(state, "protocol", language=language)
    text = squeezed(pdf)
    for official in state.officials.values():
        assert squeezed(official.name) in text
        assert squeezed(official.excluded) in text
    for player in state.players.values():
        for warned in player.warnings:
            assert squeezed(player.entry.name) in text
            assert squeezed(warned.reason) in text
    assert squeezed(words["third_warning"]) in text
    assert squeezed(words["forms"]) in text
    for number in range(1, 8):
        assert squeezed(f"{words['title results']}, {words['round_n'] % {'round': number}}") in text
    for one in state.rounds:
        for game in one.games:
            assert game.result is not None
            assert squeezed(halves_said(game.result.text).replace("-", "–")) in text.replace("−", "–")
    last = pages(pdf)[-1]
    chiefs = [one.name for one in state.officials.values() if one.role in ("chief-referee", "chief-secretary")]
    for name in chiefs:
        assert name in last
    assert words["role chief-secretary"] in last


def test_the_protocol_names_byes_and_those_who_left() -> None:
    state = swiss()
    text = " ".join(pages(event_paper(state, "protocol")))
    assert "Half-point bye" in text
    assert "withdrawn" in text


def test_matches_show_the_points_of_their_sets() -> None:
    state = mangala(8, 5)
    text = " ".join(pages(event_paper(state, "pairings", round=2)))
    for game in state.round(2).games:
        assert game.result is not None
        won = [half(sum(getattr(one, side) for one in game.result.sets)) for side in ("white", "black")]
        assert f"{halves_said(game.result.text).replace(' - ', ' – ')} [{won[0]}:{won[1]}]" in text


# --- widths


@given(st.integers(-9, 40))
def test_half_points_are_read_back(points: int) -> None:
    text = half(points).replace("−", "-")
    number = float(text.replace("½", "") if text not in ("½", "-½") else 0)
    found = abs(number) + 0.5 * ("½" in text)
    assert found == abs(points) / 2
    assert text.startswith("-") == (points < 0)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (12.5, "12½"),
        (3.0, "3"),
        (0.25, "0.25"),
        (1834.0, "1834"),
        (-0.5, "−½"),
        (0.5, "½"),
        (2003.5, "2003.5"),
        (10.0, "10"),
    ],
)
def test_tiebreaks_have_no_needless_zeros(number: float, text: str) -> None:
    assert number_text(number) == text


cells = st.text(st.sampled_from("абвШҢ 0123aW-"), max_size=40)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60),
    st.data(),
    st.sampled_from(["a4", "a5"]),
)
def test_no_table_is_wider_than_its_page(kinds: list[tuple[bool, bool]], data: st.DataObject, paper: str) -> None:
    columns = [Column("№", flex=9.0 * flex, part=part) for flex, part in kinds]
    rows = [[data.draw(cells) for _ in columns] for _ in range(3)]
    blocks, turned = arrange([table(columns, rows)], paper)
    seen = 0
    for block in blocks:
        assert sum(block["widths"]) <= ROOM[paper, turned] + 0.5
        assert len(block["widths"]) == len(block["columns"]) == len(block["rows"][0])
        seen += len(block["columns"])
    assert seen >= len(columns)


def test_columns_without_content_are_left_out() -> None:
    block = table([Column("a"), Column("b", optional=True)], [["1", ""], {"span": "x"}, ["2", ""]])
    assert [column.label for column in block["columns"]] == ["a"]
    assert block["rows"] == [["1"], {"span": "x"}, ["2"]]


def test_widths_grow_with_the_text() -> None:
    assert text_width("Шаршенбекова") > text_width("illillill")
    assert text_width("12\n123") == text_width("123")
    assert text_width("") == 0

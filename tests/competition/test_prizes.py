"""Prizes: the text an arbiter types, shares by hand and by chance, categories, and the command."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition import actions as do
from korgool.competition.codec import from_json, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Settings
from korgool.competition.prize_fund import NO_PRIZES, Prize, PrizeFund, Sharing, fund_text, read_fund
from korgool.competition.prizes import Award, PrizeList, Ranked, divide, prizes
from korgool.competition.standings import members, standings, team_totals
from tests.competition.conftest import play_event
from tests.competition.program import begin, call, korgool, lines, play_round
from tests.printing.events import team_event

Levels: TypeAlias = list[list[list[int]]]
NAMES = ("", "women", "U16", "unrated")


def money(fund: PrizeFund, **ranked: Ranked) -> dict[object, int]:
    """Who gets how much; the category of all is called `all`."""
    found = divide(fund, {name.replace("all", ""): groups for name, groups in ranked.items()})
    paid: dict[object, int] = {}
    for one in found.awards:
        paid[one.winner] = paid.get(one.winner, 0) + one.amount
    return paid


# --- the text


def test_the_text_is_read_and_written() -> None:
    text = "1=30 000 KGS;2=20000; 4-6 = 1000 KGS\nWomen 1=10000 KGS; U16 1=cup; u16 2-3=silver medal; rating<1800 1=500"
    fund = read_fund(text, sharing=Sharing.HORT)
    assert fund_text(fund) == (
        "1=30000 KGS; 2=20000 KGS; 4-6=1000 KGS; women 1=10000 KGS; U16 1=cup; U16 2-3=silver medal; "
        "rating<1800 1=500 KGS"
    )
    assert read_fund(fund_text(fund), sharing=Sharing.HORT) == fund
    assert fund.money == 63_500
    assert read_fund("1=99.50 €; 2=50").prizes == (Prize(1, 9950), Prize(2, 5000))
    assert fund_text(read_fund("1=$500; 2=1st edition of a book")) == "1=500 $; 2=1st edition of a book"
    assert read_fund("none") == read_fund("") == NO_PRIZES
    assert read_fund("1=99,5").amount_text(1234567, "\u00a0") == "12\u00a0345.67"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cup", "prize 1, 'cup': a prize has a place and what it is, such as"),
        ("1=5; 2", "prize 2, '2': a prize has a place"),
        ("1=30,000 KGS", "the comma or point is ambiguous"),
        ("1=5 KGS; 2=3 USD", "prize 2, '2=3 USD': all money is in one currency, KGS"),
        ("0=cup", "the places 0 to 0 are none"),
        ("5-3=cup", "the places 5 to 3 are none"),
        ("women 1=5; Women 1=6", "place 1 of women has two money prizes"),
        ("1=0 KGS", "the amount is above 0"),
        ("1=123456789012", "at most eleven digits"),
        ("1=cup=silver", "holds no ; and no ="),
        ("1-400=cup; 401-800=cup", "500 prizes at most, not 800"),
    ],
)
def test_what_is_no_prize_is_refused(text: str, message: str) -> None:
    with pytest.raises(CompetitionError, match=re.escape(message)):
        read_fund(text)


@settings(max_examples=60, deadline=None)
@given(st.text("0123456789= ;-–.,KGSabcuU<>:$€\n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        fund = read_fund(text)
    except CompetitionError:
        return
    assert read_fund(fund_text(fund)) == fund
    assert from_json(to_json(Settings(name="x", fund=fund)), Settings).fund == fund


def test_settings_without_prizes_are_written_as_before() -> None:
    assert to_json(Settings(name="Cup")) == '{"name":"Cup"}'


# --- shares by hand


def test_the_hort_system_gives_half_by_place_and_shares_half() -> None:
    """The example of the German Wikipedia's article "Hort-System"."""
    fund = read_fund("1=1000 €; 2=500 €; 3=350 €; 4=200 €; 5=150 €; 6=100 €", sharing=Sharing.HORT)
    groups = [[["A"], ["B"]], [["C"]], [["D"], ["E"], ["F"]], [["G"]]]
    assert money(fund, all=groups) == {"A": 875, "B": 625, "C": 350, "D": 175, "E": 150, "F": 125}


def test_equal_points_share_also_with_those_behind_the_last_prize() -> None:
    fund = read_fund("1=100; 2=60; 3=41", sharing=Sharing.EQUAL)
    found = divide(fund, {"": [[["A"]], [["B"], ["C"], ["D"], ["E"]]]})
    assert [(one.winner, one.amount) for one in found.awards] == [
        ("A", 100),
        ("B", 25),
        ("C", 25),
        ("D", 25),
        ("E", 25),
    ]
    assert (found.paid, found.remainder, found.kept) == (200, 1, 0)
    assert found.awards[1] == Award("B", "", 2, 2, 25, "", 101, 4)


def test_without_sharing_only_those_equal_in_everything_share() -> None:
    fund = read_fund("1=100; 2=60; 1=cup; 2=book; 3=medal")
    found = divide(fund, {"": [[["A", "B"], ["C"]]]})
    assert [(one.winner, one.amount, one.thing, one.among) for one in found.awards] == [
        ("A", 80, "", 2), ("B", 80, "", 2), ("A", 0, "cup", 2), ("B", 0, "cup", 2), ("C", 0, "medal", 1),
    ]  # fmt: skip
    assert found.left == (Prize(2, thing="book"),)


def test_the_largest_prize_counts_and_the_others_pass_on() -> None:
    fund = read_fund("1=100; 2=50; women 1=70; women 2=30")
    everybody, women = [[["A"]], [["W"]], [["B"]], [["V"]]], [[["W"]], [["V"]]]
    assert money(fund, all=everybody, women=women) == {"A": 100, "W": 70, "B": 50, "V": 30}
    found = divide(fund, {"": everybody, "women": women})
    passed = next(one for one in found.awards if one.winner == "B")
    assert (passed.passed, passed.rank, passed.place) == (True, 3, 2)
    several = replace(fund, several=True)
    assert money(several, all=everybody, women=women) == {"A": 100, "W": 120, "V": 30}


def test_nobody_gains_by_the_prize_of_somebody_level_with_them() -> None:
    """Vega and others would give B the whole 100 once W, who is level with B, has taken the 60."""
    fund = read_fund("1=100; women 1=60", sharing=Sharing.EQUAL)
    assert money(fund, all=[[["W"], ["B"]], [["C"]]], women=[[["W"]]]) == {"W": 60, "B": 50, "C": 50}


def test_a_car_and_money_for_the_second() -> None:
    fund = read_fund("1=car; 2=500; women 1=700")
    assert money(fund, all=[[["W"]], [["B"]], [["C"]]], women=[[["W"]]]) == {"W": 700, "B": 500}
    assert money(fund, all=[[["A"]], [["B"]]], women=[]) == {"A": 0, "B": 500}


# --- by chance


# Strategies are made once: made anew for every example, they take most of its time.
_LEVELS = st.lists(st.tuples(st.integers(1, 3), st.booleans()), min_size=1, max_size=12)
_CHOSEN = st.frozensets(st.integers(0, 35))
_AMOUNTS = st.lists(st.integers(1, 1000), max_size=8)
_SHARINGS = st.sampled_from(Sharing)
_SEVERAL = st.booleans()


@st.composite
def events(draw: st.DrawFn) -> tuple[PrizeFund, dict[str, Levels], dict[int, int]]:
    """A fund whose prizes do not rise, groups of everybody and of some, and everybody's points."""
    levels: list[list[list[int]]] = []
    points: dict[int, int] = {}
    at = 0
    for size, joined in draw(_LEVELS):
        ids = list(range(at, at + size))
        at += size
        if levels and joined:
            levels[-1].append(ids)
        else:
            levels.append([ids])
        points |= dict.fromkeys(ids, -len(levels))
    ranked: dict[str, Levels] = {"": levels}
    for name in NAMES[1:]:
        chosen = draw(_CHOSEN)
        kept = [[[id_ for id_ in level if id_ in chosen] for level in group] for group in levels]
        ranked[name] = [found for group in kept if (found := [level for level in group if level])]
    amounts = {name: sorted(draw(_AMOUNTS), reverse=True) for name in ranked}
    fund = PrizeFund(
        tuple(Prize(at, amount, category=name) for name, held in amounts.items() for at, amount in enumerate(held, 1)),
        sharing=draw(_SHARINGS),
        several=draw(_SEVERAL),
    )
    return fund, ranked, points


@settings(max_examples=300, deadline=None)
@given(events())
def test_every_division_is_just(event: tuple[PrizeFund, dict[str, Levels], dict[int, int]]) -> None:
    fund, ranked, points = event
    found = divide(fund, dict(ranked))
    assert found.paid + found.remainder + found.kept == fund.money
    assert all(one.amount > 0 for one in found.awards)
    paid: dict[int, int] = dict.fromkeys(points, 0)
    for one in found.awards:
        assert isinstance(one.winner, int)
        assert fund.several or not paid[one.winner]
        paid[one.winner] += one.amount
    order = [id_ for group in ranked[""] for level in group for id_ in level]
    level = {id_: at for at, one in enumerate(level for group in ranked[""] for level in group) for id_ in one}
    groups = {
        id_: {name for name, held in ranked.items() if any(id_ in one for group in held for one in group)}
        for id_ in order
    }
    for above in order:
        for below in order:
            if level[above] > level[below] or not groups[above] >= groups[below]:
                continue
            assert paid[above] >= paid[below]
            if groups[above] == groups[below] and fund.sharing is Sharing.EQUAL and points[above] == points[below]:
                assert paid[above] == paid[below]
            if groups[above] == groups[below] and level[above] == level[below]:
                assert paid[above] == paid[below]
    left = {one.category for one in found.left}
    if not fund.several:
        assert all(paid[id_] for id_ in order if groups[id_] & left), "money is kept though somebody has none"


# --- events


def with_fund(state: EventState, text: str, **more: object) -> PrizeList:
    fund = replace(read_fund(text), **more)  # type: ignore[arg-type]
    return prizes(apply(state, do.Change(replace(state.event, fund=fund))))


def test_the_prizes_of_an_event() -> None:
    state = play_event(16, 5, 3, teams=4, begins="2026-09-01", team_best=2, absences=0, unrated=0.3)
    found = with_fund(
        state,
        "1=5000 KGS; 2=3000 KGS; 3=1000 KGS; women 1=900; U16 1=cup; unrated 1=10; rating<1500 1=20; "
        "federation:KGZ 1=book; team 1-2=800; juniors 1=5",
    )
    rows = standings(state)
    general = [one for one in found.awards if not one.category]
    assert [one.winner for one in general] == [row.competitor for row in rows[:3]]
    assert found.final
    assert found.left == (Prize(1, 5, category="juniors"),)
    for one in found.awards:
        if one.category in ("women", "U16", "unrated", "rating<1500", "federation:KGZ"):
            assert one.winner in members(state, one.category)
    assert {state.players[id_].entry.rating for id_ in members(state, "unrated")} == {0}
    assert all(0 < state.players[id_].entry.rating < 1500 for id_ in members(state, "rating<1500"))
    assert [one.winner for one in found.awards if one.category == "team"] == [
        one.team for one in team_totals(state)[:2]
    ]
    one_round = replace(state, rounds=state.rounds[:-1])
    assert not with_fund(one_round, "1=5").final
    with pytest.raises(CompetitionError, match="needs a date"):
        with_fund(replace(state, settings=replace(state.event, begins="")), "U16 1=cup")


def test_the_excluded_and_those_who_never_played_win_nothing() -> None:
    state = play_event(6, 3, 1, absences=0)
    first = standings(state)[0].competitor
    gone = replace(state, players={**state.players, first: replace(state.players[first], excluded=True)})
    assert first not in {one.winner for one in with_fund(gone, "1-6=cup").awards}
    unplayed = replace(state, rounds=())
    assert with_fund(unplayed, "1=5; 1=cup").awards == ()
    assert with_fund(unplayed, "1=5; 1=cup").left == (Prize(1, 5), Prize(1, thing="cup"))


def test_prizes_of_a_team_event_go_to_teams() -> None:
    state = team_event()
    found = with_fund(state, "1=900 KGS; 2=300; federation:KAZ 1=cup", sharing=Sharing.EQUAL)
    names = {team.name for team in state.teams.values()}
    assert {one.winner for one in found.awards if not one.category} <= names
    assert all(isinstance(one.winner, int) for one in found.awards if one.category)
    assert found.paid + found.remainder == 1200


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    begin(path, 4, 1)
    assert "no prizes are set" in call("prizes", path).stderr
    text = korgool("change", path, "--sharing", "equal", "--prize", "2=51 KGS; 3=cup", "--prize", "1=100")
    assert "prizes      2=51 KGS; 3=cup; 1=100 KGS" in text
    korgool("change", path, "--prize", "1=100 KGS; 2=51; 3=cup; women 1=medal", "--several-prizes")
    play_round(path, random.Random(1))
    found = lines("prizes", path)
    assert sum(one["amount"] for one in found) in (150, 151)
    assert {one["prize"] for one in found if one["category"] == "women"} == {"medal"}
    shown = call("prizes", path)
    assert "KGS" in shown.stdout
    wrong = call("change", path, "--prize", "first=100")
    assert wrong.exit_code == 2
    assert "'--prize': prize 1, 'first=100'" in wrong.output
    (show,) = lines("show", path)
    assert show["fund"]["sharing"] == "equal"
    assert show["fund"]["several"] is True
    korgool("change", path, "--prize", "none")
    assert lines("prizes", path) == []

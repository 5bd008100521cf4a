"""The parts of a tie-break add up to what the standings show, in every event and for every competitor."""

from __future__ import annotations

import math

import pytest

from korgool.competition.model import System
from korgool.competition.standings import TIEBREAKS, Joint, Ranking, Working, rank, workings
from tests.competition.conftest import Factory
from tests.competition.test_standings import small

CODES = [code for code, one in TIEBREAKS.items() if one.whom != "teams"]


def total(working: Working) -> float:
    kept = [part.value for part in working.parts if not part.cut]
    return sum(kept) if working.joint is Joint.SUM else sum(kept) / len(kept) if kept else 0.0


def check(found: Ranking) -> None:
    for id_ in found.table.lines:
        for one in workings(found, id_):
            if one.joint is Joint.SUM:
                assert math.isclose(total(one), one.value, abs_tol=0.01), (one.tiebreak.code, id_, one)
            elif one.joint is Joint.MEAN:
                assert abs(total(one) - one.value) <= 0.51, (one.tiebreak.code, id_, one)
            for part in one.parts:
                assert part.strength is None or part.won is None or part.value == part.strength * part.won


@pytest.mark.parametrize("system", [System.SWISS, System.ROUND_ROBIN])
def test_parts_add_up_for_players(event: Factory, system: System) -> None:
    state = event(players=11, rounds=6, number=3, absences=0.15, forfeits=0.15, penalties=3, unrated=0.2, system=system)
    check(rank(state, tiebreaks=CODES))


def test_parts_add_up_for_teams(event: Factory) -> None:
    codes = [code for code, one in TIEBREAKS.items() if one.whom != "players"]
    state = event(
        players=24,
        rounds=5,
        teams=6,
        engine=True,
        absences=0.0,
        system=System.TEAM_ROUND_ROBIN,
        boards=4,
        tiebreaks=("DE",),
    )
    check(rank(state, tiebreaks=codes))


def test_sets_that_give_points(event: Factory) -> None:
    state = event(players=8, rounds=4, sets=3, set_points=True, game="mangala", draws=0.0)
    check(rank(state, tiebreaks=CODES))


def test_a_cut_round_is_named(event: Factory) -> None:
    state = event(players=10, rounds=5)
    found = rank(state, tiebreaks=("BH-C1", "BH-M1", "PS-C2"))
    for id_ in found.table.lines:
        assert [sum(part.cut for part in one.parts) for one in workings(found, id_)] == [1, 2, 2]


def test_meetings_of_two_who_are_equal_are_parts() -> None:
    found = rank(small("1-2 1-0 | 3-4 1-0", "1-3 0.5-0.5 | 2-4 1-0"), tiebreaks=("DE",))
    (one,) = workings(found, 1)
    assert (one.joint, set(one.tied)) == (Joint.PARTS, {1, 3})
    (alone,) = workings(found, 4)
    assert alone.joint is Joint.ALONE

"""Events of every system by chance, whose pairings caissify confirms; and that it would notice a wrong one."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from typing import Any

import pytest

from korgool.competition import actions as do
from korgool.competition.audit import verify_round
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Entry, Settings, System
from korgool.competition.pairing import pair, pair_swiss
from korgool.competition.pairing.engine import NoPairingError
from korgool.competition.pairing.engine_file import pairing_points
from korgool.competition.result import Result
from tests.competition.conftest import play_event
from tests.conftest import SEED

from .third_engine import assert_confirmed, assert_confirmed_round, floats_down, pairs_by_number

FORBIDDEN = (("team",), ("federation",), ("team", "federation"))
EVENTS = int(os.environ.get("KORGOOL_EVENTS", "100"))


def some_event(seed: int) -> EventState | None:
    """An event in which some must not meet, of teams, or a round robin; None where its last rounds have no pairing."""
    chance = random.Random(seed)
    players, teams = chance.randint(6, 24), chance.randint(4, 10)
    cycles = chance.choice((1, 2))
    robin = System.DOUBLE_ROUND_ROBIN if cycles == 2 else System.ROUND_ROBIN
    options = chance.choice(
        (
            {
                "players": players, "rounds": min(chance.randint(3, 8), players - 2), "teams": chance.randint(2, 8),
                "forbid": chance.choice(FORBIDDEN), "absences": chance.choice((0, 0.1)), "late": chance.choice((0, 2)),
                "withdrawals": chance.choice((0, 2)), "penalties": chance.choice((0, 3)),
            },
            {
                "players": teams * chance.randint(2, 4), "rounds": 2 + teams // 3, "teams": teams, "boards": 2,
                "system": System.TEAM_SWISS, "absences": chance.choice((0, 0.15)), "draws": chance.choice((0.1, 0.5)),
                "bye_points": chance.choice((2, 1)),
            },
            {
                "players": teams * 2, "rounds": teams + teams % 2 - 1, "teams": teams, "boards": 2,
                "system": System.TEAM_ROUND_ROBIN, "absences": 0.2,
            },
            {"players": teams, "rounds": (teams + teams % 2 - 1) * cycles, "system": robin, "absences": 0.1},
        )
    )  # fmt: skip
    try:
        return play_event(number=seed, engine=True, **options)
    except NoPairingError:
        return None


def confirmed(seeds: range) -> int:
    """How many rounds it has confirmed, of so many events that most have three."""
    found = sum(assert_confirmed(state) for seed in seeds if (state := some_event(seed)) is not None)
    assert found > 2 * len(seeds)
    return found


def test_forbidden_pairs_teams_and_round_robins_are_confirmed() -> None:
    confirmed(range(SEED * 10, SEED * 10 + 8))


@pytest.mark.long
def test_many_are_confirmed() -> None:
    print(confirmed(range(EVENTS)), "rounds")


@pytest.mark.parametrize("options", [
    {"forbid": ("team",), "teams": 3}, {"system": System.TEAM_SWISS, "teams": 6, "boards": 2},
    {"system": System.ROUND_ROBIN},
])  # fmt: skip
def test_a_wrong_pairing_is_noticed(options: dict[str, Any]) -> None:
    state = play_event(12, 1, 1, engine=True, absences=0, **options)
    assert assert_confirmed(state) == 1
    one = state.rounds[0]
    if one.matches:
        first, second, *rest = one.matches
        matches = (replace(first, away=second.away), replace(second, away=first.away), *rest)
        wrong = replace(one, matches=matches)
    else:
        game, other, *others = one.games
        wrong = replace(one, games=(replace(game, black=other.black), replace(other, black=game.black), *others))
    with pytest.raises(AssertionError):
        assert_confirmed_round(replace(state, rounds=(wrong,)), 1, "")


def test_members_of_a_team_may_not_be_let_meet_for_nothing() -> None:
    state = play_event(12, 1, 1, engine=True, absences=0, forbid=("team",), teams=3)
    with pytest.raises(AssertionError, match="nobody had to be allowed to meet"):
        assert_confirmed_round(state, 1, "gacrux (of one team allowed to meet)")


def test_fewer_floats_are_better() -> None:
    """C6: caissify passes over a pair of those who float, in one round of hundreds where few may meet."""
    state = play_event(8, 2, 5, engine=True, absences=0, forfeits=0, draws=0)
    ours = pairs_by_number(state, 2)
    by_points: dict[int, list[int]] = {}
    for id_, half_points in pairing_points(state, 2).items():
        by_points.setdefault(half_points, []).append(state.players[id_].number)
    worst = {frozenset(pair) for pair in zip(*list(by_points.values())[:2], strict=False)}
    assert [count for count, _ in floats_down(state, 2, ours)] < [count for count, _ in floats_down(state, 2, worst)]


def test_a_match_drawn_by_forfeits_alone_is_no_game() -> None:
    """Its teams may meet again and have no colour from it, and rounds that earlier versions paired still hold."""
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=4, system=System.TEAM_SWISS, boards=2)))
    for at in range(12):
        state = apply(state, do.Enter(Entry(family=f"P{at}", rating=2000 - at, team=f"T{at % 6}")))
    state = apply(state, do.Seed((1, 2, 3, 4, 5, 6), True))
    state = apply(state, pair(state, 1).action(1))
    for match in state.rounds[0].matches:
        first, second = match.boards
        results = (Result(2, 0, (90, 60)), Result(0, 2, (60, 90)))
        if match.table == 1:
            results = (Result(2, 0, cause="forfeit"),) * 2
        state = apply(apply(state, do.EnterResult(1, first, results[0])), do.EnterResult(1, second, results[1]))
    now, then = pair_swiss(state, 2), pair_swiss(state, 2, version=2)
    assert (now.matches != then.matches, now.engine != then.engine) == (True, True)
    assert verify_round(state, then.action(2)) == verify_round(state, now.action(2)) == []
    assert assert_confirmed(apply(state, now.action(2))) == 2
    with pytest.raises(AssertionError):
        assert_confirmed(apply(state, then.action(2)))

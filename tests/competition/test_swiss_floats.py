"""Floats after penalties: gacrux sees them as the rules have them, and older logs hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from korgool.competition.audit import verify_round
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.competition.pairing import pair_swiss
from korgool.competition.pairing.engine_file import FILE, pairing_points
from korgool.competition.round_history import RoundKind, history
from tests.competition.conftest import Factory
from tests.competition.test_swiss import gacrux_says
from tests.competition.third_engine import caissify_pairs, pairs_by_number
from tests.slices import drawn


def floats_by_the_rules(state: EventState, id_: int, number: int) -> tuple[str, str]:
    """The floats of the two rounds before a round, the earlier one first (C.04.3 art. 1.4)."""
    found = []
    for at in (number - 2, number - 1):
        if at < 1:
            found.append("-")
            continue
        meeting = history(state)[id_][at - 1]
        if meeting.kind is RoundKind.PLAYED and meeting.opponent is not None:
            points = pairing_points(state, at)
            mine, its = points[id_], points[meeting.opponent]
            found.append("d" if mine > its else "u" if mine < its else "-")
        else:
            found.append("d" if meeting.points else "-")
    return found[0], found[1]


def assert_floats(state: EventState) -> int:
    """Every competitor's floats as gacrux sees them are those of the rules; how many differ without the penalties."""
    other = 0
    unpunished = replace(state, players={id_: replace(one, penalties=()) for id_, one in state.players.items()})
    for one in gacrux_says(state):
        seen = {competitor["cid"]: competitor["flt"] for competitor in one["competitors"]}
        for id_, player in state.players.items():
            floats = floats_by_the_rules(state, id_, one["round"])
            assert seen[player.number] == 4 * "-du".index(floats[0]) + "-du".index(floats[1]), (one["round"], player)
            other += floats != floats_by_the_rules(unpunished, id_, one["round"])
    return other


@pytest.mark.parametrize("part", drawn("floats", range(3)))
def test_floats_after_penalties(event: Factory, part: int) -> None:
    """Points that a penalty took count in the floats of all rounds after it."""
    assert sum(assert_floats(event(12, 6, seed, penalties=9, absences=0.1)) for seed in range(40 + part, 52, 3)) > 6


@pytest.fixture(scope="module")
def punished(event: Factory) -> EventState:
    """An event in whose rounds 5 and 7 floats by penalties tell."""
    return event(18, 7, 104, engine=True, penalties=21)


def test_rounds_after_penalties_by_a_third_engine(punished: EventState) -> None:
    for one in punished.rounds:
        assert caissify_pairs(punished, one.number) == pairs_by_number(punished, one.number), one.number


def test_rounds_that_were_paired_while_penalties_were_forgotten_still_check(punished: EventState) -> None:
    before = replace(punished, rounds=punished.rounds[:4])
    now, then = pair_swiss(before, 5), pair_swiss(before, 5, version=1)
    assert (now.games == then.games, now.engine) == (False, f"{then.engine}, file {FILE}")
    assert verify_round(before, now.action(5)) == verify_round(before, then.action(5)) == []
    assert verify_round(before, replace(then, engine=now.engine).action(5)) != []
    assert verify_round(before, replace(now, engine=then.engine).action(5)) == []
    wrong = (PairedGame(1, now.games[0].black, now.games[0].white), *now.games[1:])
    assert len(verify_round(before, replace(now, games=wrong).action(5))) == 1

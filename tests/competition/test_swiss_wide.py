"""Many generated Swiss events, of 8 to 300 players, confirmed round by round.

`python3 run.py test -m long -k swiss_wide` runs all of it, about ten minutes on one processor; KORGOOL_SWISS=FIRST-LAST
chooses other seeds than 0-59.
"""

from __future__ import annotations

import os
import random

import pytest
from caissify_pairings.fpc import check_trf

from korgool.competition.pairing.engine import NoPairingError
from korgool.competition.trf import read_trf, write_trf
from tests.competition.conftest import play_event
from tests.competition.test_swiss import assert_swiss, gacrux_says
from tests.competition.test_trf_round_trip import assert_same
from tests.competition.third_engine import LARGEST, caissify_pairs, pairs_by_number

FIRST, LAST = (int(number) for number in os.environ.get("KORGOOL_SWISS", "0-59").split("-"))


def options(seed: int) -> dict[str, object]:
    """What sort of event a seed stands for: small ones most often; every third has nobody absent."""
    chance = random.Random(seed)
    players = chance.choice((chance.randint(8, 20), chance.randint(20, 60), chance.randint(61, 300)))
    plain = seed % 3 == 0
    return {
        "players": min(players, LARGEST) if plain else players,
        "rounds": min(chance.randint(3, 9), players // 2),
        "number": seed,
        "forfeits": chance.choice((0.0, 0.05, 0.15)),
        "draws": chance.choice((0.1, 0.4)),
        "absences": 0.0 if plain else chance.choice((0.0, 0.1)),
        "late": 0 if plain else chance.choice((0, 2)),
        "withdrawals": 0 if plain else chance.choice((0, 3)),
        "penalties": 0 if plain else chance.choice((0, 4)),
        "bye_points": 2 if plain else chance.choice((2, 1)),
    }


@pytest.mark.long
@pytest.mark.parametrize("seed", range(FIRST, LAST + 1))
def test_event(seed: int) -> None:
    chosen = options(seed)
    try:
        state = play_event(engine=True, **chosen)  # type: ignore[arg-type]
    except NoPairingError as error:
        pytest.skip(str(error))
    assert_swiss(state)
    for one in gacrux_says(state):
        assert one["check"], f"round {one['round']}"
    assert_same(state, read_trf(write_trf(state)).state)
    if len(state.players) <= LARGEST:
        for played in state.rounds:
            assert caissify_pairs(state, played.number) == pairs_by_number(state, played.number), played.number
    if seed % 3 == 0:
        report = check_trf(write_trf(state, edition="2016"))
        assert report["summary"]["rounds_checked"] == len(state.rounds)
        assert [one for one in report["rounds"] if not one["match"]] == []

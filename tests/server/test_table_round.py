"""A round reported by phone, some of its players careless: how many results stand without an official."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from .desk_events import AtDesk
from .members import Site, on_site
from .test_tables import CUP, codes_at, hall, say

CARELESS = 0.1
FAULTS = ("digits", "nothing", "colours", "late", "double")
"""Wrong digits, no report, the colours exchanged, a report after all others, and the same report twice."""


@pytest.mark.parametrize("boards", [12, pytest.param(60, marks=pytest.mark.long)])
def test_most_results_of_a_round_need_no_typist(tmp_path: Path, boards: int) -> None:
    """The whole round of 60 boards: `python -m pytest -m long tests/server/test_table_round.py`."""
    chance = random.Random(1)
    outcome: dict[str, int] = {}

    async def test(site: Site) -> None:
        desk = await hall(site, replace(CUP, rounds=5), [f"Player{at:03}" for at in range(2 * boards)])
        truth = {
            board: (chance.choice(("white", "black")), chance.randrange(82, 120)) for board in range(1, boards + 1)
        }
        reports = [(board, side) for board in truth for side in (0, 1)]
        chance.shuffle(reports)
        late = []
        for board, side in reports:
            fault = chance.choice(FAULTS) if chance.random() < CARELESS else ""
            if fault == "late":
                late.append((board, side, ""))
            elif fault != "nothing":
                await speak(site, desk, board, side, truth[board], fault)
        for board, side, fault in late:
            await speak(site, desk, board, side, truth[board], fault)
        games = desk.competition.state.rounds[0].games
        by_phone = [game for game in games if game.result is not None]
        for game in by_phone:  # what stands is what happened, unless both erred alike
            won, stones = truth[game.board]
            assert game.result is not None
            assert game.result.stores == ((stones, 150 - stones) if won == "white" else (150 - stones, stones))
        outcome["by phone"], outcome["called"] = len(by_phone), len(desk.competition.state.calls)
        assert len(by_phone) >= 0.8 * boards or boards < 60
        missing = {game.board for game in games} - {game.board for game in by_phone}
        waiting = {board for _, board in desk.competition.state.reports}
        assert {board for _, board in desk.competition.state.calls} <= missing
        assert len(missing - waiting) <= boards // 10  # of the others the desk knows what one side says

    on_site(tmp_path, test)
    print(boards, outcome)


async def speak(site: Site, desk: AtDesk, board: int, side: int, truth: tuple[str, int], fault: str) -> None:
    """A player reports on their own phone."""
    won, stones = truth
    if fault == "colours":
        won = "black" if won == "white" else "white"
    if fault == "digits":
        stones = stones + 1 if stones < 119 else 90
    code, phone = (await codes_at(site, desk, board))[side], site.browser()
    for _ in range(2 if fault == "double" else 1):
        await say(phone, desk, code, won1=won, stones1=str(stones), other1=str(150 - truth[1]), id=f"r{board}{side}")

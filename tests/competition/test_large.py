"""Large events: 500 players are entered, paired and ranked with the limits that hold by default."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from korgool.competition import EventFile
from korgool.competition import actions as do
from korgool.competition.pairing import EngineError, gacrux_process
from korgool.competition.pairing.gacrux_process import time_limit
from korgool.competition.pairing.swiss import pair_swiss
from korgool.competition.result import Result
from tests.competition.conftest import play_event
from tests.competition.program import begin, lines

PLAYERS = 500


def play(event: Path, rounds: int) -> None:
    """Pair so many rounds by the command, without a word on limits, and enter results by chance."""
    chance = random.Random(1)
    results = (Result(2, 0, (90, 60)), Result(0, 2, (60, 90)), Result(1, 1, (81, 81)))
    for number in range(1, rounds + 1):
        assert len(lines("pair", event)) == PLAYERS // 2
        with EventFile.open(event) as file:
            games = file.state.rounds[-1].games
            file.do(*(do.EnterResult(number, one.board, chance.choice(results)) for one in games), by="Secretary")
    assert lines("standings", event)[0]["rank"] == 1


def test_five_hundred_players_are_entered_and_paired(tmp_path: Path) -> None:
    event = tmp_path / "cup.korgool"
    begin(event, PLAYERS, 9)
    play(event, 1)
    assert len(lines("players", event)) == PLAYERS


@pytest.mark.long
def test_nine_rounds_of_five_hundred_players(tmp_path: Path) -> None:
    event = tmp_path / "cup.korgool"
    begin(event, PLAYERS, 9)
    play(event, 9)
    assert lines("check", event)[0]["ok"]


def test_the_limit_grows_with_the_field() -> None:
    assert [time_limit(count) for count in (2, 100, 220, 500, 1000)] == [60, 60, 60, 300, 1200]


def test_the_limit_is_asked_for_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that never answers is stopped when the limit for so many players is over."""
    monkeypatch.setattr(gacrux_process, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    monkeypatch.setattr(gacrux_process, "time_limit", lambda players: players / 20)
    with pytest.raises(EngineError, match=r"stopped after 0\.6 seconds"):
        pair_swiss(play_event(12, 1), 1)

"""Journals that wrote down what was on the clocks: there the written times count, not the time of day."""

from __future__ import annotations

import pytest

from korgool.conduct import TimeControl
from korgool.live import Happening, MakeMove, Refused, decide, replay
from korgool.live.journal import Begun, Joined, Moved, Resigned, TakenBack, TimeCalled, happen
from korgool.rules import MANGALA, Termination

from .play import ANN, BLACK, ENGINE, WHITE, terms

HOUR = 3_600_000
AGREED = terms(control=TimeControl(180_000, 2_000), seats=(ANN, ENGINE))
Written = tuple[int, Happening, tuple[int, int] | None]
JOURNAL: list[Written] = [
    (1, Joined(WHITE), (180_000, 180_000)),
    (1, Begun(), (180_000, 180_000)),
    (5 * HOUR, Moved(1), (172_000, 180_000)),
    (9 * HOUR, Moved(9, device=True), (172_000, 181_500)),
    (8 * HOUR, Moved(2), (150_000, 181_500)),  # somebody has set the clock on the wall back
    (15 * HOUR, Moved(8), (150_000, 178_000)),
    (21 * HOUR, TakenBack(2), (131_000, 178_000)),
    (30 * HOUR, Moved(3), (133_000, 178_000)),
]
FALLEN: Written = (40 * HOUR, TimeCalled(), (133_000, 0))


@pytest.mark.parametrize("length", range(2, len(JOURNAL) + 1))
def test_the_written_times_stand_on_the_clock(length: int) -> None:
    game = replay(AGREED, 0, JOURNAL[:length])
    clock, stocks = game.game.clock, JOURNAL[length - 1][2]
    assert clock is not None
    assert stocks is not None
    assert not game.over
    assert game.at == max(at for at, _, _ in JOURNAL[:length])
    assert clock.running is game.to_move
    assert (clock.remaining(WHITE, game.at), clock.remaining(BLACK, game.at)) == stocks
    left = stocks[game.to_move]
    assert clock.remaining(game.to_move, game.at + 1_000) == left - 1_000, "it runs on"
    assert clock.falls_at() == game.at + left
    assert len(game.clocks) == game.plies


def test_a_flag_has_fallen_where_the_journal_says_so() -> None:
    game = replay(AGREED, 0, [*JOURNAL, FALLEN])
    ending, clock = game.ending, game.game.clock
    assert ending is not None
    assert clock is not None
    assert (ending.winner, ending.termination, ending.clause) == (WHITE, Termination.TIME, "WNG-TK §V, §VII")
    assert (clock.running, clock.stocks) == (None, (133_000, 0))
    standing = (*FALLEN[:2], (133_000, 1))
    with pytest.raises(ValueError, match=f"event {len(JOURNAL) + 1}: Claim denied: Black's flag"):
        replay(AGREED, 0, [*JOURNAL, standing])


def test_the_end_shows_the_written_times_too() -> None:
    game = replay(AGREED, 0, [*JOURNAL, (40 * HOUR, Resigned(WHITE), (120_000, 178_000))])
    assert game.ending is not None
    assert game.ending.winner is BLACK
    assert game.game.clock is not None
    assert game.game.clock.stocks == (120_000, 178_000)


def test_without_the_written_times_the_time_of_day_counts() -> None:
    with pytest.raises(ValueError, match="event 4: the game is over"):
        replay(AGREED, 0, [(at, event) for at, event, _ in JOURNAL])


def test_an_older_game_goes_on_by_the_time_of_day() -> None:
    game = replay(AGREED, 0, JOURNAL[:4])
    answer = decide(game, MakeMove(WHITE, 2, game.version), game.at + 10_000)
    assert not isinstance(answer, Refused)
    game = answer.after
    assert game.game.clock is not None
    assert game.game.clock.stocks == (172_000 - 10_000 + 2_000, 181_500)
    game, _ = happen(game, TakenBack(1), game.at + 1_000)
    assert game.game.clock is not None
    assert game.game.clock.stocks == (162_000, 180_500), "the time used stays used"


def test_a_turn_of_several_plies_and_a_game_without_a_clock() -> None:
    agreed = terms(MANGALA, TimeControl(180_000, 2_000), seats=(ANN, ENGINE))
    start: list[Written] = [(0, Joined(WHITE), None), (0, Begun(), (180_000, 180_000))]
    game = replay(agreed, 0, [*start, (HOUR, Moved(4), (170_000, 180_000)), (2 * HOUR, Moved(1), (165_000, 180_000))])
    assert game.game.clock is not None
    assert (game.game.clock.running, game.game.clock.stocks) == (BLACK, (165_000, 180_000))
    untimed = terms(control=None, seats=(ANN, ENGINE))
    events: list[tuple[int, Happening]] = [(0, Begun()), (HOUR, Moved(1)), (2 * HOUR, Moved(9))]
    written = replay(untimed, 0, [(at, event, None) for at, event in events])
    assert written == replay(untimed, 0, events)
    assert written.plies == 2

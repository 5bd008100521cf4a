"""Vacations in slow games: what they make of deadlines, and how many days a person has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool import live
from korgool.conduct import Clock, TimeControl
from korgool.live import MakeMove, OnlineGame, Refused, RefusedKind, TakeVacation, Vacation, due
from korgool.live.journal import Interrupted, VacationTaken, happen
from korgool.live.terms import DAY_MS, slow_control
from korgool.live.vacations import MOST_VACATION_MS, YEAR_MS, days_left, present, take
from korgool.rules import MANGALA, Side

from .play import ANN, BLACK, ENGINE, WHITE, Board, begun, kind, played, terms

HOUR = 3_600_000


def slow(days: int = 3) -> Board:
    return begun(control=slow_control(days))


def away(board: Board, side: Side, days: int, after: int = 0) -> None:
    assert board.say(TakeVacation(side, board.now + after + days * DAY_MS), after) is None


# A game


def test_a_vacation_in_ones_own_turn_moves_the_deadline() -> None:
    board = slow(3)
    assert due(board.game) == board.now + 3 * DAY_MS
    away(board, WHITE, 5, after=DAY_MS)
    assert board.game.away == (board.now + 5 * DAY_MS, 0)
    assert due(board.game) == board.now + 7 * DAY_MS, "a day is used, two are left, and they begin in five"
    board.wait(7 * DAY_MS - 1)
    assert not board.game.over
    board.wait(1)
    assert board.game.ending is not None
    assert board.game.ending.winner is BLACK
    board.check()


def test_a_turn_that_begins_in_a_vacation_gets_the_rest_of_it() -> None:
    board = slow(3)
    away(board, BLACK, 5)
    assert due(board.game) == board.now + 3 * DAY_MS, "White is not away"
    board = played(board, 1, each=2 * DAY_MS)
    assert due(board.game) == board.now + 6 * DAY_MS
    board.check()


def test_what_a_turn_does_not_need_of_a_vacation_is_gone() -> None:
    board = slow(3)
    away(board, WHITE, 14)
    board = played(board, 1, each=DAY_MS)
    assert due(board.game) == board.now + 3 * DAY_MS, "Black's days begin with the move, not with White's return"
    board = played(board, 1, each=14 * HOUR)
    board.wait(13 * DAY_MS)
    assert board.game.away[WHITE] < board.now
    board = played(board, 2, 2, each=0)
    assert due(board.game) == board.now + 3 * DAY_MS, "nothing was saved up"
    board.check()


def test_an_extra_turn_of_mangala_has_the_vacation_of_its_turn_once() -> None:
    board = begun(rules=MANGALA, control=slow_control(1))
    away(board, WHITE, 2)
    board = played(board, 4, each=DAY_MS)
    assert board.game.to_move is WHITE
    assert due(board.game) == board.opened + 3 * DAY_MS
    board.check()


def test_a_vacation_that_ends_early_gives_no_more_than_it_lasted() -> None:
    board = slow(2)
    away(board, WHITE, 10, after=DAY_MS)
    assert board.say(TakeVacation(WHITE, 0), 4 * DAY_MS) is None
    assert board.game.away == (board.now, 0)
    assert due(board.game) == board.now + DAY_MS
    assert board.say(TakeVacation(WHITE, board.now - 1), 1) is None
    assert board.game.version == len(board.journal), "a vacation that is over is not ended twice"
    board.check()


def test_a_shorter_vacation_takes_the_place_of_a_longer_one() -> None:
    board = slow(2)
    away(board, WHITE, 10)
    away(board, WHITE, 3, after=DAY_MS)
    assert due(board.game) == board.now + 5 * DAY_MS
    version = board.game.version
    away(board, WHITE, 3)
    assert board.game.version == version, "saying it again changes nothing"
    board.check()


def test_a_turn_taken_back_keeps_no_vacation() -> None:
    board = slow(3)
    away(board, WHITE, 4)
    board = played(board, 1, each=DAY_MS)
    board.wait(5 * DAY_MS // 2)
    assert board.say(live.AskTakeback(WHITE)) is None
    assert board.say(live.AcceptTakeback(BLACK)) is None
    assert due(board.game) == board.now + DAY_MS // 2 + 3 * DAY_MS
    board.wait(DAY_MS)
    board = played(board, 1, 1, each=0)
    assert due(board.game) == board.now + 3 * DAY_MS
    board.check()


def test_where_there_is_no_vacation() -> None:
    for board in (begun(), begun(control=None), Board(terms(control=slow_control(3), seats=(ANN, ENGINE)))):
        assert kind(board.say(TakeVacation(WHITE, board.now + DAY_MS))) is RefusedKind.NO_VACATION
    board = slow()
    assert kind(board.say(TakeVacation(WHITE, board.now + MOST_VACATION_MS + 1))) is RefusedKind.VACATION_TOO_LONG
    board.wait(3 * DAY_MS)
    assert kind(board.say(TakeVacation(WHITE, board.now + DAY_MS))) is RefusedKind.OVER, "too late for that"
    board.check()


def test_a_journal_that_cannot_be_is_refused() -> None:
    for board, until in ((begun(), DAY_MS), (slow(), MOST_VACATION_MS + 1)):
        with pytest.raises(ValueError, match="a vacation"):
            happen(board.game, VacationTaken(WHITE, board.now + until), board.now)


@pytest.mark.parametrize(
    ("before", "outage", "left"),
    [
        pytest.param(1, 1, 2 + 3, id="within the vacation of four days, which does not become longer"),
        pytest.param(1, 4, 3, id="beyond its end, and what came after the end is charged to nobody"),
        pytest.param(5, 2, 2, id="after it, when one day was used"),
    ],
)
def test_an_outage_and_a_vacation(before: int, outage: int, left: int) -> None:
    board = slow(3)
    away(board, WHITE, 4)
    at = board.now + (before + outage) * DAY_MS
    after, _ = happen(board.game, Interrupted(outage * DAY_MS), at)
    assert due(after) == at + left * DAY_MS


schedule = st.lists(
    st.tuples(
        st.integers(0, 20 * HOUR),
        st.sampled_from(["move", "white", "black", "other"]),
        st.integers(-DAY_MS, MOST_VACATION_MS),
    ),
    max_size=40,
)


@given(st.integers(1, 14), schedule)
def test_the_deadline_of_any_turn(days: int, steps: list[tuple[int, str, int]]) -> None:
    """The days of a turn, and the part of it that is vacation: counted here by intervals, without a clock."""
    board = slow(days)
    began, resting = board.now, [0, 0]  # of the turn, and until when each is away
    spent = 0  # of the turn, by a player who was not away
    counted = board.now  # until when it is counted
    for wait, do, length in steps:
        at = board.now + wait
        mover = board.game.to_move
        limit = max(counted, resting[mover]) + days * DAY_MS - spent
        assert due(board.game) == limit
        assert limit <= began + days * DAY_MS + sum_of_vacation(board, mover, began)
        if at >= limit:
            board.wait(wait)
            assert board.game.over
            break
        spent += max(0, at - max(counted, resting[mover]))
        counted = at
        if do == "move":
            board = played(board, board.game.position.legal_moves()[0], each=wait)
            began, spent = at, 0
        elif do == "other":
            board.wait(wait)
        else:
            side = WHITE if do == "white" else BLACK
            assert board.say(TakeVacation(side, at + length), wait) is None
            resting[side] = max(at, at + length)
        if board.game.over:
            break
        clock = board.game.game.clock
        assert clock is not None
        assert max(clock.stocks) <= days * DAY_MS, "no vacation is kept as stock"
    board.check()


def sum_of_vacation(board: Board, side: int, began: int) -> int:
    """How long a player is away from the beginning of the turn on, by the journal alone."""
    until = total = 0
    counted = began
    for at, event in board.journal:
        if isinstance(event, VacationTaken) and event.side == side:
            total += max(0, min(until, at) - counted)
            until, counted = event.until, max(at, began)
    return total + max(0, until - counted)


@given(schedule, st.data())
def test_take_backs_keep_no_vacation_either(steps: list[tuple[int, str, int]], data: st.DataObject) -> None:
    board = slow(2)
    for wait, do, length in steps:
        if do == "move":
            hole = data.draw(st.sampled_from(board.game.position.legal_moves()))
            board.say(MakeMove(board.game.to_move, hole, board.game.version), wait)
        elif do == "other":
            side = data.draw(st.sampled_from([WHITE, BLACK]))
            board.say(live.AskTakeback(side), wait)
            board.say(live.AcceptTakeback(side.other))
        else:
            board.say(TakeVacation(WHITE if do == "white" else BLACK, board.now + wait + length), wait)
        if board.game.over:
            break
        clock, limit = board.game.game.clock, due(board.game)
        assert clock is not None
        assert limit is not None
        assert max(clock.stocks) <= 2 * DAY_MS
        assert board.now < limit <= max(board.now, board.game.away[board.game.to_move]) + 2 * DAY_MS
    board.check()


def test_at_a_table_the_time_of_a_turn_may_stand_still_too() -> None:
    clock = Clock.full(TimeControl(10_000)).start(WHITE, 0)
    clock = clock.resting(WHITE, 8_000, 3_000)
    assert (clock.remaining(WHITE, 8_000), clock.remaining(WHITE, 9_000), clock.falls_at()) == (7_000, 6_000, 15_000)
    assert clock.pause(4_000).start(WHITE, 5_000).falls_at() == 15_000
    assert clock.press(5_000).remaining(BLACK, 6_000) == 9_000


# A person


def test_fourteen_days_in_a_year() -> None:
    first = take((), 10, 0)
    assert first == Vacation(0, 10 * DAY_MS)
    assert isinstance(first, Vacation)
    assert days_left((first,), 20 * DAY_MS) == 4
    assert take((first,), 5, 20 * DAY_MS) == Refused(RefusedKind.NO_DAYS_LEFT, {"days": 4})
    assert take((first,), 3, 5 * DAY_MS) == Refused(RefusedKind.ALREADY_AWAY)
    assert take((Vacation(5, 5),), 3, 5) == Refused(RefusedKind.ALREADY_AWAY), "no two begin at once"
    assert take((first,), 3, 10 * DAY_MS) == Vacation(10 * DAY_MS, 13 * DAY_MS), "one ends, the next begins"
    assert days_left((first,), YEAR_MS - 5 * DAY_MS) == 4
    assert days_left((first,), YEAR_MS - 4 * DAY_MS) == 14, "while one is away, days of a year ago come free"
    for days in (0, -1, 15):
        assert take((), days, 0) == Refused(RefusedKind.VACATION_TOO_LONG, {"days": 14})


def test_ending_early_gives_back_the_days_that_have_not_begun() -> None:
    whole = Vacation(1000, 1000 + 7 * DAY_MS)
    for at, days in ((1000, 1), (1001, 1), (1000 + DAY_MS, 1), (1001 + DAY_MS, 2), (1000 + 9 * DAY_MS, 7)):
        assert whole.ended(at).days == days, at
    assert present((whole.ended(5000),), 5000) is None
    assert present((whole,), 5000) == whole


@given(st.lists(st.tuples(st.integers(0, 200 * DAY_MS), st.integers(1, 14), st.integers(0, 15 * DAY_MS)), max_size=30))
def test_no_365_days_have_more_than_14_of_vacation(wishes: list[tuple[int, int, int]]) -> None:
    taken: list[Vacation] = []
    now = 0
    for wait, days, ends in wishes:
        now += wait
        left = days_left(taken, now)
        answer = take(taken, days, now)
        if isinstance(answer, Refused):
            assert days > left or now == taken[-1].began, "no two begin at once"
            continue
        assert days <= left
        taken.append(answer.ended(now + ends))
        now = taken[-1].until
    for last in taken:
        for end in (last.began + 1, last.until, last.began + last.days * DAY_MS):
            within = sum(max(0, min(one.until, end) - max(one.began, end - YEAR_MS)) for one in taken)
            assert within <= MOST_VACATION_MS


def test_the_away_of_a_game_without_a_clock() -> None:
    assert OnlineGame.open(terms(control=None), 0).away == (0, 0)

"""What holds for every game, whatever anybody says at whatever time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from korgool import live
from korgool.conduct import TimeControl
from korgool.conduct.claims import BY_ONLINE
from korgool.conduct.control import ControlKind
from korgool.live import Manner, Proof
from korgool.live.journal import Interrupted, Moved, TimeAdded, happen
from korgool.live.lag import lag_rule
from korgool.live.terms import DAY_MS, read_clock, slow_control, write_clock
from korgool.rules import GAMES, Side

from .play import ANN, BOB, ENGINE, Board, terms

CONTROLS = (
    None,
    TimeControl(30_000),
    TimeControl(180_000, 2_000),
    TimeControl(600_000, 5_000),
    slow_control(1),
)
LATER = (ControlKind.BRONSTEIN, ControlKind.DELAY, ControlKind.BYOYOMI)
LIVE = tuple(control for control in CONTROLS if terms(control=control).live)
DEMANDS = tuple(BY_ONLINE.values())


def any_command(random: Random, board: Board) -> live.Command:
    """A command that fits now and then."""
    side = random.choice(list(Side))
    game = board.game
    if random.random() < (0.1 if game.over else 0.01):
        return live.AskRematch(side, f"game{random.randrange(100)}")
    if random.random() < 0.6 and game.begun and not game.over:
        legal = game.position.legal_moves()
        hole = random.choice(legal) if legal and random.random() < 0.95 else random.randint(-1, 12)
        mover = game.to_move if random.random() < 0.9 else side
        return live.MakeMove(mover, hole, game.version - random.choice((0, 0, 0, 1, 2)), random.random() < 0.1)
    plain = (
        live.OfferDraw,
        live.AcceptDraw,
        live.DeclineDraw,
        live.AskTakeback,
        live.AcceptTakeback,
        live.DeclineTakeback,
        live.AddTime,
        live.Join,
    )
    rare = (live.ResignGame, live.AbortGame)
    if random.random() < 0.25:
        return live.ClaimEnd(side, random.choice(DEMANDS))
    return random.choice(plain if random.random() < 0.93 else rare)(side)


def any_time(random: Random, board: Board) -> int:
    longest = DAY_MS if board.terms.slow else 4_000
    return random.choice(
        (0, 1, random.randrange(longest), random.randrange(longest * (40 if random.random() < 0.02 else 1)))
    )


@pytest.mark.parametrize("count", [15, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("manner", Manner)
@pytest.mark.parametrize("name", GAMES)
def test_any_schedule_makes_a_game_that_its_journal_makes_again(name: str, manner: Manner, count: int) -> None:
    random = Random(f"{name} {manner}")
    endings = set()
    for _ in range(count):
        control = random.choice(CONTROLS if manner is Manner.FRIENDLY else LIVE)
        seats = random.choice(((ANN, BOB), (ANN, BOB), (ANN, ENGINE), (ANN, ANN)))
        board = Board(terms(GAMES[name], control, manner, seats))
        for side in Side:
            board.say(live.Join(side))
        for _ in range(random.choice((30, 250))):
            proof = None
            if random.random() < 0.3:
                proof = Proof(board.game.board_version, random.choice((None, *Side)), "tables")
            before = board.game
            signs = tuple(board.now - random.randrange(90_000) for _ in Side)
            lags = (random.randrange(900), random.randrange(900))
            refused = board.say(
                any_command(random, board), any_time(random, board), signs=signs, lags=lags, proof=proof
            )
            if refused is not None:
                assert str(refused)
                assert board.game in (before, board.game)
            clock = board.game.game.clock
            if clock is not None and not board.game.over:
                assert clock.running is board.game.to_move
                assert min(clock.remaining(side, board.now - 7_000) for side in Side) > 0
        board.check()
        ending = board.game.ending
        endings.add("aborted" if board.game.aborted else None if ending is None else str(ending.termination))
    assert {"resignation", "time"} <= endings, endings


@given(
    st.sampled_from([TimeControl(15_000), TimeControl(60_000), TimeControl(180_000, 2_000), TimeControl(1_800_000)]),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 20_000)), max_size=80),
)
def test_no_schedule_of_lag_gives_more_than_the_quota(control: TimeControl, turns: list[tuple[int, int]]) -> None:
    """A model: at most the quota at the start and the gain of every turn, never more than the turn took."""
    rule = lag_rule(control)
    quota, given_ms = rule.most_ms, 0
    for number, (lag, took) in enumerate(turns, 1):
        one = rule.give(quota, lag, took)
        quota = rule.after(quota, one)
        given_ms += one
        assert 0 <= one <= min(lag, took)
        assert 0 <= quota <= rule.most_ms
        assert given_ms <= rule.most_ms + (number - 1) * rule.gain_ms


def lagging_command(random: Random, game: live.OnlineGame) -> live.Command:
    """Mostly a move; sometimes what happens between moves."""
    if random.random() < 0.75:
        return live.MakeMove(game.to_move, random.choice(game.position.legal_moves()), game.version)
    kinds = (live.AskTakeback, live.AcceptTakeback, live.AddTime, live.OfferDraw, live.DeclineDraw)
    return random.choice(kinds)(random.choice(list(Side)))


@pytest.mark.parametrize("count", [8, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("seconds", [51, 99, 600])
@pytest.mark.parametrize("name", GAMES)
def test_lag_gives_no_player_more_than_the_quota_and_costs_the_opponent_nothing(
    name: str, seconds: int, count: int
) -> None:
    """The clocks beside a model that knows only who was on the move how long, and what was given back.

    Pings are answered as late as anybody likes, turns have several plies, and turns are taken back.
    """
    random = Random(f"{name} {seconds}")
    control, plies = TimeControl(seconds * 1000), 0
    rule = lag_rule(control)
    for _ in range(count):
        board = Board(terms(GAMES[name], control))
        for side in Side:
            board.say(live.Join(side))
        left, given_ms, turns = [control.initial_ms] * 2, [0, 0], [0, 0]
        while board.game.plies < 60:
            took, lags = random.choice((0, random.randrange(5_000))), (random.randrange(9_000), random.randrange(9_000))
            side, events = board.game.to_move, len(board.journal)
            board.say(lagging_command(random, board.game), took, lags=lags)
            left[side] -= took
            for _, event in board.journal[events:]:
                if isinstance(event, Moved):
                    left[side] += event.lag_ms
                    given_ms[side] += event.lag_ms
                    turns[side] += board.game.to_move is not side
                    plies += 1
                elif isinstance(event, TimeAdded):
                    left[event.side] += event.ms
            if board.game.over:
                break
            clock = board.game.game.clock
            assert clock is not None
            assert [clock.remaining(side, board.now) for side in Side] == [max(0, one) for one in left]
            assert all(given_ms[side] <= rule.most_ms + rule.gain_ms * turns[side] for side in Side)
        board.check()
    assert plies > 12 * count


def test_an_interruption_is_charged_to_nobody() -> None:
    board = Board(terms())
    for side in Side:
        board.say(live.Join(side))
    board.wait(4_000)
    after, _ = happen(board.game, Interrupted(3_600_000), board.now + 3_600_500)
    assert after.game.now == board.game.game.now + 3_600_000, "nothing of the game goes back in time"
    clock = after.game.clock
    assert clock is not None
    assert clock.remaining(Side.WHITE, board.now + 3_600_500) == 600_000 - 4_500
    after, _ = happen(board.game, Interrupted(0), board.now)
    assert (after.version, after.game) == (board.game.version + 1, board.game.game)
    with pytest.raises(ValueError, match="no server was away"):
        happen(board.game, Interrupted(4_001), board.now)


def test_a_damaged_journal_is_named() -> None:
    board = Board(terms())
    for side in Side:
        board.say(live.Join(side))
    board.say(live.MakeMove(Side.WHITE, 1, board.game.version))
    board.journal *= 2
    with pytest.raises(ValueError, match="event 7: the game has begun already"):
        board.check()


def test_clocks_are_read_as_they_are_written_or_refused() -> None:
    read = 0

    @given(
        st.text(max_size=12)
        | st.from_regex(r"[0-9]{1,3}(d|\+[0-9]{1,2})", fullmatch=True)
        | st.from_regex(r"[0-9]{1,2}\+0 (delay|bronstein) [0-9]|[0-9]{1,2}\+0 byoyomi [0-9]x[0-9]{2}", fullmatch=True)
    )
    def check(text: str) -> None:
        nonlocal read
        try:
            control = read_clock(text)
        except ValueError as error:
            assert "or none, or 1d to 14d" in str(error)
        else:
            assert read_clock(write_clock(control)) == control
            read += 1

    check()
    assert read > 20, "clocks were among the texts"


def test_a_control_is_written_exactly_or_makes_no_game() -> None:
    written = refused = 0
    times = st.integers(0, 20_000) | st.integers(0, 400).map(lambda number: number * 60) | st.just(2_000)

    @given(times, times, st.sampled_from(ControlKind), times, st.integers(0, 3), st.integers(0, 40))
    def check(stock: int, increment: int, kind: ControlKind, delay: int, periods: int, moves: int) -> None:
        nonlocal written, refused
        more, delay = (increment if kind is ControlKind.FISCHER else 0), (delay if kind in LATER else 0)
        try:
            control = TimeControl(stock, more, kind, delay, periods, moves)
        except ValueError:
            assume(False)
        try:
            text = write_clock(control)
        except ValueError as error:
            assert "no text states" in str(error)
            with pytest.raises(ValueError, match="no text states"):
                terms(control=control)
            refused += 1
            return
        told = read_clock(text)
        assert told is not None
        same = (told.initial_ms, told.increment_ms, told.delay_ms, told.overtime_ms)
        assert same == (control.initial_ms, control.increment_ms, control.delay_ms, control.overtime_ms)
        assert told.moves in (moves, moves - 1)  # one turn for a period is the usual one
        assert write_clock(told) == text
        assert terms(control=control).control == control
        written += 1

    check()
    assert min(written, refused) > 10


@pytest.mark.parametrize("text", ["none", "1d", "14d", "10+5", "5+0 delay 3", "10+0 byoyomi 1x30", "10+0 byoyomi 3x30"])
def test_a_clock_is_written_as_it_was_read(text: str) -> None:
    assert write_clock(read_clock(text)) == text


def test_what_days_cannot_say_is_written_as_a_byo_yomi_if_that_can() -> None:
    for ms, text in ((9_999_000, "0+0 byoyomi 1x9999"), (DAY_MS // 2, ""), (DAY_MS + 1000, ""), (15 * DAY_MS, "")):
        control = TimeControl(0, kind=ControlKind.BYOYOMI, delay_ms=ms, periods=1)
        if text:
            assert write_clock(control) == text
        else:
            with pytest.raises(ValueError, match="no more than four digits"):
                write_clock(control)


def test_clocks_in_words() -> None:
    assert read_clock("none") is None
    assert read_clock("10+5") == TimeControl(600_000, 5_000)
    assert read_clock("3d") == slow_control(3)
    assert read_clock("10+0 byoyomi 3x30") == TimeControl(600_000, 0, ControlKind.BYOYOMI, 30_000, 3)
    assert read_clock("15+10 40 moves x2") == TimeControl(900_000, 10_000, periods=2, moves=40)
    for text in ("0d", "15d", "01d", "d", "1d ", "", "10"):
        with pytest.raises(ValueError, match="or none, or 1d to 14d"):
            read_clock(text)

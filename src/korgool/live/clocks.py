"""Clocks under the events of a game: recorded times, lag, more time, take-backs, and time charged to neither player."""

from __future__ import annotations

from dataclasses import replace

from korgool.conduct.clock import Clock
from korgool.conduct.state import changed, paired
from korgool.live.game import OnlineGame
from korgool.live.vacations import MOST_VACATION_DAYS, MOST_VACATION_MS
from korgool.rules import Side


def clock_set(game: OnlineGame, stocks: tuple[int, int] | None, at: int) -> OnlineGame:
    """Set the clock to `stocks`, or with None to what it showed when it was started; it runs on from `at`."""
    clock = game.game.clock
    if clock is None:
        return game
    since = 0 if clock.running is None else at
    clock = replace(clock, stocks=clock.stocks if stocks is None else stocks, since=since)
    return changed(game, game=changed(game.game, clock=clock))


def lag_given(game: OnlineGame, ms: int) -> OnlineGame:
    """Let the running time have begun `ms` milliseconds later, because a move was under way for so long."""
    clock = game.game.clock
    if not ms or clock is None or clock.running is None:
        return game
    return changed(game, game=changed(game.game, clock=replace(clock, since=clock.since + ms)))


def time_added(game: OnlineGame, side: Side, ms: int) -> OnlineGame:
    """Give `side` so many milliseconds more, which a take-back does not take away.

    Raises:
        ValueError: the game has no clock.
    """
    clock = game.game.clock
    if clock is None:
        raise ValueError("the game has no clock")
    before = tuple(None if one is None else _with_more(one, side, ms) for one in game.clocks)
    return changed(game, game=changed(game.game, clock=_with_more(clock, side, ms)), clocks=before)


def _with_more(clock: Clock, side: Side, ms: int) -> Clock:
    return replace(clock, stocks=paired(clock.stocks, side, clock.stocks[side] + ms))


def rested(game: OnlineGame, side: Side, until: int, at: int) -> OnlineGame:
    """Let the days of `side` stand still until `until`; one that is over ends a vacation now.

    Raises:
        ValueError: the turns have no days, or the vacation is too long.
    """
    clock = game.game.clock
    if clock is None or not game.terms.slow:
        raise ValueError("a vacation belongs to games with days for every turn")
    if until - at > MOST_VACATION_MS:
        raise ValueError(f"a vacation is {MOST_VACATION_DAYS} days at most")
    return changed(game, game=changed(game.game, clock=clock.resting(side, until, at)))


def taken_back(game: OnlineGame, plies: int, at: int) -> OnlineGame:
    """Take back so many plies. The time used for them stays spent, except in a game with days for every turn.

    Raises:
        ValueError: the game has fewer plies.
    """
    if not 0 < plies <= game.plies:
        raise ValueError(f"{plies} plies cannot be taken back of {game.plies}")
    state, left = game.game, game.plies - plies
    before = game.clocks[left]
    clock = state.clock
    if clock is not None and before is not None:
        now = clock.remaining(Side.WHITE, at), clock.remaining(Side.BLACK, at)
        least = min(now[0], before.stocks[0]), min(now[1], before.stocks[1])
        stocks = before.stocks if game.terms.slow else least
        turns = _turns(before, Side.WHITE, stocks[0]), _turns(before, Side.BLACK, stocks[1])
        clock = Clock(clock.control, stocks, turns=turns, rests=clock.rests).start(state.positions[left].to_move, at)
    taken = changed(
        state,
        now=max(state.now, at),
        clock=clock,
        positions=state.positions[: left + 1],
        moves=state.moves[:left],
        hand=None,
        offered=None,
    )
    return changed(game, game=taken, clocks=game.clocks[:left], asks=None, declined=(-1, -1), offered=(-1, -1))


def _turns(before: Clock, side: Side, stock: int) -> int:
    """The completed turns that count for `side` again when its stock is `stock`; in another period none do."""
    length = before.control.delay_ms
    if not before.control.overtime_ms or -(-(before.stocks[side] + before.used[side]) // length) == -(-stock // length):
        return before.turns[side]
    return 0


def interrupted(game: OnlineGame, ms: int, at: int) -> OnlineGame:
    """Let everything that runs in the game run `ms` milliseconds later.

    Raises:
        ValueError: the last event is not so long ago.
    """
    if not 0 <= ms <= at - game.at:
        raise ValueError(f"no server was away for {ms} ms of the {at - game.at} ms since the last event")
    state = game.game
    clock = state.clock
    if clock is not None and clock.running is not None:
        counted = max(clock.since, clock.rests[clock.running])
        # Of a vacation that lasted when the server went away, nothing is made longer.
        clock = replace(clock, since=counted + ms if counted <= at - ms else at)
    started = state.started if state.terms is None else state.started + ms
    state = changed(state, clock=clock, now=state.now + ms, started=started)
    return changed(game, opened=game.opened + ms, game=state)

"""What holds for any events in any order: no two clocks, no time made, no ruling without clause, no exception."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from korgool.conduct import By, Clock, Event, GameState, Refusal, Ruling, TimeControl, apply
from korgool.conduct.events import Action, ClockFault, NextSet, Press, Restore, SetClock, Start
from korgool.conduct.ruling import RulingKind
from korgool.conduct.summary import summary
from korgool.rules import GAMES, Side
from tests.conduct.logs import random_action, random_log
from tests.conduct.table import check_ruling

PER_LOG = 60


def check_step(before: GameState, event: Event, after: GameState, answer: Ruling | Refusal | None) -> None:
    """What must hold of every step."""
    if isinstance(answer, Refusal):
        assert answer.reason
        assert after is before
        return
    assert after.now == event.at >= before.now
    if answer is not None:
        assert "§" in answer.clause
        if not answer.granted:
            assert not answer.changes
            over = before.hand is not None and before.hand.outcome is not None
            assert after.ending == before.ending or over, "the board had ended the game, only the press was missing"
            assert after.position == before.position
        if after.ending is not None and "result" in answer.changes:
            assert answer.clause == after.ending.clause
    if after.ending is not None and before.ending is None:
        assert answer is not None or (before.hand is not None and before.hand.outcome is not None)
    if after.ending is None and after.positions and after.position.outcome() is not None:
        assert after.hand is not None, "only a move that waits for its press may have ended the game"
    check_clock(after)
    if not isinstance(event.action, ClockFault | Restore | SetClock | NextSet | Start):
        check_time(before, event, after)


def check_clock(state: GameState) -> None:
    clock = state.clock
    if clock is None or state.terms is None:
        return
    if state.ending is not None or state.paused:
        assert clock.running is None
    else:
        assert clock.running is state.running


def check_time(before: GameState, event: Event, after: GameState) -> None:
    """Only the player whose clock ran loses time, and a player gains time only by pressing after their move."""
    clock, later = before.clock, after.clock
    if clock is None or later is None:
        return
    for side in Side:
        left, now = clock.remaining(side, event.at), later.remaining(side, event.at)
        assert left <= clock.remaining(side, before.now)
        by = event.by.side if event.by is not By.REFEREE else before.running
        if isinstance(event.action, Press) and side in (by, event.action.player) and before.hand is not None:
            assert now >= left
            assert left or not now, "a fallen flag stays down"
        else:
            assert now == left


def check_end(state: GameState) -> None:
    found = summary(state)
    assert list(found)[:7] == ["result", "result_text", "termination", "stores", "clock", "warnings", "clause"]
    assert found["result"] in ("1-0", "0-1", "1/2-1/2", "0-0", "*")
    assert (found["result"] == "*") == (found["termination"] is None) == (found["clause"] is None)


def run_logs(seed: int, count: int, length: int = PER_LOG) -> set[RulingKind]:
    random, kinds = Random(seed), set[RulingKind]()
    for _ in range(count):
        state = GameState()
        for before, event, after, answer in random_log(random, length):
            check_step(before, event, after, answer)
            state = after
            if isinstance(answer, Ruling):
                if answer.kind not in kinds:
                    check_ruling(answer)
                kinds.add(answer.kind)
        check_end(state)
    return kinds


def test_random_logs() -> None:
    """Four hundred logs: nothing raises, and nearly every kind of ruling occurs; drawn positions have a test."""
    kinds = run_logs(1, 400)
    named = {kind for kind in RulingKind if kind.startswith("drawn_position")}
    assert len(kinds | named) >= len(RulingKind) - 5, set(RulingKind) - kinds


@pytest.mark.long
@pytest.mark.parametrize("part", range(100))
def test_a_million_random_logs(part: int) -> None:
    run_logs(1_000 + part, 10_000)


class Refereeing(RuleBasedStateMachine):
    """Anybody does anything at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.state = GameState()

    @initialize(
        game=st.sampled_from(list(GAMES.values())), base=st.integers(1, 60_000), increment=st.integers(0, 5_000)
    )
    def begin(self, game: object, base: int, increment: int) -> None:
        rules = GAMES[getattr(game, "name", "toguz")]
        self.act(By.REFEREE, Start(rules, TimeControl(base, increment)), 0)

    def act(self, by: By, action: Action, passed: int) -> None:
        event = Event(self.state.now + passed, by, action)
        before = self.state
        twin = GameState(**{name: getattr(before, name) for name in before.__dataclass_fields__})
        answer = apply(before, event)
        assert before == twin, "a state never changes"
        assert apply(before, event) == answer, "the same events give the same rulings"
        if isinstance(answer, Refusal):
            check_step(before, event, before, answer)
        else:
            check_step(before, event, answer[0], answer[1])
            self.state = answer[0]

    @rule(random=st.randoms(use_true_random=False), by=st.sampled_from(list(By)), passed=st.integers(0, 20_000))
    def anything(self, random: Random, by: By, passed: int) -> None:
        self.act(by, random_action(random, self.state), passed)

    @rule(hole=st.integers(0, 8), thinking=st.integers(0, 5_000), pressing=st.integers(0, 1_000))
    def turn(self, hole: int, thinking: int, pressing: int) -> None:
        from korgool.conduct.events import Move

        moves = self.state.position.legal_moves()
        if moves:
            by = (By.WHITE, By.BLACK)[self.state.position.to_move]
            self.act(by, Move(moves[hole % len(moves)]), thinking)
            self.act(by, Press(), pressing)

    @invariant()
    def the_clock_is_one(self) -> None:
        check_clock(self.state)
        check_end(self.state)


class Ticking(RuleBasedStateMachine):
    """A clock alone: one runs, and the sum of both changes only by what passed and what was earned."""

    def __init__(self) -> None:
        super().__init__()
        self.clock: Clock = Clock.full(TimeControl(30_000, 1_000))
        self.now = self.earned = self.passed = 0

    def wait(self, passed: int) -> None:
        running = self.clock.running
        if running is not None:
            self.passed += min(passed, self.clock.remaining(running, self.now))
        self.now += passed

    @rule(passed=st.integers(0, 8_000))
    def hand_over(self, passed: int) -> None:
        self.wait(passed)
        side = self.clock.running
        if side is None:
            with pytest.raises(ValueError, match="stands still"):
                self.clock.hand_over(self.now)
        else:
            self.earned += 1_000 if self.clock.remaining(side, self.now) else 0
            self.clock = self.clock.hand_over(self.now)
            assert self.clock.running is side.other

    @rule(passed=st.integers(0, 8_000))
    def pause(self, passed: int) -> None:
        self.wait(passed)
        self.clock = self.clock.pause(self.now)

    @rule(side=st.sampled_from(list(Side)), passed=st.integers(0, 8_000))
    def start(self, side: Side, passed: int) -> None:
        self.wait(passed)
        self.clock = self.clock.start(side, self.now)

    @invariant()
    def time_is_conserved(self) -> None:
        total = sum(self.clock.remaining(side, self.now) for side in Side)
        assert total == 60_000 + self.earned - self.passed


TestRefereeing = Refereeing.TestCase
TestTicking = Ticking.TestCase
TestRefereeing.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestTicking.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)

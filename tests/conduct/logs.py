"""Random logs: every kind of event by anybody at any time, most of them sensible enough to get somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from korgool.conduct import By, ControlKind, Event, GameState, Options, Refusal, Ruling, TimeControl, apply
from korgool.conduct.claims import BY_LOG, ClaimKind
from korgool.conduct.events import (
    Accept,
    Action,
    Arrive,
    Claim,
    ClockFault,
    Decline,
    Flag,
    Leave,
    Lots,
    Move,
    NextSet,
    Offer,
    Pause,
    Press,
    Resign,
    Restore,
    Resume,
    SetClock,
    Sign,
    Spill,
    Start,
    Warn,
)
from korgool.rules import GAMES, Side

_PLAYERS = (By.WHITE, By.BLACK)
_DEMANDS = tuple(BY_LOG.values())
_REASONS: tuple[Any, ...] = ("conversation", "record", "disrespect", "obstruction", "rules")
_LATE: dict[str, tuple[str, ...]] = {
    "toguz": ("7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5", "8,1S/8,1S 81 79 S 30", "1S,8/8,1S 80 80 S 40"),
    "mangala": ("1S,5/5,1S 20 26 S 9", "4,2S,1S/3,2S,1S,1S 20 21 N 9"),
    "castle": ("1S,5/5,1S 20 26 S 9", "4,2S,1S/3,2S,1S,1S 20 21 N 9"),
    "bestemshe": ("4,1S/4,1S 25 23 S 12", "1S,4/4,1S 24 24 S 12", "3,2S,1S/2,1S,1S,1S 22 22 S 9"),
}
"""Positions shortly before the end."""
_RESULTS = (None, "1-0", "0-1", "1/2-1/2", "1 (82) - 0 (60)")


def random_control(random: Random) -> TimeControl:
    kind = random.choice(list(ControlKind))
    base = random.choice((1, 500, 20_000, 900_000, 3_600_000))
    delay = random.choice((1, 700, 5_000)) if kind not in (ControlKind.SUDDEN, ControlKind.FISCHER) else 0
    increment = random.choice((0, 1, 3_000)) if kind is ControlKind.FISCHER else 0
    moves = random.choice((0, 0, 1, 3))
    periods = random.randint(1, 3) if kind is ControlKind.BYOYOMI or moves else 0
    return TimeControl(base, increment, kind, delay, periods, moves)


def random_start(random: Random) -> Start:
    rules = random.choice(list(GAMES.values()))
    late = random.random() < 0.5
    options = Options(
        automatic_flags=random.random() < 0.2,
        both_flags=random.choice(("draw", "compare")),
        late_ms=random.choice((None, 1_000)),
        sets=1 if late else random.choice((1, 1, 2)),
        set_clock=random.random() < 0.5,
    )
    return Start(
        rules,
        random_control(random),
        random.random() < 0.9,
        random.choice(_LATE[rules.name]) if late else None,
        options,
    )


def random_action(random: Random, state: GameState, quiet: bool = False) -> Action:
    """Any action; most are moves that can be played, and presses. Quiet games have little beside them."""
    side = random.choice((None, Side.WHITE, Side.BLACK))
    player = random.choice(list(Side))
    moves = state.position.legal_moves() if state.positions else ()
    chance = random.random()
    if chance < 0.4:
        return Move(random.choice(moves) if moves and chance < 0.38 else random.randint(0, 11))
    if chance < 0.7:
        return Press()
    if quiet and chance < 0.97:
        sure = Offer() if state.hand is not None else Press()
        return Claim(random.choice((ClaimKind.FOURTH_OFFER, ClaimKind.THREEFOLD))) if chance > 0.94 else sure
    time = random.choice((None, 0, 1, 400, 100_000))
    return random.choice(
        (
            Offer(),
            Offer(),
            Offer(),
            Accept(),
            Decline(),
            Resign() if random.random() < 0.2 else Press(),
            Claim(random.choice(_DEMANDS), side),
            Claim(ClaimKind.FLAG),
            Flag(side),
            Warn(player, random.choice(_REASONS), random.choice((None, "WNG-TK §VII"))),
            Press(side),
            Pause(),
            Resume(),
            Resume(),
            ClockFault(time, random.choice((None, 5_000)), side),
            SetClock(),
            Spill(side),
            Restore(str(random.choice(state.positions)) if state.positions else "nowhere", time, None),
            Sign(random.choice(_RESULTS)),
            Sign(),
            NextSet(),
            Arrive(side),
            Leave(side),
            random_start(random),
            Lots(("a", "b"), str(random.random())),
        )
    )


def random_log(random: Random, length: int) -> Iterator[tuple[GameState, Event, GameState, Ruling | Refusal | None]]:
    """Apply random events to a game from its start: the state before, the event, the state after, the answer."""
    state, at, quiet = GameState(), 0, random.random() < 0.4
    for number in range(length):
        action = random_action(random, state, quiet)
        if state.terms is None and number >= (0 if quiet else random.randint(0, 4)):
            action = random_start(random)
        at = max(0, at + random.choice((0, 0, 1, 30, 900) if quiet else (0, 0, 1, 30, 900, 9_000, 400_000, -1)))
        whose = _PLAYERS[state.turn] if state.positions and random.random() < 0.8 else random.choice(list(By))
        by = By.REFEREE if isinstance(action, Lots | Start | Warn | Resume | Restore | NextSet) else whose
        if random.random() < 0.05:
            by = random.choice(list(By))
        event = Event(at, by, action)
        answer = apply(state, event)
        if isinstance(answer, Refusal):
            yield state, event, state, answer
            at = state.now
        else:
            yield state, event, answer[0], answer[1]
            state = answer[0]

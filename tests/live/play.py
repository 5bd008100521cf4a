"""Games for the tests of live play: terms, and a table at which commands follow one another."""

from __future__ import annotations

from typing import Any

from korgool.conduct import TimeControl
from korgool.live import (
    Command,
    Facts,
    GameTerms,
    Happening,
    Join,
    MakeMove,
    Manner,
    OnlineGame,
    Refused,
    RefusedKind,
    Seat,
    SeatKind,
    begin,
    decide,
    replay,
    tick,
)
from korgool.live.journal import Moved, happen
from korgool.rules import TOGUZ_KORGOOL, Rules, Side

ANN, BOB = Seat(SeatKind.PERSON, "ann"), Seat(SeatKind.PERSON, "bob")
ENGINE = Seat(SeatKind.ENGINE, strength=3)
WHITE, BLACK = Side.WHITE, Side.BLACK
TEN = TimeControl(600_000, 5_000)
FRIENDLY, COMPETITION = Manner.FRIENDLY, Manner.COMPETITION


def terms(
    rules: Rules = TOGUZ_KORGOOL,
    control: TimeControl | None = TEN,
    manner: Manner = FRIENDLY,
    seats: tuple[Seat, Seat] = (ANN, BOB),
    **more: Any,
) -> GameTerms:
    return GameTerms(rules, seats, control, manner, **more)


class Board:
    """A game, its journal, and the time."""

    def __init__(self, agreed: GameTerms, now: int = 1_000_000) -> None:
        self.terms = agreed
        self.now = self.opened = now
        self.journal: list[tuple[int, Happening]] = []
        first = begin(agreed, now)
        self.game: OnlineGame = first.after
        self.journal += [(now, event) for event in first.events]

    def say(self, command: Command, after: int = 0, **facts: Any) -> Refused | None:
        """Let a command arrive `after` milliseconds later, as a server would: time first, then the command."""
        self.wait(after, **facts)
        answer = decide(self.game, command, self.now, Facts(**facts))
        if isinstance(answer, Refused):
            return answer
        self._store(answer.events, answer.after)
        return None

    def wait(self, ms: int, **facts: Any) -> None:
        """Let time pass, and what it decides happen."""
        self.now += ms
        decided = tick(self.game, self.now, Facts(**facts))
        self._store(decided.events, decided.after)

    def _store(self, events: tuple[Happening, ...], after: OnlineGame) -> None:
        assert after.version == self.game.version + len(events)
        self.journal += [(self.now, event) for event in events]
        self.game = after

    def check(self) -> None:
        """What holds after whatever has happened: the journal makes the same game, and no stone is lost."""
        assert replay(self.terms, self.opened, self.journal) == self.game
        assert self.game.version == len(self.journal)
        position = self.game.position
        assert sum(map(sum, position.holes)) + sum(position.stores) == position.rules.total
        assert len(self.game.clocks) == self.game.plies
        before = OnlineGame.open(self.terms, self.opened)
        for at, event in self.journal:
            after, _ = happen(before, event, at)
            if isinstance(event, Moved) and (after.sown is not None or not after.over):
                assert after.sown == before.position.sow(event.hole)
            before = after


def begun(**changes: object) -> Board:
    """Both have come."""
    board = Board(terms(**changes))  # type: ignore[arg-type]
    for side in Side:
        assert board.say(Join(side)) is None
    return board


def played(board: Board, *holes: int, each: int = 1000) -> Board:
    for hole in holes:
        assert board.say(MakeMove(board.game.to_move, hole, board.game.version), each) is None
    return board


def kind(answer: Refused | None) -> RefusedKind:
    assert answer is not None
    assert str(answer)
    return answer.kind


def remaining(board: Board, side: Side) -> int:
    assert board.game.game.clock is not None
    return board.game.game.clock.remaining(side, board.now)

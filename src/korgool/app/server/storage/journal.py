"""One game on the platform as a sequence of journal entries: the same steps run it live and rebuild it from disk.

`Play` changes only by `apply`, and only entries that are on disk are applied. The `propose_…` methods say which entries
a command would add; they change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import msgspec

from korgool.conduct import Clock, TimeControl
from korgool.notation.moves import format_move
from korgool.rules import GAMES, Game, Outcome, Position, Side, Sowing, Termination

Kind = Literal["start", "move", "undo", "resign", "time", "claim", "repetition"]


class Payload(msgspec.Struct, frozen=True, omit_defaults=True):
    """The data of an entry besides its kind.

    Attributes:
        hole: of a move, the hole number.
        plies: of an undo, how many plies are taken back.
        side: of a resignation, a fallen flag or a claim, whose it is.
        stocks: milliseconds on the clocks of White and Black after the entry, where the game has a clock.
        device: of a move of the engine, whether the visitor's device has found it.
    """

    hole: int = 0
    plies: int = 0
    side: int | None = None
    stocks: tuple[int, int] | None = None
    device: bool = False


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of a game's journal. `version` counts from 1 without gaps; `at_ms` is the time of day since 1970."""

    version: int
    at_ms: int
    kind: Kind
    payload: Payload


@dataclass(frozen=True, slots=True)
class Terms:
    """What is fixed before the first move.

    Attributes:
        id: the game's address, 12 letters and digits.
        game: the rules by their short name.
        visitor: the visitor who plays against the engine.
        side: the side of the visitor.
        level: the engine's level, from 1, `PERFECT`, or a rating.
        clock: `none`, or a time control such as `10+5`.
        started_ms: time of day since 1970, in milliseconds.
        start: text of the position that the game begins with, None for the usual start.
    """

    id: str
    game: str
    visitor: str
    side: Side
    level: int
    clock: str
    started_ms: int
    start: str | None = None

    def position(self) -> Position:
        """The position that the game begins with."""
        rules = GAMES[self.game]
        return rules.start() if self.start is None else Position.parse(self.start, rules)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The entries that a command would add to the journal, and the state of the game after them.

    Attributes:
        entries: the entries, in order.
        to_move: the side to move after them.
        outcome: the outcome after them, or None.
    """

    entries: tuple[JournalEntry, ...]
    to_move: Side
    outcome: Outcome | None


class Play:
    """A game of a visitor against the engine. Not thread-safe."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.game = Game(terms.position())
        self.entries: list[JournalEntry] = []
        self.sowings: list[Sowing] = []
        self.texts: list[str] = []
        self.clock: Clock | None = None if terms.clock == "none" else Clock.full(TimeControl.parse(terms.clock))
        self._stocks: list[tuple[int, int] | None] = [self.clock.stocks if self.clock else None]

    @classmethod
    def replay(cls, terms: Terms, entries: Iterable[JournalEntry], now: int) -> Play:
        """The game that these entries describe; its clock continues from `now` with the times of the last entry."""
        play = cls(terms)
        for entry in entries:
            play.apply(entry, now)
        return play

    @property
    def version(self) -> int:
        """The version of the last entry, 0 before the first."""
        return len(self.entries)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.game.outcome()

    @property
    def engine_to_move(self) -> bool:
        """Whether the game goes on and waits for the engine."""
        return self.outcome is None and self.game.position.to_move != self.terms.side

    def apply(self, entry: JournalEntry, now: int) -> None:
        """Apply one entry that is on disk; `now` is when the clock of the side to move starts or continues.

        Raises:
            ValueError: the entry does not follow, which means that the journal is damaged.
        """
        if entry.version != self.version + 1:
            raise ValueError(f"game {self.terms.id}: entry {entry.version} follows {self.version}, one is missing")
        payload = entry.payload
        match entry.kind:
            case "move":
                sowing = self.game.sow(payload.hole)
                self.sowings.append(sowing)
                self.texts.append(format_move(sowing))
                self._stocks.append(payload.stocks)
            case "undo":
                for _ in range(payload.plies):
                    self.game.undo()
                    self.sowings.pop()
                    self.texts.pop()
                    self._stocks.pop()
            case "resign" | "time" | "claim" | "repetition":
                loser = None if payload.side is None or entry.kind == "claim" else Side(payload.side)
                self.game.conclude(None if loser is None else loser.other, _TERMINATIONS[entry.kind])
        self.entries.append(entry)
        if self.clock is not None and payload.stocks is not None:
            self.clock = Clock(self.clock.control, payload.stocks)
            if self.outcome is None:
                self.clock = self.clock.start(self.game.position.to_move, now)

    def propose_start(self, at_ms: int) -> Proposal:
        """The first entry."""
        entry = JournalEntry(1, at_ms, "start", Payload(stocks=self.clock.stocks if self.clock else None))
        return Proposal((entry,), self.game.position.to_move, None)

    def propose_move(self, hole: int, at_ms: int, now: int, *, device: bool = False) -> Proposal:
        """A move, and the end of the game if the position occurs for the third time.

        An unattended server ends the game by repetition without a claim (Rules.threefold).

        Raises:
            ValueError: the hole cannot be sown.
        """
        sowing = self.game.position.sow(hole)
        clock = self.clock
        if clock is not None and not sowing.extra_turn:
            clock = clock.press(now)
        stocks = _stocks(clock, now)
        entries = [JournalEntry(self.version + 1, at_ms, "move", Payload(hole=hole, stocks=stocks, device=device))]
        outcome, threefold = sowing.outcome, self.game.rules.threefold
        if outcome is None and threefold and len(self.game.stood(sowing.after)) + 1 >= threefold:
            entries.append(JournalEntry(self.version + 2, at_ms, "repetition", Payload(stocks=stocks)))
            outcome = Outcome(None, Termination.REPETITION, sowing.after.stores)
        return Proposal(tuple(entries), sowing.after.to_move, outcome)

    @property
    def undo_plies(self) -> int:
        """How many plies ago the visitor last moved; 0 if the visitor has not moved yet."""
        if self.outcome is not None:
            return 0
        own = (back for back, sowing in enumerate(reversed(self.sowings), 1) if sowing.mover == self.terms.side)
        return next(own, 0)

    def repeats(self, hole: int, version: int) -> bool:
        """Whether sowing `hole` at `version` is the visitor's last move and their latest action."""
        later = self.entries[version:]
        if not 0 < version < self.version or any(entry.kind not in _ENGINES for entry in later[1:]):
            return False
        moves = [entry for entry in later if entry.kind == "move"]
        if later[0].kind != "move" or later[0].payload.hole != hole:
            return False
        first, *replies = self.sowings[-len(moves) :]
        own = self.terms.side
        return first.mover is own and all(sowing.mover is not own for sowing in replies)

    def propose_undo(self, at_ms: int, now: int) -> Proposal:
        """Take back to the visitor's last turn. Time used stays used, and increments earned since then are lost.

        Raises:
            ValueError: the visitor has played nothing, or the game is over.
        """
        plies = self.undo_plies
        if not plies:
            raise ValueError("nothing has been played that could be taken back")
        stocks, before = _stocks(self.clock, now), self._stocks[-1 - plies]
        if stocks is not None and before is not None:
            stocks = min(stocks[0], before[0]), min(stocks[1], before[1])
        entry = JournalEntry(self.version + 1, at_ms, "undo", Payload(plies=plies, stocks=stocks))
        return Proposal((entry,), self.terms.side, None)

    def propose_end(self, kind: Literal["resign", "time", "claim"], side: Side, at_ms: int, now: int) -> Proposal:
        """The end by the resignation or the fallen flag of `side`, or by its claim of a draw."""
        payload = Payload(side=int(side), stocks=_stocks(self.clock, now))
        winner = None if kind == "claim" else side.other
        outcome = Outcome(winner, _TERMINATIONS[kind], self.game.position.stores)
        return Proposal((JournalEntry(self.version + 1, at_ms, kind, payload),), self.game.position.to_move, outcome)

    def flagged(self, now: int) -> Side | None:
        """The side whose time has run out in a game that goes on, or None."""
        return None if self.clock is None or self.outcome is not None else self.clock.flagged(now)


_ENGINES = {"move", "repetition", "time"}
"""What may follow a move of the visitor without an action of the visitor."""
_TERMINATIONS: dict[Kind, Termination] = {
    "resign": Termination.RESIGNATION,
    "time": Termination.TIME,
    "claim": Termination.REPETITION,
    "repetition": Termination.REPETITION,
}


def _stocks(clock: Clock | None, now: int) -> tuple[int, int] | None:
    return None if clock is None else (clock.remaining(Side.WHITE, now), clock.remaining(Side.BLACK, now))

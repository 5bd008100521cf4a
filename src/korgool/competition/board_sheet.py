"""`BoardSheet`: the scoresheet of a board as a phone keeps it, a value that follows from its lines.

One device keeps the sheet: it taps the holes as they are sown, and the rules write the rest. The device of the other
player looks on, may object to a move, and confirms the whole at the end; that disturbs no game. What was tapped wrongly
is taken back by the keeper and stays visible as a correction. The sheet of a helper needs no confirmation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from korgool.competition.errors import CompetitionError
from korgool.competition.result_sources import result_of
from korgool.conduct.ending import Ending
from korgool.conduct.scoresheet import format_turn, turns
from korgool.languages import N_
from korgool.notation import Record, write_record
from korgool.rules import Game, Match, Outcome, Position, Rules, Side, Termination

SideName: TypeAlias = Literal["white", "black"]
Keeper: TypeAlias = Literal["white", "black", "official"]
Deed: TypeAlias = Literal["keep", "move", "undo", "object", "agree", "end", "next"]
MOST_LINES: Final = 3_000
"""Lines of one sheet."""
_DECLARED: Final = {
    "resignation": Termination.RESIGNATION,
    "time": Termination.TIME,
    "agreement": Termination.AGREEMENT,
    "repetition": Termination.REPETITION,
}
_DRAWN: Final = ("agreement", "repetition")


class SheetRefusalError(CompetitionError):
    """A line that the sheet does not take.

    Attributes:
        conflict: whether others have changed meanwhile what it is about.
    """

    conflict = False


class SheetConflictError(SheetRefusalError):
    """A line about something that others have changed meanwhile."""

    conflict = True


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A line as a device asks for it.

    Attributes:
        id: its id, by which it happens once.
        do: `keep`: this device keeps the sheet from here on; `move`; `undo`: only the first `ply` plies stay; `object`:
            ply `ply` was another move; `agree`: `side` confirms all `ply` plies, and the ending where there is one;
            `end`: the game ends by a declaration; `next`: the next set begins.
        set: the set that it is about, from 1.
        ply: see `do`; of a move its number, from 1.
        hole: the hole of a move, from its owner's left.
        side: who agrees, as White or Black of the pairing; empty for the player whose device it is.
        winner: of a declared ending, as White or Black of the set; empty for a draw.
        cause: of a declared ending: `resignation`, `time`, `agreement`, `repetition`.
    """

    id: str
    do: Deed
    set: int = 1
    ply: int = 0
    hole: int = 0
    side: Literal["white", "black", ""] = ""
    winner: Literal["white", "black", ""] = ""
    cause: str = ""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of a sheet as it is stored.

    Attributes:
        at_ms: when the server took it, since 1970, UTC; a phone's own clock is not asked.
        by: whose device: of White or Black of the pairing, or an official's.
        device: a name that the device has given itself.
        entry: what it asked for.
    """

    at_ms: int
    by: Keeper
    device: str
    entry: SheetEntry


@dataclass(frozen=True, slots=True)
class KeptSet:
    """The game, or a set of a match, as far as it is written.

    Attributes:
        positions: from the start, one more than moves.
        moves: hole numbers.
        declared: the winner and the reason of an ending that people declared, or None.
    """

    positions: tuple[Position, ...]
    moves: tuple[int, ...] = ()
    declared: tuple[Side | None, Termination] | None = None

    @property
    def position(self) -> Position:
        """The last position."""
        return self.positions[-1]

    def outcome(self) -> Outcome | None:
        """The outcome, or None while it goes on."""
        found = self.position.outcome()
        if found is None and self.declared is not None:
            return Outcome(*self.declared, self.position.stores)
        return found

    def game(self) -> Game:
        """Return it as a game of the rules room."""
        game = Game(self.positions[0], self.moves)
        if self.declared is not None and game.outcome() is None:
            game.conclude(*self.declared)
        return game

    def entries(self) -> tuple[str, ...]:
        """Turn by turn, as a scoresheet has them (WNG-TK §VIII)."""
        return tuple(format_turn(turn) for turn in turns(self.game()))


@dataclass(frozen=True, slots=True)
class Correction:
    """A ply that was taken back.

    Attributes:
        set: the set, from 1.
        ply: its number, from 1.
        was: the hole that had been written.
        at_ms: when it was taken back.
    """

    set: int
    ply: int
    was: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """The scoresheet of a board.

    Attributes:
        rules: of the game.
        of_sets: sets of the match, 1 for a single game.
        sets: those begun.
        device: which device keeps it; empty before the first line.
        keeper: whose device that is.
        objections: plies of the present set that the other player says are wrong.
        agreed: who has confirmed the present set as it stands, as White and Black of the pairing.
        corrections: what was taken back.
        lines: number of lines.
        ids: of the lines.
    """

    rules: Rules
    of_sets: int = 1
    sets: tuple[KeptSet, ...] = ()
    device: str = ""
    keeper: Keeper | None = None
    objections: tuple[int, ...] = ()
    agreed: frozenset[SideName] = frozenset()
    corrections: tuple[Correction, ...] = ()
    lines: int = 0
    ids: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rules: Rules, of_sets: int = 1) -> BoardSheet:
        """An empty sheet."""
        return cls(rules, of_sets, (KeptSet((rules.start(),)),))

    @property
    def set(self) -> int:
        """The number of the present set, from 1."""
        return len(self.sets)

    @property
    def now(self) -> KeptSet:
        """The present set."""
        return self.sets[-1]

    @property
    def over(self) -> bool:
        """True if the game, or every set of the match, has ended."""
        return len(self.sets) == self.of_sets and self.now.outcome() is not None

    @property
    def confirmed(self) -> bool:
        """True if the present set stands: a helper keeps the sheet, or the player who does not keep it agrees."""
        if self.keeper == "official":
            return True
        return self.keeper is not None and len(self.agreed | {self.keeper}) == 2

    @property
    def settled(self) -> bool:
        """True if the game is over and what is written stands."""
        return self.over and self.confirmed and not self.objections

    def side_of(self, side: SideName) -> Side:
        """The side of a player of the pairing in the present set: in a match the starter alternates."""
        return Match(self.rules, self.of_sets).side_of(0 if side == "white" else 1, self.set)

    def with_line(self, line: SheetLine) -> BoardSheet:
        """The sheet after one more line.

        Raises:
            SheetRefusalError: the sheet does not take it.
            SheetConflictError: others have changed what it is about.
        """
        entry = line.entry
        if self.lines >= MOST_LINES:
            raise SheetRefusalError(N_("a scoresheet has at most {most:,} lines"), most=MOST_LINES)
        if entry.do != "keep" and entry.set != self.set:
            raise SheetConflictError(
                N_("set {number} is being played, not set {other}"), number=self.set, other=entry.set
            )
        made = _DEEDS[entry.do](self, line)
        return replace(made, lines=self.lines + 1, ids=self.ids | {entry.id})

    def follow(self, lines: Iterable[SheetLine]) -> BoardSheet:
        """The sheet after stored lines. One that no longer fits, since the rules of the event were changed, is left
        out."""
        made = self
        for line in lines:
            try:
                made = made.with_line(line)
            except SheetRefusalError:
                made = replace(made, lines=made.lines + 1, ids=made.ids | {line.entry.id})
        return made

    def result_text(self) -> str:
        """The result as an arbiter would type it; of a match all sets, parted by semicolons. Empty before the end."""
        outcomes = [one.outcome() for one in self.sets]
        if not self.over:
            return ""
        return "; ".join(
            _typed(outcome, turned=number % 2 == 1) for number, outcome in enumerate(outcomes) if outcome is not None
        )

    def records(self) -> tuple[str, ...]:
        """The game records, one for each set that has moves, as `do.Attach` takes them."""
        return tuple(write_record(Record.of(one.game())) for one in self.sets)

    def _check_settled(self, line: SheetLine) -> None:
        """Refuse players what both have confirmed."""
        if line.by != "official" and self.now.outcome() is not None and self.confirmed and self.keeper != "official":
            raise SheetRefusalError(N_("both players have confirmed this scoresheet; the referee can correct it"))

    def _keep(self, line: SheetLine) -> BoardSheet:
        if self.over:
            self._check_settled(line)
        # Between two sets another device may go on; what both have confirmed of the last one stays so.
        stands = self.now.outcome() is not None and self.confirmed and self.keeper in ("white", "black")
        agreed: frozenset[SideName] = frozenset(("white", "black")) if stands else self.agreed
        return replace(self, device=line.device, keeper=line.by, agreed=agreed)

    def _move(self, line: SheetLine) -> BoardSheet:
        self._check_keeper(line)
        now, entry = self.now, line.entry
        if now.outcome() is not None:
            raise SheetConflictError(N_("the game is over on this scoresheet"))
        if entry.ply != len(now.moves) + 1:
            raise SheetConflictError(
                N_("{count} moves are written, and this would be number {ply}"), count=len(now.moves), ply=entry.ply
            )
        if entry.hole not in now.position.legal_moves():
            raise SheetRefusalError(N_("hole {hole} cannot be sown here"), hole=entry.hole)
        made = replace(now, moves=(*now.moves, entry.hole), positions=(*now.positions, now.position.play(entry.hole)))
        return replace(self, sets=(*self.sets[:-1], made), agreed=frozenset())

    def _undo(self, line: SheetLine) -> BoardSheet:
        self._check_keeper(line)
        now, stay = self.now, line.entry.ply
        if not 0 <= stay <= len(now.moves):
            raise SheetConflictError(N_("{count} moves are written, {ply} cannot stay"), count=len(now.moves), ply=stay)
        if stay == len(now.moves) and now.declared is None:
            raise SheetConflictError(N_("there is nothing to take back"))
        self._check_settled(line)
        gone = tuple(
            Correction(self.set, ply, now.moves[ply - 1], line.at_ms) for ply in range(stay + 1, len(now.moves) + 1)
        )
        made = KeptSet(now.positions[: stay + 1], now.moves[:stay])
        return replace(
            self,
            sets=(*self.sets[:-1], made),
            agreed=frozenset(),
            objections=tuple(ply for ply in self.objections if ply <= stay),
            corrections=(*self.corrections, *gone),
        )

    def _object(self, line: SheetLine) -> BoardSheet:
        ply = line.entry.ply
        if line.device == self.device:
            raise SheetRefusalError(N_("this device keeps the scoresheet, and takes a move back instead"))
        self._check_settled(line)
        if not 1 <= ply <= len(self.now.moves):
            raise SheetConflictError(
                N_("{count} moves are written, and this would be number {ply}"), count=len(self.now.moves), ply=ply
            )
        objections = tuple(sorted({*self.objections, ply}))
        return replace(self, objections=objections, agreed=frozenset())

    def _agree(self, line: SheetLine) -> BoardSheet:
        entry = line.entry
        if entry.ply != len(self.now.moves):
            raise SheetConflictError(
                N_("{count} moves are written, not {ply}; look again"), count=len(self.now.moves), ply=entry.ply
            )
        side = entry.side or line.by
        if side == "official":
            raise SheetRefusalError(N_("players confirm a scoresheet"))
        if line.by not in ("official", side) and line.device != self.device:  # the keeper's phone is handed over
            raise SheetRefusalError(N_("the other player confirms on their own phone"))
        return replace(self, agreed=self.agreed | {side}, objections=())

    def _end(self, line: SheetLine) -> BoardSheet:
        self._check_keeper(line)
        now, entry = self.now, line.entry
        if now.outcome() is not None:
            raise SheetConflictError(N_("the game is over on this scoresheet"))
        if entry.ply != len(now.moves):
            raise SheetConflictError(
                N_("{count} moves are written, not {ply}; look again"), count=len(now.moves), ply=entry.ply
            )
        termination = _DECLARED.get(entry.cause)
        if termination is None or (entry.winner == "") != (entry.cause in _DRAWN):
            raise SheetRefusalError(N_("a game ends so by resignation, on time, by agreement or by repetition"))
        winner = None if not entry.winner else Side.WHITE if entry.winner == "white" else Side.BLACK
        made = replace(now, declared=(winner, termination))
        return replace(self, sets=(*self.sets[:-1], made), agreed=frozenset())

    def _next(self, line: SheetLine) -> BoardSheet:
        self._check_keeper(line)
        if self.now.outcome() is None:
            raise SheetConflictError(N_("set {number} is not over"), number=self.set)
        if len(self.sets) == self.of_sets:
            raise SheetRefusalError(N_("the match has {sets} sets, and all are written"), sets=self.of_sets)
        made = (*self.sets, KeptSet((self.rules.start(),)))
        return replace(self, sets=made, agreed=frozenset(), objections=())

    def _check_keeper(self, line: SheetLine) -> None:
        """Refuse a device that does not keep the sheet.

        Raises:
            SheetConflictError: another device keeps it, or none yet.
        """
        if line.device != self.device:
            if not self.device:
                raise SheetConflictError(N_("no device keeps this scoresheet yet"))
            raise SheetConflictError(N_("another device keeps this scoresheet"))


_DEEDS: Final = {
    "keep": BoardSheet._keep,
    "move": BoardSheet._move,
    "undo": BoardSheet._undo,
    "object": BoardSheet._object,
    "agree": BoardSheet._agree,
    "end": BoardSheet._end,
    "next": BoardSheet._next,
}


def _typed(outcome: Outcome, *, turned: bool) -> str:
    """As `result_entry.read_entry` reads it in every language, with the pairing's White first."""
    result = result_of(Ending.of(outcome, "", declared=True))
    text = (result.mirrored if turned else result).text
    return text if result.cause == "board" else f"{text} {result.cause}"

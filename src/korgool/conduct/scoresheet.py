"""A player's own sheet, apart from the true game: what they wrote, when they need not write, result and signatures.

Each player writes the moves of both (WNG-TK §VIII), so a game has two sheets, and either may be wrong. A sheet is an
immutable value: every method returns the next one, or refuses with the clause. What the sheet says is compared with
the other sheet and with the game in `korgool.conduct.comparison`.

An entry is one turn. In mangala a turn may have several plies, written in one entry and joined by commas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from korgool.notation.moves import format_move
from korgool.notation.terminations import parse_result
from korgool.rules import Game, Position, Rules, Side, Sowing

EXEMPT_BELOW_MS = 5 * 60_000
"""A player with less than this on the clock may stop writing (WNG-TK §VIII), in milliseconds."""
LONGEST_ENTRY = 200
"""Letters that fit in one entry; far more than the longest turn of mangala needs."""
MOST_TURNS = 10_000
"""Turns that a sheet can hold."""


class SheetError(ValueError):
    """An act that the rules do not allow on a sheet.

    Attributes:
        reason: what is wrong, in English, with advice.
        clause: the clause it rests on, such as `WNG-TK §VIII`.
    """

    def __init__(self, reason: str, clause: str) -> None:
        super().__init__(reason, clause)
        self.reason, self.clause = reason, clause

    def __str__(self) -> str:
        return f"{self.reason} ({self.clause})"


@dataclass(frozen=True, slots=True)
class Exemption:
    """From when on a player need not write (WNG-TK §VIII).

    Attributes:
        turn: the first turn, from 1, that the owner need not write.
        at_ms: the moment, in milliseconds on the clock by which the game is conducted.
        remaining_ms: milliseconds that the owner had left at that moment, fewer than `EXEMPT_BELOW_MS`.
    """

    turn: int
    at_ms: int
    remaining_ms: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """Sheet of one player for one game or one set.

    Attributes:
        owner: the side of the player who keeps it.
        start: the position that the game starts from.
        number: the number of the set, from 1; 1 for a single game.
        entries: turn by turn from the start, the text exactly as written; None where nothing was.
        exemption: from when on the owner need not write, or None.
        finished: whether the game has ended.
        filled: the turns, from 1, written or changed after the end.
        result: the result as written, such as `1 (82) - 0 (60)`, or None.
        signatures: the sides that have signed this sheet.
    """

    owner: Side
    start: Position
    number: int = 1
    entries: tuple[str | None, ...] = ()
    exemption: Exemption | None = None
    finished: bool = False
    filled: frozenset[int] = frozenset()
    result: str | None = None
    signatures: frozenset[Side] = frozenset()

    @classmethod
    def of(cls, owner: Side, game: Position | Rules, number: int = 1) -> Sheet:
        """An empty sheet for a game from its usual start, or from a set-up position."""
        return cls(owner, game.start() if isinstance(game, Rules) else game, number)

    def write(self, text: str) -> Sheet:
        """Write the next turn. The sheet does not check the text.

        Raises:
            SheetError: the game has ended, or the text is empty or cannot stand in one entry.
        """
        self._still_played("write the next move")
        return self._with(len(self.entries) + 1, _entry(text))

    def skip(self) -> Sheet:
        """Leave the next entry empty, as a player does who has missed a move.

        Raises:
            SheetError: the game has ended, or the sheet is full.
        """
        self._still_played("leave an entry empty")
        return self._with(len(self.entries) + 1, None)

    def mark(self, sign: str, turn: int | None = None) -> Sheet:
        """Add a sign to an entry: `=` for a draw offer, of either player (WNG-TK §X), or `X` for a tuz (WNG-TK §IV).

        An offer is marked also by a player who no longer writes the moves; the entry then holds the sign alone.

        Args:
            sign: `=` or `X`.
            turn: the turn, from 1; the last one written by default.

        Raises:
            SheetError: the game has ended, or there is no such entry, or it has the sign.
        """
        clause = {"=": "WNG-TK §X", "X": "WNG-TK §IV"}.get(sign)
        if clause is None:
            raise SheetError(f"{sign!r} is no sign of a sheet; = marks a draw offer and X a tuz", "WNG-TK §VIII")
        self._still_played(f"mark {sign}")
        turn = len(self.entries) if turn is None else turn
        if not 1 <= turn <= len(self.entries):
            raise SheetError(f"there is no entry {turn} that could be marked with {sign}", clause)
        text = self.entries[turn - 1] or ""
        if sign in plain(text):
            raise SheetError(f"entry {turn} is marked with {sign} already", clause)
        return self._with(turn, text + sign)

    def exempt(self, remaining_ms: int, at_ms: int, turn: int | None = None) -> Sheet:
        """Note that the owner has less than 5 minutes left and need not write from here on.

        It stays so, whatever an increment adds later; a second call changes nothing.

        Args:
            remaining_ms: milliseconds on the owner's clock.
            at_ms: the moment, in milliseconds.
            turn: the turn that was being played, from 1; by default the first that is not written.

        Raises:
            SheetError: the owner has 5 minutes or more, or the game has ended.
        """
        self._still_played("stop writing")
        if remaining_ms >= EXEMPT_BELOW_MS:
            left = f"{remaining_ms // 60_000} min {remaining_ms % 60_000 / 1000:g} s"
            raise SheetError(f"the player has {left} left and must write until less than 5 minutes are", "WNG-TK §VIII")
        if self.exemption is not None:
            return self
        turn = len(self.entries) + 1 if turn is None else turn
        if not 1 <= turn <= MOST_TURNS:
            raise SheetError(f"there is no turn {turn}", "WNG-TK §VIII")
        return replace(self, exemption=Exemption(turn, at_ms, max(0, remaining_ms)))

    def take_back(self, turns: int) -> Sheet:
        """Strike out everything after the first `turns` turns, when the referee sets the game back.

        Raises:
            SheetError: the game has ended, or that many turns are not written.
        """
        self._still_played("set the game back")
        if not 0 <= turns <= len(self.entries):
            raise SheetError(
                f"the sheet has {len(self.entries)} entries and cannot be set back to {turns}", "WNG-TK §VI"
            )
        exemption = self.exemption
        if exemption is not None and exemption.turn > turns + 1:
            # His time does not come back with the moves: the turns played again need not be written.
            exemption = replace(exemption, turn=turns + 1)
        return replace(self, entries=self.entries[:turns], exemption=exemption)

    def finish(self) -> Sheet:
        """Note that the game has ended: nothing more is owed, and gaps may be filled."""
        return replace(self, finished=True)

    def rewrite(self, turn: int, text: str) -> Sheet:
        """Fill in or write anew the entry of a turn, which is allowed after the end of the game only.

        Raises:
            SheetError: the game goes on, or the sheet is signed by both, or the text cannot stand in one entry.
        """
        if not self.finished:
            raise SheetError("moves may be copied or filled in only when the game has ended", "WNG-TK §VIII")
        self._unsigned("entries stay as they are")
        return replace(self._with(turn, _entry(text)), filled=self.filled | {turn})

    def write_result(self, text: str) -> Sheet:
        """Write the result, such as `1 (82) - 0 (60)`, or `1-0` where the stones are not asked for (WNG-TK §V, §IX).

        A result written before is replaced, and a signature under it is void.

        Raises:
            SheetError: the game goes on, or the sheet is signed by both, or the text is not a result.
        """
        if not self.finished:
            raise SheetError("the result is written when the game has ended", "WNG-TK §II")
        self._unsigned("the result stands")
        if parse(text)[0] == "*":
            raise SheetError(f"{text[:40]!r} is not a result; write it like 1 (82) - 0 (60)", "WNG-TK §IX")
        return replace(self, result=text.strip(), signatures=frozenset())

    def sign(self, side: Side) -> Sheet:
        """Sign the sheet as one of the two players.

        Raises:
            SheetError: the game goes on, no result is written, or this player has signed.
        """
        if not self.finished:
            raise SheetError("a sheet is signed when the game has ended", "WNG-TK §II")
        if self.result is None:
            raise SheetError("write the result first; it is what the players sign", "WNG-TK §II")
        if side in self.signatures:
            raise SheetError(f"{side.name.capitalize()} has signed this sheet already", "WNG-TK §II")
        return replace(self, signatures=self.signatures | {side})

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    @property
    def signed(self) -> bool:
        """True if both players have signed; then nothing on the sheet changes any more (WNG-TK §VI)."""
        return self.signatures == frozenset(Side)

    def missing(self, turns: int) -> tuple[int, ...]:
        """The turns that the owner had to write before the end of the game and did not, the ground for a warning.

        What was filled in after the end counts as missing, for it "was not done before the end" (WNG-TK §VIII).
        An entry that holds signs but no move is missing too.

        Args:
            turns: how many turns the game has had.
        """
        owed = turns if self.exemption is None else min(turns, self.exemption.turn - 1)
        return tuple(
            turn
            for turn in range(1, owed + 1)
            if turn > len(self.entries) or turn in self.filled or not plain(self.entries[turn - 1] or "").strip("=X")
        )

    def _still_played(self, what: str) -> None:
        if self.finished:
            raise SheetError(
                f"the game has ended, it is too late to {what}; gaps may be filled in by rewriting", "WNG-TK §VIII"
            )

    def _unsigned(self, consequence: str) -> None:
        if self.signed:
            raise SheetError(f"both players have signed; {consequence}", "WNG-TK §VI")

    def _with(self, turn: int, text: str | None) -> Sheet:
        if not 1 <= turn <= MOST_TURNS:
            raise SheetError(f"a sheet has entries 1 to {MOST_TURNS:,}, and no entry {turn}", "WNG-TK §VIII")
        entries = list(self.entries) + [None] * (turn - len(self.entries))
        entries[turn - 1] = text
        return replace(self, entries=tuple(entries))


def turns(game: Game) -> tuple[tuple[Sowing, ...], ...]:
    """The plies of a game grouped into turns; only games with extra turns have turns of several plies."""
    grouped: list[list[Sowing]] = []
    position, joins = game.start, False
    for number in game.moves:
        sowing = position.sow(number)
        if joins:
            grouped[-1].append(sowing)
        else:
            grouped.append([sowing])
        position, joins = sowing.after, sowing.extra_turn
    return tuple(map(tuple, grouped))


def format_turn(turn: Sequence[Sowing], *, offer: bool = False) -> str:
    """A turn as an entry has it: its plies joined by commas, `=` after the last one where a draw was offered."""
    return ",".join(map(format_move, turn)) + ("=" if offer else "")


def plain(text: str) -> str:
    """An entry without spaces, its tuz marks as Latin capital X: what the signs on paper amount to."""
    return re.sub(r"[xХх×✕]", "X", "".join(text.split()))


def parse(text: str) -> tuple[str, tuple[int, int] | None]:
    """A written result as `1-0` and, where given, the stores.

    Raises:
        SheetError: it is not a result.
    """
    try:
        return parse_result(text)
    except ValueError:
        raise SheetError(f"{text[:40]!r} is not a result; write it like 1 (82) - 0 (60)", "WNG-TK §IX") from None


def _entry(text: str) -> str:
    text = text.strip()
    if not text:
        raise SheetError("an empty entry is left out by skipping it, not by writing", "WNG-TK §VIII")
    if len(text) > LONGEST_ENTRY or not text.isprintable():
        raise SheetError(f"an entry is one line of at most {LONGEST_ENTRY} letters", "WNG-TK §VIII")
    return text

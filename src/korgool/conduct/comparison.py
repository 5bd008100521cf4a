"""Comparison of two sheets with each other and of each with the true game: where they part, at which turn and ply.

The referee settles disputes from the record (WNG-TK §VI, §VIII). What is written is read leniently, as people write: a
landing hole or a store left out is no fault, a wrong one is. A tuz must be marked `X` (WNG-TK §IV) and a draw offer
`=` on both sheets (WNG-TK §X).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from korgool.conduct.scoresheet import Sheet, format_turn, parse, plain, turns
from korgool.notation.moves import landing
from korgool.rules import Game, Outcome, Position, Sowing

Kind = Literal["missing", "unreadable", "plies", "move", "landing", "store", "tuz", "offer", "extra", "result"]
"""Difference: nothing written, no move, another number of plies in the turn, another hole sown, another landing,
another store, the mark of a tuz, the mark of an offer, an entry after the last turn, the result."""

CLAUSES: dict[Kind, str] = {"tuz": "WNG-TK §IV", "offer": "WNG-TK §X", "result": "WNG-TK §IX"}
"""The clause behind a kind; WNG-TK §VIII for every other."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One point where two accounts of a game differ.

    Attributes:
        turn: the turn, from 1; the one after the last for a result.
        ply: the ply, from 1; None where it cannot be known, because a turn before it is unreadable on both sheets of
            a game with extra turns.
        kind: what is at odds.
        first: what the first account has: White's sheet, or the sheet that is held against the game; None for nothing.
        second: what the second has: Black's sheet, or the game.
    """

    turn: int
    ply: int | None
    kind: Kind
    first: str | None
    second: str | None

    @property
    def clause(self) -> str:
        """The clause that asks for it."""
        return CLAUSES.get(self.kind, "WNG-TK §VIII")


@dataclass(frozen=True, slots=True)
class _Written:
    hole: int
    landing: int | None
    store: int | None
    tuz: bool
    offer: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """The game as a sheet alone tells it.

    Attributes:
        moves: the plies that follow from the entries, up to the first that does not fit.
        position: the position after them.
        turn: the first turn, from 1, that is missing or does not fit, or None when all entries do.
        reason: what is wrong there, or empty.
    """

    moves: tuple[int, ...]
    position: Position
    turn: int | None = None
    reason: str = ""


def compare_sheets(white: Sheet, black: Sheet) -> tuple[Difference, ...]:
    """Differences between two sheets, by turn. An empty entry on both is no difference; on one it is `missing`."""
    found: list[Difference] = []
    ply: int | None = 1
    for turn in range(1, max(len(white.entries), len(black.entries)) + 1):
        texts = [sheet.entries[turn - 1] if turn <= len(sheet.entries) else None for sheet in (white, black)]
        first, second = (_read(text) for text in texts)
        for kind, place in _odds(texts, first, second):
            found.append(Difference(turn, None if ply is None else ply + place, kind, *texts))
        ply = _next_ply(white.rules.extra_turn, ply, first, second)
    if white.result and black.result and parse(white.result) != parse(black.result):
        last = max(len(white.entries), len(black.entries)) + 1
        found.append(Difference(last, ply, "result", white.result, black.result))
    return tuple(found)


def compare_with_game(
    sheet: Sheet, game: Game, offers: Iterable[int] = (), outcome: Outcome | None = None
) -> tuple[Difference, ...]:
    """Differences between a sheet and the true game, by turn; exempt turns left empty are no difference.

    Args:
        sheet: the sheet.
        game: the game as it was played.
        offers: the plies, from 1, with which a draw was offered by either player.
        outcome: how the game ended, by default as the game says.
    """
    found: list[Difference] = []
    asked, ply = set(offers), 1
    played = turns(game)
    free = len(played) + 1 if sheet.exemption is None else sheet.exemption.turn
    for turn, sowings in enumerate(played, 1):
        offer = any(place in asked for place in range(ply, ply + len(sowings)))
        text = sheet.entries[turn - 1] if turn <= len(sheet.entries) else None
        truth, right = _true(sowings, offer), format_turn(sowings, offer=offer)
        if turn >= free and not plain(text or "").strip("=X"):
            # The player need not write the move, but has to mark the offer (WNG-TK §X).
            if offer != ("=" in plain(text or "")):
                found.append(Difference(turn, ply, "offer", text, right))
        else:
            for kind, place in _odds([text, right], _read(text), truth):
                found.append(Difference(turn, ply + place, kind, text, right))
        ply += len(sowings)
    for turn in range(len(played) + 1, len(sheet.entries) + 1):
        if sheet.entries[turn - 1] is not None:
            found.append(Difference(turn, None, "extra", sheet.entries[turn - 1], None))
    outcome = game.outcome() if outcome is None else outcome
    if sheet.result is not None:
        result, stores = parse(sheet.result)
        if outcome is None or result != outcome.result or stores not in (None, outcome.stores):
            truth_text = None if outcome is None else outcome.result_text
            found.append(Difference(len(played) + 1, ply, "result", sheet.result, truth_text))
    return tuple(found)


def read_sheet(sheet: Sheet) -> Reading:
    """Replay what a sheet says from the start, as far as it goes."""
    position, moves = sheet.start, list[int]()
    for turn, text in enumerate(sheet.entries, 1):
        written = _read(text)
        if text is None or written is None:
            reason = "nothing is written" if not text else f"{text[:24]!r} is not a move"
            return Reading(tuple(moves), position, turn, reason)
        sowings: list[Sowing] = []
        now = position
        for number, ply in enumerate(written):
            if number and not sowings[-1].extra_turn:
                return Reading(tuple(moves), position, turn, f"{text[:24]!r}: the turn ends after {number} plies")
            try:
                sowings.append(now.sow(ply.hole))
            except ValueError as error:
                return Reading(tuple(moves), position, turn, f"{text[:24]!r} cannot be played: {error}")
            now = sowings[-1].after
        faults = [kind for kind, _ in _odds([text, text], written, _true(sowings, any(ply.offer for ply in written)))]
        if faults:
            right = format_turn(sowings)
            return Reading(
                tuple(moves), position, turn, f"{text[:24]!r} does not fit ({faults[0]}): it would be {right}"
            )
        if sowings[-1].extra_turn:
            return Reading(tuple(moves), position, turn, f"{text[:24]!r} stops within the turn")
        moves += [ply.hole for ply in written]
        position = now
    return Reading(tuple(moves), position)


_PLY = re.compile(r"([0-9])([0-9])?((?:X|=|\([0-9]{1,3}\))*)")
_STORE = re.compile(r"\(([0-9]{1,3})\)")


def _read(text: str | None) -> tuple[_Written, ...] | None:
    """The plies of an entry, or None where it holds no move."""
    plies: list[_Written] = []
    for part in plain(text or "").split(","):
        match = _PLY.fullmatch(part)
        if match is None:
            return None
        hole, last, marks = match.groups()
        stores = _STORE.findall(marks)
        plies.append(
            _Written(
                int(hole),
                None if last is None else int(last),
                int(stores[-1]) if stores else None,
                "X" in marks,
                "=" in marks,
            )
        )
    return tuple(plies)


def _true(sowings: Sequence[Sowing], offer: bool) -> tuple[_Written, ...]:
    last = len(sowings) - 1
    return tuple(
        _Written(
            sowing.hole,
            landing(sowing),
            sowing.after.stores[sowing.mover],
            sowing.tuz is not None,
            offer and place == last,
        )
        for place, sowing in enumerate(sowings)
    )


def _odds(
    texts: Sequence[str | None], first: tuple[_Written, ...] | None, second: tuple[_Written, ...] | None
) -> Iterator[tuple[Kind, int]]:
    """Differences between two accounts of a turn, each with the number of plies before it in the turn."""
    empty = [not plain(text or "").strip("=X") for text in texts]
    if first is None or second is None:
        if empty[0] != empty[1]:
            yield "missing", 0
        elif not all(empty) and plain(texts[0] or "") != plain(texts[1] or ""):
            yield "unreadable", 0
        marks = ["=" in plain(text or "") for text in texts]
        if all(empty) and marks[0] != marks[1]:
            yield "offer", 0
        return
    for place, (one, other) in enumerate(zip(first, second, strict=False)):
        if one.hole != other.hole:
            yield "move", place
            return
        if None not in (one.landing, other.landing) and one.landing != other.landing:
            yield "landing", place
        if None not in (one.store, other.store) and one.store != other.store:
            yield "store", place
        if one.tuz != other.tuz:
            yield "tuz", place
    if len(first) != len(second):
        yield "plies", min(len(first), len(second))
    elif any(ply.offer for ply in first) != any(ply.offer for ply in second):
        yield "offer", len(first) - 1


def _next_ply(
    extra_turn: bool, ply: int | None, first: tuple[_Written, ...] | None, second: tuple[_Written, ...] | None
) -> int | None:
    """The number of the ply after a turn, as far as either account tells it."""
    if not extra_turn:
        return None if ply is None else ply + 1
    known = first or second
    return None if ply is None or known is None else ply + len(known)

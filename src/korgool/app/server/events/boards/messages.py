"""Messages about scoresheets that phones keep, and about boards as readers see them."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from korgool.competition.board_sheet import BoardSheet, SheetEntry
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.competition.privacy import shown_name
from korgool.languages import N_
from korgool.rules import Outcome, Side

MOST_ENTRIES = 200
"""Entries of one request: a phone brings what it has kept without a network."""
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class SheetRequest:
    """Entries that a device writes.

    Attributes:
        device: the name that it has given itself, up to 40 letters.
        entries: in their order.
        round: the round they are for, 0 for whichever is played.
    """

    device: str
    entries: tuple[SheetEntry, ...]
    round: int = 0

    def __post_init__(self) -> None:
        if not 1 <= len(self.entries) <= MOST_ENTRIES:
            raise CompetitionError(N_("a request holds 1 to {most} entries"), most=MOST_ENTRIES)
        for text in (self.device, *(entry.id for entry in self.entries)):
            if not 1 <= len(text) <= _LONGEST or not text.isascii() or not text.isprintable():
                raise CompetitionError(N_("a device and an entry have a name of 1 to {most} letters"), most=_LONGEST)


class EndTold(msgspec.Struct, frozen=True):
    """Ending of a game or of a set.

    Attributes:
        result_text: such as `1 (82) - 0 (60)`.
        termination: why it ended.
        winner: `white`, `black`, or none for a draw.
    """

    result_text: str
    termination: str
    winner: str | None

    @classmethod
    def of(cls, outcome: Outcome | None) -> EndTold | None:
        """The message of an outcome; none while the game goes on."""
        if outcome is None:
            return None
        winner = None if outcome.winner is None else "white" if outcome.winner is Side.WHITE else "black"
        return cls(outcome.result_text, str(outcome.termination), winner)


class CorrectionTold(msgspec.Struct, frozen=True):
    """A sowing that was taken back.

    Attributes:
        set: the set, from 1.
        ply: number of the sowing, from 1.
        was: the hole that had been written.
    """

    set: int
    ply: int
    was: int


class SheetTold(msgspec.Struct, frozen=True, kw_only=True):
    """The scoresheet of a board, for those who keep it.

    Attributes:
        round, board: where.
        white, black: the players of the pairing; in every second set of a match they change sides.
        game: the game's name.
        choices: its rules as the kernel takes them.
        sets: sets of the match, 1 for a single game.
        set: the present set, from 1.
        moves: the holes of the present set.
        ended: how the present set ended.
        over: whether the game or the whole match is over.
        kept: whose device keeps the sheet: `white`, `black`, `official`, or none.
        mine: whether that is the device that asks.
        objections: sowings of the present set, from 1, that the other player says were others.
        agreed: the players who confirmed the present set.
        confirmed: whether the present set stands.
        settled: whether all is over and stands.
        corrections: what was taken back.
        lines: number of lines of the sheet.
        result: the result as an arbiter types it, at the end.
        entered: the result of the pairing at the event, or none.
    """

    round: int
    board: int
    white: str
    black: str
    game: str
    choices: list[int]
    sets: int
    set: int
    moves: list[int]
    ended: EndTold | None
    over: bool
    kept: str | None
    mine: bool
    objections: list[int]
    agreed: list[str]
    confirmed: bool
    settled: bool
    corrections: list[CorrectionTold]
    lines: int
    result: str
    entered: str | None


class SheetRefused(msgspec.Struct, frozen=True):
    """A request of which not everything was written.

    Attributes:
        detail: the reason, in the language of the request.
        done: number of entries that are on the sheet, from the first on; the others are not.
        sheet: the sheet as it stands.
    """

    detail: str
    done: int
    sheet: SheetTold


def told(state: EventState, number: int, game: PairedGame, sheet: BoardSheet, device: str) -> SheetTold:
    """The message about a sheet for a device."""
    white, black = (shown_name(state.players[id_]) for id_ in (game.white, game.black))
    return SheetTold(
        round=number,
        board=game.board,
        white=white,
        black=black,
        game=sheet.rules.name,
        choices=list(sheet.rules.numbers()),
        sets=sheet.of_sets,
        set=sheet.set,
        moves=list(sheet.now.moves),
        ended=EndTold.of(sheet.now.outcome()),
        over=sheet.over,
        kept=sheet.keeper,
        mine=bool(device) and sheet.device == device,
        objections=list(sheet.objections),
        agreed=sorted(sheet.agreed),
        confirmed=sheet.confirmed,
        settled=sheet.settled,
        corrections=[CorrectionTold(one.set, one.ply, one.was) for one in sheet.corrections],
        lines=sheet.lines,
        result=sheet.result_text(),
        entered=None if game.result is None else game.result.full_text,
    )

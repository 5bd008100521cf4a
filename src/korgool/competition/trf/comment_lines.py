"""Comment lines of a report file for what TRF cannot express; other programs skip them.

A line is `### korgool KIND {...}`: the comment mark of FIDE's paper, the word korgool, what it is about, and a JSON
object. The kinds:

- `event`: the settings (`model.Settings`),
- `lot`: `white_first`, the seed of the drawing of lots, and the number of rounds paired,
- `official` (`model.Official`), `player` (`model.Player`), `team` (`model.Team`),
- `game`: `round`, then a `model.Game` without its records: board, White, Black, the result with the stones in the
  stores and the cause, and whether it was chosen for the special board. Players are named by pairing number,
- `match`: `round`, then a `model.TeamMatch` by pairing numbers of teams.

If a comment and a numbered record differ, the record wins: records are what other programs change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from korgool.competition.codec import JsonError, from_json, to_json
from korgool.competition.model import PairedGame, TeamMatch
from korgool.competition.trf.report_lines import OtherLine
from korgool.competition.trf_columns import TrfError

MARK = "###"
WORD = "korgool"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LotLine:
    """Lot, and the number of paired rounds, which the file does not show if a round had no games."""

    white_first: bool
    lot: str = ""
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class GameNote:
    """A game of a round, its players by pairing number."""

    round: int
    game: PairedGame


@dataclass(frozen=True, slots=True)
class MatchNote:
    """A match of a round, its teams by pairing number."""

    round: int
    match: TeamMatch


def write_note(kind: str, value: object) -> str:
    """The comment line for a value."""
    return f"{MARK} {WORD} {kind} {to_json(value)}"


def note_kind(record: OtherLine) -> str:
    """The kind of a comment line, empty if it is not one of ours."""
    words = record.text.split(" ", 3)
    return words[2] if len(words) == 4 and words[:2] == [MARK, WORD] else ""


def read_note(record: OtherLine, type_: type[T]) -> T:
    """The value of a comment line; raises TrfError if it holds something else."""
    column = len(MARK) + len(WORD) + len(note_kind(record)) + 4
    try:
        return from_json(record.text.split(" ", 3)[3], type_)
    except JsonError as error:
        raise TrfError(record.line, column, f"the {note_kind(record)} note is damaged: {error}") from None

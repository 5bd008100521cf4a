"""The rounds of a report file: each game joined from its two player lines, which must agree."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.competition.model import PairedGame
from korgool.competition.result import Result
from korgool.competition.trf.comment_lines import GameNote, LotLine, note_kind, read_note
from korgool.competition.trf.report_lines import OtherLine, PlayerLine, ReportLines, RoundColumns
from korgool.competition.trf_columns import CELL, FIRST_CELL, TrfError

_BYES = "HFUZ"
_ALONE = "HFUZ+-= "
_PLAIN = {"W": "1", "D": "=", "L": "0"}
_EMPTY = RoundColumns(0, " ", " ")
_RESULTS = {
    ("1", "0"): Result(2, 0, None, "unknown"),
    ("0", "1"): Result(0, 2, None, "unknown"),
    ("=", "="): Result(1, 1, None, "unknown"),
    ("0", "0"): Result(0, 0, None, "time"),
    ("+", "-"): Result(2, 0, None, "forfeit"),
    ("-", "+"): Result(0, 2, None, "forfeit"),
    ("-", "-"): Result(0, 0, None, "forfeit"),
    (" ", " "): None,
}
WORTH = {"1": 2, "+": 2, "F": 2, "=": 1, "H": 1}
"""Half points by letter, except for the pairing-allocated bye."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game by pairing numbers, with the letters of both lines (W, D, L read as 1, =, 0) and its comment line."""

    white: int
    black: int
    letters: tuple[str, str]
    note: PairedGame | None = None

    @property
    def result(self) -> Result | None:
        """The result of the comment line, else that of the letters."""
        return self.note.result if self.note is not None else _RESULTS[self.letters]


@dataclass(frozen=True, slots=True)
class ReportRounds:
    """The rounds of a file.

    Attributes:
        lines: player lines by number.
        games: by round, from the first; as many rounds as were paired.
        alone: by round, the letters of those without an opponent. It may hold rounds that are not paired yet.
        chairs: by round, games against an empty chair, as team events have them; number 0 is the chair.
        forgotten: sentences on comment lines that contradict the player lines.
    """

    lines: dict[int, PlayerLine]
    games: tuple[tuple[Pairing, ...], ...]
    alone: tuple[dict[int, str], ...]
    chairs: tuple[tuple[Pairing, ...], ...]
    forgotten: tuple[str, ...]

    @property
    def rounds(self) -> int:
        """Number of rounds that were paired."""
        return len(self.games)

    def points(self, number: int, rounds: int, bye_points: int) -> int:
        """Half points of a player's letters in the first rounds."""
        total = 0
        for cell in self.lines[number].cells[:rounds]:
            letter = _PLAIN.get(cell.result, cell.result)
            total += bye_points if letter == "U" else WORTH.get(letter, 0)
        return total

    @property
    def shown(self) -> int:
        """Number of rounds of the player lines, with those for which only byes are given."""
        given = [at for at, single in enumerate(self.alone, 1) if any(letter != " " for letter in single.values())]
        return max(self.rounds, *given, 0)

    def coming(self, number: int, bye_points: int) -> int:
        """Half points of the byes that a player has in rounds that are not played yet."""
        return self.points(number, 99, bye_points) - self.points(number, self.rounds, bye_points)


def place(line: PlayerLine, number: int) -> tuple[int, int]:
    """Line and column of a round on a player line."""
    return line.line, FIRST_CELL + CELL * (number - 1)


def read_tables(report: ReportLines) -> ReportRounds:
    """The rounds of a file; raises TrfError if a number occurs twice or two lines contradict each other."""
    lines: dict[int, PlayerLine] = {}
    for line in report.players:
        if line.number in lines:
            first = lines[line.number].line
            raise TrfError(line.line, 5, f"the starting number {line.number} stands in line {first} already")
        lines[line.number] = line
    notes = _game_notes(report)
    forfeited = _forfeited_rounds(report)
    width = max((len(line.cells) for line in lines.values()), default=0)
    width = max(width, *forfeited, 0)
    games: list[tuple[Pairing, ...]] = []
    alone: list[dict[int, str]] = []
    chairs: list[tuple[Pairing, ...]] = []
    forgotten: list[str] = []
    paired = max(
        (read_note(one, LotLine).rounds for one in report.records("###") if note_kind(one) == "lot"), default=0
    )
    paired = min(paired, width)
    for number in range(1, width + 1):
        pairings, single = _round(lines, number)
        noted = [_with_note(one, number, notes, forgotten) for one in pairings]
        games.append(tuple(noted))
        alone.append(single)
        chairs.append(_chairs(single, number, notes))
        if pairings or number in forfeited or _all_free(single):
            paired = max(paired, number)
        if any(one.result is None for one in games[-1]) and number < width:
            later = next((line for line in lines.values() if any(one.opponent for one in line.cells[number:])), None)
            if later is not None:
                raise TrfError(later.line, 0, f"round {number} lacks results, but later rounds are paired")
    return ReportRounds(lines, tuple(games[:paired]), tuple(alone), tuple(chairs), tuple(forgotten))


def _forfeited_rounds(report: ReportLines) -> set[int]:
    """Rounds in which teams met without a game, by records 330."""
    texts = [record.text[7:10].strip() for record in report.records("330")]
    return {int(text) for text in texts if text.isascii() and text.isdecimal() and 1 <= int(text) <= 99}


def _all_free(single: dict[int, str]) -> bool:
    """Return whether a round without games was paired: a competitor has its bye, and each line gives the reason.

    A bye that stands there alone was given before the pairing, as the other byes of rounds to come are.
    """
    return "U" in single.values() and " " not in single.values()


def _round(lines: dict[int, PlayerLine], number: int) -> tuple[list[Pairing], dict[int, str]]:
    pairings: list[Pairing] = []
    single: dict[int, str] = {}
    for own, line in lines.items():
        cell = _cell(line, number)
        if not cell.opponent:
            if cell.result not in _ALONE or (cell.colour in "wb" and cell.result not in "+-"):
                what = f"the result {cell.result}" if cell.result not in _ALONE else f"the colour {cell.colour}"
                raise TrfError(*place(line, number), f"round {number}: {what} without an opponent")
            single[own] = cell.result
            continue
        other_line = lines.get(cell.opponent)
        if other_line is None or cell.opponent == own:
            reason = "themselves" if cell.opponent == own else f"{cell.opponent}, and there is no such player"
            raise TrfError(*place(line, number), f"round {number}: {own} {line.name} meets {reason}")
        other = _cell(other_line, number)
        if other.opponent != own:
            said = f"has {other.opponent}" if other.opponent else "has no opponent"
            raise TrfError(
                *place(line, number),
                f"round {number}: {own} {line.name} meets {cell.opponent}, who {said} (line {other_line.line})",
            )
        if own < cell.opponent:
            pairings.append(_pairing(line, other_line, cell, other, number))
    return pairings, single


def _cell(line: PlayerLine, number: int) -> RoundColumns:
    return line.cells[number - 1] if number <= len(line.cells) else _EMPTY


def _pairing(line: PlayerLine, other_line: PlayerLine, cell: RoundColumns, other: RoundColumns, number: int) -> Pairing:
    own, opponent = line.number, other_line.number
    row, column = place(line, number)
    for one, its in ((cell, line), (other, other_line)):
        if one.result in _BYES:
            raise TrfError(its.line, column + 7, f"round {number}: {one.result} is a bye, but an opponent stands there")
    letters = (_PLAIN.get(cell.result, cell.result), _PLAIN.get(other.result, other.result))
    if letters not in _RESULTS:
        raise TrfError(
            row,
            column + 7,
            f"round {number}: {own} has {cell.result!r} against {opponent}, who has {other.result!r} "
            f"(line {other_line.line}); these are not two sides of one result",
        )
    colours = (cell.colour if cell.colour in "wb" else "", other.colour if other.colour in "wb" else "")
    if colours[0] and colours[0] == colours[1]:
        side = "White" if colours[0] == "w" else "Black"
        raise TrfError(row, column + 5, f"round {number}: {own} and {opponent} both have {side}")
    if not any(colours) and letters[0] not in "+-":
        raise TrfError(row, column + 5, f"round {number}: {own} and {opponent} played, but no colour is given")
    if colours[0] == "b" or colours[1] == "w":
        return Pairing(opponent, own, (letters[1], letters[0]))
    return Pairing(own, opponent, letters)


def _game_notes(report: ReportLines) -> dict[tuple[int, int, int], tuple[OtherLine, PairedGame]]:
    found = {}
    for record in report.records("###"):
        if note_kind(record) == "game":
            note = read_note(record, GameNote)
            found[note.round, note.game.white, note.game.black] = (record, note.game)
    return found


def _chairs(
    single: dict[int, str], number: int, notes: dict[tuple[int, int, int], tuple[OtherLine, PairedGame]]
) -> tuple[Pairing, ...]:
    found = []
    for own, letter in single.items():
        other = {"+": "-", "-": "+"}.get(letter, "")
        for white, black in ((own, 0), (0, own)):
            noted = notes.get((number, white, black))
            if noted and letters_of(noted[1].result)[0 if white else 1] == letter:
                found.append(Pairing(white, black, letters_of(noted[1].result), noted[1]))
                break
        else:
            if letter == "+":
                found.append(Pairing(own, 0, (letter, other)))
    return tuple(found)


def _with_note(
    one: Pairing, number: int, notes: dict[tuple[int, int, int], tuple[OtherLine, PairedGame]], forgotten: list[str]
) -> Pairing:
    """The pairing with its comment line, unless that has another result than the player lines."""
    if (found := notes.get((number, one.white, one.black))) is None:
        return one
    record, game = found
    if letters_of(game.result) != one.letters:
        forgotten.append(f"line {record.line}: the note contradicts the player lines and is not used")
        return one
    return Pairing(one.white, one.black, one.letters, game)


def letters_of(result: Result | None) -> tuple[str, str]:
    """The letters of a result on the two player lines."""
    if result is None:
        return " ", " "
    if not (0 <= result.white <= 2 and 0 <= result.black <= 2):
        return "?", "?"
    if not result.played:
        return "+" if result.white else "-", "+" if result.black else "-"
    return "0=1"[result.white], "0=1"[result.black]

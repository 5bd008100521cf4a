"""Byes and penalties read from a report file, and notes on records that are not kept."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection

from korgool.competition.model import ByeKind, Penalty
from korgool.competition.trf.report_lines import OtherLine, ReportLines, read_points
from korgool.competition.trf.round_tables import ReportRounds, place
from korgool.competition.trf_columns import TrfError

_KINDS = {"F": ByeKind.FULL, "H": ByeKind.HALF, "Z": ByeKind.ZERO, " ": ByeKind.ZERO}
_LETTERS = {"+": ByeKind.FULL, "F": ByeKind.FULL, "H": ByeKind.HALF, "=": ByeKind.HALF}
_WORTH = {2: ByeKind.FULL, 1: ByeKind.HALF, 0: ByeKind.ZERO}
_NAMES = {2: "a full-point bye", 1: "a half-point bye", 0: "a bye without points"}


def read_list(record: OtherLine, first: int, known: Collection[int], what: str = "player") -> list[int]:
    """The numbers of a record from a column on, each in four columns after a blank."""
    found = []
    text = record.text
    for column in range(first, len(text.rstrip()) + 1, 5):
        part = text[column - 1 : column + 3].strip()
        if text[column - 2] != " " or not (part.isascii() and part.isdecimal()):
            raise TrfError(
                record.line, column, f"the columns are shifted: a number of a {what} belongs in 4 columns here"
            )
        if int(part):
            if int(part) not in known:
                raise TrfError(record.line, column, f"there is no {what} {int(part)}")
            found.append(int(part))
    return found


def read_number(record: OtherLine, first: int, last: int, what: str) -> int:
    """A number between two columns; 0 where they are blank."""
    text = record.text[first - 1 : last].strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal()):
        raise TrfError(record.line, first, f"{what} is a number, not {text!r}")
    return int(text)


def read_absences(
    report: ReportLines, tables: ReportRounds, rounds: int, bye_points: int, notes: list[str]
) -> dict[int, dict[int, ByeKind]]:
    """Rounds without a game by number of a player: from the player lines, and from records 240 and XXZ.

    A pairing-allocated bye of a round to come is kept as the bye that gives as many points, which a note says.

    Raises:
        TrfError: a record gives a bye to a player who has a game, or another bye, in that round.
    """
    found: dict[int, dict[int, ByeKind]] = defaultdict(dict)
    for at, single in enumerate(tables.alone, 1):
        for number, letter in single.items():
            if letter == "U" and at > tables.rounds:
                found[number][at] = _WORTH[bye_points]
                line, column = place(tables.lines[number], at)
                notes.append(
                    f"line {line}, column {column}: player {number} has the bye of round {at}, which is not paired "
                    f"yet; it is kept as {_NAMES[bye_points]}"
                )
            elif letter != "U" and (at <= tables.rounds or letter != " "):
                found[number][at] = _LETTERS.get(letter, ByeKind.ZERO)
    for record in report.records("240"):
        letter = record.text[4:5].upper() or " "
        if letter not in _KINDS:
            raise TrfError(record.line, 5, f"a bye is F, H or Z, not {letter!r}")
        at = read_number(record, 7, 9, "the round")
        if not 1 <= at <= rounds:
            raise TrfError(record.line, 7, f"the event has {rounds} rounds, there is no round {at}")
        for number in read_list(record, 11, tables.lines):
            _give(found, tables, number, at, _KINDS[letter], record)
    for record in report.records("XXZ"):
        for part in re.split(r"[\s,/]+", record.value):
            if not part:
                continue
            if not (part.isascii() and part.isdecimal()) or int(part) not in tables.lines:
                raise TrfError(record.line, 5, f"there is no player {part[:10]!r}")
            if tables.rounds < rounds:
                found[int(part)].setdefault(tables.rounds + 1, ByeKind.ZERO)
    return found


def _give(
    found: dict[int, dict[int, ByeKind]], tables: ReportRounds, number: int, at: int, kind: ByeKind, record: OtherLine
) -> None:
    letter = tables.alone[at - 1].get(number) if at <= len(tables.alone) else " "
    if letter is None or (letter == "U" and at <= tables.rounds):
        line = tables.lines[number]
        raise TrfError(
            record.line, 11, f"player {number} gets a bye in round {at} and is paired there (line {place(line, at)[0]})"
        )
    if letter not in " U" and found[number].get(at, kind) is not kind:
        raise TrfError(record.line, 5, f"player {number} has {letter} in round {at}, this record says {kind.value}")
    found[number][at] = kind


def read_penalties(report: ReportLines, tables: ReportRounds) -> dict[int, tuple[Penalty, ...]]:
    """Penalties of record 299 by number of a player.

    Raises:
        TrfError: a number cannot be read, or a result is given points that no result has here.
    """
    found: dict[int, list[Penalty]] = defaultdict(list)
    for record in report.records("299"):
        kind = record.text[4:5]
        field = record.text[12:17].ljust(5)
        text = field.strip()
        for column in (4, 6, 7, 12, 18, 19):
            if record.text[column - 1 : column].strip():
                raise TrfError(record.line, column, "the columns are shifted: a blank belongs here")
        if text and field[-1] == " ":
            raise TrfError(record.line, 14, f"the columns are shifted: {text!r} ends before column 17")
        half_points = read_points(text or "0")
        if half_points is None:
            raise TrfError(record.line, 14, f"points are written like -1.0, not {text!r}")
        at = read_number(record, 20, 22, "the round")
        numbers = read_list(record, 24, tables.lines)
        if kind.strip():
            raise TrfError(record.line, 5, f"other points for the result {kind} are not kept by this program")
        for number in numbers:
            if half_points:
                found[number].append(Penalty(min(at, tables.rounds), -half_points, "record 299"))
    return {number: tuple(taken) for number, taken in found.items()}


_UNKEPT = {
    "250": "accelerated rounds are",
    "XXA": "accelerated rounds are",
    "260": "single forbidden pairs are",
    "XXP": "single forbidden pairs are",
}


def read_unkept(report: ReportLines) -> list[str]:
    """Sentences on records that would change later pairings and are not kept."""
    return [
        f"line {records[0].line}: {what} not kept"
        for code, what in _UNKEPT.items()
        if (records := report.records(code))
    ]

"""The lines of a tournament report file, and the columns of its player lines.

Only columns are checked here; `read_trf` makes an event of the lines. `ReportLines.text` gives a file that follows
FIDE's paper back letter for letter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from korgool.competition.trf_columns import CELL, FIRST_CELL, TrfError, points_field

_POINTS = re.compile(r"(-?)(\d{1,3})(?:[.,](\d))?")
_RESULTS = "1=0+-WDLHFUZ "
_LONGEST, _MOST_LINES = 4000, 50_000


@dataclass(frozen=True, slots=True)
class RoundColumns:
    """A round on a player line: the opponent's number (0 for none), `w`, `b`, `-` or blank, and the letter."""

    opponent: int
    colour: str
    result: str

    @property
    def empty(self) -> bool:
        """True if the field is blank."""
        return not self.opponent and self.colour == " " and self.result == " "


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A record 001. `points` are half points; `points` and `rank` are None where the columns are blank."""

    line: int
    number: int
    sex: str = ""
    title: str = ""
    name: str = ""
    rating: int = 0
    federation: str = ""
    external: str = ""
    born: str = ""
    points: int | None = None
    rank: int | None = None
    cells: tuple[RoundColumns, ...] = ()

    @property
    def text(self) -> str:
        """The line; what is longer than its columns is cut."""
        points = "" if self.points is None else points_field(self.points)
        rank = "" if self.rank is None else self.rank
        head = (
            f"001 {self.number:>4} {self.sex[:1]:1}{self.title[:3]:>3} {self.name[:33]:33} {self.rating or '':>4} "
            f"{self.federation[:3]:3} {self.external[:11]:>11} {self.born[:10]:10} {points:>4} {rank:>4}"
        )
        cells = "".join(
            f"  {one.opponent or ('0000' if one.colour != ' ' else ''):>4} {one.colour} {one.result}"
            for one in self.cells
        )
        whole = head + cells
        return whole if self.cells and self.cells[-1].opponent else whole.rstrip()


@dataclass(frozen=True, slots=True)
class OtherLine:
    """Any other line: its code (the first three columns) and all that follows."""

    line: int
    code: str
    rest: str

    @property
    def text(self) -> str:
        """Line as text."""
        return self.code + self.rest

    @property
    def value(self) -> str:
        """Text from column 5 on, without blanks around it."""
        return self.rest[1:].strip()


@dataclass(frozen=True, slots=True)
class ReportLines:
    """The lines of a file, in their order."""

    lines: tuple[PlayerLine | OtherLine, ...]

    @property
    def players(self) -> tuple[PlayerLine, ...]:
        """The records 001, in their order."""
        return tuple(line for line in self.lines if isinstance(line, PlayerLine))

    def records(self, *codes: str) -> tuple[OtherLine, ...]:
        """The other records with one of some codes."""
        return tuple(line for line in self.lines if isinstance(line, OtherLine) and line.code in codes)

    def value(self, code: str) -> str:
        """Text of the first record with a code, empty where there is none."""
        found = self.records(code)
        return found[0].value if found else ""

    @property
    def text(self) -> str:
        """The file, each line ended by a newline."""
        return "".join(line.text + "\n" for line in self.lines)


def parse_report(text: str) -> ReportLines:
    """Split a file into its records; raises TrfError for a player line whose columns do not hold what they should."""
    raw = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while raw and not raw[-1].strip():
        raw.pop()
    if len(raw) > _MOST_LINES:
        raise TrfError(_MOST_LINES + 1, 0, f"a report file has at most {_MOST_LINES} lines")
    lines: list[PlayerLine | OtherLine] = []
    for number, whole in enumerate(raw, 1):
        if len(whole) > _LONGEST and not whole.startswith("###"):
            raise TrfError(number, _LONGEST + 1, f"a line has at most {_LONGEST} columns")
        line = whole.replace("\t", " ")
        if line.startswith("001"):
            lines.append(_player(number, line))
            continue
        if re.match(r"\s+001\s+\d", line):
            column = line.index("001") + 1
            raise TrfError(number, column, "the columns are shifted: a player line begins with 001 in column 1")
        lines.append(OtherLine(number, whole[:3], whole[3:]))
    return ReportLines(tuple(lines))


def _player(number: int, line: str) -> PlayerLine:
    try:
        return _read_player(_Line(number, line))
    except TrfError:
        if line.isascii():
            raise
        # Some programs fill up columns by bytes of UTF-8, so that a name with foreign letters moves the rest.
        bytes_line = line.encode().decode("latin-1")
        try:
            found = _read_player(_Line(number, bytes_line))
            name = found.name.encode("latin-1").decode()
        except (TrfError, UnicodeDecodeError):
            found = None
    return _read_player(_Line(number, line)) if found is None else _renamed(found, name)


def _renamed(line: PlayerLine, name: str) -> PlayerLine:
    return replace(line, name=name)


class _Line:
    """A line with columns from 1; what lies behind its end is blank."""

    def __init__(self, number: int, text: str) -> None:
        self.number, self.text = number, text

    def fail(self, column: int, reason: str) -> TrfError:
        return TrfError(self.number, column, reason)

    def at(self, first: int, last: int) -> str:
        return self.text[first - 1 : last].ljust(last - first + 1)

    def blank(self, first: int, last: int, between: str) -> None:
        for column in range(first, last + 1):
            if (found := self.at(column, column)) != " ":
                raise self.fail(column, f"the columns are shifted: {found!r} stands {between}, a blank belongs there")

    def integer(self, first: int, last: int, what: str) -> int | None:
        text = self.at(first, last).strip()
        if not text:
            return None
        if not (text.isascii() and text.isdecimal()):
            raise self.fail(first, f"{what} is a number, not {text!r}; the columns may be shifted")
        return int(text)

    def points(self, first: int, last: int, what: str) -> int | None:
        text = self.at(first, last).strip()
        if not text:
            return None
        half_points = read_points(text)
        if half_points is None:
            raise self.fail(first, f"{what} are written in halves, not {text!r}; the columns may be shifted")
        return half_points


def read_points(text: str) -> int | None:
    """Half points of a text like `4.5`, `4,5`, `-1.0` or `4`; None where it is not a number of half points."""
    found = _POINTS.fullmatch(text.strip())
    if not found or (found[3] or "0") not in "05" or not text.isascii():
        return None
    half_points = 2 * int(found[2]) + (found[3] == "5")
    return -half_points if found[1] else half_points


def _read_player(line: _Line) -> PlayerLine:
    if len(line.text.rstrip()) < 15:
        raise line.fail(len(line.text) + 1, "the player line ends before the name")
    line.blank(4, 4, "between 001 and the number")
    number = line.integer(5, 8, "the starting number")
    if not number:
        raise line.fail(5, "the starting number is missing")
    line.blank(9, 9, "between the number and the sex")
    sex = line.at(10, 10).strip().lower()
    if sex not in ("", "m", "w", "f"):
        raise line.fail(10, f"the sex is m or w, not {sex!r}")
    line.blank(14, 14, "between the title and the name")
    name = line.at(15, 47).strip()
    if not name:
        raise line.fail(15, "the name is missing")
    line.blank(48, 48, "between the name and the rating")
    rating = line.integer(49, 52, "the rating") or 0
    line.blank(53, 53, "between the rating and the federation")
    line.blank(57, 57, "between the federation and the FIDE number")
    line.blank(69, 69, "between the FIDE number and the date of birth")
    line.blank(80, 80, "between the date of birth and the points")
    points = line.points(81, 84, "the points")
    line.blank(85, 85, "between the points and the rank")
    rank = line.integer(86, 89, "the rank")
    return PlayerLine(
        line.number,
        number,
        "w" if sex == "f" else sex,
        line.at(11, 13).strip(),
        name,
        rating,
        line.at(54, 56).strip(),
        line.at(58, 68).strip(),
        _born(line),
        points,
        rank,
        _cells(line),
    )


def _born(line: _Line) -> str:
    text = line.at(70, 79).strip()
    if text and not re.fullmatch(r"[\d]{1,4}([./-]\d{1,4}){0,2}", text, re.ASCII):
        raise line.fail(70, f"the date of birth is written YYYY/MM/DD, not {text!r}")
    return text


def _cells(line: _Line) -> tuple[RoundColumns, ...]:
    cells: list[RoundColumns] = []
    end = len(line.text.rstrip())
    for first in range(FIRST_CELL, end + 1, CELL):
        where = f"before round {len(cells) + 1}"
        line.blank(first - 2, first - 1, where)
        line.blank(first + 4, first + 4, "between opponent and colour")
        line.blank(first + 6, first + 6, "between colour and result")
        opponent = line.integer(first, first + 3, "an opponent") or 0
        colour = line.at(first + 5, first + 5).lower()
        if colour not in "wb- ":
            raise line.fail(first + 5, f"a colour is w, b or -, not {colour!r}")
        result = line.at(first + 7, first + 7).upper()
        if result not in _RESULTS:
            raise line.fail(first + 7, f"a result is one of 1 = 0 + - W D L H F U Z, not {result!r}")
        cells.append(RoundColumns(opponent, colour, result))
    if end > 89:
        line.blank(90, 91, "behind the rank")
    return tuple(cells)

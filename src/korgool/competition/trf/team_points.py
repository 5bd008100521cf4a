"""Values of matches, byes and penalties of teams in a report file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from korgool.competition.model import Penalty, Team
from korgool.competition.result import points_text
from korgool.competition.trf.byes_and_penalties import read_list, read_number
from korgool.competition.trf.report_lines import OtherLine, ReportLines, read_points
from korgool.competition.trf_columns import TrfError

_WORTH = re.compile(r"(TW|TD|TL|TP|W|D|L|P)\s*([\d.,]+)", re.I)
_WIN = 4
"""Half points of a won match in a file that does not say."""


def match_points(report: ReportLines) -> tuple[int, int | None]:
    """Half points of a won match, and of a pairing-allocated bye where record 362 names it.

    Raises:
        TrfError: a won, a drawn and a lost match are not worth 2, 1 and 0 or multiples of these.
    """
    values = {"W": _WIN, "L": 0}
    line = 1
    for record in report.records("362"):
        line = record.line
        for found in _WORTH.finditer(record.value):
            values[found[1].upper().removeprefix("T")] = _half(record, 5, found[2])
    win = values["W"]
    if values["L"] or not win or values.get("D", win // 2) * 2 != win:
        raise TrfError(line, 5, "a match is worth 2, 1 and 0 in this program, the file counts in another way")
    return win, values.get("P")


def read_team_bye(report: ReportLines) -> int | None:
    """Value of a pairing-allocated bye of a team, as `Settings.bye_points`, by record 320 or 362; None without these.

    Raises:
        TrfError: its value is not that of a win, a draw or a loss.
    """
    win, said = match_points(report)
    line, column = 1, 5
    for record in report.records("320"):
        text = record.text[4:8].strip()
        if text:
            said, line = _half(record, 5, text), record.line
    if said is None:
        return None
    if said * 2 % win or not 0 <= said <= win:
        raise TrfError(line, column, "a pairing-allocated bye is worth a win, a draw or nothing in this program")
    return said * 2 // win


def board_points_notes(report: ReportLines, bye_points: int, boards: int) -> list[str]:
    """A sentence for a bye that gives other board points than here, where a bye counts on every board alike."""
    notes = []
    for record in report.records("320"):
        text = record.text[9:13].strip()
        own = bye_points * boards
        if text and (said := _half(record, 10, text)) != own:
            notes.append(
                f"line {record.line}, column 10: a bye gives {points_text(said)} board points there, "
                f"here {points_text(own)}, as much as on every board"
            )
    return notes


def read_team_penalties(
    report: ReportLines, teams: Mapping[int, Team], rounds: int, notes: list[str]
) -> dict[int, tuple[Penalty, ...]]:
    """Board points taken from teams by record 299, by id of the first player of the team, who bears them here.

    Args:
        report: the file.
        teams: by their numbers in the file.
        rounds: how many are paired.
        notes: sentences on what is not kept are added here.

    Raises:
        TrfError: a record cannot be read.
    """
    found: dict[int, list[Penalty]] = defaultdict(list)
    for record in report.records("299"):
        board = record.text[12:17].strip()
        half_points = _half(record, 14, board) if board else 0
        at = read_number(record, 20, 22, "the round")
        numbers = read_list(record, 24, teams, "team")
        match = record.text[6:11].strip()
        if record.text[4:5].strip() or (match and _half(record, 8, match)) or half_points > 0:
            notes.append(f"line {record.line}: match points and results of teams by record 299 are not kept")
            continue
        for number in numbers:
            if half_points and teams[number].players:
                found[teams[number].players[0]].append(Penalty(min(at, rounds), -half_points, "record 299"))
    return {id_: tuple(taken) for id_, taken in found.items()}


def _half(record: OtherLine, column: int, text: str) -> int:
    half_points = read_points(text)
    if half_points is None:
        raise TrfError(record.line, column, f"points are written like 1.5, not {text!r}")
    return half_points

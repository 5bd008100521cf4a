"""The totals that a report file declares, held against those that its rounds give: the rounds count."""

from __future__ import annotations

import re
from collections.abc import Iterator

from korgool.competition.event_state import EventState
from korgool.competition.round_history import history
from korgool.competition.standings.figures import table
from korgool.competition.trf.report_lines import OtherLine, ReportLines, read_points
from korgool.competition.trf.round_tables import ReportRounds

_COLUMNS = {"310": ((54, 60), (61, 67)), "801": ((13, 17), (18, 22)), "802": ((14, 20), (21, 27))}
"""Columns of match points and board points, as slices of the line."""
_BY_WORDS = re.compile(r"80[12] *\d{1,3} .{0,5}? +(\d+(?:[.,]\d)?) +(\d+(?:[.,]\d)?)(?= |$)")
"""Records 801 are of variable length: match points and board points behind number and nickname."""


def differing_totals(
    report: ReportLines, tables: ReportRounds, state: EventState, numbers: dict[int, int], worth: int
) -> list[str]:
    """Sentences on totals of records 001, 310, 801 and 802 that differ from those of the rounds, in their order.

    Args:
        report: the file.
        tables: its rounds.
        state: the event made of it.
        numbers: pairing numbers of the teams by their numbers in the file; empty in an individual event.
        worth: half points of a won match in the file.
    """
    found = [*_of_players(tables, state), *_of_teams(report, state, numbers, worth)]
    return [text for _, text in sorted(found)]


def _of_players(tables: ReportRounds, state: EventState) -> Iterator[tuple[int, str]]:
    met = history(state)
    ids = sorted(tables.lines)
    by_number = {player.number: player for player in state.players.values()}
    for place, number in enumerate(ids, 1):
        line, player = tables.lines[number], by_number[place]
        given = sum(one.points for one in met[player.id])
        # Some programs deduct penalties, and some add the byes of rounds to come, which stand on the line already.
        coming = 0 if state.event.system.of_teams else tables.coming(number, state.event.bye_points)
        fitting = {given + more - less for more in (0, coming) for less in (0, player.penalty)}
        if line.points is not None and line.points not in fitting:
            yield (
                line.line,
                f"line {line.line}, column 81: player {number} has {line.points / 2:g} points there, "
                f"the rounds give {given / 2:g}; the rounds count",
            )


def _of_teams(report: ReportLines, state: EventState, numbers: dict[int, int], worth: int) -> Iterator[tuple[int, str]]:
    if not numbers:
        return
    figures = {line.number: line for line in table(state).lines.values()}
    for record in report.records("310", "801", "802"):
        number = numbers.get(_number(record))
        if number is None:
            yield record.line, f"line {record.line}: there is no team {record.text[4:7].strip()!r}"
            continue
        line = figures[number]
        taken = line.taken(len(line.meetings))
        declared = _declared(record)
        scored = line.points * worth / 2
        for what, column, value, fitting in (
            ("match points", _column(record, 0), declared[0], (scored,)),
            ("board points", _column(record, 1), declared[1], (line.game_points, line.game_points + taken)),
        ):
            if value is not None and value not in fitting:
                yield (
                    record.line,
                    f"line {record.line}, column {column}: team {_number(record)} has {value / 2:g} {what} there, "
                    f"the rounds give {fitting[0] / 2:g}; the rounds count",
                )


def _number(record: OtherLine) -> int:
    found = re.match(r" *(\d{1,3})(?!\d)", record.text[3:7], re.ASCII)
    return int(found[1]) if found else 0


def _column(record: OtherLine, which: int) -> int:
    return _COLUMNS[record.code][which][0] + 1


def _declared(record: OtherLine) -> tuple[int | None, int | None]:
    """Half match points and half board points, None where the record does not say."""
    texts = [record.text[first:last].strip() for first, last in _COLUMNS[record.code]]
    match, board = (read_points(text) for text in texts)
    if (match is None or board is None) and record.code != "310" and (found := _BY_WORDS.match(record.text)):
        match, board = read_points(found[1]), read_points(found[2])
    return match, board

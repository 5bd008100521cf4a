"""Tie-breaks of team events from points on boards (FIDE C.07 articles 12 and 13)."""

from __future__ import annotations

from collections.abc import Sequence

from korgool.competition.model import ByeKind
from korgool.competition.round_history import Meeting, RoundKind
from korgool.competition.standings.figures import StandingsTable
from korgool.competition.standings.opponent_points import buchholz
from korgool.competition.standings.personal_meetings import Order


def board_points(table: StandingsTable, id_: int) -> float:
    """MPvGP: points won on boards, where match points rank the teams (C.07 13.1)."""
    return table.lines[id_].game_points / 2


def board_count(table: StandingsTable, id_: int) -> float:
    """BC: board number times the points won there, the least first (C.07 12.1)."""
    return sum(place * points for place, points in enumerate(_by_board(table, id_), 1)) / 2


def top_boards(table: StandingsTable, tied: Sequence[int]) -> Order:
    """TBR: points of the first board, then of the second, and so on (C.07 12.2)."""
    return _compared(tied, {id_: _by_board(table, id_) for id_ in tied})


def bottom_boards(table: StandingsTable, tied: Sequence[int]) -> Order:
    """BBE: points of all boards but the last, then but the last two, and so on (C.07 12.3)."""
    rows = {id_: _by_board(table, id_) for id_ in tied}
    return _compared(tied, {id_: [sum(row[:end]) for end in range(len(row) - 1, 0, -1)] for id_, row in rows.items()})


def strength_combination(table: StandingsTable, id_: int) -> float:
    """SSSC: board points and the schedule's strength: Buchholz over a factor (C.07 13.4).

    The factor is the most match points of the event over the most board points of one match, rounded towards zero.
    """
    factor = max(1, table.rounds // table.draw("game_points"))
    return round(board_points(table, id_) + buchholz(table, id_) / factor + 1e-9, 2)


def _by_board(table: StandingsTable, id_: int) -> list[int]:
    """Half points won on each board of the match by any player; a bye of the draw counts a win on each."""
    row = [0] * table.settings.boards
    for place, meeting in table.lines[id_].boards:
        if place <= len(row):
            row[place - 1] += meeting.points
    for meeting in table.lines[id_].meetings:
        if _free(meeting):
            row = [points + 2 for points in row]
    return row


def _free(meeting: Meeting) -> bool:
    return meeting.kind is RoundKind.BYE and meeting.bye in (ByeKind.ALLOCATED, ByeKind.FULL)


def _compared(tied: Sequence[int], keys: dict[int, list[int]]) -> Order:
    marks = sorted({tuple(keys[id_]) for id_ in tied}, reverse=True)
    groups = tuple(tuple(id_ for id_ in tied if tuple(keys[id_]) == mark) for mark in marks)
    first = {id_: keys[id_][0] / 2 if keys[id_] else 0.0 for id_ in tied}
    return Order(groups, first)

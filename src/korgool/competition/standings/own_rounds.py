"""Tie-breaks from a competitor's own rounds (FIDE C.07 article 7), and the korgools of WNG-TK §XII.

Each function takes the table and the id of a competitor and, if it can be cut, how many of the least values are left
out. Points are half points divided by two, so that a win is 1.
"""

from __future__ import annotations

from korgool.competition.model import ByeKind
from korgool.competition.round_history import Meeting, RoundKind
from korgool.competition.standings.figures import StandingsTable, lost, won


def progress(table: StandingsTable, id_: int, cut: int = 0) -> float:
    """PS, Progress: the sum of the points after each round (WNG-TK §XII; C.07 7.5, editions 2023 and 2026).

    `cut` leaves out the sums after the first rounds (C.07 14.1). With the setting `penalised_progress`, penalties lower
    every sum after them.
    """
    line, running, total = table.lines[id_], 0, 0
    for number, meeting in enumerate(line.meetings, 1):
        running += meeting.points
        if number > cut:
            total += running - (line.taken(number) if table.settings.penalised_progress else 0)
    return total / 2


def korgools_in_lost_games(table: StandingsTable, id_: int) -> float:
    """KL: korgools gathered in lost games, the more the better (WNG-TK §XII).

    A forfeited game has none. A game lost on the board counts the store after the sweep. A game lost by resignation or
    on time, also by both players, counts the store as it stood, or nothing if the setting `resigned_korgools` is
    `none`. A match of sets is one game, lost as a whole; if every set gives points (`set_points`), each lost set
    counts. A team has the sum of its boards.
    """
    line = table.lines[id_]
    games = [meeting for _, meeting in line.boards] if line.team else line.meetings
    return float(sum(_korgools(table, meeting) for meeting in games))


def _korgools(table: StandingsTable, meeting: Meeting) -> int:
    if meeting.kind is not RoundKind.PLAYED or meeting.result is None:
        return 0
    if meeting.result.cause in ("resignation", "time") and table.settings.resigned_korgools == "none":
        return 0
    if table.settings.set_points and meeting.result.sets:
        sets = [(one.white, one.stores) if meeting.white else (one.black, one.stores) for one in meeting.result.sets]
        side = 0 if meeting.white else 1
        return sum(stores[side] for points, stores in sets if points == 0 and stores is not None)
    return meeting.own or 0 if lost(meeting) else 0


def wins(table: StandingsTable, id_: int) -> float:
    """WIN: rounds that gave the points of a win, played or not (C.07 7.1, editions 2023 and 2026)."""
    return float(sum(map(won, table.lines[id_].meetings)))


def games_won(table: StandingsTable, id_: int) -> float:
    """WON: games won on the board (C.07 7.2; in a round robin forfeit wins are games, 15.2)."""
    return float(sum(won(meeting) for meeting in table.lines[id_].meetings if _over_the_board(table, meeting)))


def games_with_black(table: StandingsTable, id_: int) -> float:
    """BPG: games played with Black (C.07 7.3; in a round robin forfeit wins are games, 15.2)."""
    return float(sum(meeting.white is False for meeting in _played(table, id_)))


def won_with_black(table: StandingsTable, id_: int) -> float:
    """BWG: games won with Black (C.07 7.4)."""
    return float(sum(meeting.white is False and won(meeting) for meeting in _played(table, id_)))


def _played(table: StandingsTable, id_: int) -> list[Meeting]:
    return [meeting for meeting in table.lines[id_].meetings if _over_the_board(table, meeting)]


def _over_the_board(table: StandingsTable, meeting: Meeting) -> bool:
    if meeting.kind is RoundKind.FORFEIT:
        return table.predetermined and meeting.points > 0
    return meeting.kind is RoundKind.PLAYED


def rounds_elected_to_play(table: StandingsTable, id_: int) -> float:
    """REP: rounds less half-point byes, zero-point byes and forfeit losses (C.07 7.6; GE in the edition of 2023)."""
    asked = (ByeKind.HALF, ByeKind.ZERO)
    return float(
        sum(
            meeting.bye not in asked and not (meeting.kind is RoundKind.FORFEIT and meeting.points == 0)
            for meeting in table.lines[id_].meetings
        )
    )


def standard_points(table: StandingsTable, id_: int) -> float:
    """STD: 1 for each round with more points than the opponent, ½ with as many (C.07 7.7, edition 2026).

    A round without play gives 1 where it gave more than a draw, ½ where it gave as much.
    """
    draw, total = table.draw("points"), 0
    for meeting in table.lines[id_].meetings:
        if meeting.kind is RoundKind.PENDING:
            continue
        other = draw
        if meeting.kind is RoundKind.PLAYED and meeting.opponent is not None:
            other = table.lines[meeting.opponent].meetings[meeting.round - 1].points
        total += 2 if meeting.points > other else 1 if meeting.points == other else 0
    return total / 2


def pairing_number(table: StandingsTable, id_: int) -> float:
    """TPN: the pairing number, the lowest first (C.07 7.8, edition 2026)."""
    return float(table.lines[id_].number)


def rating(table: StandingsTable, id_: int) -> float:
    """RTNG: the rating of the start list, 0 when unrated (C.07 10.6, edition 2026)."""
    return float(table.lines[id_].rating)

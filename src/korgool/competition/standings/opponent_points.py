"""Tie-breaks from the points of opponents: Buchholz, Sonneborn-Berger and Koya (FIDE C.07 articles 8, 9 and 14 to 16).

Unplayed rounds: an opponent counts with adjusted points (`StandingsTable.adjusted`, 16.3). A competitor's own round
without a game counts as a game against a dummy with the competitor's own points (16.4). From 1 March 2026 the dummy of
a forfeited game has no more than the adjusted points of the scheduled opponent (16.4.1), and the dummy of a bye no
more than draws in all rounds give (16.4.2).
"""

from __future__ import annotations

from dataclasses import dataclass

from korgool.competition.model import System
from korgool.competition.round_history import RoundKind
from korgool.competition.standings.figures import Measure, StandingsLine, StandingsTable, gained, voluntary

_MANY_ROUNDS = 9


@dataclass(frozen=True, slots=True)
class Share:
    """The contribution of one round.

    Attributes:
        round: its number.
        opponent: id of the opponent; None for a dummy.
        strength: half points of the opponent or dummy.
        value: what is summed: the strength, or its product with the half points won.
        voluntary: whether the round was missed voluntarily; such rounds are cut first (16.5).
    """

    round: int
    opponent: int | None
    strength: int
    value: int
    voluntary: bool


def buchholz(table: StandingsTable, id_: int, cut: int = 0, cut_best: int = 0) -> float:
    """BH, Buchholz: the points of the opponents (WNG-TK §XII; C.07 8.1, 16; editions 2023 and 2026).

    `cut` leaves out the least values (BH-C1, BH-C2), `cut_best` also the greatest (BH-M1, BH-M2): C.07 14.1 to 14.4.
    """
    return sum(share.value for share in cut_shares(shares(table, table.lines[id_], "points", None), cut, cut_best)) / 2


def fore_buchholz(table: StandingsTable, id_: int, cut: int = 0, cut_best: int = 0) -> float:
    """FB: Buchholz as if the games of the last planned round had been drawn (C.07 8.3)."""
    return buchholz(table.fore, id_, cut, cut_best)


def average_buchholz(table: StandingsTable, id_: int) -> float:
    """AOB: the mean Buchholz of the opponents played (C.07 8.2).

    It is rounded to hundredths, from nine rounds on to thousandths, so that different means never look equal.
    """
    digits = 100 if table.rounds < _MANY_ROUNDS else 1000
    met = [
        one.opponent for one in table.lines[id_].meetings if one.kind is RoundKind.PLAYED and one.opponent is not None
    ]
    total = sum(round(buchholz(table, opponent) * 2) for opponent in met)
    return (total * digits + len(met)) // (2 * len(met)) / digits if met else 0.0


def sonneborn_berger(table: StandingsTable, id_: int, cut: int = 0, cut_best: int = 0) -> float:
    """SB: each opponent's points times the points won against them (C.07 9.1, 16; editions 2023 and 2026).

    `cut` leaves out the products with the weakest opponents, among equals the least product (C.07 14.1).
    """
    return _product(table, id_, "points", "points", cut, cut_best)


def match_match(table: StandingsTable, id_: int, cut: int = 0) -> float:
    """EMMSB: match points of each team met, times match points won against it (C.07 13.2.1)."""
    return _product(table, id_, "points", "points", cut)


def match_game(table: StandingsTable, id_: int, cut: int = 0) -> float:
    """EMGSB: match points of each team met, times board points won against it (C.07 13.2.2)."""
    return _product(table, id_, "points", "game_points", cut)


def game_match(table: StandingsTable, id_: int, cut: int = 0) -> float:
    """EGMSB: board points of each team met, times match points won against it (C.07 13.2.3)."""
    return _product(table, id_, "game_points", "points", cut)


def game_game(table: StandingsTable, id_: int, cut: int = 0) -> float:
    """EGGSB: board points of each team met, times board points won against it (C.07 13.2.4)."""
    return _product(table, id_, "game_points", "game_points", cut)


def koya(table: StandingsTable, id_: int) -> float:
    """KS, Koya: points won against opponents with at least half of the possible points (C.07 9.2)."""
    rounds = table.rounds
    if table.predetermined:
        cycles = 2 if table.settings.system is System.DOUBLE_ROUND_ROBIN else 1
        rounds = min(rounds, (len(table.lines) - 1) * cycles)
    enough = rounds * table.draw("points")
    return (
        sum(
            meeting.points
            for meeting in table.lines[id_].meetings
            if meeting.opponent is not None and table.lines[meeting.opponent].points >= enough
        )
        / 2
    )


def _product(table: StandingsTable, id_: int, strength: Measure, factor: Measure, cut: int, cut_best: int = 0) -> float:
    found = shares(table, table.lines[id_], strength, factor)
    return sum(share.value for share in cut_shares(found, cut, cut_best)) / 4


def shares(table: StandingsTable, line: StandingsLine, measure: Measure, factor: Measure | None) -> list[Share]:
    """Shares of every round of a competitor in a sum of opponents' points, before any is cut.

    Args:
        table: the figures.
        line: the competitor.
        measure: which points of the opponent count.
        factor: which points won against the opponent they are multiplied with; None adds them as they are.
    """
    found = []
    for meeting in line.meetings:
        opponent = meeting.opponent if table.as_game(meeting) else None
        if opponent is not None:
            strength, missed = table.adjusted(opponent, measure), False
        elif table.predetermined:
            continue
        else:
            strength, missed = _dummy(table, line, meeting.opponent, measure), voluntary(meeting)
        value = strength if factor is None else strength * gained(meeting, factor)
        found.append(Share(meeting.round, opponent, strength, value, missed))
    return found


def _dummy(table: StandingsTable, line: StandingsLine, scheduled: int | None, measure: Measure) -> int:
    """Half points of the dummy opponent of an unplayed round (C.07 16.4)."""
    own = table.total(line, measure)
    if not table.capped:
        return own
    if scheduled is not None:
        return min(own, table.adjusted(scheduled, measure))
    return min(own, table.draw(measure) * table.rounds)


def cut_shares(found: list[Share], low: int, high: int) -> list[Share]:
    """Shares that are left after the least and the greatest are cut.

    A round missed voluntarily is cut first, unless it is worth less than the least of all (C.07 16.5).
    """
    left = list(found)
    for _ in range(min(low, len(left))):
        least = min(left, key=lambda share: (share.strength, share.value))
        missed = [share for share in left if share.voluntary]
        first = min(missed, key=lambda share: (share.value, share.strength), default=least)
        left.remove(first if first.value >= least.value else least)
    for _ in range(min(high, len(left))):
        left.remove(max(left, key=lambda share: (share.strength, share.value)))
    return left

"""Standings: points, tie-breaks, groups, team totals, charts and comparisons (WNG-TK §XII; FIDE C.07)."""

from __future__ import annotations

from korgool.competition.standings.charts import Cell, ChartRow, cross_table, wall_chart
from korgool.competition.standings.comparison import SENTENCES, DecidingStep, Why, why
from korgool.competition.standings.figures import StandingsLine, StandingsTable, table
from korgool.competition.standings.groups import group_names, members
from korgool.competition.standings.personal_teams import TeamTotal, team_totals
from korgool.competition.standings.ranking import Ranking, prize_winners, rank, standings
from korgool.competition.standings.tiebreaks import TIEBREAKS, Tiebreak, check_tiebreaks, find_tiebreak
from korgool.competition.standings.workings import Joint, Part, Working, workings

__all__ = [
    "SENTENCES",
    "TIEBREAKS",
    "Cell",
    "ChartRow",
    "DecidingStep",
    "Joint",
    "Part",
    "Ranking",
    "StandingsLine",
    "StandingsTable",
    "TeamTotal",
    "Tiebreak",
    "Why",
    "Working",
    "check_tiebreaks",
    "cross_table",
    "find_tiebreak",
    "group_names",
    "members",
    "prize_winners",
    "rank",
    "standings",
    "table",
    "team_totals",
    "wall_chart",
    "why",
    "workings",
]

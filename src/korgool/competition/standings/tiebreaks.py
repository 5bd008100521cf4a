"""The registry of tie-breaks by code. Each is one small function whose docstring names the edition and the clause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeAlias

import korgool.competition.standings.opponent_points as opponents
import korgool.competition.standings.opponent_ratings as ratings
import korgool.competition.standings.own_rounds as own
import korgool.competition.standings.personal_meetings as meetings
import korgool.competition.standings.team_boards as boards
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.standings.figures import StandingsTable
from korgool.languages import N_

Value: TypeAlias = Callable[[StandingsTable, int], float]
Ordering: TypeAlias = Callable[[StandingsTable, Sequence[int]], meetings.Order]


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """A tie-break that regulations may name.

    Attributes:
        code: as FIDE writes it, `BH-C1`; `KL` is WNG's own.
        name: in English; a key for translation as well.
        clause: where it is defined.
        value: the value of a competitor, in points, stones or rating points; None if `order` is given.
        order: orders the competitors of a tie as a whole; None if `value` is given.
        lowest: whether the lowest value is the best.
        whom: whether it is for players, for teams, or for both.
    """

    code: str
    name: str
    clause: str
    value: Value | None = None
    order: Ordering | None = None
    lowest: bool = False
    whom: Literal["all", "players", "teams"] = "all"

    @property
    def about(self) -> str:
        """Explanation in a sentence or two: the docstring of its function."""
        found = self.value or self.order
        return (getattr(found, "func", found).__doc__ or "").strip()


def _cuts(code: str, name: str, clause: str, value: Callable[..., float], *cuts: str) -> list[Tiebreak]:
    words = {"C1": (1, 0, "cut 1"), "C2": (2, 0, "cut 2"), "M1": (1, 1, "median 1"), "M2": (2, 2, "median 2")}
    found = [Tiebreak(code, name, clause, value)]
    for cut in cuts:
        low, high, word = words[cut]
        less = partial(value, cut=low, cut_best=high) if high else partial(value, cut=low)
        found.append(Tiebreak(f"{code}-{cut}", f"{name}, {word}", f"{clause}, C.07 14", less))
    return found


_FOUR = ("C1", "C2", "M1", "M2")

_ALL = (
    *_cuts("PS", "Progress", "WNG-TK XII; C.07 7.5", own.progress, "C1", "C2"),
    *_cuts("BH", "Buchholz", "WNG-TK XII; C.07 8.1", opponents.buchholz, *_FOUR),
    Tiebreak("DE", "Personal meetings", "WNG-TK XII; C.07 6", order=meetings.direct_encounter),
    Tiebreak("KL", "Stones in lost games", "WNG-TK XII", own.korgools_in_lost_games),
    Tiebreak("WIN", "Wins", "C.07 7.1", own.wins),
    Tiebreak("WON", "Games won", "C.07 7.2", own.games_won),
    Tiebreak("BPG", "Games with Black", "C.07 7.3", own.games_with_black),
    Tiebreak("BWG", "Games won with Black", "C.07 7.4", own.won_with_black),
    Tiebreak("REP", "Rounds elected to play", "C.07 7.6", own.rounds_elected_to_play),
    Tiebreak("STD", "Standard points", "C.07 7.7", own.standard_points),
    Tiebreak("TPN", "Pairing number", "C.07 7.8", own.pairing_number, lowest=True),
    Tiebreak("AOB", "Average Buchholz of opponents", "C.07 8.2", opponents.average_buchholz),
    *_cuts("FB", "Fore Buchholz", "C.07 8.3", opponents.fore_buchholz, *_FOUR),
    *_cuts("SB", "Sonneborn-Berger", "C.07 9.1", opponents.sonneborn_berger, "C1", "C2"),
    Tiebreak("KS", "Koya", "C.07 9.2", opponents.koya),
    *(
        Tiebreak(one.code, one.name, one.clause, one.value, whom="players")
        for one in (
            *_cuts("ARO", "Average rating of opponents", "C.07 10.1", ratings.average_rating, *_FOUR),
            Tiebreak("TPR", "Rating performance", "C.07 10.2", ratings.performance),
            Tiebreak("PTP", "Perfect performance", "C.07 10.3", ratings.perfect_performance),
            Tiebreak("APRO", "Average performance of opponents", "C.07 10.4", ratings.average_performance),
            Tiebreak("APPO", "Average perfect performance of opponents", "C.07 10.5", ratings.average_perfect),
            Tiebreak("RTNG", "Rating", "C.07 10.6", own.rating),
        )
    ),
    *(
        Tiebreak(one.code, one.name, one.clause, one.value, one.order, one.lowest, "teams")
        for one in (
            Tiebreak("MPVGP", "Board points", "C.07 13.1", boards.board_points),
            Tiebreak("BC", "Board count", "C.07 12.1", boards.board_count, lowest=True),
            Tiebreak("TBR", "Top boards", "C.07 12.2", order=boards.top_boards),
            Tiebreak("BBE", "Bottom boards left out", "C.07 12.3", order=boards.bottom_boards),
            *_cuts("EMMSB", "Sonneborn-Berger, match by match points", "C.07 13.2.1", opponents.match_match, "C1"),
            *_cuts("EMGSB", "Sonneborn-Berger, match by board points", "C.07 13.2.2", opponents.match_game, "C1"),
            *_cuts("EGMSB", "Sonneborn-Berger, board by match points", "C.07 13.2.3", opponents.game_match, "C1"),
            *_cuts("EGGSB", "Sonneborn-Berger, board by board points", "C.07 13.2.4", opponents.game_game, "C1"),
            Tiebreak("EDE", "Personal meetings, then on boards", "C.07 13.3", order=meetings.extended_direct_encounter),
            Tiebreak("SSSC", "Board points and strength of schedule", "C.07 13.4", boards.strength_combination),
        )
    ),
)

TIEBREAKS: Mapping[str, Tiebreak] = MappingProxyType({one.code: one for one in _ALL})
"""Every tie-break by its code; the first codes are the preset of WNG-TK §XII: PS, BH, DE, KL."""

_NOT_OF_FIDE = ("KL",)


def trf_code(code: str) -> str | None:
    """A tie-break as record 202 of a tournament report names it (`BH/C1`); None if FIDE has no code for it."""
    key = code.strip().upper().replace("/", "-")
    if key not in TIEBREAKS or key in _NOT_OF_FIDE:
        return None
    return {"MPVGP": "MPvGP"}.get(key) or key.replace("-", "/")


def find_tiebreak(code: str, *, teams: bool = False) -> Tiebreak:
    """The tie-break of a code, in any case, also as TRF writes it (`BH/C1`).

    Raises:
        CompetitionError: there is none, or it is for players and teams are ranked, or the other way round.
    """
    key = code.strip().upper().replace("/", "-")
    if key not in TIEBREAKS:
        raise CompetitionError(
            N_("there is no tie-break {code!r}; there are {listed}"), code=code, listed=", ".join(TIEBREAKS)
        )
    found = TIEBREAKS[key]
    if found.whom not in ("all", "teams" if teams else "players"):
        raise CompetitionError(N_("the tie-break {code} is for {whom}"), code=found.code, whom=found.whom)
    return found


def check_tiebreaks(settings: Settings) -> None:
    """Raise CompetitionError if the settings name an unknown tie-break, or one twice."""
    codes = [find_tiebreak(code, teams=settings.system.of_teams).code for code in settings.tiebreaks]
    for code in codes:
        if codes.count(code) > 1 and TIEBREAKS[code].order is None:
            raise CompetitionError(N_("the tie-break {code} is named twice"), code=code)

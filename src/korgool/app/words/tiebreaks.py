"""The names of tie-breaks and what each of them means, in the languages of the catalogues."""

from __future__ import annotations

from korgool.competition.standings import find_tiebreak
from korgool.languages import N_, translations

_NAMES = {
    "PS": (N_("Progress"), N_("the sum of the points after each round")),
    "BH": (N_("Buchholz"), N_("the sum of the points of all opponents")),
    "DE": (N_("Personal meetings"), N_("the points in the games among those who are equal")),
    "KL": (N_("Korgools in lost games"), N_("the stones gathered in lost games")),
    "WIN": (N_("Wins"), N_("rounds with the points of a win, played or not")),
    "WON": (N_("Games won"), N_("games won on the board")),
    "BPG": (N_("Games with Black"), N_("games played with Black")),
    "BWG": (N_("Games won with Black"), N_("games won on the board with Black")),
    "REP": (N_("Rounds elected to play"), N_("all rounds but requested byes and games lost by forfeit")),
    "STD": (N_("Standard points"), N_("1 for each round with more points than the opponent, ½ with as many")),
    "TPN": (N_("Pairing number"), N_("the number in the start list; the lowest is the best")),
    "AOB": (N_("Average Buchholz of opponents"), N_("the mean Buchholz of the opponents")),
    "FB": (N_("Fore Buchholz"), N_("Buchholz as if every game of the last round were a draw")),
    "SB": (N_("Sonneborn-Berger"), N_("for each opponent, their points times the points won against them")),
    "KS": (N_("Koya"), N_("points won against opponents with at least half of the possible points")),
    "ARO": (N_("Average rating of opponents"), N_("the mean rating of the opponents")),
    "TPR": (N_("Rating performance"), N_("the mean rating of the opponents, more or less by the share of points won")),
    "PTP": (N_("Perfect performance"), N_("the lowest rating from which the points won are to be expected")),
    "APRO": (N_("Average performance of opponents"), N_("the mean rating performance of the opponents")),
    "APPO": (N_("Average perfect performance of opponents"), N_("the mean perfect performance of the opponents")),
    "RTNG": (N_("Rating"), N_("the rating in the start list")),
    "MPVGP": (N_("Board points"), N_("points won on all boards")),
    "BC": (N_("Board count"), N_("the number of each board times the points won there; the lowest sum is the best")),
    "TBR": (N_("Top boards"), N_("points on the first board, then on the second, and so on")),
    "BBE": (
        N_("Bottom boards left out"),
        N_("board points without the last board, then without the last two, and so on"),
    ),
    "EMMSB": (
        N_("Sonneborn-Berger, match by match points"),
        N_("for each team met, its match points times the match points won against it"),
    ),
    "EMGSB": (
        N_("Sonneborn-Berger, match by board points"),
        N_("for each team met, its match points times the board points won against it"),
    ),
    "EGMSB": (
        N_("Sonneborn-Berger, board by match points"),
        N_("for each team met, its board points times the match points won against it"),
    ),
    "EGGSB": (
        N_("Sonneborn-Berger, board by board points"),
        N_("for each team met, its board points times the board points won against it"),
    ),
    "EDE": (
        N_("Personal meetings, then on boards"),
        N_("match points in the matches among those who are equal, then board points"),
    ),
    "SSSC": (
        N_("Board points and strength of schedule"),
        N_("board points, and Buchholz divided by a number that follows from the rounds and boards"),
    ),
}
"""By code without a cut: the name, and what the value is."""
_CUTS = {
    "C1": N_("without the lowest"),
    "C2": N_("without the two lowest"),
    "M1": N_("without the lowest and the highest"),
    "M2": N_("without the two lowest and the two highest"),
}


def tiebreak_name(code: str, language: str, *, teams: bool = False) -> str:
    """The name of a code of `TIEBREAKS`: `BH-C1` is `Buchholz, without the lowest`.

    Raises:
        CompetitionError: there is no such tie-break.
        ValueError: there is no such language.
    """
    return _said(code, language, 0, teams)


def tiebreak_meaning(code: str, language: str, *, teams: bool = False) -> str:
    """What the value of a code is, such as `the sum of the points of all opponents, without the lowest`.

    Raises what `tiebreak_name` raises.
    """
    return _said(code, language, 1, teams)


def _said(code: str, language: str, which: int, teams: bool) -> str:
    gettext = translations(language).gettext
    base, _, cut = find_tiebreak(code, teams=teams).code.partition("-")
    text = gettext(_NAMES[base][which])
    return f"{text}, {gettext(_CUTS[cut])}" if cut in _CUTS else text

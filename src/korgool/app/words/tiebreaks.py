"""The names of tie-breaks, in the languages of the catalogues."""

from __future__ import annotations

from korgool.competition.standings import find_tiebreak
from korgool.languages import N_, translations

_NAMES = (
    N_("Progress"),
    N_("Buchholz"),
    N_("Personal meetings"),
    N_("Korgools in lost games"),
    N_("Wins"),
    N_("Games won"),
    N_("Games with Black"),
    N_("Games won with Black"),
    N_("Rounds elected to play"),
    N_("Standard points"),
    N_("Pairing number"),
    N_("Average Buchholz of opponents"),
    N_("Fore Buchholz"),
    N_("Sonneborn-Berger"),
    N_("Koya"),
    N_("Average rating of opponents"),
    N_("Rating performance"),
    N_("Perfect performance"),
    N_("Average performance of opponents"),
    N_("Average perfect performance of opponents"),
    N_("Rating"),
    N_("Board points"),
    N_("Board count"),
    N_("Top boards"),
    N_("Bottom boards left out"),
    N_("Sonneborn-Berger, match by match points"),
    N_("Sonneborn-Berger, match by board points"),
    N_("Sonneborn-Berger, board by match points"),
    N_("Sonneborn-Berger, board by board points"),
    N_("Personal meetings, then on boards"),
    N_("Board points and strength of schedule"),
)
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
    gettext = translations(language).gettext
    found = find_tiebreak(code, teams=teams)
    base, _, cut = found.code.partition("-")
    name = gettext(find_tiebreak(base, teams=teams).name)
    return f"{name}, {gettext(_CUTS[cut])}" if cut in _CUTS else name

"""Tie-breaks in the languages of the catalogues: names, how each came about, and why one stands above another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from korgool.app.words.event_texts import number_text
from korgool.competition.standings import DecidingStep, Joint, Part, Ranking, Why, Working, find_tiebreak, workings
from korgool.languages import N_, translations

_NAMES = {
    "PS": (N_("Progress"), N_("the sum of the points after each round")),
    "BH": (N_("Buchholz"), N_("the sum of the points of all opponents")),
    "DE": (N_("Personal meetings"), N_("the points in the games among those who are equal")),
    "KL": (N_("Stones in lost games"), N_("the stones gathered in lost games")),
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
    """Description of the value of a code, such as `the sum of the points of all opponents, without the lowest`.

    Raises what `tiebreak_name` raises.
    """
    return _said(code, language, 1, teams)


def _said(code: str, language: str, which: int, teams: bool) -> str:
    gettext = translations(language).gettext
    base, _, cut = find_tiebreak(code, teams=teams).code.partition("-")
    text = gettext(_NAMES[base][which])
    return f"{text}, {gettext(_CUTS[cut])}" if cut in _CUTS else text


_WHY = {
    "above": N_("{above} stands above {below}."),
    "shared": N_("{above} and {below} share a place: they are equal in everything."),
    "excluded": N_("{below} was excluded and stands behind all others."),
    "rounds.more": N_("Rounds survived: {first} against {second}."),
    "rounds.equal": N_("Both survived as many rounds: {first}."),
    "points.more": N_("Points: {first} against {second}."),
    "points.equal": N_("Both have as many points: {first}."),
    "value.more": N_("{name} ({code}): {first} against {second}, the higher is the better."),
    "value.less": N_("{name} ({code}): {first} against {second}, the lower is the better."),
    "value.equal": N_("{name} ({code}): both have {first}."),
    "tie.decides": N_("{name} ({code}) decides among the {count} who are equal so far: {figures}."),
    "tie.equal": N_("{name} ({code}) does not part them among the {count} who are equal so far: {figures}."),
    "tie.missing": N_("Not all of them have met."),
}


def why_text(found: Why, language: str, *, teams: bool = False) -> list[str]:
    """The comparison of two competitors, a sentence for each step."""
    return [_said_step(step, language, teams=teams) for step in found.steps]


def _said_step(step: DecidingStep, language: str, *, teams: bool) -> str:
    figures = dict(step.figures)
    if "code" in figures:
        figures["name"] = tiebreak_name(figures["code"], language, teams=teams)
    return translations(language).gettext(_WHY[step.key]).format(**figures)


@dataclass(frozen=True, slots=True)
class SaidPart:
    """A part of a tie-break.

    Attributes:
        round: 0 if it is of the whole event; the board, for tie-breaks by boards.
        who: the opponent; empty without one.
        value: what it adds.
        product: of points and points won, such as `4½ × 1`; empty if it is none.
        cut: whether it is left out of the sum.
    """

    round: int
    who: str
    value: str
    product: str
    cut: bool


@dataclass(frozen=True, slots=True)
class SaidWorking:
    """A tie-break of a competitor.

    Attributes:
        code, name, meaning: of the tie-break.
        value: as the standings show it.
        joint: how the parts make it, a value of `Joint`.
        alone: whether nobody is equal to the competitor, so that a meeting of those who are decides nothing.
        parts: in the order of rounds.
    """

    code: str
    name: str
    meaning: str
    value: str
    joint: str
    alone: bool
    parts: tuple[SaidPart, ...]


def said_workings(found: Ranking, id_: int, language: str, name: Callable[[int], str]) -> tuple[SaidWorking, ...]:
    """Every tie-break of a competitor in the order of the standings.

    Args:
        found: the standings.
        id_: the competitor.
        language: one of `LANGUAGES`.
        name: the name of a competitor, by id.
    """
    return tuple(_working(one, language, name, teams=found.table.teams) for one in workings(found, id_))


def _working(one: Working, language: str, name: Callable[[int], str], *, teams: bool) -> SaidWorking:
    code = one.tiebreak.code
    meaning = tiebreak_meaning(code, language, teams=teams)
    # What somebody gathered after each round has nothing to do with the opponent of that round.
    named = code.partition("-")[0] != "PS"
    return SaidWorking(
        code=code,
        name=tiebreak_name(code, language, teams=teams),
        meaning=f"{meaning[:1].upper()}{meaning[1:]}.",
        value=number_text(one.value),
        joint=one.joint.value,
        alone=one.joint is Joint.ALONE and code in ("DE", "EDE"),
        parts=tuple(_part(part, name if named else None) for part in one.parts),
    )


def _part(part: Part, name: Callable[[int], str] | None) -> SaidPart:
    product = ""
    if part.strength is not None and part.won is not None:
        product = f"{number_text(part.strength)} × {number_text(part.won)}"
    who = name(part.opponent) if name is not None and part.opponent else ""
    return SaidPart(part.round, who, number_text(part.value), product, part.cut)

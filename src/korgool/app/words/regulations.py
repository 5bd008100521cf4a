"""The regulations of an event in sentences, and the names of presets and of practice events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from gettext import GNUTranslations

from korgool.app.words.event_texts import control_words
from korgool.app.words.games import GAME_WORDS, option_words
from korgool.app.words.prize_words import fund_name
from korgool.app.words.tiebreaks import tiebreak_meaning, tiebreak_name
from korgool.competition.model import Settings, System
from korgool.competition.practice import PracticeWords
from korgool.competition.presets import Preset
from korgool.competition.prize_fund import Sharing
from korgool.competition.standings import find_tiebreak
from korgool.conduct.sentences.durations import in_words
from korgool.languages import N_, translations
from korgool.rules import GAMES

_SYSTEMS = {
    System.SWISS: (
        N_("Swiss system"),
        N_("In every round, players with equal or nearly equal points meet; nobody meets the same opponent twice."),
    ),
    System.ROUND_ROBIN: (N_("Round robin"), N_("Everybody meets everybody once.")),
    System.DOUBLE_ROUND_ROBIN: (
        N_("Double round robin"),
        N_("Everybody meets everybody twice, once with each colour."),
    ),
    System.KNOCKOUT: (N_("Knock-out"), N_("Whoever loses is out; the winners go on to the next round.")),
    System.TEAM_SWISS: (
        N_("Team event, Swiss system"),
        N_("In every round, teams with equal or nearly equal points meet; no two teams meet twice."),
    ),
    System.TEAM_ROUND_ROBIN: (N_("Team event, round robin"), N_("Every team meets every other team once.")),
}
_BYES = {
    2: N_("Whoever has no opponent because the field is odd gets 1 point."),
    1: N_("Whoever has no opponent because the field is odd gets half a point."),
    0: N_("Whoever has no opponent because the field is odd gets no point."),
}
_FORBIDDEN = {
    "team": N_("Players of one team meet only if nothing else is possible."),
    "federation": N_("Players of one federation meet only if nothing else is possible."),
}
_PERSONAL = {
    "born": N_("Date of birth"),
    "passport": N_("Passport, series and number"),
    "coaches": N_("Coaches, full names"),
    "doctor": N_("Doctor's admission, signature"),
}
_SHOWN = {"born": N_("Year of birth"), "photo": N_("Photo")}

_SHARING = {
    Sharing.NONE: N_("Where points are equal, the tie-breaks decide over prizes."),
    Sharing.EQUAL: N_("Those with equal points share the money of their places evenly."),
    Sharing.HORT: N_("Those with equal points get half of the money of their place and share the other halves evenly."),
}


@dataclass(frozen=True, slots=True)
class Regulation:
    """One sentence of the regulations.

    Attributes:
        about: the member of `Settings` that it explains; `warnings` for what no event changes.
        text: the sentence.
        clause: where it is laid down, empty where the organiser decides alone.
    """

    about: str
    text: str
    clause: str = ""


def regulations(settings: Settings, language: str) -> tuple[Regulation, ...]:
    """The regulations of an event in sentences, in the order in which a reader asks for them.

    Args:
        settings: of the event.
        language: a tag of `LANGUAGES`; any other raises ValueError.
    """
    catalogue = translations(language)
    return (
        *_event(settings, catalogue),
        *_games(settings, catalogue),
        *_rounds(settings, catalogue),
        *_places(settings, catalogue, language),
        *_people(settings, catalogue),
    )


def _event(settings: Settings, catalogue: GNUTranslations) -> Iterator[Regulation]:
    gettext = catalogue.gettext
    dates = settings.begins
    if settings.begins and settings.ends not in ("", settings.begins):
        dates = gettext("%(begins)s to %(ends)s") % {"begins": settings.begins, "ends": settings.ends}
    rows = (
        ("organiser", gettext("Organiser"), settings.organiser),
        ("place", gettext("Venue"), settings.place),
        ("begins", gettext("Dates"), dates),
    )
    yield from (Regulation(about, f"{label}: {text}.") for about, label, text in rows if text)


def _games(settings: Settings, catalogue: GNUTranslations) -> Iterator[Regulation]:
    gettext = catalogue.gettext
    mangala = settings.game in ("mangala", "castle")
    label, name = gettext("Game"), gettext(GAME_WORDS[settings.game].name)
    yield Regulation("game", f"{label}: {name}.")
    rules, usual = settings.rules(), GAMES[settings.game].options()
    for name, value in rules.options().items():
        if value != usual[name]:
            yield Regulation("rule", option_words(rules, name, gettext))
    if settings.sets > 1:
        text = catalogue.ngettext(
            "Each pairing is a match of %(n)s set; the players begin in turn.",
            "Each pairing is a match of %(n)s sets; the players begin in turn.",
            settings.sets,
        )
        yield Regulation("sets", text % {"n": settings.sets})
        counted = (
            gettext("The points of all sets count.")
            if settings.set_points
            else gettext("The match counts like one game: whoever has more points in its sets wins it.")
        )
        yield Regulation("set_points", counted)
    clause = "WNG-M §II:2" if mangala else "WNG-TK §XI:2"
    usual_control = settings.time_control() == replace(settings, control="").time_control()
    for text in control_words(settings.time_control(), catalogue):
        yield Regulation("control", text, clause if usual_control else "")
    clause = "WNG-M §II:3" if mangala else "WNG-TK §IX:1, WNG-TK §IX:2"
    yield Regulation("points", gettext("A win gives 1 point, a draw half a point, a loss none."), clause)


def _rounds(settings: Settings, catalogue: GNUTranslations) -> Iterator[Regulation]:
    gettext = catalogue.gettext
    name, meaning = _SYSTEMS[settings.system]
    swiss = settings.system in (System.SWISS, System.TEAM_SWISS)
    clause = "WNG-M §II:1" if settings.game in ("mangala", "castle") else "WNG-TK §XI:1"
    yield Regulation(
        "system", f"{gettext(name)}. {gettext(meaning)}", clause if settings.system is System.SWISS else ""
    )
    text = catalogue.ngettext("%(n)s round is played.", "%(n)s rounds are played.", settings.rounds)
    yield Regulation("rounds", text % {"n": settings.rounds})
    if settings.system.of_teams:
        text = catalogue.ngettext(
            "A match of teams is played on %(n)s board; more points on the boards win it.",
            "A match of teams is played on %(n)s boards; more points on the boards win it.",
            settings.boards,
        )
        yield Regulation("boards", text % {"n": settings.boards})
    if swiss:
        yield Regulation("bye_points", gettext(_BYES[settings.bye_points]), "FIDE C.04.1 §3")
    yield from (Regulation("forbid", gettext(_FORBIDDEN[what])) for what in settings.forbid)


def _places(settings: Settings, catalogue: GNUTranslations, language: str) -> Iterator[Regulation]:
    gettext = catalogue.gettext
    teams = settings.system.of_teams
    if settings.tiebreaks:
        yield Regulation(
            "tiebreaks", gettext("Points decide the places; where they are equal, the following, in this order:")
        )
    else:
        yield Regulation("tiebreaks", gettext("Points decide the places; whoever has as many shares the place."))
    for number, code in enumerate(settings.tiebreaks, 1):
        found = find_tiebreak(code, teams=teams)
        name, meaning = (say(code, language, teams=teams) for say in (tiebreak_name, tiebreak_meaning))
        yield Regulation("tiebreaks", f"{number}. {name} ({found.code}): {meaning}.", found.clause)
    codes = {find_tiebreak(code, teams=teams).code for code in settings.tiebreaks}
    if "KL" in codes:
        counted = (
            gettext("A game lost by resignation or on time counts with the stones in the kazan at that moment.")
            if settings.resigned_korgools == "store"
            else gettext("A game lost by resignation or on time counts no stones.")
        )
        yield Regulation("resigned_korgools", counted)
    if settings.penalised_progress and any(code.startswith("PS") for code in codes):
        yield Regulation("penalised_progress", gettext("A point taken by a third warning lowers Progress too."))
    text = gettext("Rounds without a game count by FIDE's tie-break rules of %(year)s.") % {"year": settings.edition}
    yield Regulation("edition", text, "FIDE C.07")
    if not teams:
        text = gettext("The points of all its players make the total of a team.")
        if settings.team_best:
            text = catalogue.ngettext(
                "The points of its best %(n)s player make the total of a team.",
                "The points of its best %(n)s players make the total of a team.",
                settings.team_best,
            ) % {"n": settings.team_best}
        yield Regulation("team_best", text, "WNG-TK §XI:1")
    if settings.prizes:
        text = catalogue.ngettext(
            "Prizes go to the first %(n)s place.", "Prizes go to the first %(n)s places.", settings.prizes
        )
        yield Regulation("prizes", text % {"n": settings.prizes})
    if settings.fund.prizes:
        gettext = catalogue.gettext
        yield Regulation("fund", gettext("Prizes: %(listed)s.") % {"listed": fund_name(settings.fund, gettext)})
        yield Regulation("fund", gettext(_SHARING[settings.fund.sharing]))


def _people(settings: Settings, catalogue: GNUTranslations) -> Iterator[Regulation]:
    gettext = catalogue.gettext
    if settings.sex == "women":
        yield Regulation("sex", gettext("Only women take part."), "WNG-TK §XIII:2")
    elif settings.sex == "men":
        yield Regulation("sex", gettext("Only men take part."))
    else:
        yield Regulation("sex", gettext("The event is open to men and women."), "WNG-TK §XIII:3")
    if settings.from_year and settings.to_year:
        born = gettext("Those born from %(first)s to %(last)s take part.")
        yield Regulation("born", born % {"first": settings.from_year, "last": settings.to_year})
    elif settings.from_year:
        yield Regulation("born", gettext("Those born in %(year)s or later take part.") % {"year": settings.from_year})
    elif settings.to_year:
        yield Regulation("born", gettext("Those born in %(year)s or earlier take part.") % {"year": settings.to_year})
    if settings.personal:
        listed = "; ".join(gettext(_PERSONAL[what]) for what in settings.personal)
        yield Regulation(
            "personal",
            gettext("The application asks for what only officials see: %(what)s.") % {"what": listed},
            "WNG-TK §XIII:1",
        )
    text = gettext("Public pages show name, federation, rating and results of the players.")
    if settings.shown:
        listed = "; ".join(gettext(_SHOWN[what]) for what in settings.shown)
        text = gettext("Public pages show name, federation, rating and results of the players, and: %(what)s.") % {
            "what": listed
        }
    yield Regulation("shown", text)
    if settings.phones:
        yield Regulation("phones", gettext("Both players report the result by phone at their table."))
    if settings.live.boards:
        boards, delay = settings.live.boards, settings.live.delay
        shown = gettext("While they are played, so many of the first boards can be followed: %(n)s.") % {"n": boards}
        later = gettext("Moves are shown %(time)s later.") % {"time": in_words(1000 * delay, catalogue)}
        yield Regulation("live", f"{shown} {later}" if delay else shown)
    yield Regulation(
        "warnings", gettext("The third warning takes a point away, the fourth excludes."), "WNG-TK §XIV:14"
    )


_GAMES = N_("World Nomad Games")
_FIELDS = {"men": N_("Men"), "women": N_("Women"), "teams": N_("Teams")}
_OTHERS = {
    "fide-swiss": N_("FIDE, Swiss system, ratings that cannot be compared"),
    "fide-swiss-rated": N_("FIDE, Swiss system, ratings that can be compared"),
    "fide-round-robin": N_("FIDE, round robin"),
}


def preset_title(preset: Preset, language: str) -> str:
    """Title of a preset, such as `World Nomad Games: Mangala, Women`; raises ValueError for an unknown language."""
    gettext: Callable[[str], str] = translations(language).gettext
    if not preset.field:
        return gettext(_OTHERS[preset.name])
    game = gettext(GAME_WORDS[preset.regulations.game].name)
    return f"{gettext(_GAMES)}: {game}, {gettext(_FIELDS[preset.field])}"


_EVENT = N_("Practice event")
_PLAYER = N_("Player %(number)s")
_TEAM = N_("Team %(number)s")


def practice_words(language: str) -> PracticeWords:
    """Names of a practice event, its players and teams; raises ValueError for an unknown language."""
    gettext = translations(language).gettext
    return PracticeWords(gettext(_EVENT), gettext(_PLAYER), gettext(_TEAM))

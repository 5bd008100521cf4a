"""Regulations in words: every choice of an organiser is said, in five languages."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest

from korgool.app.words.event_texts import control_words
from korgool.app.words.games import option_words
from korgool.app.words.regulations import preset_title, regulations
from korgool.app.words.tiebreaks import tiebreak_meaning
from korgool.competition.broadcast import Broadcast
from korgool.competition.model import Settings, System
from korgool.competition.presets import PRESETS
from korgool.competition.prize_fund import read_fund
from korgool.competition.standings import TIEBREAKS
from korgool.competition.time_control import read_control
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES
from korgool.rules.choices import CHOICES
from tests.docs.test_clauses import ROWS

CUP = Settings(name="Cup")


def said(settings: Settings, about: str = "", language: str = "en") -> list[str]:
    """The sentences, of one member of the settings or of all."""
    return [one.text for one in regulations(settings, language) if about in ("", one.about)]


def test_every_preset_is_explained_in_every_language() -> None:
    titles = set()
    clauses = {row.name for row in ROWS}
    for preset in PRESETS.values():
        english = said(preset.regulations)
        for language in LANGUAGES:
            found = regulations(preset.regulations, language)
            assert len(found) == len(english)
            for one, text in zip(found, english, strict=True):
                assert re.fullmatch(r"[^%\n]{8,}[.:]", one.text), one.text
                assert language == "en" or one.text != text
                for clause in one.clause.split(", "):
                    if clause.startswith("WNG") and "§" in clause:
                        assert clause in clauses
            titles.add((language, preset_title(preset, language)))
    assert len(titles) == len(PRESETS) * len(LANGUAGES)


def test_each_member_of_the_settings_is_explained() -> None:
    whole = Settings(
        name="Cup", game="mangala", rule=(("sweep", "owner"),), sets=5, organiser="A", place="B", begins="2026-09-14",
        ends="2026-09-20", forbid=("team",), tiebreaks=("PS", "KL"), penalised_progress=True, personal=("born",),
        fund=read_fund("1=30000 KGS; women 1=cup"), from_year=2010, to_year=2012, phones=True, live=Broadcast(4, 900),
    )  # fmt: skip
    members = {one.about for one in (*regulations(whole, "en"), *regulations(teams(), "en"))}
    # The heading, beside `begins`, who sends the report, and what stands as a list of its own.
    unsaid = {"name", "ends", "federation", "timetable", "zone"}
    named = {
        "born" if name in ("from_year", "to_year") else name for name in (field.name for field in fields(Settings))
    }
    assert members - {"points", "warnings"} == named - unsaid


def teams() -> Settings:
    """A match of teams on four boards."""
    return replace(CUP, system=System.TEAM_SWISS, boards=4, tiebreaks=("MPVGP", "BC"))


@pytest.mark.parametrize(
    ("settings", "about", "sentence"),
    [
        (CUP, "rule", []),
        (replace(CUP, rule=(("goal", "82"),)), "rule", []),
        (replace(CUP, rule=(("goal", "90"),)), "rule", ["The game ends at once with so many stones in a kazan: 90."]),
        (CUP, "control", ["Each player has 60 minutes for the game."]),
        (replace(CUP, bye_points=1), "bye_points", [
            "Whoever has no opponent because the field is odd gets half a point."
        ]),
        (replace(CUP, rounds=1), "rounds", ["1 round is played."]),
        (replace(CUP, tiebreaks=()), "tiebreaks", [
            "Points decide the places; whoever has as many shares the place."
        ]),
        (replace(CUP, tiebreaks=("BH-C1",)), "tiebreaks", [
            "Points decide the places; where they are equal, the following, in this order:",
            "1. Buchholz, without the lowest (BH-C1): the sum of the points of all opponents, without the lowest.",
        ]),
        (replace(CUP, tiebreaks=()), "resigned_korgools", []),
        (replace(CUP, sex="women"), "sex", ["Only women take part."]),
        (replace(CUP, personal=("born", "doctor")), "personal", [
            "The application asks for what only officials see: Date of birth; Doctor's admission, signature."
        ]),
        (replace(CUP, shown=("born",)), "shown", [
            "Public pages show name, federation, rating and results of the players, and: Year of birth."
        ]),
        (replace(CUP, prizes=0), "prizes", []),
        (replace(CUP, prizes=1), "prizes", ["Prizes go to the first 1 place."]),
        (replace(CUP, team_best=3), "team_best", ["The points of its best 3 players make the total of a team."]),
        (teams(), "team_best", []),
        (teams(), "boards", ["A match of teams is played on 4 boards; more points on the boards win it."]),
        (replace(CUP, system=System.KNOCKOUT), "bye_points", []),
        (replace(CUP, begins="2026-09-14", ends="2026-09-20"), "begins", ["Dates: 2026-09-14 to 2026-09-20."]),
    ],
)  # fmt: skip
def test_sentences(settings: Settings, about: str, sentence: list[str]) -> None:
    assert said(settings, about) == sentence


def test_every_option_of_the_rules_has_words_for_each_value() -> None:
    numbers = {"goal": ("0", "20"), "threefold": ("0", "4"), "recurrence": ("0", "50")}
    for language in LANGUAGES:
        gettext = translations(language).gettext
        for rules in GAMES.values():
            for name, value in rules.options().items():
                values = ("yes", "no") if isinstance(value, bool) else CHOICES.get(name) or numbers[name]
                found = {option_words(rules.with_option(name, text), name, gettext) for text in values}
                assert len(found) == len(values)
                assert not any("%" in text for text in found)


def test_every_tiebreak_means_something_of_its_own() -> None:
    for language in LANGUAGES:
        found = [tiebreak_meaning(code, language, teams=one.whom == "teams") for code, one in TIEBREAKS.items()]
        assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("15+10", "Each player has 15 minutes for the game. Every move adds 10 seconds."),
        ("0.5+0", "Each player has 30 seconds for the game."),
        (
            "15+0 delay 5",
            "Each player has 15 minutes for the game. In every turn the clock waits 5 seconds before it runs.",
        ),
        (
            "15+0 bronstein 5",
            "Each player has 15 minutes for the game. "
            "After every move the time it took is given back, at most 5 seconds.",
        ),
        (
            "10+0 byoyomi 3x30/5",
            "Each player has 10 minutes for the game. "
            "Then come 3 × 30 seconds: whoever makes the moves required (5) in time keeps the period.",
        ),
        (
            "90+30 40 moves x2",
            "Each player has 90 minutes for the game. Every move adds 30 seconds. "
            "The time is given again after so many moves: 40. It is given so many times in all: 2.",
        ),
    ],
)
def test_time_controls(text: str, words: str) -> None:
    assert " ".join(control_words(read_control(text), translations("en"))) == words
    for language in LANGUAGES:
        assert not any("%" in one for one in control_words(read_control(text), translations(language)))

"""Why one competitor stands above another, in the languages of the catalogues."""

from __future__ import annotations

from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition.standings import DecidingStep, Why
from korgool.languages import N_, translations

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
    return [_said(step, language, teams=teams) for step in found.steps]


def _said(step: DecidingStep, language: str, *, teams: bool) -> str:
    figures = dict(step.figures)
    if "code" in figures:
        figures["name"] = tiebreak_name(figures["code"], language, teams=teams)
    return translations(language).gettext(_WHY[step.key]).format(**figures)

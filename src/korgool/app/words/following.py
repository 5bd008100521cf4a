"""Why there is no new copy of an event of another site, in words."""

from __future__ import annotations

from korgool.languages import N_, translations

_PROBLEMS = {
    "place": N_("This is no address of a public site."),
    "silent": N_("The site does not answer."),
    "redirect": N_("The address leads to another one; enter that one."),
    "status": N_("The site answers with {status}."),
    "long": N_("What the site sends is too long."),
    "no_event": N_("What the site sends is no event of Korgool that can be shown."),
}


def problem_text(kind: str, status: str | int, language: str) -> str:
    """A problem of `competitions/fetching.py` as a sentence; `status` is that of HTTP where it is the reason."""
    return translations(language).gettext(_PROBLEMS[kind]).format(status=status)

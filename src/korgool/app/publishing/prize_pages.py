"""The prizes of an event."""

from __future__ import annotations

from korgool.app.publishing.page_making import Context, PageMaking
from korgool.app.words.prize_words import prize_tables
from korgool.app.words.regulations import regulations
from korgool.competition.errors import said
from korgool.languages import translations


def prizes_page(making: PageMaking) -> Context:
    """Prizes on offer and how they are shared, and the winners by the present standings, with reasons."""
    language, state = making.circumstances.language, making.figures.state
    found = prize_tables(state, translations(language).gettext)
    return {
        "prizes": found,
        "problem": said(found.problem, language),
        "sharing": [one.text for one in regulations(state.event, language) if one.about == "fund"][1:],
    }

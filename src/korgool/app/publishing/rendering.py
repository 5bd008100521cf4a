"""Pages by their names: which an event has, and each as HTML."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.overview_pages import about
from korgool.app.publishing.page_making import Circumstances, Context, NoPageError, PageMaking, page_words
from korgool.app.publishing.page_table import PUBLIC_PAGES
from korgool.app.publishing.places import FolderPlace
from korgool.app.words.prize_words import category_name
from korgool.languages import translations

__all__ = ["Circumstances", "NoPageError", "page_names", "render_entrance", "render_page"]

_TEMPLATES = Path(__file__).parents[1] / "templates"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def page_names(figures: EventFigures) -> list[str]:
    """The names of all pages of an event, the overview first: `""`, `entries`, `rounds/3/names`, `players/17`, …."""
    return [name for kind in PUBLIC_PAGES for name in kind.names(figures)]


def render_page(figures: EventFigures, name: str, circumstances: Circumstances) -> bytes:
    """A page as HTML in UTF-8.

    Raises:
        NoPageError: the event has no page of this name.
    """
    making = PageMaking(figures, circumstances, name)
    template, context = _made(making)
    place, state = circumstances.place, figures.state
    told = page_words(circumstances.language) | about(making) | context
    told |= {
        "at": name,
        "circumstances": circumstances,
        "static": place.static(name),
        "link": making.link,
        "others": context.get("others", []),
        "tongues": {language: place.other(language, name) for language in circumstances.languages},
        "address": place.absolute(name),
        "picture": place.absolute_picture(),
        "live": place.live,
        "event_groups": place.groups,
        "group_page": lambda one, page: place.group(one, page, name),
        "query": circumstances.query,
        "last_round": len(state.rounds),
        "teams": figures.teams,
        "has_teams": figures.teams or bool(figures.totals),
        "has_live": place.live and not circumstances.source and bool(state.rounds and state.event.live.boards),
        "has_games": bool(figures.recorded),
        "has_prizes": figures.prizes,
        "own_tables": [category_name(name, translations(circumstances.language).gettext) for name in figures.groups],
    }
    return _environment().get_template(template).render(told).encode()


def render_entrance(figures: EventFigures, circumstances: Circumstances) -> bytes:
    """The page before all others in a folder: it leads to the languages, with a script to the reader's own."""
    making = PageMaking(figures, circumstances, "")
    place = circumstances.place
    told = page_words(circumstances.language) | about(making)
    told |= {
        "static": place.static("").removeprefix("../"),  # it lies above the folders of languages
        "tongues": {language: FolderPlace(language).path("") for language in circumstances.languages},
        "address": place.absolute(""),
        "picture": place.absolute_picture(),
    }
    return _environment().get_template("event_entrance.html").render(told).encode()


def _made(making: PageMaking) -> tuple[str, Context]:
    """The template of a page and its values."""
    for kind in PUBLIC_PAGES:
        parts = kind.parts(making.at)
        # A page whose name never varies is there or not; the makers of the others look for what their parts name.
        if parts is not None and (parts or kind.served or () in kind.values(making.figures)):
            return kind.template, kind.make(making, *parts)
    raise NoPageError(making.at)

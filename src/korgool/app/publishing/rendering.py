"""Pages by their names: which an event has, and each as HTML."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from korgool.app.publishing.card_pages import player_page, team_page
from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.overview_pages import about, games_page, overview_page, wall_page, wall_screens
from korgool.app.publishing.page_making import Circumstances, Context, NoPageError, PageMaking
from korgool.app.publishing.page_words import page_words
from korgool.app.publishing.places import FolderPlace
from korgool.app.publishing.prize_pages import prizes_page
from korgool.app.publishing.round_pages import board_page, find_round, names_page, round_page
from korgool.app.publishing.table_pages import (
    ORDERS,
    cross_page,
    entries_page,
    group_page,
    players_page,
    standings_page,
    teams_page,
)
from korgool.app.words.prize_words import category_name
from korgool.languages import translations

__all__ = ["Circumstances", "NoPageError", "page_names", "render_entrance", "render_page"]

_TEMPLATES = Path(__file__).parents[1] / "templates"
_PLAIN: dict[str, tuple[str, Callable[[PageMaking], Context]]] = {
    "": ("event_overview.html", overview_page),
    "standings": ("event_standings.html", standings_page),
    "standings/players": ("event_standings.html", players_page),
    "crosstable": ("event_cross.html", cross_page),
    "teams": ("event_teams.html", teams_page),
    "games": ("event_games.html", games_page),
    "prizes": ("event_prizes.html", prizes_page),
}
"""Pages without a number in their names."""


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


def page_names(figures: EventFigures, language: str = "en") -> list[str]:
    """The names of all pages of an event, the overview first: `""`, `entries`, `rounds/3/names`, `players/17`, ….

    The screens of the wall depend on the language no more than on anything else: their number is the same in all.
    """
    state = figures.state
    names = ["", "entries", *(f"entries/{order}" for order in ORDERS), "standings", "crosstable"]
    names += ["standings/players"] if figures.teams else ["teams"] if figures.totals else []
    names += [f"standings/groups/{at}" for at in range(1, len(figures.groups) + 1)]
    names += ["games"] if figures.recorded else []
    names += ["prizes"] if figures.prizes else []
    for one in state.rounds:
        names += [f"rounds/{one.number}", f"rounds/{one.number}/names", f"rounds/{one.number}/large"]
    names += [f"rounds/{number}/boards/{game.board}" for number, game in figures.recorded]
    names += [f"players/{one.number}" for one in figures.by_number]
    names += [f"teams/{one.number}" for one in figures.teams_by_number] if figures.teams else []
    screens = wall_screens(PageMaking(figures, Circumstances(language=language, place=_Nowhere()), "wall/1"))
    return names + [f"wall/{at}" for at in range(1, len(screens) + 1)]


class _Nowhere:
    """A place without addresses, to count pages."""

    live = False

    def page(self, name: str, at: str) -> str:
        return ""

    def other(self, language: str, at: str) -> str:
        return ""

    def static(self, at: str) -> str:
        return ""

    def file(self, name: str, at: str) -> str:
        return ""

    def absolute(self, name: str) -> str:
        return ""

    def absolute_picture(self) -> str:
        return ""


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
        "query": circumstances.query,
        "last_round": len(state.rounds),
        "teams": figures.teams,
        "has_teams": figures.teams or bool(figures.totals),
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
        "tongues": {language: FolderPlace(language).path("") for language in circumstances.languages},
        "address": place.absolute(""),
        "picture": place.absolute_picture(),
    }
    return _environment().get_template("event_entrance.html").render(told).encode()


def _made(making: PageMaking) -> tuple[str, Context]:
    """The template of a page and its values."""
    figures, parts = making.figures, making.at.split("/")
    if making.at in _PLAIN:
        template, make = _PLAIN[making.at]
        missing = {"standings/players": not figures.teams, "teams": not figures.totals, "games": not figures.recorded}
        missing["prizes"] = not figures.prizes
        if not missing.get(making.at, False):
            return template, make(making)
    elif parts[0] == "entries" and (len(parts) == 1 or (len(parts) == 2 and parts[1] in ORDERS)):
        return "event_entries.html", entries_page(making, parts[1] if len(parts) == 2 else "")
    elif parts[:2] == ["standings", "groups"] and len(parts) == 3:
        return "event_standings.html", group_page(making, parts[2])
    elif parts[0] == "players" and len(parts) == 2:
        return "event_card.html", player_page(making, parts[1])
    elif parts[0] == "teams" and len(parts) == 2:
        return "event_card.html", team_page(making, parts[1])
    elif parts[0] == "wall" and len(parts) == 2:
        return "event_wall.html", wall_page(making, parts[1])
    elif parts[0] == "rounds" and len(parts) >= 2:
        one = find_round(making, parts[1])
        if len(parts) == 2:
            return "event_round.html", round_page(making, one)
        if parts[2:] == ["names"]:
            return "event_names.html", names_page(making, one)
        if parts[2:] == ["large"]:
            return "event_large.html", round_page(making, one)
        if len(parts) == 4 and parts[2] == "boards":
            return "event_board.html", board_page(making, one, parts[3])
    raise NoPageError(making.at)

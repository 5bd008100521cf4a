"""The public pages of an event in one table: name, template, maker, and which of them an event has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from korgool.app.publishing.card_pages import player_page, team_page
from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.group_pages import MEDALS_PAGE, medals_page
from korgool.app.publishing.live_pages import LIVE_PAGE, live_board_page, live_page
from korgool.app.publishing.overview_pages import games_page, overview_page
from korgool.app.publishing.page_making import Circumstances, Context, NoPageError, PageMaking
from korgool.app.publishing.places import FolderPlace
from korgool.app.publishing.round_pages import board_page, find_round, names_page, round_page
from korgool.app.publishing.table_pages import (
    ORDERS,
    cross_page,
    entries_page,
    group_page,
    players_page,
    prizes_page,
    standings_page,
    teams_page,
)
from korgool.app.publishing.wall_pages import wall_page, wall_screens

_Values = Iterable[tuple[object, ...]]


def _one(_: EventFigures) -> _Values:
    return [()]


def _nowhere(_: EventFigures) -> _Values:
    """A page that no folder has."""
    return ()


def _if(has: object) -> _Values:
    return [()] if has else ()


def _counted(number: int) -> _Values:
    return ((at,) for at in range(1, number + 1))


def _screens(figures: EventFigures) -> _Values:
    """The number of screens depends on no language."""
    making = PageMaking(figures, Circumstances(language="en", place=FolderPlace("en")), "wall/1")
    return _counted(len(wall_screens(making)))


def _ordered(making: PageMaking, order: str) -> Context:
    if order not in ORDERS:
        raise NoPageError(making.at)
    return entries_page(making, order)


@dataclass(frozen=True, slots=True)
class PublicPage:
    """A kind of page.

    Attributes:
        name: as it stands in addresses behind that of the event, with a word in braces for each part that varies:
            `rounds/{number}/boards/{board}`; empty for the overview.
        template: the file in `templates`.
        make: the values of the template. It gets the parts of the name that vary as texts, in their order, and raises
            NoPageError if the event has no such page.
        values: for each page of the kind that an event has, the parts of its name that vary.
        served: whether a server alone has it, since it knows more than the event.
    """

    name: str
    template: str
    make: Callable[..., Context]
    values: Callable[[EventFigures], _Values] = _one
    served: bool = False

    def parts(self, name: str) -> tuple[str, ...] | None:
        """The parts of a page's name that vary; None if it is not of this kind."""
        own, other = self.name.split("/"), name.split("/")
        if len(own) != len(other):
            return None
        if any(one != text for one, text in zip(own, other, strict=True) if not one.startswith("{")):
            return None
        return tuple(text for one, text in zip(own, other, strict=True) if one.startswith("{"))

    def names(self, figures: EventFigures) -> Iterator[str]:
        """The names of the pages of this kind that an event has."""
        own = self.name.split("/")
        for values in self.values(figures):
            left = iter(values)
            yield "/".join(str(next(left)) if part.startswith("{") else part for part in own)


PUBLIC_PAGES: tuple[PublicPage, ...] = (
    PublicPage("", "event_overview.html", overview_page),
    PublicPage("entries", "event_entries.html", lambda making: entries_page(making, "")),
    PublicPage("entries/{order}", "event_entries.html", _ordered, lambda _: ((order,) for order in ORDERS)),
    PublicPage("standings", "event_standings.html", standings_page),
    PublicPage("crosstable", "event_cross.html", cross_page),
    PublicPage("standings/players", "event_standings.html", players_page, lambda event: _if(event.teams)),
    PublicPage("teams", "event_teams.html", teams_page, lambda event: _if(event.totals)),
    PublicPage(
        "standings/groups/{number}", "event_standings.html", group_page, lambda event: _counted(len(event.groups))
    ),
    PublicPage("games", "event_games.html", games_page, lambda event: _if(event.recorded)),
    PublicPage("prizes", "event_prizes.html", prizes_page, lambda event: _if(event.prizes)),
    PublicPage(
        "rounds/{number}",
        "event_round.html",
        lambda making, number: round_page(making, find_round(making, number)),
        lambda event: _counted(len(event.state.rounds)),
    ),
    PublicPage(
        "rounds/{number}/names",
        "event_names.html",
        lambda making, number: names_page(making, find_round(making, number)),
        lambda event: _counted(len(event.state.rounds)),
    ),
    PublicPage(
        "rounds/{number}/large",
        "event_large.html",
        lambda making, number: round_page(making, find_round(making, number)),
        lambda event: _counted(len(event.state.rounds)),
    ),
    PublicPage(
        "rounds/{number}/boards/{board}",
        "event_board.html",
        lambda making, number, board: board_page(making, find_round(making, number), board),
        lambda event: ((number, game.board) for number, game in event.recorded),
    ),
    PublicPage(
        "players/{number}", "event_card.html", player_page, lambda event: ((one.number,) for one in event.by_number)
    ),
    PublicPage(
        "teams/{number}",
        "event_card.html",
        team_page,
        lambda event: ((one.number,) for one in event.teams_by_number if event.teams),
    ),
    PublicPage(MEDALS_PAGE, "event_medals.html", medals_page, lambda event: _if(event.state.groups)),
    PublicPage("wall/{screen}", "event_wall.html", wall_page, _screens),
    PublicPage(LIVE_PAGE, "event_live.html", live_page, _nowhere, served=True),
    PublicPage(f"{LIVE_PAGE}/screen", "event_live_screen.html", live_page, _nowhere, served=True),
    PublicPage(f"{LIVE_PAGE}/{{board}}", "event_live_board.html", live_board_page, _nowhere, served=True),
)
"""All kinds. A folder has a file for each page, and a server a route for each kind."""

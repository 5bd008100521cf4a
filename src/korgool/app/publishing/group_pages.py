"""The page over all groups of an event: the medals of federations, and who has won them."""

from __future__ import annotations

from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.page_making import Context, NoPageError, PageMaking
from korgool.app.publishing.places import GroupLink
from korgool.app.words.event_texts import half
from korgool.competition.across_groups import CountryOrder, counted_names, medals
from korgool.competition.event_state import EventState

MEDALS_PAGE = "medals"
_MEDALS = 3


def medals_page(making: PageMaking) -> Context:
    """The federations by their medals, the first three of the groups that are over, and the groups that are not.

    Raises:
        NoPageError: the groups are not known.
    """
    groups = making.circumstances.groups
    if not groups:
        raise NoPageError(making.at)
    links = dict(zip(groups[0].groups, making.circumstances.place.groups, strict=True))
    rows = medals(groups)
    most = {state.event.team_best for state in groups}
    return {
        "best": most.pop() if len(most) == 1 else None,
        "by_points": [
            (
                row,
                half(row.points),
                [(group, name, held.rank, half(held.points)) for group, name, held in counted_names(groups, row)],
            )
            for row in medals(groups, order=CountryOrder.POINTS)
            if row.federation
        ],
        "rows": [(row, half(row.points)) for row in rows],
        "winners": [
            (links[one.group].name, _winners(making, one, links[one.group]))
            for one in groups
            if one.over and one.rounds
        ],
        "waiting": [links[one.group].name for one in groups if not (one.over and one.rounds)],
    }


def _winners(making: PageMaking, state: EventState, link: GroupLink) -> list[Context]:
    figures, place = EventFigures(state), making.circumstances.place
    found = []
    for row in figures.rows:
        if row.rank > _MEDALS:
            break
        if figures.teams:
            team = figures.state.teams[row.competitor]
            name, federation, page = team.name, team.federation, f"teams/{team.number}"
        else:
            player = figures.state.players[row.competitor]
            name, federation, page = player.entry.name, player.entry.federation, f"players/{player.number}"
        href = place.group(link, page, making.at)
        found.append({"rank": row.rank, "name": name, "federation": federation, "href": href})
    return found

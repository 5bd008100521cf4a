"""Diplomas of those on prize places, and certificates of everybody who took part."""

from __future__ import annotations

from collections.abc import Iterator

from korgool.app.printing.diploma_template import DEFAULT, TemplateLine, filled, read_template
from korgool.app.printing.event_protocol import signatures
from korgool.app.printing.event_values import Block, Making
from korgool.app.words.event_texts import half
from korgool.app.words.prize_words import category_name, place_name
from korgool.competition.errors import CompetitionError
from korgool.competition.prize_fund import TEAMS
from korgool.competition.prizes import Winner, contenders
from korgool.competition.standings import team_totals
from korgool.competition.standings.figures import StandingsLine, table
from korgool.languages import translations

_POINTS = (13.0, 20.0, 30.0)
"""Type sizes of the lines of a template on A4."""
_LINE = 2.3
"""Height of a line with its distance, in type sizes: a long text takes two lines and shrinks."""
_ROOM = {"a4": 690.0, "a5": 465.0}
"""Points within the frame of a page."""
_SIGNING, _GAP = 70.0, 8.0


def diplomas(making: Making) -> list[Block]:
    """A diploma for every prize place of all and of each category that has prizes, or of the requested group."""
    event = making.state.event
    if making.group is not None:
        categories = {making.group: event.prizes}
    else:
        categories = {"": event.prizes}
        for prize in event.fund.prizes:
            categories[prize.category] = max(prize.place, categories.get(prize.category, 0))
    return _pages(making, "diploma", categories)


def certificates(making: Making) -> list[Block]:
    """A certificate for every player who took part, by places; without those whose names were removed."""
    return _pages(making, "certificate", {making.group or "": 0})


def _pages(making: Making, kind: str, categories: dict[str, int]) -> list[Block]:
    lines = read_template(DEFAULT if making.template is None else making.template)
    people = kind == "certificate"
    pages = []
    figures = _Figures(making, people)
    for category, most in categories.items():
        for winner, place in _places(making, category, people):
            named = isinstance(winner, str) or not making.state.players[winner].entry.removed
            if named and (not most or place <= most):
                values = figures.values(winner, place, category, kind)
                pages.append(filled(lines, values))
    if not pages:
        raise CompetitionError(f"nobody of {making.state.event.name} has played yet, there is nothing to print")
    event = making.state.event
    items = [[making.words["organiser"], making.cell(event.organiser)], signatures(making)[0]]
    return [
        {
            "kind": "diplomas",
            "pages": [{"lines": _laid_out(making, page), "signatures": items} for page in pages],
            "frame": 12 if making.paper == "a4" else 8,
        }
    ]


def _places(making: Making, category: str, people: bool) -> Iterator[tuple[Winner, int]]:
    """The competitors of a category with their places; for certificates always players."""
    place = 1
    for group in contenders(making.state, category, players=people):
        for level in group:
            yield from ((one, place) for one in level)
            place += len(level)


class _Figures:
    """Values that are filled in for each competitor."""

    def __init__(self, making: Making, people: bool) -> None:
        state = making.state
        self.making = making
        self.gettext = translations(making.language).gettext
        self.players = table(state, players=True).lines
        self.teams: dict[str, int] = {}
        if state.event.system.of_teams:
            lines: dict[int, StandingsLine] = dict(table(state).lines)
            self.teams = {team.name: lines[id_].points for id_, team in state.teams.items()}
        elif any(one.category == TEAMS for one in state.event.fund.prizes):
            self.teams = {one.team: one.points for one in team_totals(state)}

    def values(self, winner: Winner, place: int, category: str, kind: str) -> dict[str, str]:
        making, event = self.making, self.making.state.event
        entry = making.state.players[winner].entry if isinstance(winner, int) else None
        points = self.players[winner].points if isinstance(winner, int) else self.teams.get(winner, 0)
        date = making.date or event.ends or event.begins
        return {
            "title": making.words[f"title {kind}"],
            "name": making.cell(
                " ".join(filter(None, (entry.given, entry.patronymic, entry.family))) if entry else str(winner)
            ),
            "place": place_name(place, self.gettext),
            "category": making.cell(category_name(category, self.gettext)) if category else "",
            "event": making.cell(event.name),
            "date": making.day(date),
            "venue": making.cell(event.place),
            "federation": making.cell(entry.federation) if entry else "",
            "team": making.cell(entry.team or entry.club) if entry else "",
            "points": f"{making.words['points']}: {half(points)}",
            "organiser": making.cell(event.organiser),
        }


def _laid_out(making: Making, page: list[TemplateLine]) -> list[dict[str, object]]:
    """The lines with type sizes with which they fit on the page."""
    scale = 1.0 if making.paper == "a4" else 0.7
    high = sum(_SIGNING if one.signing else _LINE * _POINTS[one.size] * scale if one.text else _GAP for one in page)
    scale *= min(1.0, _ROOM[making.paper] / high)
    return [
        {
            "kind": "signatures" if one.signing else "text" if one.text.strip() else "gap",
            "text": "" if one.signing else making.cell(one.text),
            "size": round(_POINTS[one.size] * scale, 2),
            "bold": one.size > 0,
        }
        for one in page
    ]

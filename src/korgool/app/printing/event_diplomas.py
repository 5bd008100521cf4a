"""Papers that people hang up: diplomas of prize places, and certificates of everybody who took part."""

from __future__ import annotations

from collections.abc import Iterator

from korgool.app.printing.diploma_template import DEFAULT, TemplateLine, filled, read_template
from korgool.app.printing.event_protocol import signatures
from korgool.app.printing.ornament import frame, medal, rosette
from korgool.app.printing.paper_context import Block, PaperContext
from korgool.app.printing.table_layout import text_width
from korgool.app.words.event_texts import half
from korgool.app.words.prize_words import category_name, honour, merit, place_name
from korgool.competition.errors import CompetitionError
from korgool.competition.log.group_actions import title_in
from korgool.competition.model import Entry
from korgool.competition.prize_fund import TEAMS
from korgool.competition.prizes import Winner, contenders
from korgool.competition.standings import team_totals
from korgool.competition.standings.figures import StandingsLine
from korgool.competition.standings.figures import table as standings_table
from korgool.languages import translations

_POINTS = (13.0, 24.0, 38.0)
"""Type sizes of the lines of a template on A4."""
_LINES = (3.7, 2.3, 1.3)
"""Height to which a text that is too long for its line may grow before it shrinks, in type sizes."""
_LEAD = 1.55
"""Height of a line with its distance, in type sizes."""
_PARTS = {"signatures": 104.0, "emblem": 88.0, "medal": 76.0}
"""Heights of the parts of a page on A4, in points."""
_GAP = 9.0
_ROOM = {
    ("a4", False): (398.0, 702.0),
    ("a4", True): (645.0, 455.0),
    ("a5", False): (279.0, 495.0),
    ("a5", True): (455.0, 319.0),
}
"""Points within the frame of a page, in width and height."""
_SHEET = {"a4": (210.0, 297.0), "a5": (148.0, 210.0)}
_EDGE = {"a4": 7.0, "a5": 5.0}
"""Millimetres between the edge of the sheet, which few printers reach, and the frame."""
_BAND = {"a4": 12.5, "a5": 8.8}


def diplomas(context: PaperContext) -> list[Block]:
    """A diploma for every prize place of all and of each category that has prizes, or of the requested group."""
    event = context.state.event
    if context.group is not None:
        categories = {context.group: event.prizes}
    else:
        categories = {"": event.prizes}
        for prize in event.fund.prizes:
            categories[prize.category] = max(prize.place, categories.get(prize.category, 0))
    return _pages(context, "diploma", categories)


def certificates(context: PaperContext) -> list[Block]:
    """A certificate for every player who took part, by places; without those whose names were removed."""
    return _pages(context, "certificate", {context.group or "": 0})


def _pages(context: PaperContext, kind: str, categories: dict[str, int]) -> list[Block]:
    lines = read_template(DEFAULT if context.template is None else context.template)
    people = kind == "certificate"
    pages = []
    figures = _Figures(context, people)
    for category, most in categories.items():
        for winner, place in _places(context, category, people):
            named = isinstance(winner, str) or not context.state.players[winner].entry.removed
            if named and (not most or place <= most):
                values = figures.values(winner, place, category, kind)
                pages.append((filled(lines, values), 0 if people else place))
    if not pages:
        raise CompetitionError(f"nobody of {context.state.event.name} has played yet, there is nothing to print")
    turned = people
    wide, high = _SHEET[context.paper][:: -1 if turned else 1]
    edge, band = _EDGE[context.paper], _BAND[context.paper]
    organiser = [context.words["organiser"], context.cell(context.state.event.organiser)]
    return [
        {
            "kind": "diplomas",
            "pages": [
                {"lines": _laid_out(context, page, turned=turned, place=place), "place": place} for page, place in pages
            ],
            "signatures": [organiser, signatures(context)[0]],
            "emblem": context.emblem,
            "stamp": context.words["stamp"],
            "edge": edge,
            "band": band,
            "frame": frame(wide - 2 * edge, high - 2 * edge, band),
            "rosette": rosette(),
            "medals": {str(place): medal(place) for place in sorted({place for _, place in pages if place})},
        }
    ]


def _places(context: PaperContext, category: str, people: bool) -> Iterator[tuple[Winner, int]]:
    """The competitors of a category with their places; for certificates always players."""
    place = 1
    for group in contenders(context.state, category, players=people):
        for level in group:
            yield from ((winner, place) for winner in level)
            place += len(level)


class _Figures:
    """Values that are filled in for each competitor."""

    def __init__(self, context: PaperContext, people: bool) -> None:
        state = context.state
        self.context = context
        self.gettext = translations(context.language).gettext
        self.players = standings_table(state, players=True).lines
        self.teams: dict[str, int] = {}
        if state.event.system.of_teams:
            lines: dict[int, StandingsLine] = dict(standings_table(state).lines)
            self.teams = {team.name: lines[id_].points for id_, team in state.teams.items()}
        elif any(prize.category == TEAMS for prize in state.event.fund.prizes):
            self.teams = {total.team: total.points for total in team_totals(state)}

    def values(self, winner: Winner, place: int, category: str, kind: str) -> dict[str, str]:
        context, event, state = self.context, self.context.state.event, self.context.state
        entry = state.players[winner].entry if isinstance(winner, int) else None
        points = self.players[winner].points if isinstance(winner, int) else self.teams.get(winner, 0)
        date = context.day(context.date or event.ends or event.begins)
        opening, linking, closing = honour(kind if entry or kind == "certificate" else "team diploma", self.gettext)
        group = state.groups.get(state.group, "")
        plain = group and event.name == title_in(state.title, group)
        federation = entry.federation if entry else self._federation(str(winner))
        team = (entry.team or entry.club) if entry else ""
        return {
            "title": context.words[f"title {kind}"],
            "opening": opening,
            "name": context.cell(_full_name(entry) if entry else str(winner)),
            "linking": linking,
            "place": place_name(place, self.gettext) if kind == "certificate" else merit(place, self.gettext),
            "closing": closing,
            "category": context.cell(category_name(category, self.gettext)) if category else "",
            "event": context.cell(state.title if plain else event.name),
            "group": context.cell(group) if plain else "",
            "date": date,
            "venue": context.cell(event.place),
            "where": " · ".join(filter(None, (context.cell(event.place), date))),
            "federation": context.cell(federation),
            "team": context.cell(team),
            "from": " · ".join(filter(None, map(context.cell, (federation, team)))),
            "members": "" if entry else context.cell(self._members(str(winner))),
            "points": f"{context.words['points']}: {half(points)}",
            "organiser": context.cell(event.organiser),
        }

    def _federation(self, team: str) -> str:
        return next((one.federation for one in self.context.state.teams.values() if one.name == team), "")

    def _members(self, team: str) -> str:
        """The players of a team by its boards, each as on a diploma."""
        state = self.context.state
        ids = next((one.players for one in state.teams.values() if one.name == team), None)
        if ids is None:
            players = (one for one in state.players.values() if one.entry.team.strip() == team)
            entries = [one.entry for one in sorted(players, key=lambda one: one.entry.board or 99)]
        else:
            entries = [state.players[id_].entry for id_ in ids]
        return ", ".join(f"{one.given} {one.family}".strip() for one in entries if not one.removed)


def _full_name(entry: Entry) -> str:
    return " ".join(filter(None, (entry.given, entry.patronymic, entry.family)))


def _laid_out(context: PaperContext, page: list[TemplateLine], *, turned: bool, place: int) -> list[dict[str, object]]:
    """The lines with type sizes with which they fit on the page."""
    scale = 1.0 if context.paper == "a4" else 0.7
    wide, room = _ROOM[context.paper, turned]
    shown = [line for line in page if line.part != "medal" or place]
    shown = [line for line in shown if line.part != "emblem" or context.emblem]
    high = sum(_height(line, wide, scale) for line in shown)
    scale *= min(1.0, room / high)
    return [
        {
            "kind": line.part or ("text" if line.text.strip() else "gap"),
            "text": "" if line.part else context.cell(line.text),
            "size": round((_PARTS[line.part] if line.part else _POINTS[line.size]) * scale, 2),
            "high": _LINES[line.size],
            "large": line.size,
        }
        for line in shown
    ]


def _height(line: TemplateLine, wide: float, scale: float) -> float:
    if line.part:
        return _PARTS[line.part] * scale
    if not line.text:
        return _GAP * scale
    size = _POINTS[line.size] * scale
    long = text_width(line.text) * 1.1 * size > wide
    return size * (_LINES[line.size] + 0.4 if long else _LEAD)

"""Papers of prizes: the prize list with signatures, diplomas, and certificates of everybody who took part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from korgool.app.printing.diploma_template import DEFAULT, TemplateLine, filled, read_template
from korgool.app.printing.event_protocol import signatures
from korgool.app.printing.paper_context import Block, PaperContext
from korgool.app.printing.table_layout import Column, Row, table
from korgool.app.words.event_texts import half
from korgool.app.words.prize_words import amount_name, category_name, place_name, prize_reason
from korgool.competition.errors import CompetitionError
from korgool.competition.privacy import shown_name
from korgool.competition.prize_fund import TEAMS
from korgool.competition.prizes import Award, Winner, contenders, prizes
from korgool.competition.standings import team_totals
from korgool.competition.standings.figures import StandingsLine
from korgool.competition.standings.figures import table as standings_table
from korgool.languages import translations

_SHORT = 24
"""Letters of a prize that stay on one line."""
_POINTS = (13.0, 20.0, 30.0)
"""Type sizes of the lines of a template on A4."""
_LINE = 2.3
"""Height of a line with its distance, in type sizes: a long text takes two lines and shrinks."""
_ROOM = {"a4": 690.0, "a5": 465.0}
"""Points within the frame of a page."""
_SIGNING, _GAP = 70.0, 8.0


def prize_list(context: PaperContext) -> list[Block]:
    """Prizes with their winners, by category, with room for the winners' signatures."""
    event, words = context.state.event, context.words
    if not event.fund.prizes:
        raise CompetitionError(f"{event.name} has no prizes; `korgool event change --prize` sets them")
    prize_awards, gettext = prizes(context.state), translations(context.language).gettext
    short = all(len(amount_name(prize_awards.fund, award)) <= _SHORT for award in prize_awards.awards)
    columns = [
        Column(words["rank"], "right", bold=True),
        Column(words["name"], flex=13, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["prize"], flex=0 if short else 9, bold=True),
        Column(words["reason"], flex=9, optional=True),
        Column(words["signature"], least=11),
    ]

    def cells(award: Award) -> list[str]:
        prize = context.cell(amount_name(prize_awards.fund, award))
        player = context.state.players.get(award.winner) if isinstance(award.winner, int) else None
        return [
            str(award.rank),
            context.cell(str(award.winner) if player is None else shown_name(player)),
            context.cell(player.entry.federation) if player else "",
            prize.replace(" ", "\u00a0") if award.amount else prize,
            context.cell(prize_reason(prize_awards.fund, award, gettext)),
            "",
        ]

    blocks: list[Block] = []
    for category, awards in groupby(prize_awards.awards, key=lambda award: award.category):
        rows: list[Row] = [cells(award) for award in awards]
        name = context.cell(category_name(category, gettext))
        blocks += [{"kind": "heading", "text": name}, table(columns, rows, tall=2.2)]
    if not blocks:
        blocks.append({"kind": "text", "text": words["none"]})
    sums = [words["prize_fund"] % {"sum": prize_awards.fund.amount_text(prize_awards.fund.money, "\u00a0")}] * bool(
        prize_awards.fund.money
    )
    if prize_awards.remainder:
        sums.append(words["remainder"] % {"sum": prize_awards.fund.amount_text(prize_awards.remainder, "\u00a0")})
    if sums:
        blocks.append({"kind": "note", "text": context.cell(" · ".join(sums))})
    return [*blocks, {"kind": "signatures", "items": signatures(context)}]


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
                pages.append(filled(lines, values))
    if not pages:
        raise CompetitionError(f"nobody of {context.state.event.name} has played yet, there is nothing to print")
    event = context.state.event
    items = [[context.words["organiser"], context.cell(event.organiser)], signatures(context)[0]]
    return [
        {
            "kind": "diplomas",
            "pages": [{"lines": _laid_out(context, page), "signatures": items} for page in pages],
            "frame": 12 if context.paper == "a4" else 8,
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
        context, event = self.context, self.context.state.event
        entry = context.state.players[winner].entry if isinstance(winner, int) else None
        points = self.players[winner].points if isinstance(winner, int) else self.teams.get(winner, 0)
        date = context.date or event.ends or event.begins
        return {
            "title": context.words[f"title {kind}"],
            "name": context.cell(
                " ".join(filter(None, (entry.given, entry.patronymic, entry.family))) if entry else str(winner)
            ),
            "place": place_name(place, self.gettext),
            "category": context.cell(category_name(category, self.gettext)) if category else "",
            "event": context.cell(event.name),
            "date": context.day(date),
            "venue": context.cell(event.place),
            "federation": context.cell(entry.federation) if entry else "",
            "team": context.cell(entry.team or entry.club) if entry else "",
            "points": f"{context.words['points']}: {half(points)}",
            "organiser": context.cell(event.organiser),
        }


def _laid_out(context: PaperContext, page: list[TemplateLine]) -> list[dict[str, object]]:
    """The lines with type sizes with which they fit on the page."""
    scale = 1.0 if context.paper == "a4" else 0.7
    high = sum(_SIGNING if line.signing else _LINE * _POINTS[line.size] * scale if line.text else _GAP for line in page)
    scale *= min(1.0, _ROOM[context.paper] / high)
    return [
        {
            "kind": "signatures" if line.signing else "text" if line.text.strip() else "gap",
            "text": "" if line.signing else context.cell(line.text),
            "size": round(_POINTS[line.size] * scale, 2),
            "bold": line.size > 0,
        }
        for line in page
    ]

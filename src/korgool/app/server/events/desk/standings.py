"""Standings, cross table and teams with every value worked out; prizes and rating changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from litestar import MediaType, Response, get
from litestar.params import FromPath

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.forms import whole_number
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_texts import half, halves_said, number_text
from korgool.app.words.event_words import event_words
from korgool.app.words.prize_words import prize_tables
from korgool.app.words.regulations import regulations
from korgool.app.words.tiebreaks import said_workings, tiebreak_name, why_text
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Row
from korgool.competition.ratings import RatingChange, rating_changes
from korgool.competition.standings import ChartRow, Ranking, cross_table, group_names, rank, standings, team_totals, why
from korgool.languages import translations

TABLES = ("", "/cross", "/teams", "/players")
"""The tables of the screen, by the last part of their address; empty for the standings themselves."""


@dataclass(frozen=True, slots=True)
class StandingsSelection:
    """The standings that a page shows.

    Attributes:
        rounds: after how many rounds.
        group: a group as `standings.groups` knows it, None for all.
        players: the players of a team event instead of its teams.
    """

    rounds: int
    group: str | None = None
    players: bool = False

    def ranking(self, state: EventState) -> Ranking:
        """The standings; raises CompetitionError if nobody belongs to the group."""
        return rank(state, rounds=self.rounds, group=self.group, players=self.players)


@dataclass(frozen=True, slots=True)
class PublicationState:
    """Comparison of the standings that can be published with those that are.

    Attributes:
        round: after which round standings can be published now, 0 if none is complete.
        published: whether they are, as they would be now.
        changed: rounds whose published standings are not those that follow from the log now.
    """

    round: int
    published: bool
    changed: tuple[int, ...]


def publication_state(state: EventState) -> PublicationState:
    """Compare the published standings with those that follow from the log."""
    number = len(state.rounds) - (not state.complete)
    changed = tuple(
        at
        for at, (codes, rows) in sorted(state.published.items())
        if standings(state, rounds=at, tiebreaks=codes) != rows
    )
    codes = state.published.get(number, ((), ()))[0]
    same = number in state.published and number not in changed and codes == state.event.tiebreaks
    return PublicationState(number, same, changed)


def read_selection(request: AnyRequest, state: EventState, *, players: bool = False) -> StandingsSelection:
    """The standings that a request asks for; parameters that are missing or invalid have their defaults."""
    asked = request.query_params
    teams = state.event.system.of_teams
    players = teams and (players or "players" in asked)
    text = asked.get("after", "")
    last = len(state.rounds)
    rounds = whole_number(text, 3)
    group = asked.get("group")
    known = group in group_names(state) and (players or not teams)
    return StandingsSelection(last if rounds is None else min(rounds, last), group if known else None, players)


def names_of(state: EventState, *, teams: bool) -> Callable[[int], str]:
    """The names of competitors by id."""
    return lambda id_: state.teams[id_].name if teams else state.players[id_].name


@get([f"/standings{one}" for one in TABLES], action=Action.OFFICIATE, media_type=MediaType.HTML)
async def standings_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The places with every tie-break, or another table of the screen."""
    state, language = place.state, language_of(request)
    table = request.scope["path"].rpartition("/standings")[2]
    look = read_selection(request, state, players=table == "/players")
    found = await asyncio.to_thread(look.ranking, state)
    teams = found.table.teams
    return desk_page(
        request,
        place,
        "standings",
        "standings.html",
        look=look,
        table=table,
        w=event_words(language),
        teams=teams,
        codes=[(one.code, tiebreak_name(one.code, language, teams=teams)) for one in found.tiebreaks],
        rows=[_line(state, row, teams=teams) for row in found.rows()],
        groups=() if teams else group_names(state),
        publishing=await asyncio.to_thread(publication_state, state),
        may_publish=do.Publish in place.allowed,
        with_totals=not state.event.system.of_teams and any(one.entry.team for one in state.players.values()),
        half=half,
        halves_said=halves_said,
        chart=await asyncio.to_thread(_chart, state, look) if table == "/cross" else (),
        totals=await asyncio.to_thread(_totals, state, look) if table == "/teams" else (),
    )


@get("/standings/of/{number:str}", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def working_page(request: AnyRequest, place: ThePlace, number: FromPath[str]) -> Response[str]:
    """Explanation of the place of a competitor, and of the order of two."""
    state, language = place.state, language_of(request)
    look = read_selection(request, state)
    found = await asyncio.to_thread(look.ranking, state)
    rows = found.rows()
    at = next((at for at, row in enumerate(rows) if _number(found, row) == number), None)
    if at is None:
        raise ApiError(404, errors.NO_PAGE)
    row, teams = rows[at], found.table.teams
    name = names_of(state, teams=teams)
    beside = rows[at - 1] if at else rows[1] if len(rows) > 1 else None
    other = next((one for one in rows if _number(found, one) == request.query_params.get("with")), beside)
    compared = None
    if other is not None and other is not row and look.rounds:
        steps = await asyncio.to_thread(
            lambda: why(
                state, row.competitor, other.competitor, rounds=look.rounds, group=look.group, players=look.players
            )
        )
        compared = why_text(steps, language, teams=teams)
    return desk_page(
        request,
        place,
        "standings",
        "working.html",
        look=look,
        name=name(row.competitor),
        number=number,
        row=row,
        w=event_words(language),
        half=half,
        halves_said=halves_said,
        workings=said_workings(found, row.competitor, language, name),
        others=[(_number(found, one), name(one.competitor), one is other) for one in rows if one is not row],
        compared=compared,
    )


def _number(found: Ranking, row: Row) -> str:
    return str(found.table.lines[row.competitor].number)


def _line(state: EventState, row: Row, *, teams: bool) -> dict[str, object]:
    one = state.teams[row.competitor] if teams else state.players[row.competitor]
    excluded = not teams and state.players[row.competitor].excluded
    federation = state.teams[one.id].federation if teams else state.players[one.id].entry.federation
    values = [number_text(value) for value in row.values]
    return {
        "rank": row.rank,
        "number": one.number,
        "name": one.name,
        "federation": federation,
        "points": half(row.points),
        "values": values,
        "excluded": excluded,
    }


def _chart(state: EventState, look: StandingsSelection) -> tuple[ChartRow, ...]:
    return cross_table(state, rounds=look.rounds, group=look.group)


def _totals(state: EventState, look: StandingsSelection) -> list[dict[str, object]]:
    if state.event.system.of_teams:
        return []
    return [
        {
            "rank": one.rank,
            "team": one.team,
            "points": half(one.points),
            "counted": [state.players[id_].name for id_ in one.counted],
        }
        for one in team_totals(state, rounds=look.rounds)
    ]


@get("/prizes", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def prizes_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The prizes by category, each with its reason, and the rating changes."""
    state, language = place.state, language_of(request)
    gettext = translations(language).gettext
    found = await asyncio.to_thread(prize_tables, state, gettext)
    changes: tuple[RatingChange, ...] = ()
    problem = found.problem
    try:
        changes = await asyncio.to_thread(rating_changes, state)
    except CompetitionError as error:
        problem = problem or error.message
    return desk_page(
        request,
        place,
        "prizes",
        "prizes.html",
        w=event_words(language),
        problem=problem,
        found=found,
        sharing=[one.text for one in regulations(state.event, language) if one.about == "fund"][1:],
        changes=[_change(state, one) for one in changes if one.games],
    )


def _change(state: EventState, one: RatingChange) -> dict[str, object]:
    player = state.players[one.player]
    return {
        "number": player.number,
        "name": player.name,
        "rating": round(one.rating) or "",
        "games": one.games,
        "points": half(one.score),
        "change": f"{one.change:+.1f}".replace("-", "−") if one.rating else "",
        "after": round(one.after) or "",
    }


handlers = [standings_page, working_page, prizes_page]

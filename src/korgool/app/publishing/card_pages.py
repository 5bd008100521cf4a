"""The card of a player or a team: their rounds, and their place with every tie-break worked out."""

from __future__ import annotations

from collections.abc import Callable

from korgool.app.publishing.page_making import Context, NoPageError, PageMaking
from korgool.app.publishing.table_pages import gained
from korgool.app.words.event_texts import half
from korgool.app.words.tiebreaks import said_workings, why_text
from korgool.competition.model import PairedGame
from korgool.competition.round_history import Meeting, RoundKind
from korgool.competition.standings import Ranking, Why, why


def player_page(making: PageMaking, text: str) -> Context:
    """Card of a player; raises NoPageError if the number is not taken."""
    figures = making.figures
    player = next((one for one in figures.by_number if str(one.number) == text), None)
    if player is None:
        raise NoPageError(making.at)
    entry, words = player.entry, making.words
    team = next((one for one in figures.state.teams.values() if player.id in one.players), None)
    facts = [
        (words["federation"], entry.federation, ""),
        (words["title"], entry.title, ""),
        (words["rating"], entry.rating, ""),
        (words["team"], entry.team, making.link(f"teams/{team.number}") if team and figures.teams else ""),
        (words["club"], entry.club, ""),
    ]
    born = entry.born if making.years else 0
    place = _place(making, figures.players_ranking, player.id, players=True)
    return {
        "who": making.player(player.id),
        "status": making.status(player),
        "facts": [fact for fact in facts if fact[1]],
        "born": born,
        "photo": making.photo(player),
        "penalty": half(-player.penalty) if player.penalty else "",
        "rounds": [_round(making, player.id, one) for one in figures.rounds_of[player.id]],
        "of_team": False,
        "players": [],
        **place,
    }


def team_page(making: PageMaking, text: str) -> Context:
    """A team's card; raises NoPageError if no team has the number."""
    figures = making.figures
    team = next((one for one in figures.teams_by_number if str(one.number) == text), None)
    if team is None or not figures.teams:
        raise NoPageError(making.at)
    words = making.words
    facts = [(words["federation"], team.federation, ""), (words["captain"], team.captain, "")]
    totals = {row.competitor: row.points for row in figures.players_rows}
    return {
        "who": making.competitor(team.id),
        "status": "",
        "facts": [fact for fact in facts if fact[1]],
        "born": 0,
        "photo": "",
        "penalty": "",
        "rounds": [_match(making, one) for one in figures.matches_of[team.id]],
        "of_team": True,
        "players": [
            {**making.player(id_), "points": half(totals.get(id_, 0)), "board": at}
            for at, id_ in enumerate(team.players, 1)
        ],
        **_place(making, figures.ranking, team.id, players=False),
    }


def _round(making: PageMaking, id_: int, one: Meeting) -> Context:
    running = half(making.figures.points_before[id_][one.round])
    if one.kind is RoundKind.BYE:
        assert one.bye is not None
        return {"round": one.round, "bye": making.bye(one.bye), "gained": half(one.points), "running": running}
    game = making.figures.state.rounds[one.round - 1].game(one.board)
    rating = making.figures.state.players[one.opponent].entry.rating if one.opponent else 0
    return {
        "round": one.round,
        "bye": "",
        "board": one.board,
        "href": f"{making.link(f'rounds/{one.round}')}#b{one.board}",
        "record": making.record(one.round, game),
        "white": one.white,
        "opponent": making.player(one.opponent or 0),
        "rating": rating or "",
        "gained": gained(one, teams=False),
        **_seen(making, game, white=bool(one.white)),
        "running": running if one.kind is not RoundKind.PENDING else "",
    }


def _seen(making: PageMaking, game: PairedGame, *, white: bool) -> Context:
    """Stones and cause of a game from the side of a player."""
    result = game.result if game.result is None or white else game.result.mirrored
    return {name: making.result(result)[name] for name in ("stones", "cause")}


def _match(making: PageMaking, one: Meeting) -> Context:
    if one.kind is RoundKind.BYE:
        assert one.bye is not None
        return {"round": one.round, "bye": making.bye(one.bye), "gained": half(one.points), "running": ""}
    return {
        "round": one.round,
        "bye": "",
        "board": one.board,
        "href": making.link(f"rounds/{one.round}"),
        "record": "",
        "white": None,
        "opponent": making.competitor(one.opponent or 0),
        "rating": "",
        "gained": half(one.points) if one.kind is not RoundKind.PENDING else "",
        "stones": half(one.game_points) if one.kind is not RoundKind.PENDING else "",
        "cause": "",
        "running": "",
    }


def _place(making: PageMaking, found: Ranking, id_: int, *, players: bool) -> Context:
    rows = found.rows()
    at = next((at for at, row in enumerate(rows) if row.competitor == id_), None)
    if at is None or not making.figures.state.rounds:
        return {"rank": None, "points": "", "workings": [], "why": []}
    row, teams = rows[at], not players and making.figures.teams
    above = rows[at - 1].competitor if at else rows[1].competitor if len(rows) > 1 else None
    language = making.circumstances.language
    steps = [] if above is None else why_text(_why(making, above, id_, players), language, teams=teams)
    return {
        "rank": row.rank,
        "points": half(row.points),
        "workings": said_workings(found, id_, language, _names(making, teams=teams)),
        "why": steps,
    }


def _why(making: PageMaking, one: int, other: int, players: bool) -> Why:
    return why(making.figures.state, one, other, players=players and making.figures.teams)


def _names(making: PageMaking, *, teams: bool) -> Callable[[int], str]:
    """Short names of competitors by id: the family names of players."""
    if teams:
        return lambda id_: str(making.competitor(id_)["name"])
    return lambda id_: str(making.player(id_)["name"]).split(",")[0]

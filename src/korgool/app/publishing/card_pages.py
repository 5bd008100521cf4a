"""The card of a player or a team: their rounds, and their place with every tie-break worked out."""

from __future__ import annotations

from korgool.app.publishing.page_making import Context, NoPageError, PageMaking
from korgool.app.publishing.table_pages import gained, signed
from korgool.app.words.comparison import why_text
from korgool.app.words.event_texts import half, number_text
from korgool.app.words.tiebreaks import tiebreak_meaning, tiebreak_name
from korgool.competition.model import PairedGame
from korgool.competition.round_history import Meeting, RoundKind
from korgool.competition.standings import Joint, Part, Ranking, Why, Working, why, workings


def player_page(making: PageMaking, text: str) -> Context:
    """A player's card; raises NoPageError if nobody has the number."""
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
        "points": signed(row.points),
        "workings": [_working(making, one, teams=teams) for one in workings(found, id_)],
        "why": steps,
    }


def _why(making: PageMaking, one: int, other: int, players: bool) -> Why:
    return why(making.figures.state, one, other, players=players and making.figures.teams)


def _working(making: PageMaking, one: Working, *, teams: bool) -> Context:
    language = making.circumstances.language
    base = one.tiebreak.code.partition("-")[0]
    return {
        "code": one.tiebreak.code,
        "name": tiebreak_name(one.tiebreak.code, language, teams=teams),
        "meaning": _sentence(tiebreak_meaning(one.tiebreak.code, language, teams=teams)),
        "value": number_text(one.value),
        "joint": one.joint.value,
        "alone": one.joint is Joint.ALONE and one.tiebreak.code in ("DE", "EDE"),
        # What somebody gathered after each round has nothing to do with the opponent of that round.
        "parts": [_part(making, part, teams=teams, named=base != "PS") for part in one.parts],
    }


def _part(making: PageMaking, part: Part, *, teams: bool, named: bool) -> Context:
    product = None
    if part.strength is not None and part.won is not None:
        product = f"{number_text(part.strength)} × {number_text(part.won)}"
    who = ""
    if part.opponent and named:
        who = making.competitor(part.opponent)["name"] if teams else making.player(part.opponent)["name"].split(",")[0]
    return {
        "round": part.round,
        "who": who,
        "value": number_text(part.value),
        "product": product,
        "cut": part.cut,
    }


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
